// Unrolled, each iteration of a loop over stacked layers is a layer with scales
// of its own, and all of them are FP8.
// RUN: te-opt %s --te-import-linalg --te-raise --te-partition='policy=*=fp8' --remarks-filter=te-partition -o %t.mlir 2>&1 | FileCheck %s
// RUN: te-opt %t.mlir --te-quantize | FileCheck %s --check-prefix=SLOTS

// CHECK-COUNT-3: [Passed] FP8 | Category:te-partition | Function=forward
// CHECK-NOT:      remark
// Of each layer's input and weight.
// SLOTS: te.slots = ["w.input", "w.weight", "w:1.input", "w:1.weight", "w:2.input", "w:2.weight"]
func.func @stacked(%x: tensor<32x32xf32>, %w: tensor<3x32x32xf32> {te.param = "w"}) -> tensor<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> tensor<32x32xf32> {
    %wi = tensor.extract_slice %w[%i, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<3x32x32xf32> to tensor<32x32xf32>
    %p = linalg.matmul ins(%h, %wi : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zero : tensor<32x32xf32>) -> tensor<32x32xf32>
    %t = math.tanh %p : tensor<32x32xf32>
    scf.yield %t : tensor<32x32xf32>
  }
  return %y : tensor<32x32xf32>
}
