# contextdiff: build, try, test, install. `make` lists the targets.

SHELL = /bin/bash
.SHELLFLAGS = -euo pipefail -c
.DEFAULT_GOAL = help

# What is installed: optimised, with Swift's runtime inside, so that a machine without Swift can run it; and what the linker fills in
# at the start is read-only from then on. Debug information names the sources from the tree on: what is built says not where.
# EXTRA_SWIFT_FLAGS are a packager's.
SWIFT_FLAGS = -c release --static-swift-stdlib --disable-local-rpath --scratch-path .build/product \
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
  -Xswiftc -file-prefix-map -Xswiftc $(call quote,$(CURDIR)=.) -Xcc $(call quote,-ffile-prefix-map=$(CURDIR)=.) $(EXTRA_SWIFT_FLAGS)
BIN = .build/product/release

# What needs a build waits for it, by -j too.
.NOTPARALLEL:

.PHONY: help
help: ## say what there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

.PHONY: dependencies
dependencies:
	@scripts/dependencies build

.PHONY: build
build: dependencies ## build contextdiffd, contextdiffctl, libcontextdiff, and the addon for fcitx5
	scripts/swift build $(SWIFT_FLAGS) --product contextdiffd
	scripts/swift build $(SWIFT_FLAGS) --product contextdiffctl
	scripts/swift build $(SWIFT_FLAGS) --product contextdiff
	packaging/libcontextdiff.sh '$(BIN)'
	packaging/fcitx5.sh '$(BIN)'

.PHONY: demo
demo: build .build/env ## watch contextdiffd classify a short editing session
	@CONTEXTDIFF_BIN='$(BIN)' demo/run

.PHONY: run
run: build .build/env ## run contextdiffd in the foreground, at its default socket
	@printf 'for other terminals, the programs on the PATH: . %q\n' '$(CURDIR)/.build/env'
	@[ -z "$${XDG_RUNTIME_DIR-}" ] || printf 'where they have another XDG_RUNTIME_DIR: export XDG_RUNTIME_DIR=%q\n' "$$XDG_RUNTIME_DIR"
	@'$(BIN)/contextdiffd'

# Puts the built programs on the PATH of a shell that reads it.
.build/env: Makefile
	@mkdir -p .build
	@printf 'PATH=%q:$$PATH\n' '$(CURDIR)/$(BIN)' >$@

.PHONY: pictures
pictures: build ## draw the pictures anew, from what the programs say
	@scripts/pictures '$(BIN)'

.PHONY: documentation
documentation: build ## make the pages of the public libraries with DocC, in .build/documentation
	@scripts/documentation '$(BIN)' .build/documentation
	@echo 'to read them: python3 -m http.server --directory .build/documentation/ContextDiff.doccarchive, then'
	@echo 'http://localhost:8000/documentation/contextdiff/ and /tutorials/contextdiff/fromkeyholetoreading/'

.PHONY: check
check: dependencies ## run the quick tests, for between two edits
	@scripts/check

.PHONY: test
test: build ## run every test that this machine can run
	@CONTEXTDIFF_BIN='$(BIN)' scripts/test

.PHONY: fuzz
fuzz: ## look for inputs that make the readers trap, FUZZ_SECONDS (60) for each
	@scripts/fuzz --seconds $(or $(FUZZ_SECONDS),60)

.PHONY: sanitize
sanitize: ## run the Swift tests under the address and the thread sanitizer
	@scripts/sanitize

SWIFT_CODE = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources examples/swift

.PHONY: lint
lint: ## check the format of all Swift code
	swift format lint --strict --recursive $(SWIFT_CODE)

.PHONY: format
format: ## put all Swift code into its format
	swift format --in-place --recursive $(SWIFT_CODE)

.PHONY: bench
bench: build ## measure against Redis, D-Bus and a bare echo
	@CONTEXTDIFF_BIN='$(BIN)' Benchmarks/run

.PHONY: attack
attack: build ## measure what one user's attacks cost another
	@CONTEXTDIFF_BIN='$(BIN)' Benchmarks/bounds
	@CONTEXTDIFF_BIN='$(BIN)' Benchmarks/attack

.PHONY: soak
soak: build ## check random clients and faults for twenty minutes
	@CONTEXTDIFF_BIN='$(BIN)' Benchmarks/soak

.PHONY: clean
clean: ## remove what was built
	rm -rf .build Benchmarks/.build Integrations/python/build Integrations/python/src/contextdiff.egg-info

include packaging/install.mk
