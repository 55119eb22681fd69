"""Secrets of 40 made-up kinds are found, plain texts are left alone, and no text takes long."""

from __future__ import annotations

import re
import time

import pytest
from evals.hidden import left
from evals.secrets_kinds import SEEN, made_up
from evals.secrets_plain import plain
from evals.secrets_unseen import UNSEEN
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text.secrets import find, hidden, mark

MARK = re.compile(r"\[secret: [a-z-]+\]")
SEEDS = (101, 102)
MILLION = 1_000_000


def test_there_are_forty_kinds_and_ten_of_them_are_not_named_by_the_rules() -> None:
    assert (len(SEEN), len(UNSEEN), set(SEEN) & set(UNSEEN)) == (30, 10, set())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("unseen", [False, True])
def test_of_a_thousand_secrets_ninety_five_in_a_hundred_are_found(
    seed: int,
    unseen: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    missed = [
        item.kind
        for item in made_up(1000, seed, unseen=unseen)
        if left(item.secret, hidden(item.text)[0])
    ]
    assert len(missed) <= 50, missed


@pytest.mark.parametrize("seed", SEEDS)
def test_of_ten_thousand_plain_texts_not_one_in_a_thousand_is_marked(seed: int) -> None:
    marked = [text for text in plain(10_000, seed) if find(text)]
    assert len(marked) <= 10, marked


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我的密码是 lemon2031", "password"),
        ("WiFi密码改成了 Tiger#99", "password"),
        ("the password for the printer is quartz77", "password"),
        ('{"password": "ember lake"}', "password"),
        ("see postgres://app:h9Kq2LmZ7@db/main", "password-in-link"),
        ("Authorization: Bearer abc123DEF456ghi789JKL", "authorization-header"),
        ("密钥：aB3xK9mQ2wE7rT5yU1iO", "named-key"),
        ("卡号 4111 1111 1111 1111", "payment-card"),
    ],
)
def test_a_secret_is_named_by_its_kind_and_nothing_else_of_it_is_left(text: str, kind: str) -> None:
    safe, kinds = hidden(text)
    assert kinds == (kind,)
    assert mark(kind) in safe


@pytest.mark.parametrize(
    "text",
    [
        "My password is too short.",
        "忘记密码怎么办？",
        "password: ********",
        "token = get_token(user)",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "order number 4111111111111111",
        "https://docs.example.com/d/1aBcD2eFgH3iJkL4mNoP5qRsT6uVwX7yZ/edit",
        "getUserAccountSettingsByTenantIdentifierV2",
        "max_tokens=4096, tokens: 123456",
        "auth=AuthSettings, token_verifier=TokenVerifier",
        "她的密码我不知道。",
    ],
)
def test_what_only_looks_a_little_like_a_secret_stays(text: str) -> None:
    assert hidden(text) == (text, ())


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.integers(0, 2**32), st.text(max_size=50))
def test_a_text_that_was_screened_is_clean(before: str, seed: int, after: str) -> None:
    item = next(iter(made_up(1, seed)))
    safe, kinds = hidden(f"{before} {item.text} {after}")
    assert len(MARK.findall(safe)) >= len(kinds)
    assert [k for _, _, k in find(safe) if k not in kinds] == []


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=":=/@.-_ \"'abckeyptokn密码是AZ019\n", max_size=300))
def test_spans_lie_in_the_text_in_order_and_apart(text: str) -> None:
    at = 0
    for start, end, _ in find(text):
        assert at <= start < end <= len(text)
        at = end


@pytest.mark.parametrize(
    "piece",
    [
        "a", "eyJ", "password is ", "key=", "token: ", "://", "-----BEGIN ", "4111 ", "aA1", "密码是", "sk-",
        "xoxb-1", 'password="', "eyJaaaaaaaaa.", "a:b@://", "-----BEGIN PRIVATE KEY-----", "Bearer ",
    ],
)  # fmt: skip
def test_a_line_of_a_megabyte_is_one_pass(piece: str) -> None:
    """Sixteen times as long takes nowhere near 256 times as long: no rule looks back over what it saw."""

    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        begun = time.process_time()
        hidden(text)
        return time.process_time() - begun

    short = min(seconds(MILLION // 128) for _ in range(3))
    assert min(seconds(MILLION // 8) for _ in range(3)) < 80 * short + 0.1


def test_a_text_of_a_megabyte_takes_seconds() -> None:
    line = "key=password is token: eyJ://a:b@ 4111 1111 1111 1112 密码是 sk-aA1 "
    begun = time.process_time()
    hidden(line * (MILLION // len(line)))
    assert time.process_time() - begun < 60
