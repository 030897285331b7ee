"""Which shards a bot process is to have, from the command line."""

import pytest

import main


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--shards", "0-8", "--of", "8"], "0-8 is not among 0-7"),
        (["--shards", "0-3"], "--shards and --of belong together"),
        (["--of", "8"], "--shards and --of belong together"),
        (["--shards", "low", "--of", "8"], "a list such as 0-3 or 0,2,5 is expected"),
    ],
)
def test_what_makes_no_sense_is_one_line(given: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["bot", *given]) == 2
    assert told in capsys.readouterr().err
