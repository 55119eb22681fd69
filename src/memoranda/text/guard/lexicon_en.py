"""English words that deny, doubt, bind, count and bind clauses, by fixed lists."""

from __future__ import annotations

from memoranda.text.guard.clauses import TokenKind

NEGATIONS = {
    "not": r"not|no(?=\s[a-z])|neither|nor",
    "never": r"never",
    "no longer": r"no longer",
    "nobody": r"nobody|no one",
    "nothing": r"nothing",
    "none": r"none",
    "nowhere": r"nowhere",
    "without": r"without",
    "hardly": r"hardly|barely|scarcely",
    "stop": r"stop(?:s|ped|ping)?|quit(?:s|ting)?|(?:give|gives|gave|given|giving) up",
    "avoid": r"avoid(?:s|ed|ing)?",
    "refuse": r"refus(?:e|es|ed|ing|al)|declin(?:e|es|ed|ing)",
    "deny": r"den(?:y|ies|ied|ying)",
    "fail": r"fail(?:s|ed|ing)? to|failed",
    "forget": r"forg(?:et|ets|ot|otten|etting)",
    "lack": r"lack(?:s|ed|ing)?",
    "cancel": r"cancel(?:s|led|ed|ling|ing)?",
    "except": r"except|apart from|instead of|rather than",
    "former": r"former|formerly|previously|ex(?=-)",
}
"""`anymore` is read beside its `not`."""

HEDGES = {
    "may": r"may|might|maybe|perhaps|possibly",
    "could": r"could",
    "would": r"would",
    "probably": r"probably|likely|presumably",
    "unlikely": r"unlikely",
    "apparently": r"apparently|allegedly|supposedly|reportedly|rumou?rs?|it is said|they say",
    "hear": r"hear|hears|heard",
    "seem": r"seem(?:s|ed)?|appears? to|appeared to|looks? like|sounds? like",
    "think": r"think|thinks|believes?|guess(?:es)?|supposes?|reckons?",
    "thought": r"thought|believed|guessed|supposed",
    "thinking": r"thinking",
    "plan": r"plan|plans|planned|planning",
    "intend": r"intend(?:s|ed|ing)?",
    "aim": r"aim(?:s|ed|ing)? to",
    "want": r"want|wants|wanted",
    "hope": r"hop(?:e|es|ed|ing)|hopefully",
    "wish": r"wish(?:es|ed|ing)?",
    "consider": r"consider(?:s|ed|ing)?",
    "try": r"try|tries|tried|trying",
    "wonder": r"wonder(?:s|ed|ing)?",
    "expect": r"expect(?:s|ed|ing)?",
    "suggest": r"suggest(?:s|ed|ing)?|recommend(?:s|ed|ing)?|propos(?:e|es|ed|ing)",
    "doubt": r"doubt(?:s|ed|ing)?|suspect(?:s|ed|ing)?",
    "dream": r"dream(?:s|ed|ing)? (?:of|about)",
    "pretend": r"pretend(?:s|ed|ing)?",
    "fear": r"afraid|scared|fear(?:s|ed|ing)?|worr(?:y|ies|ied|ying)",
    "claim": r"claim(?:s|ed|ing)?|according to",
    "tentative": r"tentative|tentatively|provisional|provisionally",
    "if": r"if|in case|provided|providing|assuming|as long as",
    "unless": r"unless",
    "whether": r"whether",
    "depend": r"depend(?:s|ed|ing)?",
    "sure": r"sure|unsure|certain|uncertain|undecided",
}

MODALS = {
    "must": r"must",
    "have to": r"(?:have|has|having) to",
    "had to": r"had to",
    "need": r"need(?:s|ing)?",
    "needed": r"needed",
    "should": r"should|ought to",
    "can": r"can|able to",
    "will": r"will|shall",
    "going to": r"going to(?= [a-z])(?! (?:the|a|an|my|our|his|her|their)\b)",
    "used to": r"used to",
    "past": r"was|were|had|did",
    "allowed": r"allowed|permitted",
    "forbidden": r"forbidden|banned|prohibited",
    "definitely": r"definitely|certainly|surely|absolutely|undoubtedly|without (?:a )?doubt|guaranteed",
    "before": r"before",
    "after": r"after",
    "until": r"until|till",
    "since": r"since",
    "from": r"from",
    "against": r"against",
}

QUANTIFIERS = {
    "all": r"all(?! right)|whole|entire|entirely|completely",
    "not all": r"not (?:all|every(?:one|body|thing)?|always)",
    "not only": r"not (?:only|just|merely)",
    "every": r"every|each|everyone|everybody|everything|everywhere",
    "some": r"some|several|certain(?= [a-z]+s\b)",
    "a few": r"a few",
    "few": r"few|fewer|little(?= (?:time|money|sleep))",
    "couple": r"a couple(?: of)?",
    "many": r"many|much|a lot(?: of)?|lots(?: of)?|plenty of|numerous|dozens|hundreds",
    "most": r"most|mostly|majority|mainly|largely",
    "part": r"part of|partly|partially",
    "only": r"only|solely|exclusively|merely",
    "at least": r"at least|no (?:less|fewer) than|minimum",
    "at most": r"at most|no more than|up to|maximum",
    "more": r"more(?: than)?|over(?= [\x02\d])|exceed(?:s|ed|ing)?",
    "less": r"less(?: than)?|fewer than|under(?= [\x02\d])|below(?= [\x02\d])",
    "about": r"(?:about|around)(?= (?:an? )?[\x02\d])|roughly|approximately|approx|circa",
    "almost": r"almost|nearly",
    "exactly": r"exactly|precisely",
    "both": r"both",
    "either": r"either",
    "always": r"always|constantly",
    "usually": r"usually|normally|generally|typically",
    "often": r"often|frequently|regularly",
    "sometimes": r"sometimes|occasionally",
    "rarely": r"rarely|seldom",
    "once": r"once",
    "twice": r"twice",
    "too": r"too(?= [a-z]+)",
    "enough": r"enough",
    "daily": r"daily", "weekly": r"weekly", "monthly": r"monthly", "yearly": r"yearly|annually",
}  # fmt: skip

TABLES: tuple[tuple[TokenKind, dict[str, str]], ...] = (
    ("quantifier", QUANTIFIERS),
    ("modality", MODALS),
    ("hedge", HEDGES),
    ("negation", NEGATIONS),
)
FREELY_LOST = frozenset({"definitely", "exactly", "since"})
"""Emphasis may go, but not come."""

ASIDES = (
    r"(?:as|like) (?:i|we) said|just so you know|as you know|you know(?=[,.!?;]| (?:that|i|the))|i mean|"
    r"thank you|let me see"
)
FILLERS = (
    r"to be (?:honest|fair)|by the way|"
    r"for your information|as it happens|actually|honestly|frankly|basically|really|very|quite|"
    r"simply|just|even|well|oh|ah|hey|hi|hello|yeah|yes|yep|ok|okay|anyway|so|then|now|still|"
    r"already|also|too|indeed|of course|please|thanks?|sorry|right|great|nice|cool|"
    r"because|therefore|although|though|however|whereas|while|currently|luckily|fortunately|"
    r"unfortunately|sadly|finally|recently|lately|again|back|into|out|off|up|down|away|under|"
    r"above|behind|below|over|plus|besides|congrats|wow|yay|btw|guess what|"
    r"such|own|other|another|any|let|us|no(?=[,.!])|"
    r"for what it is worth|in fact|one more thing|funny enough"
)
FUNCTIONS = (
    "is are am be been being do does doing have has having to in on at of for with by about as "
    "and or but than when where who whom whose which that there here 's it itself its how what why "
    "between among during through across near around along per via within toward towards onto upon"
)
PREPOSITIONS = frozenset(
    "in at on for with by about of to from near along per via within onto during without".split()  # noqa: SIM905
)
OPENERS = (
    "a an the this that these those my our your his her their its he she they it we you i him "
    "them me someone somebody there one"
)
PERSONS = {"he": "he", "him": "he", "his": "he", "himself": "he", "she": "she", "her": "she",
           "hers": "she", "herself": "she"}  # fmt: skip
ANAPHORS = frozenset(
    "he she they it him her them his its their himself herself there 他 她 它".split()  # noqa: SIM905
)
"""What a name of the context may stand for."""
REPORTS = (
    r"(?:said|says|told|mentioned|mentions|stated|states|reported|reports|noted|notes)(?: that)?"
)
RELATIONS = frozenset(
    """
    brother sister mother father mom mum dad parent parents wife husband son daughter child
    children kid kids uncle aunt cousin nephew niece grandmother grandfather grandma grandpa
    partner boyfriend girlfriend fiance fiancee friend roommate flatmate boss manager colleague
    coworker neighbour neighbor teacher landlord landlady dog cat team company doctor dentist
    """.split()  # noqa: SIM905 - words read better in a row
)
"""Whoever a statement is about must not be dropped: `my brother` is not the user."""
BREAKS = r"and|or|but|because|while|whereas|although|though|when|if|unless|which|who|so"

UNITS = {
    "km": r"km|kms|kilomet(?:re|er)s?", "m": r"m|met(?:re|er)s?", "cm": r"cm|centimet(?:re|er)s?",
    "mm": r"mm|millimet(?:re|er)s?", "mile": r"mi|miles?", "foot": r"ft|foot|feet",
    "inch": r"inch|inches", "yard": r"yd|yards?", "kg": r"kg|kgs|kilos?|kilograms?",
    "g": r"g|grams?|grammes?", "mg": r"mg|milligrams?", "lb": r"lbs?", "oz": r"oz|ounces?",
    "ton": r"t|tons?|tonnes?", "l": r"l|lit(?:re|er)s?", "ml": r"ml|millilit(?:re|er)s?",
    "gallon": r"gallons?", "cup": r"cups?", "h": r"h|hrs?|hours?", "min": r"mins?|minutes?",
    "s": r"s|secs?|seconds?", "ms": r"ms|milliseconds?", "day": r"days?", "night": r"nights?",
    "week": r"weeks?", "month": r"months?", "year": r"years?|yrs?", "decade": r"decades?",
    "°C": r"°c|degrees? c(?:elsius)?", "°F": r"°f|degrees? f(?:ahrenheit)?", "degree": r"°|degrees?",
    "GB": r"gb|gigabytes?", "MB": r"mb|megabytes?", "KB": r"kb|kilobytes?", "TB": r"tb|terabytes?",
    "kWh": r"kwh|kilowatt[- ]hours?", "kW": r"kw|kilowatts?", "W": r"w|watts?", "V": r"v|volts?",
    "Hz": r"hz|hertz", "mph": r"mph|miles per hour", "km/h": r"km/h|kph|kilomet(?:re|er)s per hour",
    "m2": r"m2|sqm|square met(?:re|er)s?", "time": r"times", "acre": r"acres?", "ha": r"ha|hectares?",
}  # fmt: skip
MONEY = {
    "dollar": r"usd|us dollars?|dollars?|bucks", "euro": r"€|eur|euros?",
    "pound": r"£|gbp|pounds?", "CNY": r"cny|rmb|yuan", "yen": r"jpy|yen", "rupee": r"₹|inr|rupees?",
    "franc": r"chf|francs?", "krona": r"sek|kron(?:a|or|er)", "cent": r"cents?",
}  # fmt: skip
SIGNS = {"$": "dollar", "us$": "dollar", "€": "euro", "£": "pound", "¥": "¥", "₹": "rupee"}
