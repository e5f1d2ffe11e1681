#!/bin/sh
# Writes the licences and notices of what the programs are linked of: those files of the sources that were fetched, as they are.
#
#   packaging/notices.sh >third-party-notices     in a built tree
#
# BIN names the folder of the programs, .build/product/release.
set -eu
cd "$(dirname "$0")/.."
. packaging/linked.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

line() {
  printf '%0100d\n' 0 | tr 0 "$1"
}

# text TITLE FILE: the file as it is; where another of the same text came before, that one's title.
text() {
  seen=$scratch/$(cksum <"$2" | tr ' ' -)
  if [ -e "$seen" ]; then
    printf '\n%s: the same text as %s\n' "$1" "$(cat "$seen")"
    return
  fi
  echo "$1" >"$seen"
  printf '\n%s\n' "$1"
  line -
  # With a newline at its end, which one may lack.
  sed -e '$a\' "$2"
  line -
}

cat <<END_OF_HEAD
contextdiffd, contextdiffctl and libcontextdiff hold what is named below. Each has its licence here, and the notice that comes with
it; contextdiff's own licence is in the file LICENSE. contextdiff.spdx says where each comes from.
END_OF_HEAD

packages >"$scratch/packages"
while read -r name version _; do
  echo
  line =
  echo "$name $version"
  for file in "$fetched/$name/LICENSE"* "$fetched/$name/NOTICE"*; do
    if [ -f "$file" ]; then text "$name's ${file##*/}" "$file"; fi
  done
  # What a package took in from somebody else.
  for module in $(printf '%s\n' $modules | sort -u); do
    for file in "$fetched/$name/Sources/$module/LICENSE"* "$fetched/$name/Sources/$module/NOTICE"*; do
      if [ -f "$file" ]; then text "$name's Sources/$module/${file##*/}" "$file"; fi
    done
  done
done <"$scratch/packages"

toolchain >"$scratch/toolchain"
while read -r name; do
  echo
  line =
  echo "$name ${swift:-}"
  echo
  # Who installs may have no Swift, and with it no file of its licence.
  echo "Copyright Apple Inc. and the Swift project authors. Licensed under the Apache License, Version 2.0, with Runtime Library"
  echo "Exception: the text of swift-argument-parser's LICENSE.txt, above."
done <"$scratch/toolchain"
