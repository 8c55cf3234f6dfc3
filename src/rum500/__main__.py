"""The `rum500` command, also as `python -m rum500`."""

import sys

from rum500._large_pages import use_large_pages


def main() -> int:
    """Run the command line and return its exit code, for a server with large pages where there are any."""
    if sys.argv[1:2] == ["serve"]:
        use_large_pages()  # before the modules are loaded, which a second process would load again
    from rum500 import cli  # noqa: PLC0415 - see above

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
