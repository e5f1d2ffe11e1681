#!/bin/sh
# Puts what was built where a system looks for it, and takes it away again.
#
#   packaging/install.sh install|uninstall
#
# The environment says where: DESTDIR, PREFIX and the folders below it (see packaging/install.mk),
# BIN (the folder of the built programs). `install` writes down each file and each folder that it
# made, in $datadir/contextdiff/manifest, and `uninstall` takes away exactly these: folders that
# were there before stay, empty or not. Settings that somebody changed stay too.
set -eu

# What is installed is for everybody, whoever's umask it is.
umask 022

# A path's slashes count once, and at its end not at all: PREFIX=/usr/ is /usr.
folder_names="bindir libdir includedir pkgconfigdir debugdir datadir mandir docdir sysconfdir systemunitdir userunitdir catalogdir \
  sysusersdir bashcompletiondir zshcompletiondir fishcompletiondir"
for name in PREFIX $folder_names; do
  eval "path=\$$name"
  path=$(printf '%s\n' "$path" | sed 's,//*,/,g; s,\(.\)/$,\1,')
  eval "$name=\$path"
  case $path in
    /*) ;;
    *)
      echo "nothing done: $name is no absolute path: $path" >&2
      exit 64
      ;;
  esac
done

manifest=$DESTDIR$datadir/contextdiff/manifest

# made PATH: notes a path that this run made. Paths in the manifest come without DESTDIR, each with
# its kind.
made() {
  printf '%s %s\n' "$1" "$2" >>"$notes"
}

# folder PATH: makes a folder and those above it, noting the ones that weren't there.
folder() {
  [ -d "$DESTDIR$1" ] && return
  case $1 in ?*/*) folder "${1%/*}" ;; esac
  mkdir "$DESTDIR$1"
  chmod 0755 "$DESTDIR$1"
  made folder "$1"
}

# hides_programs: whether the programs are where the system manager's units do not see them.
hides_programs() {
  case $bindir/ in
    /home/* | /root/* | /run/user/* | /tmp/* | /var/tmp/*) true ;;
    *) false ;;
  esac
}

# takes_symbols: whether the debug symbols are taken out of the programs.
takes_symbols() {
  [ "${STRIP:-yes}" != no ] && command -v objcopy >/dev/null
}

# check_folders: ends with an error where a folder to install in cannot be written, before anything is put.
check_folders() {
  for name in $folder_names; do
    case $name in
      systemunitdir) if hides_programs; then continue; fi ;;
      debugdir) if ! takes_symbols; then continue; fi ;;
    esac
    eval "folder=\$DESTDIR\$$name"
    while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
    if [ ! -d "$folder" ] || [ ! -w "$folder" ] || [ ! -x "$folder" ]; then
      echo "nothing installed: $name: $folder is no folder that $(id -un) may write in; name another one with $name=, or DESTDIR=" >&2
      exit 73
    fi
  done
}

# put MODE SOURCE PATH [KIND]: installs one file.
put() {
  folder "${3%/*}"
  rm -f "$DESTDIR$3"
  install -m "$1" "$2" "$DESTDIR$3"
  made "${4:-file}" "$3"
}

# link TARGET PATH: makes a symbolic link.
link() {
  folder "${2%/*}"
  ln -sf "$1" "$DESTDIR$2"
  made file "$2"
}

# fill SOURCE PATH: installs a template, with the folders filled in.
fill() {
  sed -e "s,@bindir@,$bindir,g" -e "s,@sysconfdir@,$sysconfdir,g" -e "s,@prefix@,$PREFIX,g" \
    -e "s,^ExecStart=.*,&${config-}," -e "s,@libdir@,$libdir,g" -e "s,@includedir@,$includedir,g" -e "s,@version@,${version-},g" \
    "$1" >"$scratch/filled"
  put 0644 "$scratch/filled" "$2"
}

# units MANAGER FOLDER: installs the units for one of the two managers.
units() {
  # It looks in /etc by itself; each user's in the user's own folder before that.
  config=
  [ "$1" = user ] || [ "$sysconfdir" = /etc ] || config=" --config $sysconfdir/contextdiff/contextdiffd.yaml"
  put 0644 "systemd/$1/contextdiffd.socket" "$2/contextdiffd.socket"
  fill "systemd/$1/contextdiffd.service.in" "$2/contextdiffd.service"
}

# complete PROGRAM: installs its completions for each shell.
complete() {
  for shell in bash zsh fish; do
    # What a shell reads into itself needs nobody to run it.
    "$BIN/$1" --generate-completion-script $shell >"$scratch/$shell"
    sed -i '1{/^#!/d}' "$scratch/$shell"
  done
  put 0644 "$scratch/bash" "$bashcompletiondir/$1"
  put 0644 "$scratch/zsh" "$zshcompletiondir/_$1"
  put 0644 "$scratch/fish" "$fishcompletiondir/$1.fish"
}

# settings SOURCE PATH: installs the default settings, unless an administrator has changed what is
# there: neither these nor those installed before. What another installation put there, or somebody
# by hand, is left to them.
settings() {
  if [ -e "$DESTDIR$2" ] && ! grep -qxF "settings $2" "$notes" &&
    ! cmp -s "$DESTDIR$datadir/contextdiff/contextdiffd.yaml" "$DESTDIR$2"; then
    echo "kept: $DESTDIR$2 (it was there; the defaults are in $datadir/contextdiff)"
  elif [ -e "$DESTDIR$2" ] && ! cmp -s "$1" "$DESTDIR$2" &&
    ! cmp -s "$DESTDIR$datadir/contextdiff/contextdiffd.yaml" "$DESTDIR$2"; then
    echo "kept: $DESTDIR$2 (it was changed; the defaults are in $datadir/contextdiff)"
    made settings "$2"
  else
    put 0644 "$1" "$2" settings
  fi
}

# binary MODE SOURCE PATH: installs a program or a library without its debug symbols, and these below $debugdir, where a debugger
# finds them by its path (gdb's set debug-file-directory). Where a package builder does that himself (STRIP=no), or there is no
# objcopy, it is installed as it is.
binary() {
  if ! takes_symbols; then
    put "$1" "$2" "$3"
    return
  fi
  source=$(realpath "$2")
  stripped=${3##*/}
  objcopy --only-keep-debug "$source" "$scratch/$stripped.debug"
  (cd "$scratch" && objcopy --strip-all --add-gnu-debuglink="$stripped.debug" "$source" "$stripped")
  put "$1" "$scratch/$stripped" "$3"
  put 0644 "$scratch/$stripped.debug" "$debugdir$3.debug"
}

# library: installs libcontextdiff, what programs are compiled with, and what pkg-config says of it.
library() {
  file=$(realpath "$BIN/libcontextdiff.so")
  name=${file##*/}
  binary 0755 "$file" "$libdir/$name"
  link "$name" "$libdir/${name%%.so*}.so.1"
  link "${name%%.so*}.so.1" "$libdir/${name%%.so*}.so"
  put 0644 Sources/CContextDiff/include/contextdiff.h "$includedir/contextdiff.h"
  version=$(packaging/version.sh)
  fill packaging/contextdiff.pc.in "$pkgconfigdir/contextdiff.pc"
  put 0644 docs/libcontextdiff.3 "$mandir/man3/libcontextdiff.3"
}

# addon: installs fcitx5-contextdiff, where it was built. fcitx5 looks for libraries below its own prefix alone, so another one is
# told by its path.
addon() {
  [ -e "$BIN/fcitx5/libfcitx5-contextdiff.so" ] || return 0
  binary 0755 "$BIN/fcitx5/libfcitx5-contextdiff.so" "$libdir/fcitx5/libfcitx5-contextdiff.so"
  if [ "$PREFIX" = /usr ]; then place=; else place=$libdir/fcitx5/; fi
  sed "s,^Library=,&$place," "$BIN/fcitx5/contextdiff.conf" >"$scratch/addon"
  put 0644 "$scratch/addon" "$datadir/fcitx5/addon/contextdiff.conf"
  header=fcitx-module/contextdiff/contextdiff_public.h
  put 0644 "Integrations/fcitx5/include/$header" "$includedir/Fcitx5/Module/$header"
  put 0644 docs/fcitx5-contextdiff.7 "$mandir/man7/fcitx5-contextdiff.7"
}

# running_system: whether what was installed is to be made known to a manager that runs here.
running_system() {
  [ -z "$DESTDIR" ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]
}

# another MANAGER FOLDER: whether a manager finds the units of another installation than that in FOLDER.
another() {
  systemd-analyze "--$1" unit-paths | while read -r other; do
    # /lib may be a link to /usr/lib.
    if [ -f "$other/contextdiffd.socket" ] && [ "$(realpath "$other")" != "$(realpath "$2")" ]; then echo "$other"; fi
  done | grep -q .
}

# remember: writes down what this run made; of one that failed too, for `uninstall`.
remember() {
  [ "${KEEP_MANIFEST:-yes}" = yes ] || return 0
  [ ! -d "${manifest%/*}" ] || awk '!seen[$0]++' "$notes" >"$manifest"
}

install_all() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  notes=$scratch/manifest
  if [ ! -x "$BIN/contextdiffd" ]; then
    echo "nothing to install: no contextdiffd in $BIN; make build makes it" >&2
    exit 1
  fi
  # What stands in the units and in contextdiff.pc: these read a blank, a percent sign and the like as something else.
  case $PREFIX$bindir$libdir$includedir$sysconfdir in
    *[[:space:],\&\\%\$\"\']*)
      echo "nothing installed: PREFIX, bindir, libdir, includedir and sysconfdir may have no blank, and none of , & \\ % \$ \" '" >&2
      exit 64
      ;;
  esac
  check_folders
  # It may fail, for another BIN: before anything is put.
  packaging/spdx.sh >"$scratch/spdx"
  packaging/notices.sh >"$scratch/notices"
  [ -z "$DESTDIR" ] || mkdir -p "$DESTDIR"
  # A second install keeps what the first one made in the list.
  if [ -e "$manifest" ]; then cp "$manifest" "$notes"; else : >"$notes"; fi
  trap 'remember; rm -rf "$scratch"' EXIT
  folder "$datadir/contextdiff"

  for program in contextdiffd contextdiffctl; do
    binary 0755 "$BIN/$program" "$bindir/$program"
    complete "$program"
  done
  library
  addon
  if hides_programs; then
    echo "left out: the system manager's units, for which $bindir is out of sight (ProtectHome=, PrivateTmp=); each user's manager can run it"
  else
    units system "$systemunitdir"
  fi
  units user "$userunitdir"
  put 0644 systemd/sysusers.d/contextdiff.conf "$sysusersdir/contextdiff.conf"
  put 0644 systemd/contextdiffd.catalog "$catalogdir/contextdiffd.catalog"
  put 0644 systemd/contextdiffd.ja.catalog "$catalogdir/contextdiffd.ja.catalog"
  put 0644 Sources/ContextDiffWire/io.contextdiff.varlink "$datadir/contextdiff/io.contextdiff.varlink"
  put 0644 "$scratch/spdx" "$datadir/contextdiff/contextdiff.spdx"
  settings systemd/contextdiffd.yaml "$sysconfdir/contextdiff/contextdiffd.yaml"
  put 0644 systemd/contextdiffd.yaml "$datadir/contextdiff/contextdiffd.yaml"
  for page in contextdiffctl.1 contextdiffd.yaml.5 io.contextdiff.7 contextdiffd.8; do
    put 0644 "docs/$page" "$mandir/man${page##*.}/$page"
  done

  put 0644 LICENSE "$docdir/LICENSE"
  # Of what is linked into the programs: who made it under which licence, and the licences and notices themselves.
  put 0644 packaging/debian/copyright "$docdir/copyright"
  put 0644 "$scratch/notices" "$docdir/third-party-notices"
  find examples -type f ! -name '*.pyc' | while read -r example; do put 0644 "$example" "$docdir/$example"; done

  if running_system; then
    systemd-sysusers "$sysusersdir/contextdiff.conf"
    journalctl --update-catalog
    systemctl daemon-reload
  fi
  # For programs to find the library.
  if [ -z "$DESTDIR" ] && [ "$(id -u)" = 0 ]; then ldconfig; fi
}

uninstall_all() {
  if [ ! -e "$manifest" ]; then
    echo "nothing installed here: no $manifest" >&2
    exit 1
  fi
  if running_system; then
    # Masked, or gone already: no reason to leave the rest.
    if ! another system "$systemunitdir"; then
      systemctl disable --now contextdiffd.socket contextdiffd.service || true
    fi
    if ! another global "$userunitdir"; then
      systemctl --global disable contextdiffd.socket || true
    fi
  fi
  defaults=$(mktemp)
  folders=$(mktemp)
  trap 'rm -f "$defaults" "$folders"' EXIT
  # Without it every settings file counts as changed.
  cp "$DESTDIR$datadir/contextdiff/contextdiffd.yaml" "$defaults" || true
  # The folders from the inside out: the last ones made come first.
  sed -n 's/^folder //p' "$manifest" | tac >"$folders"
  while read -r kind path; do
    case $kind in
      file) rm -f "$DESTDIR$path" ;;
      settings)
        if cmp -s "$defaults" "$DESTDIR$path"; then
          rm -f "$DESTDIR$path"
        elif [ -e "$DESTDIR$path" ]; then
          echo "kept: $DESTDIR$path (it was changed)"
        fi
        ;;
    esac
  done <"$manifest"
  rm -f "$manifest"
  while read -r path; do
    rmdir --ignore-fail-on-non-empty "$DESTDIR$path"
  done <"$folders"
  if running_system; then
    journalctl --update-catalog
    systemctl daemon-reload
    # Of another installation, whose program is another file.
    systemctl try-restart contextdiffd.service || true
  fi
  if [ -z "$DESTDIR" ] && [ "$(id -u)" = 0 ]; then ldconfig; fi
}

case ${1-} in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *)
    echo "usage: packaging/install.sh install|uninstall" >&2
    exit 64
    ;;
esac
