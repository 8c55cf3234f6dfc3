"""A contract of import-linter: a module whose name begins with _ may only be imported in its own folder."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output


class PrivateModules(Contract):
    """Only siblings and the package may import a private module; all may import those of the root."""

    type_name = "private_modules"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find the imports of private modules from outside their folders."""
        found = []
        for module in sorted(graph.modules):
            folder, private, _ = module.partition("._")
            if private and "." in folder and not graph.is_module_squashed(module):
                importers = sorted(graph.find_modules_that_directly_import(module))
                outside = [name for name in importers if folder not in (name, name.rpartition(".")[0])]
                found += [f"{name} -> {module}" for name in outside]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports, one a line."""
        for line in check.metadata["found"]:
            output.print_error(line)
