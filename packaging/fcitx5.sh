#!/bin/sh
# Builds fcitx5-contextdiff over the libcontextdiff that was built.
#
#   packaging/fcitx5.sh FOLDER    FOLDER holds libcontextdiff.so; the addon and its .conf come into FOLDER/fcitx5
#
# Where fcitx5's headers (libfcitx5core-dev), cmake or a C++ compiler are missing it says so and leaves the addon out; where those of
# its modules are (fcitx5-modules-dev), the clipboard. CPPFLAGS, CXXFLAGS and LDFLAGS are the caller's,
# with its own behind them. The addon finds the library where the dynamic linker does.
set -eu

folder=$(realpath "$1")
if ! pkg-config --exists Fcitx5Core || ! command -v cmake >/dev/null || ! command -v "${CXX:-c++}" >/dev/null; then
  echo "no addon for fcitx5: it needs libfcitx5core-dev, cmake and g++, and fcitx5-modules-dev for the clipboard" >&2
  exit 0
fi
pkg-config --exists Fcitx5Module ||
  echo "the addon for fcitx5 without its clipboard, which needs fcitx5-modules-dev" >&2
mkdir -p "$folder/fcitx5/build"
# It knows the paths of the tree that it was built in, which may have been another.
cache=$folder/fcitx5/build/CMakeCache.txt
grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(realpath Integrations/fcitx5)" "$cache" || rm -f "$cache"
pc=$folder/fcitx5
case $pc in
  *" "*)
    pc=$(mktemp -d)
    trap 'rm -rf "$pc"' EXIT
    # It remembers what pkg-config said of the links of another run.
    rm -f "$cache"
    ;;
esac
packaging/tree-pc.sh "$folder" "$pc"
export PKG_CONFIG_PATH="$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
flags="${CPPFLAGS-} ${CXXFLAGS-}"
fortify=-D_FORTIFY_SOURCE=2
case "$flags $("${CXX:-c++}" -O2 -dM -E -x c++ /dev/null)" in *_FORTIFY_SOURCE*) fortify= ;; esac
# It finds libcontextdiff beside its own folder, below whatever prefix the two come to lie.
cmake -S Integrations/fcitx5 -B "$folder/fcitx5/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_SKIP_RPATH=ON \
  -DCMAKE_CXX_FLAGS="$flags $fortify -fstack-protector-strong -Wformat -Werror=format-security" \
  -DCMAKE_MODULE_LINKER_FLAGS="${LDFLAGS-} -Wl,-z,relro -Wl,-z,now -Wl,-rpath,'\$ORIGIN/..'" \
  -DCMAKE_LIBRARY_OUTPUT_DIRECTORY="$folder/fcitx5" >"$folder/fcitx5/log" 2>&1 &&
  cmake --build "$folder/fcitx5/build" >>"$folder/fcitx5/log" 2>&1 || {
  cat "$folder/fcitx5/log" >&2
  exit 1
}
cp "$folder/fcitx5/build/contextdiff.conf" "$folder/fcitx5/contextdiff.conf"
