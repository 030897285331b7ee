"""Measures figures with bars to hold; `python -m benchmarks` runs them all (see README.md)."""
