"""Every setting that can move a number, as one line to paste beside it."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer import __version__


@dataclass(frozen=True)
class Signature:
    """Settings by name, in order; as text `name:value|name:value|…|spinal:version`.

    >>> given = Signature.of(scorer="evalb", labeled=True)
    >>> str(given)  # doctest: +ELLIPSIS
    'scorer:evalb|labeled:yes|spinal:...'
    >>> given.get("labeled"), given.get("seed")
    ('yes', None)
    """

    settings: tuple[tuple[str, str], ...]
    version: str = __version__

    @classmethod
    def of(cls, **settings: object) -> Signature:
        """A signature of values: truth as yes or no, several values side by side."""
        return cls(tuple((name, _shown(value)) for name, value in settings.items()))

    def get(self, name: str) -> str | None:
        """The text of a setting, None if the signature has none of that name."""
        return dict(self.settings).get(name)

    def replace(self, **settings: object) -> Signature:
        """With other values; names that are new come last.

        >>> str(Signature.of(scorer="derivation").replace(scorer="agreement", seed=1))
        ... # doctest: +ELLIPSIS
        'scorer:agreement|seed:1|spinal:...'
        """
        changed = dict(self.settings) | dict(Signature.of(**settings).settings)
        return Signature(tuple(changed.items()), self.version)

    def insert(self, before: str, **settings: object) -> Signature:
        """With more settings, that stand before the one of the given name.

        >>> str(Signature.of(scorer="agreement", params="none").insert("params", n=2))
        ... # doctest: +ELLIPSIS
        'scorer:agreement|n:2|params:none|spinal:...'
        """
        at = [name for name, _ in self.settings].index(before)
        more = Signature.of(**settings).settings
        return Signature(
            (*self.settings[:at], *more, *self.settings[at:]), self.version
        )

    def __str__(self) -> str:
        settings = (*self.settings, ("spinal", self.version))
        return "|".join(f"{name}:{value}" for name, value in settings)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list | frozenset):
        return " ".join(str(item) for item in value) or "-"
    return str(value)
