"""`python -m rum500` is the `rum500` command."""

import sys

from rum500.cli import main

sys.exit(main())
