"""What English says of change and of states: the word lists of supersession."""

from __future__ import annotations

import re

from memoranda.text.frames.english_doubt import (  # noqa: F401 - a lexicon is one module
    CHAT,
    DAY,
    MONTH,
    REQUEST,
    REQUEST_ANYWHERE,
    SENTENCE,
    TURN_TO,
    WHOLE,
)
from memoranda.text.frames.pattern import Lazy, any_of

CHANGE = any_of(
    r"(?<!\bis )(?<!\bare )\b(?:switch|migrat|upgrad|downgrad|bump|rais|lower|increas|reduc|"
    r"extend|shorten|renam|"
    r"replac|swapp|relocat|convert|transferr|rotat|tighten|relax|loosen|doubl|halv|widen|resiz|"
    r"rewir|redirect|rerout|retir|deprecat|ditch|expand|adjust|reassign)(?:ed|ing)\b",
    r"\b(?:chang|mov|traded)(?:ed|es|e) (?:\w+ ){0,4}?(?:to|over|from|into|in|off|onto|out)\b",
    r"\b(?:switch(?:es)?|changes?|moves) (?:to|over|from)\b|\brolled (?:over|out)\b|\bflashed\b|"
    r"\bswapped\b|\bsold\b|\btraded\b",
    r"\bno longer\b|\b(?:any ?more|instead|from now on|going forward|from here on|nowadays|"
    r"these days)\b",
    r"\b(?:has|have|'s|'ve) (?:become|grown|risen|fallen|gone (?:up|down))\b|\bturned into\b|"
    r"\bbecame\b",
    r"\b(?:as of|effective|starting|beginning|since) (?:today|now|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday|yesterday|last|this|the|next|" + MONTH + r"|\d)",
    r"\b(?:set|cut|brought|turned|dialled|dialed|scaled) (?:\S+ ){0,6}?(?:(?:back |up |"
    r"down )?to \S|at \d)|\b(?:went|gone) (?:up|down|back|from \S+)(?: \S+)? to \S",
    r"\b(?:took|taken|takes|taking|hand(?:ed|s)|pass(?:ed|es)) (?:it |this |that |them )?over\b|"
    r"\bland(?:s|ed)? (?:with|in|on)\b|\bgave (?:it |them )?up\b|\bgiven up\b|\bquit\b",
    r"\bwhich makes\b|\bthat makes \d|\bwe(?:'re| are) (?:up|down) (?:to|at)\b|\bstands? at\b|"
    r"\b(?:reached|passed|crossed|hit|topped) \d|\bno more \w+ing\b|\bfrom (?:today|tomorrow|"
    r"monday|january|now) on\b|\btally\b|\bcounted\b|\bin total\b",
    r"\b(?:turned|switched|flipped) (?:\S+ ){0,3}?(?:on|off)\b|\b(?:enabled|disabled|deployed|"
    r"shipped|pinned)\b|\bhas been on\b|\bon its own\b|\bnobody .{0,20}\b(?:touches|does|needs)\b",
    r"\b(?:the|our|my|his|her|their) new\b.{0,25}\b(?:is|are)\b|\bwent live\b|\bgrew to\b|"
    r"\bshrank\b|\brose to\b|\bfell to\b",
)
"""The newer statement tells of a change of state."""

NOW = any_of(
    r"\b(?:is|are|am|'s|'re|'m|be) now\b|\bnow (?:is|are|at|on|in|by|with|uses?|runs?|lives?|"
    r"works?|sits?|goes?|takes?|costs?|lists?|reads?|says?|points?|stands?|writes?|has|holds?|"
    r"belongs?|counts?|starts?|ends?|closes?|opens?|listens?|expires?|handles?|answers?|"
    r"[a-z]{3,}s)\b|^now\b|\bnow[.,]?$",
)
"""Says that a state is new, and no more: weaker than a verb of change."""

CORRECTION = any_of(
    r"\b(?:scratch|strike|forget|ignore|disregard) (?:that|what i (?:said|wrote)|my (?:last|"
    r"earlier|previous)|the (?:last|earlier|previous))",
    r"\b(?:correction|erratum|typo(?=:|,| in (?:my|the)\b)|i misspoke|misread|misheard|"
    r"misremembered|mistyped|miscounted|"
    r"miscalculated|mislabell?ed|my (?:mistake|bad|error))\b",
    r"\b(?:i|we) (?:(?:mixed|muddled|messed) .{0,25}\bup|(?:got|had) (?:it|that|this|them|"
    r"the \w+|my \w+) (?:wrong|backwards|confused|swapped|mixed up))\b|\bgot (?:that|it|"
    r"this) wrong\b",
    r"\b(?:amend(?:ing|ed)?|correct(?:ing|ed)?|fix(?:ing)?) my\b|\bwrong (?:column|line|row|page|"
    r"number|date|day|name|room|file|chart|tab|sheet|email|address|year|month)\b",
    r"\b(?:i|we) (?:was|were) (?:wrong|off|mistaken|confus\w+|looking at|reading)\b|\b(?:i|"
    r"we) meant (?:to (?:say|write|type)\b|.{0,40}\bnot\b)|\bi should have said\b|\b(?:i|"
    r"we) (?:said|wrote|gave you|told you) .{0,40}\bbut\b",
    r"\bmake that (?:\d|an?\b|the\b)|\bslip of (?:the|my)\b|\boops\b|\bwhoops\b|"
    r"\bi stand corrected\b|^(?:sorry,? )?wrong (?:\w+ )?\w+[,;:]|\b(?:i|we) (?:swapped|"
    r"transposed) the\b|\bturns out (?:that|the|i|it|we|he|she|my|our)\b|\b(?:read|looked at|"
    r"opened|used|had|took|copied|picked|"
    r"checked) (?:from )?the wrong \w+|^apologies\b|\bchecked\b.{0,30}\bagain\b|"
    r"\bsorry,.{0,30}\bnot\b|\bon second look\b|\bdouble-checked\b.{0,60}\bnot\b",
)
REFUTED = any_of(
    r"(?<!how it )(?<!how they )(?<!how that )\bturn(?:s|ed) out\b|\b(?:it (?:was|is|"
    r"wasn't) .{0,30}\ball along|after all|in fact)\b",
    r"\b(?:i was|you were|we were|was|were) (?:wrong|mistaken|too (?:early|quick|soon|hasty|"
    r"pessimistic|optimistic))\b|\btoo early\b|\bprove[dn]? (?:wrong|false|me wrong|otherwise)\b",
    r"\b(?:isn't|wasn't|is not|was not|not) (?:it|that|the (?:cause|culprit|reason|problem|"
    r"issue))\b|\binnocent\b|\bharmless\b|\bdebunk\w*|\bdisprove\w*|\brul(?:ed|es|ing) (?:it|"
    r"that|this )?out\b|\bred herring\b",
    r"\b(?:the real|actual) (?:cause|culprit|reason|problem)\b|\breal culprit\b|"
    r"\bnothing to do with\b|\bjust the same\b|\bjust as (?:slow|bad|flaky|"
    r"hot|cold|high|loud|often|much|broken|wrong|\w+ as)\b|\bjust as \w+[.,;]?$|\b(?:cause|"
    r"culprit|reason) (?:is|was)\b|\bmade no difference\b|\bdidn't (?:help|matter|change a)\b",
    r"\b(?:results?|tests?|numbers|figures|logs?|x-ray|scan) (?:is|are|came|come) (?:in|back)\b|"
    r"\b(?:logs|numbers|data|measurements|profiler|tests?) (?:show|shows|showed|say|prove[ds]?)\b",
    r"\bcame back (?:negative|positive|clean|clear|fine)\b|\bagainst (?:my|all) expectation|"
    r"\bto my surprise\b|\bcontrary to\b",
)
"""A claim was put to the test and failed."""

RETRACTED = any_of(
    r"\b(?:was|were|am) (?:wrong|mistaken)\b|\btoo (?:early|hasty|soon|quick)\b|"
    r"\bprove[dn]? (?:wrong|"
    r"false|me wrong)\b|\bafter all\b|\bagainst (?:my|all) expectation|\bto my surprise\b"
)
"""A refutation in so many words."""

CAUSE = Lazy(
    r"\b(?:(?:comes?|came|stems?|stemmed|results?|resulted) from|(?:is|was|are|were) (?:caused|"
    r"due|triggered) (?:by|to)|because(?: of)?|due to|culprit (?:is|was))\b",
    re.IGNORECASE,
)
CLAIM = any_of(
    r"\b(?:because|comes? from|caused by|due to|must be|pretty sure|surely|i bet|no doubt|blame|"
    r"from the|is to blame|reason|culprit|cause[ds]?)\b",
    r"\b(?:nobody|no one|never|nothing|dead|broken|impossible|useless|won't|can't|ruined|"
    r"hopeless|doomed)\b",
)
_GONE = (
    r"(?:\s+\w+){0,2}?\s+(?:(?:has|have|is|was|'s|had|just|since|now|recently|finally)\s+){0,3}"
    r"(?:left(?= (?:the (?:company|firm|team|agency|bank|school|practice|department|project|job)|"
    r"us|in|last|and|"
    r"for (?!lunch|home|the))\b|[.,;]|$)|quit(?= the|[.,;]| and|$)|resigned|retire[ds]\b|"
    r"moved (?:on|away|to|abroad)|changed (?:departments?|"
    r"teams?|jobs?|roles?|sides)|"
    r"switched (?:departments?|teams?|jobs?)|joined (?:the|another|a) (?:\w+ )?(?:group|team|"
    r"firm|company|department|agency)|"
    r"gone (?:to (?:another|a)\b|abroad|for good|from)|gone(?=[.,;]|$)|leaving (?:us|the)|"
    r""
    r"transferred|been (?:posted|seconded|transferred|sent|moved|reassigned|let go)|"
    r"reassigned|no longer (?:with|works?|at|here|our|my|in|does|handles?|runs?)|"
    r"closed (?:her|his|their) (?:practice|office|shop|business|studio)|passed (?:away|it on)|"
    r"handed (?:it|this|that|over)|"
    r"stepped down|(?:gave|given) up (?:her|his|their|the) (?:practice|office|shop|business|job|"
    r"post)|out of business|on (?:parental|maternity|paternity|"
    r"sick) leave|"
    r"isn't (?:our|my|the|with|in charge|responsible)|works elsewhere|"
    r"went (?:to (?:another|work)|back to (?:school|university)))"
)
"""After a name: this person or place is no more the one to turn to."""

CONTACT = any_of(
    r"\b(?:ask|ring|call|phone|contact|write(?: to)?|mail|e-?mail|message|ping|text|see|reach|"
    r"report to|talk to|speak to|turn to|go to|check with|book with)\b",
    r"\b(?:by \w+|manager|doctor|gp|dentist|lawyer|teacher|caretaker|contact|owner|lead|"
    r"responsible|"
    r"in charge|handles?|looks? after|takes? care|runs|landlord|(?:written|signed|handled|run|"
    r"approved|done|led|managed|maintained|owned|reviewed|taught|checked|covered) by|agent|"
    r"adviser|advisor|tutor|coach|vet|plumber|hairdresser|therapist|accountant|representative|"
    r"person for|nanny|sitter|mechanic|our|my)\b",
)
POSTPONED = any_of(
    r"\b(?:postponed|rescheduled|pushed back|put off|ha(?:s|ve) to wait|on hold|on ice|delayed|"
    r"deferred|brought forward)\b"
)
ENDED = any_of(
    r"\b(?:switched|turned|shut|moved|came|taken|took) off\b|\b(?:removed|dropped|deleted|"
    r"scrapped|abolished|disabled|sold|ditched|binned|discontinued|thrown out|"
    r"threw out|torn down|phased out|got rid of|cancelled|retired)\b|\b(?:is|are|was|were|has|"
    r"have) (?:history|no more|(?:gone|dead|died)(?= *[.,;]|$| and| since| now))\b|\bdone with\b|"
    r"\bno longer\b|"
    r"\bgave (?:\w+ ){1,4}away\b|\bgave up\b|\bgiven up\b"
)
CANCELLED = any_of(
    r"\b(?:cancel(?:l?ed|ling)?|call(?:ed|ing) (?:it )?off|pull(?:ed|ing) out|back(?:ed|ing) out|"
    r"scrapp(?:ed|ing)|shelved|withdrew|withdrawn|withdraw|refunded|fell through|fallen through|"
    r"drop(?:ped|ping) out|abandoned|gave up on|bailed)\b",
    r"\bis (?:off(?= *[.,;:]|$)|cancelled|canceled)|\bisn't (?:happening|going ahead|taking place|"
    r"coming)\b|\bnot (?:going|coming|happening|travelling|flying) (?:to|after all|any more)?\b|"
    r"\bwon't (?:be|make|go|come|happen|fly|travel)\b|\bwe're staying\b|\bstays? where\b|"
    r"\bno (?:trip|party|holiday|wedding|concert)\b",
)
RESCHEDULED = any_of(
    r"\b(?:postpon|reschedul|push|delay|defer|(?<!\bnight )(?<!\bthe )shift|mov|"
    r"slipp|slip|bump|brought|bring|swapp|chang|rebook)(?:ed|ing|s)?\b",
    r"\b(?:clash\w*|can only (?:make|do)|earliest|instead|put (?:it )?(?:off|back)|new date|"
    r"new time|later than|now on|now at|rather than)\b",
    r"\bwe're (?:doing|having|meeting|holding)\b",
)
PLANNED = any_of(
    rf"\b(?:{DAY}|tomorrow|next (?:week|month|year|spring|summer|autumn|winter)|{MONTH}|"
    rf"the \d+(?:st|nd|rd|th)(?! floor)|weekend|tonight)\b",
    r"\b(?:will|going to|'ll|(?:i|we)(?:'m| am|'re| are) (?:\w+ing)|plan(?:ned|ning)?|booked|"
    r"signed up|set for|scheduled|flying|arriv\w+|comes?|meet\w*|due|launch\w*|migrat\w+)\b",
)
RETURNED = any_of(
    r"\b(?:re(?:joined|turned to|opened|instated|enabled|installed|adopted|subscribed)|"
    r"revert(?:ed|ing|s)?|back (?:to|on|in|at|with) (?!it\b|that\b)|has .{0,25}\bback|(?:is|are|"
    r"'s|'re|am|'m|went|gone|go|going|moved|switched|got|put|came|come) back|once more|again|"
    r"restored|rolled back|undone|undid|returned to|like (?:it|we|they|i) used to|as it used to|"
    r"the old \w+ (?:is|are))\b",
)
TURNED = any_of(
    r"\b(?:(?:have|has|'ve|'s) (?:\w+ )?(?:replaced|moved|switched|changed|turned|left|swapped|"
    r"stopped|given up|gone|started|become|dropped|renamed|migrated|shifted|sold|taken)|"
    r"(?:replaced|moved|switched|changed|turned|left|swapped|quit|gave up|stopped|dropped|"
    r"renamed|migrated|shifted|no longer|any ?more|(?:it's|is) .{0,20} only for))\b"
)
"""The older statement itself told of a change."""

LIKE = any_of(
    r"\b(?:i|we|she|he|[A-Z]\w+)(?:'ve|'d| have| has| do)?(?: \w+ly| now| just| quite| come to|"
    r" grown to| started to| learned to)* (?:love|loves|like|likes|enjoy|enjoys|adore|adores|"
    r"prefer|prefers|rather|crave|craves)\b",
    r"\b(?:(?:big |huge )?fan of|keen on|crazy about|mad about|favou?rites?|can't get enough|"
    r"addicted to|swear by|hooked on|fond of|the \w+er the better|can't (?:live|"
    r"do) without|into)\b",
    r"\b(?:i'm an? (?:\w+ ){1,2}person|(?:has|have) (?:\w+ )?(?:won|converted) me|grown on me|"
    r"come (?:a)?round to|converted to|a convert|couldn't be without|is a joy|is my thing|"
    r"sold on|the highlight of)\b",
    r",? please$|^(?:please|always|only)\b",
)
DISLIKE = any_of(
    r"\b(?:hate|hates|can't (?:stand|bear|abide)|cannot stand|dislike|dislikes|can(?:'t|"
    r" no longer|not) (?:watch|eat|drink|listen|read|stomach)|(?:don't|doesn't|do not|no longer|"
    r"not) (?:really )?(?:like|enjoy|care for|want|eat|drink|touch|fancy)|not a fan|no fan|"
    r"loathe|detest|despise|(?:drain|bore|annoy|irritate|exhaust|depress)(?:s|es)? me|sick of|"
    r"fed up|tired of|gone off|went off|lost (?:my|the|all) (?:taste|appetite|interest)|avoid|"
    r"leave out|leave the .{0,20} out|no more|skip the|wreck\w*|not for me|aren't for me|"
    r"isn't for me|hurts? my|unbearable|overrated|gives? me (?:a )?(?:headache|"
    r"hives|the creeps)\w*|rather not|stay away from|swore off|given up|gave up)\b",
)
ORDER = any_of(
    r"\bplease\b|^(?:always|never|answer|reply|write|keep|use|format|explain|call me)\b|"
    r"\b(?:answer|reply to|call|write|tell|address) me\b"
)
REORDER = any_of(
    r"^(?:please )?(?:drop|skip|stop|forget|no more|enough|lose|quit|cut out)\b|\bno more\b|"
    r"\binstead of\b|\bi'd rather\b|\bfrom (?:now|here) on\b|\bi prefer\b|\binstead\b|"
    r"\bno longer\b|\bafter all\b"
)
"""A wish of style, and its withdrawal."""

ROLES = {
    "residence": (
        any_of(
            r"\b(?:i|we|i'm|we're|i've|my \w+ and i)\b.{0,20}\b(?:live|living|rent|renting|share|"
            r"own)\b(?!.{0,12}\b(?:office|garage|desk|boat|car|bike)).{0,30}\b(?:in|at|on|near|"
            r"flat|house|apartment|place)\b",
            r"\b(?:our|my) (?:flat|house|place|apartment) is\b|^home is (?!where)|\bmy home is\b",
        ),
        any_of(
            r"\b(?:moved (?:to|into) (?:(?:an?|the|my|our|another) (?:\w+ ){0,3}(?:flat|house|"
            r"place|"
            r"apartment|cottage|studio|village|city|town|bungalow|farm|room|street)\b|"
            r"(?-i:[A-Z][a-z]+)"
            r"(?= *[.,;!]|$| in | last| with| and))|moved in with|settled (?:in|into) (?:an?|the|"
            r"my|our)|"
            r"relocated to (?-i:[A-Z])|handed (?:back|in) the keys)"
            r"|\b(?:my|our) (?:new|own) (?:flat|house|apartment|home|place(?! in (?:the|"
            r"line)))\b(?! \w+ (?:is|was))|"
            r"^boxes\b.{0,20}\bunpacked"
        ),
    ),
    "job": (
        any_of(
            r"\b(?:i'm studying|i am studying|i study|i (?:work (?:at|for|as|in|nights)|teach|"
            r"run|manage|"
            r"drive for|cook|nurse|code)|i'm an? (?:\w+ )?\w+(?:er|or|ist|ian|ant)\b|my job|"
            r"employed|"
            r"day job)\b"
        ),
        any_of(
            r"\b(?:first (?:day|week|month) (?:at|as|behind) (?:the|an?|my)|quit (?:my|the) job|"
            r"left (?:the|"
            r"my) (?:\w+ )?(?:job|firm|company|school|bank|hospital|practice|post|"
            r"position|agency)(?= *[.,;]|$| and| to\b| for| in\b| last| after)|"
            r"handed in my (?:notice|apron|badge)|new job|(?:these days|nowadays|now) i (?:work|"
            r"teach|deliver|drive for|run|manage|sell|code|am an?)|started (?:at the|as an?)|"
            r"laid off|i(?:'ve)? (?:have )?(?:resigned|retired)(?! the| my| from the (?:game|"
            r"race|match))|gave up (?:the|my) job|dropped out of|"
            r"nowadays i (?:work|teach))\b"
        ),
    ),
    "partner": (
        any_of(
            r"\b(?:couple|dating|engaged to|married|girlfriend|boyfriend|partner|"
            r"fianc[eé]e?|wife|husband|going strong|i(?:'m| am) (?:still )?single(?!-))\b"
        ),
        any_of(
            r"\b(?:split up(?! the| into| our| \w+ into)|broke up(?! the)|broken up|divorced?|"
            r"separated|called off the (?:wedding|"
            r"engagement)|got (?:engaged(?! in)|married)|no longer together|single again|parted)\b"
        ),
    ),
    "vehicle": (
        any_of(
            r"\b(?:i (?:drive|ride|get around|get about)|we (?:drive|get around)|my (?:car|van|"
            r"bike|motorbike) is)\b"
        ),
        any_of(
            r"\b(?:sold|traded in|scrapped|gave away) (?:the|my|our) (?:\w+ ){0,2}(?:car|van|bike|"
            r"motorbike|estate|hatchback|saloon|scooter|moped|truck|pickup|suv|jeep|convertible|"
            r"coupe)\b(?= *[.,;]|$| at| to| and| last| for| because| on| in)|"
            r"\b(?:i|we) (?:have|got|bought) an? new (?:car|van|bike)\b"
            r"|\bmy (?:car|van|bike|motorbike) (?:was|is|has been|got) (?:sold|scrapped|stolen)\b"
        ),
    ),
}
"""Roles of a life that hold one value at a time: how it is told, and how its change is told."""

EVENT = Lazy(
    r"^(?!.*\b\d+ of (?:the )?\d)(?:(?:today|yesterday|this (?:morning|afternoon|evening)|"
    r"last \w+|on \w+day|at the weekend),? )?"
    r"(?:(?:i|we|he|she|they|you|my \w+|the \w+)(?:'ve| have| has| just| finally| also)? )?"
    r"(?:[a-z]{3,}ed|went|had|got|bought|saw|met|ate|took|made|did|came|found|gave|said|told|won|"
    r"lost|"
    r"ran|wrote|drank|drove|flew|spoke|sent|brought|caught|spent|built|taught|heard|felt|paid|sat|"
    r"slept|sang|swam|read|cooked|been) ",
    re.IGNORECASE,
)
"""A sentence that tells what happened once."""

MULTI = any_of(
    r"\b(?:love|loves|like|likes|enjoy|enjoys|allergic|speak|speaks|accepts?|supports?|includes?|"
    r"contains?|depends? on|bought|visited|know|knows|play|plays|collect|collects|member|members|"
    r"friend|friends|hobby|hobbies|imports?|exports?|read|reads|want|wants)\b"
)
"""States that hold many values at once."""

_FINITE = (
    "is|are|'s|takes?|lasts?|costs?|holds?|runs?|sits?|lives?|works?|sleeps?|"
    "starts?|begins?|ends?|opens?|closes?|"
    "leaves?|arrives?|goes|go|comes|stands?|belongs?|expires?|listens?|wraps?|writes?|uses?|use|"
    "has|have|pays?|pay|sends?|lands?|points?|weighs?|measures?|"
    "commutes?|drives?|eats?|drinks?|happens?|occurs?|totals?|rests|resides?|averages?|"
    "requires?|needs?|carries|receives?|gets?|stores?|counts?|meets?|falls?|rests?|reads?|lies"
)
STATE_VERB = Lazy(
    rf"\s(?P<verb>(?:{_FINITE})"
    r"(?: (?:called|named|set|capped|limited|fixed|stored|due|scheduled|planned|kept|located|"
    r"hosted|held|deployed|served|served|written|done|built|booked|based|pinned|hashed|signed|"
    r"owned|led|maintained|run))?"
    r"(?: (?:to|at|in|on|with|for|by|under|about|from|as|up|after|every|into|"
    r"near))*)\s+(?P<value>\S.*)$",
    re.IGNORECASE,
)
"""Subject, finite verb of a state, value."""

STATE_WORDS = frozenset(
    form for verb in _FINITE.split("|") for form in {verb.replace("?", ""), verb.replace("s?", "")}
)
"""Each finite verb of `STATE_VERB`; a sentence without any of them tells no state."""

DEPARTED = _GONE
CUES = (
    CHANGE,
    NOW,
    CORRECTION,
    REFUTED,
    CAUSE,
    CANCELLED,
    POSTPONED,
    RESCHEDULED,
    RETURNED,
    LIKE,
    DISLIKE,
    REORDER,
    ENDED,
    Lazy(DEPARTED),
)
"""A statement without any of these replaces only what shares a key with it."""
