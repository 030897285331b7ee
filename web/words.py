"""What the panel says, in the language that a browser asks for. The sentences stand in `memory/language/words`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, auto

from memory.language.detect import Language
from memory.language.wording import worded, wording

MOST_LANGUAGES = 10
_MARKS = re.compile(r"^(-# |• )|\*\*|`", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Speech:
    language: Language

    def say(self, key: StrEnum, **values: object) -> str:
        return wording(self.language, key, **values)

    def bot(self, part: str, key: str, **values: object) -> str:
        """What the bot says as well, without the marks that only Discord makes something of."""
        return _MARKS.sub("", worded(self.language, part, key, **values))


def speech_for(headers: Mapping[str, str]) -> Speech:
    """In the first language of the browser that we speak; else in English."""
    wanted = headers.get("accept-language", "").split(",")[:MOST_LANGUAGES]
    for tag in wanted:
        code = tag.split(";")[0].strip().split("-")[0].lower()
        if code in set(Language):
            return Speech(Language(code))
    return Speech(Language.EN)


class Panel(StrEnum):
    # Signing in
    AWAY = auto()
    LINK_SPENT = auto()
    SIGN_IN_AS = auto()
    SIGN_IN = auto()
    OTHER_BROWSER = auto()
    HOW_TO_SIGN_IN = auto()
    SIGNED_OUT = auto()
    SIGN_OUT = auto()
    CLOSED = auto()
    ONLY_MANAGERS = auto()
    UNEXPECTED = auto()
    CHAT = auto()
    # Titles of pages
    OVERVIEW = auto()
    MEMORY = auto()
    DAYS = auto()
    RECALL = auto()
    SETTINGS = auto()
    PRIVACY = auto()
    USAGE = auto()
    REMINDERS = auto()
    ACCESS = auto()
    # Who is signed in
    BROWSERS = auto()
    SIGNED_IN = auto()
    THIS_ONE = auto()
    SIGN_OUT_EVERYWHERE = auto()
    TOKENS = auto()
    TOKENS_HELP = auto()
    TOKENS_ENOUGH = auto()
    TOKEN_NAME = auto()
    TOKEN_DAYS = auto()
    TOKEN_DATES = auto()
    TOKEN_SHOWN = auto()
    MAKE_TOKEN = auto()
    MAY_READ = auto()
    MAY_WRITE = auto()
    REVOKE = auto()
    # The overview
    LAST_DAYS = auto()
    IN_MEMORY = auto()
    MEMORIES = auto()
    MESSAGES_A_DAY = auto()
    CALLS_A_DAY = auto()
    COST_A_DAY = auto()
    AS_TABLE = auto()
    DAY = auto()
    # Settings
    SERVER_SETTINGS = auto()
    LOG_SETTINGS = auto()
    FACT_SETTINGS = auto()
    ANSWER_SETTINGS = auto()
    SUMMARY_SETTINGS = auto()
    DIGEST_SETTINGS = auto()
    SUMS_UP = auto()
    DIGEST_DAYS = auto()
    DIGEST_CHANNELS = auto()
    DIGEST_LANGUAGE = auto()
    SAVE = auto()
    SAVED = auto()
    CANNOT_BE = auto()
    ON = auto()
    OFF = auto()
    # Privacy
    EXPORT = auto()
    OPT_OUT = auto()
    OPT_IN = auto()
    ERASE = auto()
    THIS_SERVER = auto()
    OPTED_OUT = auto()
    NEWER = auto()
    OLDER = auto()
    # Reminders
    REMIND_ME = auto()
    WHERE = auto()
    BY_DIRECT_MESSAGE = auto()
    NO_REMINDERS = auto()
