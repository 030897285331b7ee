"""Carries out the bot's answer to an interaction: a message, a change of one, a modal, choices, or thinking aloud.

Further answers come by a webhook, and so do the messages of bridges and proxies.
"""

import secrets

from pydantic import BaseModel, Field

from local_guild.actions.components import mistakes_in, numbered
from local_guild.actions.interactions import CHAT_INPUT, LOADING, Answer, Interaction, Kind
from local_guild.actions.posting import REPLY, Draft
from local_guild.actions.realm import reference_to
from local_guild.rest.call import ApiError, Call, Endpoints, InvalidFormError, Refusal, invalid, validated
from local_guild.rest.messages import SENDABLE_FLAGS, EditForm, SendForm, check_parts, draft_of, revision_of
from local_guild.state.ids import Json, JsonObject
from local_guild.state.messages import EPHEMERAL, Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Webhook

CHAT_COMMAND, MENU_COMMAND = 20, 23

_UPDATES = frozenset({Answer.UPDATE, Answer.UPDATE_LATER})
FITTING = {
    Kind.COMMAND: frozenset({Answer.MESSAGE, Answer.LATER, Answer.MODAL}),
    Kind.COMPONENT: frozenset({Answer.MESSAGE, Answer.LATER, Answer.MODAL}) | _UPDATES,
    Kind.AUTOCOMPLETE: frozenset({Answer.CHOICES}),
    Kind.MODAL: frozenset({Answer.MESSAGE, Answer.LATER}) | _UPDATES,
}


class AnswerForm(BaseModel):
    type: Answer
    data: JsonObject = Field(default_factory=dict)


class Suggestion(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    value: str | int | float


class Suggestions(BaseModel):
    choices: list[Suggestion] = Field(default_factory=list, max_length=25)


class ModalForm(BaseModel):
    custom_id: str = Field(min_length=1, max_length=100)
    title: str = Field(min_length=1, max_length=45)
    components: list[JsonObject] = Field(min_length=1, max_length=5)


async def give(call: Call, interaction: Interaction, form: AnswerForm) -> JsonObject:
    """Carry the answer out; return what it made, for callers who ask."""
    answer, interactions = form.type, call.server.interactions
    if answer not in FITTING[interaction.kind] or (answer in _UPDATES and interaction.message is None):
        raise invalid("type", "This is no answer to an interaction of this kind.")
    match answer:
        case Answer.MESSAGE | Answer.LATER:
            return await _answer_with_message(call, interaction, form)
        case Answer.UPDATE:
            return await _answer_with_update(call, interaction, form)
        case Answer.CHOICES:
            choices = validated(Suggestions, form.data).choices
            _acknowledge(interaction, answer)
            interactions.suggest(interaction, [choice.model_dump() for choice in choices])
        case Answer.MODAL:
            modal = validated(ModalForm, form.data)
            if mistakes := list(mistakes_in(modal.components)):
                raise InvalidFormError(mistakes)
            _acknowledge(interaction, answer)
            interactions.show_modal(interaction, modal.model_dump() | {"components": numbered(modal.components)})
        case _:
            _acknowledge(interaction, answer)
            interaction.original = interaction.message
            interactions.succeed(interaction)
    return {}


async def fill_in(call: Call, interaction: Interaction, message: Message, form: SendForm) -> Message:
    """Fill in a thought-out answer: it replaces "is thinking …" and does not count as edited."""
    draft = await _draft(call, interaction, form)
    composed = call.server.posting.compose(draft)
    parts = ("content", "embeds", "components", "attachments", "mentions", "mention_roles", "mention_everyone")
    for part in parts:
        setattr(message, part, getattr(composed, part))
    message.flags = (message.flags & EPHEMERAL) | (draft.flags & ~EPHEMERAL)
    call.server.posting.announce_change(message)
    interaction.settled.set()
    return message


async def _answer_with_message(call: Call, interaction: Interaction, form: AnswerForm) -> JsonObject:
    later = form.type is Answer.LATER
    draft = await _draft(call, interaction, validated(SendForm, form.data), empty=later)
    if later:
        draft.content, draft.embeds, draft.components = "", [], []
        draft.flags |= LOADING
    _acknowledge(interaction, form.type)
    interaction.original = call.server.posting.send(draft)
    call.server.interactions.succeed(interaction)
    return {"message": call.server.payloads.message(interaction.original)}


async def _answer_with_update(call: Call, interaction: Interaction, form: AnswerForm) -> JsonObject:
    message = interaction.message
    if message is None or call.server.world.message(message.channel_id, message.id) is None:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    revision = await revision_of(call, message, validated(EditForm, form.data))
    _acknowledge(interaction, Answer.UPDATE)
    interaction.original = call.server.posting.edit(message, revision)
    call.server.interactions.succeed(interaction)
    return {"message": call.server.payloads.message(message)}


def _acknowledge(interaction: Interaction, answer: Answer) -> None:
    """Note the answer before its effects; while its body was read another may have been quicker, or time run out."""
    if interaction.failed:
        raise ApiError(Refusal.UNKNOWN_INTERACTION)
    if interaction.answer is not None:
        raise ApiError(Refusal.ALREADY_ANSWERED)
    interaction.answer = answer


async def _draft(call: Call, interaction: Interaction, form: SendForm, *, empty: bool = False) -> Draft:
    if interaction.channel.id not in call.server.world.channels:
        raise ApiError(Refusal.UNKNOWN_CHANNEL)
    bot_id = call.server.world.facts.bot_id
    draft = await draft_of(call, form, interaction.channel, bot_id, SENDABLE_FLAGS | EPHEMERAL)
    if interaction.kind is Kind.COMMAND:
        draft.type = CHAT_COMMAND if interaction.data["type"] == CHAT_INPUT else MENU_COMMAND
    draft.webhook_id = draft.application_id = bot_id
    draft.interaction_metadata = interaction.metadata
    draft.reader_id = interaction.user_id if draft.flags & EPHEMERAL else None
    if not empty:
        check_parts(draft)
    if interaction.message is not None:
        _refer(draft, interaction.message)
    return draft


def _refer(draft: Draft, original: Message) -> None:
    """Hang answers to components, and follow-ups, on the message they came from; nobody is pinged by that.

    A reply shows what it answers: one that others can read must not hang on what only one may read.
    """
    if original.ephemeral and draft.reader_id != original.reader_id:
        return
    draft.type = REPLY
    draft.reference = reference_to(draft.channel, original.id)


endpoints = Endpoints()

HOOK = "/webhooks/{application_id}/{token}"
MESSAGE = HOOK + "/messages/{message_id}"


# Webhooks: made in a channel, and whoever has one posts there under any name, as bridges and proxies do.

CHANNELS = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.VOICE, ChannelType.STAGE})


class WebhookForm(SendForm):
    name: str = Field(default="Webhook", min_length=1, max_length=80)


class ExecuteForm(SendForm):
    username: str | None = Field(default=None, min_length=1, max_length=80)


@endpoints("POST", "/channels/{channel_id}/webhooks")
async def create_webhook(call: Call) -> Json:
    channel = call.channel(Permission.MANAGE_WEBHOOKS)
    if channel.type not in CHANNELS:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    form = await call.body(WebhookForm)
    hook = Webhook(call.server.ids.next(), form.name, secrets.token_urlsafe(48))
    channel.webhooks[hook.id] = hook
    call.server.world.keep(channel)
    return {
        "id": str(hook.id),
        "type": 1,
        "name": hook.name,
        "token": hook.token,
        "channel_id": str(channel.id),
        "guild_id": str(channel.guild_id),
    }


def hook_of(call: Call) -> tuple[Webhook, Channel] | None:
    """Find the webhook of the path and its channel; None where the path names an application."""
    hook_id = call.id("application_id")
    if hook_id == call.server.world.facts.bot_id:
        return None
    found = ((one.webhooks[hook_id], one) for one in call.server.world.channels.values() if hook_id in one.webhooks)
    hook = next(found, None)
    if hook is None:
        raise ApiError(Refusal.UNKNOWN_WEBHOOK)
    if not secrets.compare_digest(hook[0].token.encode(), call.text("token").encode()):
        raise ApiError(Refusal.INVALID_WEBHOOK_TOKEN)
    return hook


async def execute(call: Call, hook: Webhook, channel: Channel) -> Json:
    """Post as whoever the form says; it pings nobody that its sender does not let it."""
    form = await call.body(ExecuteForm)
    draft = await draft_of(call, form, channel, hook.id)
    draft.webhook_id, draft.webhook_name = hook.id, form.username or hook.name
    check_parts(draft)
    message = call.server.posting.send(draft)
    return call.server.payloads.message(message) if call.asks_for("wait") else None


# The answers to interactions, which their token makes webhooks of: the original one and the follow-ups.


@endpoints("POST", HOOK)
async def send_follow_up(call: Call) -> Json:
    """Send a further message; the first one after a deferred answer takes that one's place."""
    if (hook := hook_of(call)) is not None:
        return await execute(call, *hook)
    interaction, form = _interaction(call), await call.body(SendForm)
    original = interaction.original
    if original is not None and original.flags & LOADING:
        return call.server.payloads.message(await fill_in(call, interaction, original, form))
    draft = await _draft(call, interaction, form)
    draft.type = 0
    if original is not None:
        _refer(draft, original)
    message = call.server.posting.send(draft)
    interaction.followups.append(message)
    return call.server.payloads.message(message)


@endpoints("PATCH", MESSAGE)
async def change_answer(call: Call) -> Json:
    interaction, message = _answer(call)
    form = await call.body(EditForm)
    if message.flags & LOADING:
        return call.server.payloads.message(await fill_in(call, interaction, message, form))
    call.server.posting.edit(message, await revision_of(call, message, form))
    return call.server.payloads.message(message)


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
        raise ApiError(Refusal.UNKNOWN_WEBHOOK)
    interaction = call.server.interactions.answered(call.text("token"))
    if interaction is None:
        raise ApiError(Refusal.INVALID_WEBHOOK_TOKEN)
    return interaction


def _answer(call: Call) -> tuple[Interaction, Message]:
    """Find the message of the path, if it is among the interaction's answers and still there."""
    interaction = _interaction(call)
    named = interaction.original
    if call.text("message_id") != "@original":
        message_id = call.id("message_id")
        known = (interaction.original, *interaction.followups)
        named = next((one for one in known if one is not None and one.id == message_id), None)
    if named is None or call.server.world.message(named.channel_id, named.id) is None:
        raise ApiError(Refusal.UNKNOWN_MESSAGE)
    return interaction, named
