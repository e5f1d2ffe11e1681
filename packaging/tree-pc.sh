#!/bin/sh
# Writes contextdiff.pc for the library that was built in the tree, as an installed one has it.
#
#   packaging/tree-pc.sh LIBRARY FOLDER    LIBRARY is the folder of libcontextdiff.so; contextdiff.pc comes into FOLDER
#
# Library and header are reached by links in FOLDER: what CMake takes of pkg-config it takes apart at each space, so FOLDER's path
# has none where the tree's has one.
set -eu

folder=$(realpath "$2")
ln -sfn "$(realpath Sources/CContextDiff/include)" "$folder/include"
ln -sfn "$(realpath "$1")" "$folder/lib"
version=$(packaging/version.sh)
sed -e "s,@prefix@,$folder,g" -e "s,@libdir@,$folder/lib,g" -e "s,@includedir@,$folder/include,g" -e "s,@version@,$version,g" \
  packaging/contextdiff.pc.in >"$folder/contextdiff.pc"
