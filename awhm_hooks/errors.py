"""What can go wrong, and the exit code that the command line gives it."""

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_BUG = 3


class AwhmError(Exception):
    """Something that a person can mend: the message names the file, the value and the way out."""

    exit_code = EXIT_FAILURE


class UsageError(AwhmError):
    """The command was called with something that it cannot mean."""

    exit_code = EXIT_USAGE


class StoreCorrupt(AwhmError):
    """A file of the store cannot be read as what it should be."""


class SchemaTooNew(AwhmError):
    """The store was written by a newer version: it is refused, never guessed at."""


class SettingsRefused(AwhmError):
    """A settings file that is not understood is left as it is."""


class LockTimeout(AwhmError):
    """Another process held a lock for longer than we may wait."""
