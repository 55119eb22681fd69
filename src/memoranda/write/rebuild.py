"""Everything derived made again from the log: view tables, index, files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from memoranda.errors import StoreError
from memoranda.store.home import Home
from memoranda.values import Rebuilt


def rebuild(home: Home, *, progress: Callable[[int, int], None] | None = None) -> Rebuilt:
    """Fold the whole log again, then write index and files. Call it under the scope's lock.

    Args:
        home: the scope.
        progress: called with (records done, all records).
    """
    with home.log.transaction():
        total = home.log.position()

        def told(done: int) -> None:
            if progress is not None and (done % 200 == 0 or done == total):
                progress(done, total)

        home.fold.replay(total, progress=told)
    home.view.forget_prints()
    home.drop_index()
    home.with_index(lambda index: index.position)
    home.projection.reset()
    faults = home.projection.sync(check=True)
    if faults:
        raise StoreError("; ".join(faults))
    return Rebuilt(
        records=total,
        documents=home.view.count("documents"),
        entries=home.view.count("entries"),
        state=state(home.projection.contents()),
    )


def state(contents: Mapping[str, bytes]) -> str:
    """Hash the names and bytes of all projected files."""
    digest = hashlib.sha256()
    for name, data in sorted(contents.items()):
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()
