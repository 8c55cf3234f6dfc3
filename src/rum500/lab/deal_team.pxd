cimport cython
from cpython.pythread cimport (
    NOWAIT_LOCK,
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
)
from rum500.lab.deal_array cimport CHECK, END, DealStepper

@cython.final
cdef class TeamMember:
    cdef DealStepper stepper
    cdef PyThread_type_lock given, done
    cdef int task, tries
    cdef void acquire(self, PyThread_type_lock lock) noexcept nogil

@cython.final
cdef class DealTeam:
    cdef list steppers, members
    cdef readonly bint stopped
    cdef long process
