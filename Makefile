# Two commands do everything on a fresh Debian 12 with git and make: `make run` and `make test`. README.md has the rest.
#
#   make run ARGS='server.properties --override num.partitions=4'
#   make fuzz FUZZ_SECONDS=300

SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: deps build run test test-long unit unit-asan build-asan-tests sanitize compat bench fuzz lint format clean

ARGS ?=
FUZZ_SECONDS ?= 30
WORKLOAD ?=
ROUNDS ?= 5
PYTHON ?= $(shell .ci/python)

# No base directory: with one, __FILE__ becomes relative, and tests look for their data by it.
export CCACHE_NOHASHDIR ?= 1

configure = cmake -G Ninja -S . -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
release = $(configure) -B build -DCMAKE_BUILD_TYPE=Release
asan = $(configure) -B build-asan -DDOHLE_SANITIZE=address
tsan = $(configure) -B build-tsan -DDOHLE_SANITIZE=thread
fuzzing = $(configure) -B build-fuzz -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
          -DDOHLE_FUZZ=ON -DDOHLE_SANITIZE=address

deps:
	@.ci/deps build test lint fuzz

build:
	@.ci/deps build
	@test -f build/build.ninja || $(release)
	@ninja -C build

# The server's data is in ./data, unless ARGS name a configuration that says otherwise.
run: build
	exec build/dohle $(ARGS)

test: build
	@.ci/deps test
	@$(PYTHON) .ci/suite.py --build build

test-long: build
	@.ci/deps test
	@$(PYTHON) .ci/suite.py --build build --long

# The C++ unit tests alone, in Release.
unit: build
	@$(PYTHON) .ci/suite.py --build build --only unit

build-asan-tests:
	@.ci/deps build test
	@test -f build-asan/build.ninja || $(asan)
	@ninja -C build-asan

unit-asan: build-asan-tests
	@$(PYTHON) .ci/suite.py --build build-asan --only unit

# Unit tests and the black-box tests, with the server itself built with ASan and UBSan, then with TSan.
sanitize: build-asan-tests
	@$(PYTHON) .ci/suite.py --build build-asan
	@test -f build-tsan/build.ninja || $(tsan)
	@ninja -C build-tsan
	@$(PYTHON) .ci/suite.py --build build-tsan

compat: build
	@.ci/deps test
	@test -x compat-tests/run || { echo 'make compat: compat-tests/run does not exist yet; make test runs what there is' >&2; exit 1; }
	@compat-tests/run $(ARGS)

# All of it takes hours; WORKLOAD=W1-32,W2-64K takes some, ROUNDS says how often. What a commit has already is kept.
bench: build
	@.ci/deps test
	@ninja -C build dohle_load dohle_rate dohle_floor
	@$(PYTHON) compat-tests/bench/run.py --build build --workload "$(WORKLOAD)" --rounds $(ROUNDS)

fuzz:
	@.ci/deps build fuzz
	@test -f build-fuzz/build.ninja || $(fuzzing)
	@ninja -C build-fuzz fuzzers
	@$(PYTHON) .ci/fuzz.py --build build-fuzz --seconds $(FUZZ_SECONDS)

# clang-tidy reads the messages' generated headers and the compile commands, so these are made first.
lint:
	@.ci/deps build lint
	@test -f build/build.ninja || $(release)
	@ninja -C build generated
	@failed=0; for step in 'lint.py' 'format.py --check' 'tidy.py --build build'; do \
	  $(PYTHON) .ci/$$step || failed=1; done; exit $$failed

format:
	@.ci/deps lint
	@$(PYTHON) .ci/format.py

clean:
	rm -rf build build-asan build-tsan build-fuzz
