#!/bin/sh
# Says what the programs are built of, as SPDX 2.3 in its tag-value form: for who must know whether something is affected.
#
#   packaging/spdx.sh >contextdiff.spdx     in a built tree: the versions are those of Package.resolved
#
# BIN names the folder of the programs, .build/product/release. Of what was fetched, what no product links is left out.
# SOURCE_DATE_EPOCH sets the time that it says it was made at; else it is that of the last commit, or now.
set -eu
cd "$(dirname "$0")/.."

. packaging/linked.sh

version=$(packaging/version.sh)
epoch=${SOURCE_DATE_EPOCH:-$([ -e .git ] && git log -1 --format=%ct 2>/dev/null || date +%s)}

cat <<END
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: contextdiff-$version
DocumentNamespace: https://github.com/contextdiff/contextdiff/spdx/$version-$epoch
Creator: Organization: contextdiff
Created: $(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)
END

# part NAME VERSION PLACE LICENCE RELATION: one thing that it is built of.
part() {
  # Letters, digits, dots and hyphens are all that an id may have.
  id=SPDXRef-$(printf %s "$1" | tr -c 'A-Za-z0-9.-' -)
  cat <<END

PackageName: $1
SPDXID: $id
PackageVersion: $2
PackageDownloadLocation: $3
FilesAnalyzed: false
PackageLicenseConcluded: $4
PackageLicenseDeclared: $4
PackageCopyrightText: NOASSERTION
Relationship: ${6:-SPDXRef-contextdiff} $5 $id
END
}

part contextdiff "$version" https://github.com/contextdiff/contextdiff Apache-2.0 DESCRIBES SPDXRef-DOCUMENT

# Linked into the programs and the library.
toolchain | while read -r name; do
  place=$name
  if [ "$name" = swift-runtime ]; then place=swift; fi
  part "$name" "${swift:-NOASSERTION}" "https://github.com/swiftlang/$place" "Apache-2.0 WITH Swift-exception" STATIC_LINK
done
packages | while read -r name resolved place; do
  licence=Apache-2.0
  if grep -qi 'runtime library exception' "$fetched/$name/LICENSE.txt" 2>/dev/null; then licence="Apache-2.0 WITH Swift-exception"; fi
  part "$name" "$resolved" "$place" "$licence" STATIC_LINK
done
# NIOHTTP1's, which contextdiffctl's playground reads requests by.
llhttp=$(sed -n 's/^#define LLHTTP_VERSION_[A-Z]* //p' "$fetched/swift-nio/Sources/CNIOLLHTTP/include/c_nio_llhttp.h" 2>/dev/null |
  paste -sd .)
part llhttp "${llhttp:-NOASSERTION}" https://github.com/nodejs/llhttp MIT CONTAINS SPDXRef-swift-nio

# Of the machine that it runs on; the versions are those that it was built with.

# installed PACKAGE: the version of a library that is installed.
installed() {
  version=$(pkg-config --modversion "$1" 2>/dev/null) || version=NOASSERTION
  echo "$version"
}

part libsystemd "$(installed libsystemd)" https://github.com/systemd/systemd LGPL-2.1-or-later DYNAMIC_LINK
part libyaml "$(installed yaml-0.1)" https://github.com/yaml/libyaml MIT DYNAMIC_LINK
part glibc "$(ldd --version | sed -n '1s/.* //p')" https://sourceware.org/git/glibc.git LGPL-2.1-or-later DYNAMIC_LINK
# Of GCC, whose version is that of the machine's own package.
gcc=$(dpkg-query -W -f '${source:Upstream-Version}' libstdc++6 2>/dev/null) || gcc=NOASSERTION
for library in libstdc++ libgcc_s; do
  if holds "$library.so"; then
    part "$library" "$gcc" https://gcc.gnu.org/git/gcc.git "GPL-3.0-or-later WITH GCC-exception-3.1" DYNAMIC_LINK
  fi
done
