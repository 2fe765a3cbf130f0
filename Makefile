# attnpath: `make help` lists the targets. All results go to build/, except the gateways (src/*.mex, so that
# `addpath inst src` works), the installed copies of the demos and pages (in inst), the help that doc reads
# (inst/doc.info) and the tarball.

NAME := attnpath
include release/constants.mk
TARBALL := $(NAME)-$(VERSION).tar.gz
BUILD := build

MKOCTFILE ?= mkoctfile
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SUBMAKE = $(MAKE) --no-print-directory $(if $(findstring j,$(filter-out --%,$(MAKEFLAGS))),,-j$(JOBS))
CHECKED_C := $(wildcard src/*.h src/*/*.c src/*/*.h mex/*.c mex/*.h)
FORMATTED_C := $(CHECKED_C) $(wildcard tests/c/*.c tests/c/*.h)

WARNINGS := -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_CALLS ?= 5000
FUZZ_SEED ?= 1
SECONDS ?= 60
unexport SECONDS                            # bash counts its own from what it finds there

help:
	@echo 'use'
	@echo '  make demo            the paper in its Figure 2: theory and draws, with figures in $(BUILD)/demo'
	@echo '  make demos           every demo, minutes each'
	@echo '  make figures         the figures of the paper, in $(BUILD)/figures (FIGURES="2 kernels", WORKERS=2, QUICK=1)'
	@echo '  make studies         the tables of studies/, in hours, continuing a previous run (NAMES="ways worth")'
	@echo '  make bench           times against baselines; bench-peers: other programs (PYTHON=python3 with torch, numpyro)'
	@echo '  make install         the tarball, and "pkg install" of it'
	@echo '  make all             the gateways, into src/: then "addpath inst src" in Octave'
	@echo '  make deps            installs what building, testing and drawing need (apt)'
	@echo '  make clean           removes what make wrote'
	@echo 'test: minutes on two quiet cores; JOBS=n runs n tests at once'
	@echo '  make check           1, for every edit: the C core, and the quick tests of the functions'
	@echo '  make test            5, for every commit: the C core, killed and resumed runs, the tarball installed and tested'
	@echo '  make lint            1: warnings, purity of the core, dialect and syntax, links, analysers'
	@echo '  make test-demos      2: demos and figures, after any change to them'
	@echo '  make test-long       10: statistics of long runs, after any change to a sampler'
	@echo '  make test-doc        1: the examples in the help of every function'
	@echo '  make test-export     1: doc/export_attention.py and the pages for Python, with PyTorch (0.3 to 3 GB)'
	@echo '  make test-slurm      3: a sweep as an array of tasks of a separate Slurm, killed and requeued'
	@echo '  make check-install   3: the tarball in a separate home'
	@echo '  make check-octaves   60: demo and test on bare Debian 12, 13 and sid (root, debootstrap)'
	@echo '  make sanitize        C tests and functions under AddressSanitizer; coverage: lines reached; mutate: planted edits'
	@echo '  make fuzz            wrong arguments; fuzz-guided, fuzz-files, fuzz-answers (FUZZ_CALLS, FUZZ_SEED)'
	@echo 'release'
	@echo '  make dist            $(TARBALL); manual: its HTML pages (pandoc); MANUAL=1 packs them'
	@echo '  make release         of a clean checkout: tarball and index entry; release-files: writes the constants'
	@echo '  make format          clang-format; lines: lines of code by folder'

all: deps-build
	+$(SUBMAKE) -C src all

deps:
	.ci/deps build demo

deps-build:
	@.ci/deps build

# ---- the main job ----------------------------------------------------------------------------------------------------

demo:
	@.ci/deps build demo
	+@tests/run/quietly 'building the gateways' $(SUBMAKE) -C src all
	@mkdir -p $(BUILD)/demo
	@ATTNPATH_DEMO_DIR=$(BUILD)/demo tests/run/audible tests/run/headless demos/run_demo.m markov

demos: demo
	@for demo in $(filter-out markov figures,$(patsubst experiment_%.m,%,$(notdir $(wildcard demos/*/experiment_*.m)))); do \
	    ATTNPATH_DEMO_DIR=$(BUILD)/demo tests/run/audible tests/run/headless demos/run_demo.m $$demo || exit 1; done

figures:
	@.ci/deps build demo
	+@tests/run/quietly 'building the gateways' $(SUBMAKE) -C src all
	@mkdir -p $(BUILD)/figures
	@ATTNPATH_DEMO_DIR=$(BUILD)/figures ATTNPATH_FIGURES='$(FIGURES)' ATTNPATH_WORKERS='$(WORKERS)' \
	    ATTNPATH_QUICK='$(QUICK)' tests/run/audible tests/run/headless demos/run_demo.m figures

bench: all
	+$(MAKE) --no-print-directory -C bench

bench-peers: all
	+$(MAKE) --no-print-directory -C bench peers

studies: all
	@studies/run $(BUILD)/studies $(NAMES)

# ---- tests -----------------------------------------------------------------------------------------------------------

# For every edit: the C core, and the functions on this tree, without the blocks of tests that take seconds each.
check: built
	@tests/run/ladder check

# What guards a release, statistics of long runs excepted.
test: built
	+@tests/run/quietly 'packing $(TARBALL)' $(MAKE) --no-print-directory dist
	@tests/run/ladder test $(TARBALL)

# Those statistics, and nothing else.
test-long: built
	@tests/run/ladder long

# Demos and figures in their quick form, and the trained networks that ship; the shortest demo is in make test.
test-demos: built
	@tests/run/ladder demos

# A cluster of one machine. Not in make test: it needs Slurm's programs, and says so where they are missing.
test-slurm: built
	@tests/checks/test_slurm

# The exporter for PyTorch and the page about it, with a small model. Downloads PyTorch once, outside of this tree.
test-export: built
	@tests/checks/test_export

# The examples in the help of every function are compared with their output.
test-doc: built
	@.ci/deps doc
	@tests/checks/test_doc

# README's two commands on bare machines with the Octaves of three Debian releases: 10 GB outside of this tree, an hour.
check-octaves:
	@tests/checks/check_octaves $(if $(FRESH),--fresh) $(RELEASES)

built:
	@.ci/deps build demo
	+@tests/run/quietly 'building the gateways' $(SUBMAKE) -C src all
	+@tests/run/quietly 'building the C tests' $(SUBMAKE) -C tests/c OUT=../../$(BUILD)/c

check-install: deps-build dist
	@.ci/deps demo
	@tests/checks/check_install $(TARBALL)

sanitize: export ASAN_OPTIONS = detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=32
sanitize: export UBSAN_OPTIONS = halt_on_error=1:print_stacktrace=1
sanitize: sanitized
	ASAN_OPTIONS= tests/run/run_c $(BUILD)/sanitize/c
	PRELOAD="$(SANITIZER_LIBRARIES)" tests/run/run_m $(BUILD)/sanitize

SANITIZER_LIBRARIES = $(shell gcc -print-file-name=libasan.so) $(shell gcc -print-file-name=libubsan.so)

sanitized: deps-build
	@.ci/deps demo
	+$(SUBMAKE) -C src gates OUT=../$(BUILD)/sanitize FLAGS='-g -O1 $(SANITIZERS)'
	+$(SUBMAKE) -C tests/c OUT=../../$(BUILD)/sanitize/c LIB=../../$(BUILD)/sanitize/libattnpath.a FLAGS='$(SANITIZERS)'

fuzz: export ASAN_OPTIONS = detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096:quarantine_size_mb=32
fuzz: export UBSAN_OPTIONS = halt_on_error=1:print_stacktrace=1
fuzz: export OPENBLAS_NUM_THREADS = 1
fuzz: sanitized
	PRELOAD="$(SANITIZER_LIBRARIES)" tests/run/headless tests/fuzz/fuzz_gateways.m $(BUILD)/sanitize $(FUZZ_CALLS) $(FUZZ_SEED)

fuzz-files: built
	@tests/run/audible tests/run/headless tests/fuzz/fuzz_files.m src $(FUZZ_CALLS) $(FUZZ_SEED)

fuzz-answers: export OPENBLAS_NUM_THREADS = 1
fuzz-answers: built
	@tests/run/audible tests/run/headless tests/fuzz/fuzz_answers.m src $(FUZZ_CALLS) $(FUZZ_SEED) $(FUZZ_WORD)

fuzz-guided:
	@tests/run/audible tests/fuzz/run $(SECONDS)

coverage: deps-build
	@.ci/deps coverage demo
	+@CFLAGS=-g $(SUBMAKE) -C src gates OUT=../$(BUILD)/coverage FLAGS='-O0 --coverage -fprofile-abs-path'
	+@$(SUBMAKE) -C tests/c OUT=../../$(BUILD)/coverage/c LIB=../../$(BUILD)/coverage/libattnpath.a FLAGS='--coverage -fprofile-abs-path'
	@find $(BUILD)/coverage -name '*.gcda' -delete
	tests/run/run_c $(BUILD)/coverage/c
	@echo '--- C core, reached by the C tests alone'
	@gcovr --root . --filter 'src/' $(BUILD)/coverage
	tests/run/run_m $(BUILD)/coverage
	@echo '--- C core and gateways, reached by the C tests and the functions'
	@gcovr --root . --filter 'src/' --filter 'mex/' $(BUILD)/coverage

mutate: all
	@tests/checks/mutate $(or $(COUNT),100) $(or $(SEED),1) $(BUILD)/mutate

lint: deps-build
	@.ci/deps lint
	+@tests/run/quietly 'building the gateways' $(SUBMAKE) -C src gates
	@tests/run/audible tests/checks/lint '$(WARNINGS)'

lines:
	@tests/checks/count_lines

format:
	@.ci/deps format
	clang-format -i $(FORMATTED_C)

# ---- package ---------------------------------------------------------------------------------------------------------

# The tarball holds what git would keep: tracked files and new ones that are not ignored, as they are in the work tree.
# Without git (an unpacked tarball) it holds every file that is not made by make. Same tree, same bytes.
dist:
	@rm -rf $(BUILD)/dist $(TARBALL) && mkdir -p $(BUILD)/dist/$(NAME)-$(VERSION)
	@if [ -e .git ] && command -v git >/dev/null; then \
	    git -c safe.directory='*' ls-files --cached --others --exclude-standard; \
	    git -c safe.directory='*' status --porcelain | sed 's/^/dist: not committed: /' >&2; \
	else \
	    find . -type f ! -path './.git/*' ! -path './$(BUILD)/*' ! -path './inst/demos/*' ! -path './inst/bench/*' ! -path './inst/studies/*' \
	        ! -path './inst/[A-Z]*' ! -path './inst/doc.info' \
	        ! -path './inst/functionSignatures.json' ! -path '*/__pycache__/*' ! -name '*.o' ! -name '*.a' \
	        ! -name '*.mex*' ! -name '$(NAME)-*.tar.gz' ! -name fntests.log ! -name octave-workspace | sed 's|^\./||'; \
	fi | LC_ALL=C sort -u | while IFS= read -r file; do if [ -f "$$file" ]; then printf '%s\n' "$$file"; fi; done \
	    >$(BUILD)/dist/files
	@test -s $(BUILD)/dist/files
	@tar -cf - -T $(BUILD)/dist/files | tar -xf - -C $(BUILD)/dist/$(NAME)-$(VERSION)
	@if [ -n "$(MANUAL)" ]; then \
	    .ci/deps manual && tests/run/quietly 'the manual' doc/manual/make $(BUILD)/dist/$(NAME)-$(VERSION)/doc/html; fi
	@tar --sort=name --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' --mtime='$(DATE) 00:00:00 UTC' \
	    -cf - -C $(BUILD)/dist $(NAME)-$(VERSION) | gzip -9n >$(TARBALL)
	@rm -rf $(BUILD)/dist
	@echo '$(TARBALL)'

# A release: release/constants.mk is filled in, `make release-files` has written what follows from it, and all is committed.
release:
	@release/release ready
	@differs=$$(release/release check) && test -z "$$differs" || { echo "$$differs" >&2; exit 1; }
	@test -z "$$(git status --porcelain)" || { echo 'release: not everything is committed' >&2; exit 1; }
	@.ci/deps manual
	+@$(MAKE) --no-print-directory dist MANUAL=1
	+@$(MAKE) --no-print-directory index-entry

release-files:
	@release/release files

index-entry:
	@test -e $(TARBALL) || $(MAKE) --no-print-directory dist
	@mkdir -p $(BUILD)
	@release/release index $(TARBALL) >$(BUILD)/$(NAME).yaml
	@tests/checks/check_index $(TARBALL) && echo '$(BUILD)/$(NAME).yaml'

install: deps-build dist
	@echo 'pkg install compiles the gateways, for a minute or two, and prints nothing itself'
	@tests/run/audible octave-cli --norc --no-history --eval "pkg install $(TARBALL)"

manual:
	@.ci/deps manual
	@tests/run/quietly 'the manual' doc/manual/make $(BUILD)/manual
	@echo '$(BUILD)/manual/index.html'

clean:
	rm -rf $(BUILD) $(NAME)-*.tar.gz inst/demos inst/bench inst/studies inst/README.md inst/CONTRIBUTING.md inst/COPYING inst/doc.info
	rm -f src/*.o src/*/*.o src/*.a src/*.mex fntests.log octave-workspace

.PHONY: help all deps deps-build demo demos figures bench bench-peers studies check test test-long test-demos test-slurm test-export test-doc check-octaves built check-install sanitize sanitized fuzz fuzz-guided fuzz-answers fuzz-files coverage mutate lint lines format dist manual release release-files index-entry install clean
