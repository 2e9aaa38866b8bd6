// RUN: te-test-opt %s --te-partition='calibration=%S/Inputs/calibration-times.json quality=0.1%%' --split-input-file --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s

// Both layers add 0.06 % to the loss, and one of them fits into 0.1 %. A kernel
// takes a nanosecond for each byte that it moves, as in partition-times.mlir:
// quantizing the input takes 6.152 us, the weights 12.296 and 24.584. Of `small`
// FP8 saves 120 - 28.4 us, of `large`, which has twice the operations, 80 - 40.7.
// CHECK: loc("small"): [Passed] FP8 |
// CHECK: loc("large"): [Missed] Calibration | {{.*}}Reason="FP8 would add 0.06%
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 1.2e-4, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 1.0e-5,
             "32x128x64 bf16 * bf16 -> bf16" = 8.0e-5, "32x128x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 1.0e-5}>} {
  func.func @timed(%x: tensor<32x64xbf16>, %v: tensor<64x64xbf16> {te.param = "v"}, %w: tensor<64x128xbf16> {te.param = "w"}) -> (tensor<32x64xbf16>, tensor<32x128xbf16>) {
    %a = te.matmul %x, %v : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("small")
    %b = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x128xbf16> -> tensor<32x128xbf16> loc("large")
    %c = te.activation relu %a : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    %d = te.activation relu %b : tensor<32x128xbf16> -> y tensor<32x128xbf16>
    return %c, %d : tensor<32x64xbf16>, tensor<32x128xbf16>
  }
}

// -----

// Without a cost model operations count.
// CHECK: loc("small"): [Missed] Calibration |
// CHECK: loc("large"): [Passed] FP8 |
func.func @counted(%x: tensor<32x64xbf16>, %v: tensor<64x64xbf16> {te.param = "v"}, %w: tensor<64x128xbf16> {te.param = "w"}) -> (tensor<32x64xbf16>, tensor<32x128xbf16>) {
  %a = te.matmul %x, %v : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("small")
  %b = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x128xbf16> -> tensor<32x128xbf16> loc("large")
  %c = te.activation relu %a : tensor<32x64xbf16> -> y tensor<32x64xbf16>
  %d = te.activation relu %b : tensor<32x128xbf16> -> y tensor<32x128xbf16>
  return %c, %d : tensor<32x64xbf16>, tensor<32x128xbf16>
}
