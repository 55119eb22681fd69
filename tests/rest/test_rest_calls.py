"""Calls: done once under one key, only on what was seen, in pages, as streams, with problems in words."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from memoranda import Settings
from served import Served, served

PHONE = "My phone number is 555-{}."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("calls") / "root") as found:
        yield found


@pytest.fixture
def http(server: Served, request: pytest.FixtureRequest) -> httpx2.Client:
    """The owner of a memory of this test's own."""
    name = request.node.name.encode("utf-8")
    return server.http(user=f"u{zlib.crc32(name)}", name="cron")


def add(http: httpx2.Client, text: str = PHONE.format(1), **more: Any) -> httpx2.Response:
    return http.post("/v1/events", json={"content": text}, **more)


def position(http: httpx2.Client) -> int:
    return int(http.get("/v1/status").json()["position"])


# --- keys ----------------------------------------------------------------------------------------


def test_the_same_key_again_gives_the_same_reply_and_does_nothing(http: httpx2.Client) -> None:
    first = add(http, headers={"Idempotency-Key": "k1"})
    before = position(http)
    again = add(http, headers={"Idempotency-Key": "k1"})
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["idempotency-replayed"] == "true"
    assert position(http) == before
    assert add(http, headers={"Idempotency-Key": "k2"}).json()["seqs"] == [2]


def test_a_key_stands_for_one_call_of_one_caller(server: Served, http: httpx2.Client) -> None:
    add(http, headers={"Idempotency-Key": "k"})
    other = add(http, PHONE.format(2), headers={"Idempotency-Key": "k"})
    assert other.status_code == 422
    assert other.json()["type"] == "/problems/key-used"
    assert add(server.http(user="else"), headers={"Idempotency-Key": "k"}).json()["seqs"] == [1]


def test_an_add_is_done_once_also_when_the_server_was_started_anew(tmp_path: Path) -> None:
    body = {"content": [{"role": "user", "content": f"Line {n} is long."} for n in range(3)]}
    found = []
    for _ in range(2):
        with served(tmp_path) as server:
            reply = server.http().post("/v1/events", json=body, headers={"Idempotency-Key": "k"})
            found.append(reply.json())
    first, again = found
    assert again["event_ids"] == first["event_ids"] == again["known"]
    assert again["seqs"] == first["seqs"]
    assert again["position"] == first["position"]


def test_what_failed_may_be_tried_again_under_its_key(http: httpx2.Client) -> None:
    headers = {"Idempotency-Key": "k"}
    call = {"json": {"text": PHONE.format(2)}, "headers": headers}
    assert http.post("/v1/entries/1/correct", **call).status_code == 404
    add(http)
    assert http.post("/v1/entries/1/correct", **call).status_code == 200
    assert http.post("/v1/entries/1/correct", **call).headers["idempotency-replayed"] == "true"
    assert position(http) == 4


def test_eight_calls_with_one_key_at_once_are_done_once(http: httpx2.Client) -> None:
    codes: list[int] = []

    def call() -> None:
        codes.append(add(http, headers={"Idempotency-Key": "k"}).status_code)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(codes) <= {200, 409}
    assert 200 in codes
    assert http.get("/v1/status").json()["events"] == 1


@pytest.mark.parametrize("key", ["with blank", "x" * 201])
def test_a_key_that_can_not_be_used_is_refused(http: httpx2.Client, key: str) -> None:
    assert add(http, headers={"Idempotency-Key": key}).status_code == 400
    assert position(http) == 0


def test_no_reply_is_kept_after_something_was_forgotten(http: httpx2.Client) -> None:
    headers = {"Idempotency-Key": "k"}
    first = add(http, headers=headers).json()
    http.post("/v1/forget", json={"entry": 1})
    again = add(http, headers=headers)
    assert "idempotency-replayed" not in again.headers
    assert again.json()["forgotten"] == first["event_ids"]


# --- what was seen -------------------------------------------------------------------------------


def test_a_change_holds_only_on_what_was_seen(http: httpx2.Client) -> None:
    add(http)
    seen = http.post("/v1/search", json={"query": "phone"}).headers["etag"]
    add(http, "Somebody else says something else.")
    http.post("/v1/consolidate")
    headers = {"If-Match": seen}
    done = http.post("/v1/entries/1/correct", json={"text": PHONE.format(2)}, headers=headers)
    assert done.status_code == 200, "that others wrote, or that it was placed, is no change of it"
    before = position(http)
    late = http.post("/v1/entries/1/correct", json={"text": PHONE.format(3)}, headers=headers)
    assert late.status_code == 412
    assert late.json()["type"] == "/problems/changed"
    assert late.json()["how"] == "superseded"
    told = http.post("/v1/entries/1/retract", json={"seen": int(seen.strip('"'))})
    assert told.status_code == 409
    assert position(http) == before


@pytest.mark.parametrize("match", ['"x"', "", '"-1"', '"999999"', '"' + "9" * 30 + '"'])
def test_a_version_that_can_not_be_is_refused(http: httpx2.Client, match: str) -> None:
    add(http)
    reply = http.post("/v1/entries/1/retract", headers={"If-Match": match})
    assert reply.status_code == 400
    assert http.get("/v1/entries/1").json()["retracted"] is False


def test_a_call_that_can_not_heed_a_version_does_not_pass_over_it(http: httpx2.Client) -> None:
    assert add(http, headers={"If-Match": '"1"'}).status_code == 400
    assert position(http) == 0


def test_a_plan_that_was_decided_on_is_not_decided_on_again(tmp_path: Path) -> None:
    with served(tmp_path, settings=Settings(mode="review")) as server:
        http = server.http(name="ann")
        add(http)
        http.post("/v1/consolidate")
        (plan,) = http.get("/v1/waiting").json()["items"]
        of_plan = http.get("/v1/log", params={"plan": plan}).json()["items"]
        assert [record["kind"] for record in of_plan] == ["proposal"]
        assert http.get("/v1/log", params={"plan": "p0"}).json()["items"] == []
        done = http.post(f"/v1/plans/{plan}/approve", json={"reason": "right"})
        assert done.json()["by"] == "ann"
        assert http.post(f"/v1/plans/{plan}/reject").status_code == 400
        assert http.post(f"/v1/plans/{plan}/undo", json={"by": "bob"}).json()["by"] == "bob (ann)"


# --- pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/v1/log", "/v1/current", "/v1/documents", "/v1/history/1", "/v1/receipts"]
)
def test_pages_make_the_whole(http: httpx2.Client, path: str) -> None:
    texts = ["A heron stands at the mill.", "The tax form is due.", "小林的茶馆在河边。"]
    events = [{"content": text, "session": text} for text in texts]
    assert http.post("/v1/events/batch", json={"events": events}).json()["seqs"] == [1, 2, 3]
    http.post("/v1/entries/1/correct", json={"text": "A grey heron stands at the mill."})
    if "current" not in path:
        http.post("/v1/consolidate")
    whole = http.get(path).json()
    assert whole["next"] is None
    found: list[Any] = []
    after: str | None = "0"
    while after is not None:
        page = http.get(path, params={"after": after, "limit": 1}).json()
        assert len(page["items"]) <= 1
        found += page["items"]
        after = page["next"]
    assert found == whole["items"]
    if path != "/v1/receipts":
        assert found


@pytest.mark.parametrize(
    "query", [{"limit": 0}, {"limit": 1_001}, {"after": "x"}, {"after": "-1"}, {"page": 1}]
)
def test_a_page_that_can_not_be_is_refused(http: httpx2.Client, query: dict[str, Any]) -> None:
    assert http.get("/v1/log", params=query).status_code == 422


# --- problems ------------------------------------------------------------------------------------


def test_a_problem_says_what_to_do_and_never_what_was_given(http: httpx2.Client) -> None:
    secret = "-".join(["hunter2"] * 2)
    for reply in (
        http.post("/v1/search", json={"query": 5, "budget": secret, secret: 1}),
        http.post(
            "/v1/search",
            content=f'{{"query": "{secret}',
            headers={"Content-Type": "application/json"},
        ),
        http.post("/v1/events", json={"content": "x", "sensitivity": secret}),
        http.get("/v1/log", params={"limit": secret}),
    ):
        assert reply.status_code == 422
        told = reply.json()
        assert {"type", "title", "status", "detail"} <= told.keys()
        assert secret not in json.dumps(told).replace(f"{secret} is not known here", "")
        assert reply.headers["content-type"] == "application/problem+json"


def test_a_problem_names_no_path_of_the_machine(tmp_path: Path) -> None:
    with served(tmp_path / "root") as server:
        folder = tmp_path / "root" / "users" / "zoe" / "_"
        folder.mkdir(parents=True)
        (folder / "memory.db").write_bytes(b"none of ours" * 500)
        reply = server.http(user="zoe").get("/v1/status")
        assert reply.status_code == 500
        assert str(tmp_path) not in reply.text
        assert "<root>" in reply.text


@pytest.mark.parametrize(
    ("verb", "path", "code"),
    [("GET", "/v1/nothing", 404), ("GET", "/v1/search", 405), ("DELETE", "/v1/entries/1", 405),
     ("GET", "/v1/documents/Garden%20Plan%20C", 404), ("GET", "/v1/entries/%00", 404),
     ("GET", "/v1/documents/..%2F..%2Fvictim", 404), ("GET", "/v1/lines/%2Fetc%2Fpasswd", 404),
     ("GET", "/v1/blame/" + "x" * 2_001, 422), ("GET", "/v1/history/" + "9" * 400, 404),
     ("GET", "/v1/timeline/" + "9" * 400, 404), ("GET", "/v1/plans/" + "..%2F" * 9, 404)],
)  # fmt: skip
def test_what_is_not_there_is_a_problem_of_its_own(
    http: httpx2.Client, verb: str, path: str, code: int
) -> None:
    reply = http.request(verb, path)
    assert reply.status_code == code
    assert reply.json()["status"] == code


def test_a_fault_of_ours_is_told_without_its_words(
    server: Served, http: httpx2.Client, caplog: pytest.LogCaptureFixture
) -> None:
    add(http)
    with server.gate.shelf.memory(server.gate.tokens.all()[-1]) as memory:
        stored = "a secret " + "word"
        memory.state = lambda: {}[stored]  # type: ignore[method-assign, misc, assignment]
    reply = http.get("/v1/state")
    assert reply.status_code == 500
    assert reply.json()["type"] == "/problems/fault"
    assert "a secret word" not in reply.text + caplog.text
    assert "KeyError" in caplog.text


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
def test_a_form_of_a_foreign_page_is_no_call(http: httpx2.Client, kind: str) -> None:
    reply = http.post("/v1/events", content=b'{"content": "x y"}', headers={"Content-Type": kind})
    assert reply.status_code in {415, 422}
    assert position(http) == 0


@pytest.mark.parametrize("given", [{"budget": None}, {"limits": {"budget": 0}}, {"deadline": -1}])
def test_a_limit_that_can_not_be_is_refused(http: httpx2.Client, given: dict[str, Any]) -> None:
    reply = http.post("/v1/ask", json={"question": "x", **given})
    assert reply.status_code in {400, 422}


@pytest.mark.parametrize(
    ("path", "given"),
    [("metrics", {"points": 101}), ("metrics", {"sample": 1 << 40}), ("plans/sample", {"number": 101}),
     ("ask", {"question": "x", "budget": 1 << 40}), ("ask", {"question": "x", "limits": {"rounds": 101}}),
     ("grep", {"pattern": "x", "limit": 10_001})],
)  # fmt: skip
def test_more_work_than_a_call_may_make_is_refused(
    http: httpx2.Client, path: str, given: dict[str, Any]
) -> None:
    assert http.post(f"/v1/{path}", json=given).status_code == 422


# --- streams and files ---------------------------------------------------------------------------


def test_an_answer_comes_as_a_stream_that_ends_with_it(http: httpx2.Client) -> None:
    add(http)
    with http.stream("POST", "/v1/ask/events", json={"question": "phone number?"}) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        lines = list(reply.iter_lines())
    assert lines[0] == "event: answer"
    answer = json.loads(lines[1].removeprefix("data: "))
    assert answer == http.post("/v1/ask", json={"question": "phone number?"}).json() | {
        name: answer[name] for name in ("trace",)
    }
    wrong = http.post("/v1/ask/events", json={"question": "x", "known_at": "soon"}).text
    assert wrong.startswith("event: problem\ndata: ")
    assert json.loads(wrong.partition("data: ")[2])["type"] == "/problems/time"


def test_an_archive_goes_out_and_comes_in(server: Served, http: httpx2.Client) -> None:
    add(http)
    sent = http.get("/v1/archive")
    assert sent.headers["content-type"] == "application/zip"
    assert sent.content[:2] == b"PK"
    other = server.http(user="taker")
    taken = other.put("/v1/archive", content=sent.content)
    assert taken.json()["added"] == json.loads(sent.headers["memoranda-exported"])["records"]
    assert taken.json()["path"] == ""
    assert other.get("/v1/entries/1").json()["text"] == PHONE.format(1)
    assert other.put("/v1/archive", content=sent.content).json()["added"] == 0
    assert server.http(user="taker2").put("/v1/archive", content=b"no archive").status_code == 500


def test_an_archive_may_be_larger_than_other_calls(server: Served) -> None:
    http, large = server.http(user="large"), b"no archive" * 600_000
    for content in (large, iter([large])):
        reply = http.put("/v1/archive", content=content)
        assert reply.json()["type"] == "/problems/format"


def test_lines_are_imported_as_they_come(http: httpx2.Client) -> None:
    first = b'{"content": "The mill is new.", "id": "1"}\n\nnonsense\n'
    lines = first + '{"content": "茶"}\r\n'.encode() + b"\xff\xfe\n"
    done = http.post("/v1/events/lines", content=lines).json()
    assert done["added"] == 2
    assert [number for number, _ in done["malformed"]] == [3, 5]
