"""Field cases: text is kept byte for byte, whatever the locale, the zone or the content."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from processes import SOURCE, TESTS, bytes_below, ok, python, run

from cli_command import Command
from memoranda import Memory
from memoranda.errors import NotFoundError
from memoranda.store.documents import parse_document
from scene import Place

PIPED = "Ship → shore — “fresh” tea, ‘hot’: 緑茶と抹茶, naïve, 5 €."
LOCALES = {
    "the C locale": {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    "cp1252": {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
    "cp932": {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp932"},
}


def folder(root: Path) -> Path:
    return root / "users" / "default" / "_"


@pytest.mark.parametrize("locale", LOCALES)
def test_piped_text_is_stored_and_printed_as_utf_8_in_every_locale(
    root: Path, locale: str
) -> None:  # fc-024
    env = LOCALES[locale]
    ok(root, "add", "-", "--speaker", "緑川".encode(), given=PIPED.encode(), **env)
    current = (folder(root) / "CURRENT.md").read_bytes()
    assert current.count(PIPED.encode()) == 1
    assert (folder(root) / "memory.db").read_bytes().count(PIPED.encode()) >= 1
    found = run(root, "search", "抹茶".encode(), **env)
    assert PIPED in found.stdout.decode("utf-8")
    assert b"\xef\xbf\xbd" not in b"".join(bytes_below(root).values())
    assert b"Traceback" not in found.stderr


def test_a_name_the_locale_cannot_write_is_stored_in_utf_8_files(root: Path) -> None:  # fc-024
    env = LOCALES["the C locale"]
    ok(root, "add", "緑茶の葉は朝に摘む。".encode(), "--user", "緑川".encode(), **env)
    listed = ok(root, "consolidate", "--user", "緑川".encode(), **LOCALES["cp1252"])
    (path,) = root.glob("users/*/_/topics/*.md")
    assert "緑茶の葉は朝に摘む。" in path.read_bytes().decode("utf-8")
    assert "緑" in path.name
    assert b"created d1" in listed


# --- text that looks like our own marks -------------------------------------------------------

LOOK_ALIKES = (
    "--- title: stolen --- and then the rest of the line",
    "---",
    "---\ntitle: stolen\nid: d9\n---\nThe tide is low.",
    "+++ kind = 'x' +++",
    "# A heading of its own",
    "## 2026-06-01",
    "```python\nprint('x')\n```",
    "~~~",
    "The kiln is cold. <seq=9>",
    "- 2026-01-01 user: forged <seq=9> superseded_by=[3]",
    "The kiln is cold. (seq=9 source=user time=2026-01-01)",
    "<!-- seq=9 -->",
    "> quoted --- and dashed",
    "---\r\ntitle: stolen\r\n---\r\n",
    "\tindented --- text ---",
    "Trailing blanks   ",
    "***\nid: d1\n***",
)


def header_keys(data: bytes) -> list[str]:
    """The keys of the front matter, read as plainly as can be: from the first fence to the next."""
    lines = data.decode().split("\n")
    assert lines[0] == "---"
    end = lines.index("---", 1)
    return [line.split(":")[0] for line in lines[1:end] if line[:1] not in {" ", "-"}]


def test_text_that_looks_like_front_matter_or_a_citation_stays_text(
    place: Place, memoranda: Command
) -> None:  # fc-027
    memory = place.open()
    memory.add("The plain line of a plain document is here.")
    memory.consolidate()
    (plain,) = [data for name, data in place.files().items() if name != "CURRENT.md"]
    current = header_keys(place.files()["CURRENT.md"])
    ours = header_keys(plain)
    assert "title" in ours
    for number, text in enumerate(LOOK_ALIKES, start=2):
        added = memoranda("add", "-", "--id", f"x{number}", given=text.encode())
        assert added.exit_code == 0, added.stderr
    for place_of in ("CURRENT", "documents"):
        for number, text in enumerate(LOOK_ALIKES, start=2):
            assert memory.get(number).text == text  # type: ignore[union-attr]
            assert memory.get(f"x{number}").content == text  # type: ignore[union-attr]
            assert memoranda("get", f"x{number}").stdout_bytes == text.encode()
        for name, data in place.files().items():
            assert header_keys(data) == (current if name == "CURRENT.md" else ours), place_of
        memory.consolidate()
    entries = [
        entry
        for info in memory.documents()
        for part in memory.document(info.document_id).blocks
        for entry in part.entries
    ]
    assert sorted(entry.seqs for entry in entries) == [(n,) for n in range(1, len(LOOK_ALIKES) + 2)]
    assert [entry.superseded_by for entry in entries] == [None] * len(entries)
    assert {info.title for info in memory.documents()}.isdisjoint({"stolen"})
    files = place.files()
    place.drop()
    memory.rebuild()
    assert place.files() == files


def test_a_fake_mark_is_never_a_citation(memory: Memory, place: Place) -> None:  # fc-027
    marked = [text for text in LOOK_ALIKES if "seq=9" in text]
    memory.add("The kiln was lit in May.")
    for text in marked:
        memory.add(text)
    memory.consolidate()
    (file,) = (place.folder / "topics").glob("*.md")
    read = parse_document(file.read_text(encoding="utf-8"))
    lines = [line for part in read.blocks for line in part.lines]
    assert sorted(line.seqs for line in lines) == [(n,) for n in range(1, len(marked) + 2)]
    assert {line.text for line in lines} >= set(marked)
    assert {line.superseded_by for line in lines} == {None}
    for number, text in enumerate(marked, start=2):
        (claim,) = [claim for claim in memory.ask(text).claims if claim.quote == text]
        assert claim.seqs == (number,)
        assert claim.event_ids == memory.get(number).event_ids  # type: ignore[union-attr]
    with pytest.raises(NotFoundError):
        memory.get(9)


# --- zones ------------------------------------------------------------------------------------

ZONES = ("America/Los_Angeles", "Asia/Kolkata", "UTC")
CHANGES = ("2026-03-08", "2026-11-01")
"""Days on which clocks change in Los Angeles."""


IN_ZONE = """
import json, sys
from pathlib import Path
from cli_command import Command
from test_field_encodings import seen
print(json.dumps(seen(Command(Path(sys.argv[1])))))
"""


def around() -> str:
    """Events around two changes of the clock, as an import has them."""
    return "\n".join(
        json.dumps({"id": f"{day}/{hour}", "content": f"Log {day} {hour}: the tide.", "time": when})
        for day in CHANGES
        for hour, when in (
            ("first", f"{day}T00:30:00Z"),
            ("last", f"{day}T23:30:00+00:00"),
            ("west", f"{day}T16:45:00-07:00"),
        )
    )


def seen(memoranda: Command) -> list[list[str]]:
    """Import in this process's zone; give what each filter finds, and the Markdown."""
    memoranda.ok("import", "-", given=around())
    memoranda.ok("consolidate")
    found = []
    for given in (["--on", CHANGES[0]], ["--since", CHANGES[1]], ["--until", CHANGES[0]]):
        evidence = memoranda.json("search", "tide", *given)["evidence"]
        entries = [entry for item in evidence for entry in item["entries"]]
        found.append(sorted(f"{entry['external_ids'][0]} {entry['time']}" for entry in entries))
    shelf = folder(memoranda.root)
    files = [shelf / "CURRENT.md", *sorted((shelf / "topics").glob("*.md"))]
    return [*found, [path.read_text(encoding="utf-8") for path in files]]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="zones come from TZ on POSIX only")
def test_times_and_date_filters_are_the_same_in_every_zone(root: Path) -> None:  # fc-029
    here = Path(__file__).parent
    told = {
        zone: json.loads(
            python(IN_ZONE, root / zone.replace("/", "-"), paths=(SOURCE, TESTS, here), TZ=zone)
        )
        for zone in ZONES
    }
    on, since, until, files = told["UTC"]
    assert on == [
        "2026-03-08/first 2026-03-08T00:30Z",
        "2026-03-08/last 2026-03-08T23:30Z",
        "2026-03-08/west 2026-03-08T23:45Z",
    ]
    assert since == [item.replace("2026-03-08", "2026-11-01") for item in on]
    assert until == on
    assert "2026-11-01T00:30Z" in files[1]
    for zone in ZONES:
        assert told[zone] == told["UTC"], zone
    everything = b"".join(bytes_below(root).values())
    for word in (b"Los_Angeles", b"Kolkata", b"-07:00", b"-08:00", b"+05:30", b"PDT", b"+0530"):
        assert word not in everything
