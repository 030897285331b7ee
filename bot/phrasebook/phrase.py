"""What the bot has sentences for when it is spoken to."""

from enum import StrEnum, auto


class Phrase(StrEnum):
    REMEMBERED = auto()
    REMEMBERED_ABOUT_SERVER = auto()
    ALREADY_KNOWN = auto()
    CONFIRMED_BY_TELLING = auto()
    WHICH_MEMBER = auto()
    GUESSED_MEMBER = auto()
    """Nobody goes by the name, but some by one that looks alike."""
    NONE_OF_THEM = auto()
    MAY_BE_TOLD = auto()
    REMEMBER_THIS = auto()
    NOT_YOUR_CHOICE = auto()
    TELLING_GONE = auto()
    CHOSEN_TOO_LATE = auto()
    REPLACED = auto()
    KNOWN_BETTER = auto()
    NOTHING_TO_REMEMBER = auto()
    SOURCE_NOT_KEPT = auto()
    FACT_TOO_LONG = auto()
    TOLD_ENOUGH = auto()
    TOLD_ENOUGH_ABOUT_SERVER = auto()
    FORGOTTEN = auto()
    FORGOTTEN_UNSAID = auto()
    """What went was told where not everyone here can read any more."""
    FORGOTTEN_ALL = auto()
    UNCLEAR_WHAT = auto()
    WHICH_FACT = auto()
    """The same, with buttons to choose with."""
    FORGET_THIS = auto()
    """The same, of one fact alone."""
    NOTHING_FOUND = auto()
    NOT_KEPT_ANY_MORE = auto()
    MAY_NOT_FORGET = auto()
    CANNOT_LOOK = auto()
    CANNOT_WRITE = auto()
    WAS_AWAY = auto()
    """Before what comes late because of that."""
    TOOK_TOO_LONG = auto()
    UNEXPECTED = auto()
    NOTHING_TO_SAY = auto()
    WELCOME = auto()
    """To thanks; the next two to a greeting and a farewell, the last to any other kind word."""
    GREETING = auto()
    FAREWELL = auto()
    NOD = auto()
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
    ASKED_TOO_SOON = auto()
    ASKED_ENOUGH = auto()
    IN_SECONDS = auto()
    IN_MINUTES = auto()
    RECALL_HEADING = auto()
    RECALL_NOTHING = auto()
    RECALL_FROM = auto()
    RECALL_IN = auto()
    RECALL_BEFORE = auto()
    RECALL_AFTER = auto()
    RECALL_SHOW = auto()
    """The words of the link to a message."""
    RECALL_GONE = auto()
    RECALL_NO_WORDS = auto()
    RECALL_NO_PLACE = auto()
    """The same for a channel that is not there and for one that the asker cannot read."""
    RECALL_NO_DAY = auto()
    RECALL_NO_TIME = auto()
    UNDO = auto()
    """What can be done about what was just written; the next three as well."""
    EDIT = auto()
    NOT_ME = auto()
    NOT_TRUE = auto()
    NOT_KEPT_AFTER_ALL = auto()
    """What was told is undone."""
    HOLDS_AGAIN = auto()
    HOLDS_INSTEAD = auto()
    """The same of what it had replaced."""
    SAYS_AGAIN = auto()
    """What was put in other words says again what it said."""
    AS_IT_WAS = auto()
    """Undone, and nothing of it is for everyone here to hear."""
    CHANGED_SINCE = auto()
    """Why nothing is undone."""
    HOLDS_NOW = auto()
    NOTHING_TO_UNDO = auto()
    ONLY_THEY_MAY = auto()
    NOBODY_MAY = auto()
    """What is kept about the server itself is nobody's to confirm or to deny."""
    OR = auto()
    WHO_TOLD = auto()
    """Those who may, within a sentence; the next four as well."""
    WHO_IS_MEANT = auto()
    WHO_DID_IT = auto()
    WHO_MODERATES = auto()
    WHO_MANAGES = auto()
    VETOED_NOT_ME = auto()
    VETOED_NOT_TRUE = auto()
    EDIT_TITLE = auto()
    EDIT_FIELD = auto()
    EDITED = auto()
    EDITED_ABOUT_SERVER = auto()
    EDITED_UNSAID = auto()
    """What it says now is not for everyone here to hear."""
    ABOUT_SOMEBODY_ELSE = auto()
    SAYS_SO_ALREADY = auto()
    NOTHING_TO_EDIT = auto()
    NOT_ABOUT_OTHERS = auto()
    """Not kept, because the server wants nothing told about others."""
    SUBJECT_OPTED_OUT = auto()
    """Not kept, because it names somebody who opted out."""
    YOU_OPTED_OUT = auto()
    """The same to them, who may opt in."""
    DENIED_BEFORE = auto()
    """Not kept, because whom it is about said that it is not true."""
    SOURCES_CHANGE = auto()
    """Instead of an answer whose sources go again and again while it is made."""
    TAKEN_BACK = auto()
    """In the place of an answer, when something that it was made from is gone."""
    NOT_FOR_ALL = auto()
    """In the place of an answer, when somebody came to read it who could not read what it was made from."""
