"""French: "je" with the frequent verbs; possessives agree with what is owned, so they need no more than a letter."""

import re

from memory.core.language import word_set
from memory.core.text import fold
from memory.core.third_person.sentence import conjugations

_VERBS = conjugations(
    "suis:est ai:a vais:va fais:fait peux:peut veux:veut dois:doit sais:sait viens:vient vis:vit bois:boit"
    " lis:lit écris:écrit dors:dort pars:part sors:sort mets:met prends:prend apprends:apprend"
    " comprends:comprend connais:connaît vois:voit crois:croit dis:dit tiens:tient cours:court sens:sent"
    " finis:finit choisis:choisit reçois:reçoit étais:était avais:avait allais:allait faisais:faisait"
    " serai:sera aurai:aura irai:ira ferai:fera voudrais:voudrait pourrais:pourrait devrais:devrait"
    " serais:serait aurais:aurait préférerais:préférerait viendrai:viendra"
)
# Regular verbs in -e are said alike of "je" and of another.
_ALIKE = word_set(
    "aime adore déteste habite travaille joue mange parle étudie pense préfère cherche écoute regarde chante danse"
    " cuisine voyage collectionne programme code enseigne possède achète dessine nage marche rêve espère utilise porte"
    " gagne passe reste trouve arrive commence donne monte rentre ouvre offre souffre fume pratique supporte élève loue"
    " lave répare soigne appelle lève couche intéresse occupe marie entraîne"
)
_POSSESSIVE = {"mon": "son", "ma": "sa", "mes": "ses"}
_SUBJECT = re.compile(
    r"\b(?:je|j['’])\s*(?P<ne>ne\s+|n['’])?(?P<me>me\s+|m['’])?(?P<object>le\s+|la\s+|les\s+|l['’]|y\s+|en\s+)?"
    r"(?P<verb>\w+)",
    re.IGNORECASE,
)
_LINKED = re.compile(r"\b(?P<link>et|mais|ou)\s+(?P<ne>ne\s+|n['’])?(?P<verb>\w+)\b(?!['’])", re.IGNORECASE)
_VOWELS = "aeiouyhàâéèêëîïôû"


def convert(text: str, speaker: str) -> str | None:
    if not _SUBJECT.search(text):
        converted = re.sub(r"\bmoi\b", speaker, text, flags=re.IGNORECASE)
        return None if re.search(r"\b(?:mon|ma|mes|me)\b|\bm['’]", converted, re.IGNORECASE) else converted
    pieces: list[str] = []
    place = 0
    for found in _SUBJECT.finditer(text):
        verb = _third(found["verb"])
        if verb is None:
            return None
        pieces += [text[place : found.start()], speaker, " ", _particles(found, verb), verb]
        place = found.end()
    converted = "".join(pieces) + _linked(text[place:])
    return re.sub(r"\b(?:mon|ma|mes)\b", lambda owned: _POSSESSIVE[owned.group().lower()], converted, flags=re.I)


def _third(verb: str) -> str | None:
    key = fold(verb)
    return verb if key in _ALIKE else _VERBS.get(key)


def _particles(found: re.Match[str], verb: str) -> str:
    """The small words between subject and verb, elided before a vowel: "je ne suis" but "n'est"."""
    words = [word for word, said in (("ne", found["ne"]), ("se", found["me"])) if said]
    between = found["object"] or ""
    following = (between or verb)[0].lower()
    result = ""
    for number, word in enumerate(words):
        next_sound = words[number + 1][0] if number + 1 < len(words) else following
        result += f"{word[0]}'" if next_sound in _VOWELS else f"{word} "
    if between.lower().startswith("l'") or not between:
        return result + between
    return result + between.rstrip() + " "


def _linked(rest: str) -> str:
    """ "… et fais du vélo": a second verb of the same subject."""

    def third(found: re.Match[str]) -> str:
        verb = _VERBS.get(fold(found["verb"]))
        if verb is None:
            return found.group()
        ne = "" if not found["ne"] else ("n'" if verb[0] in _VOWELS else "ne ")
        return f"{found['link']} {ne}{verb}"

    return _LINKED.sub(third, rest)
