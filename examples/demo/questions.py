"""What the demo asks, and what must come back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what must come back: `chain` counts all values there were, the newest too.

    What holds now is in `first` (the first quote) and `holds` (all), from `talks`; `never` may not
    turn up. The handle is bound to `project`, if one is given; `show` quotes are printed.
    """

    why: str
    text: str
    first: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    talks: tuple[str, ...] = ()
    chain: int = 0
    project: str | None = None
    show: int = 3
    current: bool = False


BILLING = "What are the invoice currency, the invoice day and the payment term in billing?"
QUESTIONS = (
    Question("What holds now, what did it replace?", "What is the rate limit of the ingest API?",
        first=("600 requests per minute",), chain=10, show=1),
    Question("What does she prefer now?", "What is my editor?", first=("Zed",), chain=3, show=1),
    Question("Which talks do the deployment limits come from?",
        "What are the deployment limits of ingest?", talks=("s03", "s10"), show=8,
        holds=("20 minutes", "Fridays after 14:00", "at most two deployments", "rehearsal")),
    Question("Who confirmed the contact: did the user, or did the assistant infer it?",
        "Who is the billing contact?", project="billing-alder",
        first=("Petra Lindgren, she confirmed it herself",), holds=("I infer from the signature",)),
    Question("The same for the other customer, where the assistant was wrong",
        "Who is the billing contact?", project="billing-brightwater",
        first=("Amara Okoye",), holds=("I infer that the billing contact",)),
    Question("Does the failure still hold, or only for an old version?",
        "Does the export failure of ingestctl still hold?", show=5,
        holds=("fixed in ingestctl 2.5", "ingestctl 2.3")),
    Question("Which billing? Asked in the project of Alder Foods", BILLING, project="billing-alder",
        holds=("Swedish krona", "the 5th", "20 days"), show=4,
        never=("British pounds", "the 15th", "14 days", "Brightwater")),
    Question("The same words, asked in the project of Brightwater Clinics", BILLING,
        project="billing-brightwater", holds=("British pounds", "the 15th", "14 days"), show=4,
        never=("krona", "the 5th", "30 days", "20 days", "Alder")),
    Question("In Chinese: when is the dashboard meeting now?", "数据看板的例会时间是什么时候？",
        first=("每周三下午四点",), chain=3, show=1),
    Question("A fact that is still in CURRENT", "When is the summer party?", current=True, show=1,
        first=("26 June",)),
    Question("A hedge stays a hedge", "Does Lena like the sea charts of the Hanseatic League?",
        holds=("I may like something about the sea charts",), show=2),
)  # fmt: skip
