#!/bin/sh
# Makes the Debian source package: what git has, and in vendor/ the Swift packages that it is built with, so that it is built
# without a network.
#
#   packaging/source.sh FOLDER    leaves contextdiff_VERSION.dsc and contextdiff_VERSION.tar.xz in FOLDER, and prints the former's path
set -eu

# What lies in another repository's tree, git would take for its.
if [ ! -e .git ]; then
  echo "no source package made: $(pwd) is not a git repository, which says what belongs into it; make it in a clone" >&2
  exit 1
fi
mkdir -p "$1"
folder=$(realpath "$1")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/contextdiff/vendor"
scripts/swift package --scratch-path .build/product resolve >"$tree/log" 2>&1 || {
  cat "$tree/log" >&2
  exit 1
}
# Not in pipes, in which a failure of the first command would be none.
git ls-files -z >"$tree/names"
tar --create --null --files-from="$tree/names" --file="$tree/files"
tar --extract --directory="$tree/contextdiff" --file="$tree/files"
cp -R packaging/debian "$tree/contextdiff/debian"
tar --create --exclude-vcs --directory=.build/product --file="$tree/files" checkouts workspace-state.json
tar --extract --directory="$tree/contextdiff/vendor" --file="$tree/files"
(cd "$tree" && dpkg-source --build contextdiff) >"$tree/log" 2>&1 || {
  cat "$tree/log" >&2
  exit 1
}
cp "$tree"/*.dsc "$tree"/*.tar.xz "$folder"
echo "$folder/$(basename "$tree"/*.dsc)"
