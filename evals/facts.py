"""FactConsolidation, single hop, as records: the suites `tokens` and `updates-by-model` feed them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_FACT = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


def _records(data: Path, limit: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    files = [
        *(data / "memoryagentbench").glob("conflict_resolution_dev*"),
        *sorted((data / "factconsolidation").glob("dev_*")),
    ]
    given = 0
    for file in files:
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as stream:
            for record in json.load(stream):
                source = record["metadata"]["source"]
                if "_mh_" in source or (limit is not None and given >= limit):
                    continue
                given += 1
                yield f"{file.name.split('.')[0]}:{source}", record
