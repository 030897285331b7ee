"""Whether a model added something of its own to what it was given to put into other words."""

import re

from memory.language.stems import WordForms, topics

SHARE_OF_NEW_WORDS = 0.25
"""Of the topics of a text. Other forms of a word are not always recognised as that word."""
FEW_WORDS = 1
"""So many may be new in a text of any length."""

_NUMBER = re.compile(r"\d+")
_MENTION_OF = re.compile(r"<@!?(\d+)>")
_LINK_TO = re.compile(r"(?:(?<!\w)\w++://|www\.|discord\.gg/|discord(?:app)?\.com/)\S*", re.IGNORECASE)
_INVENTED_MARKUP = re.compile(r"[<>`]|@everyone|@here", re.IGNORECASE)


def is_invented(text: str, given: str) -> bool:
    """Links, numbers and people that were not given count at once; of other words a few may be forms of what was."""
    if any(link not in given for link in _LINK_TO.findall(text)):
        return True
    if not set(_MENTION_OF.findall(text)) <= set(_MENTION_OF.findall(given)):
        return True
    bare, known = _MENTION_OF.sub(" ", text), _MENTION_OF.sub(" ", given)
    if any(mark not in known for mark in _INVENTED_MARKUP.findall(bare)):
        return True
    if not set(_NUMBER.findall(bare)) <= set(_NUMBER.findall(known)):
        return True
    spoken, heard = topics(bare), WordForms(topics(known))
    new = sum(topic not in heard for topic in spoken)
    return new > max(FEW_WORDS, len(spoken) * SHARE_OF_NEW_WORDS)
