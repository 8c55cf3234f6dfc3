"""The compiled core: one deal as C arrays and 64-bit actions (`core`), and playouts on it (`playouts`).

Cython compiles both modules; the same files also run interpreted.
"""
