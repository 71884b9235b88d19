# make demo and make test install what they need; nothing else has to be set up.
SHELL := /bin/bash
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

# An import that the manifest does not allow is an error, not a lucky build order.
CHECKS := --explicit-target-dependency-import-check error
SOURCES := Package.swift Sources Samples Examples Tests Benchmarks
# What is installed runs without the toolchain: Swift's own libraries are linked in. A folder of its own
# keeps the other builds as they are.
STANDALONE := -c release --static-swift-stdlib --scratch-path .build/standalone

.DEFAULT_GOAL := help
# The lengths that the repeated and random tests were made for; one that fails names its seed.
SOAK := PHOTOS_CHANGES=1000 PHOTOS_CLOUD_MUTANT_SECONDS=120 PHOTOS_CLOUD_PHOTOS=10000 PHOTOS_CLOUD_SECONDS=300 \
	PHOTOS_COLUMN_CASES=12 \
	PHOTOS_DAEMON_KILLS=200 PHOTOS_DAEMON_SECONDS=60 PHOTOS_EDIT_CASES=300000 PHOTOS_FLING_ASSETS=100000 \
	PHOTOS_HIDDEN_SEQUENCES=500 PHOTOS_KILLS=200 PHOTOS_MIGRATION_CASES=10 PHOTOS_MODEL_STEPS=20000 \
	PHOTOS_FRAME_MUTATIONS=1000000 PHOTOS_MOMENT_ROUNDS=1000 PHOTOS_OBSERVE_CASES=100000 \
	PHOTOS_OBSERVED_STEPS=3000 PHOTOS_ORDER_CASES=2000 PHOTOS_PEERS=2000 PHOTOS_REMOVAL_KILLS=1000 \
	PHOTOS_SOAK_MINUTES=60 PHOTOS_STAGING_KILLS=100 PHOTOS_STRESS_SECONDS=60 PHOTOS_SYNC_RUNS=300 PHOTOS_TEST_SILENCE=300 PHOTOS_WATCH_FILES=100000 \
	PHOTOS_WIRE_MUTATIONS=10000000

.PHONY: help setup demo test soak coverage mutants examples fuzz sanitize conformance bench ratios ratios-build format lint docs install \
	uninstall deb clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

setup: ## Install the required libraries and tools (apt, with sudo unless root)
	@bash Scripts/setup

demo: setup ## Draw sample photos, import them into ./demo and show them
	@bash Scripts/demo

test: setup ## Build everything and run all tests
	@bash Scripts/get-axe
	$(SWIFT) build $(CHECKS) --build-tests
	@bash Scripts/run-tests

soak: setup ## Run all tests at full length (hours)
	$(SWIFT) build $(CHECKS) --build-tests
	$(SOAK) bash Scripts/run-tests
	PHOTOS_FUZZ_SECONDS=1200 bash Scripts/fuzz

coverage: setup ## Print how much of each target its own tests reach (TARGETS="PhotoModel Media")
	@bash Scripts/coverage $(TARGETS)

mutants: setup ## Count the small changes of targets that their own tests notice (TARGETS="CloudSync PhotoModel")
	@python3 Scripts/mutants $(TARGETS)

examples: setup ## Build the examples as independent packages, and run them with sample photos
	@bash Scripts/examples

fuzz: setup ## Fuzz the parsers of foreign bytes (PHOTOS_FUZZ_SECONDS per target, 15 by default)
	@bash Scripts/fuzz

sanitize: setup ## Run tests of the worker and of the API with the address, undefined-behavior and thread sanitizers
	$(SWIFT) build $(CHECKS) --build-tests
	@bash Scripts/sanitize

conformance: setup ## Compare all images with those of other programs (CONFORMANCE=folder of the report)
	$(SWIFT) build $(CHECKS) --build-tests
	PHOTOS_CONFORMANCE="$(abspath $(or $(CONFORMANCE),.build/conformance))" \
		$(SWIFT) test $(CHECKS) --skip-build --no-parallel --filter ConformanceTests

bench: ## Run benchmarks and compare them with their limits (SUITE=import, fetch, memory, images, movies, fling, gallery, cloud or all)
	@bash Scripts/setup --benchmarks
	$(SWIFT) build -c release $(CHECKS) --product photos-worker
	$(SWIFT) build -c release $(CHECKS) --product photos
	$(SWIFT) build -c release $(CHECKS) --product photolibraryd
	$(SWIFT) build -c release $(CHECKS) --product photos-cloud
	$(SWIFT) run -c release $(CHECKS) photos-benchmarks $(or $(SUITE),all)

# The folder of the build.
RATIOS_BUILD ?= .build
RATIOS_SWIFT = -c release --scratch-path $(RATIOS_BUILD) $(CHECKS)

ratios-build: setup
	$(SWIFT) build $(RATIOS_SWIFT) --product photos-worker
	$(SWIFT) build $(RATIOS_SWIFT) --product photos-benchmarks

ratios: ratios-build ## Compare a few ratios to peers with the recorded ones (RATIOS=--record writes them)
	$(SWIFT) run $(RATIOS_SWIFT) photos-benchmarks quick $(RATIOS) Benchmarks/ratios.tsv

format: ## Format all sources in place
	$(SWIFT) format --in-place --recursive $(SOURCES)
	@bash Scripts/check-languages --fix

lint: ## Check the format of all languages, doc comments and the module table
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	@python3 Scripts/check-prose Sources Tests Benchmarks Samples
	@python3 Scripts/module-table --check
	@bash Scripts/check-languages

docs: setup ## Build the documentation into Docs/generated
	@bash Scripts/build-docs

install: setup ## Install the command and its worker (PREFIX, DESTDIR)
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos-worker
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos-device
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos-cloud
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photolibraryd
	@PHOTOS_INSTALLED_PREFIX="$(abspath $(PREFIX))" bash Scripts/install "$$($(SWIFT) build $(STANDALONE) --show-bin-path)" "$(DESTDIR)$(PREFIX)"

uninstall: ## Remove the installed files (PREFIX, DESTDIR)
	@bash Scripts/install --remove "$(DESTDIR)$(PREFIX)"

deb: ## Build Debian packages in .build/deb
	@bash Scripts/setup --packaging
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos-worker
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos-device
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photos-cloud
	$(SWIFT) build $(STANDALONE) $(CHECKS) --product photolibraryd
	@bash Scripts/make-deb "$$($(SWIFT) build $(STANDALONE) --show-bin-path)" .build/deb

clean: ## Remove all generated files
	rm -rf .build demo Docs/generated
