#!/bin/sh
# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: precompile.sh SOURCE_DIR COMPILER ARGUMENTS...
#
# Compiles a precompiled header and writes FILE.sum beside it: a checksum of the
# compiler, the arguments and all headers read. A precompiled header holds the
# path of its folder; ccache hashes the checksum instead, so that clones in
# different folders share its results.
set -eu
root=$1
shift
"$@"
command=$*
compiler=$1
out= deps=
while [ $# -gt 1 ]; do
  case $1 in
    -o) out=$2 ;;
    -MF) deps=$2 ;;
  esac
  shift
done
{
  "$compiler" --version
  printf '%s\n' "$command" | sed "s|$root||g"
  # A make rule: "target: file file \".
  sed -e 's/^[^:]*: //' -e 's/\\$//' "$deps" | tr -s ' ' '\n' | grep . | xargs cat
} | sha256sum >"$out.sum"
