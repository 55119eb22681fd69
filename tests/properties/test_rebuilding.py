"""Whatever was done: all that is derived can be deleted, and comes back the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from histories import Step, answers, fixed, histories, live, log_position, settle, sizes
from hypothesis import HealthCheck, given, settings

from memoranda import Settings
from scene import Place, fast, index_rows, log_bytes, rows

TESTS = Path(__file__).parent
ELSEWHERE = """
import json, sys
sys.path[:0] = sys.argv[2:4]
from pathlib import Path
from scene import Place, fast, index_rows, rows
from histories import answers
import hashlib
place = Place(Path(sys.argv[1]), ids="there-")
memory = place.open()
place.drop()
done = memory.rebuild()
print(json.dumps([done.state, hashlib.sha256(repr(rows(memory)).encode()).hexdigest(),
                  hashlib.sha256(repr(index_rows(memory)).encode()).hexdigest(), answers(memory)]))
place.close()
"""
GROWN = """
import sys
sys.path[:0] = sys.argv[2:4]
from pathlib import Path
from scene import Place
from histories import fixed, live, settle
from memoranda import Settings
sizes = Settings(current_tokens=120, split_tokens=250, merge_tokens=60, entry_tokens=80)
place = Place(Path(sys.argv[1]), sizes)
memory = live(fixed(), place)
memory.consolidate()
settle(memory)
print(memory.state())
place.close()
"""
SIZES = Settings(current_tokens=120, split_tokens=250, merge_tokens=60, entry_tokens=80)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(history=histories, size=sizes)
def test_everything_derived_comes_back(history: list[Step], size: Settings) -> None:
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root", size)
        memory = live(history, place)
        state = memory.state()
        files, views, terms, found = (
            place.files(),
            rows(memory),
            index_rows(memory),
            answers(memory),
        )
        records = log_bytes(memory)
        memory.close()
        place.drop()
        memory = place.open(settings=Settings(auto=False))
        assert memory.rebuild().state == state
        assert place.files() == files
        assert rows(memory) == views
        assert index_rows(memory) == terms
        assert answers(memory) == found
        assert log_bytes(memory) == records
        place.close()


def elsewhere(script: str, root: Path, **environ: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, str(root), str(TESTS.parent), str(TESTS)],
        capture_output=True,
        check=False,
        env={**os.environ, **environ},
    )
    assert done.stderr.decode() == ""
    return done.stdout.decode()


OTHER = {"PYTHONHASHSEED": "4242", "LC_ALL": "C", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Apia"}


def test_it_comes_back_under_another_hash_seed_locale_and_time_zone(root: Path) -> None:
    import hashlib  # noqa: PLC0415

    place = Place(root, SIZES)
    memory = live(fixed(), place)
    wanted = [
        memory.state(),
        hashlib.sha256(repr(rows(memory)).encode()).hexdigest(),
        hashlib.sha256(repr(index_rows(memory)).encode()).hexdigest(),
        json.loads(json.dumps(answers(memory))),
    ]
    memory.close()
    assert json.loads(elsewhere(ELSEWHERE, root, **OTHER)) == wanted


@pytest.mark.parametrize(
    "environ", [{"PYTHONHASHSEED": "0", "TZ": "UTC"}, OTHER], ids=["plain", "odd"]
)
def test_the_same_history_gives_the_same_library_anywhere(
    root: Path, environ: dict[str, str]
) -> None:
    place = Place(root / "here", SIZES)
    memory = live(fixed(), place)
    memory.consolidate()
    settle(memory)
    assert elsewhere(GROWN, root / "there", **environ).strip() == memory.state()
    place.close()


def test_the_fixed_history_has_everything_in_it(root: Path) -> None:
    place = Place(root, SIZES)
    memory = live(fixed(), place)
    status = memory.status()
    assert status.documents > 3
    assert min(status.superseded, status.retracted, status.current_entries) > 0
    assert status.forgotten > 1
    kinds = {record.kind for record in memory.log()}
    assert kinds == {
        "event",
        "extraction",
        "plan",
        "receipt",
        "retraction",
        "forget",
        "proposal",
        "decision",
    }
    assert {view.state for view in memory.plans()} >= {"pending", "approved", "rejected", "shadow"}
    assert log_position(memory) == status.position
    place.close()
