"""Whatever is sent, no call is a fault of the server: schemathesis on the description, and bytes."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda import Settings
from memoranda.rest import asked
from memoranda.rest.ways import PREFIX, WAYS
from served import Served, served

LONG = os.environ.get("MEMORANDA_LONG") == "1"
EXAMPLES, CALLS = ("80", 5_000) if LONG else ("1", 60)
NOT_JSON = ("import_lines", "import_archive")
"""Bodies that schemathesis can't make; the bytes below are theirs."""


class Counted:
    """Counts the answers of an application, and names those that are faults."""

    def __init__(self) -> None:
        self.codes: Counter[int] = Counter()
        self.faults: list[tuple[int, str, str]] = []

    def __call__(self, app: Any) -> Any:
        async def counted(scope: Any, receive: Any, send: Any) -> None:
            async def told(message: Any) -> None:
                if message["type"] == "http.response.start":
                    self.codes[message["status"]] += 1
                    if message["status"] >= 500:
                        self.faults.append((message["status"], scope["method"], scope["path"]))
                await send(message)

            await app(scope, receive, told)

        return counted


@contextmanager
def stocked(root: Path) -> Iterator[tuple[Served, Counted]]:
    """A server with a small memory; plans wait in it, so that there is something to decide on."""
    counted = Counted()
    with served(root, wrap=counted, settings=Settings(mode="review")) as server:
        http = server.http()
        for text in ("My phone number is 555-1.", "Anna lives in Leiden.", "小林的茶馆在河边。"):
            http.post("/v1/events", json={"content": text, "id": text[:5], "speaker": "Anna"})
        http.post("/v1/consolidate")
        yield server, counted


def test_no_call_that_the_description_allows_is_a_fault(tmp_path: Path) -> None:
    with stocked(tmp_path / "root") as (server, counted):
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.json"]
        command += ["-H", f"Authorization: {server.http().headers['authorization']}"]
        command += ["--phases", "examples,coverage,fuzzing" if LONG else "fuzzing"]
        command += ["-n", EXAMPLES, "--seed", "1", "--no-color", "--no-shrink"]
        command += ["--checks", "not_a_server_error,content_type_conformance"]
        command += ["--generation-database", "none", "--continue-on-failure"]
        for name in NOT_JSON:
            command += ["--exclude-operation-id", name]
        environ = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path, env=environ
        )
    logging.getLogger(__name__).warning("%s calls: %s", counted.codes.total(), counted.codes)
    assert counted.faults == []
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-1_000:]
    assert counted.codes.total() >= CALLS
    assert counted.codes[200] >= CALLS // 5, "too few calls were of any use"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Counted]]:
    with stocked(tmp_path_factory.mktemp("fuzz") / "root") as found:
        yield found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
BYTES = st.binary(max_size=200) | st.builds(lambda text: text.encode(), st.text(max_size=100))
POSTS = [way for way in WAYS if way.verb != "GET" and "{" not in way.path]


@settings(
    max_examples=2_000 if LONG else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    way=st.sampled_from(POSTS),
    body=BYTES,
    kind=st.sampled_from(["application/json", "text/plain", "x"]),
)
def test_bytes_are_refused_in_words(
    running: tuple[Served, Counted], way: Any, body: bytes, kind: str
) -> None:
    server, counted = running
    before = len(counted.faults)
    http = server.clients[0]
    reply = http.request(way.verb, PREFIX + way.path, content=body, headers={"Content-Type": kind})
    faults = [fault for fault in counted.faults[before:] if way.method != "import_archive"]
    assert faults == []
    assert reply.is_success or reply.json()["detail"]


@settings(
    max_examples=2_000 if LONG else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(way=st.sampled_from([w for w in POSTS if w.sent == "json"]), data=st.data())
def test_any_json_under_the_right_names_is_answered(
    running: tuple[Served, Counted], way: Any, data: st.DataObject
) -> None:
    server, counted = running
    names = list(asked.model(way).model_fields)
    kept = data.draw(st.lists(st.sampled_from(names), unique=True) if names else st.just([]))
    body = {name: data.draw(JSON, label=name) for name in kept}
    server.clients[0].request(
        way.verb,
        PREFIX + way.path,
        content=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    assert counted.faults == [fault for fault in counted.faults if fault[2].endswith("/archive")]


@pytest.mark.parametrize(
    "body",
    [b"[" * 50_000, b'{"query": ' + b"9" * 5_000 + b"}", b'{"query": 1e999}', b'{"query": NaN}',
     b'{"query": "\\ud83d"}', b'{"query": "\\u0000"}', b"\xff\xfe{\x00}\x00", b"", b"null", b"[]", b'"x"',
     b'{"query": "x", "query": "y"}', b'{"budget": 9223372036854775808, "query": "x"}'],
    ids=range(13),
)  # fmt: skip
def test_a_hostile_body_is_answered_in_words(running: tuple[Served, Counted], body: bytes) -> None:
    server, _ = running
    http = server.clients[0]
    reply = http.post("/v1/search", content=body, headers={"Content-Type": "application/json"})
    assert reply.status_code in {200, 400, 422}
    assert reply.json()
