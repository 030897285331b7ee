"""The keys of what the bot says. The sentences stand in `memory/language/words`, each under the name of its class."""

from memory.language.wording import SentenceKey


class Notice(SentenceKey):
    """What commands say, in the setup and on what they show."""


class Slash(SentenceKey):
    """What Discord shows of slash commands while one types."""


class Phrase(SentenceKey):
    """What the bot says when it is spoken to, and on its buttons."""


class Remind(SentenceKey):
    """What the bot says about reminders."""
