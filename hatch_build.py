"""Compiles the kernel (analyzer/_native/*.c) when spinal is built or installed.

It is optional: without a C compiler, or with SPINAL_KERNEL=numpy in the environment,
the wheel is one of pure Python, and NumPy does the same work. By hand, in a checkout:

    python hatch_build.py
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from binascii import crc32
from pathlib import Path

SOURCES = Path("analyzer", "_native")
LIBRARY = SOURCES / ("libkernel.dll" if os.name == "nt" else "libkernel.so")
_COMPILERS = ("cc", "gcc", "clang")


def compile_kernel(sources: Path, library: Path) -> str:
    """Compile it; what came of that, as a sentence."""
    if os.environ.get("SPINAL_KERNEL") == "numpy":
        return "not compiled: SPINAL_KERNEL=numpy"
    given = shlex.split(os.environ.get("CC", ""))
    found = next(filter(shutil.which, _COMPILERS), None)
    compiler = given or ([found] if found else [])
    if not compiler:
        return "not compiled: there is no C compiler; NumPy does the same work"
    part = library.with_name(f"{library.name}.{os.getpid()}")
    checksum = 0  # as analyzer/_native/__init__.py works it out
    for source in sorted(sources.glob("*.[ch]")):
        checksum = crc32(source.read_bytes(), checksum)
    command = [
        *compiler,
        *shlex.split(os.environ.get("ARCHFLAGS", "")),  # macOS: for which processors
        *("-O3", "-std=c99", "-shared", "-fPIC", "-fvisibility=hidden"),
        f"-DSPINAL_SOURCE={checksum}u",
        *("-o", str(part), *map(str, sorted(sources.glob("*.c")))),
    ]
    try:
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            return f"not compiled, NumPy does the same work: {ran.stderr.strip()}"
        part.replace(library)
    except OSError as error:
        return f"not compiled, NumPy does the same work: {error}"
    finally:
        part.unlink(missing_ok=True)
    return f"compiled: {library}"


def platform_tag() -> str:
    """Of a wheel that any Python 3 of this platform can use."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"py3-none-{platform}"


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    pass
else:

    class KernelBuildHook(BuildHookInterface):  # type: ignore[type-arg]
        """Puts the compiled kernel into wheels, and beside the source if editable."""

        def initialize(self, version: str, build_data: dict[str, object]) -> None:
            if self.target_name != "wheel":
                return
            root = Path(self.root)
            said = compile_kernel(root / SOURCES, root / LIBRARY)
            self.app.display_info(f"kernel {said}")
            if not said.startswith("compiled"):
                (root / LIBRARY).unlink(missing_ok=True)
                return
            build_data["pure_python"] = False
            build_data["tag"] = platform_tag()
            build_data["artifacts"] = [LIBRARY.as_posix()]


if __name__ == "__main__":
    os.chdir(Path(__file__).parent)
    outcome = compile_kernel(SOURCES, LIBRARY)
    print(f"kernel {outcome}")
    sys.exit(not outcome.startswith("compiled"))
