"""What a request may say of where it goes to and comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_ANY: Final = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - addresses that are no name


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What a request may say of where it comes from and goes to; all else is refused."""

    hosts: frozenset[str]
    """Values of Host, in lower case, with the port."""
    origins: frozenset[str]
    """Values of Origin, in lower case."""

    @classmethod
    def at(
        cls, host: str, port: int, *, hosts: Iterable[str] = (), origins: Iterable[str] = ()
    ) -> Allowed:
        """Give what fits an address: of loopback all its names, of another only what is named.

        Args:
            host: the address that is listened on.
            port: its port.
            hosts: more values of Host; without a port any of ours is meant.
            origins: more values of Origin.
        """
        own = LOOPBACK if host in LOOPBACK else frozenset({host} - _ANY)
        names = [f"[{name}]" if ":" in name else name for name in sorted(own)]
        known = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())
        more = {name.lower() for name in hosts}
        more |= {f"{name}:{port}" for name in more if ":" not in name}
        return cls(
            hosts=frozenset(known | more),
            origins=frozenset(
                {f"http://{name}" for name in known}
                | {name.lower().rstrip("/") for name in origins}
            ),
        )
