// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/KernelName.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

/// `text` without the bracketed part at its end, if it has one.
static std::string withoutLast(std::string text, char open, char close) {
  if (text.empty() || text.back() != close)
    return text;
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    depth += (text[i] == close) - (text[i] == open);
    if (depth == 0)
      return text.substr(0, i);
  }
  return text;
}

std::string tert::cuda::readableKernelName(const std::string &symbol) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> demangled(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
      std::free);
  if (!demangled)
    return symbol;
  std::string name = withoutLast(demangled.get(), '(', ')');
  name = withoutLast(name, '<', '>');
  // The return type ends with a space, a namespace with colons.
  size_t begin = name.find_last_of(" :");
  return begin == std::string::npos ? name : name.substr(begin + 1);
}
