"""Evaluation suites; they see only the public names of the package."""
