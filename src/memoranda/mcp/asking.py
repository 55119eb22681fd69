"""A question to the person at the client, in either era of the protocol."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from mcp.server.context import ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from memoranda.mcp.seal import Seal

_KEY: Final = "decision"
_FIELD: Final = "agreed"
_FORM: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {_FIELD: {"type": "boolean", "title": "Do it", "default": False}},
    "required": [_FIELD],
}


class Asked(NamedTuple):
    """What the person said."""

    agreed: bool


def can_ask(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Say whether the client can show a form, and we can reach it."""
    told = ctx.session.client_capabilities
    form = told.elicitation if told is not None else None
    if form is None or (form.form is None and form.url is not None):
        return False
    return _is_modern(ctx) or ctx.session.can_send_request


async def ask(
    ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams, text: str, seal: Seal
) -> Asked | InputRequiredResult:
    """Ask; in the newer era the call ends with the question, and comes again with the answer.

    An answer counts only for the very question that was asked: when what it is about has changed
    meanwhile, the person is asked anew.
    """
    form = ElicitRequestFormParams(message=text, requested_schema=_FORM)
    if not _is_modern(ctx):
        answer = await ctx.session.elicit_form(text, _FORM, related_request_id=ctx.request_id)
        return Asked(_agrees(answer))
    given = (params.input_responses or {}).get(_KEY)
    told = params.request_state or ""
    if isinstance(given, ElicitResult) and seal.fits(told, "asked", text, params.arguments):
        return Asked(_agrees(given))
    return InputRequiredResult(
        input_requests={_KEY: ElicitRequest(params=form)},
        request_state=seal.token("asked", text, params.arguments),
    )


def _is_modern(ctx: ServerRequestContext[Any, Any]) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def _agrees(answer: ElicitResult) -> bool:
    return answer.action == "accept" and (answer.content or {}).get(_FIELD) is True
