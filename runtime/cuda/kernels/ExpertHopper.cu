// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/ExpertHopper.cuh"

#include "cuda/TensorMap.h"
#include "cuda/kernels/ExpertMatmul.h"
#include "cuda/kernels/Vector.cuh"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;
using namespace tert::cuda::experts;

static CUtensorMap mapOf(const tert_tensor &tensor, const TensorBox &box) {
  return mapTensor(tensor.data, dtypeOf(tensor), box);
}

/// A matrix of which a piece of the summed dimension has `depth` elements. It
/// is the first dimension, or the second if `transposed`; the other one has
/// `outer` elements.
static CUtensorMap operandMap(const tert_tensor &tensor, bool transposed,
                              int64_t depth, int64_t summed, int64_t outer,
                              int64_t count, int64_t countStride) {
  const int64_t stride = strideOf(tensor, 0);
  if (transposed)
    return mapOf(tensor,
                 {{outer, summed, count}, {stride, countStride}, 64, depth});
  return mapOf(tensor,
               {{summed, outer, count}, {stride, countStride}, depth, 128});
}

template <class V>
static void launchVariant(LaunchContext &launch, const ExpertCall &call) {
  const ExpertProduct &product = call.product;
  const int64_t rows = product.rows, n = product.n, experts = product.experts;
  const int64_t aStride = strideOf(call.a, 0), bStride = strideOf(call.b, 0),
                dStride = strideOf(call.d, 0);
  CUtensorMap aMap, bMap, dMap;
  if (V::wgrad) {
    aMap = operandMap(call.a, V::transposedA, V::depth, rows, product.m, 1,
                      aStride);
    bMap = operandMap(call.b, V::transposedB, V::depth, rows, n, 1, bStride);
    dMap = mapOf(call.d, {{n, product.m, experts},
                          {dStride, product.m * dStride},
                          V::outCols,
                          partRows});
  } else {
    const int64_t k = product.k;
    aMap = operandMap(call.a, false, V::depth, k, rows, 1, aStride);
    bMap = operandMap(call.b, V::transposedB, V::depth, k, n, experts,
                      product.transposeB ? n * bStride
                      : V::transposedB   ? k * bStride
                                         : k);
    dMap =
        mapOf(call.d, {{n, rows, 1}, {dStride, dStride}, V::outCols, partRows});
  }
  auto ceilDiv = [](int64_t a, int64_t b) { return int32_t((a + b - 1) / b); };
  Arguments args = {};
  args.groups = static_cast<const int32_t *>(call.groups.data);
  if (V::scaled) {
    args.aScales = static_cast<const float *>(call.aScale->data);
    args.bScales = static_cast<const float *>(call.bScale->data);
    args.aScaleEach = rankOf(*call.aScale) != 0;
    args.bScaleEach = rankOf(*call.bScale) != 0;
  }
  args.rows = int32_t(rows);
  args.m = int32_t(V::wgrad ? product.m : rows);
  args.n = int32_t(n);
  args.experts = int32_t(experts);
  args.depthBlocks = ceilDiv(product.k, V::depth);
  args.pairs = ceilDiv(args.m, clusterSize * tileRows);
  args.colTiles = ceilDiv(n, tileCols);
  args.tiles = args.pairs * args.colTiles * (V::wgrad ? int32_t(experts) : 1);
  const auto kernel = expertKernel<V>;
  check(cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(sizeof(Shared))),
        "expert_matmul");
  const int32_t clusters =
      std::min(args.tiles, launch.device.multiprocessors / clusterSize);
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {clusterSize, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(unsigned(clusters * clusterSize));
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = sizeof(Shared);
  config.stream = launch.stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, aMap, bMap, dMap, args),
        "expert_matmul");
}

template <Element a, Element b, bool transposedB, bool wgrad, bool split>
static void launchFor(LaunchContext &launch, const ExpertCall &call) {
  withFloat(dtypeOf(call.d), [&](auto out) {
    launchVariant<Variant<a, b, decltype(out), wgrad, transposedB, split>>(
        launch, call);
  });
}

template <Element a, Element b>
static void launchFp8(LaunchContext &launch, const ExpertCall &call) {
  if (call.product.wgrad)
    return launchFor<a, b, false, true, true>(launch, call);
  // Fast sums are for the forward pass, whose operands are E4M3.
  if (a == b && call.accumulate == TERT_ACCUMULATE_FAST)
    return launchFor<a, a, false, false, false>(launch, call);
  launchFor<a, b, false, false, true>(launch, call);
}

static void launchBf16(LaunchContext &launch, const ExpertCall &call) {
  constexpr Element bf16 = Element::Bf16;
  if (call.product.wgrad)
    return launchFor<bf16, bf16, true, true, false>(launch, call);
  if (call.product.transposeB)
    return launchFor<bf16, bf16, false, false, false>(launch, call);
  launchFor<bf16, bf16, true, false, false>(launch, call);
}

/// Whether copies of tiles take the matrix's address and stride.
static bool isAligned(const tert_tensor &matrix) {
  const int64_t pitch = strideOf(matrix, 0) * bytesOf(dtypeOf(matrix));
  return reinterpret_cast<uintptr_t>(matrix.data) % 16 == 0 && pitch > 0 &&
         pitch % 16 == 0;
}

/// The same of all operands, and the sizes that the kernel takes.
static bool takesSizes(const ExpertCall &call) {
  const ExpertProduct &product = call.product;
  if (call.alignment % tileRows != 0 || product.rows == 0 ||
      product.experts == 0 || !isAligned(call.a) || !isAligned(call.b) ||
      !isAligned(call.d))
    return false;
  if (product.wgrad)
    return product.experts <= maxExperts;
  // Experts side by side in a row start at multiples of 16 bytes.
  const bool sideBySide = product.scaled && !product.transposeB;
  return product.k > 0 && (!sideBySide || product.k % 16 == 0);
}

bool cuda::multiplyOnHopper(LaunchContext &launch, const ExpertCall &call) {
  const tert_dtype a = dtypeOf(call.a), b = dtypeOf(call.b);
  if (launch.device.major != 9 || !takesSizes(call))
    return false;
  if (a == TERT_BF16 && b == TERT_BF16)
    launchBf16(launch, call);
  else if (a == TERT_F8E4M3 && b == TERT_F8E4M3)
    launchFp8<Element::E4M3, Element::E4M3>(launch, call);
  else if (a == TERT_F8E5M2 && b == TERT_F8E4M3)
    launchFp8<Element::E5M2, Element::E4M3>(launch, call);
  else if (a == TERT_F8E4M3 && b == TERT_F8E5M2)
    launchFp8<Element::E4M3, Element::E5M2>(launch, call);
  else
    return false;
  return true;
}
