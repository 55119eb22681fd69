"""Plain texts that look a little like secrets and hold none: numbers, hashes, links, talk of passwords."""

from __future__ import annotations

import base64
import random
import string
import uuid
from collections.abc import Callable, Iterator

from evals.secrets_unseen import ALNUM, HEX, LOWER, URLSAFE, some

Plain = Callable[[random.Random], str]


def _uuid(dice: random.Random) -> str:
    return str(uuid.UUID(int=dice.getrandbits(128), version=4))


def _isbn(dice: random.Random) -> str:
    head = "978" + some(dice, string.digits, 9)
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(head))
    return f"{head[:3]}-{head[3]}-{head[4:8]}-{head[8:12]}-{-total % 10}"


def _image(dice: random.Random) -> str:
    data = base64.b64encode(dice.randbytes(dice.randrange(60, 900))).decode()
    return f"![plot](data:image/png;base64,{data})"


def _phone(dice: random.Random) -> str:
    return dice.choice(
        (
            f"+1 ({some(dice, '23456789', 3)}) 555-{some(dice, string.digits, 4)}",
            f"+86 138 {some(dice, string.digits, 4)} {some(dice, string.digits, 4)}",
            f"1{dice.choice('3578')}{some(dice, string.digits, 9)}",
            f"+49 30 {some(dice, string.digits, 8)}",
        )
    )


def _link(dice: random.Random) -> str:
    return dice.choice(
        (
            f"https://example.org/watch?v={some(dice, URLSAFE, 11)}&t={dice.randrange(900)}",
            f"https://docs.example.com/document/d/{some(dice, URLSAFE, 44)}/edit",
            f"https://example.com/blog/2026/{dice.randrange(1, 13)}/how-we-store-passwords-safely",
            f"https://cdn.example.net/assets/app.{some(dice, HEX, 20)}.js",
            f"https://git.example.com/team/repo/commit/{some(dice, HEX, 40)}",
            f"https://example.com/item/{_uuid(dice)}?ref={some(dice, LOWER, 8)}",
            f"git@example.com:team/service-{dice.randrange(99)}.git",
            f"http://localhost:{dice.randrange(1024, 65535)}/reset-password?lang=en",
        )
    )


def _hash(dice: random.Random) -> str:
    return dice.choice(
        (
            f"sha256:{some(dice, HEX, 64)}",
            f"md5 {some(dice, HEX, 32)}",
            some(dice, HEX, 40),
            some(dice, HEX, 64),
            f"sha512-{base64.b64encode(dice.randbytes(64)).decode()}",
            f"commit {some(dice, HEX, 40)}",
            f"SHA256:{some(dice, ALNUM, 43)}",
        )
    )


def _name(dice: random.Random) -> str:
    return dice.choice(
        (
            f"report_final_v{dice.randrange(9)}_2026-0{dice.randrange(1, 9)}-1{dice.randrange(9)}.pdf",
            f"IMG_2026{some(dice, '01', 2)}1{dice.randrange(9)}_{some(dice, string.digits, 6)}.jpg",
            f"web-{some(dice, LOWER, 10)}-{some(dice, LOWER, 5)}",
            f"screenshot-{some(dice, HEX, 32)}.png",
            f"getUserAccountSettingsByTenantIdentifierV{dice.randrange(9)}",
            f"test_the_reader_keeps_all_{dice.randrange(99)}_lines_of_a_document",
            f"s3://backups/db-{some(dice, string.digits, 8)}/dump_{some(dice, HEX, 8)}.tar.gz",
            f"pod/ingress-nginx-controller-{some(dice, HEX, 10)}-{some(dice, LOWER, 5)}",
            f"arn:aws:iam::{some(dice, string.digits, 12)}:role/reader-of-logs",
            f"cus_{some(dice, ALNUM, 14)}",
        )
    )


def _order(dice: random.Random) -> str:
    return dice.choice(
        (
            f"ORD-2026-{some(dice, string.digits, 8)}",
            f"1Z{some(dice, ALNUM.upper(), 16)}",
            f"order number {some(dice, string.digits, dice.choice((10, 12, 16)))}",
            f"订单号 {some(dice, string.digits, dice.choice((12, 16, 18)))}",
            f"invoice INV{some(dice, string.digits, 10)}",
            f"tracking number {some(dice, string.digits, 16)}",
            f"IMEI {some(dice, string.digits, 15)}",
        )
    )


THINGS: tuple[Plain, ...] = (_uuid, _isbn, _image, _phone, _link, _hash, _name, _order)
FRAMES = (
    "The file is {}.", "Please note: {}", "See {} for the rest", "{} came back yesterday.",
    "我记一下：{}", "昨天收到的是{}。", "value = {}", "- {}", "id: {}", "Ref. {} (paid)",
    '{{"item": "{}"}}', "用的是 {}，没问题。", "Anna sent {} to Ben at 10:30.",
)  # fmt: skip
TALK = (
    "I forgot my password again and had to reset it.", "My password is too short, they say.",
    "The password must have at least 12 characters.", "password: required", "password = input()",
    "The token count is 5000 and the limit is 8192 tokens.", "max_tokens=4096", "tokens: 123456",
    "The secret of good tea is patience.", "密码是什么？", "我忘记密码了，帮我重置一下。", "密码要至少8位。",
    "Her secret is that she gets up at 5.", "The key is under the mat.", "主键是 user_id。", "密码已经改了。",
    "api_key = os.environ['API_KEY']", "token = get_token(user, scope)", "password=None", "pwd",
    "The access token expires after 3600 seconds.", "We rotate the API key every 90 days.",
    "const secret = process.env.CLIENT_SECRET;", "Authorization: Bearer <token>", "密钥放在保险箱里。",
    "The bearer of this letter is my brother.", "password: ********", "api_key: YOUR_API_KEY_HERE",
    "PASSWORD=changeme is what the docs show", "secret: ${SECRET}", "token: {{ vault_token }}",
    "我的口令是一句老话，没有写下来。", "访问令牌每小时过期一次。",
    "The password policy changed on 2026-05-01.",
    "The password field is of type string.", "secret santa is on 2026-12-20", "密码长度为 16 位",
    "He is a passionate token collector; his favourite is the 1932 subway token.",
    "The PIN pad is broken.", "password is case-sensitive", "The password is not what you think it is.",
    "The token is signed with RS256.", "Our API keys are stored in 1Password.", "令牌是 JWT 格式的。",
    "Use sk-learn for that.", "SK Hynix fell 3 %.", "The passwords are hashed with bcrypt or argon2id.",
    "The secret is base64-encoded.", "Please change the password to something longer.",
    "def check_password(password: str, hashed: bytes) -> bool:", "SELECT password FROM users WHERE id = 7",
    "token = tokens[index + 1]", "secret=False", "if (token === undefined) return null;",
    "The password reset mail went to anna@example.com.", "auth: enabled", "credentials: include",
    "postgres://localhost:5432/main", "postgres://user@localhost/main", "redis://cache:6379/0",
    "The password for the wifi is on the fridge.", "她的微信号是 tea_lover_2020，密码我不知道。",
)  # fmt: skip
SUBJECTS = ("Anna", "Ben", "my sister", "the team", "the landlord", "小王", "老师", "we")
DEEDS = (
    "moved to Lisbon in {year}", "likes green tea", "has {n} cats", "meets at {n}:30 on Fridays",
    "paid {n}00 euros", "works from home since {year}", "搬到了上海", "每周三去游泳", "买了{n}本书",
    "runs {n} km before breakfast", "reads about version {n}.{n}.1", "called from room {n}04",
)  # fmt: skip


def _talk(dice: random.Random) -> str:
    return dice.choice(TALK)


def _chat(dice: random.Random) -> str:
    deeds = (
        f"{dice.choice(SUBJECTS)} {dice.choice(DEEDS)}".format(
            year=dice.randrange(1990, 2027), n=dice.randrange(1, 60)
        )
        for _ in range(dice.randrange(1, 4))
    )
    return ". ".join(deeds) + "."


def plain(number: int, seed: int) -> Iterator[str]:
    """Make texts without a secret; a half of them hold something that looks a little like one.

    Args:
        number: how many.
        seed: of the dice; the same seed gives the same texts.
    """
    dice = random.Random(seed)  # noqa: S311 - made up, and the same each time
    for turn in range(number):
        match turn % 4:
            case 0 | 1:
                thing = dice.choice(THINGS)(dice)
                yield dice.choice(FRAMES).format(thing)
            case 2:
                yield _chat(dice)
            case _:
                yield _talk(dice) + (" " + _chat(dice) if dice.random() < 0.5 else "")
