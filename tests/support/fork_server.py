"""Runs `spinal` again and again, each time in a process of its own that is cheap.

A process that has imported everything forks for every command: the memory that a
command takes is then exactly what the kernel says of that child. Requests and answers
are lines of JSON on standard input and output.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module

from analyzer.cli.main import main
from tests.support.cost import calls
from tests.support.data_paths import ROOT

SECONDS_UNTIL_KILLED = 900  # by a clock: a busy machine is slow
_USED_LATER = (
    "analyzer.formats.rst.dis",
    "reports.tables.kernels",
    "reports.render",
)


def _child(
    report: int,
    arguments: Sequence[str],
    out: str,
    err: str,
    largest_file: int | None,
    count_calls: bool,
) -> None:
    """Be `spinal` with these arguments; never comes back.

    The number of its calls goes to the file descriptor `report`.
    """
    signal.alarm(SECONDS_UNTIL_KILLED)
    if largest_file is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(out, flags), 1)
    os.dup2(os.open(err, flags), 2)
    # As if just started: what the parent had buffered is not to be written twice.
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    code = 1
    try:
        if count_calls:
            codes: list[int] = []
            number = calls(lambda: codes.append(main(arguments)))
            os.write(report, str(number).encode())
            (code,) = codes
        else:
            code = main(arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _serve() -> None:
    for name in _USED_LATER:
        import_module(name)
    for path in (ROOT / "analyzer/cli").glob("*.py"):
        import_module(f"analyzer.cli.{path.stem}")
    for line in sys.stdin:
        request = json.loads(line)
        calls_read, calls_written = os.pipe()
        child = os.fork()
        if not child:
            _child(calls_written, **request)
        os.close(calls_written)
        with open(calls_read) as reported:
            number = int(reported.read() or 0)
        _, status, usage = os.wait4(child, 0)
        answer = {
            "code": os.waitstatus_to_exitcode(status),
            "megabytes": usage.ru_maxrss / 1024,
            "calls": number,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve()
