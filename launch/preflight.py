"""What has to be in order before a process of ours starts, and would fail again and again if it were not."""

from tempfile import TemporaryFile

from launch.settings import Settings
from launch.stop import CannotStartError
from local_guild.port import PortTakenError, bind


def check_files(settings: Settings) -> None:
    """Raises `CannotStartError` where DATA_DIR cannot be written to, or LOCAL_GUILD_WORLD describes no world."""
    folder, described = settings.memory.data_dir.expanduser(), settings.local_guild.world
    if settings.is_local or settings.memory.database_url is None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                pass
        except OSError as error:
            reason = "it is a file" if isinstance(error, FileExistsError) else error.strerror
            raise CannotStartError(
                f"DATA_DIR: {folder} cannot be written to ({reason}); choose another folder, or make this one "
                "writable for whoever starts Innkeeper."
            ) from error
    if settings.is_local and described is not None:
        from local_guild.state.describe import WorldFileError, read_world
        from local_guild.state.ids import Clock

        try:
            read_world(described, Clock())
        except WorldFileError as error:
            raise CannotStartError(f"LOCAL_GUILD_WORLD: {error}") from error


def check_port(settings: Settings) -> None:
    """Raises `CannotStartError` where somebody else has it, such as another Innkeeper."""
    try:
        bind(settings.web.host, settings.web.port).close()
    except PortTakenError as error:
        raise CannotStartError(str(error)) from error
