"""Made-up secrets of thirty kinds, in sentences: from their public formats, none of them real."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from evals.secrets_unseen import ALNUM, HEX, LOWER, UNSEEN, URLSAFE, Maker, some

BASE64 = ALNUM + "+/"
WORDS = [
    "tiger",
    "lake",
    "morning",
    "copper",
    "violin",
    "harbor",
    "quartz",
    "lemon",
    "winter",
    "cobalt",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUp:
    """A text with one made-up secret in it."""

    kind: str
    text: str
    secret: str
    language: str


def _bare(make: Callable[[random.Random], str]) -> Maker:
    def made(dice: random.Random) -> tuple[str, str]:
        secret = make(dice)
        return secret, secret

    return made


def _named(names: tuple[str, ...], make: Callable[[random.Random], str]) -> Maker:
    """Make a secret that can only be told by the name before it."""

    def made(dice: random.Random) -> tuple[str, str]:
        secret = make(dice)
        return dice.choice(names).replace("@", secret), secret

    return made


def _jwt(dice: random.Random) -> str:
    def part(value: Mapping[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head = part({"alg": "HS256", "typ": "JWT"})
    body = part({"sub": some(dice, string.digits, 10), "iat": dice.randrange(10**9, 2 * 10**9)})
    return f"{head}.{body}.{some(dice, URLSAFE, 43)}"


def _private_key(dice: random.Random) -> tuple[str, str]:
    kind = dice.choice(("RSA ", "EC ", "OPENSSH ", ""))
    lines = [some(dice, BASE64, 64) for _ in range(dice.randrange(4, 12))]
    secret = "\n".join(lines)
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{secret}\n-----END {kind}PRIVATE KEY-----", secret


def _password(dice: random.Random) -> str:
    word = dice.choice(WORDS)
    return dice.choice(
        (
            f"{word.title()}{dice.choice('#@!$%&')}{dice.randrange(10, 9999)}",
            f"{word}{dice.randrange(100, 99999)}",
            some(dice, ALNUM, dice.randrange(9, 18)) + str(dice.randrange(10)),
            f"{dice.choice(WORDS)}-{word}-{dice.randrange(10, 99)}{dice.choice('#@$%&')}{word[:3]}",
        )
    )


def _card(dice: random.Random) -> str:
    head = dice.choice(("4", "51", "53", "55", "37", "6011"))
    length = 15 if head == "37" else 16
    body = head + some(dice, string.digits, length - 1 - len(head))
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    number = f"{body}{-total % 10}"
    joint = dice.choice((" ", "-", ""))
    cuts = (4, 10) if length == 15 else (4, 8, 12)
    parts = [number[a:b] for a, b in zip((0, *cuts), (*cuts, length), strict=True)]
    return joint.join(parts)


def _database(dice: random.Random) -> tuple[str, str]:
    kind = dice.choice(("postgres", "postgresql", "mysql", "mongodb+srv", "redis", "amqp"))
    secret = some(dice, ALNUM + "_-", dice.randrange(10, 24))
    return f"{kind}://app:{secret}@db{dice.randrange(9)}.internal.example:5432/main", secret


SEEN: Mapping[str, Maker] = {
    "aws-access-token": _bare(
        lambda d: d.choice(("AKIA", "ASIA")) + some(d, string.ascii_uppercase + "234567", 16)
    ),
    "aws-secret-key": _named(
        ("aws_secret_access_key = @", "AWS_SECRET_ACCESS_KEY=@", 'secretAccessKey: "@"'),
        lambda d: some(d, BASE64, 40),
    ),
    "github-pat": _bare(lambda d: "ghp_" + some(d, ALNUM, 36)),
    "github-fine-grained-pat": _bare(
        lambda d: f"github_pat_{some(d, ALNUM, 22)}_{some(d, ALNUM, 59)}"
    ),
    "github-app-token": _bare(lambda d: d.choice(("gho_", "ghs_", "ghu_")) + some(d, ALNUM, 36)),
    "gitlab-pat": _bare(lambda d: "glpat-" + some(d, URLSAFE, 20)),
    "slack-bot-token": _bare(
        lambda d: f"xoxb-{some(d, string.digits, 12)}-{some(d, string.digits, 12)}-{some(d, ALNUM, 24)}"
    ),
    "slack-app-token": _bare(
        lambda d: f"xapp-1-A{some(d, string.ascii_uppercase, 9)}-{some(d, string.digits, 12)}-"
        f"{some(d, HEX, 64)}"
    ),
    "slack-webhook-url": _bare(
        lambda d: f"https://hooks.slack.com/services/T{some(d, ALNUM.upper(), 8)}/"
        f"B{some(d, ALNUM.upper(), 10)}/{some(d, ALNUM, 24)}"
    ),
    "stripe-access-token": _bare(
        lambda d: d.choice(("sk_live_", "rk_live_", "sk_test_")) + some(d, ALNUM, 24)
    ),
    "openai-api-key": _bare(
        lambda d: f"sk-proj-{some(d, URLSAFE, 74)}T3BlbkFJ{some(d, URLSAFE, 74)}"
        if d.random() < 0.5
        else f"sk-{some(d, ALNUM, 20)}T3BlbkFJ{some(d, ALNUM, 20)}"
    ),
    "anthropic-api-key": _bare(lambda d: f"sk-ant-api03-{some(d, URLSAFE, 93)}AA"),
    "gcp-api-key": _bare(lambda d: "AIza" + some(d, URLSAFE, 35)),
    "google-oauth-secret": _bare(lambda d: "GOCSPX-" + some(d, URLSAFE, 28)),
    "azure-client-secret": _bare(
        lambda d: f"{some(d, ALNUM, 3)}8Q~{some(d, ALNUM + '_~.-', 33)}{some(d, ALNUM, 1)}"
    ),
    "azure-storage-key": _named(
        ("DefaultEndpointsProtocol=https;AccountName=store;AccountKey=@;", "AccountKey=@"),
        lambda d: some(d, BASE64, 86) + "==",
    ),
    "jwt": _bare(_jwt),
    "private-key": _private_key,
    "npm-access-token": _bare(lambda d: "npm_" + some(d, ALNUM, 36)),
    "pypi-upload-token": _bare(lambda d: "pypi-AgEIcHlwaS5vcmc" + some(d, URLSAFE, 120)),
    "twilio-api-key": _bare(lambda d: "SK" + some(d, HEX, 32)),
    "sendgrid-api-token": _bare(lambda d: f"SG.{some(d, URLSAFE, 22)}.{some(d, URLSAFE, 43)}"),
    "telegram-bot-api-token": _bare(
        lambda d: f"{d.randrange(10**8, 10**10)}:AA{some(d, URLSAFE, 33)}"
    ),
    "discord-api-token": _bare(
        lambda d: f"{d.choice('MN')}{some(d, ALNUM, 23)}.{some(d, URLSAFE, 6)}.{some(d, URLSAFE, 27)}"
    ),
    "database-url": _database,
    "bearer-header": _named(
        ("Authorization: Bearer @", "authorization: bearer @", '"Authorization": "Bearer @"'),
        lambda d: some(d, URLSAFE, d.randrange(24, 48)) + str(d.randrange(10)),
    ),
    "password": _named(
        (
            "password = @", 'password: "@"', "my password is @", "DB_PASSWORD=@", "passwd: @",
            "the wifi password is @", "the password for the printer is @", '"password": "@"',
        ),
        _password,
    ),
    "password-in-chinese": _named(
        ("密码是 @", "密码：@", "我的密码是@", "登录密码改成了 @", "口令：@", "WiFi密码是@", "密码为 @"),
        _password,
    ),
    "credit-card": _bare(_card),
    "generic-api-key": _named(
        (
            "api_key = '@'", "API_KEY=@", "client_secret: @", "my access token is @", "密钥是 @",
            'SECRET_KEY = "@"', "auth_token=@", "访问令牌：@",
        ),
        lambda d: some(d, d.choice((ALNUM, HEX, LOWER)), d.randrange(24, 48)),
    ),
}  # fmt: skip

ENGLISH = (
    "For the staging server use @ please.",
    "I wrote it down so that I don't lose it: @",
    "Here you go, @, and keep it to yourself.",
    "@ is what I use at work.",
    "Could you remember this for me? @",
    "The old one stopped working, so since Monday it has been this: @. Anna knows about it.",
)
CHINESE = (
    "请帮我记住这个：@",
    "服务器上用的是这个，@，别告诉别人。",
    "新的是@。旧的已经停用了",
    "昨天运维给我的：@；下周会换。",
)
CODE = (
    "# deploy.sh\n@\necho done",
    "config = load()  # @",
    "  - run: deploy\n    with: @\n",
    "// TODO remove: @",
    "ENV @",
    "`@`",
)
FRAMES = {"english": ENGLISH, "chinese": CHINESE, "code": CODE}


def made_up(number: int, seed: int, *, unseen: bool | None = None) -> Iterator[MadeUp]:
    """Make texts with one secret each, the kinds in turn.

    Args:
        number: how many.
        seed: of the dice; the same seed gives the same texts.
        unseen: only the kinds that the rules don't name, or only the others; None for all 40.
    """
    dice = random.Random(seed)  # noqa: S311 - made up, and the same each time
    kinds = [
        *([] if unseen is True else SEEN.items()),
        *([] if unseen is False else UNSEEN.items()),
    ]
    for turn in range(number):
        kind, make = kinds[turn % len(kinds)]
        phrase, secret = make(dice)
        language = dice.choice(tuple(FRAMES))
        text = dice.choice(FRAMES[language]).replace("@", phrase)
        yield MadeUp(kind=kind, text=text, secret=secret, language=language)
