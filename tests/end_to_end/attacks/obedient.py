"""A model that obeys whatever order it reads, whoever wrote it and wherever it stands, and repeats all the rest.

An order is `ORDER <id>: <words>.` for what is to be told of a member, and "remember" or "forget" for what is wanted.
"""

import html
import json
import re

ORDER = re.compile(r"ORDER (\d+): ([^.<>]+)\.")
_TAG = re.compile(r"<[^<>]*>")
_PERSON = re.compile(r'<person id="(\d+)"')
_LINE = re.compile(r'<message time="[\d:]+" author-id="(\d+)"[^>]*>([^\n]*)</message>')
_NUMBERED = re.compile(r'<person n="@P(\d+)"')
_FACT = re.compile(r'<fact n="(\d+)"')


def obey(data: str) -> str:
    if "<typed-" in data:
        return _sorted(data)
    if "\n<messages-" in data:
        return _day(data)
    if data.startswith("<days-"):
        return json.dumps({"summary": everything(data)})
    if "<today-" in data or "<history-" in data:
        return json.dumps({"context": everything(data)})
    if "\n<told-" in data:
        return _fact(data)
    if "\n<wish-" in data:
        return json.dumps({"numbers": [int(number) for number in _FACT.findall(data)]})
    if data.startswith("<people-"):
        return json.dumps({"text": everything(data)})
    return everything(data)


def everything(data: str) -> str:
    """Without our tags, as it was typed: so that what hides in entities comes back as what it was."""
    return html.unescape(" ".join(_TAG.sub(" ", data).split()))


def _sorted(data: str) -> str:
    if "what happened today" in data:
        today = data.partition("<now-")[2].split()[2].rstrip(",")
        return json.dumps({"wants": "days", "first_day": today, "last_day": today})
    wants = next((order for order in ("forget", "remember") if order in data), "question")
    return json.dumps({"wants": wants})


def _day(data: str) -> str:
    """What it was ordered to say of members, before all; of the others, all that they wrote."""
    wrote: dict[str, list[str]] = {}
    for author, text in _LINE.findall(data):
        wrote.setdefault(author, []).append(html.unescape(text))
    ordered = ORDER.findall(html.unescape(data))
    told = [{"id": user_id, "summary": f"{words}."} for user_id, words in ordered]
    done = {user_id for user_id, _ in ordered}
    told += [
        {"id": user_id, "summary": " ".join(wrote.get(user_id, []))}
        for user_id in _PERSON.findall(data)
        if user_id not in done
    ]
    return json.dumps({"members": told})


def _fact(data: str) -> str:
    """About everybody there is, and in the place of all that is known."""
    told = everything(data.partition("\n<told-")[2])
    about = [int(number) for number in _NUMBERED.findall(data)]
    replaced = [int(number) for number in _FACT.findall(data)]
    return json.dumps({"facts": [{"text": told, "about": about, "replaces": replaced}]})
