"""A health report as text for people."""

import re
from datetime import datetime

from memory.core.log import GuildLog
from memory.health import HealthReport, PartHealth, PartState

_LAMP = {PartState.ACTIVE: "🟢", PartState.INITIALIZING: "🟡", PartState.FAILING: "🔴"}


_SERVER = re.compile(r"\bserver (\d+)")


def describe(report: HealthReport, *, with_issues: bool, with_counts: bool, here: int | None = None) -> str:
    """Issues name channels and machines; they are for those who manage the server. What concerns a server other than
    the one `here` is not told any closer.

    So are counts, and when a part last had work: watched for a while, they tell that something was said or kept in a
    channel that the watcher cannot see. They count all servers together, so nobody is shown them where there are more.
    """
    lines = [f"{_LAMP[report.state]} **Innkeeper is {report.state.value}**"]
    for process in report.processes:
        lines.append(f"\n**{process.process}**, running since {_moment(process.started_at)}")
        if with_issues:
            lines += [f"  ↳ {issue}" for issue in process.issues]
        for part in process.parts:
            lines.append(_part_line(part, with_counts=with_counts))
            if with_issues:
                lines += dict.fromkeys(f"  ↳ {_issue(issue, here)}" for issue in part.issues)
    return "\n".join(lines)


def _issue(issue: str, here: int | None) -> str:
    named = _SERVER.search(issue)
    return issue if named is None or int(named[1]) == here else "Another server has a problem of its own."


def describe_log(log: GuildLog) -> str:
    return (
        f"**This server**: {log.messages:,} messages kept, "
        f"{log.channels_read_back} of {log.channels} channels read back as far as was asked for."
    )


def _part_line(part: PartHealth, *, with_counts: bool) -> str:
    line = f"{_LAMP[part.state]} {part.name}: {part.state.value} since {_moment(part.since)}"
    if not with_counts:
        return line
    said = [line]
    said += [f"{name.replace('_', ' ')} {count:,}" for name, count in part.counts.items()]
    if part.updated_at is not None:
        said.append(f"last work {_moment(part.updated_at)}")
    return ", ".join(said)


def _moment(at: datetime) -> str:
    """Discord shows it in the reader's own time zone, as “5 minutes ago”."""
    return f"<t:{int(at.timestamp())}:R>"
