"""What the bot has sentences for when it is spoken to."""

from enum import StrEnum, auto


class Phrase(StrEnum):
    REMEMBERED = auto()
    REMEMBERED_ABOUT_SERVER = auto()
    ALREADY_KNOWN = auto()
    WHICH_MEMBER = auto()
    NOTHING_TO_REMEMBER = auto()
    FACT_TOO_LONG = auto()
    FORGOTTEN = auto()
    FORGOTTEN_UNSAID = auto()
    """What went was told where not everyone here can read any more."""
    FORGOTTEN_ALL = auto()
    UNCLEAR_WHAT = auto()
    NOTHING_FOUND = auto()
    MAY_NOT_FORGET = auto()
    CANNOT_LOOK = auto()
    CANNOT_WRITE = auto()
    TOOK_TOO_LONG = auto()
    UNEXPECTED = auto()
    NOTHING_TO_SAY = auto()
    CUT = auto()
    DIRECT_MESSAGE = auto()
    STAYS_HERE = auto()
    STAYS_HERE_ALL_THE_SAME = auto()
    EVERYONE_MAY_KNOW = auto()
    LET_EVERYONE_KNOW = auto()
    NOT_YOURS_TO_OPEN = auto()
    NOTHING_TO_OPEN = auto()
    ANSWER_ONLY_TO_ME = auto()
    NOT_YOUR_ANSWER = auto()
    QUESTION_GONE = auto()
    ASK_ONLY_ANSWERS = auto()
