"""What doors over HTTP share: who may come in, whose memory they get, and how much of it."""
