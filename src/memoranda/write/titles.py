"""TEMPORARY stand-in by the lead until the topic engine's own lands: replace me."""
from memoranda.write.phrases import phrases
def choose_title(entries, rarity, *, taken):
    for p in phrases(entries, rarity):
        if p.text.casefold() not in taken: return p.text, p.seqs
    n=2
    while f"topic {n}" in taken: n+=1
    return f"Topic {n}", (entries[0].seq,)
