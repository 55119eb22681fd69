"""Talks to models; knows no store."""
