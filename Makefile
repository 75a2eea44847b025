# `make` lists what there is. SWIFTFLAGS is passed on to every swift command that builds,
# for example: make test SWIFTFLAGS="--build-path /tmp/build"

SWIFT      ?= swift
SWIFTFLAGS ?=
WORK       ?=
REV        ?= HEAD
REALM      ?= .build/demo/WorldCities.realm
PREFIX     ?= /usr/local
DESTDIR    ?=
LAYER      ?= RealmSwift
# The simulations of test-sync-long, and the seed of the first: test-sync has those before it.
SEEDS      ?= 100000
FIRST_SEED ?= 2000
# How long the clients of test-sync-network write, in seconds, and their number.
SECONDS_OF_WORK ?= 3600
CLIENTS    ?= 200
# The path under which the site of the documentation is served: OpenRealm for https://example.org/OpenRealm/.
HOSTING_BASE_PATH ?=

# The library optimised, as users have it, but with everything that a debug build checks: unoptimised, the same tests take
# more than twice as long.
checked := -c release --build-path .build/checked -Xswiftc -enable-testing -Xswiftc -DDEBUG -Xswiftc -assert-config -Xswiftc Debug

# Programs that carry the libraries of Swift: a short command takes longer to load them than to run.
complete := -c release --static-swift-stdlib

sources := $(wildcard Package.swift Sources Tests Benchmarks Examples)
# What is there to read besides, for codespell.
prose   := $(sources) $(wildcard *.md Makefile Dockerfile Documentation Scripts .ci .github)

.DEFAULT_GOAL := help
.PHONY: help dependencies library-dependencies client-dependencies documentation-dependencies demo demo-sync demo-sync-second tool studio install c-library install-c install-objc client docs test test-quick test-debug test-long test-encrypted test-release test-tsan test-arm64 test-c test-objc test-studio test-sync test-sync-long test-sync-network test-torture bench bench-pages bench-sync bench-figures bench-compare lint format clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: ## install the Debian packages that the build needs, when they are missing
	@Scripts/install-dependencies

library-dependencies: ## install those only that programs need which use the library
	@Scripts/install-dependencies --library

documentation-dependencies:
	@Scripts/install-dependencies --documentation

demo: library-dependencies ## import 34,006 cities into a realm file, then create, update, query and delete
	$(SWIFT) run -c release $(SWIFTFLAGS) WorldCities $(REALM)

demo-sync: dependencies ## synchronise two realms through a PostgreSQL of the demo's own, from two terminals: this is the first
	$(SWIFT) build $(SWIFTFLAGS) --product SyncDemo
	$(SWIFT) build $(SWIFTFLAGS) --product realm
	Scripts/demo-sync "$$($(SWIFT) build --show-bin-path $(SWIFTFLAGS))"

demo-sync-second: dependencies ## the second terminal of demo-sync
	$(SWIFT) build $(SWIFTFLAGS) --product SyncDemo
	Scripts/demo-sync "$$($(SWIFT) build --show-bin-path $(SWIFTFLAGS))" second

tool: ## build the tool realm, as .build/release/realm
	@Scripts/install-dependencies --tool
	$(SWIFT) build $(complete) --product realm $(SWIFTFLAGS)

studio: tool ## show the demo's cities in the browser; another file: make studio REALM=people.realm
	[ "$(REALM)" != .build/demo/WorldCities.realm ] || [ -e "$(REALM)" ] || $(MAKE) demo
	"$$($(SWIFT) build $(complete) --show-bin-path $(SWIFTFLAGS))/realm" studio "$(REALM)"

install: tool ## install the tool with its manual and completions: make install PREFIX=/usr/local
	Scripts/install-tool "$$($(SWIFT) build $(complete) --show-bin-path $(SWIFTFLAGS))/realm" "$(DESTDIR)$(PREFIX)"

c-library: # the library for C, linked with the runtime of Swift
	@Scripts/install-dependencies --c
	$(SWIFT) build -c release --product CInterfaceProgram $(SWIFTFLAGS)
	Scripts/link-c-library "$$($(SWIFT) build -c release --show-bin-path $(SWIFTFLAGS))" .build/c-library

install-c: c-library ## install the library for C and C++ with its headers: make install-c PREFIX=/usr/local
	DESTDIR="$(DESTDIR)" Scripts/install-c .build/c-library "$(PREFIX)"

install-objc: ## install the Objective-C layer, where the library for C is: make install-objc PREFIX=/usr/local
	@Scripts/install-dependencies --objc
	DESTDIR="$(DESTDIR)" Scripts/install-objc "$(PREFIX)"

client-dependencies:
	@Scripts/install-dependencies --client

client: client-dependencies ## build and run packages that use the library, as their developers would
	SWIFT="$(SWIFT)" Scripts/test-clients $(SWIFTFLAGS)

docs: documentation-dependencies ## build the web site of the documentation in .build/docs
	$(SWIFT) build --target RealmSync $(SWIFTFLAGS)
	SWIFT="$(SWIFT)" Scripts/build-documentation "$$($(SWIFT) build --show-bin-path $(SWIFTFLAGS))/Modules" .build/docs "$(HOSTING_BASE_PATH)"

test: dependencies ## build everything, check the part for SwiftUI and run every test
	$(SWIFT) build --build-tests $(checked) $(SWIFTFLAGS)
	Scripts/check-swiftui "$$($(SWIFT) build --show-bin-path $(checked) $(SWIFTFLAGS))/Modules"
	Scripts/check-messages "$$($(SWIFT) build --show-bin-path $(checked) $(SWIFTFLAGS))/Modules"
# Tests of what stops look for no place in the program, which takes a second in one as large as theirs.
	SWIFT_BACKTRACE=enable=no SWIFT="$(SWIFT)" Scripts/run-tests --skip-build $(checked) $(SWIFTFLAGS)

test-quick: dependencies ## build and run the tests of one layer, in a debug build: make test-quick LAYER=Storage
	@test -d Tests/$(LAYER)Tests || { echo "There is no layer $(LAYER): Tests has no folder $(LAYER)Tests." >&2; exit 2; }
	OPENREALM_TESTS=$(LAYER)Tests $(SWIFT) test --filter '^$(LAYER)Tests\.' $(SWIFTFLAGS)

test-debug: dependencies ## run every test in a debug build, as `swift test` does
	$(SWIFT) build --build-tests $(SWIFTFLAGS)
	SWIFT_BACKTRACE=enable=no SWIFT="$(SWIFT)" Scripts/run-tests --skip-build $(SWIFTFLAGS)

test-long: ## run every test, the randomised ones as long as they can be, those of the library on encrypted files, and all in a debug build
	LONG_TESTS=1 $(MAKE) --no-print-directory test
	$(MAKE) --no-print-directory test-encrypted
	$(MAKE) --no-print-directory test-debug

test-encrypted: dependencies ## run the tests of the library on encrypted files
	$(SWIFT) build --build-tests $(checked) $(SWIFTFLAGS)
	REALM_TEST_ENCRYPTED=1 SWIFT_BACKTRACE=enable=no SWIFT="$(SWIFT)" Scripts/run-tests --skip-build --filter RealmSwiftTests $(checked) $(SWIFTFLAGS)

test-tsan: dependencies ## run the tests of what several threads share under the thread sanitizer
	SWIFT="$(SWIFT)" Scripts/test-thread-sanitizer $(SWIFTFLAGS)

test-release: dependencies ## run the tests of what several threads share, and attacks by threads, in a release build
	SWIFT="$(SWIFT)" Scripts/test-release $(SWIFTFLAGS)

test-arm64: ## compile what lies below Foundation for arm64, without running it
	Scripts/check-arm64

test-c: c-library ## install the library for C, build programs with the installed files alone and run them
	Scripts/test-c "$$($(SWIFT) build -c release --show-bin-path $(SWIFTFLAGS))"

test-objc: c-library ## build the Objective-C layer and run its tests, with reference counting by the compiler and without
	@Scripts/install-dependencies --objc
	Scripts/install-c .build/c-library "$(CURDIR)/.build/objc/c"
	Scripts/test-objc .build/objc/layer .build/objc/c
	Scripts/test-doggodb .build/objc/layer .build/objc/c

test-sync: dependencies ## simulate clients of a PostgreSQL with 2,000 seeds, and compare what both terminals of demo-sync show
	$(MAKE) --no-print-directory test-sync-long SEEDS=2000 FIRST_SEED=0
	Scripts/test-demo-sync "$$($(SWIFT) build --show-bin-path $(checked) $(SWIFTFLAGS))"

test-studio: dependencies ## show files in a real browser and check what a person sees and does: make test-studio WORK="paste"
	$(SWIFT) build --build-tests $(checked) $(SWIFTFLAGS)
	Scripts/test-studio "$$($(SWIFT) build --show-bin-path $(checked) $(SWIFTFLAGS))" $(WORK)

test-sync-network: dependencies ## as root: synchronise 200 clients with another host for an hour: make test-sync-network SECONDS_OF_WORK=120
	$(SWIFT) build -c release $(SWIFTFLAGS) --product SyncFleet
	$(SWIFT) build -c release $(SWIFTFLAGS) --product realm
	SECONDS_OF_WORK="$(SECONDS_OF_WORK)" CLIENTS="$(CLIENTS)" Scripts/test-sync-network "$$($(SWIFT) build -c release --show-bin-path $(SWIFTFLAGS))"

test-sync-long: dependencies ## simulate clients with lost answers, restarts and power cuts, with 100,000 seeds: make test-sync-long SEEDS=500 FIRST_SEED=70000
	$(SWIFT) build --build-tests $(checked) $(SWIFTFLAGS)
	SEEDS="$(SEEDS)" FIRST_SEED="$(FIRST_SEED)" SWIFT_BACKTRACE=enable=no $(SWIFT) test --skip-build $(checked) $(SWIFTFLAGS) --filter '^SyncTests\.(SimulatorTests/filesConverge|SubscriptionSimulatorTests/filesFollow)'

test-torture: dependencies ## attack the release build for up to an hour; some suites only: make test-torture WORK="mutants --seed 7"
	$(SWIFT) run -c release $(SWIFTFLAGS) Torture $(WORK)

bench: dependencies ## measure beside SQLite and bare LMDB; some workloads only: make bench WORK="W3 W9"
	$(SWIFT) build $(complete) $(SWIFTFLAGS) --product realm
	$(SWIFT) build $(complete) $(SWIFTFLAGS) --product Benchmarks
	"$$($(SWIFT) build $(complete) --show-bin-path $(SWIFTFLAGS))/Benchmarks" $(WORK)

bench-sync: dependencies ## measure synchronisation beside PostgreSQL's own statements; some parts only: make bench-sync WORK="bulk"
	$(SWIFT) build -c release $(SWIFTFLAGS) --product SyncBenchmarks
	"$$($(SWIFT) build -c release --show-bin-path $(SWIFTFLAGS))/SyncBenchmarks" $(WORK)

bench-pages: dependencies ## compare files of pages with LMDB and SQLite, in turns: make bench-pages WORK=/folder/on/a/disk
	$(SWIFT) build -c release $(SWIFTFLAGS) --product PagesBenchmarks
	"$$($(SWIFT) build -c release --show-bin-path $(SWIFTFLAGS))/PagesBenchmarks" $(WORK)

bench-figures: bench ## measure everything, and write the figures into README.md and the article Performance
	Scripts/update-figures .build/bench.json

bench-compare: dependencies ## measure beside another commit's build, alternately: make bench-compare REV=HEAD~1 WORK="W3 W9"
	SWIFT="$(SWIFT)" Scripts/compare-benchmarks "$(REV)" $(WORK)

lint: ## check the style of code and prose, strictly
	@Scripts/install-dependencies --lint
	$(SWIFT) format lint --strict --parallel --recursive $(sources)
	codespell $(prose)
	Scripts/check-language

format: ## rewrite the sources in the project's style
	$(SWIFT) format --in-place --parallel --recursive $(sources)

clean: ## remove everything that was built, the demo's realm file included
	rm -rf .build
