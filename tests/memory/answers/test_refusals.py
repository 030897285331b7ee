"""What a model says that will not answer, and what sounds like it and is an answer."""

import pytest

from ai_clients.base import Prompt
from ai_clients.errors import Refused
from memory.answers.prompt import Asked
from memory.answers.read_reply import read
from memory.core.values import Source

ASKED = Asked(Prompt("Rules.", "Data."), "fence", (Source(1, 2),))

REFUSALS = [
    "I can't help with that.",
    "I’m sorry, but I can’t assist with that request.",
    "Sorry, I cannot provide medical advice.",
    "I'm unable to help with this.",
    "I am not able to discuss that topic.",
    "I won't answer that question.",
    "I must decline.",
    "As an AI language model, I don't have opinions.",
    "I cannot fulfill your request. Is there something else?",
    "That's not something I can help with.",
    "Es tut mir leid, aber dabei kann ich nicht helfen.",
    "Das kann ich leider nicht beantworten.",
    "Ich kann dir bei dieser Anfrage nicht weiterhelfen.",
    "Als KI darf ich dazu nichts sagen.",
    "Désolé, je ne peux pas t’aider avec ça.",
    "Je suis désolée, mais je ne suis pas en mesure de répondre à cette question.",
    "En tant qu'intelligence artificielle, je n'ai pas d'avis.",
    "Lo siento, pero no puedo ayudarte con eso.",
    "No puedo proporcionar esa información.",
    "Como modelo de lenguaje, no tengo opiniones.",
    "Извините, но я не могу с этим помочь.",
    "К сожалению, я не могу ответить на этот вопрос.",
    "Я не буду обсуждать эту тему.",
]
ANSWERS = [
    "I can't find anything about that.",
    "I can't say when the quiz is: nobody mentioned it.",
    "I'm sorry to hear that! Bob said the quiz is off.",
    "I can't help with that, says Bob [1].",
    "I am not sure; Bob spoke of Friday.",
    "As an example, Bob brought cake.",
    "Sorry, nobody has told me that.",
    "Das weiß ich nicht.",
    "Ich kann dazu nichts finden.",
    "Es tut mir leid, das hat niemand erwähnt.",
    "Je ne sais pas.",
    "Je ne peux pas dire quand le quiz a lieu.",
    "No puedo decirlo: nadie lo ha mencionado.",
    "Я не знаю.",
    "Я не могу найти ничего об этом.",
    f"I can't help with that. {'But the quiz is on Friday at eight, in the hall. ' * 10}",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_no_answer(text: str) -> None:
    with pytest.raises(Refused):
        read(text, ASKED)


@pytest.mark.parametrize("text", ANSWERS)
def test_what_says_what_is_known_is_an_answer(text: str) -> None:
    assert read(text, ASKED).text
