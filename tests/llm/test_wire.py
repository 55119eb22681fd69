"""Faults on the way, over real sockets: each ends in time, in one of our errors, in few calls."""

from __future__ import annotations

import json
import os
import random
import socket
import threading
import time
from dataclasses import dataclass, replace

import pytest
from fake_endpoint import FakeEndpoint, Seen, Step
from forms_in_use import FORM, OFFERED, RIGHT, WANTED, request

from memoranda.errors import (
    InputError,
    ModelError,
    ModelRateLimitedError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from memoranda.llm.openai import openai
from memoranda.llm.proxies import proxy_for
from memoranda.llm.retry import Rhythm, retry_after
from memoranda.llm.typed import ask
from memoranda.llm.wire import Address, Answer, NoAnswer, post

OK = Step(text="ok")
QUICK = Rhythm(pause=0.001)


@dataclass
class Time:
    """A clock that only sleeping moves."""

    at: float = 1000.0

    def clock(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds

    @property
    def rhythm(self) -> Rhythm:
        return Rhythm(clock=self.clock, sleep=self.sleep, jitter=lambda: 0.5, now=self.clock)


@pytest.mark.parametrize(
    "fault",
    [
        Step(status=500),
        Step(status=503),
        Step(status=429),
        Step(fault="cut", text="x" * 500),
        Step(fault="chunks_cut", text="x" * 500),
        Step(fault="reset"),
        Step(raw=b'{"choices": [{"mess'),
        Step(raw=b"\xff\xfe{}"),
    ],
    ids=lambda step: f"{step.status}{step.fault or ''}{(step.raw or b'').hex()[:4]}",
)
def test_a_passing_fault_is_tried_again(fault: Step) -> None:
    with FakeEndpoint("openai", [fault, fault, OK]) as endpoint:
        reply = openai("fake", base_url=endpoint.url, rhythm=QUICK).ask(request())
    assert reply.text == "ok"
    assert reply.calls == 3


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Step(status=500), "server"),
        (Step(fault="cut", text="x" * 500), "connection"),
        (Step(raw=b"<html>", content_type="text/html"), "content_type"),
        (Step(raw=b"{}", content_type="text/event-stream"), "content_type"),
        (Step(raw=b'{"choices": []}'), "server"),
        (Step(raw=b'{"error": {"message": "no credit"}}'), "server"),
        (Step(raw=b'{"choices": [{"message": {"content": 5}}]}'), "server"),
        (Step(raw=b"[" * 100_000), "connection"),
        (Step(raw=b" " * 8_000_100), "server"),
        (Step(status=302, headers={"Location": "http://127.0.0.1:9/"}), "request"),
        (Step(status=413), "too_long"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_lasting_fault_is_told_by_its_kind(fault: Step, reason: str) -> None:
    with FakeEndpoint("openai", [fault]) as endpoint:
        with pytest.raises(ModelUnavailableError) as caught:
            openai("fake", base_url=endpoint.url, rhythm=QUICK).ask(request())
        assert len(endpoint.seen) == caught.value.calls <= 3
    assert caught.value.reason == reason


@pytest.mark.parametrize("fault", ["hang", "drip", "drip_head"])
def test_the_time_is_over_whatever_the_endpoint_does(fault: str) -> None:
    step = Step(fault=fault, text="x" * 2000)  # type: ignore[arg-type]
    with FakeEndpoint("openai", [step]) as endpoint:
        begun = time.monotonic()
        with pytest.raises(ModelTimeoutError):
            openai("fake", base_url=endpoint.url).ask(request(timeout=0.3))
        assert time.monotonic() - begun < 1.5
        assert len(endpoint.seen) == 1


def test_no_call_is_made_before_the_endpoint_wants_one() -> None:
    watch = Time()
    steps = [Step(status=429, headers={"Retry-After": "20"}), OK]
    with FakeEndpoint("openai", steps, clock=watch.clock) as endpoint:
        model = openai("fake", base_url=endpoint.url, rhythm=watch.rhythm)
        assert model.ask(request(timeout=60.0)).text == "ok"
    first, second = endpoint.seen
    assert 20 <= second.at - first.at <= 21


def test_a_wait_that_is_too_long_ends_the_job_and_holds_back_the_next() -> None:
    watch = Time()
    steps = [Step(status=429, headers={"Retry-After": "90"}), OK]
    with FakeEndpoint("openai", steps, clock=watch.clock) as endpoint:
        model = openai("fake", base_url=endpoint.url, rhythm=watch.rhythm)
        with pytest.raises(ModelRateLimitedError, match="in 90 s"):
            model.ask(request(timeout=60.0))
        with pytest.raises(ModelRateLimitedError) as caught:
            model.ask(request(timeout=60.0))
        assert caught.value.calls == 0
        assert len(endpoint.seen) == 1
        watch.sleep(50)
        assert model.ask(request(timeout=60.0)).text == "ok"
    assert endpoint.seen[1].at - endpoint.seen[0].at >= 90


def test_all_threads_keep_the_wait_that_one_was_told() -> None:
    watch = Time()
    steps = [Step(status=429, headers={"Retry-After": "20"}), OK]
    with FakeEndpoint("openai", steps, clock=watch.clock) as endpoint:
        model = openai("fake", base_url=endpoint.url)
        others: list[str] = []

        def sleep(seconds: float) -> None:
            if not others:
                others.append("asked")
                model.ask(request(timeout=60.0))  # another thread, while this one waits
            watch.at = max(watch.at, 1000.0 + seconds)

        model.rhythm = replace(watch.rhythm, sleep=sleep)
        model.ask(request(timeout=60.0))
    assert others
    assert [seen.at >= 1020 for seen in endpoint.seen] == [False, True, True]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:02:00 GMT"}, 20.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "-5"}, None),
        ({}, None),
    ],
)
def test_a_wait_is_read_in_each_of_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, 100.0) == seconds


FAULTS = [
    OK,
    Step(text=json.dumps(RIGHT)),
    Step(text=json.dumps(RIGHT), stop="length"),
    Step(text='{"operations": 1}'),
    Step(text="Sure!"),
    Step(status=429, headers={"Retry-After": "7"}),
    Step(status=429, headers={"Retry-After": "900"}),
    Step(status=500),
    Step(status=529),
    Step(status=400, error="json_schema is not supported"),
    Step(status=400, error="temperature is not supported"),
    Step(fault="cut", text="x" * 90),
    Step(fault="chunks_cut", text="x" * 90),
    Step(fault="reset"),
    Step(raw=b"<html>", content_type="text/html"),
    Step(raw=b"null"),
]


def test_jobs_full_of_faults_take_four_calls_each_at_most_and_keep_every_wait() -> None:
    chance = random.Random(4)  # noqa: S311 - the same each time
    watch = Time()
    waits: list[tuple[float, float]] = []

    def script(seen: Seen) -> Step:
        step = chance.choice(FAULTS)
        watch.sleep(0.01)
        if "Retry-After" in step.headers:
            waits.append((seen.at, float(step.headers["Retry-After"])))
        return step

    ends = set()
    jobs = 5000 if os.environ.get("MEMORANDA_LONG") else 300
    with FakeEndpoint("openai", script, clock=watch.clock) as endpoint:
        for number in range(jobs):
            model = openai(f"fake-{number}", base_url=endpoint.url, rhythm=watch.rhythm)
            before = len(endpoint.seen)
            waits.clear()
            try:
                got = ask(model, request(timeout=60.0), FORM, offered=OFFERED)
                calls = got.reply.calls
                assert got.value == WANTED
                ends.add("ok")
            except ModelError as error:
                calls = error.calls
                ends.add(type(error).__name__)
            mine = endpoint.seen[before:]
            assert len(mine) == calls <= 4
            for at, wait in waits:
                assert [seen for seen in mine if at < seen.at < at + wait] == []
                assert sum(seen.at == at for seen in mine) == 1
    assert ends == {"ok", "ReplyError", "ModelUnavailableError", "ModelRateLimitedError"}


def test_no_redirect_is_followed_so_the_key_stays_here() -> None:
    with FakeEndpoint("openai", [OK]) as other:
        away = Step(status=307, headers={"Location": f"{other.url}/chat/completions"})
        with (
            FakeEndpoint("openai", [away]) as endpoint,
            pytest.raises(ModelUnavailableError, match="status 307"),
        ):
            openai("fake", base_url=endpoint.url, key="k-123456", rhythm=QUICK).ask(request())
        assert other.seen == []


def test_no_key_goes_over_a_line_that_is_not_what_it_claims() -> None:
    heard = bytearray()
    server = socket.create_server(("127.0.0.1", 0))

    def listen() -> None:
        for _ in range(3):
            line, _ = server.accept()
            with line:
                line.settimeout(2)
                heard.extend(line.recv(4096))
                line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    url = f"https://127.0.0.1:{server.getsockname()[1]}/v1"
    with pytest.raises(ModelUnavailableError) as caught:
        openai("fake", base_url=url, key="k-123456", rhythm=QUICK).ask(request())
    server.close()
    thread.join(5)
    assert caught.value.reason == "connection"
    assert heard
    assert b"k-123456" not in heard


def test_a_closed_door_is_told_with_its_address_but_not_its_query() -> None:
    with pytest.raises(ModelUnavailableError) as caught:
        openai("fake", base_url="http://127.0.0.1:9/v1?code=hidden", rhythm=QUICK).ask(request())
    assert "http://127.0.0.1:9/v1" in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_a_cut_answer_of_any_kind_is_no_answer() -> None:
    step = Step(fault="cut", raw=b"a" * 100, content_type="text/plain")
    with FakeEndpoint("openai", [step]) as endpoint:
        found = post(Address(endpoint.url), "/x", body=b"{}", headers={}, seconds=5)
    assert found == NoAnswer("connection", "its answer was cut")


def test_a_query_in_the_base_url_stays_at_the_end() -> None:
    with FakeEndpoint("openai", [OK]) as endpoint:
        openai("fake", base_url=f"{endpoint.url}/?api-version=2", rhythm=QUICK).ask(request())
    assert endpoint.seen[0].path == "/v1/chat/completions?api-version=2"


def test_a_proxy_is_asked_with_the_whole_address() -> None:
    with FakeEndpoint("openai", [OK]) as proxy:
        door = proxy.url.removesuffix("/v1").replace("http://", "http://me:p%40ss@")
        address = Address("http://models.example/v1", door)
        body = b'{"model": "m"}'
        found = post(address, "/chat/completions", body=body, headers={}, seconds=5)
    assert isinstance(found, Answer)
    assert found.status == 200
    assert proxy.seen[0].path == "http://models.example/v1/chat/completions"
    assert proxy.seen[0].headers["proxy-authorization"] == "Basic bWU6cEBzcw=="
    assert "p%40ss" not in repr(address)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a/v1",
        "a/v1",
        "",
        "https://",
        "https://me:pass@a/v1",
        "http://a b/",
        "http://a/\r\nX: y",
        "http://a:99999/",
        "https://例.example/",
    ],
)
def test_a_base_url_that_can_not_be_used_is_refused(url: str) -> None:
    with pytest.raises(InputError) as caught:
        openai("fake", base_url=url)
    assert "pass" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("https://a.example/v1", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.example/v1", {"https_proxy": "p:1", "HTTPS_PROXY": "x"}, "http://p:1"),
        ("http://a.example/v1", {"HTTPS_PROXY": "http://p:1"}, None),
        ("http://a.example/v1", {"ALL_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.example/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "b, .example"}, None),
        ("https://ex.ample/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "ample,x"}, None),
        ("https://example/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "ample"}, "http://p:1"),
        ("https://a.example/v1", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "*"}, None),
        ("http://127.0.0.1:80/v1", {"HTTP_PROXY": "http://p:1"}, None),
        ("http://[::1]:80/v1", {"HTTP_PROXY": "http://p:1"}, None),
        ("http://localhost:80/v1", {"HTTP_PROXY": "http://p:1"}, None),
    ],
)
def test_the_environment_names_the_proxy(
    url: str, environ: dict[str, str], proxy: str | None
) -> None:
    assert proxy_for(url, environ) == proxy
