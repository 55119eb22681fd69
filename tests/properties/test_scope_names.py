"""Claims about every name: folder names are safe, distinct and give the name back."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.errors import ScopeNameError
from memoranda.store.files import portable
from memoranda.store.scope import MAX_FOLDER_NAME, Scope, check_name, decode, encode, folder

TRICKY = st.sampled_from(
    [
        "con",
        "CON",
        "nul.txt",
        "_",
        "%h",
        "%41",
        "..a",
        "a..",
        "ß",
        "ẞ",
        "İ",
        "ı",
        "K",
        "Ω",
        "e\u0301",
    ]
)
TEXTS = st.one_of(
    TRICKY,
    st.text(max_size=40),
    st.text(alphabet="aA.%_- h41", max_size=12),
    st.text(alphabet="张伟计费客户", min_size=10, max_size=300),
)


def allowed(text: str) -> bool:
    try:
        check_name("user", text)
    except ScopeNameError:
        return False
    return True


NAMES = TEXTS.filter(allowed)


@given(NAMES)
@settings(max_examples=100)
def test_a_folder_name_is_safe_on_every_file_system(name: str) -> None:
    made = encode(name)
    assert re.fullmatch(r"[a-z0-9%_@][a-z0-9%_@.-]*", made)
    assert portable(made) is None
    assert made == made.lower() != "_"
    assert len(made) <= MAX_FOLDER_NAME


@given(NAMES)
@settings(max_examples=100)
def test_a_folder_name_gives_the_name_back_unless_it_ends_in_a_hash(name: str) -> None:
    hashed = re.search("%h[0-9a-f]{40}$", encode(name))
    assert decode(encode(name)) == (None if hashed else unicodedata.normalize("NFC", name))


@given(st.lists(NAMES, min_size=2, max_size=8))
@settings(max_examples=100)
def test_two_names_never_share_a_folder(names: list[str]) -> None:
    wanted = {unicodedata.normalize("NFC", name) for name in names}
    assert len({encode(name) for name in names}) == len(wanted)


@given(TEXTS, st.none() | TEXTS)
@settings(max_examples=100)
def test_any_text_is_refused_or_gives_a_folder_two_steps_below_users(
    user: str, workspace: str | None
) -> None:
    try:
        scope = Scope(user, workspace)
    except ScopeNameError:
        return
    place = folder(Path("root"), scope)
    assert place.parent.parent == Path("root/users")
    assert ".." not in place.parts
