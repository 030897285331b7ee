"""What one telling says, thing by thing: taken apart where that is beyond doubt, and whole otherwise."""

import pytest

from memory.facts.clauses import MOST, is_statement, parts_of_fact

SEVERAL = {
    "<@7> likes pizza and hates olives, his birthday is 3 March, works at Siemens": [
        "<@7> likes pizza",
        "<@7> hates olives",
        "<@7>'s birthday is 3 March",
        "<@7> works at Siemens",
    ],
    "I like pizza and hate olives, my birthday is 3 March, and I work at Siemens": [
        "I like pizza",
        "I hate olives",
        "my birthday is 3 March",
        "I work at Siemens",
    ],
    "<@7> likes tea. He hates olives.": ["<@7> likes tea", "<@7> hates olives"],
    "<@7> likes tea and <@8> likes coffee": ["<@7> likes tea", "<@8> likes coffee"],
    "<@7> is from Leeds but moved to York": ["<@7> is from Leeds", "<@7> moved to York"],
    "<@7> mag Pizza und hasst Oliven, sein Geburtstag ist am 3. März, arbeitet bei Siemens": [
        "<@7> mag Pizza",
        "<@7> hasst Oliven",
        "<@7>: sein Geburtstag ist am 3. März",
        "<@7> arbeitet bei Siemens",
    ],
    "<@7> Pizza mag und Oliven hasst": ["<@7> Pizza mag", "<@7> Oliven hasst"],
    "ich keinen Fisch esse und Tee mag": ["ich keinen Fisch esse", "ich Tee mag"],
    "<@7> eats no meat and drinks oat milk": ["<@7> eats no meat", "<@7> drinks oat milk"],
    "ich mag Pizza und hasse Oliven": ["ich mag Pizza", "ich hasse Oliven"],
    "j'aime la pizza et déteste les olives, mon anniversaire est le 3 mars": [
        "j'aime la pizza",
        "je déteste les olives",
        "mon anniversaire est le 3 mars",
    ],
    "<@7> vive en Madrid y odia las aceitunas, su cumpleaños es el 3 de mayo": [
        "<@7> vive en Madrid",
        "<@7> odia las aceitunas",
        "<@7>: su cumpleaños es el 3 de mayo",
    ],
    "soy celiaca y vivo en Madrid": ["soy celiaca", "vivo en Madrid"],
    "<@7> любит пиццу и ненавидит оливки, его день рождения 3 марта": [
        "<@7> любит пиццу",
        "<@7> ненавидит оливки",
        "<@7>: его день рождения 3 марта",
    ],
    "- <@7> likes tea\n- <@8> hates olives\n- wifi is GuestNet": [
        "<@7> likes tea",
        "<@8> hates olives",
        "wifi is GuestNet",
    ],
    "<@7> brings the grill\n- the key is under the mat\n- I cook": [
        "<@7> brings the grill",
        "the key is under the mat",
        "I cook",
    ],
    "<@7>:\n* likes tea\n* birthday 3 May": ["<@7> likes tea", "<@7>: birthday 3 May"],
    "for the party:\n1. Jonas brings the grill\n2. drinks are in the cellar": [
        "for the party: Jonas brings the grill",
        "for the party: drinks are in the cellar",
    ],
}

WHOLE = [
    "<@7> likes tea",
    "<@7> likes <@8> and <@9>",
    "<@7> and <@8> live in Leeds and love cats",
    "<@7> likes walks and hikes",
    "<@7> likes books and plays by Shakespeare",
    "<@7> is tall, dark and handsome",
    "<@7> never eats meat and drinks alcohol",
    "<@7> isst nie Fleisch und trinkt Alkohol",
    "<@7> не ест мясо и пьёт молоко",
    "<@7>'s cat is black and likes fish",
    "When <@7> is tired, he drinks coffee",
    "<@7> works at Siemens because he likes trains and hates cars",
    "<@7> says he likes tea and hates olives",
    "I want to move to Leeds and have a dog",
    "I can cook and bake cakes",
    "I like my job and work is fun",
    "my sister lives in Leeds and works at Siemens",
    'my motto is "I like tea and hate olives"',
    "wifi at the clubhouse is GuestNet, password is on the fridge",
    "the server is down and Jonas is angry",
    "- only one line of a list",
    "remember this",
    "",
    "こんにちは、世界",
]


@pytest.mark.parametrize("told", SEVERAL)
def test_several_things_told_at_once_are_told_apart(told: str) -> None:
    assert parts_of_fact(told) == SEVERAL[told]


@pytest.mark.parametrize("told", WHOLE)
def test_in_doubt_a_telling_stays_whole(told: str) -> None:
    assert parts_of_fact(told) == [told]


@pytest.mark.parametrize("told", [told for told in SEVERAL if "\n" not in told and told.startswith("<@")])
def test_a_part_says_one_thing(told: str) -> None:
    for part in SEVERAL[told]:
        assert parts_of_fact(part) == [part]


def test_what_seems_to_say_too_much_stays_whole() -> None:
    many = "\n".join(f"- thing {number}" for number in range(MOST + 1))
    assert parts_of_fact(many) == [many]


def test_a_statement_is_no_topic() -> None:
    assert is_statement("<@7> likes tea")
    assert is_statement("<@7> wohnt in Köln")
    assert not is_statement("<@7>'s tea")
    assert not is_statement("<@7> birthday")
    assert not is_statement("the wifi is slow")
