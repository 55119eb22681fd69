"""A small library whose files a test edits as a person would, and what must hold after each edit."""

from __future__ import annotations

from pathlib import Path

from memoranda import Memory, Settings
from memoranda.edits import Adopted
from scene import Place, home, rows

CALM = Settings(auto=False, structure="off")
LINES = (
    "The ferry to Skarholm leaves at nine.",
    "I like the blue kiln.",
    "The goats sleep in the low barn.",
    "The orchard needs lime.",
    "渡轮遇到大雨就停开。",
    "The vault key hangs under the stairs.",
    "The deployment limit is 40 pods.",
    "Mira paints the fence in May.",
)
WAITING = ("The rope waits in the shed.", "The lamp waits on the pier.", "The oars wait outside.")


def filled(place: Place) -> None:
    """Four documents of two lines each, and three lines in CURRENT."""
    place.settings = CALM
    with place.open() as memory:
        for number, text in enumerate(LINES):
            memory.add(text, session=f"s{number // 2}", time=f"2026-05-{number + 1:02}")
        memory.consolidate()
        for text in WAITING:
            memory.add(text)


def path_of(place: Place, document_id: str) -> Path:
    """The file of a document, or of CURRENT."""
    if document_id == "CURRENT":
        return place.folder / "CURRENT.md"
    return next((place.folder / "topics").glob(f"*-{document_id}.md"))


def text_of(place: Place, document_id: str) -> str:
    return path_of(place, document_id).read_text(encoding="utf-8")


def edit(place: Place, document_id: str, *pairs: tuple[str, str]) -> str:
    """Replace texts in a file, each of which must stand there; give what it was."""
    before = after = text_of(place, document_id)
    for old, new in pairs:
        assert old in after, old
        after = after.replace(old, new, 1)
    path_of(place, document_id).write_text(after, encoding="utf-8")
    return before


def append(place: Place, document_id: str, text: str) -> None:
    path = path_of(place, document_id)
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def printed(place: Place, document_id: str, words: str) -> str:
    """The line of a file that holds some words, with its signature."""
    lines = text_of(place, document_id).split("\n")
    return next(line for line in lines if words in line and line.startswith("- "))


def without(place: Place, document_id: str, words: str) -> None:
    """Take the line that holds some words out of a file."""
    lines = text_of(place, document_id).split("\n")
    (number,) = [at for at, line in enumerate(lines) if words in line and line.startswith("- ")]
    del lines[number]
    path_of(place, document_id).write_text("\n".join(lines), encoding="utf-8")


def adopted(memory: Memory) -> Adopted:
    """What the last edit came to; there is one."""
    found = memory.status().edited
    assert found is not None
    return Adopted(**{name: _tuples(value) for name, value in found.items()})


def _tuples(value: object) -> object:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def sound(place: Place, memory: Memory) -> None:
    """What must hold after every edit: a rebuild gives the same rows and bytes, a check finds nothing."""
    before, files = rows(memory), place.files()
    home(memory).drop_index()
    memory.rebuild()
    assert rows(memory) == before
    assert place.files() == files
    assert memory.check(full=True).flaws == ()


def lines(memory: Memory, document_id: str) -> list[str]:
    """The texts of a document, in print order."""
    if document_id == "CURRENT":
        return [entry.text for entry in memory.current()]
    return [entry.text for block in memory.document(document_id).blocks for entry in block.entries]
