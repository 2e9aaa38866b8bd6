// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements on an H200 (docs/benchmarks.md, "CUDA kernels beside their
// floors") and an H100, as a cost model for Hopper.

#include "HopperCosts.h"

#include "tuning/GemmProblem.h"
#include "tuning/TuningDatabase.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::te;
using tert::session::TuningDatabase;

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

/// Devices by name prefix, and the bandwidth that a copy attains (bytes per
/// second, read and written). All have the H200's multiprocessors; the memory
/// differs.
struct Device {
  StringRef name;
  double bytes;
};
static const Device devices[] = {
    {"NVIDIA H200", 4.01e12},
    {"NVIDIA GH200", 4.01e12},
    {"NVIDIA H100 80GB HBM3", 3.0e12},
    {"NVIDIA H100", 2.0e12}, // PCIe, NVL: by their data sheets' bandwidth
};

/// FLOP/s of the best FP8 and bf16 products, 8192 x 12288 x 4096, and of f32
/// products without TF32.
static constexpr double f8Rate = 1.49e15, bf16Rate = 8.15e14, f32Rate = 5.1e13;
static constexpr double multiprocessors = 132;

/// An H200's data sheet, whose figures the ones above attain a part of.
static constexpr DataSheet h200 = {"NVIDIA H200", 1.979e15, 9.895e14,
                                   6.7e13,        4.8e12,   132};

/// Of products of tiles: bytes of operands per second that one multiprocessor
/// loads, and seconds that a tile takes besides and that adding up parts of
/// sums takes. They fit 1732 products of 10^8 to 10^12 operations in those
/// steps, a third below 10^10, to within 8 % on average.
static constexpr double operandRate = 1.85e11, tileSeconds = 1.1e-6,
                        splitSeconds = 6.9e-6;

/// The three products of GPT-2's LM head took 30.8 ms with 50257 classes and
/// 4.64 ms with 50304.
static constexpr double unaligned = 30.8 / 4.64;

/// Fits of times by a straight line: its offset, and its slope as a fraction of
/// the bandwidth. The slopes are of microseconds at 16384 x 768 and at 8192 x
/// 4096 on an H200; the offsets of training steps of two Llama layers of 40
/// shapes on an H100, where they are small, from 1 to 800 MB: what the kernels
/// take as part of a step, the pause before the next one included.
struct Kernel {
  StringRef name;
  double fixed, share;
};
static const Kernel kernels[] = {
    // 16.0 and 40.3 us (50 and 134 MB).
    {"quantize", 3.6e-6, 0.94},
    // 19.7 and 46.0 us; a second launch adds the partial sums of rows.
    {"quantize+dbias", 4.8e-6, 0.85},
    // Both copies with their scales, 51.5 us at 8192 x 4096 and 193 at 8192 x
    // 16384. "shared": a second copy that the same call makes.
    {"quantize_blocks", 3.5e-6, 0.69},
    {"quantize_blocks+shared", 0, 0.69},
    // 66 and 230 us: x is read twice, in two launches.
    {"quantize_rows", 9.0e-6, 0.60},
    {"quantize_rows+shared", 0, 0.60},
    // 26.9 and 65.5 us; x is read twice, and quantizing only changes the
    // writes.
    {"layer_norm", 4.8e-6, 0.56},
    // 51.8 and 117.5 us.
    {"layer_norm_grad", 12.4e-6, 0.64},
    // 25.1 us at 8192 x 2048 and 46.1 at 8192 x 4096, quantized.
    {"rms_norm", 4.0e-6, 0.90},
    {"rms_norm+quantize", 5.5e-6, 0.86},
    {"rms_norm_grad", 8.2e-6, 0.85},
    {"rms_norm_grad+quantize", 11.3e-6, 0.80},
    // 22.9 and 58.5 us.
    {"add", 1.6e-6, 0.88},
    // GELU by tanh, four times as wide: 60.6 and 170.6 us.
    {"activation", 2.0e-6, 0.82},
    // 89.9 and 226.9 us with everything; the cost of summing rows in a
    // quantization is subtracted if they are not summed.
    {"activation_grad", 5.2e-6, 0.92},
    {"activation_grad+dbias", 7.7e-6, 0.92},
    // 186 us at 8192 x 14336, and 203 at 8192 x 8192 with the gradient,
    // quantized.
    {"gated_activation", 1.0e-6, 0.93},
    {"gated_activation+quantize", 2.4e-6, 0.95},
    {"gated_activation_grad", 4.4e-6, 0.90},
    // Queries and keys are one launch.
    {"rope", 0.3e-6, 0.95},
    // 461 us over 16384 x 50257.
    {"cross_entropy", 1.4e-6, 0.89},
    // 1050 us in place.
    {"cross_entropy_grad", 1.4e-6, 0.78},
    // 1.09 ms in three parts.
    {"cross_entropy_with_grad", 2.8e-6, 0.76},
    // 14.7 us over 16384 x 768.
    {"embedding", 1.4e-6, 0.95},
    {"embedding_grad", 1.4e-6, 0.35},
    // All parameters are one launch, whose 7.0 us are with the step's counter.
    {"update", 0.0, 0.90},
    // Of GPT-2 124M: states in FP8 0.98 ms, and parameters in bf16 1.01;
    // states in bf16 0.71, parameters 0.89, both 0.72.
    {"update+fp8", 0.0, 0.47},
    {"update+bf16", 0.0, 0.82},
    {"advance_step", 8.2e-6, 0.75},
    {"update_scales", 9.6e-6, 0.90},
    {"amax", 2.9e-6, 0.90},
    {"global_norm", 6.5e-6, 0.95},
    // Two launches, as for a quantization that sums rows.
    {"column_sum", 3.9e-6, 0.80},
    // Batch x heads x sequence x head, causal: 8 x 12 x 2048 x 64, 0.180 and
    // 0.388 ms; 4 x 32 x 2048 x 128, 0.302 and 0.978 ms. Fractions of the rate
    // of bf16 products. Two (cuDNN) and three launches.
    {"attention+d64", 7.5e-6, 0.36},
    {"attention+d128", 9.5e-6, 0.57},
    {"attention_grad+d64", 30.0e-6, 0.42},
    {"attention_grad+d128", 40.0e-6, 0.48},
    // Exponentials for 16 numbers of a state for each channel: 202 and 431 us
    // at 8 x 1024 x 1536.
    {"scan+rates", 4.0e-6, 0.105},
    {"scan_grad+rates", 8.0e-6, 0.077},
    // 19 and 40 us at 8 x 1024 x 1536.
    {"causal_conv", 1.5e-6, 0.68},
    {"causal_conv_grad", 5.0e-6, 0.50},
    {"matmul", 1.7e-6, 0.76},
    {"scaled_matmul", 2.4e-6, 0.76},
    // A generated gain kernel moved 4.07 TB/s, row sums 3.6 TB/s.
    {"generated", 1.4e-6, 0.90},
    {"copy", 1.2e-6, 0.88},
    {"default", 2.0e-6, 0.75},
};

/// What FP8 products in cuBLASLt do besides: time relative to none of it.
struct Epilogue {
  StringRef name;
  double k, factor;
};
static const Epilogue epilogues[] = {
    // Bias, GELU, its input in bf16, E4M3 result and amax: 0.122 ms against
    // 0.066 at 16384 x 3072 x 768, 0.84 against 0.80 at 8192 x 16384 x 4096.
    {"gelu_aux", 768, 0.122 / 0.066},
    {"gelu_aux", 4096, 0.84 / 0.80},
    // GELU's gradient and the bias', bf16 result: 1.67 ms against 0.77 at
    // 8192 x 16384 x 4096; it lost at 768 as well.
    {"dgelu_bgrad", 4096, 1.67 / 0.77},
    // Products with several scales a copy, relative to one: those of a layer
    // 4096 wide over 8192 tokens. wgrad has vectors in both.
    {"row_scales", 4096, 7.57 / 7.37},
    {"block_scales", 4096, 5.62 / 4.88},
    {"vector_scales", 4096, 3.66 / 2.49},
};

/// Products of a linear layer, [M,K] · [K,N], in TFLOP/s: the best of eight
/// algorithms. dgrad sums over N, wgrad over M.
struct Layer {
  int64_t m, k, n;
  double bf16, fprop, dgrad, wgrad, wgradAdded;
};
static const Layer layers[] = {
    {8192, 4096, 12288, 815, 1489, 1288, 1352, 1250},
    {8192, 4096, 4096, 728, 1424, 1194, 1316, 1253},
    {8192, 4096, 16384, 690, 1359, 1264, 1340, 1161},
    {8192, 16384, 4096, 714, 1411, 1242, 1293, 1158},
    {16384, 768, 2304, 675, 1182, 1138, 1334, 1304},
    {16384, 768, 768, 637, 1009, 818, 869, 819},
    {16384, 768, 50304, 689, 1229, 1312, 1355, 1234},
};

//===----------------------------------------------------------------------===//
// As attributes
//===----------------------------------------------------------------------===//

static DictionaryAttr getBenchmarkedProducts(Builder &builder) {
  NamedAttrList list;
  auto add = [&](int64_t m, int64_t n, int64_t k, StringRef rest,
                 double teraflops) {
    std::string text = std::to_string(m) + "x" + std::to_string(n) + "x" +
                       std::to_string(k) + " " + rest.str();
    double seconds = 2.0 * double(m) * double(n) * double(k) / teraflops / 1e12;
    list.set(text, builder.getF64FloatAttr(seconds));
  };
  for (const Layer &layer : layers) {
    auto [m, k, n, bf16, fprop, dgrad, wgrad, wgradAdded] = layer;
    add(m, n, k, "bf16 * bf16^T -> bf16", bf16);
    add(m, n, k, "f8E4M3 * f8E4M3^T -> bf16, fast", fprop);
    add(m, k, n, "f8E5M2 * f8E4M3^T -> bf16, split", dgrad);
    add(n, k, m, "f8E5M2 * f8E4M3^T -> bf16, split", wgrad);
    add(n, k, m, "f8E5M2 * f8E4M3^T -> f32 + d, split", wgradAdded);
  }
  return list.getDictionary(builder.getContext());
}

namespace {
/// Rates that a GPU attains, per second.
struct Rates {
  double bytes, f8 = f8Rate, bf16 = bf16Rate, f32 = f32Rate;
  double multiprocessors = ::multiprocessors, operands = operandRate;
};
} // namespace

static DictionaryAttr getCeilings(Builder &builder, const Rates &rates) {
  auto named = [&](StringRef name, double value) {
    return builder.getNamedAttr(name, builder.getF64FloatAttr(value));
  };
  return builder.getDictionaryAttr({
      named("bytes", rates.bytes),
      named("f8", rates.f8),
      named("bf16", rates.bf16),
      named("f32", rates.f32),
      named("multiprocessors", rates.multiprocessors),
      named("operands", rates.operands),
      named("tile", tileSeconds),
      named("split", splitSeconds),
  });
}

static MeasuredCostsAttr getCosts(MLIRContext *context, StringRef device,
                                  const Rates &rates,
                                  DictionaryAttr benchmarked) {
  Builder builder(context);
  auto pair = [&](double first, double second) -> Attribute {
    return builder.getArrayAttr(
        {builder.getF64FloatAttr(first), builder.getF64FloatAttr(second)});
  };
  NamedAttrList kernelList;
  for (const Kernel &kernel : kernels)
    kernelList.set(kernel.name, pair(kernel.fixed, kernel.share));
  llvm::MapVector<StringRef, SmallVector<Attribute>> points;
  for (const Epilogue &epilogue : epilogues)
    points[epilogue.name].push_back(pair(epilogue.k, epilogue.factor));
  NamedAttrList epilogueList;
  for (auto &[name, list] : points)
    epilogueList.set(name, builder.getArrayAttr(list));
  return MeasuredCostsAttr::get(
      context, builder.getStringAttr(device),
      builder.getF64FloatAttr(unaligned), getCeilings(builder, rates),
      kernelList.getDictionary(context), epilogueList.getDictionary(context),
      benchmarked, builder.getDictionaryAttr({}));
}

MeasuredCostsAttr mlir::te::getHopperCosts(MLIRContext *context) {
  Builder builder(context);
  return getCosts(context, devices[0].name, {devices[0].bytes},
                  getBenchmarkedProducts(builder));
}

MeasuredCostsAttr mlir::te::getDataSheetCosts(MLIRContext *context,
                                              const DataSheet &gpu) {
  Rates rates = {gpu.bytes * devices[0].bytes / h200.bytes};
  rates.bf16 = gpu.bf16 * bf16Rate / h200.bf16;
  // What has no matrix units for FP8 would be computed in bf16.
  rates.f8 = gpu.f8 > 0 ? gpu.f8 * f8Rate / h200.f8 : rates.bf16;
  rates.f32 = gpu.f32 * f32Rate / h200.f32;
  rates.multiprocessors = gpu.multiprocessors;
  // A multiprocessor loads operands as fast as it multiplies them.
  rates.operands = operandRate * (gpu.bf16 / gpu.multiprocessors) /
                   (h200.bf16 / h200.multiprocessors);
  return getCosts(context, gpu.device.str() + " by its data sheet, unmeasured",
                  rates, DictionaryAttr::get(context));
}

//===----------------------------------------------------------------------===//
// Tuning databases
//===----------------------------------------------------------------------===//

/// The device of the target that a device name in a database means.
static const Device *findDevice(StringRef name) {
  for (const Device &device : devices)
    if (name.starts_with(device.name))
      return &device;
  return nullptr;
}

/// No kernel takes less than a nanosecond (0 means not timed) or more than a
/// quarter of an hour.
static bool isPlausible(double seconds) {
  return seconds > 1e-9 && seconds < 1e3;
}

/// The products with valid names and times.
static DictionaryAttr getTunedProducts(Builder &builder,
                                       const TuningDatabase::Plans &plans) {
  NamedAttrList list;
  for (const auto &[problem, plan] : plans)
    if (tert::parseGemmProblem(problem) && isPlausible(plan.bestSeconds))
      list.set(problem, builder.getF64FloatAttr(plan.bestSeconds));
  return list.getDictionary(builder.getContext());
}

MeasuredCostsAttr mlir::te::getTunedHopperCosts(MLIRContext *context,
                                                StringRef target,
                                                StringRef path,
                                                StringRef device,
                                                std::string &warning) {
  MeasuredCostsAttr costs = getHopperCosts(context);
  auto ignored = [&](const std::string &why) {
    warning = tert::session::ignoredTuning(path.str(), why);
    return costs;
  };
  auto database = TuningDatabase::read(path.str());
  if (!database)
    return ignored(database.takeError().message());
  Builder builder(context);
  const Device *chosen = nullptr;
  StringRef chosenName;
  DictionaryAttr products;
  for (const auto &[name, plans] : database->plansByDevice()) {
    const Device *known = findDevice(name);
    if (!known || !StringRef(name).starts_with(device))
      continue;
    DictionaryAttr found = getTunedProducts(builder, plans);
    if (found.empty() || (products && products.size() >= found.size()))
      continue;
    chosen = known;
    chosenName = name;
    products = found;
  }
  if (!chosen)
    return ignored(database->reasonWithoutPlansFor(
        target.str() + (device.empty() ? "" : " (" + device.str() + ")")));
  return MeasuredCostsAttr::get(
      context, builder.getStringAttr(chosenName), costs.getUnaligned(),
      getCeilings(builder, {chosen->bytes}), costs.getKernels(),
      costs.getEpilogues(), costs.getBenchmarked(), products);
}
