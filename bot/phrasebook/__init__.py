"""Every sentence the bot has of its own when it is spoken to, in every language. A new language is one more file."""

from bot.phrasebook import english, french, german, russian, spanish
from bot.phrasebook.phrase import Phrase
from memory.language.detect import Language

__all__ = ["BOOK", "Phrase"]

BOOK: dict[Language, dict[Phrase, str]] = {
    Language.EN: english.BOOK,
    Language.DE: german.BOOK,
    Language.FR: french.BOOK,
    Language.ES: spanish.BOOK,
    Language.RU: russian.BOOK,
}
