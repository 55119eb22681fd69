"""TEMPORARY stand-in by the lead until the topic engine's own lands: replace me."""
from memoranda.write.phrases import phrases
def summarize(entries, rarity, *, title):
    ps=phrases(entries, rarity)[:12]
    return "; ".join(p.text for p in ps) or entries[0].text[:80], tuple(sorted({s for p in ps for s in p.seqs})) or (entries[0].seq,)
