"""Names hold for one call only."""

from __future__ import annotations

import pytest
from forms_in_use import FORM, OFFERED
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import ReplyError
from memoranda.llm.aliases import Aliases

NONCE = "0123456789abcdef"


@given(st.lists(st.integers(), unique=True, max_size=12))
def test_each_key_has_one_name_and_each_name_its_key(keys: list[int]) -> None:
    aliases = Aliases("e", keys, nonce=NONCE)
    assert [aliases.key(name) for name in aliases] == keys
    assert [aliases.of(key) for key in keys] == list(aliases)
    assert len(aliases) == len(set(aliases)) == len(keys)


def test_names_are_short_and_the_same_for_the_same_nonce() -> None:
    assert list(Aliases("e", [7, 9], nonce=NONCE)) == list(Aliases("e", [7, 9], nonce=NONCE))
    assert all(len(name) == 4 for name in Aliases("e", [7, 9], nonce=NONCE))


def test_names_of_other_calls_are_refused_and_none_is_guessed() -> None:
    here = Aliases("e", [1, 2], nonce=NONCE)
    names = [name for n in range(400) for name in Aliases("e", [1, 2], nonce=f"{n:08x}")]
    strange = [name for name in names if name not in here]
    assert len(strange) >= 790
    first = next(iter(here))
    for name in (*strange[:50], "e1", first.upper(), f" {first}", f"{first}0", ""):
        with pytest.raises(ReplyError) as caught:
            here.key(name)
        assert caught.value.reason == "unknown_alias"


def test_a_form_takes_them_as_what_is_offered() -> None:
    aliases = Aliases("e", [41, 42], nonce=NONCE)
    draft = FORM.read(
        {"operations": [{"op": "keep", "entries": list(aliases)}]}, {**OFFERED, "entry": aliases}
    )
    assert [aliases.key(name) for name in draft.operations[0].entries] == [41, 42]
