// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Frontend/ParameterInitialization.h"

#include "te/Dialect/TE/IR/LayerOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

/// Reads `count` numbers separated by colons.
static bool parseNumbers(StringRef text, unsigned least, unsigned most,
                         SmallVectorImpl<double> &numbers) {
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ':');
  if (parts.size() < least || parts.size() > most)
    return false;
  for (StringRef part : parts) {
    double number;
    if (part.getAsDouble(number) || !std::isfinite(number))
      return false;
    numbers.push_back(number);
  }
  return true;
}

FailureOr<InitializationRules> InitializationRules::parse(StringRef text,
                                                          std::string &error) {
  InitializationRules result;
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    item = item.trim();
    auto fail = [&](const Twine &reason) {
      error = ("'" + item + "': " + reason).str();
      return failure();
    };
    Rule rule;
    StringRef value = item;
    if (item.contains('=')) {
      auto [pattern, rest] = item.split('=');
      rule.pattern = pattern.str();
      value = rest;
      auto glob = llvm::GlobPattern::create(rule.pattern);
      if (!glob)
        return fail(llvm::toString(glob.takeError()));
    }
    auto [kind, arguments] = value.split(':');
    SmallVector<double> numbers;
    if (kind == "zeros" || kind == "ones") {
      if (!arguments.empty())
        return fail(kind + " takes no number");
      rule.constant = kind == "ones";
    } else if (kind == "constant") {
      if (!parseNumbers(arguments, 1, 1, numbers))
        return fail("constant takes one number, as in constant:0.5");
      rule.constant = numbers[0];
    } else if (kind == "normal") {
      if (!parseNumbers(arguments, 1, 2, numbers) || numbers.back() < 0)
        return fail("normal takes a standard deviation, or a mean and a "
                    "standard deviation, as in normal:0.02 or normal:0:0.02");
      double mean = numbers.size() == 2 ? numbers[0] : 0;
      rule.value = llvm::formatv("normal:{0:e9},{1:e9}", mean, numbers.back());
    } else if (kind == "uniform") {
      if (!parseNumbers(arguments, 2, 2, numbers) || numbers[0] >= numbers[1])
        return fail("uniform takes two increasing numbers, as in "
                    "uniform:-0.1:0.1");
      rule.value =
          llvm::formatv("uniform:{0:e9},{1:e9}", numbers[0], numbers[1]);
    } else {
      return fail("unknown kind '" + kind +
                  "'; use normal, uniform, constant, zeros or ones");
    }
    result.rules.push_back(std::move(rule));
  }
  return result;
}

/// True if a value is a factor of every row of a product, like the gain of a
/// decomposed norm.
static bool isGain(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            linalg::BroadcastOp>(user))
      return isGain(user->getResult(0));
    return isa<arith::MulFOp>(user);
  });
}

/// True if a parameter scales a normalized value, so that its neutral initial
/// value is 1.
static bool isNormScale(Value parameter) {
  return llvm::any_of(parameter.getUsers(),
                      [&](Operation *user) {
                        auto scales = [&](auto norm) {
                          return norm && norm.getGamma() == parameter &&
                                 !norm.getZeroCentered();
                        };
                        return scales(dyn_cast<LayerNormOp>(user)) ||
                               scales(dyn_cast<RMSNormOp>(user));
                      }) ||
         isGain(parameter);
}

Attribute InitializationRules::attribute(MLIRContext *context,
                                         const Rule &rule) const {
  if (!rule.value.empty())
    return StringAttr::get(context, rule.value);
  return FloatAttr::get(Float64Type::get(context), rule.constant);
}

/// A pattern that parse() has accepted.
static bool matches(StringRef pattern, StringRef name) {
  return cantFail(llvm::GlobPattern::create(pattern)).match(name);
}

std::vector<std::string>
InitializationRules::findUnmatched(func::FuncOp forward) const {
  std::vector<std::string> unmatched;
  for (const Rule &rule : rules) {
    bool found = rule.pattern.empty();
    for (unsigned i = 0; i < forward.getNumArguments() && !found; ++i)
      if (auto name = forward.getArgAttrOfType<StringAttr>(i, kParamAttr))
        found = matches(rule.pattern, name);
    if (!found)
      unmatched.push_back(rule.pattern);
  }
  return unmatched;
}

LogicalResult InitializationRules::apply(func::FuncOp forward,
                                         unsigned index) const {
  BlockArgument parameter = forward.getArgument(index);
  MLIRContext *context = forward.getContext();
  StringRef name = forward.getArgAttrOfType<StringAttr>(index, kParamAttr);
  bool isMatrix = cast<RankedTensorType>(parameter.getType()).getRank() >= 2;

  Attribute init;
  if (!isMatrix)
    init = FloatAttr::get(Float64Type::get(context), isNormScale(parameter));
  for (const Rule &rule : rules) {
    if (rule.pattern.empty() ? isMatrix : matches(rule.pattern, name))
      init = attribute(context, rule);
  }
  if (!init)
    return failure();
  forward.setArgAttr(index, kInitAttr, init);
  return success();
}
