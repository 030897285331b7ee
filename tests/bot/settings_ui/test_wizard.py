"""What the setup says fits where Discord puts it, in every language and with as much as managers may have chosen."""

from itertools import product

import pytest

from bot.settings_ui.describe import zone_objection
from bot.settings_ui.wizard import announced, house_notice, summary
from bot.words import Notice, Voice
from memory.core.log_values import Consent
from memory.language.detect import Language
from memory.policy.setting_fields import Setting
from memory.policy.settings import AnswerRules, FactRules, GuildSettings, LogSettings, ModeratorsMay

LARGEST = 2**63 - 1
MANY = frozenset(range(LARGEST - 40, LARGEST))
MOST = GuildSettings(
    "America/Argentina/ComodRivadavia",
    LARGEST,
    MANY,
    None,
    LogSettings(Consent.OPT_IN, 3650, MANY, MANY, 3650, 3650),
    FactRules(about_others=False, moderators_may=ModeratorsMay.REMOVE),
)
LONGEST_MESSAGE = 2000
AT_MOST: dict[int, tuple[Notice | Setting, ...]] = {
    45: (Notice.ZONE_FIELD, Setting.TIME_ZONE),
    80: (
        *(Notice.SETUP_BACK, Notice.SETUP_NEXT, Notice.SETUP_SKIP, Notice.SETUP_CANCEL, Notice.SAVE_AND_POST),
        *(Notice.SAVE_ONLY, Notice.ZONE_TYPE, Notice.REMOVAL_YES, Notice.REMOVAL_NO),
    ),
    100: (Setting.LOG_CONSENT_OPT_OUT, Setting.LOG_CONSENT_OPT_IN),
    150: (
        *(Setting.HALL_ROLE_ID, Setting.LOG_EXCLUDED_CHANNELS, Setting.LOG_EXCLUDED_ROLES, Setting.SPEAKS_IN),
        *(Setting.LOG_CONSENT, Notice.NOTICE_MENU),
    ),
}


@pytest.mark.parametrize(("mine", "theirs"), list(product(Language, Language)))
def test_the_fullest_summary_fits_into_one_message(mine: Language, theirs: Language) -> None:
    voice, house_voice = Voice(mine, "Innkeeper"), Voice(theirs, "Innkeeper")
    head = "\n".join([voice.say(Notice.SUMMARY_TITLE), voice.say(Notice.SETUP_STEP, number=6, count=6)])
    notice = announced(house_notice(MOST, house_voice), LARGEST, voice, may_post=False)
    paragraphs = [f"### {head}", *summary(MOST, 1, None, voice), notice]
    assert len("\n\n".join(paragraphs)) <= LONGEST_MESSAGE


def test_labels_are_no_longer_than_discord_takes(voice: Voice) -> None:
    for most, labels in AT_MOST.items():
        assert [label for label in labels if len(voice.say(label)) > most] == []


@pytest.mark.parametrize("consent", Consent)
def test_the_notice_says_what_is_kept_and_how_to_be_left_out(voice: Voice, consent: Consent) -> None:
    log = LogSettings(consent, retention_days=30, fact_days=90)
    notice = house_notice(GuildSettings(log=log), voice)
    wanted = ("/privacy opt-out", "/privacy erase", "/innkeeper about", "30", "90")
    assert [part for part in wanted if part not in notice] == []
    assert ("/privacy opt-in" in notice) is (consent is Consent.OPT_IN)
    memories = voice.say(Notice.HOUSE_MEMORIES)
    assert memories in notice
    without = house_notice(GuildSettings(log=log, answers=AnswerRules(takes_memories=False)), voice)
    assert without == notice.replace(memories, ""), "where none are taken, none are named"


def test_what_was_typed_is_echoed_as_plain_text_and_not_at_length() -> None:
    said = zone_objection("**x** @everyone <@&5>\n> " + "y" * 500, [], Voice(Language.EN, "Innkeeper"))
    assert "**x**" not in said
    assert "@everyone" not in said
    assert "\n" not in said
    assert len(said) < 250
