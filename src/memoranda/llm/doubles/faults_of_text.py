"""Faults that spoil the text of a reply, or lose it on the way."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from memoranda.errors import (
    ModelError,
    ModelRateLimitedError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from memoranda.llm.doubles.faults import Fault, Spoiled, cut
from memoranda.llm.model import Request

REFUSALS = (
    "I'm sorry, but I can't help with that request.",
    "As an AI, I am not able to store this.",
    "抱歉，我无法处理这个请求。",
    "對不起，我不能協助這項要求。",
    "申し訳ありませんが、そのご要望にはお応えできません。",
    "죄송하지만 그 요청은 도와드릴 수 없습니다.",
    "Es tut mir leid, aber ich kann diese Anfrage nicht bearbeiten.",
    "Je suis désolé, mais je ne peux pas répondre à cette demande.",
    "Lo siento, pero no puedo ayudar con esa solicitud.",
    "Sinto muito, mas não posso atender a este pedido.",
    "Mi dispiace, non posso soddisfare questa richiesta.",
    "Извините, я не могу выполнить этот запрос.",
    "عذراً، لا أستطيع المساعدة في هذا الطلب.",
    "मुझे खेद है, मैं इस अनुरोध में मदद नहीं कर सकता।",
)
"""Refusals in twelve languages."""
_MODEL = "faulty"


def _cut_marked(text: str, chance: Random, _: Request) -> Spoiled:
    return Spoiled(cut(text, chance), "length")


def _cut_silently(text: str, chance: Random, _: Request) -> str:
    return cut(text, chance)


def _fenced(text: str, chance: Random, _: Request) -> str:
    return f"```{chance.choice(('json', ''))}\n{text}\n```"


def _fenced_twice(text: str, _: Random, __: Request) -> str:
    return f"```json\n{text}\n```\n\n```json\n{text}\n```"


def _fence_open(text: str, chance: Random, _: Request) -> str:
    return chance.choice((f"```json\n{text}", f"{text}\n```"))


def _prose_before(text: str, chance: Random, _: Request) -> str:
    said = ("Sure! Here is the JSON:", "好的，结果如下：", "Certainly.\n\n", "Voici :")
    return f"{chance.choice(said)} {text}"


def _prose_after(text: str, chance: Random, _: Request) -> str:
    said = (
        "Let me know if you need more!",
        "如有需要请告诉我。",
        "// done",
        "Note: one was unclear.",
    )
    return f"{text}\n\n{chance.choice(said)}"


def _reasoning(text: str, chance: Random, _: Request) -> str:
    thought = chance.choice(("Let me see.", 'Maybe {"a": 1}?', "先看第一条。"))
    return f"<think>\n{thought}\n</think>\n\n{text}"


def _reasoning_open(text: str, chance: Random, _: Request) -> str:
    return chance.choice(
        (f"<think>\nLet me see. {text}", f"<think>a</think><think>b</think>{text}")
    )


def _single_quotes(text: str, _: Random, __: Request) -> str:
    return text.replace('"', "'") if '"' in text else f"'{text}'"


def _trailing_comma(text: str, _: Random, __: Request) -> str:
    return text[:-1] + "," + text[-1:] if text else ","


def _comments(text: str, chance: Random, _: Request) -> str:
    return text[:1] + chance.choice((" // as asked\n", " /* see above */ ", " # note\n")) + text[1:]


def _bom(text: str, _: Random, __: Request) -> str:
    return "\ufeff" + text


def _empty(_: str, chance: Random, __: Request) -> str:
    return chance.choice(("", " ", "\n\n\n", "null", "{}", "[]"))


def _endless_space(text: str, chance: Random, _: Request) -> Spoiled:
    filler = chance.choice(("\n", " ", "\t", "\n  "))
    return Spoiled(cut(text, chance) + filler * 4000, "length")


def _two_values(text: str, chance: Random, _: Request) -> str:
    return text + chance.choice(("\n", "", " ")) + chance.choice((text, "{}", "[]", "1"))


def _html(_: str, chance: Random, __: Request) -> str:
    return chance.choice(
        (
            "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>",
            "<html>Please sign in</html>",
            "data: [DONE]",
            "upstream connect error",
        )
    )


def _lone_surrogate(text: str, chance: Random, _: Request) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chr(chance.randrange(0xD800, 0xE000)) + text[at:]


def _too_big(text: str, chance: Random, _: Request) -> str:
    return text[:1] + chance.choice((" ", "\n", '"a')) * 1_100_000 + text[1:]


def _refusal(_: str, chance: Random, __: Request) -> str | Spoiled:
    said = chance.choice(REFUSALS)
    return chance.choice((said, Spoiled(said, "refused"), Spoiled("", "refused")))


def _slow(_: str, __: Random, request: Request) -> ModelError:
    return ModelTimeoutError(_MODEL, request.timeout)


def _outage(_: str, chance: Random, __: Request) -> ModelError:
    return chance.choice(
        (
            ModelUnavailableError(_MODEL, "connection", "the connection broke"),
            ModelUnavailableError(_MODEL, "content_type", "it answered 'text/html', not JSON"),
            ModelUnavailableError(_MODEL, "server", "it answered with status 500"),
            ModelRateLimitedError(_MODEL, 30.0),
        )
    )


TEXT_FAULTS: Mapping[str, Fault] = {
    "bom": _bom,
    "comments": _comments,
    "cut_marked": _cut_marked,
    "cut_silently": _cut_silently,
    "empty": _empty,
    "endless_space": _endless_space,
    "fence_open": _fence_open,
    "fenced": _fenced,
    "fenced_twice": _fenced_twice,
    "html": _html,
    "lone_surrogate": _lone_surrogate,
    "outage": _outage,
    "prose_after": _prose_after,
    "prose_before": _prose_before,
    "reasoning": _reasoning,
    "reasoning_open": _reasoning_open,
    "refusal": _refusal,
    "single_quotes": _single_quotes,
    "slow": _slow,
    "too_big": _too_big,
    "trailing_comma": _trailing_comma,
    "two_values": _two_values,
}
