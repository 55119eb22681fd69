"""Sets written for this project: six kinds of what people ask of memory, in English and Chinese."""
