"""Claims about places where a database should not lie."""

from __future__ import annotations

from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from memoranda.store.places import doubt, judge

MOUNTS = r"""/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export /mnt/team nfs4 rw 0 0
//server/share /mnt/my\040share cifs rw 0 0
me@host: /home/anna/remote fuse.sshfs rw 0 0
/dev/sdb1 /mnt/team/local ext4 rw 0 0
server:/old /mnt/over nfs rw 0 0
/dev/sdc1 /mnt/over xfs rw 0 0
host /sandbox 9p rw 0 0
broken line
"""

SYNCED = {
    "/home/anna/Dropbox/memory": "Dropbox",
    "/home/anna/Dropbox (Personal)/memory": "Dropbox",
    "/Users/anna/Library/Mobile Documents/com~apple~CloudDocs/m": "iCloud Drive",
    "/Users/anna/Library/CloudStorage/GoogleDrive-a@example.org/My Drive/m": "Google Drive",
    "/Users/anna/Library/CloudStorage/Box-Box/m": "a cloud service",
    "/home/anna/Nextcloud": "Nextcloud",
    "/home/anna/OneDrive - 示例公司/m": "OneDrive",
}
NETWORK = {
    "/mnt/team/anna": "nfs4",
    "/mnt/my share/anna": "cifs",
    "/home/anna/remote": "fuse.sshfs",
}
FINE = (
    "/home/anna/memory",
    "/mnt/team/local/anna",
    "/mnt/teamwork/anna",
    "/mnt/over/anna",
    "/sandbox/anna",
    "/home/anna/dropboxes/memory",
    "/home/anna/.dropbox/memory",
)


@pytest.mark.parametrize(("path", "service"), SYNCED.items())
def test_a_synced_folder_is_doubted_by_its_name(path: str, service: str) -> None:
    sentence = judge(PurePosixPath(path), MOUNTS, frozenset())
    assert sentence is not None
    assert sentence.startswith(f"{path} seems to be synced by {service}: ")


@pytest.mark.parametrize(("path", "kind"), NETWORK.items())
def test_a_network_file_system_is_doubted_by_its_mount(path: str, kind: str) -> None:
    sentence = judge(PurePosixPath(path), MOUNTS, frozenset())
    assert sentence is not None
    assert f"on a network file system ({kind})" in sentence


@pytest.mark.parametrize("path", FINE)
def test_a_local_folder_is_not_doubted(path: str) -> None:
    assert judge(PurePosixPath(path), MOUNTS, frozenset()) is None


def test_windows_shares_and_services_are_known() -> None:
    said = [
        judge(PureWindowsPath(path), "", frozenset())
        for path in (r"\\server\share\m", r"C:\Users\anna\OneDrive\m", r"C:\m", r"\\?\C:\m\n")
    ]
    assert [bool(sentence) for sentence in said] == [True, True, False, False]


def test_a_mark_counts_in_the_folder_and_above_it_only() -> None:
    path = PurePosixPath("/home/anna/notes/memory")
    above: frozenset[PurePath] = frozenset({PurePosixPath("/home/anna/notes/.stfolder")})
    beside: frozenset[PurePath] = frozenset({PurePosixPath("/home/anna/other/.stfolder")})
    assert "Syncthing" in (judge(path, MOUNTS, above) or "")
    assert judge(path, MOUNTS, beside) is None


def test_doubt_looks_at_the_real_folder(tmp_path: Path) -> None:
    quiet = doubt(tmp_path / "plain" / "memory")
    assert quiet is None or "network" in quiet
    (tmp_path / "shared" / ".stfolder").mkdir(parents=True)
    (tmp_path / "link").symlink_to("shared")
    assert "Syncthing" in (doubt(tmp_path / "link" / "memory") or "")
