"""Spanish: the verb alone says who speaks, so a sentence is converted when it opens with a verb that we know."""

import re

from memory.core.text import fold
from memory.core.third_person.sentence import conjugations

_VERBS = conjugations(
    "soy:es estoy:está tengo:tiene vivo:vive trabajo:trabaja quiero:quiere puedo:puede voy:va hago:hace"
    " odio:odia amo:ama adoro:adora prefiero:prefiere estudio:estudia juego:juega hablo:habla sé:sabe"
    " conozco:conoce creo:cree pienso:piensa necesito:necesita toco:toca leo:lee escribo:escribe bebo:bebe"
    " duermo:duerme vengo:viene digo:dice veo:ve salgo:sale uso:usa busco:busca enseño:enseña cocino:cocina"
    " viajo:viaja colecciono:colecciona debo:debe suelo:suele nací:nació fui:fue tuve:tuvo hice:hizo"
    " estuve:estuvo viví:vivió trabajé:trabajó estudié:estudió compré:compró he:ha era:era tenía:tenía vivía:vivía"
    " trabajaba:trabajaba estaba:estaba había:había seré:será tendré:tendrá iré:irá podría:podría"
    " quisiera:quisiera detesto:detesta fumo:fuma corro:corre nado:nada canto:canta bailo:baila"
)
_REFLEXIVE = conjugations(
    "llamo:llama mudé:mudó casé:casó levanto:levanta siento:siente dedico:dedica despierto:despierta acuesto:acuesta"
    " voy:va quedo:queda llevo:lleva"
)
_PLEASES = ("gusta", "gustan", "encanta", "encantan", "interesa", "interesan", "molesta", "molestan", "duele", "duelen")
_OPENING = re.compile(r"\s*(?:yo\s+)?(?P<no>no\s+|nunca\s+|siempre\s+|también\s+|ya\s+)?(?P<first>\w+)", re.IGNORECASE)
_PLEASED = re.compile(
    rf"\s*(?:a\s+m[ií]\s+)?(?P<no>no\s+|nunca\s+|siempre\s+|también\s+)?me\s+(?P<verb>{'|'.join(_PLEASES)})\b",
    re.IGNORECASE,
)
_REFLEXIVE_OPENING = re.compile(r"\s*(?:yo\s+)?(?P<no>no\s+|nunca\s+|ya\s+)?me\s+(?P<verb>\w+)", re.IGNORECASE)
_NOUNS_TOO = frozenset(("trabajo", "estudio", "juego", "canto", "nado", "uso", "era"))
_POSSESSIVE = {"mi": "su", "mis": "sus"}
_LINKED = re.compile(r"\b(?P<link>y|pero|o|e)\s+(?P<no>no\s+)?(?P<verb>\w+)", re.IGNORECASE)


def convert(text: str, speaker: str) -> str | None:
    pleased = _PLEASED.match(text)
    if pleased is not None:
        return _own(f"a {speaker} {_small(pleased['no'])}le {pleased['verb'].lower()}", text[pleased.end() :])
    reflexive = _REFLEXIVE_OPENING.match(text)
    if reflexive is not None and fold(reflexive["verb"]) in _REFLEXIVE:
        opening = f"{speaker} {_small(reflexive['no'])}se {_REFLEXIVE[fold(reflexive['verb'])]}"
        return _own(opening, text[reflexive.end() :])
    opened = _OPENING.match(text)
    if opened is None or fold(opened["first"]) not in _VERBS:
        return None
    return _own(f"{speaker} {_small(opened['no'])}{_VERBS[fold(opened['first'])]}", text[opened.end() :])


def _own(opening: str, rest: str) -> str | None:
    """The rest of the sentence, with what belongs to the speaker and further verbs of theirs."""
    if any(fold(found["verb"]) in _NOUNS_TOO for found in _LINKED.finditer(rest)):
        return None
    linked = _LINKED.sub(_third, rest)
    return opening + re.sub(r"\bmis?\b", lambda owned: _POSSESSIVE[owned.group().lower()], linked, flags=re.I)


def _third(found: re.Match[str]) -> str:
    verb = _VERBS.get(fold(found["verb"]))
    return found.group() if verb is None else f"{found['link']} {found['no'] or ''}{verb}"


def _small(word: str | None) -> str:
    return f"{word.strip().lower()} " if word else ""
