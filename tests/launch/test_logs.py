"""Log lines: one a record, with their request id, without content of foreign errors and without secrets."""

import json
import logging
import subprocess
import sys
import textwrap

from launch.logs import LineFormatter


class WhisperError(Exception):
    """A foreign exception whose text quotes what somebody wrote."""


WhisperError.__module__ = "somewhere.else"


def _record(message: str, **extra: object) -> logging.LogRecord:
    record = logging.makeLogRecord({"name": "bot.answering.answer", "levelname": "INFO", "msg": message})
    vars(record).update(extra)
    return record


def test_a_record_is_one_line_with_its_request_id_and_fields_as_text_and_as_json() -> None:
    record = _record("answered\ntwice", request_id="ab12", guild=7)
    line = LineFormatter(as_json=False).format(record)
    assert line.endswith("bot.answering.answer: answered\\ntwice request=ab12 guild=7")
    entry = json.loads(LineFormatter(as_json=True).format(record))
    assert (entry["message"], entry["request"], entry["guild"]) == ("answered\ntwice", "ab12", 7)


def test_secrets_and_tokens_in_addresses_are_blotted_out() -> None:
    formatter = LineFormatter(as_json=False, secrets=("s3cr3t",))
    line = formatter.format(
        _record("POST https://host/api/v10/interactions/12345/aW50ZXJhY3Rpb24/callback with s3cr3t failed")
    )
    assert "s3cr3t" not in line
    assert "aW50ZXJhY3Rpb24" not in line
    assert "/interactions/12345/***/callback" in line


def test_the_text_of_a_foreign_exception_is_left_out_but_its_frames_are_not() -> None:
    def raise_it() -> None:
        raise WhisperError("the words of a member")

    try:
        raise_it()
    except WhisperError:
        record = _record("failed")
        record.exc_info = sys.exc_info()
    line = LineFormatter(as_json=False).format(record)
    assert "the words of a member" not in line
    assert "WhisperError" in line
    assert "raise_it" in line


LOSING = """
    import asyncio, gc, logging
    from launch import logs
    from launch.settings import LogOptions
    from launch.supervise import until_stopped

    async def fail():
        int("the words of a member")

    async def main():
        logs.configure(LogOptions(format="json"))
        async with until_stopped():
            asyncio.get_running_loop().call_soon(int, "the words of a member")
            task = asyncio.create_task(fail(), name="lost")
            await asyncio.wait([task])
            del task
            gc.collect()
            pages = logging.getLogger("nicegui")
            pages.warning("http://inn.example/panel/enter/%s/ not found", "the words of a member")
            pages.exception(ValueError("the words of a member"))

    asyncio.run(main())
"""


def test_errors_that_nobody_waits_for_are_logged_without_what_they_quote() -> None:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(LOSING)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the words of a member" not in done.stderr
    *entries, nowhere, wrong = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(entry["task"], entry["error"].split()[0]) for entry in entries] == [
        (None, "ValueError"),
        ("lost", "ValueError"),
    ]
    assert ("enter" in nowhere["message"], wrong["error"].split()[0]) == (False, "ValueError")
    assert "fail" in entries[1]["error"]
