"""Plans as data: what is written into the log comes back as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.store.operations import (
    Create,
    Duplicate,
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

seqs = st.integers(1, 9999)
some = st.lists(seqs, min_size=1, max_size=4, unique=True).map(tuple)
texts = st.builds(Text, text=st.text(max_size=20), made_from=some)
maybe = st.none() | texts
names = seqs.map(lambda number: f"d{number}")
blocks = st.builds(NewBlock, headings=st.tuples(texts), seqs=some)
many = st.lists(blocks, max_size=3).map(tuple)
parts = st.builds(Part, document_id=names, title=texts, summary=texts, blocks=some)
operations: st.SearchStrategy[Operation] = st.one_of(
    st.builds(
        Create,
        document_id=names,
        project=st.none() | st.just("acme"),
        title=texts,
        summary=texts,
        blocks=many,
    ),
    st.builds(Update, document_id=names, title=maybe, summary=texts, blocks=many),
    st.builds(
        Split,
        document_id=names,
        title=maybe,
        summary=texts,
        parts=st.lists(parts, max_size=2).map(tuple),
    ),
    st.builds(
        Merge,
        document_id=names,
        absorbs=st.lists(names, max_size=2).map(tuple),
        title=maybe,
        summary=texts,
    ),
    st.builds(Supersede, older=seqs, newer=seqs),
    st.builds(Duplicate, seq=seqs, of=seqs),
)
plans = st.builds(
    Plan,
    plan_id=st.just("p1"),
    kind=st.sampled_from(("consolidate", "reshape")),
    epoch=seqs,
    window=some,
    input_event_ids=st.lists(st.text(max_size=5), max_size=3).map(tuple),
    versions=st.dictionaries(names, seqs, max_size=3),
    operations=st.lists(operations, max_size=4).map(tuple),
    warnings=st.lists(st.text(max_size=9), max_size=2).map(tuple),
    by=st.just("rules/1"),
)


@settings(max_examples=60)
@given(plans)
def test_a_plan_survives_the_log(plan: Plan) -> None:
    assert Plan.from_json("p1", json.loads(json.dumps(plan.to_json()))) == plan


def test_a_plan_holds_seqs_and_never_the_text_of_an_entry() -> None:
    plan = Plan(
        plan_id="p1",
        kind="consolidate",
        epoch=1,
        window=(1,),
        input_event_ids=("e1",),
        versions={},
        operations=(Supersede(older=1, newer=2), Duplicate(seq=4, of=3)),
        warnings=(),
        by="rules/1",
    )
    assert plan.to_json()["operations"] == [
        {"op": "supersede", "older": 1, "newer": 2},
        {"op": "duplicate", "seq": 4, "of": 3},
    ]


def test_an_operation_of_a_later_version_is_refused() -> None:
    body = {
        "kind": "consolidate",
        "epoch": 1,
        "window": [],
        "input_event_ids": [],
        "versions": {},
        "operations": [{"op": "dissolve"}],
        "warnings": [],
        "by": "rules/9",
    }
    with pytest.raises(ValueError, match="dissolve"):
        Plan.from_json("p1", body)
