"""Webhooks: made in a channel, and whoever has one posts there under any name, as bridges and proxies do."""

import secrets

from pydantic import Field

from local_guild.rest.call import ApiError, Call, Endpoints, Refusal
from local_guild.rest.messages import SendForm, check_draft, draft_of
from local_guild.state.ids import Json, JsonObject
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Webhook

endpoints = Endpoints()

HOOK = "/webhooks/{application_id}/{token}"
CHANNELS = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.VOICE, ChannelType.STAGE})


class WebhookForm(SendForm):
    name: str = Field(default="Webhook", min_length=1, max_length=80)


class ExecuteForm(SendForm):
    username: str | None = Field(default=None, min_length=1, max_length=80)


@endpoints("POST", "/channels/{channel_id}/webhooks")
async def create_webhook(call: Call) -> Json:
    channel = call.channel()
    call.need(call.rights_in(channel), Permission.MANAGE_WEBHOOKS)
    if channel.type not in CHANNELS:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    form = await call.body(WebhookForm)
    hook = Webhook(call.server.ids.next(), form.name, secrets.token_urlsafe(48))
    channel.webhooks[hook.id] = hook
    call.server.world.keep(channel)
    return _shown(hook, channel)


@endpoints("GET", "/channels/{channel_id}/webhooks")
async def list_webhooks(call: Call) -> Json:
    channel = call.channel()
    call.need(call.rights_in(channel), Permission.MANAGE_WEBHOOKS)
    return [_shown(hook, channel) for hook in channel.webhooks.values()]


def hook_of(call: Call) -> tuple[Webhook, Channel] | None:
    """The webhook of the path and its channel; None where the path names an application."""
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
    check_draft(draft)
    message = call.server.posting.send(draft)
    return call.server.messages.message(message) if call.request.query_params.get("wait") == "true" else None


def _shown(hook: Webhook, channel: Channel) -> JsonObject:
    return {
        "id": str(hook.id),
        "type": 1,
        "name": hook.name,
        "token": hook.token,
        "channel_id": str(channel.id),
        "guild_id": str(channel.guild_id),
        "avatar": None,
        "application_id": None,
    }
