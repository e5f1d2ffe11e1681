#!/bin/sh
# Builds fcitx5-contextdiff over the libcontextdiff that was built.
#
#   packaging/fcitx5.sh FOLDER    FOLDER holds libcontextdiff.so; the addon and its .conf come into FOLDER/fcitx5
#
# Where fcitx5's headers (libfcitx5core-dev), cmake or a C++ compiler are missing it says so and leaves the addon out. The addon
# finds the library where the dynamic linker does.
set -eu

source=$(pwd)
folder=$(realpath "$1")
if ! pkg-config --exists Fcitx5Core || ! command -v cmake >/dev/null || ! command -v c++ >/dev/null; then
  echo "no addon for fcitx5: it needs libfcitx5core-dev, cmake and g++" >&2
  exit 0
fi
mkdir -p "$folder/fcitx5/build"
headers=$source/Sources/CContextDiff/include
library=$folder
# CMake takes what pkg-config says apart at each space, so that a tree in such a path is reached by links.
case $headers$library in
  *" "*)
    links=$(mktemp -d)
    trap 'rm -rf "$links"' EXIT
    ln -s "$headers" "$links/include"
    ln -s "$library" "$links/lib"
    headers=$links/include
    library=$links/lib
    # It remembers what pkg-config said of the links of another run.
    rm -f "$folder/fcitx5/build/CMakeCache.txt"
    ;;
esac
# What an installed libcontextdiff says of itself, for the one in the tree.
cat >"$folder/fcitx5/contextdiff.pc" <<END
Name: contextdiff
Description: what happened between two snapshots of the text around a caret
Version: 0.1.0
Libs: -L$library -lcontextdiff
Cflags: -I$headers
END
export PKG_CONFIG_PATH="$folder/fcitx5"
cmake -S Integrations/fcitx5 -B "$folder/fcitx5/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_SKIP_RPATH=ON \
  -DCMAKE_CXX_FLAGS="-D_FORTIFY_SOURCE=2 -fstack-protector-strong -Wformat -Werror=format-security" \
  -DCMAKE_MODULE_LINKER_FLAGS="-Wl,-z,relro -Wl,-z,now" \
  -DCMAKE_LIBRARY_OUTPUT_DIRECTORY="$folder/fcitx5" >"$folder/fcitx5/log" 2>&1 &&
  cmake --build "$folder/fcitx5/build" >>"$folder/fcitx5/log" 2>&1 || {
  cat "$folder/fcitx5/log" >&2
  exit 1
}
cp "$folder/fcitx5/build/contextdiff.conf" "$folder/fcitx5/contextdiff.conf"
