"""What English says of change, doubt and time: the word lists of supersession."""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"

WHOLE = {
    "rumour": _any(
        r"\b(?:swears?|claims?|claimed|rumou?rs?|apparently|allegedly|supposedly|reportedly|gossip)\b",
        r"\b(?:according to|i(?:'ve)? heard|they say|people say|some say|word is|word has it)\b",
        r"\b(?:brochure|review(?:er)?s? (?:say|said|claim|call)|forum|blog|guidebook|leaflet|flyer|advert)\b",
        r"\b(?:someone|somebody|people|everyone|everybody|(?:a|the|some) (?:man|woman|guy|lady|bloke|chap|stranger))\b.{0,30}\b(?:said|says?|told|tells|thinks?|claims?)\b",
        r"\b(?:reckons?|insists?|is convinced|news to me|is under the impression|keeps? (?:telling|saying))\b",
        r"\b(?:neighbou?r|colleague|friend|uncle|aunt|cousin|website|article|salesman|poster)\w* (?:thinks?|says?|said|told|tells)\b",
    ),
    "temporary": _any(
        r"\b(?:just|only|for) (?:this|tonight|today|tomorrow|now|one|once|the (?:moment|day|week))\b",
        r"(?<!as of )(?<!since )(?<!from )(?<!starting )\bthis (?:once|week|weekend|month|time)\b",
        r"\b(?:temporar\w+|exception\w*|one-off|tonight|in the meantime|meanwhile)\b",
        r"\bfor the (?:next|coming|time being|moment|duration)\b",
        r"(?<!kept )(?<!retained )(?<!stored )(?<!held )(?<!valid )(?<!cached )\bfor (?:a|another|\d+) (?:\d+ )?(?:few )?(?:day|night|week)s?\b",
        r"\bon (?:christmas|new year|easter|boxing|good friday)",
        r"\b(?:while|as long as|whenever|during)\b.{0,40}\b(?:is|are|was|'s|am|'m|holiday|renovation|strike|festival|repair\w*)\b",
        r"\buntil (?!further notice)(?:the|then|next|"
        + _DAY
        + "|"
        + _MONTH
        + r"|\w+ (?:is|are|gets?|comes?|returns?))",
        r"\bso today\b|\btoday (?:the|we|i|he|she|it)\b.{0,30}\binstead\b|\b(?:has|have) a cold\b|\bin bed with\b",
    ),
}
"""A sentence of these kinds keeps the whole statement from replacing."""

SENTENCE = {
    "question": _any(
        r"\?\s*[\"')]*$",
        r"^(?:do|does|did|is|are|was|were|can|could|would|should|shouldn't|have|has|will|who|what|when|"
        r"where|why|how|which|isn't|aren't|won't|don't|doesn't)\b(?! out\b)[^.]*\?",
        r"\b(?:does any(?:one|body) know|i wonder|wondering (?:if|whether)|not clear (?:if|whether))\b",
    ),
    "hypothetical": _any(
        r"(?:^|[,;:] |\b(?:and|but|so) )(?:if|suppose|supposing|should (?!be\b)|were (?:i|we|it)|had (?:i|we)|"
        r"unless|assuming|provided|imagine|in an ideal|one day|someday)\b",
        r"^in case\b|\bif (?:i|we|they|it|he|she|the|my|our|you)\b",
        r"\b(?:would (?!rather)|wouldn't|could|might|i'd (?!rather)|we'd (?!rather)|wish|hoping|hopefully|dream\w* of)\b",
    ),
    "unsure": _any(
        r"\b(?:maybe|perhaps|possibly|probably|not sure|unsure|undecided|tempted|toying|on the fence)\b",
        r"\b(?:think(?:ing)? (?:about|of)|consider(?:ing)?|haven't (?:decided|made up)|nothing(?:'s| is)? (?:decided|settled|final))\b",
        r"\b(?:we'll see|mind up|up in the air|no decision|don't know yet|may (?!\d)(?:be|have|move|switch|go|change)|weighing)\b",
        r"\b(?:want|plan|hope|trying|looking|need|needs|love|like|going) to\b.{0,40}\b(?:some ?day|eventually|at some point)\b",
    ),
    "suggestion": _any(
        r"\b(?:i(?:'d)? (?:recommend|suggest|propose)|let's|how about|why not|you (?:could|should|may|might))\b",
        r"\b(?:we|they|you) should\b|\bought to\b|\bproposal\b|\brecommended\b|\bstronger draft\b|\bpropos(?:es|ed|ing)\b",
        r"\bhere(?:'s| is) (?:a|an|my|the) (?:\w+ )?(?:draft|version|suggestion|idea|option|plan|outline)\b",
    ),
    "same": _any(
        r"\b(?:still|unchanged|as (?:i|we) said|like i said|as (?:before|always|ever|usual|mentioned|agreed|noted))\b|\bremains? (?:the|at|un\w+|as|in)\b",
        r"\b(?:no change|(?:hasn't|haven't|didn't|not) changed?|once more|(?:just )?to confirm|confirm(?:ed|s|ing)?|reminder|same as)\b",
        r"\bstays? (?:the same|where it is|put)\b|\bexactly (?:the same|what|as)\b",
    ),
    "additive": _any(
        r"\b(?:as well|also|too(?= ?[.,;!]|$)|additionally|in addition|besides|alongside|on top of that)\b",
        r"\b(?:another(?!.*\bmakes? \d)|a second|a third|extra)\b",
    ),
    "past": _any(
        r"\b(?:years?|decades?|ages|long) ago\b|\bback (?:in|at|when|then)\b(?! (?:my|the|our|her|his) (?:room|desk|old))",
        r"\b(?<!like it )(?<!as it )(?<!where it )(?<!like we )used to\b",
        r"\bas an? (?:child|kid|boy|girl|student|teenager|toddler|undergrad\w*|apprentice|young)\b",
        r"\bwhen (?:i|we|he|she|they) (?:was|were|lived|worked|studied|first)\b",
        r"\bbefore (?:the|i|we|they|she|he|my|our|that|moving|coming)\b|\bin (?:my|our|his|her|their) (?:\w+ )?(?:youth|twenties|teens|childhood|days)\b",
        r"\b(?:originally|formerly|previously|in those days|long ago|once upon|early on|in the early|at first|first prototype|in the (?:old|first))\b",
        r"^once (?:i|we|he|she)\b|\b(?:in|until) (?:19|20)\d\d\b",
    ),
    "denied": _any(
        r"^no,? (?:we|i|they|he|she|it|the|that)\b",
        r"\b(?:didn't|hasn't|haven't|never|not) (?:buy|bought|move|moved|switch\w*|happen\w*|chang\w+|take|taken|go|gone|leave|left|yet|sell|sold)\b",
        r"\b(?:won't|not|never|don't) (?:quit|give up|stop|change|giving up|stopping)\b",
        r"\b(?:was|were|got) (?:rejected|voted down|turned down|refused)\b|\bdecided against\b|\bno plans? to\b",
    ),
}
"""A sentence of these kinds asserts nothing new of the present."""

CHANGE = _any(
    r"\b(?:switch|migrat|upgrad|downgrad|bump|rais|lower|increas|reduc|extend|shorten|renam|replac|swapp|relocat|convert|transferr|rotat|tighten|relax|loosen|doubl|halv|widen|resiz|rewir|redirect|rerout|retir|deprecat|ditch|expand|adjust|reassign)(?:ed|ing)\b",
    r"\b(?:chang|mov|traded)(?:ed|es|e) (?:\w+ ){0,4}?(?:to|over|from|into|in|off|onto|out)\b",
    r"\b(?:switch(?:es)?|changes?|moves) (?:to|over|from)\b|\brolled (?:over|out)\b|\bflashed\b|\bswapped\b|\bsold\b|\btraded\b",
    r"\bno longer\b|\b(?:any ?more|instead|from now on|going forward|from here on|nowadays|these days)\b",
    r"\b(?:has|have|'s|'ve) (?:become|grown|risen|fallen|gone (?:up|down))\b|\bturned into\b|\bbecame\b",
    r"\b(?:as of|effective|starting|beginning|since) (?:today|now|monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday|last|this|the|next|"
    + _MONTH
    + r"|\d)",
    r"\b(?:set|cut|brought|turned|dialled|dialed|scaled|went|gone) (?:\S+ ){0,6}?(?:(?:back |up |down )?to \S|at \d)",
    r"\b(?:took|taken|takes|taking|hand(?:ed|s)|pass(?:ed|es)) (?:it |this |that |them )?over\b|\bland(?:s|ed)? (?:with|in|on)\b|\bgave (?:it |them )?up\b|\bgiven up\b|\bquit\b",
    r"\bwhich makes\b|\bthat makes \d|\bwe(?:'re| are) (?:up|down) (?:to|at)\b|\bstands? at\b|\b(?:reached|passed|crossed|hit|topped) \d|\bno more \w+ing\b|\bfrom (?:today|tomorrow|monday|january|now) on\b|\btally\b|\bcounted\b|\bin total\b",
    r"\b(?:turned|switched|flipped) (?:\S+ ){0,3}?(?:on|off)\b|\b(?:enabled|disabled|deployed|shipped|pinned)\b|\bhas been on\b|\bon its own\b|\bnobody .{0,20}\b(?:touches|does|needs)\b",
    r"\b(?:the|our|my|his|her|their) new\b.{0,25}\b(?:is|are)\b|\bwent live\b|\bgrew to\b|\bshrank\b|\brose to\b|\bfell to\b|\bare kept\b.{0,30}\bso\b|\basked for\b.{0,20}, so\b",
)
"""The newer statement tells of a change of state."""

NOW = _any(
    r"\b(?:is|are|am|'s|'re|'m|be) now\b|\bnow (?:is|are|at|on|in|by|with|uses?|runs?|lives?|works?|sits?|goes?|takes?|costs?|lists?|reads?|says?|points?|stands?|writes?|has|holds?|belongs?|counts?|starts?|ends?|closes?|opens?|listens?|expires?|handles?|answers?|[a-z]{3,}s)\b|^now\b|\bnow[.,]?$",
)
"""Says that a state is new, and no more: weaker than a verb of change."""

CORRECTION = _any(
    r"\b(?:scratch|strike|forget|ignore|disregard) (?:that|what i (?:said|wrote)|my (?:last|earlier|previous)|the (?:last|earlier|previous))",
    r"\b(?:correction|erratum|typo|i misspoke|misread|misheard|misremembered|mistyped|miscounted|miscalculated|mislabell?ed|my (?:mistake|bad|error)|my finger slipped)\b",
    r"\b(?:i|we) (?:(?:mixed|muddled|messed) .{0,25}\bup|(?:got|had) (?:it|that|this|them|the \w+|my \w+) (?:wrong|backwards|confused|swapped|mixed up))\b|\bgot (?:that|it|this) wrong\b",
    r"\b(?:amend(?:ing|ed)?|correct(?:ing|ed)?|fix(?:ing)?) my\b|\bwrong (?:column|line|row|page|number|date|day|name|room|file|chart|tab|sheet|email|address|year|month)\b",
    r"\b(?:i|we) (?:was|were) (?:wrong|off|mistaken|confus\w+|looking at|reading)\b|\b(?:i|we) meant (?:to (?:say|write|type)\b|.{0,40}\bnot\b)|\bi should have said\b|\b(?:i|we) (?:said|wrote|gave you|told you) .{0,40}\bbut\b",
    r"\bmake that (?:\d|an?\b|the\b)|\bslip of (?:the|my)\b|\boops\b|\bwhoops\b|\bi stand corrected\b|\b(?:read|looked at|opened|used|had|took|copied|picked|checked) (?:from )?the wrong \w+|^apologies\b|\bchecked\b.{0,30}\bagain\b|\bsorry,.{0,30}\bnot\b|\bon second look\b|\bdouble-checked\b.{0,60}\bnot\b",
)
REFUTED = _any(
    r"(?<!how it )(?<!how they )(?<!how that )\bturn(?:s|ed) out\b|\b(?:it (?:was|is|wasn't) .{0,30}\ball along|after all|in fact)\b",
    r"\b(?:i was|you were|we were|was|were) (?:wrong|mistaken|too (?:early|quick|soon|hasty|pessimistic|optimistic))\b|\btoo early\b|\bprove[dn]? (?:wrong|false|me wrong|otherwise)\b",
    r"\b(?:isn't|wasn't|is not|was not|not) (?:it|that|the (?:cause|culprit|reason|problem|issue))\b|\binnocent\b|\bharmless\b|\bdebunk\w*|\bdisprove\w*|\brul(?:ed|es|ing) (?:it|that|this )?out\b|\bred herring\b",
    r"\b(?:the real|actual) (?:cause|culprit|reason|problem)\b|\breal culprit\b|\bnothing to do with\b|\bvery much alive\b|\bjust the same\b|\bjust as (?:slow|bad|flaky|hot|cold|high|loud|often|much|broken|wrong|\w+ as)\b|\bjust as \w+[.,;]?$|\b(?:cause|culprit|reason) (?:is|was)\b|\bmade no difference\b|\bdidn't (?:help|matter|change a)\b",
    r"\b(?:results?|tests?|numbers|figures|logs?|x-ray|scan) (?:is|are|came|come) (?:in|back)\b|\b(?:logs|numbers|data|measurements|profiler|tests?) (?:show|shows|showed|say|prove[ds]?)\b",
    r"\bcame back (?:negative|positive|clean|clear|fine)\b|\bagainst (?:my|all) expectation|\bto my surprise\b|\bcontrary to\b",
)
"""A claim was put to the test and failed."""

CAUSE = re.compile(
    r"\b(?:(?:comes?|came|stems?|stemmed|results?|resulted) from|(?:is|was|are|were) (?:caused|due|triggered) (?:by|to)|because(?: of)?|due to|culprit (?:is|was))\b",
    re.IGNORECASE,
)
CLAIM = _any(
    r"\b(?:because|comes? from|caused by|due to|must be|pretty sure|surely|i bet|no doubt|blame|from the|is to blame|reason|culprit|cause[ds]?)\b",
    r"\b(?:nobody|no one|never|nothing|dead|broken|impossible|useless|won't|can't|ruined|hopeless|doomed)\b",
)
_GONE = (
    r"(?:\s+\w+){0,2}?\s+(?:(?:has|have|is|was|'s|had|just|since|now|recently|finally)\s+){0,3}"
    r"(?:left\b|quit\b|resigned|retire[ds]\b|moved (?:on|away|to|abroad)|changed (?:departments?|teams?|jobs?|roles?|sides)|"
    r"switched (?:departments?|teams?|jobs?)|joined (?:the|another|a)\b|gone\b|leaving\b|transferred|been (?:posted|seconded|transferred|sent|promoted|moved|reassigned|let go)|"
    r"promoted\b|reassigned|no longer|closed (?:her|his|their|the)|stopped|passed (?:away|it on)|handed|"
    r"stepped down|gave up|given up|out of (?:the|business)|on (?:parental|maternity|paternity|sick) leave|"
    r"doesn't|does not|isn't (?:our|my|the|with|in charge|responsible)|shut|works elsewhere|went (?:to|back)|is off)"
)
"""After a name: this person or place is no more the one to turn to."""

CONTACT = _any(
    r"\b(?:ask|ring|call|phone|contact|write(?: to)?|mail|e-?mail|message|ping|text|see|reach|report to|talk to|speak to|turn to|go to|check with|book with)\b",
    r"\b(?:manager|doctor|gp|dr|dentist|lawyer|teacher|caretaker|contact|owner|lead|responsible|in charge|handles?|looks? after|takes? care|runs|landlord|(?:written|signed|handled|run|approved|done|led|managed|maintained|owned|reviewed|taught|checked|covered) by|agent|adviser|advisor|tutor|coach|vet|plumber|hairdresser|therapist|accountant|representative|person for|nanny|sitter|mechanic|our|my)\b",
)
TURN_TO = re.compile(
    r"^(?:[Ii]f|[Ss]hould) .{3,60}?,? (?:then )?(?:please )?(?:ask|ring|call|phone|contact|write to|"
    r"mail|message|ping|see|go to|talk to) (?:[A-Z]|the |our |my )"
)
"""`If the heating fails, ring N`: conditional, and yet it holds."""

POSTPONED = _any(
    r"\b(?:postponed|rescheduled|pushed back|put off|ha(?:s|ve) to wait|on hold|on ice|delayed|deferred|brought forward)\b"
)
ENDED = _any(
    r"\b(?:switched|turned|shut|moved|came|taken|took) off\b|\b(?:removed|dropped|deleted|scrapped|abolished|disabled|sold|ditched|binned|discontinued|hauled off|thrown out|threw out|torn down|phased out|got rid of|cancelled|retired)\b|\b(?:is|are|was|were|has|have) (?:gone|history|dead|no more|died)\b|\bdone with\b|\bgave up\b|\bgiven up\b"
)
CANCELLED = _any(
    r"\b(?:cancel(?:l?ed|ling)?|call(?:ed|ing) (?:it )?off|pull(?:ed|ing) out|back(?:ed|ing) out|scrapp(?:ed|ing)|shelved|withdrew|withdrawn|withdraw|refund\w*|fell through|fallen through|drop(?:ped|ping) out|abandoned|gave up on|bailed)\b",
    r"\bis (?:off|cancelled|canceled|dead|out)\b|\bisn't (?:happening|going ahead|taking place|coming)\b|\bnot (?:going|coming|happening|travelling|flying) (?:to|after all|any more)?\b|\bwon't (?:be|make|go|come|happen|fly|travel)\b|\bwe're staying\b|\bstays? where\b|\bno (?:trip|party|holiday|wedding|concert)\b",
)
RESCHEDULED = _any(
    r"\b(?:postpon|reschedul|push|delay|defer|shift|mov|slipp|slip|bump|brought|bring|swapp|chang|rebook)(?:ed|ing|s)?\b",
    r"\b(?:clash\w*|can only (?:make|do)|earliest|instead|put (?:it )?(?:off|back)|new date|new time|later than|now on|now at|rather than)\b",
    r"\bwe're (?:doing|having|meeting|holding)\b",
)
PLANNED = _any(
    rf"\b(?:{_DAY}|tomorrow|next (?:week|month|year|spring|summer|autumn|winter)|{_MONTH}|the \d+(?:st|nd|rd|th)(?! floor)|weekend|tonight)\b",
    r"\b(?:will|going to|'ll|(?:i|we)(?:'m| am|'re| are) (?:\w+ing)|plan(?:ned|ning)?|booked|signed up|set for|scheduled|flying|arriv\w+|comes?|meet\w*|due|launch\w*|migrat\w+)\b",
)
RETURNED = _any(
    r"\b(?:re(?:joined|turned to|opened|instated|enabled|installed|adopted|subscribed)|revert(?:ed|ing|s)?|back (?:to|on|in|at|with) (?!it\b|that\b)|has .{0,25}\bback|(?:is|are|'s|'re|am|'m|went|gone|go|going|moved|switched|got|put|came|come) back|once more|again|restored|rolled back|undone|undid|returned to|like (?:it|we|they|i) used to|as it used to|the old \w+ (?:is|are))\b",
)
TURNED = _any(
    r"\b(?:(?:have|has|'ve|'s) (?:\w+ )?(?:replaced|moved|switched|changed|turned|left|swapped|stopped|given up|gone|started|become|dropped|renamed|migrated|shifted|sold|taken)|(?:replaced|moved|switched|changed|turned|left|swapped|quit|gave up|stopped|dropped|renamed|migrated|shifted|no longer|any ?more|in the bin|(?:it's|is) .{0,20} only for))\b"
)
"""The older statement itself told of a change."""

CHAT = _any(
    r"!$",
    r"^(?:oh |aw |and |so |but |well,? )?(?:thanks?|thank you|thx|wow|hey|hi|hello|yeah|yes|yep|yup|sure|absolutely|definitely|glad|congrat\w*|awesome|great|cool|nice|that's|that is|that sounds|sounds|looks|good (?:luck|job|morning|evening|point)|bye|cheers|no (?:worries|doubt|problem|way)|way to go|understood|excellent|perfect|alright|right|got it|fantastic|wonderful|amazing|of course|you're|you are|you|your|it's (?:so |really |been |great|awesome|amazing|nice|good|hard|tough|all)|it was|this is|i'm (?:so|really|glad|happy|sorry|excited|ready|proud|here|gonna|going to|sure|super|pumped|stoked|thrilled|determined|looking)|i can't|can't wait|looking forward|i feel|feeling|i hope|hope|i know|i believe|i agree|keep|take care|what|how|same here|me too|everyone|life|sometimes|g'day|mate|righto|welcome|acknowledged|certainly|okay|ok)\b",
)
"""The small change of conversation, which states nothing that holds."""

REQUEST = _any(
    r"^(?:ok(?:ay)?,? |now,? |and |then |so,? |next,? |also,? |please,? |just |yes,? |right,? |good[.,]? )*(?:please|write|rewrite|give|show|make|create|tell|generate|list|explain|describe|continue|can you|could you|i need|i want|i would like|i'd like|let's|let us|set up|use|provide|include|add|remove|act|imagine|answer|summari[sz]e|translate|draft|find|help|ensure|prepare|do|don't|stop|start|check|compare|identify|assume|pretend|proceed|present|send|keep|come up with|want to|ready to|i'm ready)\b",
)
REQUEST_ANYWHERE = re.compile(
    r"\b(?:give|show|tell|send) me\b|\byou (?:will|can|need to|must)\b|\bi(?:'m| am) (?:\w+ )?ready\b",
    re.IGNORECASE,
)
"""An order to do something, which is no state."""

LIKE = _any(
    r"\b(?:i|we|she|he|[A-Z]\w+)(?:'ve|'d| have| has| do)?(?: \w+ly| now| just| quite| come to| grown to| started to| learned to)* (?:love|loves|like|likes|enjoy|enjoys|adore|adores|prefer|prefers|rather|crave|craves)\b",
    r"\b(?:(?:big |huge )?fan of|keen on|crazy about|mad about|favou?rites?|can't get enough|addicted to|swear by|hooked on|fond of|the \w+er the better|on everything|can't (?:live|do) without|into)\b",
    r"\b(?:i'm an? (?:\w+ ){1,2}person|(?:has|have) (?:\w+ )?(?:won|converted) me|grown on me|come (?:a)?round to|converted to|a convert|couldn't be without|is a joy|is my thing|sold on|the highlight of)\b",
    r",? please$|^(?:please|always|only)\b",
)
DISLIKE = _any(
    r"\b(?:hate|hates|can't (?:stand|bear|abide)|cannot stand|dislike|dislikes|can(?:'t| no longer|not) (?:watch|eat|drink|listen|read|stomach)|(?:don't|doesn't|do not|no longer|not) (?:really )?(?:like|enjoy|care for|want|eat|drink|touch|fancy)|not a fan|no fan|loathe|detest|despise|(?:drain|bore|annoy|irritate|exhaust|depress)(?:s|es)? me|sick of|fed up|tired of|gone off|went off|lost (?:my|the|all) (?:taste|appetite|interest)|avoid|leave out|leave the .{0,20} out|no more|skip the|wreck\w*|not for me|aren't for me|isn't for me|hurts? my|put me to sleep|unbearable|overrated|gives? me (?:a )?(?:headache|hives|the creeps)\w*|rather not|stay away from|swore off|given up|gave up)\b",
)
ORDER = _any(
    r"\bplease\b|^(?:always|never|answer|reply|write|keep|use|format|explain|call me)\b|\b(?:answer|reply to|call|write|tell|address) me\b"
)
REORDER = _any(
    r"^(?:please )?(?:drop|skip|stop|forget|no more|enough|lose|quit|cut out)\b|\bno more\b|\binstead of\b|\bi'd rather\b|\bfrom (?:now|here) on\b|\bi prefer\b|\binstead\b|\bno longer\b|\bafter all\b"
)
"""A wish of style, and its withdrawal."""

ROLES = {
    "residence": (
        _any(
            r"\b(?:i|we|i'm|we're|i've|my \w+ and i)\b.{0,20}\b(?:live|living|rent|renting|share|own)\b.{0,30}\b(?:in|at|on|near|with|flat|house|apartment|place)\b",
            r"\b(?:our|my) (?:flat|house|place|apartment) is\b|^home\b|\bhome is\b",
        ),
        _any(
            r"\b(?:moved (?:to|into|in with|back|out)|settled (?:in|into)|moving in|relocated|handed (?:back|in) the keys)\b"
            r"|\b(?:my|our|the|a) (?:new|own) (?:flat|house|place|apartment|home|address)\b|^boxes\b.{0,20}\bunpacked"
        ),
    ),
    "job": (
        _any(
            r"\b(?:i'm studying|i am studying|i study|i (?:work|teach|run|manage|drive for|cook|nurse|code)|i'm an? (?:\w+ )?\w+(?:er|or|ist|ian|ant)\b|my job|employed|day job)\b"
        ),
        _any(
            r"\b(?:first (?:day|week|month) (?:at|as|behind|in|with|on)|quit|left (?:the|my)|handed in my notice|new job|(?:these days|nowadays|now) i (?:work|teach|deliver|drive|run|manage|sell|code|am an?)|started (?:at|as|with)|joined|hired|laid off|resigned|retired|gave up (?:the|my) job|dropped out|apprenticeship|graduated|nowadays i)\b"
        ),
    ),
    "partner": (
        _any(
            r"\b(?:couple|dating|engaged|married|together|girlfriend|boyfriend|partner|fianc[eé]e?|wife|husband|going strong|single)\b"
        ),
        _any(
            r"\b(?:split up|broke up|broken up|divorced?|separated|called off the (?:wedding|engagement)|got (?:engaged|married)|no longer together|single again|parted)\b"
        ),
    ),
    "vehicle": (
        _any(
            r"\b(?:i (?:drive|ride|get around|get about)|we (?:drive|get around)|my (?:car|van|bike|motorbike) is)\b"
        ),
        _any(
            r"\b(?:sold|traded in|scrapped|gave away) (?:the|my|our) (?!house|flat)\w+|\bnew (?:car|van|bike)\b"
            r"|\b(?:car|van|bike|motorbike) (?:was|is|has been|got) (?:sold|scrapped|stolen)\b"
        ),
    ),
}
"""Roles of a life that hold one value at a time: how it is told, and how its change is told."""

EVENT = re.compile(
    r"^(?!.*\b\d+ of (?:the )?\d)(?:(?:today|yesterday|this (?:morning|afternoon|evening)|last \w+|on \w+day|at the weekend),? )?"
    r"(?:(?:i|we|he|she|they|you|my \w+|the \w+)(?:'ve| have| has| just| finally| also)? )?"
    r"(?:[a-z]{3,}ed|went|had|got|bought|saw|met|ate|took|made|did|came|found|gave|said|told|won|lost|"
    r"ran|wrote|drank|drove|flew|spoke|sent|brought|caught|spent|built|taught|heard|felt|paid|sat|"
    r"slept|sang|swam|read|cooked|been) ",
    re.IGNORECASE,
)
"""A sentence that tells what happened once."""

MULTI = _any(
    r"\b(?:love|loves|like|likes|enjoy|enjoys|allergic|speak|speaks|accepts?|supports?|includes?|contains?|depends? on|bought|visited|know|knows|play|plays|collect|collects|member|members|friend|friends|hobby|hobbies|imports?|exports?|read|reads|want|wants)\b"
)
"""States that hold many values at once."""

STATE_VERB = re.compile(
    r"\s(?P<verb>(?:is|are|'s|takes?|lasts?|costs?|holds?|runs?|sits?|lives?|works?|sleeps?|starts?|begins?|ends?|opens?|closes?|"
    r"leaves?|arrives?|goes|go|comes|stands?|belongs?|expires?|listens?|wraps?|writes?|uses?|use|has|have|pays?|pay|sends?|lands?|points?|weighs?|measures?|"
    r"commutes?|drives?|eats?|drinks?|happens?|occurs?|totals?|rests|resides?|averages?|requires?|needs?|carries|receives?|gets?|stores?|counts?|meets?|falls?|rests?|reads?|lies)"
    r"(?: (?:called|named|set|capped|limited|fixed|stored|due|scheduled|planned|kept|located|hosted|held|deployed|served|served|written|done|built|booked|based|pinned|hashed|signed|owned|led|maintained|run))?"
    r"(?: (?:to|at|in|on|with|for|by|under|about|from|as|up|after|every|into|near))*)\s+(?P<value>\S.*)$",
    re.IGNORECASE,
)
"""Subject, finite verb of a state, value."""

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
    re.compile(DEPARTED),
)
"""A statement without any of these replaces only what shares a key with it."""
