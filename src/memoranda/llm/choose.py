"""Makes the model that a setting names: `openai:NAME`, `anthropic:NAME`, `command:...`, or `rules`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memoranda.errors import InputError, ModelUnavailableError
from memoranda.llm import anthropic as anthropic_messages
from memoranda.llm import openai as openai_chat
from memoranda.llm.command import CommandModel, split
from memoranda.llm.model import Model
from memoranda.llm.proxies import proxy_for
from memoranda.settings import MODEL_FORMS, RULES


def choose(spec: str | None, environ: Mapping[str, str]) -> Model | None:
    """Make the model of a setting; None stands for the rules, which need no model.

    Args:
        spec: what `MEMORANDA_MODEL` holds; None and "" mean `rules`.
        environ: where keys, base URLs (`OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`) and proxies are
            read. A key is needed for the providers' own URLs only.

    Raises:
        InputError: the setting names nothing that there is; the message lists what there is.
        ModelUnavailableError: the key is missing; the message names its variable.
    """
    kind, colon, rest = (spec or RULES).strip().partition(":")
    name = rest.strip()
    if kind == RULES and not colon:
        return None
    if kind not in {"openai", "anthropic", "command"}:
        raise InputError(
            f"MEMORANDA_MODEL={_shown(spec)} names no kind of model; give {MODEL_FORMS}"
        )
    if not name:
        raise InputError(f"MEMORANDA_MODEL={_shown(spec)} names no model; give {MODEL_FORMS}")
    if kind == "command":
        return CommandModel(split(name), environ=environ)
    module = openai_chat if kind == "openai" else anthropic_messages
    make = openai_chat.openai if kind == "openai" else anthropic_messages.anthropic
    base_url = (environ.get(f"{kind.upper()}_BASE_URL") or module.BASE_URL).strip()
    key = (environ.get(module.KEY) or "").strip() or None
    if key is None and base_url.rstrip("/") == module.BASE_URL:
        detail = (
            f"no key is set; put it into the variable {module.KEY}, "
            f"or name an endpoint that needs none in {kind.upper()}_BASE_URL"
        )
        raise ModelUnavailableError(f"{kind}:{name}", "key", detail, ours=detail)
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(f"the key in {module.KEY} holds characters that no key has")
    return make(name, base_url=base_url, key=key, proxy=proxy_for(base_url, environ))


def called(spec: str) -> str:
    """Give the name that the model of a setting has, without making it; no argument of a program."""
    kind, _, rest = (spec or RULES).strip().partition(":")
    if kind != "command":
        return f"{kind}:{rest.strip()}" if rest else kind
    try:
        return CommandModel(split(rest.strip()), environ={}).name
    except InputError:
        return kind


def _shown(spec: str | None) -> str:
    """Quote a setting by its kind only: people put keys into the wrong place."""
    kind = (spec or "").partition(":")[0]
    return ascii(kind) if re.fullmatch("[a-zA-Z]{1,12}", kind) else "(something)"
