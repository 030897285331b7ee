"""Plants canaries in a place: said, edited, told, attached, embedded, polled."""

import os
import random
from dataclasses import dataclass
from datetime import timedelta

from local_guild.actions.posting import Draft, Revision
from local_guild.state.messages import Attachment
from local_guild.state.world import Channel, Guild, User
from tests.end_to_end.leaks.canaries import Canary, Kind
from tests.end_to_end.leaks.scene import Scene

SHOWN = 1.0 if os.environ.get("SOAK") else 0.4


@dataclass
class Planting:
    scene: Scene
    rng: random.Random

    def talk(self, guild: Guild) -> None:
        """Something in every place, also where the bot does not see it, and in many of them something of every kind."""
        world = self.scene.server.world
        for place in [*world.channels_of(guild.id), *world.threads_of(guild.id)]:
            people = self.scene.speakers_in(place)
            if people and place.type != 4:
                self.say(place, self.rng.choice(people))
                self.say_and_correct(place, self.rng.choice(people))
                if self.rng.random() < SHOWN:
                    self.show(place, self.rng.choice(people))

    def say(self, place: Channel, author: User) -> Canary:
        canary = self._new(Kind.MESSAGE, place, author)
        canary.message_id = self.scene.say(author, place, canary.sentence.capitalize())
        return canary

    def say_and_correct(self, place: Channel, author: User) -> Canary:
        before, after = self._new(Kind.OVERWRITTEN, place, author), self._new(Kind.EDITED, place, author)
        before.words = after.words
        posting = self.scene.server.posting
        message = posting.send(Draft(channel=place, author_id=author.id, content=before.sentence))
        posting.edit(message, Revision(content=after.sentence))
        before.gone, after.message_id = True, message.id
        return after

    def show(self, place: Channel, author: User) -> None:
        """A file, an embed and a poll, with words beside them that a question can find."""
        name, embedded, asked = (self._new(kind, place, author) for kind in (Kind.FILE_NAME, Kind.EMBED, Kind.POLL))
        file = Attachment(self.scene.server.ids.next(), f"{name.token}.txt", 9, "text/plain", description=name.sentence)
        posting, channel, author_id = self.scene.server.posting, place, author.id
        posting.send(Draft(channel=channel, author_id=author_id, content=f"A {name.words} for you", attachments=[file]))
        posting.send(
            Draft(
                channel=channel,
                author_id=author_id,
                content=f"Look, a {embedded.words}",
                embeds=[{"type": "rich", "title": embedded.token, "description": embedded.sentence}],
            )
        )
        posting.send(
            Draft(
                channel=channel,
                author_id=author_id,
                content=f"What of the {asked.words}?",
                poll={
                    "question": {"text": asked.sentence},
                    "answers": [{"answer_id": 1, "poll_media": {"text": asked.token}}],
                    "allow_multiselect": False,
                    "expiry": (self.scene.server.clock.now() + timedelta(days=1)).isoformat(),
                    "layout_type": 1,
                },
            )
        )

    async def tell(self, guild: Guild, place: Channel, *, everywhere: bool = False) -> Canary | None:
        """A fact, told to the bot in a place about somebody of the guild."""
        people = self.scene.speakers_in(place)
        if not people:
            return None
        teller = self.rng.choice(people)
        return await self.tell_by(guild, place, teller, everywhere=everywhere)

    async def tell_by(self, guild: Guild, place: Channel, teller: User, *, everywhere: bool = False) -> Canary:
        about = None if self.rng.random() < 0.3 and not everywhere else self.rng.choice(self.scene.people_of(guild))
        if everywhere or (about is not None and self.rng.random() < 0.3):
            about = teller
        kind = Kind.EVERYWHERE if everywhere else Kind.FACT
        canary = self._new(kind, place, teller, subject_id=None if about is None else about.id)
        who = "the inn" if about is None else "I" if about is teller else f"<@{about.id}>"
        verb = "remember everywhere that" if everywhere else "remember that"
        text = f"Bot {verb} {who} {'own' if about is teller else 'owns'} a {canary.words} called {canary.token}"
        canary.message_id = self.scene.say(teller, place, text)
        await self.scene.tap.answer_to(canary.message_id)
        return canary

    def _new(self, kind: Kind, place: Channel, author: User, *, subject_id: int | None = None) -> Canary:
        guild_id = place.guild_id or 0
        return self.scene.canaries.new(kind, guild_id, place.id, author_id=author.id, subject_id=subject_id)
