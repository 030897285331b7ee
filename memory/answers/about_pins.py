"""What is pinned in a channel, told to somebody who asks for nothing more particular."""

from memory.answers.phrasebook import Phrasebook
from memory.answers.quote import QUOTE_LIMIT, Line, Say, answer_of
from memory.core.outcomes import Answer
from memory.core.provenance import Read
from memory.core.values import Message, Source, text_of
from memory.language.detect import Language
from memory.language.wording import wording
from memory.models.prompt_data import one_line

MOST_LISTED = 10
_BESIDE = (
    "hey so ok okay please and can could you show me us give the a this our here there in channel thread any all"
    " currently bitte und kannst du mir uns zeig zeige die der das hier in diesem kanal alle denn so gerade"
    " dis moi montre nous le la les des ici dans ce salon fil svp est muestra muéstrame los las el la aquí en este"
    " canal favor por покажи мне нам в этом канале здесь тут пожалуйста все"
)
ASKED = Phrasebook(
    {
        Language.EN: "what is pinned, what's pinned, pins, pinned, pinned messages, what are pinned messages,"
        " which messages are pinned, what messages are pinned, are pins, are pinned messages, what are pins",
        Language.DE: "was ist angepinnt, angepinnt, angepinnte nachrichten, welche nachrichten sind angepinnt, was ist"
        " angeheftet, angeheftete nachrichten, was wurde angepinnt, pinnwand",
        Language.FR: "qu'est-ce qui est épinglé, messages épinglés, épinglés, quels messages sont épinglés,"
        " quoi d'épinglé",
        Language.ES: "qué hay fijado, qué está fijado, mensajes fijados, mensajes anclados, qué mensajes están fijados,"
        " qué hay anclado, qué está anclado",
        Language.RU: "что закреплено, закреплённые сообщения, закрепленные сообщения,"
        " какие сообщения закреплены, закреп",
    },
    _BESIDE,
)
"""Asks what is pinned."""


def told(pinned: list[Message], language: Language) -> Answer:
    """Tell what is pinned, the newest first; that there is nothing, where there is nothing."""
    if not pinned:
        return Answer(wording(language, Say.PINNED_NONE))
    lines = [Line(wording(language, Say.PINNED))]
    for one in pinned:
        words = f"• <@{one.author_id}>: “{one_line(text_of(one), QUOTE_LIMIT)}”"
        lines.append(Line(words, Source(one.channel_id, one.message_id)))
    return answer_of(lines, Read.of_messages(pinned))
