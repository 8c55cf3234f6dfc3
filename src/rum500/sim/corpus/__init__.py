"""A corpus: many deals of mixed bots with all moves, as a folder of Parquet files with a data card.

>>> from tempfile import TemporaryDirectory
>>> from rum500.sim.corpus import make_corpus
>>> with TemporaryDirectory() as folder:
...     corpus = make_corpus("500-rum", folder, deals=20)
...     corpus.to_arrow("deals", "test").num_rows, corpus.check()
(2, 20)
"""

from rum500.sim.corpus.corpus import SPLITS, TABLES, Corpus, CorpusError, open_corpus
from rum500.sim.corpus.corpus_plan import MIX, CorpusJob, CorpusPlan
from rum500.sim.corpus.make_corpus import make_corpus

__all__ = [
    "MIX",
    "SPLITS",
    "TABLES",
    "Corpus",
    "CorpusError",
    "CorpusJob",
    "CorpusPlan",
    "make_corpus",
    "open_corpus",
]
