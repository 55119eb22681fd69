"""What is known of languages: tokens, terms, sentences, times, frames. No store, no model."""
