"""Reads words: folding, stems, sentences, dates and languages, by rule and without a model."""
