"""Whatever writes a text, the scan knows the form: what encoders make is among the forms."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import quote, quote_plus, unquote_to_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text.forms import Form, forms

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
AROUND = st.binary(max_size=7)
FEW = settings(max_examples=60, deadline=None)


def datas(text: str, name: str | None = None) -> list[bytes]:
    return [form.data for form in forms(text) if name in {None, form.name}]


@FEW
@given(TEXTS)
def test_what_json_escapes_is_a_form(text: str) -> None:
    assert json.dumps(text)[1:-1].encode() in datas(text)
    assert json.dumps(text, ensure_ascii=False)[1:-1].encode() in datas(text)


@FEW
@given(TEXTS)
def test_what_a_url_escapes_is_a_form(text: str) -> None:
    for written in (quote(text), quote(text, safe=""), quote_plus(text)):
        assert written.encode() in datas(text)


@FEW
@given(TEXTS)
def test_what_html_escapes_is_a_form(text: str) -> None:
    assert html.escape(text).encode() in datas(text)
    assert html.escape(text, quote=False).encode() in datas(text)
    assert html.escape(text).encode("ascii", "xmlcharrefreplace") in datas(text)


@FEW
@given(TEXTS, AROUND, AROUND)
def test_base64_is_known_whatever_stands_around(text: str, before: bytes, after: bytes) -> None:
    data = before + text.encode() + after
    for written in (base64.b64encode(data), base64.urlsafe_b64encode(data)):
        assert any(part in written for part in datas(text, "base64")) or len(text.encode()) < 3
    wide = base64.b64encode(before + text.encode("utf-16le") + after)
    assert any(part in wide for part in datas(text, "base64 of utf-16le")) or len(text) < 2


@FEW
@given(TEXTS)
def test_every_encoding_and_spelling_is_a_form(text: str) -> None:
    for encoding in ("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"):
        assert text.encode(encoding) in datas(text)
    for spelled in (
        *(unicodedata.normalize(kind, text) for kind in ("NFC", "NFD", "NFKC")),
        text.upper(),
    ):
        assert spelled.encode() in datas(text)
    assert text.encode().hex().encode() in datas(text, "hex")


@FEW
@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=20))
def test_a_form_can_be_read_back(text: str) -> None:
    spellings = {unicodedata.normalize(kind, text) for kind in ("NFC", "NFD")} | {text}
    readers: dict[str, Callable[[bytes], str]] = {
        "json": lambda data: str(json.loads(b'"' + data + b'"')),
        "html": lambda data: html.unescape(data.decode()),
        "url": lambda data: unquote_to_bytes(data).decode(),
        "hex": lambda data: bytes.fromhex(data.decode()).decode(),
    }
    once = {
        json.dumps(kind, ensure_ascii=some)[1:-1] for kind in spellings for some in (True, False)
    }
    read_back = {"json": spellings | once, "html": spellings, "url": spellings, "hex": spellings}
    for form in forms(text):
        if form.name in readers and not (form.name == "url" and b"+" in form.data):
            read = readers[form.name](form.data)
            assert _small(read) in map(_small, read_back[form.name]), form


def _small(text: str) -> str:
    """The hexadecimal digits of an escape may be in capitals."""
    return re.sub(r"\\u[0-9A-Fa-f]{4}", lambda m: m[0].lower(), text)


@FEW
@given(TEXTS)
def test_no_bytes_come_twice_and_wide_ones_apart(text: str) -> None:
    found = forms(text)
    assert len({form.data for form in found}) == len(found)
    assert all(form.data for form in found)
    narrow, wide = forms(text, wide=False), forms(text, wide=True)
    assert {f.data for f in narrow} | {f.data for f in wide} >= {
        f.data for f in found if f.name != "index terms"
    }
    assert not any(f.wide for f in narrow)
    assert all(f.wide for f in wide)


def test_a_lone_surrogate_is_no_obstacle() -> None:
    assert b"a\xed\xa0\x80b" in datas("a\ud800b")
    assert b"a\\ud800b" in datas("a\ud800b")


@pytest.mark.parametrize(
    "form",
    [
        Form("utf-8", "Größe".encode()),
        Form("json", b"Gr\\u00f6\\u00dfe"),
        Form("json", b"Gr\\u00F6\\u00DFe"),
        Form("url", b"Gr%c3%b6%c3%9fe"),
        Form("html", b"Gr&#xF6;&#xDF;e"),
        Form("html", b"&#71;&#114;&#246;&#223;&#101;", wide=True),
        Form("nfd", "Gro\u0308ße".encode()),
        Form("casefold", "grösse".encode()),
        Form("upper", "GRÖSSE".encode()),
    ],
    ids=lambda form: str(form.data),
)
def test_a_form_has_its_name(form: Form) -> None:
    assert form in forms("Größe")
