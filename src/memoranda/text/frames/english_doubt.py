"""What English says when it asserts nothing of the present: doubt, hearsay, orders, small talk."""

from __future__ import annotations

import re

from memoranda.text.frames.pattern import Lazy, any_of

MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"

WHOLE = {
    "rumour": any_of(
        r"\b(?:swears?|claims?|claimed|rumou?rs?|apparently|allegedly|supposedly|reportedly|"
        r"gossip)\b",
        r"\b(?:according to|i(?:'ve)? heard|they say|people say|some say|word is|word has it)\b",
        r"\b(?:brochure|review(?:er)?s? (?:say|said|claim|call)|forum|blog|guidebook|leaflet|"
        r"flyer|advert)\b",
        r"\b(?:someone|somebody|people|everyone|everybody|(?:a|the|some) (?:man|woman|guy|lady|"
        r"bloke|chap|stranger))\b.{0,30}\b(?:said|says?|told|tells|thinks?|claims?)\b",
        r"\b(?:reckons?|insists?|is convinced|news to me|is under the impression|"
        r"keeps? (?:telling|saying))\b",
        r"\b(?:neighbou?r|colleague|friend|uncle|aunt|cousin|website|article|salesman|"
        r"poster)\w* (?:thinks?|says?|said|told|tells)\b",
    ),
    "temporary": any_of(
        r"\b(?:just|only|for) (?:this|tonight|today|tomorrow|now|one|once|the (?:moment|day|"
        r"week))\b",
        r"(?<!as of )(?<!since )(?<!from )(?<!starting )\bthis (?:once|week|weekend|month|time)\b",
        r"\b(?:temporar\w+|exception\w*|one-off|tonight|in the meantime|meanwhile)\b",
        r"\bfor the (?:next|coming|time being|moment|duration)\b",
        r"^(?!.*\b(?:keeps?|kept|stays?|retain\w*|stored|held|valid|cached|expires?)\b).*\bfor "
        r"(?:a|another|\d+) (?:\d+ )?(?:few )?(?:day|night|week)s?\b",
        r"\bon (?:christmas|new year|easter|boxing|good friday)",
        r"\b(?:while|as long as|whenever|during)\b.{0,40}\b(?:is|are|was|'s|am|'m|holiday|"
        r"renovation|strike|festival|repair\w*)\b",
        r"\buntil (?!further notice)(?:the|then|next|"
        + DAY
        + "|"
        + MONTH
        + r"|\w+ (?:is|are|gets?|comes?|returns?))",
        r"\bso today\b|\btoday (?:the|we|i|he|she|it)\b.{0,30}\binstead\b|\b(?:has|"
        r"have) a cold\b|\bin bed with\b",
    ),
}
"""A sentence of these kinds keeps the whole statement from replacing."""

SENTENCE = {
    "question": any_of(
        r"\?\s*[\"')]*$",
        r"^(?:do|does|did|is|are|was|were|can|could|would|should|shouldn't|have|has|will|who|"
        r"what|when|"
        r"where|why|how|which|isn't|aren't|won't|don't|doesn't)\b(?! out\b)[^.]*\?",
        r"\b(?:does any(?:one|body) know|i wonder|wondering (?:if|whether)|not clear (?:if|"
        r"whether))\b",
    ),
    "hypothetical": any_of(
        r"(?:^|[,;:] |\b(?:and|but|so) )(?:if|suppose|supposing|should (?!be\b)|were (?:i|we|it)|"
        r"had (?:i|we)|"
        r"unless|assuming|provided|imagine|in an ideal|one day|someday)\b",
        r"^in case\b|\bif (?:i|we|they|it|he|she|the|my|our|you)\b",
        r"\b(?:would (?!rather)|wouldn't|could|might|i'd (?!rather)|we'd (?!rather)|wish|hoping|"
        r"hopefully|dream\w* of)\b",
    ),
    "unsure": any_of(
        r"\b(?:maybe|perhaps|possibly|probably|not sure|unsure|undecided|tempted|toying|"
        r"on the fence)\b",
        r"\b(?:think(?:ing)? (?:about|of)|consider(?:ing)?|haven't (?:decided|made up)|"
        r"nothing(?:'s| is)? (?:decided|settled|final))\b",
        r"\b(?:we'll see|mind up|up in the air|no decision|don't know yet|may (?!\d)(?:be|have|"
        r"move|switch|go|change)|weighing)\b",
        r"\b(?:want|plan|hope|trying|looking|need|needs|love|like|"
        r"going) to\b.{0,40}\b(?:some ?day|eventually|at some point)\b",
    ),
    "suggestion": any_of(
        r"\b(?:i(?:'d)? (?:recommend|suggest|propose)|let's|how about|why not|you (?:could|"
        r"should|may|might))\b",
        r"\b(?:we|they|you) should\b|\bought to\b|\bproposal\b|\brecommended\b|"
        r"\bstronger draft\b|\bpropos(?:es|ed|ing)\b",
        r"\bhere(?:'s| is) (?:a|an|my|the) (?:\w+ )?(?:draft|version|suggestion|idea|option|plan|"
        r"outline)\b",
    ),
    "same": any_of(
        r"\b(?:still|unchanged|as (?:i|we) said|like i said|as (?:before|always|ever|usual|"
        r"mentioned|agreed|noted))\b|\bremains? (?:the|at|un\w+|as|in)\b",
        r"\b(?:no change|(?:hasn't|haven't|didn't|not) changed?|once more|(?:just )?to confirm|"
        r"confirm(?:ed|s|ing)?|reminder|same as)\b",
        r"\bstays? (?:the same|where it is|put)\b|\bexactly (?:the same|what|as)\b",
    ),
    "additive": any_of(
        r"\b(?:as well|also|too(?= ?[.,;!]|$)|additionally|in addition|besides|alongside|"
        r"on top of that)\b",
        r"\b(?:another(?!.*\bmakes? \d)(?! (?:firm|company|team|department|group|job|town|city|"
        r"school|"
        r"office|room|country|bank|flat|branch|project)\b)|a second|a third|extra)\b",
    ),
    "past": any_of(
        r"\b(?:years?|decades?|ages|long) ago\b|\bback (?:in|at|when|then)\b(?! (?:my|the|our|"
        r"her|his) (?:room|desk|old))",
        r"\b(?<!like it )(?<!as it )(?<!where it )(?<!like we )used to\b",
        r"\bas an? (?:child|kid|boy|girl|student|teenager|toddler|undergrad\w*|apprentice|young)\b",
        r"\bwhen (?:i|we|he|she|they) (?:was|were|lived|worked|studied|first)\b",
        r"\bbefore (?:the|i|we|they|she|he|my|our|that|moving|coming)\b|\bin (?:my|our|his|her|"
        r"their) (?:\w+ )?(?:youth|twenties|teens|childhood|days)\b",
        r"\b(?:originally|formerly|previously|in those days|long ago|once upon|early on|"
        r"in the early|at first|first prototype|in the (?:old|first))\b",
        r"^once (?:i|we|he|she)\b|\b(?:in|until) (?:19|20)\d\d\b",
    ),
    "denied": any_of(
        r"^no,? (?:we|i|they|he|she|it|the|that)\b",
        r"\b(?:didn't|hasn't|haven't|never|not) (?:buy|bought|move|moved|switch\w*|happen\w*|"
        r"chang\w+|take|taken|go|gone|leave|left|yet|sell|sold)\b",
        r"\b(?:won't|not|never|don't) (?:quit|give up|stop|change|giving up|stopping)\b",
        r"\b(?:was|were|got) (?:rejected|voted down|turned down|refused)\b|\bdecided against\b|"
        r"\bno plans? to\b",
    ),
}
"""A sentence of these kinds asserts nothing new of the present."""

TURN_TO = Lazy(
    r"^(?:[Ii]f|[Ss]hould) .{3,60}?,? (?:then )?(?:please )?(?:ask|ring|call|phone|contact|"
    r"write to|"
    r"mail|message|ping|see|go to|talk to) (?:[A-Z]|the |our |my )"
)
"""`If the lift stops, call N`: conditional, and yet it holds."""

CHAT = any_of(
    r"!$",
    r"^(?:oh |aw |and |so |but |well,? )?(?:thanks?|thank you|thx|wow|hey|hi|hello|yeah|yes|yep|"
    r"yup|sure|absolutely|definitely|glad|congrat\w*|awesome|great|cool|nice|that's|that is|"
    r"that sounds|sounds|looks|good (?:luck|job|morning|evening|point)|bye|cheers|no (?:worries|"
    r"doubt|problem|way)|way to go|understood|excellent|perfect|alright|right|got it|fantastic|"
    r"wonderful|amazing|of course|you're|you are|you|your|it's (?:so |really |been |great|"
    r"awesome|amazing|nice|good|hard|tough|all)|it was|this is|i'm (?:so|really|glad|happy|sorry|"
    r"excited|ready|proud|here|gonna|going to|sure|super|pumped|stoked|thrilled|determined|"
    r"looking)|i can't|can't wait|looking forward|i feel|feeling|i hope|hope|i know|i believe|"
    r"i agree|keep|take care|what|how|same here|me too|everyone|life|sometimes|g'day|mate|righto|"
    r"welcome|acknowledged|certainly|okay|ok)\b",
)
"""The small change of conversation, which states nothing that holds."""

REQUEST = any_of(
    r"^(?:ok(?:ay)?,? |now,? |and |then |so,? |next,? |also,? |please,? |just |yes,? |right,? |"
    r"good[.,]? )*(?:examples?|ideas|steps|tips|please|write|rewrite|give|show|make|create|tell|"
    r"generate|list|explain|"
    r"describe|continue|can you|could you|i need|i want|i would like|i'd like|let's|let us|"
    r"set up|use|provide|include|add|remove|act|imagine|answer|summari[sz]e|translate|draft|find|"
    r"help|ensure|prepare|do|don't|stop|start|check|compare|identify|assume|pretend|proceed|"
    r"present|send|keep|come up with|want to|ready to|i'm ready)\b",
)
REQUEST_ANYWHERE = Lazy(
    r"\b(?:give|show|tell|send) me\b|\byou (?:will|can|need to|must)\b|\bi(?:'m|"
    r" am) (?:\w+ )?ready\b",
    re.IGNORECASE,
)
"""An order to do something, which is no state."""
