// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleComparison.h"

#include "Derivatives.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::HostTensor;

static Result fail(const Twine &message) {
  return {Ending::Failed, "", message.str()};
}
static Result refuse(const Twine &message) {
  return {Ending::Refused, "", message.str()};
}

/// Whether anything of the function's boundary has a name.
static bool isNamed(func::FuncOp function) {
  auto has = [](DictionaryAttr attrs) {
    return attrs &&
           llvm::any_of(ArrayRef<StringRef>{kInputAttr, kScalarAttr, kParamAttr,
                                            kStateAttr, kOutputAttr},
                        [&](StringRef role) { return bool(attrs.get(role)); });
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (has(function.getArgAttrDict(i)))
      return true;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (has(function.getResultAttrDict(i)))
      return true;
  return false;
}

/// Results by role and name, or by position where they have no names.
static SmallVector<std::string> getResultNames(func::FuncOp function) {
  SmallVector<std::string> names;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    std::string &name = names.emplace_back(std::to_string(i));
    for (StringRef role : {kOutputAttr, kParamAttr, kStateAttr})
      if (auto attr = function.getResultAttrOfType<StringAttr>(i, role))
        name = (role + " " + attr.getValue()).str();
  }
  return names;
}

/// The result of that name.
static std::optional<unsigned> findResult(func::FuncOp function,
                                          StringRef name) {
  SmallVector<std::string> names = getResultNames(function);
  auto *it = llvm::find(names, name);
  return it == names.end() ? std::nullopt
                           : std::optional<unsigned>(it - names.begin());
}

/// How many values of the function are FP8.
static int64_t countFp8(func::FuncOp function) {
  int64_t count = 0;
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
      count += element && element.getWidth() == 8;
    }
  });
  return count;
}

FailureOr<SmallVector<HostTensor>>
ModuleReference::getArguments(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return emitError(function.getLoc())
           << "@" << function.getName() << " has branches between blocks";
  if (isNamed(function))
    return arguments.get(function);
  SmallVector<HostTensor> values;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[i]);
    if (!type || !type.hasStaticShape())
      return emitError(function.getLoc())
             << "@" << function.getName() << ": argument " << i
             << " is no tensor of static shape";
    values.push_back(arguments.makeDefault(function, i));
  }
  return values;
}

static bool hasDropout(func::FuncOp function) {
  return function.walk([](DropoutOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// What `other`, which was made of `function`, is to compute: where a model
/// becomes an entry that does not train, its dropout does nothing.
func::FuncOp ModuleReference::getCounterpart(func::FuncOp function,
                                             func::FuncOp other) {
  if (function->hasAttr(kEntryAttr) || !other->hasAttr(kEntryAttr) ||
      !hasDropout(function) || hasDropout(other))
    return function;
  if (!withoutDropout) {
    withoutDropout = before->clone();
    withoutDropout->walk([](DropoutOp op) {
      OpBuilder builder(op);
      op.getY().replaceAllUsesWith(convertElementType(
          builder, op.getLoc(), op.getX(), op.getType().getElementType()));
      op.erase();
    });
  }
  return withoutDropout->lookupSymbol<func::FuncOp>(function.getName());
}

FailureOr<Reference *> ModuleReference::getReference(func::FuncOp function) {
  std::string key = function.getName().str();
  if (withoutDropout && function->getParentOp() == withoutDropout.get())
    key += " without dropout";
  auto known = references.find(key);
  if (known != references.end())
    return &known->second;
  auto values = getArguments(function);
  if (failed(values))
    return failure();
  auto computed = Reference::compute(function, *values, {options.rounding});
  if (failed(computed))
    return failure();
  return &references.try_emplace(key, std::move(*computed)).first->second;
}

/// ‖a − b‖, or ‖a‖ without b.
static double norm(const HostTensor &a, const HostTensor *b = nullptr) {
  double sum = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    double difference = a[i] - (b ? (*b)[i] : 0);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

/// How far the result moves when every number has an error as FP8's.
FailureOr<double> ModuleReference::measureFp8Noise(func::FuncOp function,
                                                   unsigned result) {
  static constexpr double kFp8Error = 0x1p-4;
  auto reference = getReference(function);
  auto values = getArguments(function);
  if (failed(reference) || failed(values))
    return failure();
  double most = 0;
  for (uint64_t stream = 1; stream <= 4; ++stream) {
    auto moved = test::evaluate(function, *values, {kFp8Error, stream});
    if (failed(moved))
      return failure();
    most = std::max(most, norm((*moved)[result], &(**reference)[result]));
  }
  return most;
}

Result ModuleReference::compareResult(func::FuncOp function, unsigned result,
                                      func::FuncOp other, const HostTensor &got,
                                      const Twine &what) {
  function = getCounterpart(function, other);
  auto reference = getReference(function);
  if (failed(reference))
    return refuse("");
  const HostTensor &expected = (**reference)[result];
  if (countFp8(other) > countFp8(function) && got.size() == expected.size()) {
    double error = norm(got, &expected), most = norm(expected);
    ++tally.judged;
    if (error <= options.fp8Tolerance * most)
      return {};
    FailureOr<double> noise = measureFp8Noise(function, result);
    if (failed(noise))
      return refuse("");
    if (error <= 2 * *noise)
      return {};
    return fail(what + llvm::formatv(" has become FP8 and has an error of "
                                     "{0:P1}, more than {1:P1}",
                                     error / most, options.fp8Tolerance)
                           .str());
  }
  auto difference = (*reference)->compare(result, got);
  if (failed(difference))
    return refuse("");
  if (*difference)
    return fail(what + " " + **difference);
  return {};
}

Result ModuleReference::compare(func::FuncOp function, func::FuncOp other) {
  auto values = getArguments(other);
  if (failed(values))
    return refuse("");
  auto results = test::evaluate(other, *values);
  if (failed(results))
    return refuse("");
  for (const auto &[i, name] : llvm::enumerate(getResultNames(function))) {
    std::optional<unsigned> same = findResult(other, name);
    // What is gone was not needed, or else what is there would be wrong.
    if (!same)
      continue;
    if (Result result =
            compareResult(function, i, other, (*results)[*same],
                          "result '" + name + "' of @" + other.getName());
        !result)
      return result;
  }
  ++tally.evaluations;
  return {};
}

/// Each result with that of the first function that has one of its name.
Result ModuleReference::compareNew(func::FuncOp function) {
  auto values = getArguments(function);
  if (failed(values))
    return refuse("");
  auto results = test::evaluate(function, *values);
  if (failed(results))
    return refuse("");
  if (!isNamed(function))
    return {};
  for (const auto &[i, name] : llvm::enumerate(getResultNames(function)))
    for (auto known : before->getOps<func::FuncOp>()) {
      std::optional<unsigned> same =
          known.isExternal() ? std::nullopt : findResult(known, name);
      if (!same)
        continue;
      if (Result result =
              compareResult(known, *same, function, (*results)[i],
                            "result '" + name + "' of the new function @" +
                                function.getName());
          !result)
        return result;
      break;
    }
  ++tally.evaluations;
  return {};
}

Result ModuleReference::checkNewGradients(func::FuncOp function,
                                          func::FuncOp other) {
  auto hasGradients = [](func::FuncOp function) {
    return llvm::any_of(getResultNames(function), [](StringRef name) {
      return name.starts_with("te.output grad.");
    });
  };
  if (!options.differentiates || !function || !isNamed(function) ||
      hasGradients(function) || !hasGradients(other))
    return {};
  Result result = checkGradients(function, other, arguments, tally);
  result.stage.clear();
  if (!result)
    result.message = ("in @" + other.getName() + " " + result.message).str();
  return result;
}

Result ModuleReference::compare(ModuleOp after) {
  ErrorCollector errors(after.getContext());
  if (failed(verify(after)))
    return fail("the IR is invalid: " + errors.first());
  auto model = before->lookupSymbol<func::FuncOp>("forward");
  for (auto function : after.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    auto same = before->lookupSymbol<func::FuncOp>(function.getName());
    if (same && same.isExternal())
      same = {};
    Result result = same ? compare(same, function) : compareNew(function);
    if (result)
      result = checkNewGradients(same ? same : model, function);
    if (result.ending == Ending::Refused)
      result.message = errors.first();
    if (!result)
      return result;
  }
  return {};
}
