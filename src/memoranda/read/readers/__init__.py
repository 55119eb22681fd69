"""The readers that a model drives: summary, hybrid, agentic; and answers that can be checked."""
