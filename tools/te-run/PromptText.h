// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of a model with a tokenizer, which Python runs (temlir_data).

#ifndef TE_RUN_PROMPTTEXT_H
#define TE_RUN_PROMPTTEXT_H

#include "generation/TokenModel.h"

#include <optional>
#include <string>
#include <vector>

namespace tert::run {

/// A tokenizer.json, a folder with one, or another name that temlir_data knows.
struct Tokenizer {
  std::string name; ///< Empty: none.
  std::string python = "python3";
};

struct EncodedPrompts {
  std::vector<generation::Tokens> prompts; ///< One for each text.
  std::optional<int64_t> end;              ///< The id that ends texts.
};

session::Expected<EncodedPrompts>
encodePrompts(const Tokenizer &tokenizer,
              const std::vector<std::string> &texts);

/// Prints the text of each sequence to stdout.
session::Error printTexts(const Tokenizer &tokenizer,
                          const std::vector<generation::Tokens> &sequences);

} // namespace tert::run

#endif // TE_RUN_PROMPTTEXT_H
