"""The button that fills a guild with a week of chat."""

from pydantic import BaseModel

from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import GENERAL, UNKNOWN_GUILD, ApiError, UnknownThingError
from local_guild.sample_week import AlreadyPlayedError
from local_guild.sample_week_stage import NoStageError
from local_guild.wire import Json

local_endpoints = Endpoints()


class WeekForm(BaseModel):
    guild_id: int


@local_endpoints("POST", "/sample-week")
async def play(call: Call) -> Json:
    guild = call.server.world.guilds.get((await call.body(WeekForm)).guild_id)
    if guild is None:
        raise UnknownThingError(UNKNOWN_GUILD)
    try:
        return {"messages": await call.server.sample_week.play(guild)}
    except AlreadyPlayedError:
        raise ApiError(409, GENERAL, "The sample week has been played here already.") from None
    except NoStageError:
        sentence = "The sample week needs a text channel and two people who may write in it."
        raise ApiError(400, GENERAL, sentence) from None
