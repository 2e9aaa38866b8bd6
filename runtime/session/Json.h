// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON from files, which may hold anything. The library's parser takes any
// depth, but printing, comparing and freeing what it made go down recursively,
// and a megabyte of brackets is deeper than a stack.

#ifndef TERT_SESSION_JSON_H
#define TERT_SESSION_JSON_H

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace tert::session {

/// Deeper than any file of ours, by far.
constexpr size_t mostJsonLevels = 64;

/// Whether arrays and objects stand in each other at most mostJsonLevels deep.
bool isShallowJson(std::string_view text);

/// What the text says, as nlohmann::json or ordered_json; a discarded value if
/// it is not valid or too deep.
template <typename Json = nlohmann::json>
Json parseJson(std::string_view text) {
  if (!isShallowJson(text))
    return Json(nlohmann::json::value_t::discarded);
  return Json::parse(text.begin(), text.end(), nullptr,
                     /*allow_exceptions=*/false);
}

} // namespace tert::session

#endif // TERT_SESSION_JSON_H
