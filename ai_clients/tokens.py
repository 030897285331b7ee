"""How many tokens a text will be, for those who have to know before, or were not told after."""

from ai_clients.base import Prompt, Usage

BYTES_OF_A_TOKEN = 4
"""About right for the languages of Europe; by bytes, because other scripts take more tokens for a character."""


def estimated_tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_OF_A_TOKEN)


def estimated_usage(prompt: Prompt, reply: str) -> Usage:
    return Usage(estimated_tokens(prompt.rules + prompt.data), estimated_tokens(reply), is_estimated=True)
