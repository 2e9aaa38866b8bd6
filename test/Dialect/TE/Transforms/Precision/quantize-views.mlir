// RUN: te-opt %s --te-partition=policy=up=fp8 --te-quantize --te-validate-precision | FileCheck %s

// A function that only reads a parameter may view it as a matrix several times:
// each reader has the copy that it needs of the one matrix.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[ROWS:[^:]*]]: tensor<32x32xf8E4M3FN> {{{[^}]*}}te.state = "fp8.weight.experts.rowwise"}
// CHECK-SAME: %[[COLUMNS:[^:]*]]: tensor<32x32xf8E4M3FN> {{{[^}]*}}te.state = "fp8.weight.experts.columnwise"}
// CHECK: te.scaled_expert_matmul %{{.*}}, %[[ROWS]] scales({{.*}} transpose_b}
// CHECK: te.scaled_expert_matmul %{{.*}}, %[[COLUMNS]] scales({{.*}} role = #te.role<dgrad>}
module {
  func.func @forward(%x: tensor<64x32xf32> {te.input = "x"}, %d: tensor<64x16xf32> {te.input = "d"}, %e: tensor<64xi32> {te.input = "e"},
                   %q: tensor<2x16x32xf32> {te.param = "experts", te.init = "data"})
      -> (tensor<64x16xf32> {te.output = "y"}, tensor<64x32xf32> {te.output = "dx"}) attributes {te.entry = "forward"} {
    %q2 = tensor.collapse_shape %q [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %y = te.expert_matmul %x, %q2 experts(%e) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<64x32xf32>, tensor<32x32xf32>, tensor<64xi32> -> tensor<64x16xf32>
    %q3 = tensor.collapse_shape %q [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %dx = te.expert_matmul %d, %q3 experts(%e) {alignment = 16 : i64, layer = "up", role = #te.role<dgrad>} : tensor<64x16xf32>, tensor<32x32xf32>, tensor<64xi32> -> tensor<64x32xf32>
    return %y, %dx : tensor<64x16xf32>, tensor<64x32xf32>
  }
  func.func @train(%lr: tensor<f32> {te.scalar = "learning_rate"},
                   %q: tensor<2x16x32xf32> {te.param = "experts", te.init = "data"},
                   %g: tensor<2x16x32xf32> {te.input = "g"})
      -> (tensor<2x16x32xf32> {te.param = "experts"}) attributes {te.entry = "train"} {
    %one = arith.constant dense<1.0> : tensor<f32>
    %step = arith.constant dense<1> : tensor<i64>
    %nq = te.update #te.sgd<momentum = 0.0> %q gradient(%g) coefficient(%one) scalars(%lr, %one) step(%step) : tensor<2x16x32xf32>, tensor<2x16x32xf32>
    return %nq : tensor<2x16x32xf32>
  }
}
