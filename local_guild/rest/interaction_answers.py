"""What the bot's answer to an interaction does: a message, a change of one, a modal, choices, or thinking aloud."""

from pydantic import BaseModel, Field
from starlette.responses import Response

from local_guild.actions.interactions import LOADING, Answer, Interaction, Kind
from local_guild.actions.posting import REPLY, Draft
from local_guild.actions.realm import reference_to
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.component_values import checked
from local_guild.rest.errors import ApiError, InvalidFormError, UnknownThingError
from local_guild.rest.messages import SENDABLE_FLAGS, EditForm, SendForm, check_draft, draft_of, revision_of
from local_guild.state.ids import Json, JsonObject
from local_guild.state.messages import EPHEMERAL, Message

CHAT_COMMAND, MENU_COMMAND = 20, 23

FITTING = {
    Kind.COMMAND: frozenset({Answer.PONG, Answer.MESSAGE, Answer.LATER, Answer.MODAL}),
    Kind.COMPONENT: frozenset(Answer) - {Answer.CHOICES},
    Kind.AUTOCOMPLETE: frozenset({Answer.PONG, Answer.CHOICES}),
    Kind.MODAL: frozenset(Answer) - {Answer.CHOICES, Answer.MODAL},
}


class AnswerForm(BaseModel):
    type: Answer


class MessageAnswer(BaseModel):
    data: SendForm | None = None


class UpdateAnswer(BaseModel):
    data: EditForm | None = None


class Suggestion(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    value: str | int | float
    name_localizations: dict[str, str] | None = None


class Suggestions(BaseModel):
    choices: list[Suggestion] = Field(default_factory=list, max_length=25)


class ChoicesAnswer(BaseModel):
    data: Suggestions


class ModalForm(BaseModel):
    custom_id: str = Field(min_length=1, max_length=100)
    title: str = Field(min_length=1, max_length=45)
    components: list[JsonObject] = Field(min_length=1, max_length=5)


class ModalAnswer(BaseModel):
    data: ModalForm


async def give(call: Call, interaction: Interaction, form: AnswerForm) -> JsonObject:
    """Carry the answer out; returns what it made, for callers who ask."""
    fitting = FITTING[interaction.kind]
    updates = form.type in (Answer.UPDATE, Answer.UPDATE_LATER)
    if form.type not in fitting or (updates and interaction.message is None):
        allowed = ", ".join(str(int(answer)) for answer in sorted(fitting))
        raise InvalidFormError([(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {{{allowed}}}.")])
    match form.type:
        case Answer.MESSAGE | Answer.LATER:
            return await _answer_with_message(call, interaction, form.type)
        case Answer.UPDATE:
            return await _answer_with_update(call, interaction)
        case Answer.CHOICES:
            return await _answer_with_choices(call, interaction)
        case Answer.MODAL:
            return await _answer_with_modal(call, interaction)
        case _:
            _acknowledge(call, interaction, form.type)
            interaction.original = interaction.message
            call.server.interactions.succeed(interaction)
            return {}


async def follow_up(call: Call, interaction: Interaction) -> Message:
    """A further message; the first one after a deferred answer takes that one's place."""
    form = await call.body(SendForm)
    if interaction.original is not None and interaction.original.flags & LOADING:
        return await fill_in(call, interaction, form)
    draft = await _draft(call, interaction, form)
    draft.type = 0
    if interaction.original is not None:
        draft.interaction_metadata = interaction.metadata | {
            "original_response_message_id": str(interaction.original.id)
        }
        _refer(draft, interaction.original)
    message = call.server.posting.send(draft)
    interaction.followups.append(message)
    return message


async def edit_answer(call: Call, interaction: Interaction, message: Message) -> Message:
    form = await call.body(EditForm)
    if message.flags & LOADING:
        return await fill_in(call, interaction, form)
    return call.server.posting.edit(message, await revision_of(call, message, form))


async def fill_in(call: Call, interaction: Interaction, form: SendForm) -> Message:
    """The thought-out answer replaces "is thinking …" and does not count as edited."""
    message = interaction.original
    if message is None:
        raise UnknownThingError(errors.UNKNOWN_MESSAGE)
    draft = await _draft(call, interaction, form)
    composed = call.server.posting.compose(draft)
    message.content, message.embeds = composed.content, composed.embeds
    message.components, message.attachments = composed.components, composed.attachments
    message.mentions, message.mention_roles = composed.mentions, composed.mention_roles
    message.mention_everyone = composed.mention_everyone
    message.flags = (message.flags & EPHEMERAL) | (draft.flags & ~EPHEMERAL)
    call.server.posting.announce_change(message)
    interaction.settled.set()
    return message


async def _answer_with_message(call: Call, interaction: Interaction, answer: Answer) -> JsonObject:
    form = (await call.body(MessageAnswer)).data or SendForm.model_validate({})
    later = answer is Answer.LATER
    draft = await _draft(call, interaction, form, empty=later)
    if later:
        draft.content, draft.embeds, draft.components = "", [], []
        draft.flags |= LOADING
    _acknowledge(call, interaction, answer)
    interaction.original = call.server.posting.send(draft)
    call.server.interactions.succeed(interaction)
    return {"message": call.server.messages.message(interaction.original)}


async def _answer_with_update(call: Call, interaction: Interaction) -> JsonObject:
    message = interaction.message
    if message is None or call.server.world.message(message.channel_id, message.id) is None:
        raise UnknownThingError(errors.UNKNOWN_MESSAGE)
    form = (await call.body(UpdateAnswer)).data or EditForm.model_validate({})
    revision = await revision_of(call, message, form)
    _acknowledge(call, interaction, Answer.UPDATE)
    interaction.original = call.server.posting.edit(message, revision)
    call.server.interactions.succeed(interaction)
    return {"message": call.server.messages.message(message)}


async def _answer_with_choices(call: Call, interaction: Interaction) -> JsonObject:
    choices = (await call.body(ChoicesAnswer)).data.choices
    _acknowledge(call, interaction, Answer.CHOICES)
    call.server.interactions.suggest(interaction, [choice.model_dump(exclude_none=True) for choice in choices])
    return {}


async def _answer_with_modal(call: Call, interaction: Interaction) -> JsonObject:
    form = (await call.body(ModalAnswer)).data
    components = checked(form.components)
    _acknowledge(call, interaction, Answer.MODAL)
    modal: JsonObject = {"custom_id": form.custom_id, "title": form.title, "components": components}
    call.server.interactions.show_modal(interaction, modal)
    return {}


def _acknowledge(call: Call, interaction: Interaction, answer: Answer) -> None:
    """Note the answer before its effects; while its body was read another may have been quicker, or time run out."""
    if interaction.failed:
        raise UnknownThingError(errors.UNKNOWN_INTERACTION)
    if interaction.answer is not None:
        raise ApiError(400, errors.ALREADY_ANSWERED, "Interaction has already been acknowledged.")
    interaction.answer = answer


async def _draft(call: Call, interaction: Interaction, form: SendForm, *, empty: bool = False) -> Draft:
    if interaction.channel.id not in call.server.world.channels:
        raise UnknownThingError(errors.UNKNOWN_CHANNEL)
    bot_id = call.server.world.facts.bot_id
    draft = await draft_of(call, form, interaction.channel, bot_id, SENDABLE_FLAGS | EPHEMERAL)
    draft.type = _type_of(interaction)
    draft.webhook_id = draft.application_id = bot_id
    draft.interaction_metadata = interaction.metadata
    draft.reader_id = interaction.user_id if draft.flags & EPHEMERAL else None
    if not empty:
        check_draft(draft)
    if interaction.message is not None:
        _refer(draft, interaction.message)
    return draft


def _type_of(interaction: Interaction) -> int:
    if interaction.kind is not Kind.COMMAND:
        return 0
    return CHAT_COMMAND if interaction.data["type"] == 1 else MENU_COMMAND


def _refer(draft: Draft, original: Message) -> None:
    """Answers to components, and follow-ups, hang on the message they came from, and ping nobody by that.

    A reply shows what it answers: one that others can read must not hang on what only one may read.
    """
    if original.ephemeral and draft.reader_id != original.reader_id:
        return
    draft.type = REPLY
    draft.reference = reference_to(draft.channel, original.id)


# The answers to interactions, reached by the interaction's token: the original one and the follow-ups.


endpoints = Endpoints()

HOOK = "/webhooks/{application_id}/{token}"
MESSAGE = HOOK + "/messages/{message_id}"


@endpoints("POST", HOOK)
async def send_follow_up(call: Call) -> Json | Response:
    # An interaction's follow-ups are always waited for, whatever `wait` says.
    message = await follow_up(call, _interaction(call))
    return call.server.messages.message(message)


@endpoints("GET", MESSAGE)
async def get_answer(call: Call) -> Json:
    _, message = _answer(call)
    return call.server.messages.message(message)


@endpoints("PATCH", MESSAGE)
async def change_answer(call: Call) -> Json:
    interaction, message = _answer(call)
    return call.server.messages.message(await edit_answer(call, interaction, message))


@endpoints("DELETE", MESSAGE)
async def delete_answer(call: Call) -> Json:
    interaction, message = _answer(call)
    call.server.posting.delete(message)
    if interaction.original is message:
        interaction.original = None
        interaction.settled.set()
    else:
        interaction.followups.remove(message)
    return None


def _interaction(call: Call) -> Interaction:
    if call.id("application_id") != call.server.world.facts.bot_id:
        raise UnknownThingError(errors.UNKNOWN_WEBHOOK)
    interaction = call.server.interactions.answered(call.text("token"))
    if interaction is None:
        raise ApiError(401, errors.INVALID_WEBHOOK_TOKEN, "Invalid Webhook Token")
    return interaction


def _answer(call: Call) -> tuple[Interaction, Message]:
    """The message of the path, if it is among the interaction's answers and still there."""
    interaction = _interaction(call)
    original = [] if interaction.original is None else [interaction.original]
    if call.text("message_id") == "@original":
        named = original
    else:
        message_id = call.id("message_id")
        named = [message for message in (*original, *interaction.followups) if message.id == message_id]
    for message in named:
        if call.server.world.message(message.channel_id, message.id) is not None:
            return interaction, message
    raise UnknownThingError(errors.UNKNOWN_MESSAGE)
