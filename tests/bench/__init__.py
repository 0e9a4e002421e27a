"""What the companion costs, measured on one thread: BLAS asks for its number before numpy is there."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
