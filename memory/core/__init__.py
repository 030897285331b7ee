"""Pure domain: values and rules on the standard library alone; no I/O, no clock of its own."""
