"""Settings checked where they are made: choices by name, numbers within bounds.

`keywords` does so for the options of a function that people call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import update_wrapper
from types import FunctionType
from typing import Any, ClassVar, NoReturn, TypeVar, cast

from analyzer.exceptions import SettingsError, warn
from analyzer.safe_text import did_you_mean

Function = TypeVar("Function", bound=Callable[..., Any])

# Keywords that now have the names of the commands' options; where their values changed
# as well, those that meant something.
_FORMER: Mapping[str, tuple[str, Mapping[Any, Any] | None]] = {
    "parameters": ("params", None),
    "pairing": ("pair", None),
    "delete": ("delete_label", None),
    "kinds": ("kind", None),
    "sentences": ("sentence", None),
    "metrics": ("metric", None),
    "least_gold": ("min_gold", None),
    "counts_only": ("count", None),
    "ties_broken": ("break_ties", None),
    "count_root": ("no_root", {False: True}),
    "by_offsets": ("segmentation", {True: "offsets"}),
    "by_characters": ("segmentation", {True: "offsets"}),
    "by_edu_ends": ("segmentation", {True: "edu-ends"}),
}
_SYNONYMS = {"patterns": "treebank", "treebank": "patterns"}  # of the commands, too


def keywords(
    names: Iterable[str] = (), options: Callable[..., Any] | None = None, **others: Any
) -> Callable[[Function], Function]:
    """A function whose keywords are spelt out in its signature, and checked.

    `names` are those that its `**options` may have, with the defaults of `options`, the
    function or class that they are passed on to, or with `others`. A keyword that there
    is not is a SettingsError that says which was probably meant; one that had another
    name before still works, with a DeprecationWarning.

    >>> @keywords()
    ... def cut(text, *, start=0): return text[start:]
    >>> cut("spines", strat=2)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: cut has no option 'strat'; did you mean 'start'?
    """

    defaults = inspect.signature(options).parameters if options else {}

    def decorate(function: Function) -> Function:
        own = inspect.signature(function)
        listed = [one for one in own.parameters.values() if one.kind != one.VAR_KEYWORD]
        for name in names:
            default = others.get(name, getattr(defaults.get(name), "default", None))
            kind = inspect.Parameter.KEYWORD_ONLY
            listed.append(inspect.Parameter(name, kind, default=default))
        known = {one.name for one in listed}
        title, rename = function.__qualname__.removesuffix(".__init__"), _renamed

        def checked(*args: Any, **given: Any) -> Any:
            return function(*args, **rename(given, known, title))

        # Made in the module of the function: else doctest would not run its examples.
        made = FunctionType(
            checked.__code__, function.__globals__, closure=checked.__closure__
        )
        plain = [_as_written(one) for one in listed]
        update_wrapper(made, function)
        vars(made)["__signature__"] = own.replace(parameters=plain)
        return cast(Function, made)

    return decorate


def _as_written(parameter: inspect.Parameter) -> inspect.Parameter:
    """A parameter as help shows it: its long type stands in the stub only."""
    default = parameter.default
    if isinstance(default, StrEnum):
        default = default.value
    return parameter.replace(annotation=inspect.Parameter.empty, default=default)


def _renamed(
    given: Mapping[str, Any], known: set[str], function: str
) -> Mapping[str, Any]:
    """Keywords by the names that they have now."""
    if given.keys() <= known:
        return given
    renamed: dict[str, Any] = {}
    for option, value in given.items():
        name = option
        if option not in known:
            name, values = _FORMER.get(option, (_SYNONYMS.get(option, ""), None))
            if name not in known:
                hint = did_you_mean(option, known)
                raise SettingsError(
                    "E585 has no option", function=function, option=option, hint=hint
                )
            if option in _FORMER:
                warn(DeprecationWarning(f"{option}= is now called {name}="))
            if values is not None:
                if value not in values:  # what is the default
                    continue
                value = values[value]
        if name in renamed or (name != option and name in given):
            raise SettingsError("E974 is another name of", option=option, name=name)
        renamed[name] = value
    return renamed


def several(given: Any) -> tuple[Any, ...]:
    """What a setting has that takes one value or several.

    >>> several("span"), several([3, 5])
    (('span',), (3, 5))
    """
    is_alone = isinstance(given, str) or not isinstance(given, Iterable)
    return (given,) if is_alone else tuple(given)


def is_by_offsets(segmentation: str) -> bool:
    """Whether words or EDUs may differ, and are compared by their characters."""
    require_choice("segmentation", segmentation, ("same", "offsets"))
    return segmentation == "offsets"


class Choice(StrEnum):
    """A setting that has a few values; their names will do, too.

    The error for an unknown value lists the values, and calls the setting what the
    subclass declares as `what`.
    """

    _called: ClassVar[str]

    def __init_subclass__(cls, *, what: str) -> None:
        cls._called = what

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise _no_choice(cls._called, value, cls)


def require_choice(what: str, value: str, choices: Collection[str]) -> None:
    """SettingsError unless a value is one of the choices.

    >>> require_choice("order", "odd", ("weak", "strict"))
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: no order 'odd'; there are weak, strict
    """
    if value not in choices:
        raise _no_choice(what, value, choices)


def _no_choice(what: str, value: object, choices: Iterable[str]) -> SettingsError:
    return SettingsError(
        "E540 there are", what=what, value=str(value), choices=tuple(choices)
    )


def require_number(name: str, value: float, *, least: float) -> None:
    """SettingsError unless a number is at least so much; nan is not.

    >>> require_number("limit", 0, least=0)
    >>> require_number("limit", -1, least=0)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: limit must be 0 or more, not -1
    """
    if not value >= least:
        raise SettingsError("E541 or more, not", name=name, least=least, value=value)


def require_share(name: str, value: float | None) -> None:
    """SettingsError unless a number is from 0 to 1, or there is none.

    >>> require_share("min_confidence", 50)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: min_confidence must be from 0 to 1, not 50
    """
    if value is not None and not 0 <= value <= 1:
        raise SettingsError("E549 must be from 0 to 1, not", name=name, value=value)


def require_percent(name: str, value: float | None) -> None:
    """SettingsError unless a number is from 0 to 100, or there is none.

    >>> require_percent("max_left_out", 101)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: max_left_out must be from 0 to 100, not 101
    """
    if value is not None and not 0 <= value <= 100:
        raise SettingsError("E548 must be from 0 to 100, not", name=name, value=value)
