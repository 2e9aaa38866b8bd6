// RUN: te-opt %s --te-partition --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s

// Proved ranges in remarks, and products whose operands FP8 cannot hold.

func.func @forward(%x: tensor<64x128xf32> {te.input = "x", te.max_abs = 8.0 : f32},
                   %s: tensor<64x128xf32> {te.input = "s", te.max_abs = 1.0e-44 : f32},
                   %w: tensor<128x128xf32> {te.param = "w"},
                   %b: tensor<128x128xf32> {te.param = "b", te.max_abs = 0.5 : f32},
                   %z: tensor<128x128xf32> {te.param = "z", te.max_abs = 0.0 : f32})
    -> (tensor<64x128xf32> {te.output = "y"}) {
  // CHECK: loc("known"): [Passed] FP8 |{{.*}} range="input <= 2^3, weight <= 2^-1"
  %0 = te.matmul %x, %b {transpose_b} : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32> loc("known")
  // CHECK: loc("half"): [Passed] FP8 |{{.*}} range="input <= 2^3, weight any"
  %1 = te.matmul %x, %w {transpose_b} : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32> loc("half")
  // CHECK: loc("zero"): [Missed] Range |{{.*}}Reason="its weight is 0 in every element that is finite, and has no amax to make a scale of", Suggestion="remove the product"{{.*}} range="input <= 2^3, weight 0"
  %2 = te.matmul %x, %z {transpose_b} : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32> loc("zero")
  // CHECK: loc("small"): [Missed] Range |{{.*}}Reason="its input is <= 2^-146.19 in absolute value, and no scale in float32 makes that a normal FP8 number", Suggestion="multiply it by a constant before the product, and divide the result"
  %3 = te.matmul %s, %w {transpose_b} : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32> loc("small")
  // CHECK: loc("unknown"): [Passed] FP8 |
  // CHECK-NOT: range
  %4 = te.activation relu %1 : tensor<64x128xf32> -> y tensor<64x128xf32>
  %5 = te.matmul %4, %w {transpose_b} : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32> loc("unknown")
  %6 = te.add %0, %2 : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %7 = te.add %3, %5 : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %8 = te.add %6, %7 : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  // The head, which adds what the others made: none of them is one.
  %9 = te.matmul %8, %w {transpose_b} : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32> loc("head")
  return %9 : tensor<64x128xf32>
}
