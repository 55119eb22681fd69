"""The application: the guard round the addresses of the facade, with the web and the agents beside."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import anyio.to_thread
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from memoranda.gate.gate import Gate
from memoranda.gate.guard import MAX_BODY, Guard
from memoranda.gate.problems import PATH, REFUSALS, STATUS, Problem, kinds, name_of, refusal
from memoranda.rest import described
from memoranda.rest.calls import Calls
from memoranda.rest.ways import PREFIX

MAX_ARCHIVE: Final = 1024 * 1024 * 1024
"""Bytes of an archive that is sent."""
THREADS: Final = 40
"""Calls that may be on their way at once; one of a memory waits for the other."""
AGENTS: Final = "/mcp"
OPENAPI: Final = "/openapi.json"
_SILENT: Final[Any] = {
    "tracing": False, "metrics": False, "logs": False, "operation_spans": False,
    "auto_configure": False,
}  # fmt: skip
"""Nothing of a request is told to anybody, whatever the environment says."""
_BY_STATUS: Final = {
    400: "invalid", 404: "no-route", 405: "no-method", 413: "too-large", 415: "media-type",
}  # fmt: skip


def make(gate: Gate, *, web: bool = True, mcp: bool = True) -> ASGIApp:
    """Make the application of a server.

    Args:
        gate: tokens, memories, allow-lists and rates; the caller closes the shelf.
        web: serve the pages for people beside it.
        mcp: serve agents beside it, at `/mcp`, with the same tokens.
    """
    beside: list[Any] = []
    app = FastAPI(
        title="Memoranda",
        version=gate.version,
        summary=described.SUMMARY,
        description=described.DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=functools.partial(_lifespan, beside=beside, gate=gate),
        telemetry=_SILENT,
        max_body_size=MAX_BODY,
    )
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _unfit)
    Calls(gate).add_to(app, most=MAX_ARCHIVE)
    app.openapi = functools.partial(described.page, app)  # type: ignore[method-assign]
    app.router.routes += [*_own(gate, app), *_beside(gate, beside, web=web, mcp=mcp)]
    return Guard(
        app,
        gate.allowed,
        gate.tokens.known,
        needs_token=needs_token,
        most=lambda path: MAX_ARCHIVE if path == f"{PREFIX}/archive" else MAX_BODY,
        rates=gate.rates,
    )


def needs_token(path: str) -> bool:
    """Say whether a path takes a bearer token; what else there is looks at its own session."""
    return path == OPENAPI or any(
        path == base or path.startswith(f"{base}/") for base in (PREFIX, AGENTS)
    )


@asynccontextmanager
async def _lifespan(_: FastAPI, *, beside: list[Any], gate: Gate) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    async with AsyncExitStack() as stack:
        for part in beside:
            await stack.enter_async_context(part.running())
        yield
    await anyio.to_thread.run_sync(gate.shelf.close)


def _own(gate: Gate, app: FastAPI) -> list[Route]:
    """Give the addresses that are no method: how the server is, and what its problems mean."""

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok", "version": gate.version})

    async def ready(_: Request) -> Response:
        try:
            await anyio.to_thread.run_sync(gate.tokens.all)
        except Exception:  # noqa: BLE001 - whatever it is, it is not ready
            return JSONResponse({"status": "not ready"}, status_code=503)
        return JSONResponse({"status": "ready"})

    async def problem(request: Request) -> Response:
        told = problems().get(request.path_params["name"])
        return answered(refusal("no-route")) if told is None else JSONResponse(told)

    async def description(_: Request) -> Response:
        return JSONResponse(app.openapi())

    async def listed(_: Request) -> Response:
        return JSONResponse({"items": list(problems().values())})

    return [
        Route(OPENAPI, description),
        Route("/healthz", health),
        Route("/readyz", ready),
        Route(f"{PATH}{{name}}", problem),
        Route(PATH, listed),
    ]


def _beside(gate: Gate, beside: list[Any], *, web: bool, mcp: bool) -> list[Any]:
    found: list[Any] = []
    if mcp:
        from memoranda.rest.agents import Agents  # noqa: PLC0415 - loads the SDK

        agents = Agents(gate)
        beside.append(agents)
        found.append(Route(AGENTS, endpoint=agents, methods=["GET", "POST", "DELETE"]))
    if web:
        from memoranda.web.routes import routes  # noqa: PLC0415 - loads the templates

        found += routes(gate)
    return found


@functools.cache
def problems() -> dict[str, dict[str, Any]]:
    """Give what each problem means, by name."""
    own = {
        name: {"type": f"{PATH}{name}", "title": title, "status": status, "detail": told}
        for name, (status, title, told) in REFUSALS.items()
    }
    for name, kind in kinds().items():
        status = next(code for base, code in STATUS if issubclass(kind, base))
        title = (kind.__doc__ or "").partition("\n")[0].rstrip(".")
        own[name_of(kind)] = {"type": f"{PATH}{name}", "title": title, "status": status}
    return own


def answered(problem: Problem) -> Response:
    """Give a problem as a reply."""
    headers = problem.headers()
    return Response(problem.body(), status_code=problem.status, headers=headers)


async def _refused(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 400)
    name = _BY_STATUS.get(status, "invalid")
    found = answered(refusal(name))
    for key, value in (getattr(error, "headers", None) or {}).items():
        found.headers[key] = value
    return found


async def _unfit(_: Request, error: Exception) -> Response:
    return answered(refusal("invalid", described.faults(error)))
