#!/bin/sh
# Makes a Debian package of the built programs, with debhelper.
#
#   packaging/deb.sh FOLDER     leaves contextdiff_VERSION_ARCH.deb in FOLDER
#
# BIN names the folder of the programs.
set -eu

source=$(pwd)
mkdir -p "$1"
folder=$(realpath "$1")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/contextdiff"
cp -R packaging/debian "$tree/contextdiff/debian"
cd "$tree/contextdiff"
CONTEXTDIFF_SOURCE=$source BIN=$(cd "$source" && realpath "$BIN") \
  dpkg-buildpackage --build=binary --no-sign --no-check-builddeps >"$tree/log" 2>&1 || {
  cat "$tree/log" >&2
  exit 1
}
cp "$tree"/contextdiff_*.deb "$folder"
ls "$folder"/contextdiff_*.deb
