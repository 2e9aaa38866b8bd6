// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tuning/GemmProblem.h"

#include "program/Tensor.h"

#include <charconv>

using namespace tert;

void GemmProblem::setDenseStrides() {
  aStride = transposeA ? m : k;
  bStride = transposeB ? k : n;
  dStride = n;
}

static constexpr std::pair<ScaleMode, std::string_view> scaleModes[] = {
    {ScaleMode::Matrix, "matrix"},
    {ScaleMode::Row, "row"},
    {ScaleMode::Vector, "1x128"},
    {ScaleMode::Block, "128x128"}};

static std::string_view nameOf(ScaleMode mode) {
  return scaleModes[static_cast<size_t>(mode)].second;
}

std::string tert::describe(const GemmProblem &problem) {
  auto operand = [](tert_dtype dtype, bool transposed) {
    return dtypeName(dtype) + (transposed ? "^T" : "");
  };
  std::string text =
      std::to_string(problem.m) + "x" + std::to_string(problem.n) + "x" +
      std::to_string(problem.k) + " " + operand(problem.a, problem.transposeA) +
      " * " + operand(problem.b, problem.transposeB) + " -> " +
      dtypeName(problem.d);
  if (problem.hasBias)
    text += " + bias";
  if (problem.addToD)
    text += " + d";
  if (problem.scaled)
    text += problem.fastAccumulate ? ", fast" : ", split";
  if (std::pair(problem.aScales, problem.bScales) !=
      std::pair(ScaleMode::Matrix, ScaleMode::Matrix))
    text += ", scales " + std::string(nameOf(problem.aScales)) + " " +
            std::string(nameOf(problem.bScales));
  return text;
}

std::string tert::keyText(const GemmProblem &problem) {
  std::string text = describe(problem);
  GemmProblem dense = problem;
  dense.setDenseStrides();
  if (std::tie(problem.aStride, problem.bStride, problem.dStride) !=
      std::tie(dense.aStride, dense.bStride, dense.dStride))
    text += ", strides " + std::to_string(problem.aStride) + " " +
            std::to_string(problem.bStride) + " " +
            std::to_string(problem.dStride);
  const int32_t whole = GemmProblem().aAlignment;
  if (std::tie(problem.aAlignment, problem.bAlignment, problem.dAlignment) !=
      std::tie(whole, whole, whole))
    text += ", aligned " + std::to_string(problem.aAlignment) + " " +
            std::to_string(problem.bAlignment) + " " +
            std::to_string(problem.dAlignment);
  return text;
}

namespace {
/// A parser of a text.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  bool skip(std::string_view word) {
    if (rest.substr(0, word.size()) != word)
      return false;
    rest.remove_prefix(word.size());
    return true;
  }
  /// Parses a positive number.
  template <typename T> bool number(T &value) {
    auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || value <= 0)
      return false;
    rest.remove_prefix(end - rest.data());
    return true;
  }
  template <typename T> bool numbers(T &a, T &b, T &c) {
    return number(a) && skip(" ") && number(b) && skip(" ") && number(c);
  }
  bool dtype(tert_dtype &value) {
    for (tert_dtype candidate : {TERT_F32, TERT_BF16, TERT_F8E4M3, TERT_F8E5M2})
      if (skip(dtypeName(candidate))) {
        value = candidate;
        return true;
      }
    return false;
  }
  bool scaleMode(ScaleMode &value) {
    for (auto [mode, name] : scaleModes)
      if (skip(name)) {
        value = mode;
        return true;
      }
    return false;
  }
  bool atEnd() const { return rest.empty(); }

private:
  std::string_view rest;
};
} // namespace

std::optional<GemmProblem> tert::parseGemmProblem(std::string_view text) {
  Reader reader(text);
  GemmProblem problem;
  if (!(reader.number(problem.m) && reader.skip("x") &&
        reader.number(problem.n) && reader.skip("x") &&
        reader.number(problem.k) && reader.skip(" ") &&
        reader.dtype(problem.a)))
    return std::nullopt;
  problem.transposeA = reader.skip("^T");
  if (!(reader.skip(" * ") && reader.dtype(problem.b)))
    return std::nullopt;
  problem.transposeB = reader.skip("^T");
  if (!(reader.skip(" -> ") && reader.dtype(problem.d)))
    return std::nullopt;
  problem.hasBias = reader.skip(" + bias");
  problem.addToD = reader.skip(" + d");
  problem.fastAccumulate = reader.skip(", fast");
  problem.scaled = problem.fastAccumulate || reader.skip(", split");
  if (problem.scaled && reader.skip(", scales ") &&
      !(reader.scaleMode(problem.aScales) && reader.skip(" ") &&
        reader.scaleMode(problem.bScales)))
    return std::nullopt;
  problem.setDenseStrides();
  if (reader.skip(", strides ") &&
      !reader.numbers(problem.aStride, problem.bStride, problem.dStride))
    return std::nullopt;
  if (reader.skip(", aligned ") &&
      !reader.numbers(problem.aAlignment, problem.bAlignment,
                      problem.dAlignment))
    return std::nullopt;
  // Other spellings are no keys, for example "8x08x8".
  if (!reader.atEnd() || keyText(problem) != text)
    return std::nullopt;
  return problem;
}
