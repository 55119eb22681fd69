"""The door for people: pages that show memory, and let it be steered, made on the server."""
