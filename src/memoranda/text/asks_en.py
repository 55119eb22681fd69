"""How English asks that something told be forgotten, and what only sounds like it."""

from __future__ import annotations

import re

_LEAD = (
    r"(?:(?:ok(?:ay)?|hey|hi|hello|so|and|also|oh|well|now|then|but|actually|btw|by the way|thanks|thank you|"
    r"sorry|look|listen|right|one more thing|in that case|on second thought|alright|yes|yeah|no|um+|again)"
    r"[,:.…-]*\s+)*"
)
_ASK = (
    r"(?:(?:please|pls|plz|kindly)[,]?\s+)?"
    r"(?:(?:can|could|would)\s+you\s+|(?:i|we)(?:\s+(?:really\s+)?(?:want|need|ask|beg)|['’]d\s+(?:like|prefer|love)|"
    r"\s+would\s+(?:like|prefer|love)|['’]m\s+asking|\s+am\s+asking)\s+(?:for\s+)?you\s+to\s+|"
    r"i['’]d\s+(?:appreciate\s+it|be\s+(?:glad|happy|grateful))\s+if\s+you(?:['’]d|\s+would|\s+could)\s+|"
    r"you\s+(?:can|may|should|must|have\s+to)\s+(?:now\s+)?|go\s+ahead\s+and\s+|feel\s+free\s+to\s+|"
    r"make\s+sure\s+(?:you|to)\s+|i\s+need\s+to\s+ask\s+you\s+to\s+|be\s+so\s+kind\s+(?:as\s+)?to\s+|"
    r"you\s+are\s+welcome\s+to\s+)?"
    r"(?:(?:please|pls|plz|kindly|just|now|also|simply|completely|fully|totally|permanently|immediately|then|"
    r"all|quickly|both)[,]?\s+)*"
)
_FORGET = r"(?:forget|unlearn|stop\s+remembering|stop\s+keeping|unremember)"
_NOT_KEEP = (
    r"(?:(?:please\s+)?(?:do\s+not|don['’]t)|i\s+(?:do\s+not|don['’]t)\s+want\s+you\s+to|"
    r"i(?:['’]d|\s+would)\s+rather\s+you\s+did(?:\s+not|n['’]t))\s+"
    r"(?:remember|keep|store|save|retain|hold\s+on\s+to|know)(?:\s+(?:any\s+longer|any\s?more))?"
)
_BOTH = (
    r"(?:\s+(?:and|or|&)\s+(?:delete|erase|remove|repeat|share|show|use|store|keep|mention|log|record|"
    r"print|forget))?"
)
_DELETE = (
    r"(?:delete|erase|remove|wipe|purge|discard|scrub|drop|clear|strike|get\s+rid\s+of|throw\s+away|take\s+out|"
    r"blank\s+out)(?:\s+(?:out|away))?"
)
_SAID = (
    r"(?:i|we)(?:['’]ve|['’]d|\s+have|\s+had)?\s+(?:just\s+|ever\s+|once\s+|only\s+|already\s+)*(?:said|told|mentioned|"
    r"shared|wrote|written|given|gave|explained|described|confided|let\s+slip|revealed|admitted|noted)"
)
_KNOWN = r"you\s+(?:know|remember|have|stored?|saved?|noted|kept?|learned|wrote\s+down)"
_PERSONAL = (
    r"(?:(?:old|new|home|work|private|personal|email|e-mail|phone|mobile|cell|bank|credit|card|street|postal|current|"
    r"former|last|first|full|middle|date|of|medical|health|blood|wifi|travel|family|dietary|food|dating|job|exact|real)"
    r"\s+)*"
    r"(?:address(?:es)?|numbers?|phone|e-?mail|birthday|birth|names?|surname|nickname|salary|income|wage|age|weight|"
    r"height|diagnos[ie]s|illness|condition|medications?|meds|allerg(?:y|ies)|pregnancy|therapy|therapist|location|"
    r"employer|jobs?|boss|details|info(?:rmation)?|data|religion|politics|debts?|iban|passport|plans?|preferences?|"
    r"history|type|size|password|pin|partner|wife|husband|girlfriend|boyfriend|ex|kids?|children|son|daughter|divorce|"
    r"affair|secrets?|remarks?|statements?|comments?\s+about|story|stories|memories)"
)
_THING = (
    r"(?:memor(?:y|ies)|notes?|entr(?:y|ies)|facts?|records?|details?|information|info|things?|parts?|bits?|stuff|"
    r"stories|story|statements?|remarks?|lines?)"
)
_FROM = (
    r"(?:from|in|out\s+of)\s+(?:your|the)\s+"
    r"(?:memor(?:y|ies)|records?|notes?|database|storage|files?\s+on\s+me)"
)

_OBJECT_OF_FORGET = (
    r"(?P<what>(?:about\s+)?(?:that\b|what\b|everything\b|anything\b|all\b|where\b|who\b|which\b|when\b|how\b|whatever\b|"
    r"my\b|our\b|his\b|her\b|their\b|this\b|the\s+(?:fact|thing|part|bit|story|name|address|number|date|details?)\b|"
    r"me\b)[^\n]*|about\s+[^\n]+)"
)
_OBJECT_OF_DELETE = (
    rf"(?P<what>(?:everything|anything|all(?:\s+of)?|what|whatever|the\s+(?:part|thing|bit|stuff)s?)\s+(?:that\s+)?"
    rf"(?:the\s+{_THING}\s+)?(?:{_SAID}|{_KNOWN})\b[^\n]*"
    rf"|(?:all|any|every|the|that|this|those|these|my|your|both)\s+(?:of\s+)?(?:my\s+|your\s+|the\s+)?{_THING}\s+"
    rf"(?:about|on|of|regarding|concerning|where|that|with|{_SAID})\b[^\n]*"
    rf"|(?:all\s+|any\s+)?(?:about\s+)?(?:my|our|his|her|their)\s+{_PERSONAL}(?:\s+(?:and|or)\s+(?:my\s+)?{_PERSONAL})?"
    rf"(?:\s+(?:again|now|please|too|as\s+well|{_FROM}|you\s+\w+|that\s+[^\n]*|for\s+good|entirely|completely))*\s*"
    rf"|[^\n]{{1,120}}?\s+{_FROM}[^\n]*"
    rf"|(?:everything|anything|all)\s+(?:about|on|regarding|concerning)\s+(?:me|my)\b[^\n]*"
    r"|(?:everything|anything|all)\s+(?:about|regarding|concerning)\s+[^\n]+)"
)
_PASSIVE = (
    r"(?:i|we)(?:['’]d\s+like|\s+would\s+like|\s+want|\s+need)\s+(?P<what>(?:my|our|what|everything|anything|all|the)\b"
    r"[^\n]{1,120}?)\s+(?:to\s+be\s+)?(?:deleted|erased|forgotten|removed|wiped)\b[^\n]*"
)
_END = (
    r"\s*(?:[,]?\s*(?:please|pls|thanks|thank\s+you|ok(?:ay)?|will\s+you|would\s+you|could\s+you|"
    r"right\s+away|now))*\s*[.!?…\"”’)]*\s*\Z"
)
_FLAGS = re.IGNORECASE
REQUESTS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, _FLAGS)
    for pattern in (
        rf"{_LEAD}{_ASK}{_FORGET}\s+{_OBJECT_OF_FORGET}",
        rf"{_LEAD}{_ASK}{_FORGET}\s+(?:and|&)\s+(?:delete|erase|remove)\s+(?P<what>[^\n]+)",
        rf"{_LEAD}{_NOT_KEEP}{_BOTH}\s+{_OBJECT_OF_FORGET}",
        rf"{_LEAD}{_NOT_KEEP}{_BOTH}\s+(?P<what>it|this|that)\b{_END}",
        rf"{_LEAD}{_ASK}{_DELETE}\s+{_OBJECT_OF_DELETE}{_END}",
        rf"{_LEAD}(?:would|do)\s+you\s+mind\s+(?:forgetting|deleting|erasing|removing)\s+{_OBJECT_OF_FORGET}",
        rf"{_LEAD}{_PASSIVE}",
    )
)
"""Each must fit a clause from its start; `what` names what is to be forgotten."""
IDIOM = re.compile(
    r"(?:about\s+)?(?:it|me|you|us|that\s+for\s+(?:a\s+|now|the\s+moment)|all\s+that\s+jazz|everything\s+else)\b\s*[.!?,…]*\s*\Z"
    r"|that\s+for\s+(?:now|a\s+(?:second|minute|moment))|(?:about\s+)?(?:it|me)\b|how\s+to\b|to\b",
    re.IGNORECASE,
)
"""What is said of no memory: `forget it`, `forget me not`, `forget about it for now`."""
NOT_KEPT_IDIOM = re.compile(
    r"(?:where|who|when|how|what\s+(?:day|time|the)|which|why|that\s+(?:name|word|song))\b",
    re.IGNORECASE,
)
"""After `don't remember`: the speaker's own memory (`I don't remember where ...`)."""
REPORTED = re.compile(
    r"\b(?:said|says|say|asked|asks|told|tells|wants|wanted|wrote|writes|texted|replied|reads?|begged|ordered|"
    r"suggested|thinks?|dreamt|dreamed|quote[sd]?|lyrics?|song|film|movie|book|poem|sign|prompt|example|translate|"
    r"if|when|whenever|unless|pretend|imagine|suppose)\b",
    re.IGNORECASE,
)
"""Before the request in one sentence: somebody else's, or none at all."""
TELLING = re.compile(
    r"(?:about\s+)?(?:that\s+|what(?:ever)?\s+|all\s+|everything\s+|anything\s+|all\s+of\s+|the\s+(?:thing|part|bit|stuff)s?\s+)?"
    rf"(?:(?:of\s+)?(?:what\s+)?(?:that\s+)?(?:{_SAID}|{_KNOWN})(?:\s+(?:to|with)?\s*(?:you|me))?(?:\s+(?:yesterday|"
    r"earlier|before|just\s+now|today|last\s+(?:week|month|time|year)|once|a\s+while\s+ago|the\s+other\s+day))?"
    r"(?:\s+(?:about|regarding|concerning|on|of|that))?)?\s*",
    re.IGNORECASE,
)
"""What stands before the words that name the matter itself."""
ABOUT = re.compile(
    rf"(?:all\s+|any\s+|every\s+|the\s+|that\s+|this\s+|those\s+|these\s+|my\s+|your\s+)?(?:{_THING}\s+)?"
    r"(?:(?:about|on|of|regarding|concerning|where|that)\s+)?",
    re.IGNORECASE,
)
WHOLE = re.compile(r"(?:about\s+)?(?:everything|anything|all|every)\b", re.IGNORECASE)
LAST = re.compile(
    r"(?:(?:about\s+)?(?:it|that|this|all\s+(?:of\s+)?(?:that|this))(?:\s+(?:one|last\s+(?:part|bit|message|sentence|thing)))?"
    rf"|what\s+{_SAID}(?:\s+(?:to\s+)?(?:you|me))?(?:\s+(?:just\s+)?now|\s+before|\s+earlier)?|my\s+last\s+(?:message|sentence|remark|"
    r"statement)|the\s+(?:last|previous)\s+(?:thing|message|part|bit)[^\n]*)(?:[,]?\s*(?:please|again|ok(?:ay)?|now|right\s+away|thanks))*"
    r"\s*[.!?…]*\s*\Z",
    re.IGNORECASE,
)
TAIL = re.compile(
    rf"(?:[,]?\s+(?:please|pls|thanks|thank\s+you|again|ok(?:ay)?|too|as\s+well|now|right\s+away|for\s+good|{_FROM}|"
    r"any\s?more|will\s+you|would\s+you|could\s+you|completely|entirely|forever|(?:it|that|this)(?:['’]s|\s+(?:is|was))\s+"
    r"(?:wrong|outdated|private|none\s+of|too\s+personal|not)[^\n]*))+\s*[.!?…]*\s*\Z",
    re.IGNORECASE,
)
