"""The page of field cases names each case that has a test, and the file it is in."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "field-cases.md"


def test_the_page_names_every_case_with_the_file_that_tests_it() -> None:
    stated = set(
        re.findall(
            r"^\| (fc-\d{3}) \|.*\| `tests/field/(\w+\.py)` \|$",
            PAGE.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    tested = {
        (case, path.name)
        for path in HERE.glob("test_field_*.py")
        for case in re.findall(r"# (fc-\d{3})$", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(stated) == 19
    assert stated == tested
