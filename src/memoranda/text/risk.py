"""What a text is about that must not change by itself: permissions, contacts, payment and the like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Kind = Literal["permissions", "contacts", "payment", "outbound content", "security policy"]

_ENGLISH: Mapping[Kind, str] = {
    "permissions": (
        r"(?:admin(?:istrator)?|root|sudo|superuser|write|read|edit|full|owner|database|repo(?:sitory)?)"
        r" (?:access|rights?|permissions?|privileges?|role)"
        r"|(?:grant|revoke|gr?ants|granted|revoked)(?:s|ed)? (?:\w+ ){0,3}(?:access|rights?|permissions?)"
        r"|(?:is|are|was|were|has been|now) (?:not )?(?:authori[sz]ed|permitted|allowed) to"
        r"|permissions? (?:for|of|on|to)|access to (?:the )?(?:server|database|repo\w*|vault|account|"
        r"production|prod|console|cluster|admin)"
    ),
    "contacts": (
        r"(?:phone|mobile|cell|telephone|fax|whatsapp|emergency) (?:number|contact)"
        r"|e-?mail(?: address)?(?: is| of|:)|(?:home|postal|mailing|billing|shipping) address"
        r"|contact (?:person|details|for)|[\w.+-]+@[\w-]+\.[\w.]+"
    ),
    "payment": (
        r"(?:bank|iban|swift|account|card|routing|sort|paypal) (?:details|number|code|account|transfer)"
        r"|iban\b|(?:credit|debit) card|invoices? (?:is|are|to be) paid|pay(?:ment|ments|ee|able|roll)\b"
        r"|wire (?:transfer|the money)|refunds? (?:go|goes|to)"
    ),
    "outbound content": (
        r"(?:send|post|publish|forward|e-?mail|reply|tweet)(?:s|ed|ing)? (?:\w+ ){0,4}"
        r"(?:to (?:customers?|clients?|the press|users|the public|subscribers|partners)"
        r"|on (?:the website|social media|linkedin|twitter|our blog))"
        r"|(?:press release|newsletter|public statement|customer announcement)s?\b"
    ),
    "security policy": (
        r"(?:security|password|access|privacy|retention|firewall|encryption|vpn) (?:policy|policies|"
        r"rules?)\b|(?:password|passphrase|api[ -]?key|secret key|access token|private key|pin code)s?"
        r" (?:is|are|was|must|should|may|of|for|now|expires?|rotates?)"
        r"|(?:two|multi)[ -]?factor|2fa\b|mfa\b"
    ),
}
_CHINESE: Mapping[Kind, str] = {
    "permissions": r"权限|授权给|管理员(?:账号|身份|角色)|访问权|可以访问(?:服务器|数据库|后台|账户)",
    "contacts": r"联系方式|联系人|(?:电话|手机)(?:号码?)?(?:是|为|改|换|：|:)"
    r"|邮箱(?:地址)?(?:是|为|改|换|：|:)|(?:家庭|收货|邮寄|账单)地址",
    "payment": r"付款|收款|银行(?:账户|账号|卡)|信用卡|转账|汇款|发票抬头|支付(?:宝|方式|账)|报销",
    "outbound content": r"(?:发送?|寄|转发|发布|群发)给?(?:所有)?(?:客户|用户|媒体|公众|订阅者|合作方)"
    r"|新闻稿|对外(?:发布|公告|声明)|公开声明",
    "security policy": r"安全(?:策略|政策|规定|制度)|密码(?:是|为|改|必须|策略|规则)|口令(?:是|为|改)|密钥|"
    r"双因素|两步验证|防火墙规则",
}
_KINDS: Mapping[Kind, re.Pattern[str]] = {
    kind: re.compile(rf"\b(?:{pattern})|{_CHINESE[kind]}", re.IGNORECASE)
    for kind, pattern in _ENGLISH.items()
}

_ASKED = (
    r"(?:^|[.!?;:\n\"“”(] *|\b(?:please|kindly|(?:can|could|would|will) you|you (?:must|should|have to|"
    r"need to)|(?:want|need|ask|like|wish|told|instruct\w*) you to|instructions?,? and) +)"
    r"(?:please +|now +|then +|and +|also +|just +|simply +|immediately +)*"
)
_KEPT = (
    r"(?:memor(?:y|ies)|entr(?:y|ies)|records?|notes?|conversations?|chats?|messages?|history|data|"
    r"said|told|wrote|shared|know|remember|saved|stored|documents?|facts?|preferences?)\b"
)
_DELETION = re.compile(
    rf"{_ASKED}(?:delete|erase|forget|remove|wipe|purge|discard) +(?:out |away |about )?"
    r"(?:all|any|every|each|my|our|his|her|their|the|this|that|these|those|what)\b"
    rf"[^.!?\n]{{0,60}}?\b{_KEPT}"
    rf"|{_ASKED}(?:delete|erase|forget|wipe|purge) +(?:everything|anything|all)\b"
    r"|(?:请|麻烦|帮我|帮忙|把|将|立刻|马上|务必)[^，。！？\n]{0,20}(?:删除|删掉|忘记|忘掉|清除|抹掉|抹去)"
    r"|(?:^|[。！？\n])(?:删除|删掉|忘记|忘掉|清除)(?:所有|全部|一切|关于|这|那|我|之前|以前)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:do not|don['’]t|never|not to|did not|didn['’]t|won['’]t|cannot|can['’]t) +(?:\w+ ){0,2}$"
    r"|(?:不要|别|不能|不可|不会|没有?|勿|切勿)[^，。！？\n]{0,4}$",
    re.IGNORECASE,
)


def kinds(text: str) -> tuple[Kind, ...]:
    """Name the high-risk kinds of information that a text states, in a fixed order (R271, R272)."""
    return tuple(kind for kind, pattern in _KINDS.items() if pattern.search(text))


def asks_to_forget(text: str) -> bool:
    """Say whether a text asks that something remembered be deleted (R229); "don't forget" does not."""
    for match in _DELETION.finditer(text):
        before, whole = text[: match.start()], match[0]
        if not _NEGATED.search(before) and not re.search(r"不要|别|不能|勿", whole):
            return True
    return False
