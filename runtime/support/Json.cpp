// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Json.h"

bool tert::session::isShallowJson(std::string_view text) {
  size_t level = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i; // The escaped character does not end the string.
      else
        inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++level > maxJsonLevels)
        return false;
    } else if ((c == ']' || c == '}') && level) {
      --level;
    }
  }
  return true;
}
