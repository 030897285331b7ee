"""A health report as text for people."""

from datetime import datetime

from memory.core.log_values import GuildLog
from memory.health import HealthReport, PartHealth, PartState

_LAMP = {PartState.ACTIVE: "🟢", PartState.INITIALIZING: "🟡", PartState.FAILING: "🔴"}


def describe(report: HealthReport, manages: int | None, *, with_counts: bool) -> str:
    """`manages` is the guild that its reader manages. They see each part, and what is wrong in that guild alone: other
    issues name channels of other guilds, and machines, and are for whoever runs us.

    Counts, and when a part last had work, tell of other guilds too, so nobody is shown them where there are more. To
    those who manage nothing even since when a part works would tell that something was asked or kept somewhere.
    """
    lines = [f"{_LAMP[report.state]} **Innkeeper is {report.state.value}**"]
    for process in report.processes:
        lines.append(f"\n{_LAMP[process.state]} **{process.process}**, running since {_moment(process.started_at)}")
        for part in process.parts if manages is not None else ():
            lines.append(_part_line(part, with_counts=with_counts))
            lines += [f"  ↳ {issue}" for guild_id, issue in part.guild_issues.items() if guild_id == manages]
    parts = [part for process in report.processes for part in process.parts]
    if manages is not None and any(len(part.issues) > len(part.guild_issues) for part in parts):
        lines.append("\nWhat is wrong stands in the log of whoever runs me.")
    return "\n".join(lines)


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
