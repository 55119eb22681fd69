"""Ten kinds of made-up secrets that the rules name nowhere: drawn by lot before the rules were written."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping

HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
LOWER = string.ascii_lowercase + string.digits

Maker = Callable[[random.Random], tuple[str, str]]
"""Gives a phrase that holds a secret, and the secret."""


def some(dice: random.Random, letters: str, length: int) -> str:
    """Give so many random letters."""
    return "".join(dice.choice(letters) for _ in range(length))


def _bare(make: Callable[[random.Random], str]) -> Maker:
    def made(dice: random.Random) -> tuple[str, str]:
        secret = make(dice)
        return secret, secret

    return made


UNSEEN: Mapping[str, Maker] = {
    "atlassian-api-token": _bare(
        lambda d: "ATATT3xFfGF0" + some(d, ALNUM + "_-", 171) + "=" + some(d, HEX.upper(), 8)
    ),
    "databricks-api-token": _bare(lambda d: "dapi" + some(d, HEX, 32)),
    "digitalocean-pat": _bare(lambda d: "dop_v1_" + some(d, HEX, 64)),
    "doppler-api-token": _bare(lambda d: "dp.pt." + some(d, ALNUM, 43)),
    "huggingface-access-token": _bare(lambda d: "hf_" + some(d, string.ascii_letters, 34)),
    "new-relic-user-api-key": _bare(
        lambda d: "NRAK-" + some(d, string.ascii_uppercase + string.digits, 27)
    ),
    "notion-api-token": _bare(lambda d: "ntn_" + some(d, string.digits, 11) + some(d, ALNUM, 35)),
    "postman-api-token": _bare(lambda d: f"PMAK-{some(d, HEX, 24)}-{some(d, HEX, 34)}"),
    "sonar-api-token": _bare(lambda d: "squ_" + some(d, HEX, 40)),
    "vault-service-token": _bare(lambda d: "hvs." + some(d, URLSAFE, 95)),
}
