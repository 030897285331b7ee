"""How a member likes to be answered, as they told it or let it on: "keep it short with me", "antworte mir immer kurz".

Only their own words count, and only for replies to them. What others say of them steers nothing.
"""

from collections.abc import Sequence

from memory.core.values import Fact
from memory.language.detect import word_set
from memory.language.text import words_in
from memory.people.names import MENTION

MOST = 5
_ANSWERS = word_set(
    "answer answers answering answered reply replies replying respond response responses emoji emojis emoticons"
    " antwort antworte antworten antwortest beantworte smileys duze duzt duzen sieze siezt siezen anrede"
    " réponse réponses répondre réponds répondez émoji émojis tutoie tutoyer tutoyez vouvoie vouvoyer vouvoyez"
    " respuesta respuestas responder responde respóndeme contesta contéstame emoticonos tutea tutear tutéame"
    " ответ ответы ответов отвечать отвечай отвечайте смайлики эмодзи"
)
_ADDRESSES = word_set(
    "talk speak write keep be sprich rede schreib schreibe halte halt bleib sei parle parlez écris sois reste"
    " habla háblame escribe sé mantén говори говорите пиши будь"
)
_MANNERS = word_set(
    "short brief briefly concise long longer detailed formal formally informal casual polite politely funny serious"
    " simple simply plain blunt direct english german french spanish russian"
    " kurz kurze kurzen knapp knappe lang lange langen ausführlich ausführliche förmlich locker höflich lustig einfach"
    " deutsch englisch französisch spanisch russisch"
    " court courte courtes bref brève brèves long longue longues détaillé détaillée détaillées formel poli simple"
    " anglais allemand français espagnol russe"
    " corto corta cortas breve breves largo larga largas detallado detallada detalladas sencillo inglés alemán francés"
    " español ruso"
    " короткий короткие коротких коротко кратко краткие длинные подробно подробные вежливо просто английском"
    " немецком французском испанском русском английски немецки французски испански русски"
)


def wishes_of(asker_id: int, facts: Sequence[Fact]) -> list[Fact]:
    """The newest of them, the newest first. `facts` are those that may be told here, the oldest first."""
    own = (fact for fact in reversed(facts) if fact.teller_id == asker_id and fact.subject_id in (asker_id, None))
    return [fact for fact in own if fact.valid_to is None and _is_wish(fact.text)][:MOST]


def _is_wish(text: str) -> bool:
    """It speaks of answers, and how they shall be; or says how to speak with somebody."""
    words = {word.text for word in words_in(MENTION.sub(" ", text))}
    mentions = MENTION.search(text)
    is_said_to_us = mentions is not None and mentions.start() > 0
    has_manner = not _MANNERS.isdisjoint(words)
    if not _ANSWERS.isdisjoint(words):
        return has_manner or is_said_to_us
    is_quoted = "“" in text  # what could not be put into the third person: “to keep it short with me”
    return not _ADDRESSES.isdisjoint(words) and (is_said_to_us or (is_quoted and has_manner))
