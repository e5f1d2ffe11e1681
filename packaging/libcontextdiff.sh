#!/bin/sh
# Links libcontextdiff.so from what `swift build --product contextdiff` left.
#
#   packaging/libcontextdiff.sh FOLDER    reads what is in FOLDER, leaves the library there
#
# SwiftPM puts Swift's runtime into programs alone, so the last step is made here: the runtime goes
# inside, contextdiff.h's symbols come out and no others, and what none of them needs is left away.
# The library is never unloaded: the runtime keeps for good what it was told by its libraries.
set -eu

# The ABI's number, which the soname has, and how often something was added to it since.
abi=1
file=libcontextdiff.so.$abi.0.0

cd "$1"
[ libcontextdiff.so -nt libcontextdiff.a ] && exit 0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/map" <<END
CONTEXTDIFF_$abi {
  global: contextdiff_*;
  local: *;
};
END
# The objects, and not the archive of them: it still holds those of sources that are gone, and
# -static-stdlib hides the symbols of archives.
swiftc -use-ld=lld -emit-library -static-stdlib -o "$scratch/$file" \
  @contextdiff.product/Objects.LinkFileList \
  -Xlinker "-soname=libcontextdiff.so.$abi" -Xlinker "--version-script=$scratch/map" \
  -Xlinker --build-id -Xlinker --gc-sections -Xlinker -z -Xlinker nodelete -Xlinker -z -Xlinker defs \
  -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
mv "$scratch/$file" "$file"
ln -sf "$file" "libcontextdiff.so.$abi"
ln -sf "libcontextdiff.so.$abi" libcontextdiff.so
