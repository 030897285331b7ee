"""Serves the chat page: a client in the browser that speaks to the local guild as any Discord client would."""
