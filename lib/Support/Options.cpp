// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Support/Options.h"

#include "support/Suggest.h"

#include <cmath>

using namespace mlir::te;
using llvm::StringRef;

llvm::SmallVector<StringRef> options::splitList(StringRef text) {
  llvm::SmallVector<StringRef> pieces;
  int depth = 0;
  size_t begin = 0;
  auto take = [&](size_t end) {
    if (end > begin)
      pieces.push_back(text.slice(begin, end));
    begin = end + 1;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (text[i] == ',' && depth <= 0)
      take(i);
  }
  take(text.size());
  return pieces;
}

OptionProblem options::parse(StringRef text, std::string &value) {
  value = text.str();
  return std::nullopt;
}

OptionProblem options::parse(StringRef text, bool &value) {
  if (text != "" && text != "true" && text != "false")
    return "is a flag; it is true or false";
  value = text != "false";
  return std::nullopt;
}

OptionProblem options::parse(StringRef text, double &value) {
  double number;
  if (text.getAsDouble(number) || !std::isfinite(number))
    return "is not a number";
  value = number;
  return std::nullopt;
}

OptionProblem options::parse(StringRef text, std::vector<std::string> &value) {
  value.push_back(text.str());
  return std::nullopt;
}

llvm::json::Value options::print(const std::string &value) {
  return value.empty() ? llvm::json::Value(nullptr) : value;
}

llvm::json::Value options::print(bool value) {
  return value ? llvm::json::Value(true) : nullptr;
}

llvm::json::Value options::print(const std::vector<std::string> &value) {
  return value.empty() ? llvm::json::Value(nullptr) : llvm::json::Array(value);
}

std::string OptionInfo::getFlag() const {
  return (name.size() == 1 ? "-" : "--") + name.str();
}

std::vector<std::string> OptionInfo::getChoiceNames() const {
  std::vector<std::string> names;
  for (const Choice &choice : choices)
    names.push_back(choice.name.str());
  return names;
}

std::string mlir::te::explainProblem(const OptionInfo &option, StringRef value,
                                     StringRef problem) {
  const std::vector<std::string> names = option.getChoiceNames();
  std::string text = option.getFlag() + "=" + value.str() + " " + problem.str();
  if (names.empty())
    return text;
  std::string word = value.str();
  for (StringRef piece : options::splitList(value))
    if (!llvm::is_contained(names, piece))
      word = piece.str();
  return text + "; use " + llvm::join(names, ", ") +
         ::tert::session::didYouMean(word, names);
}

std::string mlir::te::explainUnknown(StringRef name,
                                     const std::vector<std::string> &names) {
  return "there is no option '" + name.str() + "'" +
         ::tert::session::didYouMean(name.str(), names);
}
