"""The proxy that the environment names for a URL."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """Give the proxy for a URL, as `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say.

    The small spelling goes before the large one. This machine itself is never asked by a proxy.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or _is_excepted(host, _named(environ, "no_proxy")):
        return None
    found = _named(environ, f"{parts.scheme}_proxy") or _named(environ, "all_proxy")
    if not found:
        return None
    return found if "://" in found else f"http://{found}"


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine by its very name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _named(environ: Mapping[str, str], name: str) -> str:
    return (environ.get(name) or environ.get(name.upper()) or "").strip()


def _is_excepted(host: str, exceptions: str) -> bool:
    names = [name.strip().lower().lstrip("*").lstrip(".") for name in exceptions.split(",")]
    if "*" in {name.strip() for name in exceptions.split(",")}:
        return True
    return any(name and (host == name or host.endswith(f".{name}")) for name in names)
