// RUN: te-opt %s --te-attach-costs | FileCheck %s
// RUN: sed 's/te.target = "sm_90"//' %s | te-opt --te-attach-costs=target=sm_90 | FileCheck %s --check-prefix=OPTION
// RUN: te-opt %s --te-attach-costs="tuning=%S/../../../../Tools/te-compile/Inputs/slow_joined.tuning.json" | FileCheck %s --check-prefix=TUNED
// RUN: te-opt %s --te-attach-costs --te-attach-costs | FileCheck %s
// RUN: te-opt %s --te-attach-costs | te-opt | FileCheck %s

// Facts of an H200: fixed seconds and share of 4.01 TB/s, and 8192 x 12288 x
// 4096 at 1489 TFLOP/s.
// CHECK: module attributes {te.costs = #te.measured_costs<device = "NVIDIA H200"
// OPTION: module attributes {te.costs = #te.measured_costs<device = "NVIDIA H200"
// CHECK-SAME: ceilings = {bf16 = 8.150000e+14 : f64, bytes = 4.010000e+12 : f64, f32 = 5.100000e+13 : f64, f8 = 1.490000e+15 : f64, multiprocessors = 1.320000e+02 : f64, operands = 1.850000e+11 : f64, split = 6.900000e-06 : f64, tile = 1.100000e-06 : f64}
// CHECK-SAME: {{ }}quantize = [3.600000e-06, {{0\.9399+[0-9]*|9\.400000e-01}}]
// CHECK-SAME: update = [0.000000e+00, 9.000000e-01]
// CHECK-SAME: benchmarked = {{.*}}"8192x12288x4096 f8E4M3 * f8E4M3^T -> bf16, fast" = 5.53{{[0-9]*}}E-4 : f64
// CHECK-SAME: tuned = {}

// TUNED: device = "NVIDIA H200, 132 multiprocessors, cuBLASLt 130100"
// TUNED-SAME: tuned = {"512x128x256 bf16 * bf16^T -> bf16 + bias" = 2.000000e-06 : f64, "512x256x256 bf16 * bf16^T -> bf16 + bias" = 3.0{{[0-9]*}}e-06 : f64, "512x384x256 bf16 * bf16^T -> bf16 + bias" = 9.0{{[0-9]*}}e-06 : f64}
module attributes {te.target = "sm_90"} {}
