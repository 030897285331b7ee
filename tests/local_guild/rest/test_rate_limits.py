"""Rate limits: told in headers, and enforced when narrowed."""

from __future__ import annotations

import time

import httpx

from tests.local_guild.running import Served
from tests.local_guild.scene import Scene


async def post(scene: Scene, channel_id: int) -> httpx.Response:
    headers = {"Authorization": scene.bot.token}
    return await scene.bot.http.post(f"/api/v10/channels/{channel_id}/messages", json={"content": "x"}, headers=headers)


async def test_every_answer_tells_what_is_left(scene: Scene) -> None:
    first, second = await post(scene, scene.hall), await post(scene, scene.hall)
    other = await post(scene, scene.garden)
    limit, left = int(first.headers["X-RateLimit-Limit"]), int(first.headers["X-RateLimit-Remaining"])
    assert 0 <= left < limit
    assert float(first.headers["X-RateLimit-Reset"]) >= time.time() - 60
    assert float(first.headers["X-RateLimit-Reset-After"]) >= 0
    assert first.headers["X-RateLimit-Bucket"] == second.headers["X-RateLimit-Bucket"]
    # Another channel counts for itself.
    assert int(other.headers["X-RateLimit-Remaining"]) >= int(second.headers["X-RateLimit-Remaining"])


async def test_a_narrow_bucket_overflows_with_429(local_guild: Served, scene: Scene) -> None:
    await local_guild.http.post("/local/faults/rates", json={"limit": 2, "seconds": 60})
    for _ in range(2):
        assert (await post(scene, scene.hall)).status_code == 200
    refused = await post(scene, scene.hall)
    assert refused.status_code == 429
    body = refused.json()
    assert body["message"] == "You are being rate limited."
    assert 0 < body["retry_after"] <= 60
    assert body["global"] is False
    assert 0 < float(refused.headers["Retry-After"]) <= 60
    assert refused.headers["X-RateLimit-Remaining"] == "0"
    assert refused.headers["X-RateLimit-Scope"] == "user"
    assert (await post(scene, scene.garden)).status_code == 200
    assert (await scene.guest.say(scene.hall, "others have their own"))["content"]
    await local_guild.http.delete("/local/faults")
    assert (await post(scene, scene.hall)).status_code == 200
