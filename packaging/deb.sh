#!/bin/sh
# Makes Debian packages of what was built, with debhelper.
#
#   packaging/deb.sh FOLDER     leaves NAME_VERSION_ARCH.deb of each package in FOLDER, the daemon's first
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
cp "$tree"/*.deb "$folder"
# No addon for fcitx5 where it could not be built.
for package in $(sed -n 's/^Package: //p' debian/control); do
  for made in "$tree/$package"_*.deb; do
    [ ! -e "$made" ] || echo "$folder/${made##*/}"
  done
done
