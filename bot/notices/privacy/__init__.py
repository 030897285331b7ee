"""What is said about what is held, to whom it belongs, and its end: `/privacy`, `/channel-memory`, leaving."""

from bot.notices.notice import Notice
from bot.notices.privacy import english, french, german, russian, spanish
from memory.language.detect import Language

__all__ = ["PRIVACY_NOTICES"]

PRIVACY_NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: english.NOTICES,
    Language.DE: german.NOTICES,
    Language.FR: french.NOTICES,
    Language.ES: spanish.NOTICES,
    Language.RU: russian.NOTICES,
}
