"""MemoryAgentBench: its protocol in our own words, over the parts that are at hand."""
