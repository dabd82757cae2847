"""Settings checked where they are made: choices by name, numbers within bounds.

`keywords` does so for the options of a function that people call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
# How functions are called, where the names of their arguments do not say it.
_CALLS = {
    "breakdown": 'breakdown(gold, parsed, by="tag")',
    "compare": 'compare(gold, {"A": parsed_a, "B": parsed_b})',
    "compare_repairs": 'compare_repairs(gold, {"A": parsed_a, "B": parsed_b})',
    "compare_runs": 'compare_runs(gold, {"A": [run_1, run_2], "B": [run_1, run_2]})',
    "convert": 'convert(trees, to="dis")',
    "derive": "derive(gold, parsed, sentence=3)",
    "domains": 'domains({"news": (gold, parsed), "web": (gold, parsed)})',
    "generalise": 'generalise({"train": (gold, parsed), "test": (gold, parsed)})',
    "repairs_by_domain": 'repairs_by_domain([("news", gold, parsed)])',
    "report": 'report({"news": (gold, parsed)}, "page.html")',
    "show": "show(gold, parsed, sentence=3)",
    "similarity": 'similarity({"A": trees_a, "B": trees_b})',
    "write_comparison": 'write_comparison(gold, {"A": parsed_a}, "page.html")',
}


def keywords(
    names: Iterable[str] = (), options: Callable[..., Any] | None = None, **others: Any
) -> Callable[[Function], Function]:
    """A function whose keywords are spelt out in its signature, and checked.

    `names` are those that its `**options` may have, with the defaults of `options`, the
    function or class that they are passed on to, or with `others`. A keyword that there
    is not is a SettingsError that says which was probably meant; one that had another
    name before still works, with a DeprecationWarning. Arguments that are missing, or
    too many, are a SettingsError that says what to write.

    >>> @keywords()
    ... def cut(text, *, start=0): return text[start:]
    >>> cut("spines", strat=2)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: cut has no option 'strat'; did you mean 'start'?
    """

    defaults = inspect.signature(options).parameters if options else {}

    def decorate(function: Function) -> Function:
        own = inspect.signature(function)
        listed = [
            parameter
            for parameter in own.parameters.values()
            if parameter.kind != parameter.VAR_KEYWORD
        ]
        for name in names:
            default = others.get(name, getattr(defaults.get(name), "default", None))
            kind = inspect.Parameter.KEYWORD_ONLY
            listed.append(inspect.Parameter(name, kind, default=default))
        known = {parameter.name for parameter in listed}
        plain = own.replace(parameters=[_as_written(parameter) for parameter in listed])
        title, rename = function.__qualname__.removesuffix(".__init__"), _renamed
        require = _require_arguments

        def checked(*args: Any, **given: Any) -> Any:
            named = rename(given, known, title)
            require(plain, args, named, title)
            return function(*args, **named)

        # Made in the module of the function: else doctest would not run its examples.
        made = FunctionType(
            checked.__code__, function.__globals__, closure=checked.__closure__
        )
        update_wrapper(made, function)
        vars(made)["__signature__"] = plain
        return cast(Function, made)

    return decorate


def _as_written(parameter: inspect.Parameter) -> inspect.Parameter:
    """A parameter as help shows it: its long type stands in the stub only."""
    default = parameter.default
    if isinstance(default, StrEnum):
        default = default.value
    return parameter.replace(annotation=inspect.Parameter.empty, default=default)


def misuse(function: str, problem: str, needed: Iterable[str] = ()) -> SettingsError:
    """What is wrong with the arguments of a function, and how it is called.

    >>> print(misuse("agree", "too many positional arguments", ["a", "b"]))
    agree: too many positional arguments; write agree(a, b), and options by their names
    """
    call = _CALLS.get(function, f"{function}({', '.join(needed)})")
    return SettingsError("E589 write", function=function, problem=problem, call=call)


def named_systems(systems: object, function: str) -> list[tuple[str, Any]]:
    """The systems and their names; SettingsError unless there are two or more.

    >>> named_systems({"A": "a.mrg", "B": "b.mrg"}, "compare")
    [('A', 'a.mrg'), ('B', 'b.mrg')]
    """
    items: Any = systems.items() if isinstance(systems, Mapping) else systems
    is_several = isinstance(items, Iterable) and not isinstance(items, str)
    given: list[Any] = list(items) if is_several else [systems]
    for item in given:
        is_pair = isinstance(item, Sequence) and not isinstance(item, str)
        if not (is_pair and len(item) == 2 and isinstance(item[0], str)):
            raise misuse(function, f"{item!r} has no name")
    if len(given) < 2:
        raise SettingsError("E804 expected two or more systems, found one")
    return given


def _require_arguments(
    signature: inspect.Signature,
    args: tuple[Any, ...],
    given: Mapping[str, Any],
    function: str,
) -> None:
    """SettingsError that says how a function is called, if it cannot be called so."""
    try:
        bound = signature.bind(*args, **given)
    except TypeError as error:
        problem = str(error)
    else:
        if isinstance(bound.arguments.get("parsed"), int):
            problem = "a number where trees are expected"
        elif not isinstance(bound.arguments.get("construction"), str | None):
            problem = "construction= takes the name of one construction"
        else:
            return
    needed = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.default is parameter.empty
        and parameter.name != "self"
        and parameter.kind is not parameter.VAR_POSITIONAL
    ]
    raise misuse(function, problem, needed)


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
    if isinstance(value, str) or not value >= least:
        raise SettingsError("E541 or more, not", name=name, least=least, value=value)


def require_share(name: str, value: float | None) -> None:
    """SettingsError unless a number is from 0 to 1, or there is none.

    >>> require_share("min_confidence", 50)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: min_confidence must be from 0 to 1, not 50
    """
    if value is not None and (isinstance(value, str) or not 0 <= value <= 1):
        raise SettingsError("E549 must be from 0 to 1, not", name=name, value=value)


def require_percent(name: str, value: float | None) -> None:
    """SettingsError unless a number is from 0 to 100, or there is none.

    >>> require_percent("max_left_out", 101)
    Traceback (most recent call last):
    analyzer.exceptions.SettingsError: max_left_out must be from 0 to 100, not 101
    """
    if value is not None and not 0 <= value <= 100:
        raise SettingsError("E548 must be from 0 to 100, not", name=name, value=value)
