"""German: "ich" with the frequent verbs, in the order of a main clause or of one behind "dass"."""

import re

from memory.core.third_person.sentence import Sentence, conjugations

_VERBS = conjugations(
    "bin:ist habe:hat hab:hat mag:mag will:will kann:kann muss:muss darf:darf soll:soll weiß:weiß werde:wird"
    " war:war hatte:hatte wurde:wurde möchte:möchte könnte:könnte würde:würde wollte:wollte konnte:konnte"
    " musste:musste durfte:durfte sollte:sollte wäre:wäre hätte:hätte gehe:geht geh:geht fahre:fährt esse:isst"
    " lese:liest sehe:sieht spreche:spricht schlafe:schläft laufe:läuft trage:trägt helfe:hilft treffe:trifft"
    " vergesse:vergisst nehme:nimmt gebe:gibt heiße:heißt wohne:wohnt liebe:liebt hasse:hasst spiele:spielt"
    " arbeite:arbeitet trinke:trinkt komme:kommt komm:kommt lebe:lebt lerne:lernt mache:macht mach:macht"
    " brauche:braucht finde:findet kenne:kennt denke:denkt glaube:glaubt studiere:studiert koche:kocht"
    " kaufe:kauft höre:hört schreibe:schreibt rede:redet bleibe:bleibt fühle:fühlt wünsche:wünscht suche:sucht"
    " sammle:sammelt male:malt singe:singt tanze:tanzt reise:reist schaue:schaut gucke:guckt rauche:raucht"
    " fliege:fliegt freue:freut interessiere:interessiert ärgere:ärgert backe:backt baue:baut benutze:benutzt"
    " bevorzuge:bevorzugt besitze:besitzt bekomme:bekommt beginne:beginnt feiere:feiert genieße:genießt"
    " hoffe:hofft jogge:joggt klettere:klettert leite:leitet nutze:nutzt programmiere:programmiert"
    " schwimme:schwimmt sitze:sitzt stehe:steht träume:träumt verstehe:versteht vermisse:vermisst warte:wartet"
    " zeichne:zeichnet ziehe:zieht stamme:stammt ging:ging kam:kam fuhr:fuhr aß:aß trank:trank las:las sah:sah"
    " wusste:wusste fand:fand blieb:blieb bekam:bekam schrieb:schrieb"
)
_REFLEXIVE = {"mich": "sich", "mir": "sich"}
_LINKS = frozenset(("und", "aber", "oder", "sondern"))


def convert(text: str, speaker: str) -> str | None:
    sentence = Sentence(text)
    keys = [word.key for word in sentence.words]
    if "ich" not in keys:
        return _as_object(sentence, keys, speaker)
    # In a second clause "mich" may be anybody's object, and verbs stand in other places.
    if keys.count("ich") > 1 or "," in text or ";" in text:
        return None
    if keys[0] == "ich" and len(keys) > 2 and keys[1] not in _VERBS and keys[-1] in _VERBS:
        return _behind_dass(text, keys, speaker)
    return _main_clause(sentence, keys, speaker)


def _as_object(sentence: Sentence, keys: list[str], speaker: str) -> str | None:
    for number, key in enumerate(keys):
        if key in _REFLEXIVE:
            sentence.exchange(number, speaker)
    return str(sentence)


def _main_clause(sentence: Sentence, keys: list[str], speaker: str) -> str | None:
    """ "Ich mag Tee", "Heute bin ich müde": the verb stands beside its subject."""
    subject = keys.index("ich")
    beside = [place for place in (subject + 1, subject - 1) if 0 <= place < len(keys) and keys[place] in _VERBS]
    if not beside:
        return None
    sentence.exchange(subject, speaker)
    sentence.exchange(beside[0], _VERBS[keys[beside[0]]])
    for number, key in enumerate(keys):
        if key in _REFLEXIVE:
            sentence.exchange(number, _REFLEXIVE[key])
        elif key in _LINKS and number + 1 < len(keys) and keys[number + 1] in _VERBS:
            sentence.exchange(number + 1, _VERBS[keys[number + 1]])
    return str(sentence)


def _behind_dass(text: str, keys: list[str], speaker: str) -> str | None:
    """ "(dass) ich in Berlin geboren bin": the verb moves from the end to its place in a main clause."""
    if any(key in _LINKS or (key in _VERBS and key != keys[-1]) for key in keys[1:]):
        return None
    said = text.rstrip(" \t\r\n.!…")
    _subject, *behind = said.split(maxsplit=1)
    middle, *verb = behind[0].rsplit(maxsplit=1) if behind else ("",)
    if not verb:
        return None
    middle = re.sub(r"\b(?:mich|mir)\b", "sich", middle, flags=re.IGNORECASE)
    return f"{speaker} {_VERBS[keys[-1]]} {middle}{text[len(said) :].strip()}"
