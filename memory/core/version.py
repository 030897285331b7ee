"""Says, here alone, which Innkeeper this is: the package, `--version`, exports and databases take it from here."""

VERSION = "1.1.0"
