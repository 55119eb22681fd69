"""Made-up talk: Zipf's law over 20,000 words, some of it Chinese, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate, product

from memoranda import NewEvent

WORDS = 20_000
COMMON = (  # noqa: SIM905 - words read better in a row
    "the of and to in a that it for on with as at by we from this not have but they you which "
    "all one there when so out up about into then them some time only other new more these"
).split()
ONSETS = "b br c cl d dr f fl g gr h k l m n p pl qu r s sl st t tr v w".split()  # noqa: SIM905
CORES = "a e i o u ai ea oo ou".split()  # noqa: SIM905
ENDS = ("", "n", "r", "l", "st", "nd", "m", "ck")
KINDS = ("port", "limit", "price", "code", "deadline", "owner")
HAN = (
    "山水火木土金日月风雨云雪花草树叶果米面茶酒车船桥路门窗灯书笔纸布衣鞋帽盘碗刀锅炉窑田井河湖海岛"
    "城村街店院楼房屋桌椅床箱袋瓶绳网针线鼓笛琴画诗歌猫狗牛羊马鸟鱼虫蛇鹿熊虎豆瓜桃梨杏枣姜蒜盐糖"
)
CHINESE = 0.1
"""This part of the sentences is Chinese."""
STATES = 0.1
"""This part of the others tells a state of one value."""


class Talk:
    """Sentences in sessions, each session on a topic of its own.

    Args:
        seed: another seed gives other talk over the same words.
        topics: how many topics there are; session n is on topic n modulo that.
    """

    def __init__(self, seed: int, *, topics: int = 200) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - made-up text
        self._topics = topics

    def sentence(self, topic: int = 0) -> str:
        """Make a sentence: half of its rarer words are the topic's."""
        chance = self._chance
        if chance.random() < CHINESE:
            return self._chinese(topic)
        own = random.Random(topic).choices(VOCABULARY[500:], k=12)  # noqa: S311
        if chance.random() < STATES:
            word, kind = chance.choice(own), chance.choice(KINDS)
            return f"The {word} {kind} is {chance.randrange(10_000)}."
        words = [
            chance.choice(own) if chance.random() < 0.25 else word
            for word in chance.choices(VOCABULARY, cum_weights=WEIGHTS, k=chance.randint(8, 20))
        ]
        return f"{words[0].capitalize()} {' '.join(words[1:])}."

    def _chinese(self, topic: int) -> str:
        own = random.Random(topic).sample(HAN, 6)  # noqa: S311
        chance = self._chance
        pairs = ("".join(chance.sample(own if chance.random() < 0.4 else HAN, 2)) for _ in range(7))
        return "，".join(pairs) + "。"

    def sentences(self, number: int) -> list[str]:
        """Make some sentences, each on the next topic."""
        return [self.sentence(place % self._topics) for place in range(number)]

    def events(self, number: int, *, name: str = "s", length: int = 20) -> Iterator[NewEvent]:
        """Make events in sessions of a length, of two speakers."""
        for place in range(number):
            session = place // length
            yield NewEvent(
                content=self.sentence(session % self._topics),
                session=f"{name}{session}",
                speaker=("Ines", "Olek")[place % 2],
            )

    def question(self) -> str:
        """Make a question: some words, as common as they come."""
        chance = self._chance
        return " ".join(chance.choices(VOCABULARY, cum_weights=WEIGHTS, k=chance.randint(3, 9)))


def _vocabulary() -> list[str]:
    syllables = ["".join(parts) for parts in product(ONSETS, CORES, ENDS)]
    chance = random.Random(1)  # noqa: S311 - made-up words
    made = dict.fromkeys(COMMON)
    while len(made) < WORDS:
        made["".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3))))] = None
    return list(made)


VOCABULARY = _vocabulary()
"""Words, the commonest first."""
WEIGHTS = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))
"""Cumulated, for `random.choices`: a word is as common as its rank is low."""
