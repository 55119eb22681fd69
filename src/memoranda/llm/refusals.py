"""Tells a refusal or an apology from an answer, in many languages."""

from __future__ import annotations

import re
import unicodedata

_SORRY = (
    # English, Chinese, Japanese, Korean
    r"i(?:'m| am)(?: (?:very|so|truly|deeply))? sorry|sorry|my apologies|i apologi[sz]e|unfortunately",
    "很?抱歉|对不起|對不起|不好意思|很遗憾|很遺憾",
    "申し訳(?:ありません|ございません)|すみません|ごめんなさい|残念ながら",
    "죄송(?:합니다|하지만|해요)?|미안(?:합니다|하지만)?|유감(?:스럽게도|이지만)",
    # German, French, Spanish, Portuguese, Italian, Dutch
    r"es tut mir (?:sehr )?leid|tut mir leid|entschuldigung|leider",
    r"je suis (?:vraiment )?désolée?|désolée?|malheureusement|je m'excuse",
    r"lo siento(?: mucho)?|lo lamento|disculpa|perdón|lamentablemente",
    r"sinto muito|desculpe?|lamento|infelizmente|peço desculpas?",
    r"mi dispiace|spiacente|mi scuso|purtroppo",
    r"het spijt me|sorry|helaas",
    # Russian, Polish, Turkish, Arabic, Hindi, Vietnamese
    r"(?:мне )?(?:очень )?жаль|извините|простите|к сожалению|прошу прощения",
    r"przykro mi|przepraszam|niestety",
    r"üzgünüm|özür dilerim|maalesef|kusura bakmayın",
    r"آسف(?:ة)?|أنا آسف|عذر[اًا]*|أعتذر|للأسف|نأسف",
    r"(?:मुझे )?(?:खेद|अफ़सोस|अफसोस) है|क्षमा करें|माफ़? ?(?:कीजिए|करें)",
    r"(?:tôi )?(?:rất )?xin lỗi|rất tiếc",
)
_CANNOT = (
    r"i(?:'m| am)? (?:cannot|can't|can not|won't|will not|must decline|unable|not able|not comfortable)",
    "(?:我|这边|本助手)(?:无法|不能|不可以|没办法|沒辦法|無法|拒绝|拒絕)",
    "(?:その|この)?ご?(?:要求|要望|リクエスト|依頼)には?(?:お応え|応じ)",
    "お(?:手伝い|答え|応え)(?:することは)?でき(?:ません|ない|かねます)",
    "(?:도와|도움을|답변|응답|요청).{0,12}(?:수 없|드릴 수|어렵)",
    "ich kann .{0,30}nicht",
    "je ne (?:peux|puis|suis) pas",
    "no puedo|no me es posible",
    "não (?:posso|consigo|me é possível)",
    "non posso|non sono in grado",
    "ik kan .{0,30}niet",
    "я не (?:могу|смогу|в состоянии)",
    "nie mogę|nie jestem w stanie",
    "yardımcı olam|yapamam|yerine getirem",
    "لا (?:أستطيع|يمكنني|أقدر|استطيع)",
    "मैं .{0,40}(?:नहीं कर सकत|असमर्थ|मदद नहीं)",
    "tôi không thể",
)
_MACHINE = (
    r"as an? (?:ai|language model|assistant)(?:,| (?:language )?(?:model|assistant))",
    "(?:作为|作為)(?:一个|一名|一個)?(?:ai|人工智能|人工智慧)?(?:助手|语言模型|語言模型)",
    "(?:ai|言語モデル)として(?:は|、)|ai(?:로서|로써)",
    "als (?:ki|sprachmodell|taalmodel)(?:,| )",
    "en tant qu(?:'ia|e modèle)|como modelo de (?:lenguaje|linguagem)",
    "come modello linguistico|как языковая модель|jako model językowy|bir dil modeli olarak",
)
_SORRY_OR_CANNOT = unicodedata.normalize("NFKC", "|".join((*_SORRY, *_CANNOT, *_MACHINE)))
_OPENING = re.compile(rf"\W*(?:{_SORRY_OR_CANNOT})", re.IGNORECASE)
_DECLINES = re.compile(unicodedata.normalize("NFKC", "|".join(_CANNOT)), re.IGNORECASE)
_SPEAKS_AS_MACHINE = re.compile("|".join(_MACHINE), re.IGNORECASE)
_REQUEST = re.compile(
    r"(?:that|this|your|the|such an?) (?:request|kind of|task|question)|(?:help|assist)(?: you)? with"
    "|请求|請求|要求|该内容|協助|协助|リクエスト|依頼|要望|お手伝い|요청|도와"
    "|anfrage|demande|solicitud|petición|pedido|richiesta|verzoek|запрос|просьб|prośb|żądani"
    "|isteğ|talep|طلب|अनुरोध|yêu cầu",
    re.IGNORECASE,
)
_LOOKED_AT = 400
"""Characters; a refusal begins with what it is."""


def is_refusal(text: str) -> bool:
    """Say whether a reply that is not the JSON asked for opens as a refusal or an apology."""
    return bool(_OPENING.match(_plain(text)))


def is_refusal_within(text: str) -> bool:
    """Say whether a text typed into a field is a refusal: it declines a request, or speaks as a machine.

    Narrower than `is_refusal`: people do say that they are sorry, and it may be worth keeping.
    """
    plain = _plain(text)
    declines = _DECLINES.search(plain) and _REQUEST.search(plain)
    return bool(declines or _SPEAKS_AS_MACHINE.search(plain))


def _plain(text: str) -> str:
    start = unicodedata.normalize("NFKC", text[:_LOOKED_AT]).casefold()
    return start.replace("\u2019", "'").replace("\u2018", "'").lstrip("\ufeff \t\r\n#*>-\"'")
