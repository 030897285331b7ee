"""The log of messages: what comes in, what is edited and deleted, and what happens in an outage."""
