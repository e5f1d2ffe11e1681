# To be sourced, in the tree's folder: what the programs in BIN (.build/product/release) were linked of.
#
#   fetched        the folder of the sources that were fetched
#   modules        the modules that a product links
#   packages       writes a line for each fetched package that a product links: NAME VERSION PLACE
#   holds TEXT     whether a product has that text in it
#   swift          the version of Swift whose runtime is in the products
#   toolchain      writes the name of each part of Swift that a product links
#
# Ends, with a line that says what is missing, where it cannot be told.

bin=${BIN:-.build/product/release}
# What was fetched lies above the folder of the programs, which is a link to one a folder deeper; or the programs were moved.
above=$(realpath -m "$bin/../../checkouts")
if real=$(realpath -e "$bin" 2>/dev/null); then above=$(realpath -m "$real/../../checkouts"); fi
for fetched in "$above" .build/product/checkouts; do
  if [ -d "$fetched" ]; then break; fi
done
if [ ! -d "$fetched" ]; then
  echo "${0##*/}: what was fetched to build $bin is neither in $above nor in $fetched" >&2
  exit 1
fi
modules=
for product in contextdiffd contextdiffctl contextdiff; do
  list=$bin/$product.product/Objects.LinkFileList
  if [ ! -r "$list" ]; then
    echo "${0##*/}: $bin does not say what its programs were linked of: no $list" >&2
    exit 1
  fi
  modules="$modules $(sed -n 's,.*/\([^/]*\)\.build/.*,\1,p' "$list" | sort -u)"
done
# Of the tree that it was fetched for, or of this one.
for pins in "$(realpath -m "$fetched/../../../Package.resolved")" Package.resolved; do
  if [ -r "$pins" ]; then break; fi
done
if [ ! -r "$pins" ]; then
  echo "${0##*/}: no Package.resolved, which has the versions of what was fetched, in $(realpath -m "$fetched/../../..") nor in $(pwd); make build makes it" >&2
  exit 1
fi

# links NAME: whether a product links a module of that package.
links() {
  if [ ! -d "$fetched/$1/Sources" ]; then return 0; fi
  for module in $modules; do
    if [ -d "$fetched/$1/Sources/$module" ]; then return 0; fi
  done
  return 1
}

packages() {
  awk -F'"' '
    $2 == "identity" { name = $4 }
    $2 == "location" { place = $4 }
    $2 == "version" && name != "" { print name, $4, place; name = "" }
  ' "$pins" | while read -r name resolved place; do
    if links "$name"; then echo "$name $resolved $place"; fi
  done
}

holds() {
  grep -aqF -e "$1" "$bin/contextdiffd" "$bin/contextdiffctl" "$bin/libcontextdiff.so"
}

# The program says which it is: root, who installs it, may have no Swift.
swift=$(LC_ALL=C grep -aom 1 'Swift version [0-9][0-9.]*' "$bin/contextdiffd" | sed -n '1s/.* //p')
# What is linked by need is known by a text that it puts into a program, stripped or not.
toolchain() {
  echo swift-runtime
  if holds FoundationEssentials; then echo swift-foundation; fi
  if holds com.apple.root.utility-qos; then echo swift-corelibs-libdispatch; fi
}
