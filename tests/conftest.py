"""Small products of matrices stay on one thread, as in the program: several test runners share the cores."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
