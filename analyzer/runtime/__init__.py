"""Where the work is done: in this process, in others, on a cluster.

The modules, in the order in which data flows through them:

    memory       what becomes of freed memory in a process of ours
    processes    processes on this machine that do tasks, and never outlive this one
    cluster      work on a cluster: the connection to a Dask scheduler, its workers
    executor     work divided among processes or a cluster
"""
