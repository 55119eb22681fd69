"""Sessions, forms and what the site is made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memoranda.web
from memoranda.errors import InputError
from memoranda.reports import Forgotten
from memoranda.web import sessions
from memoranda.web.answers import SESSION, cookie_name
from memoranda.web.forms import fields
from memoranda.web.sessions import Sessions, same
from memoranda.web.visit import Look, address

FOLDER = Path(memoranda.web.__file__).parent


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_ends_when_nobody_uses_it() -> None:
    seconds = Seconds()
    found = Sessions(seconds=seconds)
    cookie, session = found.begin("t1")
    seconds.now += sessions.IDLE - 1
    assert found.find(cookie) is session
    seconds.now += sessions.IDLE - 1
    assert found.find(cookie) is session
    seconds.now += sessions.IDLE + 1
    assert found.find(cookie) is None


def test_of_too_many_sessions_the_one_unused_for_longest_goes() -> None:
    found = Sessions()
    first, second = found.begin("t1")[0], found.begin("t2")[0]
    found.find(first)
    for _ in range(sessions.MOST - 1):
        found.begin("t3")
    assert found.find(first) is not None
    assert found.find(second) is None


def test_the_site_keeps_no_cookie_that_it_gave_out() -> None:
    found = Sessions()
    cookie, _ = found.begin("t1")
    assert cookie not in repr(vars(found))


def test_marks_and_cookies_differ_by_session() -> None:
    found = Sessions()
    pairs = [found.begin("t1") for _ in range(20)]
    assert len({cookie for cookie, _ in pairs}) == len({one.mark for _, one in pairs}) == 20
    assert same(pairs[0][1].mark, pairs[0][1].mark)
    assert not same("", pairs[0][1].mark)
    assert not same("\ud800é", pairs[0][1].mark)


def test_a_note_is_told_once_and_receipts_are_bounded() -> None:
    _, session = Sessions().begin("t1")
    session.note = ("did.approved", "p1")
    assert session.took() == ("did.approved", "p1")
    assert session.took() is None
    for number in range(40):
        session.keep(_receipt(f"f{number}"))
    assert [*session.receipts] == [f"f{number}" for number in range(20, 40)]


def _receipt(name: str) -> Forgotten:
    return Forgotten(
        forget_id=name, position=1, events=(), seqs=(), anew=(), records=0, updated=(), retired=()
    )


def test_over_https_the_cookie_is_bound_to_the_host() -> None:
    class Secure:
        secure = True

    assert cookie_name(SESSION, Secure()) == "__Host-memoranda_session"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cookie", "language", "theme"),
    [
        ("zh.dark", "zh", "dark"),
        ("", "en", "auto"),
        ("zh", "zh", "auto"),
        ("<script>.evil", "en", "auto"),
        ("dark.light.zh.en", "en", "light"),
    ],
)
def test_a_look_is_one_of_ours_whatever_the_cookie_holds(
    cookie: str, language: str, theme: str
) -> None:
    look = Look.of(cookie, "")
    assert (look.language, look.theme) == (language, theme)


def test_a_form_keeps_several_values_and_refuses_what_is_odd() -> None:
    assert fields("seq=1&seq=2&q=%E8%8C%B6") == {"seq": ("1", "2"), "q": ("茶",)}
    for odd in ("q=%00", "q=%ff", "&".join(["a=1"] * 600)):
        with pytest.raises(InputError):
            fields(odd)


def test_addresses_are_escaped_and_leave_out_what_is_empty() -> None:
    assert address("documents", "a/b?c#d", view="", v=None) == "/documents/a%2Fb%3Fc%23d"
    assert address("trace", c="d1@2:3 &x=") == "/trace?c=d1%402%3A3+%26x%3D"


def test_nothing_that_we_send_names_another_host() -> None:
    known = {"http://www.w3.org/2000/svg"}
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in {".html", ".css", ".js", ".svg", ".json"}:
            text = path.read_text(encoding="utf-8")
            assert (
                set(re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\"' ]*", text)) <= known
            ), path


def test_our_script_makes_no_markup_and_asks_nothing_of_the_network() -> None:
    text = (FOLDER / "static" / "page.js").read_text(encoding="utf-8")
    banned = (
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|fetch|XMLHttp|import\("
    )
    assert re.findall(banned, text) == []
    assert len(text) < 5_000
