#!/bin/sh
# Says which version the tree is of.
#
#   packaging/version.sh
set -eu
cd "$(dirname "$0")/.."
sed -n 's/.*contextdiffVersion = "\(.*\)"/\1/p' Sources/ContextDiffWire/Version.swift
