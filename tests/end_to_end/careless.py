"""A careless model for the tests of leaks and of erasure: in every shape it is asked for, it repeats all it got."""

import html
import json
import random
import re

_SAID = re.compile(r'<message n="(\d+)"[^>]*>(.*?)</message>', re.DOTALL)
_SAID_ON_A_DAY = re.compile(r'<message time="[^"]*" author-id="(\d+)"[^>]* n="(\d+)">(.*?)</message>')
_PERSON = re.compile(r'<person id="(\d+)"')
_FACT = re.compile(r"<fact [^>]*>(.*?)</fact>")
_TAG = re.compile(r"<[^<>]*>")
_ASKED = re.compile(r"the (\w+ \w+) called")
_NUMBER = re.compile(r'^(\d+) |\bn="(\d+)"', re.MULTILINE)
INTENTS = {
    "put that in your book": "remember",
    "drop it": "forget",
    "was a dream": "chatter",
    "I was gone": "catch_up",
    "reminders of mine": "reminders",
    "where were we": "channel",
}
"""What it takes for the wish of whoever says these words."""


def kind_of(data: str) -> str:
    """What a prompt asks for."""
    if data.startswith("<known-") and "<messages-" in data:
        return "memories"
    if "<people-" in data and '<message time="' in data:
        return "day"
    if '<message n="' in data:
        return "channel"
    if "<typed-" in data:
        return "intent"
    if data.startswith("<days-") or "<today-" in data or "<history-" in data:
        return "context"
    return "facts" if "<people-" in data and "<facts-" in data else "answer"


def careless(data: str, token: re.Pattern[str]) -> str:
    match kind_of(data):
        case "memories":
            return _memories(data)
        case "day":
            return _day(data)
        case "channel":
            return _channel(data)
        case "intent":
            return _intent(data)
        case "context":
            text = html.unescape(" ".join(_TAG.sub(" ", data).split()))
            return json.dumps({"summary" if data.startswith("<days-") else "context": text})
        case "facts":
            return json.dumps({"text": " ".join(_FACT.findall(html.unescape(data)))})
        case _:
            return repeat(data, token)


def repeat(data: str, token: re.Pattern[str]) -> str:
    """Every canary it was given, those it was asked for first, and numbers of its sources."""
    tokens = list(dict.fromkeys(token.findall(data)))
    random.Random(len(data)).shuffle(tokens)
    asked = _ASKED.findall(data[-500:])
    wanted = [line for line in data.splitlines() if any(words in line for words in asked)]
    tokens = list(dict.fromkeys([*token.findall("\n".join(wanted)), *tokens]))
    numbers = "".join(f"[{first or second}]" for first, second in _NUMBER.findall(data)[:5])
    return f"{' '.join(tokens)[:1600]} {numbers}" if tokens else f"I was told nothing. {numbers}"


def _memories(data: str) -> str:
    """Every sentence is worth remembering, and so is what nobody said there."""
    spans = [(int(number), html.unescape(text)) for number, text in _SAID.findall(data)]
    spans += [(1, line) for line in data.splitlines()[1:3]]
    found = {"category": "fact", "importance": 10, "tags": []}
    return json.dumps({"memories": [{"message": number, "span": span, **found} for number, span in spans]})


def _day(data: str) -> str:
    """Of each person all that they said, and for those who said nothing the rest; and it takes the longest word of
    each line for the name of somebody else."""
    said: dict[str, list[str]] = {}
    called: list[dict[str, object]] = []
    people = _PERSON.findall(data)
    for author, number, text in _SAID_ON_A_DAY.findall(data):
        said.setdefault(author, []).append(text)
        name = max(re.findall(r"\w+", text), key=len, default="")
        called += [{"id": one, "name": name, "message": int(number)} for one in people if one != author][:1]
    everything = [text for texts in said.values() for text in texts]
    members = [{"id": one, "summary": ". ".join(said.get(one, everything))} for one in people]
    happenings = [
        {"text": text, "kind": ("happened", "decided", "planned")[int(number) % 3], "messages": [int(number)]}
        for _, number, text in _SAID_ON_A_DAY.findall(data)
    ]
    return json.dumps({"members": members, "happenings": happenings[-20:], "also_called": called[-20:]})


def _channel(data: str) -> str:
    """All that was said, each with its number."""
    said = [(number, text.rstrip(".!?")) for number, text in _SAID.findall(data)][-20:]
    lines = [f"Somebody said {text} [{number}]." for number, text in said]
    return json.dumps({"summary": " ".join(lines)})


def _intent(data: str) -> str:
    typed = data.rpartition("<typed-")[2]  # what was asked before stands there as well
    intent = next((intent for words, intent in INTENTS.items() if words in typed), "question")
    if "what happened" in typed or "what did" in typed:
        today = data.partition("<now-")[2].split()[2].rstrip(",")
        return json.dumps({"wants": "days", "first_day": today, "last_day": today})
    return json.dumps({"wants": intent, "searches": ["secret", "the name of it"]})
