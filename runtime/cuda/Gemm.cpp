// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Gemm.h"

#include "cuda/GemmScales.h"
#include "cuda/Ops.h"
#include "program/Contiguous.h"

#include <algorithm>
#include <optional>

using namespace tert;
using namespace tert::cuda;

/// The largest power of two up to 256 that divides an address.
static int32_t alignmentOf(const void *address) {
  auto bits = reinterpret_cast<uintptr_t>(address) | 256;
  return static_cast<int32_t>(bits & -bits);
}

/// With a single row the stride is arbitrary, but cuBLASLt still checks the
/// leading dimension.
static int64_t rowStride(const tert_tensor &matrix) {
  return std::max(strideOf(matrix, 0), std::max(sizeOf(matrix, 1), int64_t(1)));
}

namespace {
/// A tensor in temporary memory, with its own layout.
struct Temporary {
  Temporary(LaunchContext &launch, tert_dtype dtype, const tert_tensor &like)
      : layout(contiguousLike(like)) {
    layout.dtype = dtype;
    tensor = {launch.scratch.take(numElements(like) * bytesOf(dtype)), &layout};
  }
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;

  tert_layout layout;
  tert_tensor tensor;
};
} // namespace

/// `tensor` itself if it is of `dtype`, or a converted copy in `converted`.
static const tert_tensor &converted(LaunchContext &launch,
                                    const tert_site &site,
                                    const tert_tensor &tensor, tert_dtype dtype,
                                    std::optional<Temporary> &copy) {
  if (dtypeOf(tensor) == dtype)
    return tensor;
  copy.emplace(launch, dtype, tensor);
  cuda::copy(launch, site, tensor, copy->tensor);
  return copy->tensor;
}

Gemm::Gemm() { check(cublasLtCreate(&handle), "opening cuBLASLt"); }

Gemm::~Gemm() {
  plans.clear();
  cublasLtDestroy(handle);
}

GemmPlan &Gemm::planFor(const GemmProblem &problem) {
  Planned &planned = plans[problem];
  if (planned.plan)
    return *planned.plan;
  planned.plan = std::make_unique<GemmPlan>(handle, problem);
  auto known = preloaded.find(keyText(problem));
  if (known != preloaded.end())
    planned.choice = planned.plan->setAlgorithm(known->second)
                         ? Planned::Choice::Tuned
                         : Planned::Choice::Refused;
  return *planned.plan;
}

void Gemm::run(LaunchContext &launch, const tert_site &site,
               const GemmProblem &problem, GemmOperands operands,
               const tert_tensor *bias) {
  std::optional<Temporary> biasCopy;
  if (bias)
    operands.bias =
        converted(launch, site, *bias, problem.biasDtype(), biasCopy).data;
  GemmPlan &plan = planFor(problem);
  plan.run(operands, launch.scratch.take(int64_t(plan.workspaceBytes())),
           launch.stream);
}

static GemmProblem describeProblem(const tert_tensor &a, const tert_tensor &b,
                                   const tert_tensor *bias,
                                   const tert_tensor &d, bool transposeA,
                                   bool transposeB) {
  GemmProblem problem;
  problem.m = sizeOf(d, 0);
  problem.n = sizeOf(d, 1);
  problem.k = sizeOf(a, transposeA ? 0 : 1);
  problem.aStride = rowStride(a);
  problem.bStride = rowStride(b);
  problem.dStride = rowStride(d);
  problem.transposeA = transposeA;
  problem.transposeB = transposeB;
  problem.a = dtypeOf(a);
  problem.b = dtypeOf(b);
  problem.d = dtypeOf(d);
  problem.hasBias = bias != nullptr;
  problem.aAlignment = alignmentOf(a.data);
  problem.bAlignment = alignmentOf(b.data);
  problem.dAlignment = alignmentOf(d.data);
  return problem;
}

/// A product of depth 0: zero or the previous value, plus the bias in every
/// row.
static void emptySum(LaunchContext &launch, const tert_site &site,
                     const tert_tensor *bias, const tert_tensor &d,
                     bool addToD = false) {
  if (!addToD)
    cuda::fill(launch, site, d, 0.0);
  if (bias)
    cuda::add(launch, site, d, *bias, d);
}

void Gemm::matmul(LaunchContext &launch, const tert_site &site,
                  const tert_tensor &a, const tert_tensor &b,
                  const tert_tensor *bias, const tert_tensor &d,
                  bool transposeA, bool transposeB, bool addToD) {
  if (sizeOf(d, 0) == 0 || sizeOf(d, 1) == 0)
    return;
  if (sizeOf(a, transposeA ? 0 : 1) == 0)
    return emptySum(launch, site, bias, d, addToD);
  // Products of one dtype run on the tensor cores directly; a bf16 result
  // requires bf16 operands. Any other mix is computed in f32.
  bool direct = dtypeOf(a) == dtypeOf(b) &&
                (dtypeOf(a) == TERT_BF16 || dtypeOf(d) == TERT_F32);
  std::optional<Temporary> aCopy, bCopy, dCopy;
  const tert_tensor &left =
      direct ? a : converted(launch, site, a, TERT_F32, aCopy);
  const tert_tensor &right =
      direct ? b : converted(launch, site, b, TERT_F32, bCopy);
  if (!direct && dtypeOf(d) != TERT_F32)
    dCopy.emplace(launch, TERT_F32, d);
  if (dCopy && addToD)
    cuda::copy(launch, site, d, dCopy->tensor);
  const tert_tensor &result = dCopy ? dCopy->tensor : d;
  GemmProblem problem =
      describeProblem(left, right, bias, result, transposeA, transposeB);
  problem.addToD = addToD;
  run(launch, site, problem, {left.data, right.data, result.data}, bias);
  if (dCopy)
    cuda::copy(launch, site, result, d);
}

/// Throws unless an FP8 operand has the layout that the tensor cores require.
static void checkFp8(const char *name, const tert_tensor &matrix) {
  if (sizeOf(matrix, 0) % 16 == 0 && sizeOf(matrix, 1) % 16 == 0 &&
      rowStride(matrix) % 16 == 0 && alignmentOf(matrix.data) >= 16)
    return;
  throw Error(TERT_UNSUPPORTED,
              std::string("'") + name + "' is " + tert::describe(matrix) +
                  ", but FP8 products on a GPU take dimensions and strides "
                  "that are multiples of 16, at addresses that are; pad it");
}

/// What of a matrix has a scale. Throws unless cuBLASLt has a mode for it, and
/// the scales lie as it reads them.
static ScaleMode scaleModeOf(const char *name, const tert_scaled &matrix) {
  const tert_tensor &scales = *matrix.scale_inv;
  if (rankOf(scales) == 0)
    return ScaleMode::Matrix;
  const int64_t rows = sizeOf(*matrix.data, 0), cols = sizeOf(*matrix.data, 1);
  for (ScaleMode mode : {ScaleMode::Row, ScaleMode::Vector, ScaleMode::Block})
    if (haveMode(scales, mode, rows, cols))
      return mode;
  throw Error(
      TERT_UNSUPPORTED,
      "'" + std::string(name) + ".scale_inv' is " + tert::describe(scales) +
          " for " + describeShape(*matrix.data) +
          ", but FP8 products on a GPU take one scale, those of rows, of "
          "1 x 128 elements column by column, or of 128 x 128 elements "
          "row by row at multiples of four");
}

/// Sets the modes of both operands' scales. Throws unless cuBLASLt multiplies
/// such operands.
static void setScaleModes(GemmProblem &problem, const tert_scaled &a,
                          const tert_scaled &b) {
  ScaleMode &first = problem.aScales, &second = problem.bScales;
  first = scaleModeOf("a", a);
  second = scaleModeOf("b", b);
  const auto isOfBlocks = [](ScaleMode mode) {
    return mode == ScaleMode::Vector || mode == ScaleMode::Block;
  };
  // One scale for each row is also one for 1 x 128 elements if that is a row.
  if (first == ScaleMode::Row && isOfBlocks(second) && problem.k <= 128)
    first = ScaleMode::Vector;
  if (second == ScaleMode::Row && isOfBlocks(first) && problem.k <= 128)
    second = ScaleMode::Vector;
  const bool bothBlocks =
      first == ScaleMode::Block && second == ScaleMode::Block;
  if (isOfBlocks(first) ? isOfBlocks(second) && !bothBlocks : first == second)
    return;
  throw Error(TERT_UNSUPPORTED,
              "the scales of 'a' and 'b' divide them differently, but FP8 "
              "products on a GPU take one scale for each operand, one for each "
              "row of both, or those of 1 x 128 elements, of one of them maybe "
              "128 x 128");
}

void Gemm::scaledMatmul(LaunchContext &launch, const tert_site &site,
                        const tert_scaled &scaledA, const tert_scaled &scaledB,
                        const tert_tensor *bias, const tert_tensor *addend,
                        const tert_tensor &d, tert_accumulate accumulate) {
  const tert_tensor &a = *scaledA.data, &b = *scaledB.data;
  if (sizeOf(d, 0) == 0 || sizeOf(d, 1) == 0)
    return;
  // Read in place if it has the same layout as the result.
  const bool readsAddend = addend && rowStride(*addend) == rowStride(d) &&
                           alignmentOf(addend->data) >= alignmentOf(d.data);
  if (addend && !readsAddend)
    cuda::copy(launch, site, *addend, d);
  if (sizeOf(a, 1) == 0) {
    if (readsAddend && addend->data != d.data)
      cuda::copy(launch, site, *addend, d);
    return emptySum(launch, site, bias, d, /*addToD=*/addend != nullptr);
  }
  checkFp8("a", a);
  checkFp8("b", b);
  // The result has the rows of both operands and the same alignment.
  if (rowStride(d) * bytesOf(dtypeOf(d)) % 16 != 0 || alignmentOf(d.data) < 16)
    throw Error(TERT_UNSUPPORTED, "'d' is " + tert::describe(d) +
                                      ", but rows of an FP8 product must "
                                      "start at multiples of 16 bytes");
  GemmProblem problem =
      describeProblem(a, b, bias, d, /*transposeA=*/false, /*transposeB=*/true);
  problem.scaled = true;
  problem.fastAccumulate = accumulate == TERT_ACCUMULATE_FAST;
  setScaleModes(problem, scaledA, scaledB);
  problem.addToD = addend != nullptr;
  GemmOperands operands = {a.data, b.data, d.data};
  if (readsAddend)
    operands.addend = addend->data;
  operands.aScale = static_cast<const float *>(scaledA.scale_inv->data);
  operands.bScale = static_cast<const float *>(scaledB.scale_inv->data);
  alignScales(launch, problem, operands);
  run(launch, site, problem, operands, bias);
}

void cuda::matmul(LaunchContext &launch, const tert_site &site,
                  const tert_tensor &a, const tert_tensor &b,
                  const tert_tensor *bias, const tert_tensor &d,
                  bool transposeA, bool transposeB, bool addToD) {
  launch.gemm.matmul(launch, site, a, b, bias, d, transposeA, transposeB,
                     addToD);
}

void cuda::scaledMatmul(LaunchContext &launch, const tert_site &site,
                        const tert_scaled &a, const tert_scaled &b,
                        const tert_tensor *bias, const tert_tensor *addend,
                        const tert_tensor &d, tert_accumulate accumulate) {
  launch.gemm.scaledMatmul(launch, site, a, b, bias, addend, d, accumulate);
}
