"""Any edits, in any order: a rebuild gives the same bytes, each state replays, undo gives back what was."""

from __future__ import annotations

import tempfile
from pathlib import Path

from editing_place import CALM, filled, sound
from hypothesis import given, settings
from hypothesis import strategies as st
from races import LONG

from memoranda.errors import UndoError
from scene import Place, fast

TEXTS = st.sampled_from(
    [
        "The gulls are back.",
        "海鸥回来了。",
        "two\n  lines",
        "[ ] a box #tag [[d1]]",
        "- <seq=3> no signature",
        "**bold** `code` \\{2D} <b>x</b>",
        "   blanks around   ",
    ]
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["add", "correct", "remove", "swap", "move", "head", "title", "tag", "grow"]
        ),
        st.integers(0, 30),
        st.integers(0, 30),
        TEXTS,
    ),
    min_size=1,
    max_size=6,
)


def _edit(place: Place, kind: str, one: int, two: int, text: str) -> None:
    """One edit of a person, in one file or two."""
    files = sorted([*(place.folder / "topics").glob("*.md"), place.folder / "CURRENT.md"])
    path = files[one % len(files)]
    lines = path.read_text("utf-8").rstrip("\n").split("\n")
    items = [at for at, line in enumerate(lines) if line.startswith("- <seq=")]
    at = items[two % len(items)] if items else -1
    match kind:
        case "correct" if items:
            lines[at] += f" {text}"
        case "remove" if items:
            del lines[at]
        case "swap" if len(items) > 1:
            other = items[(two + 1) % len(items)]
            lines[at], lines[other] = lines[other], lines[at]
        case "move" if items:
            line = lines.pop(at)
            target = files[(one + 1) % len(files)]
            target.write_text(target.read_text("utf-8") + f"{line}\n", "utf-8")
        case "head":
            lines += ["", f"## {text.strip().split(chr(10))[0]}", "", f"- {text}"]
        case "title":
            lines = [
                f"# {text.split(chr(10), maxsplit=1)[0]} {two}" if line[:2] == "# " else line
                for line in lines
            ]
        case "tag":
            lines.insert(1, f"tags: [x{two}]")
        case _:
            lines += ["", text]
    path.write_text("\n".join(lines) + "\n", "utf-8")


@settings(max_examples=100 if LONG else 6, deadline=None)
@given(STEPS)
def test_any_edits_rebuild_replay_and_undo(  # noqa: PLR0915 - one life
    steps: list[tuple[str, int, int, str]],
) -> None:
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder) / "root", CALM)
        filled(place)
        states: list[tuple[int, dict[str, bytes]]] = []
        before = place.files()
        plans: list[tuple[str, dict[str, bytes]]] = []
        for kind, one, two, text in steps:
            _edit(place, kind, one, two, text)
            with place.open() as memory:
                if kind == "grow":
                    memory.add(text)
                    memory.consolidate()
                memory.adopt(new=False)
                memory.state()
                edited = memory.status().edited
                if edited and kind != "grow" and edited["plan_id"] not in dict(plans):
                    plans.append((edited["plan_id"], before))
                if kind == "grow":
                    plans.clear()
                before = place.files()
                states.append((memory.status().position, before))
        with place.open() as memory:
            assert place.files() == before
            sound(place, memory)
            for number, (position, files) in enumerate(states):
                target = Path(folder) / f"then-{number}"
                memory.replay(position, to=target)
                assert {
                    str(path.relative_to(target)): path.read_bytes()
                    for path in target.rglob("*.md")
                } == files
            for plan_id, files in reversed(plans):
                try:
                    memory.undo(plan_id)
                except UndoError:
                    break
                assert place.files() == files
            sound(place, memory)
        place.close()
