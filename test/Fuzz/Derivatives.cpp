// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Derivatives.h"

#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::HostTensor;

namespace {

/// The slope of a function along a line, by differences.
struct Slope {
  double central, low, high;
  bool isFinite;
};

/// <cotangents, outputs> as a function of one of the arguments.
class Line {
public:
  Line(func::FuncOp forward, SmallVector<HostTensor> arguments,
       SmallVector<HostTensor> cotangents)
      : forward(forward), arguments(std::move(arguments)),
        cotangents(std::move(cotangents)) {}

  /// Moves the argument along `direction`, whose elements are 0 where they do
  /// not move. Nothing if the oracle fails.
  std::optional<double> at(unsigned argument, ArrayRef<double> direction,
                           double by, test::Rounding rounding = {}) {
    std::vector<double> original = arguments[argument].data;
    for (int64_t i = 0, e = direction.size(); i < e; ++i)
      arguments[argument][i] += by * direction[i];
    auto outputs = test::evaluate(forward, arguments, rounding);
    arguments[argument].data = std::move(original);
    if (failed(outputs))
      return std::nullopt;
    double sum = 0;
    for (auto [output, cotangent] : llvm::zip(*outputs, cotangents))
      // Integers and outputs without a cotangent have none.
      for (int64_t i = 0, e = cotangent.size(); i < e; ++i)
        sum += output[i] * cotangent[i];
    return sum;
  }

  /// Where nothing moves.
  std::optional<double> here() {
    if (!origin)
      origin = at(0, {}, 0);
    return origin;
  }

  std::optional<Slope> slope(unsigned argument, ArrayRef<double> direction,
                             ArrayRef<double> steps,
                             test::Rounding rounding = {}) {
    Slope slope{0, INFINITY, -INFINITY, true};
    std::optional<double> here = rounding.changesNothing()
                                     ? this->here()
                                     : at(argument, {}, 0, rounding);
    for (double step : steps) {
      auto above = at(argument, direction, step, rounding);
      auto below = at(argument, direction, -step, rounding);
      if (!above || !below || !here)
        return std::nullopt;
      slope.central = (*above - *below) / (2 * step);
      for (double one :
           {slope.central, (*above - *here) / step, (*here - *below) / step}) {
        slope.isFinite &= std::isfinite(one);
        slope.low = std::min(slope.low, one);
        slope.high = std::max(slope.high, one);
      }
    }
    return slope;
  }

  const HostTensor &operator[](unsigned argument) const {
    return arguments[argument];
  }

private:
  func::FuncOp forward;
  SmallVector<HostTensor> arguments, cotangents;
  std::optional<double> origin;
};

} // namespace

/// How much one step moves an element: in proportion, and not less than 1. Not
/// at all where a graph that rounds to integers would be stepped over: its
/// derivative there is 0, but float64 has no other numbers than integers.
static double scaleOf(double x, bool rounds) {
  double magnitude = std::abs(x);
  return rounds && magnitude > 0x1p20 ? 0 : std::max(magnitude, 1.0);
}

/// Whether the function, or one beside it that it may call, has such an op.
static bool contains(func::FuncOp function,
                     llvm::function_ref<bool(Operation *)> isOne) {
  return function->getParentOp()
      ->walk([&](Operation *op) {
        return isOne(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool roundsToIntegers(func::FuncOp function) {
  return contains(function, [](Operation *op) {
    return isa<math::CeilOp, math::FloorOp, math::RoundOp, math::RoundEvenOp,
               math::TruncOp>(op);
  });
}

/// A choice by x == y has other derivatives where they are equal than beside,
/// and differences only see those beside.
static bool choosesByEquality(func::FuncOp function) {
  return contains(function, [](Operation *op) {
    using P = arith::CmpFPredicate;
    auto cmp = dyn_cast<arith::CmpFOp>(op);
    return cmp && llvm::is_contained({P::OEQ, P::ONE, P::UEQ, P::UNE},
                                     cmp.getPredicate());
  });
}

/// Compares the derivative `got` with differences. True if it agrees, or if
/// nothing can be said, which is counted; nothing can be said against what
/// disagrees where the function \p choosesByEquality.
static FailureOr<bool> agrees(Line &line, unsigned argument,
                              ArrayRef<double> direction, double got,
                              double magnitude, bool choosesByEquality,
                              Tally &tally) {
  auto quick = line.slope(argument, direction, {0x1p-17});
  if (!quick)
    return failure();
  double tolerance = 1e-6 * (magnitude + std::abs(quick->central)) + 1e-12;
  if (std::abs(got - quick->central) <= tolerance) {
    ++tally.derivatives;
    return true;
  }
  // Kinks, curvature and cancellation show as slopes that differ.
  auto slow =
      line.slope(argument, direction, {0x1p-12, 0x1p-15, 0x1p-19, 0x1p-22});
  if (!slow)
    return failure();
  double most = 0;
  for (uint64_t stream = 1; stream <= 6; ++stream) {
    auto moved = line.at(argument, direction, 0, {kFloat64Error, stream});
    auto here = line.here();
    if (!moved || !here)
      return failure();
    double difference = std::abs(*moved - *here);
    most = std::isnan(difference) ? INFINITY : std::max(most, difference);
  }
  double noise = 8 * most / 0x1p-22;
  auto isUndecided = [&] {
    return !slow->isFinite || !std::isfinite(noise) ||
           noise + slow->high - slow->low >
               0.5 * std::abs(slow->central) + 1e-3;
  };
  auto isInside = [&] {
    double slack = noise + slow->high - slow->low +
                   1e-5 * (magnitude + std::abs(slow->central));
    return got >= slow->low - slack && got <= slow->high + slack;
  };
  // Kinks that meet may look like a slope, as those of relu(x) - relu(-x) do:
  // slopes beside the point where they meet tell.
  for (uint64_t stream = 1; stream <= 6 && !isUndecided() && !isInside();
       ++stream) {
    test::Rounding beside(0, stream);
    beside.offset = 0x1p-14;
    auto slope = line.slope(argument, direction, {0x1p-20}, beside);
    if (!slope)
      return failure();
    slow->isFinite &= slope->isFinite;
    slow->low = std::min(slow->low, slope->low);
    slow->high = std::max(slow->high, slope->high);
  }
  if (isUndecided() || (choosesByEquality && !isInside())) {
    ++tally.undecided;
    return true;
  }
  ++tally.derivatives;
  return isInside();
}

static constexpr StringLiteral kStage = "te-differentiate";

static Result fail(const Twine &message) {
  return {Ending::Failed, kStage.str(), message.str()};
}

Result fuzz::checkVjp(func::FuncOp forward, ModuleOp program,
                      Arguments &arguments, Tally &tally) {
  ErrorCollector errors(program.getContext());
  auto oracle = [&] { return fail("oracle: " + errors.first()); };
  auto vjp = program.lookupSymbol<func::FuncOp>("vjp");
  FailureOr<EntryInterface> inside = EntryInterface::get(forward);
  FailureOr<EntryInterface> outside = EntryInterface::get(vjp);
  auto forwardArguments = arguments.get(forward);
  auto vjpArguments = arguments.get(vjp);
  if (failed(inside) || failed(outside) || failed(forwardArguments) ||
      failed(vjpArguments))
    return oracle();
  FailureOr<Reference> outputs =
      Reference::compute(forward, *forwardArguments, {kFloat64Error});
  auto results = test::evaluate(vjp, *vjpArguments);
  if (failed(outputs) || failed(results))
    return oracle();
  for (const BoundaryValue &value : inside->values) {
    bool isOutput = value.role == BoundaryRole::Output;
    std::string name = isOutput ? value.name : "grad." + value.name;
    const BoundaryValue *same = outside->find(BoundaryRole::Output, name);
    if (!same && (isOutput || isa<FloatType>(value.type.getElementType())))
      return fail("@vjp does not return '" + name + "'");
    if (!isOutput)
      continue;
    auto difference =
        outputs->compare(*value.result, (*results)[*same->result]);
    if (failed(difference))
      return oracle();
    if (*difference)
      return fail("output '" + name + "' of @vjp " + **difference);
  }
  ++tally.evaluations;
  tally.judged += outputs->judged;
  return checkGradients(forward, vjp, arguments, tally);
}

/// What the outputs of `function` count in the sum that `gradient` is the
/// gradient of.
static SmallVector<HostTensor>
getCotangents(const EntryInterface &inside, const EntryInterface &outside,
              unsigned numResults, ArrayRef<HostTensor> gradientArguments) {
  SmallVector<HostTensor> cotangents(numResults);
  bool hasCotangents = false;
  for (const BoundaryValue &output : inside.values)
    if (const BoundaryValue *cotangent =
            output.role == BoundaryRole::Output
                ? outside.find(BoundaryRole::Input, "cotangent." + output.name)
                : nullptr) {
      cotangents[*output.result] = gradientArguments[*cotangent->argument];
      hasCotangents = true;
    }
  const BoundaryValue *loss = inside.find(BoundaryRole::Output, "loss");
  if (!hasCotangents && loss)
    cotangents[*loss->result] = HostTensor(loss->type.getShape(), 1);
  return cotangents;
}

Result fuzz::checkGradients(func::FuncOp function, func::FuncOp gradient,
                            Arguments &arguments, Tally &tally) {
  ErrorCollector errors(gradient.getContext());
  auto oracle = [&] { return fail("oracle: " + errors.first()); };
  FailureOr<EntryInterface> inside = EntryInterface::get(function);
  FailureOr<EntryInterface> outside = EntryInterface::get(gradient);
  auto functionArguments = arguments.get(function);
  auto gradientArguments = arguments.get(gradient);
  if (failed(inside) || failed(outside) || failed(functionArguments) ||
      failed(gradientArguments))
    return oracle();
  auto results = test::evaluate(gradient, *gradientArguments);
  if (failed(results))
    return oracle();

  bool rounds = roundsToIntegers(function), staysFinite = false;
  const bool byEquality = choosesByEquality(function);
  Line line(function, *functionArguments,
            getCotangents(*inside, *outside, function.getNumResults(),
                          *gradientArguments));
  for (const BoundaryValue &value : inside->values) {
    const BoundaryValue *derived =
        value.argument
            ? outside->find(BoundaryRole::Output, "grad." + value.name)
            : nullptr;
    if (!derived)
      continue;
    const HostTensor &g = (*results)[*derived->result];
    int64_t size = g.size();
    auto check = [&](ArrayRef<double> direction, const Twine &where) -> Result {
      double product = 0, magnitude = 0;
      for (int64_t i = 0; i < size; ++i)
        if (direction[i] != 0) {
          product += g[i] * direction[i];
          magnitude += std::abs(g[i] * direction[i]);
        }
      // 0 times infinity, as anywhere: there is a derivative, but no way to it.
      if (std::isnan(product) &&
          (failed(test::evaluate(function, *functionArguments, {},
                                 &staysFinite)) ||
           !staysFinite)) {
        ++tally.undecided;
        return {};
      }
      FailureOr<bool> good = agrees(line, *value.argument, direction, product,
                                    magnitude, byEquality, tally);
      if (failed(good))
        return oracle();
      if (*good)
        return {};
      auto slope = line.slope(*value.argument, direction, {0x1p-17});
      return fail(llvm::formatv("'grad.{0}' gives a slope of {1:E8} {2}, but "
                                "differences give {3:E8}",
                                value.name, product, where.str(),
                                slope ? slope->central : NAN));
    };
    auto element = [&](int64_t i) {
      std::vector<double> direction(size, 0.0);
      direction[i] = scaleOf(line[*value.argument][i], rounds);
      return check(direction, "at element " + Twine(i));
    };
    std::vector<double> direction(size);
    for (int64_t i = 0; i < size; ++i)
      direction[i] = test::counterUniform(*value.argument + 77, i) *
                     scaleOf(line[*value.argument][i], rounds);
    // Kinks in opposite directions hide each other: one element tells.
    if (Result together = check(direction, "in a random direction"); !together)
      for (int64_t i = 0; i < size; ++i)
        if (Result result = element(i); !result)
          return result;
    // An element that is not finite, and another one.
    for (int64_t i = 0; i < size; ++i)
      if (!std::isfinite(g[i])) {
        if (Result result = element(i); !result)
          return result;
        break;
      }
    if (size > 1)
      if (Result result = element(
              int64_t((test::counterUniform(*value.argument + 99, size) + 1) /
                      2 * double(size)));
          !result)
        return result;
  }
  return {};
}
