# `make demo` and `make test` set up everything by themselves: Python 3.11 or newer is all they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000

.PHONY: demo test thorough lint bench clean

$(VENV)/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Companion needs Python 3.11 or newer; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { echo "No venv module here. On Debian and Raspberry Pi OS: sudo apt install python3-venv"; exit 2; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/ready
	$(BIN)/companion demo $(GAME) --port $(PORT)

# glibc gives large arrays back to the system one by one and asks for them again: a tenth of the time of tests with
# photos; and the runners' OpenCV threads get into each other's way. A third runner works while browsers wait.
test thorough: export MALLOC_MMAP_THRESHOLD_ = 1073741824
test thorough: export MALLOC_TRIM_THRESHOLD_ = 1073741824
test thorough: export OPENCV_FOR_THREADS_NUM = 1
# what is compiled is kept, wherever a shell says otherwise: tests start the program again and again
test thorough: export PYTHONDONTWRITEBYTECODE =
test: lint
	$(BIN)/pytest -n 3 --dist loadgroup -m "not thorough"

# more photos, faces and whole evenings of what `make test` shows with a few
thorough: $(VENV)/ready
	$(BIN)/pytest -n 3 --dist loadgroup -m thorough

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/ready
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache out
