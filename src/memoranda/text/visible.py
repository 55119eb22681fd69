"""Text made safe to look at: what can't be seen, or moves what is seen, is written out."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def show(text: str) -> str:
    r"""Write out control, bidi, zero-width and tag characters as `\u{202e}`; the rest stays.

    Joiners that scripts need (ZWJ, ZWNJ), line feeds and tabs stay as they are.
    """
    return _HIDDEN.sub(lambda match: f"\\u{{{ord(match.group()):x}}}", text)
