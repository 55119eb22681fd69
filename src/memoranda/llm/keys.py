"""A key that no repr, error or log shows."""

from __future__ import annotations


class Key:
    """An API key, or none, with the name of the variable it came from."""

    __slots__ = ("_value", "variable")

    def __init__(self, value: str | None, variable: str) -> None:
        self._value = value
        self.variable = variable

    def __repr__(self) -> str:
        """Say where it is from, never what it is."""
        return f"Key({self.variable})"

    def __reduce__(self) -> str:
        """Refuse to be pickled or copied out of the process.

        Raises:
            TypeError: always.
        """
        raise TypeError("a key is not written down")

    def reveal(self) -> str | None:
        """Give the key itself, for the header that carries it."""
        return self._value

    def redact(self, text: str) -> str:
        """Take the key out of a text that somebody else wrote."""
        return redacted(text, (self._value,))


def redacted(text: str, secrets: tuple[str | None, ...]) -> str:
    """Replace secrets in a text; too short ones are no secrets."""
    for secret in sorted({s for s in secrets if s and len(s) >= 6}, key=len, reverse=True):
        text = text.replace(secret, "[key]")
    return text
