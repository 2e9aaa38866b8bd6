// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model that is made of measurements.

#include "te/Dialect/TE/IR/TE.h"

#include "tuning/GemmProblem.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// A number that a time can be computed from.
static bool isPositive(Attribute attr) {
  auto number = dyn_cast_if_present<FloatAttr>(attr);
  return number && number.getType().isF64() && number.getValue().isFinite() &&
         number.getValueAsDouble() > 0;
}

static std::optional<tert::GemmProblem> parse(StringRef text) {
  return tert::parseGemmProblem(std::string_view(text.data(), text.size()));
}

static LogicalResult
verifyProducts(llvm::function_ref<InFlightDiagnostic()> emitError,
               StringRef name, DictionaryAttr products) {
  for (NamedAttribute entry : products) {
    if (!parse(entry.getName()))
      return emitError() << "expects the names in '" << name
                         << "' to be matrix products such as \"64x32x16 bf16 * "
                            "bf16^T -> bf16\", got \""
                         << entry.getName().getValue() << "\"";
    if (!isPositive(entry.getValue()))
      return emitError() << "expects a positive f64 number of seconds for \""
                         << entry.getName().getValue() << "\" in '" << name
                         << "'";
  }
  return success();
}

LogicalResult
MeasuredCostsAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                          StringAttr device, FloatAttr unaligned,
                          DictionaryAttr ceilings, DictionaryAttr kernels,
                          DictionaryAttr epilogues, DictionaryAttr benchmarked,
                          DictionaryAttr tuned) {
  if (!isPositive(unaligned))
    return emitError() << "expects 'unaligned' to be a positive f64 number";
  for (StringRef name : {"bytes", "f8", "bf16", "f32", "multiprocessors"})
    if (!isPositive(ceilings.get(name)))
      return emitError() << "expects 'ceilings' to have a positive f64 number '"
                         << name << "'";
  for (StringRef name : {"operands", "tile", "split"})
    if (Attribute given = ceilings.get(name); given && !isPositive(given))
      return emitError() << "expects '" << name
                         << "' in 'ceilings' to be a positive f64 number";
  if (!kernels.contains("default"))
    return emitError() << "expects 'kernels' to have a 'default'";
  for (NamedAttribute entry : kernels) {
    auto pair = dyn_cast<ArrayAttr>(entry.getValue());
    auto fixed =
        pair && pair.size() == 2 ? dyn_cast<FloatAttr>(pair[0]) : FloatAttr();
    if (!fixed || !fixed.getType().isF64() || !fixed.getValue().isFinite() ||
        fixed.getValueAsDouble() < 0 || !isPositive(pair[1]))
      return emitError()
             << "expects kernel '" << entry.getName().getValue()
             << "' to be an array of two f64 numbers, its fixed seconds (not "
                "negative) and its share of the ceilings (positive)";
  }
  for (NamedAttribute entry : epilogues) {
    auto points = dyn_cast<ArrayAttr>(entry.getValue());
    auto isPoint = [](Attribute attr) {
      auto pair = dyn_cast<ArrayAttr>(attr);
      return pair && pair.size() == 2 && llvm::all_of(pair, isPositive);
    };
    if (!points || points.empty() || !llvm::all_of(points, isPoint))
      return emitError()
             << "expects epilogue '" << entry.getName().getValue()
             << "' to be an array of pairs of positive f64 numbers, the summed "
                "dimension and a factor";
  }
  if (failed(verifyProducts(emitError, "benchmarked", benchmarked)) ||
      failed(verifyProducts(emitError, "tuned", tuned)))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

static std::optional<tert_dtype> getDType(Type type) {
  if (!type)
    return std::nullopt;
  if (type.isF32())
    return TERT_F32;
  if (type.isBF16())
    return TERT_BF16;
  if (isa<Float8E4M3FNType>(type))
    return TERT_F8E4M3;
  if (isa<Float8E5M2Type>(type))
    return TERT_F8E5M2;
  return std::nullopt;
}

static bool isFp8(tert_dtype dtype) {
  return dtype == TERT_F8E4M3 || dtype == TERT_F8E5M2;
}

static int64_t getElementBytes(tert_dtype dtype) {
  return dtype == TERT_F32 ? 4 : dtype == TERT_BF16 ? 2 : 1;
}

/// The product as the runtime's tuning database describes it.
static std::optional<tert::GemmProblem>
getProblem(const MatrixProduct &product) {
  std::optional<tert_dtype> a = getDType(product.a), b = getDType(product.b),
                            d = getDType(product.d);
  if (!a || !b || !d || product.m <= 0 || product.n <= 0 || product.k <= 0)
    return std::nullopt;
  tert::GemmProblem problem;
  problem.m = product.m;
  problem.n = product.n;
  problem.k = product.k;
  problem.a = *a;
  problem.b = *b;
  problem.d = *d;
  problem.transposeA = product.transposeA;
  problem.transposeB = product.transposeB;
  problem.scaled = isFp8(*a);
  problem.fastAccumulate = product.fastAccumulate;
  problem.hasBias = product.hasBias;
  problem.addToD = product.addToD;
  problem.setDenseStrides();
  return problem;
}

/// Whether every row of the operands and the result begins at a multiple of 16
/// bytes when the first one does.
static bool isAligned(const tert::GemmProblem &problem) {
  auto aligned = [](tert_dtype dtype, int64_t stride) {
    return stride % (16 / getElementBytes(dtype)) == 0;
  };
  return aligned(problem.a, problem.aStride) &&
         aligned(problem.b, problem.bStride) &&
         aligned(problem.d, problem.dStride);
}

/// Kinds of products whose rates are alike: by what the tensor cores multiply
/// and how they sum.
static bool isAlike(const tert::GemmProblem &a, const tert::GemmProblem &b) {
  if (isFp8(a.a) || isFp8(b.a))
    return isFp8(a.a) && isFp8(b.a) && a.fastAccumulate == b.fastAccumulate &&
           a.aScales == b.aScales && a.bScales == b.bScales;
  return a.a == b.a;
}

static double getNumber(DictionaryAttr dictionary, StringRef name) {
  return dictionary.getAs<FloatAttr>(name).getValueAsDouble();
}

static double getNumberOr(DictionaryAttr dictionary, StringRef name,
                          double otherwise) {
  auto number = dictionary.getAs<FloatAttr>(name);
  return number ? number.getValueAsDouble() : otherwise;
}

/// The highest rate for products of such operands.
static double getPeak(DictionaryAttr ceilings, tert_dtype dtype) {
  return getNumber(ceilings, isFp8(dtype)         ? "f8"
                             : dtype == TERT_BF16 ? "bf16"
                                                  : "f32");
}

/// What a product takes with the fastest of the usual algorithms: each
/// multiprocessor computes one tile of the result after the other, which takes
/// the longer of its operations and of loading its operands. Where there are
/// few tiles, several multiprocessors may sum parts of each. The last tiles of
/// a small result are waited for.
static double getTiledSeconds(const tert::GemmProblem &problem,
                              DictionaryAttr ceilings) {
  const double multiprocessors = getNumber(ceilings, "multiprocessors");
  const double rate = getPeak(ceilings, problem.a) / multiprocessors;
  const double loads = getNumberOr(ceilings, "operands", INFINITY);
  const double perTile = getNumberOr(ceilings, "tile", 0);
  const double perSplit = getNumberOr(ceilings, "split", INFINITY);
  constexpr std::pair<int, int> tiles[] = {{256, 128}, {128, 256}, {128, 128},
                                           {128, 64},  {64, 128},  {64, 64},
                                           {64, 32},   {32, 64}};
  // Fewer elements to sum are not split, and more waves overlap.
  constexpr double leastSum = 256, fewWaves = 4;
  double best = INFINITY;
  for (auto [rows, columns] : tiles) {
    const double count = std::ceil(double(problem.m) / rows) *
                         std::ceil(double(problem.n) / columns);
    const double perElement =
        std::max(2.0 * rows * columns / rate,
                 double((rows + columns) * getElementBytes(problem.a)) / loads);
    for (int parts : {1, 2, 4, 8}) {
      const double sum = double(problem.k) / parts;
      if (parts > 1 && (count * parts > multiprocessors || sum < leastSum))
        break;
      double waves = count * parts / multiprocessors;
      if (waves <= fewWaves)
        waves = std::ceil(waves);
      double seconds = waves * (perElement * sum + perTile);
      if (parts > 1)
        seconds += perSplit + 4.0 * double(problem.m) * double(problem.n) *
                                  parts / getNumber(ceilings, "bytes");
      best = std::min(best, seconds);
    }
  }
  return best;
}

namespace {
/// What a product takes, corrected by how far that is off for similar ones that
/// were measured.
class ProductEstimate {
public:
  /// `fixed` and `share` as of a kernel that moves data.
  ProductEstimate(const tert::GemmProblem &problem, DictionaryAttr ceilings,
                  std::pair<double, double> kernel)
      : problem(problem), ceilings(ceilings), kernel(kernel) {}

  /// `trust` says how much more than another's this one's time counts.
  void add(StringRef text, double seconds, double trust) {
    std::optional<tert::GemmProblem> other = parse(text);
    if (!other || !isAlike(*other, problem) || !isAligned(*other))
      return;
    auto steps = [](int64_t a, int64_t b) {
      double ratio = std::log2(double(a)) - std::log2(double(b));
      return ratio * ratio;
    };
    double distance = steps(other->m, problem.m) + steps(other->n, problem.n) +
                      steps(other->k, problem.k);
    // An eighth of a doubling is as good as none: one outlier does not decide.
    double weight = trust / (distance * distance + 1.0 / 4096);
    weights += weight;
    logarithms +=
        weight * std::log(seconds / estimate(*other, getBytes(*other)));
  }
  /// `bytes` are those of the problem, and what its kernel moves besides.
  double getSeconds(double bytes) const {
    return estimate(problem, bytes) * std::exp(logarithms / weights);
  }

private:
  static double getBytes(const tert::GemmProblem &product) {
    const double m = double(product.m), n = double(product.n),
                 k = double(product.k);
    return m * k * double(getElementBytes(product.a)) +
           k * n * double(getElementBytes(product.b)) +
           m * n * double(getElementBytes(product.d)) *
               (product.addToD ? 2 : 1);
  }
  double estimate(const tert::GemmProblem &product, double bytes) const {
    return kernel.first +
           std::max(getTiledSeconds(product, ceilings),
                    bytes / kernel.second / getNumber(ceilings, "bytes"));
  }

  tert::GemmProblem problem;
  DictionaryAttr ceilings;
  std::pair<double, double> kernel;
  /// One that was measured at a doubling of one size counts as much as the
  /// estimate.
  double weights = 1, logarithms = 0;
};
} // namespace

/// Fixed seconds and share of the ceilings.
static std::pair<double, double> getKernel(DictionaryAttr kernels,
                                           const Work &work) {
  std::string name = work.getName();
  Attribute found = kernels.get(name);
  while (!found && StringRef(name).contains('+')) {
    name.resize(name.rfind('+'));
    found = kernels.get(name);
  }
  auto pair = cast<ArrayAttr>(found ? found : kernels.get("default"));
  return {cast<FloatAttr>(pair[0]).getValueAsDouble(),
          cast<FloatAttr>(pair[1]).getValueAsDouble()};
}

static std::optional<Cost> getProductCost(MeasuredCostsAttr costs,
                                          const Work &work) {
  std::optional<tert::GemmProblem> problem = getProblem(*work.product);
  if (!problem)
    return std::nullopt;
  std::string text = tert::keyText(*problem);
  if (auto seconds = costs.getTuned().getAs<FloatAttr>(text))
    return Cost::measured(seconds.getValueAsDouble());
  if (auto seconds = costs.getBenchmarked().getAs<FloatAttr>(text))
    return Cost::estimated(seconds.getValueAsDouble());
  ProductEstimate estimate(*problem, costs.getCeilings(),
                           getKernel(costs.getKernels(), work));
  // What this device itself took says more about it.
  std::pair<DictionaryAttr, double> sources[] = {{costs.getBenchmarked(), 1},
                                                 {costs.getTuned(), 4}};
  for (auto [products, trust] : sources)
    for (NamedAttribute entry : products)
      estimate.add(entry.getName(),
                   cast<FloatAttr>(entry.getValue()).getValueAsDouble(), trust);
  double seconds =
      std::max(estimate.getSeconds(work.bytes), costs.getFloorSeconds(work));
  if (!isAligned(*problem))
    seconds *= costs.getUnaligned().getValueAsDouble();
  return Cost::estimated(seconds);
}

//===----------------------------------------------------------------------===//
// CostModelAttrInterface
//===----------------------------------------------------------------------===//

/// The factor at a summed dimension of `k`; the nearest point's beyond them.
static double interpolate(ArrayAttr points, double k) {
  auto x = [&](Attribute point) {
    return std::log(
        cast<FloatAttr>(cast<ArrayAttr>(point)[0]).getValueAsDouble());
  };
  auto y = [&](Attribute point) {
    return cast<FloatAttr>(cast<ArrayAttr>(point)[1]).getValueAsDouble();
  };
  SmallVector<Attribute> sorted(points.begin(), points.end());
  llvm::stable_sort(sorted,
                    [&](Attribute a, Attribute b) { return x(a) < x(b); });
  double at = std::log(k);
  for (auto [left, right] : llvm::zip(sorted, ArrayRef(sorted).drop_front()))
    if (x(left) <= at && at < x(right))
      return y(left) +
             (y(right) - y(left)) * (at - x(left)) / (x(right) - x(left));
  return at < x(sorted.front()) ? y(sorted.front()) : y(sorted.back());
}

/// Seconds of operations at the highest rate for such operands.
static double getComputing(MeasuredCostsAttr costs, const Work &work) {
  if (work.flops <= 0)
    return 0;
  std::optional<tert_dtype> math = getDType(work.math);
  return work.flops / getPeak(costs.getCeilings(), math.value_or(TERT_F32));
}

std::optional<Cost> MeasuredCostsAttr::getCost(const Work &work) const {
  if (work.product) {
    std::optional<Cost> cost = getProductCost(*this, work);
    for (StringRef extra : work.extras) {
      auto points = getEpilogues().getAs<ArrayAttr>(extra);
      if (!points || !cost)
        return std::nullopt;
      cost = Cost::estimated(cost->seconds *
                             interpolate(points, double(work.product->k)));
    }
    return cost;
  }
  auto [fixed, share] = getKernel(getKernels(), work);
  return Cost::estimated(fixed + getFloorSeconds(work) / share);
}

double MeasuredCostsAttr::getFloorSeconds(const Work &work) const {
  double moving = work.bytes / getNumber(getCeilings(), "bytes");
  return std::max(moving, getComputing(*this, work));
}

StringRef MeasuredCostsAttr::getDeviceName() const {
  return getDevice().getValue();
}
