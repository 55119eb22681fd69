"""Other memories, run beside ours on the same texts: each in an interpreter of its own."""
