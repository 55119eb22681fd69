"""A plan that is undone leaves the bytes as they were, and undoing that gives them back."""

from __future__ import annotations

import tempfile
from random import Random

from histories import may_be_undone
from undoing_laws import Life, plans, printed, random_history, random_sizes, seeds, sound, undone

from memoranda import Memory
from scene import fast, index_rows

WANTED = 60
"""Plans at least, of the few histories of every run."""


def consolidated(memory: Memory) -> int:
    """Consolidate; undo every plan, the last one first; undo the undos. Give how many plans."""
    known = len(plans(memory))
    seen: list[dict[str, str]] = []
    memory.consolidate(watch=lambda _: seen.append(printed(memory)))
    made, after = plans(memory)[known:], printed(memory)
    files, terms = memory.state(), index_rows(memory)
    undos = []
    for plan_id, before in zip(reversed(made), reversed(seen), strict=True):
        undos.append(memory.undo(plan_id).undo_id)
        assert printed(memory) == before, f"plan {plan_id} left something"
    for undo_id in reversed(undos):
        memory.undo(undo_id)
    assert printed(memory) == after
    assert memory.state() == files
    assert index_rows(memory) == terms
    return len(made)


def test_a_plan_that_is_undone_leaves_the_bytes_as_they_were() -> None:
    number = 0
    for seed in seeds(9, 220):
        random = Random(seed)  # noqa: S311 - no secret
        with tempfile.TemporaryDirectory(dir=fast()) as folder:
            life = Life(folder, random_sizes(random, auto=False))
            for step in random_history(random, without=("mode", "undo", "reopen")):
                if step.do == "consolidate":
                    number += consolidated(life.memory)
                else:
                    life.do(step)
            sound(life.memory)
            life.place.close()
    assert number >= WANTED


def test_no_later_edit_is_lost_whatever_is_undone() -> None:
    number = again = 0
    for seed in seeds(8, 250):
        random = Random(1000 + seed)  # noqa: S311 - no secret
        with tempfile.TemporaryDirectory(dir=fast()) as folder:
            life = Life(folder, random_sizes(random))
            for step in random_history(random):
                if step.do != "undo":
                    life.do(step)
                    continue
                known, before = may_be_undone(life.memory), printed(life.memory)
                done = undone(life.memory, known[step.with_[0] % len(known)]) if known else None
                number += done is not None
                if done is not None and step.with_[0] % 2:
                    life.memory.undo(done.undo_id)
                    assert printed(life.memory) == before
                    again += 1
            sound(life.memory)
            life.place.close()
    assert number >= 12
    assert again >= 4
