// What a module trains is evaluated in high precision, unless it is told
// otherwise; an evaluation alone is like any other entry.
// RUN: te-opt %s --te-partition --remarks-filter=te-partition 2>&1 | FileCheck %s --check-prefixes=CHECK,HIGH
// RUN: te-opt %s --te-partition=fp8-eval --remarks-filter=te-partition 2>&1 | FileCheck %s --check-prefixes=CHECK,FP8
// RUN: sed '/^\/\/ TRAIN/,/^\/\/ END/d' %s | te-opt --te-partition --remarks-filter=te-partition 2>&1 | FileCheck %s --check-prefix=FP8

// HIGH: [Missed] Evaluation | Category:te-partition | Function=eval | {{.*}}Reason="it evaluates the parameters that another entry trains, and FP8 would add its own rounding to their loss", Suggestion="choose FP8 with '--fp8-eval'"
// HIGH-NOT: Function=eval
// FP8: [Passed] FP8 | Category:te-partition | Function=eval |

// TRAIN
// CHECK-LABEL: func.func @train
// CHECK: te.region fp8
func.func @train(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"})
    -> (tensor<16x16xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("a")
  return %0 : tensor<16x16xf32>
}
// END

// HIGH-LABEL: func.func @eval
// HIGH: te.region high
// FP8-LABEL: func.func @eval
// FP8: te.region fp8
func.func @eval(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "eval"} {
  %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("a")
  %i = arith.constant 0 : index
  %1 = tensor.extract_slice %0[0, 0] [1, 1] [1, 1] : tensor<16x16xf32> to tensor<f32>
  %2 = arith.negf %1 : tensor<f32>
  return %2 : tensor<f32>
}
