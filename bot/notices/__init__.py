"""What the bot says about settings, the log and who may be in it: answers of `/privacy`, `/settings` and the setup.

One file for each language; a test holds them against each other.
"""

from bot.notices import english, french, german, russian, spanish
from bot.notices.memory import MEMORY_NOTICES
from bot.notices.notice import Notice
from bot.notices.privacy import PRIVACY_NOTICES
from bot.notices.why import WHY_NOTICES
from memory.language.detect import Language

__all__ = ["NOTICES", "Notice"]

_EVERYDAY = {
    Language.EN: english.NOTICES,
    Language.DE: german.NOTICES,
    Language.FR: french.NOTICES,
    Language.ES: spanish.NOTICES,
    Language.RU: russian.NOTICES,
}

NOTICES: dict[Language, dict[Notice, str]] = {
    language: notices | PRIVACY_NOTICES[language] | MEMORY_NOTICES[language] | WHY_NOTICES[language]
    for language, notices in _EVERYDAY.items()
}
