"""Secrets that their own form gives away: the published formats of the services that issue them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_FORMS: Mapping[str, str] = {
    "aws-access-token": r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])",
    "github-token": r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255}",
    "gitlab-token": r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[A-Za-z0-9_-]{20,255}",
    "slack-token": r"xox[abeoprs](?:-[A-Za-z0-9]{1,80}){2,6}"
    r"|xapp-\d-[A-Za-z0-9]{5,20}-\d{5,20}-[a-z0-9]{20,80}",
    "slack-webhook": r"https://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,120}",
    "stripe-key": r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,250}|whsec_[A-Za-z0-9]{24,64}",
    "anthropic-key": r"sk-ant-[a-z]{2,8}\d{2}-[A-Za-z0-9_-]{60,200}",
    "openai-key": r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}"
    r"|sk-[A-Za-z0-9]{32,64}(?![A-Za-z0-9_-])",
    "google-key": r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,500}",
    "azure-client-secret": r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}",
    "jwt": r"eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,20000}\.[A-Za-z0-9_-]{0,2000}",
    "npm-token": r"npm_[A-Za-z0-9]{36}",
    "pypi-token": r"pypi-AgE[A-Za-z0-9_-]{50,1000}",
    "twilio-key": r"SK[0-9a-f]{32}(?![A-Za-z0-9])",
    "sendgrid-key": r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}",
    "telegram-token": r"\d{8,10}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])",
    "discord-token": r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
    "discord-webhook": r"https://(?:\w{1,8}\.)?discord(?:app)?\.com/api/webhooks/\d{15,22}/[A-Za-z0-9_-]{50,90}",
}
_ANY = re.compile(
    r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))(?:"
    + "|".join(f"(?P<f{number}>{form})" for number, form in enumerate(_FORMS.values()))
    + ")"
)
_KINDS = tuple(_FORMS)
_KEY_HEAD = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"(?:[A-Za-z0-9+/=]|\s|\\n|\\r)*+")

Span = tuple[int, int, str]
"""First character, end, kind."""


def formats(text: str) -> Iterator[Span]:
    """Find what has the form of a known service's secret."""
    for match in _ANY.finditer(text):
        yield *match.span(), _KINDS[int(str(match.lastgroup)[1:])]


def private_keys(text: str) -> Iterator[Span]:
    """Find blocks of private keys; one without an end goes as far as it looks like one."""
    at = 0
    while (at := text.find("-----BEGIN ", at)) >= 0:
        head = _KEY_HEAD.match(text, at)
        if head is None:
            at += 11
            continue
        body = _KEY_BODY.match(text, head.end())
        end = head.end() if body is None else body.end()
        foot = _KEY_END.search(text, head.end(), head.end() + 20_000)
        end = end if foot is None else foot.end()
        yield at, end, "private-key"
        at = end
