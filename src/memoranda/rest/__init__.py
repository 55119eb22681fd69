"""The door for services: memory over HTTP, with problem details, and a client of the same shape."""
