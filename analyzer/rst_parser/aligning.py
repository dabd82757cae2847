"""EDUs laid over tokens that were read from another file."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.exceptions import PairingError, Place
from analyzer.rst_parser.tokens import TokenText

_SHOWN = 30  # characters of a text in a message


def with_edus(text: TokenText, edus: Sequence[str], source: str) -> TokenText:
    """The tokens, with the EDUs of a tree of the same text; white space aside.

    PairingError, with the EDU, where the texts differ or an EDU begins within a token.
    """
    starts: list[int] = []
    at = 0
    left = ""  # of the token at hand
    for number, edu in enumerate(edus, start=1):
        wanted = "".join(edu.split())
        if left:
            raise _differ(text, source, number, wanted, left)
        starts.append(at)
        while wanted:
            if not left:
                if at == len(text):
                    raise _differ(text, source, number, wanted, "")
                left = "".join(text.forms[at].split())
                at += 1
            size = min(len(left), len(wanted))
            if left[:size] != wanted[:size]:
                raise _differ(text, source, number, wanted, left)
            left, wanted = left[size:], wanted[size:]
    if at < len(text) or left:
        rest = left or text.forms[at]
        raise _differ(text, source, len(edus), "", rest)
    return text.with_edus(starts)


def _differ(
    text: TokenText, source: str, number: int, edu: str, token: str
) -> PairingError:
    return PairingError(
        "EDU {number} of {name} does not match its tokens: the EDU continues with "
        "{edu!r}, the tokens with {token!r}",
        Place(source),
        code="E430",
        number=number,
        name=text.name,
        edu=edu[:_SHOWN],
        token=token[:_SHOWN],
    )
