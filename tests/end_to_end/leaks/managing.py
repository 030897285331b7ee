"""Surfaces for those who manage a server: the setup step by step, and every setting by itself."""

from dataclasses import replace

from local_guild.state.permissions import Permission
from memory.policy.settings import LogSettings
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.interacting import complete, use, wander
from tests.end_to_end.leaks.registry import Case, ReadBy, surface

ASKER = ReadBy.ASKER
STEPS = 25
WOULD_REMOVE = ("consent", "no-channels", "no-roles")
"""Menus that choose what is not stored: saved, they would take the canaries away."""
WOULD_SAVE = ("save", "save-and-post")


@surface(
    "setup",
    read_by=ASKER,
    covers=(
        "command:innkeeper setup",
        "component:bot.settings_ui.wizard.Wizard",
        "component:bot.settings_ui.wizard_steps.ZoneForm",
        "component:bot.replies.interactions.Question",
        "component:bot.replies.interactions.ManagersQuestion",
    ),
    weight=2,
)
async def setup(case: Case) -> None:
    """Either looks at everything and saves nothing, or saves what takes nothing away."""
    case = by_a_manager(case)
    avoided = WOULD_SAVE if case.rng.random() < 0.5 else WOULD_REMOVE
    await wander(case, await use(case, "innkeeper", "setup"), STEPS, avoided=avoided)
    await _speak_everywhere(case)


@surface("settings, shown", read_by=ASKER, covers=("command:settings show",))
async def show(case: Case) -> None:
    case = by_a_manager(case)
    await use(case, "settings", "show")


@surface(
    "the time zone",
    read_by=ASKER,
    covers=("command:settings time-zone", "autocomplete:settings time-zone zone"),
)
async def time_zone(case: Case) -> None:
    case = by_a_manager(case)
    for typed in ("Ber", case.canary.words):
        await complete(case, "settings", "time-zone", option="zone", typed=typed)
        await use(case, "settings", "time-zone", zone=typed)


@surface("the hall role", read_by=ASKER, covers=("command:settings hall-role",), weight=2)
async def hall_role(case: Case) -> None:
    case = by_a_manager(case)
    await use(case, "settings", "hall-role")


@surface(
    "where to speak",
    read_by=ASKER,
    covers=(
        "command:settings speak-in add",
        "command:settings speak-in remove",
        "command:settings speak-in everywhere",
    ),
)
async def speaking(case: Case) -> None:
    case = by_a_manager(case)
    for last in ("add", "remove", "everywhere"):
        await use(case, "settings", "speak-in", last)
    await _speak_everywhere(case)


@surface(
    "what is stored",
    read_by=ASKER,
    covers=(
        "command:settings log consent",
        "command:settings log retention",
        "command:settings log summaries",
        "command:settings log facts",
        "command:settings log exclude-channel",
        "command:settings log include-channel",
        "command:settings log exclude-role",
        "command:settings log include-role",
        "component:bot.settings_ui.commands.ChangeQuestion",
    ),
)
async def stored(case: Case) -> None:
    """What would remove something is looked at and left; the rest is done."""
    case = by_a_manager(case)
    await use(case, "settings", "log", "consent", mode="opt_out")
    await use(case, "settings", "log", "retention", days=3650)
    await use(case, "settings", "log", "summaries", days=3650)
    await use(case, "settings", "log", "facts", days=3650)
    role_id = case.rng.choice(sorted(case.guild.roles))
    for kind, target_id in (("channel", case.place.id), ("role", role_id)):
        asked = await use(case, "settings", "log", f"exclude-{kind}", **{kind: str(target_id)})
        await wander(case, asked, 1, avoided=("yes",))
        await use(case, "settings", "log", f"include-{kind}", **{kind: str(target_id)})


def by_a_manager(case: Case) -> Case:
    """Mostly: what others are told who try it must not tell them anything either."""
    access, users = case.scene.server.access, case.scene.server.world.users
    viewers = sorted(case.scene.oracle.viewers(case.place.id))
    managers = [one for one in viewers if access.in_channel(case.place, one) & int(Permission.MANAGE_GUILD)]
    if not managers or case.rng.random() < 0.2:
        return case
    return replace(case, asker=users[case.rng.choice(managers)])


async def _speak_everywhere(case: Case) -> None:
    """Otherwise the bot would soon be silent nearly everywhere, and nothing more would be learned."""
    memory = case.scene.memory
    log = (await memory.privacy.settings(case.guild.id)).log
    if log != LogSettings():
        for canary in case.scene.canaries.of((Kind.MESSAGE, Kind.EDITED, Kind.FACT)):
            canary.forgotten = canary.forgotten or canary.guild_id == case.guild.id
    await memory.privacy.change_settings(
        case.guild.id, lambda settings: replace(settings, speaks_in=frozenset(), log=LogSettings())
    )
