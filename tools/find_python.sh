#!/usr/bin/env bash
# Print the path of the Python that .venv is to be created with; nothing if there is none.
#
# It is the first on the path that is new enough, can create environments, has the headers that compiling the engine
# takes, and was built with its optimizations. Without them, as pyenv builds it, an interpreter takes a third more time
# for a move at a table. The first of these counts most.
set -u
export PYTHONDONTWRITEBYTECODE=1

# Prints how much of this an interpreter has, and its own path.
probe='
import sys
if sys.version_info < (3, 11):
    sys.exit(1)
import importlib.util, os, sysconfig
environments = importlib.util.find_spec("ensurepip") is not None
headers = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
# Distributions optimize their builds, but the CONFIG_ARGS of Debian describe another build.
optimized = sys.base_prefix == "/usr" or "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
print(4 * environments + 2 * headers + optimized, os.path.realpath(sys.executable))
'

best="" most=-1
for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    while IFS= read -r candidate; do
        read -r has path <<<"$("$candidate" -c "$probe" 2>/dev/null)"
        [[ -n $has ]] && ((has > most)) && best=$path most=$has
    done < <(type -ap "$name")
done
[[ -z $best ]] || echo "$best"
