"""What the bot says about settings, the log and who may be in it: answers of `/privacy`, `/settings` and the setup.

One file for each language; a test holds them against each other.
"""

from bot.notices import english, french, german, russian, spanish
from bot.notices.notice import Notice
from memory.core.language import Language

__all__ = ["NOTICES", "Notice"]

NOTICES: dict[Language, dict[Notice, str]] = {
    Language.EN: english.NOTICES,
    Language.DE: german.NOTICES,
    Language.FR: french.NOTICES,
    Language.ES: spanish.NOTICES,
    Language.RU: russian.NOTICES,
}
