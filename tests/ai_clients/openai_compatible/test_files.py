"""Pictures and recordings for servers that speak OpenAI's protocol."""

import pytest

from ai_clients.base import Prompt, PromptFile, Transcript
from ai_clients.errors import Refused
from ai_clients.openai_compatible.client import Server
from ai_clients.openai_compatible.model import OpenAIModel
from memory.shared_files.prompt import Seen
from tests.openai_server import ALL, OpenAIServer, files_of
from tests.sample_files import VOICE, png_of

PICTURE = Prompt("Describe it.", "here", files=(PromptFile("image/png", png_of("CATS")),))
RECORDING = Prompt("Write it down.", "here", files=(PromptFile("audio/ogg", VOICE),))


async def test_a_picture_goes_along_and_a_recording_by_the_route_for_it(openai: OpenAIServer, server: Server) -> None:
    model = OpenAIModel("good", server, 20)
    openai.says = lambda _: '{"description": "A cat.", "words": ""}'
    assert (await model.generate_as(PICTURE, Seen)).value.description == "A cat."
    assert files_of(openai.requests[0]) == [("image/png", png_of("CATS"))]
    openai.says = lambda _: "the key hangs here"
    heard = await model.generate_as(RECORDING, Transcript)
    assert heard.value.words == "the key hangs here"
    assert openai.requests[-1] == {"model": "good", "name": "voice.ogg", "sound": VOICE}
    with pytest.raises(Refused):
        await model.generate_as(RECORDING, Seen)


async def test_a_model_that_does_not_see_says_so_at_once_and_serves_on(openai: OpenAIServer, server: Server) -> None:
    model = OpenAIModel("good", server, 20)
    openai.takes = ALL - {"image input"}
    with pytest.raises(Refused, match="does not see"):
        await model.generate_as(PICTURE, Seen)
    assert len(openai.requests) == 1
    openai.says = lambda _: '{"description": "nothing"}'
    assert (await model.generate_as(Prompt("Describe.", "words"), Seen)).value.description == "nothing"
