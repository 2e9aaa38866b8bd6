# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints what bash would propose for the last of the words of a command:
# complete.sh SCRIPT WORD...
source "$1"
shift
compopt() { echo "$@"; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
function=$(complete -p "$1" | sed 's/.*-F \([^ ]*\).*/\1/')
$function "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
