"""A doubt about a place: is the data folder synced by a service, or on a network file system?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memoranda.store.files import look, real
from memoranda.store.files import mounts as mount_table

if TYPE_CHECKING:
    from pathlib import Path, PurePath

_NETWORK = re.compile(
    r"nfs4?|cifs|smb3|smbfs|afs|(fuse\.)?(ceph|glusterfs)|lustre|beegfs"
    r"|fuse\.(sshfs|rclone|s3fs|davfs2)|davfs"
)
_SYNCED = (
    (re.compile(r"dropbox( \(.*\))?"), "Dropbox"),
    (re.compile(r"onedrive( - .*)?"), "OneDrive"),
    (re.compile(r"mobile documents|com~apple~clouddocs|iclouddrive|icloud drive"), "iCloud Drive"),
    (re.compile(r"google ?drive(-.*)?|my drive"), "Google Drive"),
    (re.compile(r"nextcloud"), "Nextcloud"),
    (re.compile(r"owncloud"), "ownCloud"),
    (re.compile(r"cloudstorage|box sync|pclouddrive|pcloud drive|megasync"), "a cloud service"),
)
_MARKS = {
    ".stfolder": "Syncthing",
    ".dropbox.cache": "Dropbox",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
    ".tmp.drivedownload": "Google Drive",
}
_ADVICE = "a database there can be damaged; choose a local folder"


def doubt(path: Path) -> str | None:
    """Give a sentence for `status` if a database should not lie in `path`, else None.

    The folder need not exist. Looks at the path's names, at the marks that sync services leave
    in its parents, and on Linux at the table of mounts.
    """
    place = real(path)
    marks = (folder / mark for folder in (place, *place.parents) for mark in sorted(_MARKS))
    return judge(place, mount_table(), frozenset(mark for mark in marks if look(mark) is not None))


def judge(path: PurePath, mounts: str, marks: frozenset[PurePath]) -> str | None:
    """Decide as `doubt` does, on what was found: the text of /proc/mounts and the marks."""
    service = _service(path, marks)
    if service is not None:
        return f"{path} seems to be synced by {service}: {_ADVICE}"
    kind = _file_system(path, mounts)
    share = path.drive.startswith("\\\\") and path.drive[2:3] not in {"?", "."}  # Windows
    if share or _NETWORK.fullmatch(kind):
        return f"{path} is on a network file system ({kind or 'share'}): {_ADVICE}"
    return None


def _service(path: PurePath, marks: frozenset[PurePath]) -> str | None:
    for folder in (path, *path.parents):
        for pattern, service in _SYNCED:
            if pattern.fullmatch(folder.name.lower()):
                return service
        for name, service in _MARKS.items():
            if folder / name in marks:
                return service
    return None


def _file_system(path: PurePath, mounts: str) -> str:
    """Name the type of the innermost mount; of two on one point the later covers the earlier."""
    best, kind = -1, ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = type(path)(re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), fields[1]))
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), fields[2]
    return kind
