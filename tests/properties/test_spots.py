"""Lines are cited where they stand in the file, whatever was done to the document."""

from __future__ import annotations

import tempfile
from pathlib import Path

from histories import Step, fixed, histories, live, sizes
from hypothesis import HealthCheck, example, given, settings

from memoranda import Settings
from memoranda.store.spots import spots, titles
from scene import SMALL, Place, fast, home


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(history=histories, size=sizes)
@example(history=fixed(), size=SMALL)
def test_spots_are_those_of_the_printed_file(history: list[Step], size: Settings) -> None:
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root", size)
        memory = live(history, place)
        memory.consolidate()
        view, db = home(memory).view, home(memory).log.connection
        infos = {info.document_id: info for info in memory.documents()}
        heads = [row[0] for row in db.execute("SELECT seq FROM entry WHERE line = seq")]
        found = spots(db, [*infos, "d999"], heads)
        assert found.keys() == infos.keys()
        for name, here in found.items():
            printed = view.printed(name).ranges
            assert here.ranges == {seq: printed[seq] for seq in heads if seq in printed}
            assert here.version == infos[name].version
            for block in view.blocks(name):
                assert here.headings[block.block_id] == block.headings
        assert titles(db, [*infos, "d999"]) == {name: info.title for name, info in infos.items()}
        place.close()


def test_spots_of_some_lines_are_those_among_all(library: Place) -> None:
    memory = library.open()
    view, db = home(memory).view, home(memory).log.connection
    names = [info.document_id for info in memory.documents()]
    for name in names:
        printed = view.printed(name).ranges
        for seq in printed:
            assert spots(db, names, [seq])[name].ranges.get(seq, printed[seq]) == printed[seq]
            line = view.line_of(seq)
            assert spots(db, names, [line])[name].ranges[line] == printed[line]
