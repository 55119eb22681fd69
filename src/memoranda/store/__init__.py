"""Bytes on disk: the log, its views and its files. Knows no model."""
