"""Eyes: what lies where on a photo of a table."""

import os

# the matrices here are small: BLAS threads cost more than they bring, and a Pi has other work for its cores
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
