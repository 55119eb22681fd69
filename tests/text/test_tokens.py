"""Token counts: near a real tokenizer, additive, and quick."""

from __future__ import annotations

import time

import pytest

from memoranda.text.tokens import COUNTER, count

TEXTS = {
    "prose": (
        "The river had been rising since Tuesday, and by the time the council met there was water "
        "in the lower gardens. Nobody spoke of the bridge. They agreed to move the archive to the "
        "school, to borrow two lorries from the mill, and to ask the neighbouring villages for "
        "volunteers. Afterwards the mayor walked home alone along the embankment, counting lamps."
    ),
    "chat": (
        "hey, can you move my dentist appointment to Friday? I've got a call with Priya at 3 and "
        "it'll run long lol\nSure! Friday 10:30 or 16:00?\n10:30 pls. also I don't eat dairy any "
        "more, so skip the latte thing\nNoted: no dairy. I won't suggest lattes. Anything else?\n"
        "nah that's it, thanks!! you're a star"
    ),
    "markdown": (
        "## Rollout plan\n\n- [x] Freeze the schema (**done**, see `migrations/0042_ledger.sql`)\n"
        "- [ ] Backfill *invoices* older than 90 days\n\n| step | owner | due |\n| --- | --- | --- "
        "|\n| canary | Ines | 2026-03-04 |\n| all | Tom | 2026-03-11 |\n\n> Roll back if error "
        "rate > 2 %.\n\nSee [the runbook](https://wiki.example.org/ops/runbook#rollback).\n"
    ),
    "code": (
        "def settle(ledger: Ledger, *, until: date) -> list[Receipt]:\n    receipts = []\n    for "
        "entry in ledger.open_entries(until=until):\n        if entry.amount <= 0:\n            "
        "raise ValueError(f'negative amount: {entry!r}')\n        receipts.append(Receipt(entry.id,"
        " entry.amount * RATE))\n    return sorted(receipts, key=lambda r: r.created_at)\n\n\n"
        "class LedgerError(Exception):\n    pass\n"
    ),
    "json": (
        '{"id": 4711, "name": "billing", "limits": {"per_minute": 200, "burst": 20}, "tags": '
        '["prod", "eu-west-1"], "enabled": true, "owner": null, "updatedAt": "2026-03-01T09:30Z"}'
    ),
    "chinese": (
        "上周五我们把计费系统迁移到了新的集群，过程比预想的顺利。唯一的问题是限流配置没有同步，"
        "导致晚上八点左右有十几分钟请求失败。小周已经补上了配置，并且写了一份检查清单，以后每次"
        "发布之前都要逐项确认。另外，客户希望下个月开始按天出账，而不是按周，请在月底之前给出方案。"
    ),
    "chinese chat": (
        "你好，我想把下周三的牙医预约改到周五上午，可以吗？\n可以的，周五上午十点半还有空位。\n"
        "好，就十点半。对了，我现在不喝牛奶了，以后别再推荐拿铁。\n记住了：不喝牛奶。还有别的事吗？"
    ),
    "japanese": (
        "来週の火曜日に予定していた打ち合わせですが、木曜日の午後に変更していただけますか。"
        "資料は前日までにお送りします。よろしくお願いいたします。"
    ),
    "korean": (
        "다음 주 화요일 회의를 목요일 오후로 옮길 수 있을까요? 자료는 전날까지 보내 드리겠습니다. "
        "확인 부탁드립니다. 그리고 점심은 제가 예약하겠습니다."
    ),
    "numbers": (
        "Paid 1,234,567.89 EUR on 2026-03-01 at 09:30; invoice 20260301-0042, 15 % off, call "
        "+49 170 5550123 before 18:00, version 2.14.0, build 88213."
    ),
    "entries": (
        "- <seq=12-14,19, time=2026-03-01T09:30Z, source=user, speaker=Ann> The limit is 200.\n"
        "- <seq=20, time=2026-03-02, source=assistant> Noted: 200 requests a minute from now on.\n"
    ),
}
LOOSE = {"japanese": 0.25, "korean": 0.25, "numbers": 0.25}


@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_a_count_is_near_a_real_tokenizer(kind: str) -> None:
    toktok = pytest.importorskip("toktok", reason="toktok-rs (a dev dependency) is not installed")
    (real,) = toktok.batch_count([TEXTS[kind]], "o200k_base")
    assert count(TEXTS[kind]) == pytest.approx(real, rel=LOOSE.get(kind, 0.15))


def test_the_counter_is_pinned_to_its_name() -> None:
    """A changed count must get a new name: printed token counts and splits depend on it."""
    counts = [count(TEXTS[kind]) for kind in sorted(TEXTS)]
    assert (COUNTER, counts) == ("m1", [81, 100, 64, 102, 68, 49, 69, 46, 106, 67, 70])


def test_nothing_costs_nothing_and_anything_costs_something() -> None:
    assert count("") == 0
    assert [count(text) for text in (" ", "\n", "a", "。", "\u200d", "'s")] == [1] * 6


def test_counts_of_parts_add_up() -> None:
    texts = list(TEXTS.values())
    whole = count("\n".join(texts))
    assert whole == pytest.approx(sum(count(text) for text in texts) + len(texts) - 1, rel=0.02)


def test_long_runs_are_counted_by_their_length() -> None:
    for run in ("a", "A", "1", "!", "界", "é", "😀", "\n \n"):
        assert count(run * 2000) == pytest.approx(10 * count(run * 200), rel=0.1)


def test_counting_is_quick() -> None:
    text = "\n".join(TEXTS.values()) * 200
    start = time.process_time()
    count(text)
    assert time.process_time() - start < len(text.encode()) / 1e6  # over 1 MB/s on a busy machine
