from rum500.rules.engine.core cimport PHASE_OVER, PHASE_USE, Core, Moves
