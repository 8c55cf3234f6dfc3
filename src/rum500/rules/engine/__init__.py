"""The compiled core: one deal as C arrays and 64-bit actions, and many deals or lines played on it.

Cython compiles `core` and `playouts`; the same files also run interpreted.
"""
