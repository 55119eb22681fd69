"""Questions become evidence. Never writes."""
