"""What the bot says about settings, the log and who may be in it: answers of `/privacy`, `/settings` and the setup.

One file for each language; a test holds them against each other.
"""

from bot.notices import english, french, german, russian, spanish
from bot.notices.memory import MEMORY_NOTICES
from bot.notices.notice import Notice
from bot.notices.privacy import PRIVACY_NOTICES
from memory.core.language import Language

__all__ = ["NOTICES", "Notice"]

NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: english.NOTICES | PRIVACY_NOTICES[Language.EN] | MEMORY_NOTICES[Language.EN],
    Language.DE: german.NOTICES | PRIVACY_NOTICES[Language.DE] | MEMORY_NOTICES[Language.DE],
    Language.FR: french.NOTICES | PRIVACY_NOTICES[Language.FR] | MEMORY_NOTICES[Language.FR],
    Language.ES: spanish.NOTICES | PRIVACY_NOTICES[Language.ES] | MEMORY_NOTICES[Language.ES],
    Language.RU: russian.NOTICES | PRIVACY_NOTICES[Language.RU] | MEMORY_NOTICES[Language.RU],
}
