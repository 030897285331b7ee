"""The search for what is kept in memory finds it however it is written, and nothing that ends with a call."""

from textwrap import dedent

import pytest

from tests.kept_in_memory import keepers

KEPT = {
    "a cache of a function": ("import functools\n@functools.lru_cache(maxsize=9)\ndef stem(word): ...", {"stem"}),
    "one without a size": ("from functools import cache\n@cache\ndef stem(word): ...", {"stem"}),
    "of a method": ("class A:\n    @functools.cache\n    def stem(self, word): ...", {"stem"}),
    "of a property": ("class A:\n    @cached_property\n    def text(self): ...", {"text"}),
    "by calling it": ("stem = lru_cache(maxsize=9)(_stem)", {"stem"}),
    "of a library": ("@cached(TTLCache(9, 60))\nasync def stem(word): ...", {"stem"}),
    "an empty dict of the module": ("_seen = {}", {"_seen"}),
    "with its type": ("_seen: dict[int, str] = {}", {"_seen"}),
    "by its name": ("_seen = dict()\n_more = set()\n_old = deque(maxlen=9)", {"_seen", "_more", "_old"}),
    "a table that grows": ("_NAMES = {1: 'a'}\ndef learn(name):\n    _NAMES[2] = name", {"_NAMES"}),
    "a list that grows": ("_LINES = ['a']\ndef learn(name):\n    _LINES.append(name)", {"_LINES"}),
    "a value of the module": ("_last = ''\ndef learn(name):\n    global _last\n    _last = name", {"_last"}),
    "a context": ("_who: ContextVar[str] = ContextVar('who')", {"_who"}),
    "of a function": ("def stem(word): ...\nstem.known = {}", {"stem.known"}),
    "a default that stays": ("def stem(word, known={}): ...", {"stem"}),
    "of an object": ("class A:\n    def __init__(self):\n        self._seen = {}", {"A._seen"}),
    "or another": ("class A:\n    def __init__(self, seen=None):\n        self._seen = seen or {}", {"A._seen"}),
    "a queue": ("class A:\n    def __init__(self):\n        self._waiting = asyncio.Queue()", {"A._waiting"}),
    "a cache of an object": ("class A:\n    def __init__(self):\n        self._seen = libs.TTLCache(9)", {"A._seen"}),
    "made later": ("class A:\n    async def begin(self):\n        self._seen: set[str] = set()", {"A._seen"}),
    "of a class": ("class A:\n    _seen: ClassVar[dict[int, str]] = {}", {"A._seen"}),
    "set on the class": ("class A:\n    @classmethod\n    def begin(cls):\n        cls._seen = []", {"A._seen"}),
    "of a value": ("@dataclass\nclass A:\n    seen: dict = field(default_factory=dict)", {"A.seen"}),
    "by a lambda": ("@dataclass\nclass A:\n    seen: dict = field(default_factory=lambda: {})", {"A.seen"}),
    "by a part of a call": ("class A:\n    seen: C = field(default_factory=partial(LRUCache, 9))", {"A.seen"}),
    "of a frozen value": (
        "@dataclass(frozen=True)\nclass A:\n    seen: dict = field(default_factory=dict)",
        {"A.seen"},
    ),
    "a container of our own": ("class Seen(OrderedDict[int, str]): ...", {"Seen"}),
    "in a closure": (
        """
        def remembering(function):
            known = {}
            def inner(word):
                return known.setdefault(word, function(word))
            return inner
        """,
        {"remembering.known"},
    ),
    "in a wrapped closure": (
        """
        def remembering(function):
            known = LRUCache(9)
            def inner(word): return known[word]
            return functools.wraps(function)(inner)
        """,
        {"remembering.known"},
    ),
    "in a lambda": ("def remembering():\n    known = {}\n    return lambda word: known[word]", {"remembering.known"}),
}


@pytest.mark.parametrize(("source", "names"), KEPT.values(), ids=KEPT)
def test_whatever_outlives_a_call_is_found(source: str, names: set[str]) -> None:
    assert keepers(dedent(source)) == names


NOT_KEPT = {
    "a table": "NAMES = {1: 'a'}\nORDER = ['a']\nKINDS = frozenset(('a',))\ndef first():\n    return NAMES[1]",
    "a list of a call": "def stem(word):\n    found = []\n    found.append(word)\n    return found",
    "a function that is used here": (
        "def stem(word):\n    found = []\n    def note(one):\n        found.append(one)\n    walk(word, note)\n"
        "    return found"
    ),
    "what is given": "class A:\n    def __init__(self, seen):\n        self._seen, self._names = seen, tuple(seen)",
    "a name of its own": "NAMES = {1: 'a'}\ndef learn(NAMES, name):\n    NAMES[2] = name",
}


@pytest.mark.parametrize("source", NOT_KEPT.values(), ids=NOT_KEPT)
def test_what_ends_with_a_call_is_not(source: str) -> None:
    assert keepers(source) == set()
