"""Records of deals and matches: readable text that can be replayed and verified.

>>> from rum500.record import DealRecorder, Record
>>> from rum500.rules.actions import Draw
>>> from rum500.rules.profiles import ruleset
>>> record = Record(ruleset("500-rum"), players=2, names=("Ann", "Bob"))
>>> recorder = DealRecorder(record, deck=record.rules.deck(2))
>>> events = recorder.apply(Draw())
>>> record.to_text().splitlines()[-3]
'1 Bob: draw'
>>> Record.from_text(record.to_text()).verify()
[]
"""

from rum500.record._fair_check import FairnessReport
from rum500.record.record import DealRecorder, Record
from rum500.record.record_data import (
    CUT,
    MOST_RECORD,
    DealRecord,
    Outcome,
    RecordedPlay,
    RecordError,
    ReplayStep,
)
from rum500.record.record_writer import RecordWriter, ResumedRecord, resume
from rum500.rules.digest import digest

__all__ = [
    "CUT",
    "MOST_RECORD",
    "DealRecord",
    "DealRecorder",
    "FairnessReport",
    "Outcome",
    "Record",
    "RecordError",
    "RecordWriter",
    "RecordedPlay",
    "ReplayStep",
    "ResumedRecord",
    "digest",
    "resume",
]
