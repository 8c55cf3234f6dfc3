"""The live table loads little: it runs where only msgspec and structlog are installed."""

from __future__ import annotations

import subprocess
import sys


def test_the_live_table_loads_no_third_party_package_but_msgspec_and_structlog() -> None:
    """Packages that these two load where they are installed are allowed."""
    source = """if True:
        import sys
        def outside():
            files = {name.partition(".")[0]: module.__file__ for name, module in sys.modules.items()
                     if getattr(module, "__file__", None)}
            return {name for name, file in files.items() if "site-packages" in file}
        import msgspec, msgspec.inspect, structlog
        allowed = outside() | {"msgspec", "rum500"}
        import rum500.server.live.table_registry
        print(*sorted(outside() - allowed))
    """
    ran = subprocess.run([sys.executable, "-c", source], check=True, capture_output=True, text=True)
    assert ran.stdout.split() == []
