"""A database of each release, as its users left it, is carried up by every later step, and keeps its promises."""
