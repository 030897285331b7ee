"""What is said about the facts that are held about members, and who did what to them: `/memory`, `/settings facts`."""

from bot.notices.memory import english, french, german, russian, spanish
from bot.notices.notice import Notice
from memory.language.detect import Language

__all__ = ["MEMORY_NOTICES"]

MEMORY_NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: english.NOTICES,
    Language.DE: german.NOTICES,
    Language.FR: french.NOTICES,
    Language.ES: spanish.NOTICES,
    Language.RU: russian.NOTICES,
}
