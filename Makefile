# belvedere: `make help` says what there is. Needs Python 3.11+ and Java 17+, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ONLY ?=
NIGHTS ?= 300
SEED ?= 1
# two processes, a file of tests to each in turn: servers and Spark are started once in each; in the
# order of tests/conftest.py
IN_PARALLEL := --numprocesses 2 --dist loadfile --no-loadscope-reorder
# more processes than two cores: these tests wait for clocks and children, and share no server
WITHOUT_SERVERS := --numprocesses 2 --dist worksteal
# the code travels as belvedere.zip, and Spark is the cluster's own: 450 MB less for each executor
NOT_PACKED := belvedere pyspark py4j

# of what `make bundle` packs; the parser of PostgreSQL is under the GPL
EXTRAS ?= connect,glue,kerberos,mcp,postgresql-server

.DEFAULT_GOAL := help
# the tests start hundreds of processes: each would compile all code anew where this is set
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help demo test test-fast fix mutants lint golden test-live bench scale soak dist bundle site docs screenshots clean

help: ## what there is
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.installed ## the main job, end to end, on an embedded estate
	$(BIN)/belvedere demo

test: lint $(VENV)/java-classes.jsa ## static checks and the tests
	$(BIN)/pytest $(IN_PARALLEL)

test-fast: $(VENV)/.installed ## the tests that need no server, no Spark and no seconds of their own
	$(BIN)/pytest $(WITHOUT_SERVERS) -m "not spark and not live and not slow" tests/unit tests/golden tests/docs

fix: $(VENV)/.installed ## format, and mend what can be mended without a thought
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

mutants: $(VENV)/.installed ## which faults the tests notice in the files that decide; ONLY=path for one
	$(BIN)/python -m tests.mutants $(ONLY)

golden: $(VENV)/.installed ## the golden files' entries anew, where this machine can, and the error rates
	$(BIN)/python -m tests.golden.recipes
	$(BIN)/python -m tests.judged_estate
	$(BIN)/python -m tests.docs.generate

lint: $(VENV)/.installed ## format, style, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-live: $(VENV)/.installed dist ## the tests that need engines which are heavy to fetch, or a cluster
	$(BIN)/pytest tests/live

bench: $(VENV)/.installed ## the benches as JSON lines; ONLY=name for one
	$(BIN)/python -m tests.benchmarks $(ONLY)

scale: $(VENV)/.installed ## cost per object and memory as an estate grows, as JSON lines; N="200000 1000000"
	$(BIN)/python -m tests.benchmarks.scaling $(N)

soak: $(VENV)/.installed ## nights in a row with changes, kills and faults, as JSON lines; NIGHTS=20 SEED=7
	$(BIN)/python -m tests.soak $(NIGHTS) $(SEED)

dist: $(VENV)/.installed ## the wheel, the zip for --py-files and the environment archive for clusters
	rm -rf dist
	$(BIN)/python -m build --wheel --outdir dist .
	cp dist/belvedere-*.whl dist/belvedere.zip
	$(BIN)/python -m venv --without-pip dist/environment
	$(BIN)/pip --quiet --python dist/environment install --constraint constraints.txt "$$(echo dist/belvedere-*.whl)[glue,kerberos]"
	$(BIN)/pip --quiet --python dist/environment uninstall --yes $(NOT_PACKED)
	$(BIN)/venv-pack --quiet --prefix dist/environment --output dist/environment.tar.gz --force
	rm -rf dist/environment

bundle: $(VENV)/.installed ## dist/offline.tar: wheels and jars to install and judge without a network
	rm -rf dist/offline
	$(BIN)/python -m build --wheel --outdir dist/offline .
	$(BIN)/pip wheel --quiet --constraint constraints.txt --wheel-dir dist/offline/wheels \
	   "$$(echo dist/offline/belvedere-*.whl)[$(EXTRAS)]"
	$(BIN)/belvedere jars --out dist/offline/jars
	rm dist/offline/belvedere-*.whl
	tar --create --file dist/offline.tar --directory dist offline
	rm -rf dist/offline

site: $(VENV)/.installed ## the docs as a site in site/, with search; nothing is fetched
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

docs: $(VENV)/.installed ## write the pages that are derived from the code
	$(BIN)/python -m tests.docs.generate

screenshots: $(VENV)/.installed ## the pictures of the page in docs, from the report that `make demo` left
	$(BIN)/python -m tests.docs.screenshots demo/report/belvedere.html

clean: ## remove what was installed and built
	rm -rf $(VENV) dist demo site

$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "belvedere needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) -V). Say PYTHON=python3.12"; exit 1; }
	@java -version >/dev/null 2>&1 || [ -x "$$JAVA_HOME/bin/java" ] || \
	  { echo "belvedere needs Java 17 or later; on Debian: apt-get install openjdk-17-jre-headless"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

# a Java that writes no such file makes the tests slower, not wrong
$(VENV)/java-classes.jsa: $(VENV)/.installed
	rm -f $@
	-$(BIN)/python -m tests.java_classes $@
