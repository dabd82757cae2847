"""The compiled kernel, where there is one: inner loops in C, called through ctypes.

`hatch_build.py` compiles the C files beside this one when spinal is installed and a C
compiler is there; without one, or with SPINAL_KERNEL=numpy in the environment, NumPy
does the same work. Functions here take and give arrays and know nothing else; whoever
calls them has the NumPy twin beside the call.

The modules, each beside the C file of its name:

    library    the library, if it can be used; structures that both sides know
    texts      the nodes of a text, the lines at fault
    words      the words that are compared
    brackets   the brackets that count, those that cross
    spines     families, heads, spines, attachments
    joins      rows that have equal keys
    resamples  sentences that are drawn, or chosen
    contexts   contexts of choices by number, what was chosen in them
"""
