// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON from untrusted files. The library's parser takes any depth, but
// printing, comparing and freeing its result are recursive, and a megabyte of
// brackets overflows the stack.

#ifndef TERT_SUPPORT_JSON_H
#define TERT_SUPPORT_JSON_H

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace tert::session {

/// Far deeper than any of our files.
constexpr size_t maxJsonLevels = 64;

/// True if arrays and objects are nested at most maxJsonLevels deep.
bool isShallowJson(std::string_view text);

/// The parsed text, as nlohmann::json or ordered_json; a discarded value if it
/// is invalid or too deep.
template <typename Json = nlohmann::json>
Json parseJson(std::string_view text) {
  if (!isShallowJson(text))
    return Json(nlohmann::json::value_t::discarded);
  return Json::parse(text.begin(), text.end(), nullptr,
                     /*allow_exceptions=*/false);
}

} // namespace tert::session

#endif // TERT_SUPPORT_JSON_H
