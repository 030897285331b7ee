"""How often a bot may begin a session: told, counted, and enforced where it is asked for."""

from tests.local_guild.running import Served
from tests.local_guild.scene import Scene
from tests.local_guild.wire import IDENTIFY, INVALID_SESSION, dial, identity


async def identify(scene: Scene, shard: int) -> bool:
    """Whether there is a session."""
    async with dial(scene) as wire:
        await wire.next()
        await wire.send(IDENTIFY, identity(scene, shard=[shard, 4]))
        return bool((await wire.next())["op"] != INVALID_SESSION)


async def test_too_early_in_a_bucket_and_too_often_in_a_day_is_refused(local_guild: Served, scene: Scene) -> None:
    rules = {"shards": 4, "max_concurrency": 2, "seconds": 600, "total": 3}
    await local_guild.http.post("/local/faults/starts", json=rules)
    assert [await identify(scene, shard) for shard in (0, 1, 2)] == [True, True, False]
    told = await scene.bot.call("GET", "/gateway/bot")
    assert told["shards"] == 4
    assert told["session_start_limit"].items() >= {"total": 3, "remaining": 0, "max_concurrency": 2}.items()
    await local_guild.http.post("/local/faults/starts", json={"total": 1})
    assert [await identify(scene, shard) for shard in (0, 1)] == [True, False]
    assert local_guild.server.gateway.starts.refused == 1
    await local_guild.http.delete("/local/faults")
    assert [await identify(scene, shard) for shard in (0, 0)] == [True, True]
