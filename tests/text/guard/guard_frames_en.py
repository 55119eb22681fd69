"""Sixty and more English statements of many fields, each with a right rewording and wrong turns.

A frame is `source => typed`. `{n}` and the like are slots that both sides spell in their own way;
`[k:right|wrong|...]` in what is typed is a choice of which the first is right: n negation,
h hedge or modality, q quantifier, s speaker.
"""

from __future__ import annotations

from pathlib import Path

FRAMES = (Path(__file__).parent / "frames_en.txt").read_text("utf-8").splitlines()

LEADS = (
    "By the way, ", "Honestly, ", "Well, ", "As I said, ", "Just so you know, ", "Oh, ", "Hey, ",
    "You know, ", "To be honest, ", "In fact, ",
)  # fmt: skip
"""Small talk that a shorter wording drops."""
NAMES = (
    "Ingrid",
    "Marek",
    "Tunde",
    "Yusra",
    "Paolo",
    "Keiko",
    "Anselm",
    "Bronwyn",
    "Dmitri",
    "Fatima",
    "Gustavo",
    "Hanneke",
)
PLACES = (
    "Bergen",
    "Ljubljana",
    "Valparaiso",
    "Tromso",
    "Cork",
    "Gdansk",
    "Porto",
    "Tartu",
    "Uppsala",
    "Leiden",
    "Bilbao",
)
THINGS = (
    "peanuts",
    "rhubarb",
    "mackerel",
    "coffee",
    "liquorice",
    "mushrooms",
    "oysters",
    "celery",
    "honey",
)
TOPICS = ("geology", "Latin", "weaving", "astronomy", "chess", "Basque", "pottery", "botany")
PATHS = ("/srv/vault/nightly.sh", "~/keys/main.kdbx", "/opt/run/cron.d/sync", "notes/2024/todo.md")
VERSIONS = ("v2.14.1", "3.0.7", "v1.9", "0.8.12")
MAILS = ("ledger@brine.example", "office@tarn.example", "kim.o@fen.example")
INVENTIONS = (
    "and owns a yacht", "with {other}", "and speaks Finnish", "for {n} more winters", "near {placex}",
    "and has twin sons", "which won a prize", "and studied law", "because of asthma", "on {day}",
    "at {url}", "and keeps a parrot called {other}", "worth {cash}", "as a volunteer pilot",
)  # fmt: skip
"""What no source says, put behind a right rewording."""
