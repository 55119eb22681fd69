"""The description of the interface (OpenAPI), and of what does not fit it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi.openapi.utils import get_openapi

from memoranda.gate.problems import MEDIA_TYPE

if TYPE_CHECKING:
    from fastapi import FastAPI

SUMMARY: Final = "Long-term memory for LLM agents, over HTTP."
DESCRIPTION: Final = """\
Every method of the library has one address below `/v1`. Whose memory it is, and what may be done with \
it, is said by the bearer token. Errors are problem details (RFC 9457). A call that writes takes an \
`Idempotency-Key`: the same call again is answered as before. `If-Match` takes the log position of what \
was seen, as `ETag` gave it: if that has changed since, nothing is done. Lists come in pages: `next` is \
the `after` of the page that follows."""
_TOLD: Final = 5
_PROBLEM: Final = {
    "type": "object",
    "title": "Problem",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
}


def page(app: FastAPI) -> dict[str, Any]:
    """Describe the interface, once."""
    if app.openapi_schema is None:
        app.openapi_schema = _page(app)
    return app.openapi_schema


def _page(app: FastAPI) -> dict[str, Any]:
    told = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=app.description,
        routes=app.routes,
    )
    parts = told.setdefault("components", {})
    parts["schemas"] = {
        name: schema
        for name, schema in parts.get("schemas", {}).items()
        if name not in {"HTTPValidationError", "ValidationError"}
    } | {"Problem": _PROBLEM}
    parts["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    told["security"] = [{"bearer": []}]
    problem = {
        "description": "What was wrong.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for item in told["paths"].values():
        for operation in item.values():
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = problem
    return told


def faults(error: Any) -> str:  # noqa: ANN401 - of FastAPI or pydantic
    """Say what does not fit, by name; never a value."""
    told = [_fault(fault) for fault in error.errors()[:_TOLD]]
    return f"{'; '.join(told)}; see /openapi.json"


def _fault(fault: dict[str, Any]) -> str:
    place = [str(part) for part in fault["loc"] if part not in {"body", "query", "path"}]
    name = ".".join(place)[:200].encode("ascii", "backslashreplace").decode()
    match fault["type"]:
        case "extra_forbidden":
            return f"{name} is not known here"
        case "missing":
            return f"{name or 'a JSON body'} is missing"
        case "json_invalid":
            return "the body is not JSON"
        case _:
            return f"{name or 'the body'}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"
