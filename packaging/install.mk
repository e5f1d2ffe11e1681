# install, uninstall, deb: to be included by the Makefile at the top, whose target `build` makes the
# programs in $(BIN).

DESTDIR ?=
# GNU's name for it is taken as well.
PREFIX ?= $(or $(prefix),/usr/local)
bindir ?= $(PREFIX)/bin
libdir ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
pkgconfigdir ?= $(libdir)/pkgconfig
datadir ?= $(PREFIX)/share
# Debug symbols, by the programs' paths; where debuggers look by themselves.
debugdir ?= /usr/lib/debug
mandir ?= $(datadir)/man
docdir ?= $(datadir)/doc/contextdiff
# Settings are an administrator's. In another folder than /etc the machine's daemon alone is told of them, by its unit.
sysconfdir ?= /etc
systemunitdir ?= $(PREFIX)/lib/systemd/system
userunitdir ?= $(PREFIX)/lib/systemd/user
catalogdir ?= $(PREFIX)/lib/systemd/catalog
sysusersdir ?= $(PREFIX)/lib/sysusers.d
bashcompletiondir ?= $(datadir)/bash-completion/completions
zshcompletiondir ?= $(datadir)/zsh/site-functions
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d
# Folders' names are in small letters, as GNU's.
$(foreach name,BINDIR LIBDIR INCLUDEDIR PKGCONFIGDIR DATADIR DEBUGDIR MANDIR DOCDIR SYSCONFDIR SYSTEMUNITDIR USERUNITDIR CATALOGDIR \
  SYSUSERSDIR,$(if $(filter command,$(firstword $(origin $(name)))),$(error $(name)= is not read: it is written in small letters)))
BIN ?= .build/product/release

# Each in quotes of the shell's, whatever is in it.
quote = '$(subst ','\'',$(1))'
install_variables = DESTDIR BIN STRIP PREFIX bindir libdir includedir pkgconfigdir debugdir datadir mandir docdir sysconfdir systemunitdir \
  userunitdir catalogdir sysusersdir bashcompletiondir zshcompletiondir fishcompletiondir
install_environment = $(foreach name,$(install_variables),$(name)=$(call quote,$($(name))))

.PHONY: install install-built uninstall deb deb-built deb-source

install: build install-built ## install into PREFIX (/usr/local) below DESTDIR

# Installs programs that are there already: what `sudo make install` must not build again, and what
# a package builder calls.
install-built: ## install what make build built, without building
	@$(install_environment) packaging/install.sh install

uninstall: ## take away what install made
	@$(install_environment) packaging/install.sh uninstall

# Leaves a package of the daemon, two of the library, one for Python and, where it was built, two of the addon for fcitx5,
# NAME_VERSION_ARCH.deb, in .build/deb.
deb: build deb-built ## make the Debian packages in .build/deb

deb-built: ## make the Debian packages of what make build built, without building
	@scripts/dependencies deb
	@BIN=$(call quote,$(BIN)) packaging/deb.sh .build/deb

deb-source: ## make the Debian source package in .build/deb, which builds without a network
	@scripts/dependencies deb
	@packaging/source.sh .build/deb
