"""Markdown of texts that others wrote, as HTML in which nothing is active and nothing is fetched."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

from memoranda.text.visible import show

_WORDS: Final = ("p", "br", "em", "strong", "del", "code", "a")
_BLOCKS: Final = ("pre", "blockquote", "ul", "ol", "li", "hr")
_TABLES: Final = ("table", "thead", "tbody", "tr", "th", "td")
TAGS: Final = frozenset({*_WORDS, *_BLOCKS, *_TABLES})
"""All that may come out."""
_OFF: Final = ("image", "html_block", "html_inline", "heading", "lheading", "reference")
_MOST: Final = 20_000
"""Characters; a longer text stands as it is."""


_REL: Final = "noopener noreferrer nofollow"
_FORMS: Final = {
    "href": re.compile(r"(?:https?://|mailto:)[^\s]+"),
    "rel": re.compile(_REL),
    "start": re.compile("[0-9]{1,9}"),
}


def _kept(_: str, name: str, value: str) -> str | None:
    """Keep addresses that say where they lead, and numbers of lists; nothing else."""
    form = _FORMS.get(name)
    return value if form is not None and form.fullmatch(value) else None


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": 20})
    return parser.enable(["table", "strikethrough"]).disable(list(_OFF))


def html(text: str) -> Markup:
    """Render a text: no HTML of its own, no images, no headings; links go to the web or to mail only.

    What can't be seen in it, or moves what is seen, is written out.
    """
    shown = show(text)
    if len(shown) > _MOST:
        return Markup("<pre>{}</pre>").format(shown)
    made = nh3.clean(
        _parser().render(shown),
        tags=set(TAGS),
        attributes={"a": {"href"}, "ol": {"start"}},
        attribute_filter=_kept,
        url_schemes={"http", "https", "mailto"},
        link_rel=_REL,
        strip_comments=True,
    )
    return Markup(made)  # noqa: S704 - cleaned just above
