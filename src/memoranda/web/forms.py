"""What a form or an address brings: fields within limits, and the mark that only our pages know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from memoranda.errors import InputError
from memoranda.web.sessions import same
from memoranda.web.visit import Fields

MARK: Final = "mark"
"""The field in which every form carries the mark of its session."""
_MOST_BYTES: Final = 256 * 1024
_MOST_FIELDS: Final = 500
_FORM: Final = "application/x-www-form-urlencoded"


class ForeignFormError(InputError):
    """A form was not made by a page of this session."""

    def __init__(self) -> None:
        super().__init__(
            "this form is not of your session; nothing was done; go back, load the page again"
        )


def fields(text: str) -> Fields:
    """Read fields as forms and addresses write them.

    Raises:
        InputError: there are too many, or they are not UTF-8.
    """
    try:
        pairs = parse_qsl(
            text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError as error:
        raise InputError("the form can't be read: too many fields, or not UTF-8") from error
    found: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        if "\0" in value:
            raise InputError(f"{name[:40]} holds a NUL character")
        found[name] = (*found.get(name, ()), value.replace("\r\n", "\n"))
    return found


async def posted(request: Request) -> Fields:
    """Read the form that was sent.

    Raises:
        InputError: it is too large, or no form.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise InputError("send the form as the page has it")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BYTES:
            raise InputError(f"the form has more than {_MOST_BYTES // 1024} KB")
    try:
        return fields(body.decode("ascii"))
    except UnicodeDecodeError as error:
        raise InputError("the form can't be read: it is not escaped") from error


def check(request: Request, form: Mapping[str, tuple[str, ...]], wanted: str) -> None:
    """Refuse a form that another site, or another session, has made.

    Raises:
        ForeignFormError: it carries no mark, or not that of this session, or comes from elsewhere.
    """
    given = form.get(MARK, ("",))
    fetched = request.headers.get("sec-fetch-site", "same-origin")
    if len(given) != 1 or not same(given[0], wanted) or fetched != "same-origin":
        raise ForeignFormError
