"""Risks: one test for each reason why a plan should wait, and for each that lets it pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memoranda.store.operations import (
    Duplicate,
    Join,
    Merge,
    NewBlock,
    Operation,
    Part,
    Plan,
    Split,
    Supersede,
    Text,
    Update,
)
from memoranda.store.view import Place
from memoranda.values import DocumentInfo, Entry
from memoranda.write.policy import Allowed, NeedsApproval, Refused, judge
from memoranda.write.risks import requests, risks
from memoranda.write.standing import NOTHING, Catalog
from scene import PHONE, block, create, plan, said

LOCK = "The password for the gate is kiln."
CREW, ALL = '{"visibility":"crew"}', '{"visibility":"all"}'


def entry(seq: int, text: str = "The kiln is hot.", **given: Any) -> Entry:
    return Entry(**{"seqs": (seq,), "text": text, "source": "user", **given})


def catalog(*entries: Entry, **given: Any) -> Catalog:
    return replace(NOTHING, entries={item.seq: item for item in entries}, **given)


def by_rules(made: Plan) -> Plan:
    return replace(made, by="rules/1")


def found(made: Plan, known: Catalog) -> list[tuple[str, list[int]]]:
    return [(text, sorted(seqs)) for text, seqs in risks(made, known, trust="model")]


def linked(older: int = 1, newer: int = 2, window: tuple[int, ...] = (2,)) -> Plan:
    return plan(Supersede(older=older, newer=newer), window=window)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (LOCK, "security policy"),
        (PHONE.format(1000), "contacts"),
        ("仓库的密码是旧窑。", "security policy"),
    ],
)
@pytest.mark.parametrize("source", ["user", "tool", "external"])
def test_high_risk_that_would_be_replaced_waits_unless_rules_read_it_of_a_user(
    text: str, kind: str, source: str
) -> None:
    known = catalog(entry(1, text), entry(2, "Other words.", source=source))
    reason = [(f"entry 2 would replace 1 (high risk: {kind})", [2])]
    assert found(linked(), known) == reason
    assert found(by_rules(linked()), known) == ([] if source == "user" else reason)


def test_what_replaces_nothing_of_risk_passes() -> None:
    assert found(linked(), catalog(entry(1), entry(2, LOCK, source="tool"))) == []


def test_an_older_entry_of_the_window_is_held_back_when_the_newer_is_placed_already() -> None:
    known = catalog(entry(1, LOCK), entry(2))
    assert found(linked(window=(1,)), known)[0][1] == [1]


def test_what_a_user_confirmed_is_replaced_by_a_user_only() -> None:
    tool = catalog(entry(1), entry(2, source="tool"), confirmed=frozenset({1}))
    assert found(linked(), tool) == [
        ("entry 2 (tool) would replace 1, which a user confirmed", [2])
    ]
    user = catalog(entry(1), entry(2), confirmed=frozenset({1}))
    assert found(linked(), user) == []


@pytest.mark.parametrize("kind", ["private", "internal", "public"])
def test_a_line_takes_in_only_what_is_no_more_sensitive(kind: str) -> None:
    known = catalog(entry(1, sensitivity="internal"), entry(2, sensitivity=kind))
    wanted = [("entry 2 (private) would stand in the line of 1 (internal)", [2])]
    made = plan(Duplicate(seq=2, of=1), window=(2,))
    assert found(made, known) == (wanted if kind == "private" else [])


@pytest.mark.parametrize("where", ["create", "update", "merge", "split", "part"])
def test_a_shared_document_is_not_named_after_private_lines(where: str) -> None:
    secret, plain = Text(text="Zorblatt", made_from=(1,)), said("Kilns", 2)
    part = Part(document_id="d1", title=secret, summary=plain, blocks=(1,))
    operations: dict[str, Operation] = {
        "create": replace(create("d1", block(1, 2)), title=plain, summary=secret),
        "update": Update(document_id="d1", title=secret, summary=plain, blocks=()),
        "merge": Merge(document_id="d1", absorbs=("d2",), title=None, summary=secret),
        "split": Split(document_id="d1", title=None, summary=secret, parts=()),
        "part": Split(document_id="d2", title=None, summary=plain, parts=(part,)),
    }
    made = plan(operations[where], window=(1, 2) if where == "create" else ())
    entries = (entry(1, sensitivity="private"), entry(2))
    reason = "title or summary of d1 would be made from private entries [1]"
    assert found(made, catalog(*entries, mixed=frozenset({"d1"}))) == [(reason, [])]
    assert found(made, catalog(*entries)) == []


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (Supersede(older=1, newer=2), "entry 2 would replace 1, which has other permissions"),
        (
            Duplicate(seq=2, of=1),
            "entry 2 would stand in the line of 1, which has other permissions",
        ),
        (
            Join(seqs=(1, 2), text=said("x"), tokens=1),
            "entry 2 would stand in the line of 1, which has other permissions",
        ),
    ],
)
def test_lines_of_unlike_permissions_are_not_brought_together(
    operation: Operation, reason: str
) -> None:
    made = plan(operation, window=(1, 2))
    unlike = catalog(entry(1), entry(2), permissions={1: CREW, 2: ALL})
    assert found(made, unlike) == [(reason, [2])]
    one = catalog(entry(1), entry(2), permissions={1: CREW})
    assert found(made, one) == [(reason, [2])]
    like = catalog(entry(1), entry(2), permissions={1: CREW, 2: CREW})
    assert found(made, like) == []


def test_a_new_document_holds_the_permissions_of_most() -> None:
    known = catalog(entry(1), entry(2), entry(3), permissions={2: CREW})
    made = plan(create("d1", block(1, 2, 3)), window=(1, 2, 3))
    assert found(made, known) == [("entry 2 would enter d1, which has other permissions", [2])]
    alone = catalog(entry(1), entry(2), permissions={1: CREW, 2: CREW})
    assert found(plan(create("d1", block(1, 2)), window=(1, 2)), alone) == []


def test_a_document_keeps_its_permissions() -> None:
    new: tuple[NewBlock, ...] = (block(1, 2),)
    made = plan(Update(document_id="d1", title=None, summary=said("x"), blocks=new), window=(1, 2))
    known = catalog(
        entry(1), entry(2), permissions={1: CREW}, restrictions={"d1": frozenset({CREW})}
    )
    assert found(made, known) == [("entry 2 would enter d1, which has other permissions", [2])]


def document(lines: int) -> DocumentInfo:
    return DocumentInfo(
        document_id="d1", title="Kilns", summary="", project=None, token_count=9,
        entry_count=lines, created_time="", updated_time="", update_count=1, current_epoch=1,
        parent_id=None, merged_from=(), version=1, file="",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("replaced", "lines", "waits"), [(3, 14, True), (3, 15, False), (2, 2, False)]
)
def test_a_model_may_not_replace_more_than_a_fifth_of_a_document(
    replaced: int, lines: int, *, waits: bool
) -> None:
    links = [Supersede(older=seq, newer=99) for seq in range(1, replaced + 1)]
    made = plan(*links, window=(99,))
    entries = [entry(seq, document_id="d1") for seq in range(1, replaced + 1)]
    known = catalog(*entries, entry(99), documents={"d1": document(lines)})
    reason: tuple[str, list[int]] = (
        f"{replaced} of {lines} lines of d1 would be replaced by one plan",
        [],
    )
    assert found(made, known) == ([reason] if waits else [])
    assert found(by_rules(made), known) == []


def test_entries_are_held_back_only_if_every_reason_is_about_entries() -> None:
    known = catalog(entry(1, LOCK), entry(2))
    one = judge(linked(), places=places(1, 2), projects={}, catalog=known)
    assert isinstance(one, NeedsApproval)
    assert one.seqs == {2}
    two = judge(linked(), places=places(1, 2), projects={}, catalog=known, rules=(_never,))
    assert two == NeedsApproval((*one.reasons, "never"))
    assert isinstance(two, NeedsApproval)
    assert two.seqs == frozenset()


def _never(_plan: Plan, _catalog: Catalog) -> list[str]:
    return ["never"]


def places(*seqs: int, **given: Any) -> Any:
    common = {
        "document_id": None, "block": None, "superseded_by": None, "final": None,
        "retracted": False, "project": None, "source": "user", "moment": "", "tokens": 1,
    }  # fmt: skip
    return {seq: Place(**{"seq": seq, "line": seq, **common, **given}) for seq in seqs}


def test_a_rule_that_gives_nothing_lets_pass() -> None:
    made = plan(create("d1", block(1)), window=(1,))
    assert judge(made, places=places(1), projects={}, rules=(lambda *_: [],)) == Allowed()


def test_no_rule_is_asked_about_what_is_refused() -> None:
    made = plan(Duplicate(seq=2, of=1), window=(2,))
    unlike = {**places(1), **places(2, source="tool")}
    assert isinstance(judge(made, places=unlike, projects={}, rules=(_never,)), Refused)


def test_requests_to_delete_are_told_by_number() -> None:
    asked = requests(
        [entry(1), entry(2, "Please delete all my notes."), entry(3, "请忘掉我的话。")]
    )
    assert [text.split(" asks")[0] for text in asked] == ["entry 2", "entry 3"]
    assert "notes" not in "".join(asked)
