"""German: "ich" with the frequent verbs, in the order of a main clause or of one behind "dass"."""

import re

from memory.language.detect import Language, word_set
from memory.language.text import fold
from memory.language.third_person.sentence import BEFORE_TEA, Piece, Sentence, conjugations

_GERMAN_VERBS = conjugations(
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
_GERMAN_REFLEXIVE = {"mich": "sich", "mir": "sich"}
_LINKS = frozenset(("und", "aber", "oder", "sondern"))
_GERMAN_OWN = word_set("mein meine meinen meinem meiner meines")
_GERMAN_THIRD = {
    fold(verb): verb for verb in (*_GERMAN_VERBS.values(), "sind", "haben", "heißen", "wohnen", "leben", "mögen")
}


def convert_german(text: str, speaker: str) -> str | None:
    sentence = Sentence(text)
    keys = [word.key for word in sentence.words]
    if "ich" not in keys:
        return _as_object(sentence, keys, speaker)
    # In a second clause "mich" may be anybody's object, and verbs stand in other places.
    if keys.count("ich") > 1 or "," in text or ";" in text:
        return None
    if keys[0] == "ich" and len(keys) > 2 and keys[1] not in _GERMAN_VERBS and keys[-1] in _GERMAN_VERBS:
        return _behind_dass(text, keys, speaker)
    return _main_clause(sentence, keys, speaker)


def _as_object(sentence: Sentence, keys: list[str], speaker: str) -> str | None:
    for number, key in enumerate(keys):
        if key in _GERMAN_REFLEXIVE:
            sentence.exchange(number, speaker)
        elif key in _GERMAN_OWN:
            if not _goes_with_a_name(key, sentence.words[number + 1 : number + 2]):
                return None
            sentence.exchange(number, f"{speaker}s")
    has_own = not _GERMAN_OWN.isdisjoint(keys)
    return _verb_second(str(sentence), keys) if has_own and keys[-1] in _GERMAN_THIRD else str(sentence)


def _goes_with_a_name(own: str, owned: list[Piece]) -> bool:
    """Whether what is owned is said alike behind a name: "mein alter Hund" is, "meinem alten Hund" is not."""
    if not owned:
        return False
    is_noun = owned[0].text[0].isupper()
    return is_noun or own in ("mein", "meinen") or (own == "meine" and not owned[0].key.endswith("en"))


def _verb_second(text: str, keys: list[str]) -> str | None:
    """ "(dass) meine Schwester Anna heißt": the verb moves behind its subject, which is the first noun."""
    said = text.rstrip(" \t\r\n.!…")
    words = said.split()
    noun = next((place for place, word in enumerate(words[1:-1], start=1) if word[0].isupper()), 1)
    is_one_clause = "," not in said and ";" not in said and _LINKS.isdisjoint(keys)
    if not is_one_clause or keys[0] not in _GERMAN_OWN or not noun + 1 < len(words) == len(keys):
        return None
    if keys[noun + 1] in _GERMAN_THIRD or any(key in _GERMAN_THIRD for key in keys[:-1]):
        return text if keys[noun + 1] in _GERMAN_THIRD else None
    verb = _GERMAN_THIRD[keys[-1]]
    return " ".join([*words[: noun + 1], verb, *words[noun + 1 : -1]]) + text[len(said) :].strip()


def _main_clause(sentence: Sentence, keys: list[str], speaker: str) -> str | None:
    """ "Ich mag Tee", "Heute bin ich müde": the verb stands beside its subject."""
    subject = keys.index("ich")
    beside = [place for place in (subject + 1, subject - 1) if 0 <= place < len(keys) and keys[place] in _GERMAN_VERBS]
    if not beside:
        return None
    sentence.exchange(subject, speaker)
    sentence.exchange(beside[0], _GERMAN_VERBS[keys[beside[0]]])
    for number, key in enumerate(keys):
        if key in _GERMAN_REFLEXIVE:
            sentence.exchange(number, _GERMAN_REFLEXIVE[key])
        elif key in _LINKS and number + 1 < len(keys) and keys[number + 1] in _GERMAN_VERBS:
            sentence.exchange(number + 1, _GERMAN_VERBS[keys[number + 1]])
    return str(sentence)


def _behind_dass(text: str, keys: list[str], speaker: str) -> str | None:
    """ "(dass) ich in Berlin geboren bin": the verb moves from the end to its place in a main clause."""
    if any(key in _LINKS or (key in _GERMAN_VERBS and key != keys[-1]) for key in keys[1:]):
        return None
    said = text.rstrip(" \t\r\n.!…")
    _subject, *behind = said.split(maxsplit=1)
    middle, *verb = behind[0].rsplit(maxsplit=1) if behind else ("",)
    if not verb:
        return None
    middle = re.sub(r"\b(?:mich|mir)\b", "sich", middle, flags=re.IGNORECASE)
    return f"{speaker} {_GERMAN_VERBS[keys[-1]]} {middle}{text[len(said) :].strip()}"


# French: "je" with the frequent verbs; possessives agree with what is owned, so they need no more than a letter.


_FRENCH_VERBS = conjugations(
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
_FRENCH_POSSESSIVE = {"mon": "son", "ma": "sa", "mes": "ses"}
_SUBJECT = re.compile(
    r"\b(?:je|j['’])\s*(?P<ne>ne\s+|n['’])?(?P<me>me\s+|m['’])?(?P<object>le\s+|la\s+|les\s+|l['’]|y\s+|en\s+)?"
    r"(?P<verb>\w+)",
    re.IGNORECASE,
)
_FRENCH_LINKED = re.compile(r"\b(?P<link>et|mais|ou)\s+(?P<ne>ne\s+|n['’])?(?P<verb>\w+)\b(?!['’])", re.IGNORECASE)
_VOWELS = "aeiouyhàâéèêëîïôû"


def convert_french(text: str, speaker: str) -> str | None:
    if not _SUBJECT.search(text):
        converted = re.sub(r"\bmoi\b", speaker, text, flags=re.IGNORECASE)
        return None if re.search(r"\b(?:mon|ma|mes|me)\b|\bm['’]", converted, re.IGNORECASE) else converted
    pieces: list[str] = []
    place = 0
    for found in _SUBJECT.finditer(text):
        verb = _third_in_french(found["verb"])
        if verb is None:
            return None
        pieces += [text[place : found.start()], speaker, " ", _particles(found, verb), verb]
        place = found.end()
    converted = "".join(pieces) + _linked(text[place:])
    return re.sub(r"\b(?:mon|ma|mes)\b", lambda owned: _FRENCH_POSSESSIVE[owned.group().lower()], converted, flags=re.I)


def _third_in_french(verb: str) -> str | None:
    key = fold(verb)
    return verb if key in _ALIKE else _FRENCH_VERBS.get(key)


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
        verb = _FRENCH_VERBS.get(fold(found["verb"]))
        if verb is None:
            return found.group()
        ne = "" if not found["ne"] else ("n'" if verb[0] in _VOWELS else "ne ")
        return f"{found['link']} {ne}{verb}"

    return _FRENCH_LINKED.sub(third, rest)


# Spanish: the verb alone says who speaks, so a sentence is converted when it opens with a verb that we know.


_SPANISH_VERBS = conjugations(
    "soy:es estoy:está tengo:tiene vivo:vive trabajo:trabaja quiero:quiere puedo:puede voy:va hago:hace"
    " odio:odia amo:ama adoro:adora prefiero:prefiere estudio:estudia juego:juega hablo:habla sé:sabe"
    " conozco:conoce creo:cree pienso:piensa necesito:necesita toco:toca leo:lee escribo:escribe bebo:bebe"
    " duermo:duerme vengo:viene digo:dice veo:ve salgo:sale uso:usa busco:busca enseño:enseña cocino:cocina"
    " viajo:viaja colecciono:colecciona debo:debe suelo:suele nací:nació fui:fue tuve:tuvo hice:hizo"
    " estuve:estuvo viví:vivió trabajé:trabajó estudié:estudió compré:compró he:ha era:era tenía:tenía vivía:vivía"
    " trabajaba:trabajaba estaba:estaba había:había seré:será tendré:tendrá iré:irá podría:podría"
    " quisiera:quisiera detesto:detesta fumo:fuma corro:corre nado:nada canto:canta bailo:baila"
)
_SPANISH_REFLEXIVE = conjugations(
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
_SPANISH_POSSESSIVE = {"mi": "su", "mis": "sus"}
_TEA = re.compile(rf"\b({BEFORE_TEA}\s++)te\b", re.IGNORECASE)
_SPANISH_LINKED = re.compile(r"\b(?P<link>y|pero|o|e)\s+(?P<no>no\s+)?(?P<verb>\w+)", re.IGNORECASE)


def convert_spanish(text: str, speaker: str) -> str | None:
    text = _TEA.sub(r"\1té", text)
    pleased = _PLEASED.match(text)
    if pleased is not None:
        return _own(f"a {speaker} {_small(pleased['no'])}le {pleased['verb'].lower()}", text[pleased.end() :])
    reflexive = _REFLEXIVE_OPENING.match(text)
    if reflexive is not None and fold(reflexive["verb"]) in _SPANISH_REFLEXIVE:
        opening = f"{speaker} {_small(reflexive['no'])}se {_SPANISH_REFLEXIVE[fold(reflexive['verb'])]}"
        return _own(opening, text[reflexive.end() :])
    opened = _OPENING.match(text)
    if opened is None or fold(opened["first"]) not in _SPANISH_VERBS:
        return None
    return _own(f"{speaker} {_small(opened['no'])}{_SPANISH_VERBS[fold(opened['first'])]}", text[opened.end() :])


def _own(opening: str, rest: str) -> str | None:
    """The rest of the sentence, with what belongs to the speaker and further verbs of theirs."""
    if any(fold(found["verb"]) in _NOUNS_TOO for found in _SPANISH_LINKED.finditer(rest)):
        return None
    linked = _SPANISH_LINKED.sub(_third_in_spanish, rest)
    return opening + re.sub(r"\bmis?\b", lambda owned: _SPANISH_POSSESSIVE[owned.group().lower()], linked, flags=re.I)


def _third_in_spanish(found: re.Match[str]) -> str:
    verb = _SPANISH_VERBS.get(fold(found["verb"]))
    return found.group() if verb is None else f"{found['link']} {found['no'] or ''}{verb}"


def _small(word: str | None) -> str:
    return f"{word.strip().lower()} " if word else ""


# Russian: "я" with the frequent verbs, the past (which has no person), and sentences that need no verb.


_RUSSIAN_VERBS = conjugations(
    "люблю:любит живу:живёт работаю:работает хочу:хочет могу:может знаю:знает умею:умеет имею:имеет"
    " играю:играет учусь:учится учу:учит читаю:читает пишу:пишет смотрю:смотрит слушаю:слушает ем:ест пью:пьёт"
    " сплю:спит хожу:ходит езжу:ездит еду:едет иду:идёт говорю:говорит думаю:думает считаю:считает"
    " ненавижу:ненавидит обожаю:обожает предпочитаю:предпочитает собираю:собирает готовлю:готовит"
    " рисую:рисует пою:поёт танцую:танцует бегаю:бегает плаваю:плавает курю:курит боюсь:боится"
    " занимаюсь:занимается интересуюсь:интересуется увлекаюсь:увлекается нуждаюсь:нуждается"
    " встаю:встаёт"
    " ношу:носит вожу:водит держу:держит помню:помнит понимаю:понимает верю:верит надеюсь:надеется"
    " программирую:программирует путешествую:путешествует изучаю:изучает преподаю:преподаёт снимаю:снимает"
    " буду:будет болею:болеет скучаю:скучает нахожусь:находится являюсь:является пользуюсь:пользуется"
    " приеду:приедет приду:придёт поеду:поедет пойду:пойдёт куплю:купит сделаю:сделает"
)
_OBJECT = frozenset(map(fold, ("меня", "мне", "мной", "мною")))
_OWN = conjugations(
    "мой:свой моя:своя моё:своё мои:свои моего:своего моей:своей моих:своих моему:своему моим:своим моими:своими"
    " моём:своём мою:свою"
)
_CLAUSE_MARKS = frozenset(",;:—–-")
_FIRST_PERSON_ENDINGS = ("у", "ю", "усь", "юсь")


def convert_russian(text: str, speaker: str) -> str | None:
    sentence = Sentence(text)
    keys = [word.key for word in sentence.words]
    if "я" not in keys:
        return _without_subject(sentence, keys, speaker)
    if any(piece.text in _CLAUSE_MARKS for piece in sentence.pieces) or keys.count("я") > 1:
        return None
    verbs = [number for number, key in enumerate(keys) if key in _RUSSIAN_VERBS]
    # An unknown word in -у or -ю may be a verb; behind a known verb it is its object.
    if not verbs and any(key.endswith(_FIRST_PERSON_ENDINGS) for key in keys):
        return None
    for number, key in enumerate(keys):
        if key == "я":
            sentence.exchange(number, speaker)
        elif key in _RUSSIAN_VERBS:
            sentence.exchange(number, _RUSSIAN_VERBS[key])
        elif key in _OWN:
            sentence.exchange(number, _OWN[key])
        elif key in _OBJECT:
            return None
    return str(sentence)


def _without_subject(sentence: Sentence, keys: list[str], speaker: str) -> str | None:
    """ "У меня есть кошка", "мне нравится чай": a mention is said alike in every case."""
    if any(key in _OWN for key in keys):
        return None
    for number, key in enumerate(keys):
        if key in _OBJECT:
            sentence.exchange(number, speaker)
    return str(sentence)


def verbs_of(language: Language) -> tuple[frozenset[str], frozenset[str]]:
    """The verbs that are known here, folded: as one says them of oneself, and as of another."""
    known = {Language.DE: _GERMAN_VERBS, Language.FR: _FRENCH_VERBS, Language.ES: _SPANISH_VERBS}
    verbs = known.get(language, _RUSSIAN_VERBS)
    alike = _ALIKE if language is Language.FR else frozenset()
    return frozenset(verbs) | alike, frozenset(map(fold, verbs.values())) | alike
