"""Lets members make, change and end scheduled events, and say that they are interested."""

from typing import Any

from pydantic import AwareDatetime, BaseModel, Field

from local_guild.gateway.sessions import Intent
from local_guild.payloads import event_payload
from local_guild.rest.call import ApiError, Call, Endpoints, Refusal, invalid
from local_guild.state.ids import Json, JsonObject, iso, iso_or_none
from local_guild.state.permissions import Permission
from local_guild.state.world import ChannelType, Guild, Record

endpoints = Endpoints()

EVENTS = "/guilds/{guild_id}/scheduled-events"
STAGE, VOICE, EXTERNAL = 1, 2, 3
SCHEDULED, ACTIVE, COMPLETED, CANCELLED = 1, 2, 3, 4
_KINDS = {STAGE: ChannelType.STAGE, VOICE: ChannelType.VOICE}


class Metadata(BaseModel):
    location: str = Field(min_length=1, max_length=100)


class EventForm(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    scheduled_start_time: AwareDatetime
    scheduled_end_time: AwareDatetime | None = None
    entity_type: int = Field(ge=STAGE, le=EXTERNAL)
    channel_id: int | None = None
    entity_metadata: Metadata | None = None
    description: str = Field(default="", max_length=1000)


class EventChangeForm(BaseModel):
    """Changes a scheduled event: fields left out stay."""

    name: str | None = Field(default=None, min_length=1, max_length=100)
    scheduled_start_time: AwareDatetime | None = None
    description: str | None = Field(default=None, max_length=1000)
    status: int | None = Field(default=None, ge=SCHEDULED, le=CANCELLED)


@endpoints("GET", EVENTS)
async def list_events(call: Call) -> Json:
    return [_shown(one) for one in call.server.payloads.events(call.guild().id, call.caller.id)]


@endpoints("POST", EVENTS)
async def make_event(call: Call) -> Json:
    guild, form = call.guild(), await call.body(EventForm)
    channel = None if form.channel_id is None else call.visible(form.channel_id)
    if (form.entity_type == EXTERNAL) == (channel is not None):
        raise invalid("channel_id", "An event takes place in a channel, or elsewhere.")
    if channel is not None and channel.type != _KINDS[form.entity_type]:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    if channel is None and (form.entity_metadata is None or form.scheduled_end_time is None):
        raise invalid("entity_metadata", "An event elsewhere needs a place and an end.")
    body: JsonObject = {
        "id": str(call.server.ids.next()),
        "guild_id": str(guild.id),
        "channel_id": None if channel is None else str(channel.id),
        "creator_id": str(call.caller.id),
        "name": form.name,
        "description": form.description,
        "scheduled_start_time": iso(form.scheduled_start_time),
        "scheduled_end_time": iso_or_none(form.scheduled_end_time),
        "privacy_level": 2,
        "status": SCHEDULED,
        "entity_type": form.entity_type,
        "entity_id": None,
        "entity_metadata": None if form.entity_metadata is None else form.entity_metadata.model_dump(),
        "interested": [],
    }
    record = Record(f"event:{body['id']}", body)
    call.server.world.keep(record)
    _tell(call, guild, "GUILD_SCHEDULED_EVENT_CREATE", record)
    return _shown(record)


@endpoints("PATCH", EVENTS + "/{event_id}")
async def change_event(call: Call) -> Json:
    guild, record = _one(call)
    form = await call.body(EventChangeForm)
    _need_to_manage(call, guild, record)
    if form.scheduled_start_time is not None:
        record.body["scheduled_start_time"] = iso(form.scheduled_start_time)
    for field in ("name", "description", "status"):
        if (given := getattr(form, field)) is not None:
            record.body[field] = given
    if record.body["status"] in (COMPLETED, CANCELLED):
        call.server.world.drop(record)
    else:
        call.server.world.keep(record)
    _tell(call, guild, "GUILD_SCHEDULED_EVENT_UPDATE", record)
    return _shown(record)


@endpoints("DELETE", EVENTS + "/{event_id}")
async def delete_event(call: Call) -> Json:
    guild, record = _one(call)
    _need_to_manage(call, guild, record)
    call.server.world.drop(record)
    _tell(call, guild, "GUILD_SCHEDULED_EVENT_DELETE", record)
    return None


@endpoints("PUT", EVENTS + "/{event_id}/users/{user_id}")
@endpoints("DELETE", EVENTS + "/{event_id}/users/{user_id}")
async def be_interested(call: Call) -> Json:
    """Say for oneself that one is interested, or is not any more."""
    guild, record = _one(call)
    user_id, is_so = str(call.caller.id), call.request.method == "PUT"
    others = [one for one in _interested(record) if one != user_id]
    record.body["interested"] = [*others, user_id] if is_so else others
    call.server.world.keep(record)
    told: JsonObject = {"guild_scheduled_event_id": record.body["id"], "user_id": user_id, "guild_id": str(guild.id)}
    name = "GUILD_SCHEDULED_EVENT_USER_ADD" if is_so else "GUILD_SCHEDULED_EVENT_USER_REMOVE"
    call.server.realm.tell_guild(name, guild, told, Intent.GUILD_SCHEDULED_EVENTS)
    return None


def _shown(event: Record) -> JsonObject:
    return event_payload(event) | {"user_count": len(_interested(event))}


def _interested(event: Record) -> list[Any]:
    listed = event.body["interested"]
    return list(listed) if isinstance(listed, list) else []


def _one(call: Call) -> tuple[Guild, Record]:
    guild, key = call.guild(), f"event:{call.id('event_id')}"
    record = next((one for one in call.server.payloads.events(guild.id, call.caller.id) if one.key == key), None)
    if record is None:
        raise ApiError(Refusal.UNKNOWN_EVENT)
    return guild, record


def _need_to_manage(call: Call, guild: Guild, record: Record) -> None:
    if record.body["creator_id"] != str(call.caller.id):
        call.need(call.rights_over(guild), Permission.MANAGE_EVENTS)


def _tell(call: Call, guild: Guild, name: str, event: Record) -> None:
    channel = call.server.world.channels.get(int(str(event.body["channel_id"] or 0)))
    if channel is None:
        call.server.realm.tell_guild(name, guild, _shown(event), Intent.GUILD_SCHEDULED_EVENTS)
    else:
        call.server.realm.tell_channel(name, channel, _shown(event), Intent.GUILD_SCHEDULED_EVENTS)
