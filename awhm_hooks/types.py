"""Enumerations of the Python API."""

from enum import StrEnum

from awhm_hooks.journal import raw_log


class Role(StrEnum):
    """Who said a message."""

    USER = raw_log.USER
    ASSISTANT = raw_log.ASSISTANT
