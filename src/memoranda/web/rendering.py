"""Templates become pages: every value is escaped, and what can't be seen in it is written out."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from memoranda.text.visible import show
from memoranda.web.formats import day, marked, moment, runs, short, size
from memoranda.web.markdown import html
from memoranda.web.operations import said
from memoranda.web.visit import address


@cache
def environment() -> Environment:
    """Give the environment of all templates."""
    made = Environment(
        loader=PackageLoader("memoranda.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    made.globals |= {"url": address}
    made.filters |= {
        "md": html, "moment": moment, "day": day, "runs": runs, "marked": marked, "short": short,
        "bytes": size, "operation": said, "exact": exact,
    }  # fmt: skip
    return made


def render(template: str, values: dict[str, Any]) -> str:
    """Make a page."""
    return environment().get_template(template).render(values)


def exact(value: object) -> Markup:
    """Give a value of a form just as it is, escaped: what is sent back must be what came."""
    return Markup(escape(str(value)))  # noqa: S704 - escaped


def _shown(value: object) -> object:
    """Write out what hides in plain text; markup that was made here stays."""
    return show(value) if type(value) is str else value
