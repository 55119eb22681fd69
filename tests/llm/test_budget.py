"""Limits are checked before a call is made, and what was used is recorded after."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from fake_endpoint import FakeEndpoint, Step
from forms_in_use import FORM, OFFERED, RIGHT, request

from memoranda.errors import BudgetError, InputError, ModelTimeoutError, ModelUnavailableError
from memoranda.llm.budget import Budget, Limits
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.metered import Meter, Metered
from memoranda.llm.model import Call, Reply, Usage
from memoranda.llm.openai import openai
from memoranda.llm.prices import Tariff, Use, listed, unknown
from memoranda.llm.retry import Rhythm
from memoranda.llm.typed import ask
from memoranda.reports import Spent

ONE = Spent(calls=1, tokens=100, money=0.01)


@dataclass
class Hands:
    """Clocks moved by hand."""

    at: datetime = datetime(2026, 6, 1, 9, tzinfo=UTC)

    def seconds(self) -> float:
        self.at += timedelta(seconds=0.5)
        return self.at.timestamp()

    def now(self) -> datetime:
        return self.at


def metered(model: ScriptedModel, budget: Budget, **more: object) -> tuple[Metered, list[Call]]:
    calls: list[Call] = []
    meter = Meter(budget=budget, record=calls.append, clocks=Hands(), **more)  # type: ignore[arg-type]
    return Metered(model, meter, purpose="extract@1"), calls


@pytest.mark.parametrize(
    ("limits", "what"),
    [(Limits(calls=2), "calls"), (Limits(tokens=299), "tokens"), (Limits(money=0.029), "money")],
)
@pytest.mark.parametrize("span", ["run", "day"])
def test_a_limit_stops_before_the_call_that_would_pass_it(
    limits: Limits, what: str, span: str
) -> None:
    budget = Budget(**{span: limits})  # type: ignore[arg-type]
    for _ in range(2):
        budget.settle(replace(ONE, calls=budget.reserve(ONE)), ONE)
    with pytest.raises(BudgetError, match=f"budget of this {span}") as caught:
        budget.reserve(ONE)
    assert (caught.value.span, caught.value.what) == (span, what)
    assert budget.spent == Spent(calls=2, tokens=200, money=0.02)


def test_what_was_not_used_is_free_again() -> None:
    budget = Budget(run=Limits(tokens=150))
    budget.reserve(ONE)
    with pytest.raises(BudgetError):
        budget.reserve(ONE)
    budget.settle(ONE, Spent(calls=1, tokens=10, money=0.0))
    assert budget.reserve(ONE) == 1


def test_retries_are_given_no_more_calls_than_are_left() -> None:
    budget = Budget(run=Limits(calls=6))
    assert budget.reserve(ONE, calls=4) == 4
    assert budget.reserve(ONE, calls=4) == 2
    with pytest.raises(BudgetError):
        budget.reserve(ONE, calls=4)


def test_the_day_goes_on_with_what_earlier_runs_used_and_ends_at_midnight() -> None:
    days = ["2026-06-01"]
    budget = Budget(day=Limits(calls=3), spent=Spent(calls=3), today=lambda: days[-1])
    with pytest.raises(BudgetError, match="3 of 3 calls"):
        budget.reserve(ONE)
    days.append("2026-06-02")
    assert budget.reserve(ONE) == 1


def test_threads_do_not_pass_a_limit_together() -> None:
    budget = Budget(run=Limits(calls=25))

    def spend(_: int) -> bool:
        try:
            budget.reserve(ONE)
        except BudgetError:
            return False
        budget.settle(ONE, ONE)
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(spend, range(100))) == 25
    assert budget.spent.calls == 25


def test_a_limit_on_money_needs_a_known_price() -> None:
    budget = Budget(run=Limits(money=1.0))
    with pytest.raises(BudgetError, match="price is not known"):
        budget.reserve(Spent(calls=1, tokens=1, money=None))
    assert Budget(run=Limits(tokens=9)).reserve(Spent(calls=1, tokens=1, money=None)) == 1


@pytest.mark.parametrize("wrong", [{"calls": -1}, {"tokens": -5}, {"money": float("nan")}])
def test_a_limit_is_not_negative(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Limits(**wrong)  # type: ignore[arg-type]


def test_nothing_is_sent_when_the_budget_is_reached() -> None:
    model = ScriptedModel(json.dumps(RIGHT))
    meter, calls = metered(model, Budget(run=Limits(tokens=100)))
    with pytest.raises(BudgetError):
        ask(meter, request(), FORM, offered=OFFERED)
    assert model.requests == []
    assert calls == []


def test_each_call_is_recorded_without_its_text() -> None:
    said = Reply(text="Two. 渡轮", usage=Usage(input_tokens=50, output_tokens=5), model="fake-1")
    meter, calls = metered(ScriptedModel(said), Budget(), price=Tariff(input=1, output=10))
    assert meter.ask(request()).text == "Two. 渡轮"
    assert calls == [
        Call(
            purpose="extract@1",
            prompt_hash=request().prompt_hash,
            model="scripted",
            usage=said.usage,
            calls=1,
            seconds=0.5,
            price=0.0001,
            outcome="ok",
            at="2026-06-01T09:00:00Z",
        )
    ]
    assert "渡轮" not in json.dumps(calls[0].to_dict(), ensure_ascii=False)


def test_a_model_has_one_name_whether_it_answered_or_not() -> None:
    served = Reply(text="Two.", model="heron-2026-05-01")
    gone = ModelUnavailableError("openai:heron", "connection", "nobody listens")
    meter, calls = metered(ScriptedModel(served, gone, name="openai:heron"), Budget())
    meter.ask(request())
    with pytest.raises(ModelUnavailableError):
        meter.ask(request())
    assert [call.model for call in calls] == ["openai:heron", "openai:heron"]


def test_the_text_is_kept_where_it_is_asked_for() -> None:
    meter, calls = metered(ScriptedModel("渡轮"), Budget(), keep_text=True)
    meter.ask(request("问"))
    assert calls[0].reply == "渡轮"
    assert "问" in (calls[0].prompt or "")


def test_each_way_to_fail_is_recorded_by_name() -> None:
    replies = ("{", Reply(text="{}", stop="length"), Reply(text="", stop="refused"), "{}")
    model = ScriptedModel(*replies, ModelTimeoutError("m", 1))
    meter, calls = metered(model, Budget())
    for _ in replies:
        meter.ask(request(schema=FORM.schema()))
    with pytest.raises(ModelTimeoutError):
        meter.ask(request())
    assert [call.outcome for call in calls] == ["unreadable", "cut", "refused", "ok", "timeout"]
    assert meter.meter.budget.spent.calls == 5


def test_retries_over_the_wire_count_and_stay_within_the_limit() -> None:
    with FakeEndpoint("openai", [Step(status=500)]) as endpoint:
        model = openai("fake", base_url=endpoint.url, rhythm=Rhythm(pause=0.001))
        budget = Budget(run=Limits(calls=5))
        meter, calls = metered(model, budget)  # type: ignore[arg-type]
        for _ in range(3):
            with pytest.raises(Exception, match=r"fake|budget"):
                meter.ask(request())
        assert len(endpoint.seen) == 5
    assert [call.calls for call in calls] == [3, 2]
    assert budget.spent.calls == 5


def test_the_hash_names_the_prompt_and_nothing_else() -> None:
    assert request().prompt_hash == request(timeout=9.0, calls=1, max_tokens=3).prompt_hash
    others = [request("b"), request(schema=FORM.schema()), request("What changed? 有什么变化?")]
    assert len({one.prompt_hash for one in (*others, request())}) == 4


def test_a_price_is_stated_or_listed_or_not_known() -> None:
    use = Use(model="m", endpoint=None, usage=Usage(input_tokens=1000, output_tokens=100))
    assert Tariff.parse("0.25/2")(use) == pytest.approx(0.00045)
    assert Tariff.parse("0/0")(use) == 0
    assert unknown(use) is None
    assert listed()(use) is None
    assert listed()(replace(use, endpoint="https://a.example/v1")) is None


@pytest.mark.parametrize("text", ["", "1", "1/2/3", "a/b", "-1/2", "nan/1", "inf/1"])
def test_a_stated_price_is_two_numbers(text: str) -> None:
    with pytest.raises(InputError, match="IN/OUT"):
        Tariff.parse(text)


def test_listed_prices_are_those_of_the_endpoint_and_never_guessed() -> None:
    pytest.importorskip("genai_prices", reason="the extra `prices` is not installed")
    usage = Usage(input_tokens=1000, output_tokens=100, cached_tokens=500)
    price = listed(at=datetime(2026, 6, 1, tzinfo=UTC))

    def of(model: str, endpoint: str | None) -> float | None:
        return price(Use(model=model, endpoint=endpoint, usage=usage))

    whole = of("gpt-5-mini", "https://api.openai.com/v1")
    assert whole is not None
    assert 0 < whole < 0.01
    newest = listed()(Use(model="gpt-5-mini", endpoint="https://api.openai.com/v1", usage=usage))
    assert newest is not None
    assert (of("claude-sonnet-4-5", "https://api.anthropic.com") or 0) > whole
    assert of("gpt-5-mini", "http://127.0.0.1:4000/v1") is None
    assert of("gpt-5-mini", "https://gateway.example/v1") is None
    assert of("no-such-model", "https://api.openai.com/v1") is None
    assert of("gpt-5-mini", None) is None
