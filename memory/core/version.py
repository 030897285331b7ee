"""Which Innkeeper this is. Said here alone: the package, `--version`, exports and databases take it from here."""

VERSION = "1.1.0"
