"""Why an answer is only quoted although there is a model: one sentence for each reason, fit for any member to read.

None of them says that nothing is known, and none tells of keys, names of models or what a server said.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from ai_clients.errors import (
    BadReply,
    BudgetExhausted,
    Misconfigured,
    ModelError,
    RateLimited,
    Refused,
    TimedOut,
)
from memory.language.detect import Language


class Why(StrEnum):
    BUSY = "busy"
    SPENT = "spent"
    AWAY = "away"
    SLOW = "slow"
    REFUSED = "refused"
    MISCONFIGURED = "misconfigured"
    UNUSABLE = "unusable"
    ASKED_TOO_OFTEN = "asked too often"
    """How long they have to wait is said before it."""


@dataclass(frozen=True, slots=True)
class Reason:
    why: Why
    until: datetime | None = None
    """When that is over, where it is known."""

    @classmethod
    def of(cls, error: ModelError, now: datetime) -> "Reason":
        match error:
            case BudgetExhausted(retry_after=float(seconds)):
                return cls(Why.SPENT, now + timedelta(seconds=seconds))
            case BudgetExhausted():
                return cls(Why.SPENT)
            case RateLimited():
                return cls(Why.BUSY)
            case TimedOut():
                return cls(Why.SLOW)
            case Misconfigured():
                return cls(Why.MISCONFIGURED)
            case Refused():
                return cls(Why.REFUSED)
            case BadReply():
                return cls(Why.UNUSABLE)
        return cls(Why.AWAY)

    def sentence(self, language: Language) -> str:
        said = _SENTENCES[language][self.why]
        if self.until is None:
            return said
        # Discord shows it as "in 5 hours", in the language of whoever reads it.
        return f"{said} (<t:{int(self.until.timestamp())}:R>)"


_SENTENCES: dict[Language, dict[Why, str]] = {
    Language.EN: {
        Why.BUSY: "My language model is asked too much just now.",
        Why.SPENT: "What my language model may do for this server today is used up.",
        Why.AWAY: "My language model does not answer just now.",
        Why.SLOW: "My language model takes too long just now.",
        Why.REFUSED: "My language model will not answer that.",
        Why.MISCONFIGURED: "My language model needs the attention of whoever runs me.",
        Why.UNUSABLE: "My language model gave no usable answer.",
        Why.ASKED_TOO_OFTEN: "Until then I answer without my language model.",
    },
    Language.DE: {
        Why.BUSY: "Mein Sprachmodell wird gerade zu viel gefragt.",
        Why.SPENT: "Was mein Sprachmodell heute für diesen Server tun darf, ist aufgebraucht.",
        Why.AWAY: "Mein Sprachmodell antwortet gerade nicht.",
        Why.SLOW: "Mein Sprachmodell braucht gerade zu lange.",
        Why.REFUSED: "Mein Sprachmodell will darauf nicht antworten.",
        Why.MISCONFIGURED: "Um mein Sprachmodell muss sich kümmern, wer mich betreibt.",
        Why.UNUSABLE: "Mein Sprachmodell hat keine brauchbare Antwort gegeben.",
        Why.ASKED_TOO_OFTEN: "Bis dahin antworte ich ohne mein Sprachmodell.",
    },
    Language.FR: {
        Why.BUSY: "Mon modèle de langue est trop sollicité en ce moment.",
        Why.SPENT: "Mon modèle de langue a épuisé ce qu'il peut faire aujourd'hui pour ce serveur.",
        Why.AWAY: "Mon modèle de langue ne répond pas en ce moment.",
        Why.SLOW: "Mon modèle de langue est trop lent en ce moment.",
        Why.REFUSED: "Mon modèle de langue ne veut pas répondre à cela.",
        Why.MISCONFIGURED: "La personne qui me fait tourner doit s'occuper de mon modèle de langue.",
        Why.UNUSABLE: "Mon modèle de langue n'a pas donné de réponse utilisable.",
        Why.ASKED_TOO_OFTEN: "D'ici là, je réponds sans mon modèle de langue.",
    },
    Language.ES: {
        Why.BUSY: "Mi modelo de lenguaje recibe demasiadas preguntas ahora mismo.",
        Why.SPENT: "Mi modelo de lenguaje ya ha hecho hoy todo lo que puede hacer por este servidor.",
        Why.AWAY: "Mi modelo de lenguaje no responde ahora mismo.",
        Why.SLOW: "Mi modelo de lenguaje tarda demasiado ahora mismo.",
        Why.REFUSED: "Mi modelo de lenguaje no quiere responder a eso.",
        Why.MISCONFIGURED: "Quien me mantiene tiene que ocuparse de mi modelo de lenguaje.",
        Why.UNUSABLE: "Mi modelo de lenguaje no ha dado una respuesta útil.",
        Why.ASKED_TOO_OFTEN: "Hasta entonces respondo sin mi modelo de lenguaje.",
    },
    Language.RU: {
        Why.BUSY: "Мою языковую модель сейчас слишком много спрашивают.",
        Why.SPENT: "На сегодня для этого сервера моя языковая модель исчерпана.",
        Why.AWAY: "Моя языковая модель сейчас не отвечает.",
        Why.SLOW: "Моя языковая модель сейчас отвечает слишком долго.",
        Why.REFUSED: "Моя языковая модель не хочет на это отвечать.",
        Why.MISCONFIGURED: "Моей языковой моделью должен заняться тот, кто меня запускает.",
        Why.UNUSABLE: "Моя языковая модель не дала пригодного ответа.",
        Why.ASKED_TOO_OFTEN: "До тех пор я отвечаю без языковой модели.",
    },
}
