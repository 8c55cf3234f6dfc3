"""Studies: combinations of profiles, options, players, dealers and bots, compared on the same shuffles.

>>> from rum500.sim import study
>>> text = '''
... deals = 50
... [vary]
... house_rules = ["none", "H2"]
... [show]
... measures = ["points", "out"]
... compare = "house_rules"
... '''
>>> done = study.study(study.Study.from_text(text))
>>> [sorted(cell.differences) for cell in done.cells]
[[], ['out', 'points']]
"""

from rum500.sim.study.cell_plan import CellJob, CellPlan
from rum500.sim.study.measures import MEASURES, CellDifference, CellFigure, Measure
from rum500.sim.study.run_study import COMMAND, CellResult, CellTally, StudyResult, merge_files, study
from rum500.sim.study.study_definition import KEYS, Cell, SkippedCell, Study, StudyError, cell_name, cells
from rum500.sim.study.study_outputs import PAGE, check_folder, texts, write
from rum500.sim.study.study_tables import StudyTable, charts, difference_table, figure_table

__all__ = [
    "COMMAND",
    "KEYS",
    "MEASURES",
    "PAGE",
    "Cell",
    "CellDifference",
    "CellFigure",
    "CellJob",
    "CellPlan",
    "CellResult",
    "CellTally",
    "Measure",
    "SkippedCell",
    "Study",
    "StudyError",
    "StudyResult",
    "StudyTable",
    "cell_name",
    "cells",
    "charts",
    "check_folder",
    "difference_table",
    "figure_table",
    "merge_files",
    "study",
    "texts",
    "write",
]
