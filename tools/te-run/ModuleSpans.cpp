// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleSpans.h"

#include <algorithm>
#include <cctype>

using namespace tert::run;

static bool isIndex(const std::string &part) {
  return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c));
  });
}

/// "transformer", "h.0", "mlp" of "transformer.h.0.mlp".
static std::vector<std::string> partsOf(const std::string &module) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < module.size();) {
    const size_t end = std::min(module.find('.', at), module.size());
    std::string part = module.substr(at, end - at);
    if (isIndex(part) && !parts.empty())
      parts.back() += "." + part;
    else
      parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

std::string tert::run::moduleOf(const std::string &location) {
  const std::string module = location.substr(0, location.find(" ("));
  // A place in a file, "model.py:3", is no module, and neither are several.
  return module.find_first_of(":, ") == module.npos ? module : "";
}

std::vector<ModuleSpan>
tert::run::spansOfModules(const std::vector<OpSpan> &ops) {
  std::vector<ModuleSpan> spans;
  std::vector<size_t> open; // Of `spans`, from the outermost module inwards.
  double end = 0;
  auto closeAbove = [&](size_t depth) {
    for (; open.size() > depth; open.pop_back())
      spans[open.back()].seconds = end - spans[open.back()].begin;
  };
  for (const OpSpan &op : ops) {
    const std::vector<std::string> parts = partsOf(moduleOf(op.location));
    size_t common = 0;
    while (common < std::min(open.size(), parts.size()) &&
           spans[open[common]].name == parts[common])
      ++common;
    closeAbove(common);
    for (size_t i = common; i < parts.size(); ++i) {
      std::string module =
          (i ? spans[open.back()].module + "." : "") + parts[i];
      open.push_back(spans.size());
      spans.push_back({parts[i], std::move(module), op.begin, 0});
    }
    end = std::max(end, op.begin + op.seconds);
  }
  closeAbove(0);
  return spans;
}
