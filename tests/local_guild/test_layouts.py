"""Layouts (Components V2), sent, pressed and edited by discord.py, and what Discord refuses of them."""

from __future__ import annotations

import io

import discord
import pytest
from discord import ui

from tests.local_guild.guests import Body, Guest
from tests.local_guild.running import Connect, Served

Interaction = discord.Interaction[discord.Client]
FLAG = 1 << 15
TEXT: Body = {"type": 10, "content": "Soup"}
ROW: Body = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Take", "custom_id": "take"}]}


class Board(ui.LayoutView):
    """Everything a layout can hold; the button beside the soup counts the portions taken."""

    def __init__(self, taken: int = 0, picture: str = "attachment://soup.png") -> None:
        super().__init__(timeout=None)
        self.taken = taken
        button: ui.Button[Board] = ui.Button(label="Take", custom_id="take")
        button.callback = self.take  # type: ignore[method-assign] # discord.py's way to set one without a subclass
        row: ui.ActionRow[Board] = ui.ActionRow(ui.Button(label="Recipe", url="https://example.org/soup"))
        container: ui.Container[Board] = ui.Container(
            ui.TextDisplay("## On the board"),
            ui.Section(f"Soup, {taken} taken", accessory=button),
            ui.Separator(spacing=discord.SeparatorSpacing.large),
            ui.Section("Bread", accessory=ui.Thumbnail(picture)),
            ui.MediaGallery(discord.MediaGalleryItem(picture, description="The soup")),
            row,
            accent_colour=0xD08A1F,
        )
        self.add_item(container)

    async def take(self, interaction: Interaction) -> None:
        await interaction.response.edit_message(view=Board(self.taken + 1))


@pytest.fixture
async def client(local_guild: Served, connect: Connect) -> discord.Client:
    return await connect(discord.Client(intents=discord.Intents.all()))


@pytest.fixture
async def hall(local_guild: Served, client: discord.Client) -> discord.TextChannel:
    channel = client.get_channel(local_guild.channel("general").id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_layout_is_sent_pressed_and_edited(local_guild: Served, hall: discord.TextChannel) -> None:
    sent = await hall.send(view=Board(), file=discord.File(io.BytesIO(b"picture"), "soup.png"))
    assert sent.flags.components_v2
    (container,) = sent.components
    assert isinstance(container, discord.components.Container)
    assert [one.type.name for one in container.children] == [
        "text_display", "section", "separator", "section", "media_gallery", "action_row",
    ]  # fmt: skip
    pressed = await Guest(local_guild, local_guild.user("aylin")).press(
        {"id": str(sent.id), "channel_id": str(hall.id)}, "take"
    )
    assert pressed["message"]["flags"] & FLAG
    assert "Soup, 1 taken" in str(pressed["message"]["components"])
    edited = await sent.edit(view=Board(taken=7))
    assert edited.flags.components_v2
    assert "Soup, 7 taken" in str((await hall.fetch_message(sent.id)).components)


async def test_a_message_becomes_a_layout_and_never_ceases_to_be_one(hall: discord.TextChannel) -> None:
    plain = await hall.send("Thinking about soup")
    with pytest.raises(discord.HTTPException, match="cannot be used when using"):
        await plain.edit(view=Board(picture="https://example.org/soup.png"))
    board = await plain.edit(content=None, view=Board(picture="https://example.org/soup.png"))
    assert board.flags.components_v2
    with pytest.raises(discord.HTTPException, match="cannot be used when using"):
        await board.edit(content="Words", view=None)
    with pytest.raises(discord.HTTPException, match="empty message"):
        await board.edit(view=None)


LARGE: list[Body] = [{"type": 10, "content": "x" * 2001}] * 2
REFUSED: list[tuple[Body, str]] = [
    ({"flags": FLAG, "content": "Words", "components": [TEXT]}, "content"),
    ({"flags": FLAG, "embeds": [{"title": "Soup"}], "components": [TEXT]}, "embeds"),
    ({"flags": FLAG, "components": LARGE}, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
    (
        {"flags": FLAG, "components": [{"type": 17, "components": [TEXT] * 20}] * 2},
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    ({"flags": FLAG, "components": [{"type": 17, "components": []}]}, "BASE_TYPE_BAD_LENGTH"),
    ({"flags": FLAG, "components": [{"type": 17, "components": [{"type": 17}]}]}, "UNION_TYPE_CHOICES"),
    ({"flags": FLAG, "components": [{"type": 9, "components": [TEXT]}]}, "accessory"),
    ({"flags": FLAG, "components": [{"type": 12, "items": []}]}, "BASE_TYPE_BAD_LENGTH"),
    ({"flags": FLAG, "components": [ROW, ROW]}, "COMPONENT_CUSTOM_ID_DUPLICATED"),
    ({"flags": FLAG, "components": []}, "50006"),
    ({"content": "Words", "components": [TEXT]}, "UNION_TYPE_CHOICES"),
]


@pytest.mark.parametrize(("body", "why"), REFUSED, ids=[str(number) for number in range(len(REFUSED))])
async def test_what_discord_refuses_is_refused(local_guild: Served, body: Body, why: str) -> None:
    path = f"/channels/{local_guild.channel('general').id}/messages"
    refused = await local_guild.call("POST", path, by=local_guild.server.world.bot, json=body)
    assert refused.status_code == 400
    assert why in refused.text
