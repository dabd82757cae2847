"""The public names are those of analyzer."""

from analyzer import *  # noqa: F403 -- the stub of analyzer is the list
from analyzer import __version__ as __version__
