"""The configuration of agents' hosts: our entry written into it, and taken out again."""
