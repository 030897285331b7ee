"""/recall: what was said, page by page."""
