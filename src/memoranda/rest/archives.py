"""Bodies that are no JSON: archives that come and go as files, and lines to import."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import anyio.to_thread
from fastapi import Depends
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from memoranda.memory import Memory
from memoranda.rest.ways import EXPORTED

MEDIA_TYPE: Final = "application/zip"
LINES: Final = "application/x-ndjson"
_PIECE: Final = 1 << 20


async def _lines(request: Request) -> tuple[bytes, ...]:
    return tuple((await request.body()).splitlines())


async def _received(request: Request) -> Any:  # noqa: ANN401 - a temporary file
    """Write a body into a file without a name of its own, in pieces; it is gone when it is closed."""
    folder = await anyio.to_thread.run_sync(_folder)
    try:
        path = Path(folder.name) / f"received-over-http-from-{request.state.grant.token_id}.zip"
        with path.open("wb") as stream:
            async for piece in request.stream():
                await anyio.to_thread.run_sync(stream.write, piece)
        yield path
    finally:
        await anyio.to_thread.run_sync(folder.cleanup)


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="memoranda-", ignore_cleanup_errors=True)


Lines = Annotated[tuple[bytes, ...], Depends(_lines)]
Received = Annotated[Path, Depends(_received)]


def taken(memory: Memory, source: Path) -> Any:  # noqa: ANN401 - what the method gives
    """Take an archive that was received; what is told of it names no path of ours."""
    from dataclasses import replace  # noqa: PLC0415

    return replace(memory.import_archive(source), path="")


def sent(memory: Memory, token_id: str) -> Response:
    """Make an archive, and send it; the copy that was made for it is removed afterwards.

    The memory knows the archive by the copy's name, which says to whom it went.
    """
    folder = _folder()
    try:
        path = Path(folder.name) / f"sent-over-http-to-{token_id}.zip"
        done = memory.export(path)
    except BaseException:
        folder.cleanup()
        raise
    return StreamingResponse(
        _pieces(path),
        media_type=MEDIA_TYPE,
        headers={
            "content-length": str(done.bytes),
            "content-disposition": f'attachment; filename="memory-{done.position}.zip"',
            "etag": f'"{done.position}"',
            EXPORTED: json.dumps({**done.to_dict(), "path": ""}),
        },
        background=BackgroundTask(folder.cleanup),
    )


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            yield piece
