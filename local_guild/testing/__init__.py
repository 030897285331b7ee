"""What tests and demonstrations do to the local guild: faults, floods, and control by HTTP."""
