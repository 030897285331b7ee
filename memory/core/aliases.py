"""Names that a fact gives somebody: "gruzilkin is Sergey" lets "Sergey" mean gruzilkin.

Only a plain statement of that kind counts. In German every noun is written like a name, so there "ist" gives none; in
the other languages a name is told from a description by its capital letter, and from a nationality by a list.
"""

import re

from memory.core.people import name_key
from memory.language.detect import ALL_STOP_WORDS, word_set
from memory.language.text import fold

SHORTEST_ALIAS = 2

_NAME = r"[“\"«„]?(?P<name>[^\W\d_][\w'’.-]*+(?: [^\W\d_][\w'’.-]*+){0,2}+)[”\"»“]?"
_CALLED = re.compile(
    r"<@(?P<who>\d{1,20})>(?:"
    r"['’]s (?:real |first |full )?name is| (?:is|gets) (?:also |really )?(?:called|named|known as)| goes by"
    r"| heißt(?: eigentlich)?| s['’]appelle| se llama| (?:на самом деле )?зовут"
    rf") {_NAME}\s*+[.!]*+",
    re.IGNORECASE,
)
_IS = re.compile(rf"<@(?P<who>\d{{1,20}})> (?:is|est|es|это|[—–-]|[—–-] это) (?:really |actually )?{_NAME}\s*+[.!]*+")

_NO_NAMES = word_set(
    "african albanian algerian american arab argentinian asian australian austrian belgian brazilian british bulgarian"
    " canadian chilean chinese colombian croatian czech danish dutch egyptian english estonian european finnish french"
    " german greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian japanese kenyan korean"
    " latvian lebanese lithuanian mexican moroccan nigerian norwegian pakistani peruvian polish portuguese romanian"
    " russian scottish serbian slovak slovenian spanish swedish swiss syrian thai tunisian turkish ukrainian"
    " vietnamese welsh catholic christian muslim jewish buddhist hindu protestant orthodox"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december online offline away back here great good happy sick ill tall vegan"
    " vegetarian admin moderator captain king queen dad mom santa god best"
)


def aliases_in(text: str) -> list[tuple[int, str]]:
    """Who is called what by this statement: ids, and names as they are looked up."""
    return [(user_id, name_key(name)) for user_id, name in names_in(text)]


def names_in(text: str) -> list[tuple[int, str]]:
    """The same with the names as they are written."""
    found = _CALLED.fullmatch(text.strip())
    if found is None:
        found = _IS.fullmatch(text.strip())
        if found is None or not _looks_like_a_name(found["name"]):
            return []
    key = name_key(found["name"])
    if len(key) < SHORTEST_ALIAS or key in ALL_STOP_WORDS:
        return []
    return [(int(found["who"]), found["name"].strip(".'’-"))]


def _looks_like_a_name(name: str) -> bool:
    words = name.split()
    return all(word[0].isupper() for word in words) and not any(fold(word.strip(".'’-")) in _NO_NAMES for word in words)
