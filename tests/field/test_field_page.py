"""The page of field cases names each case that has a test, and the file it is in."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "field-cases.md"


def test_the_page_names_every_case_with_the_file_that_tests_it() -> None:
    page = PAGE.read_text(encoding="utf-8")
    stated = {
        (case, file)
        for case, where in re.findall(r"^\| (fc-\d{3}) \|.*\|([^|]*)\|$", page, re.MULTILINE)
        for file in re.findall(r"`tests/field/(\w+\.py)`", where)
    }
    tested = {
        (case, path.name)
        for path in HERE.glob("test_field_*.py")
        for case in re.findall(r"# (fc-\d{3})$", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len({case for case, _ in stated}) == 42
    assert stated == tested
