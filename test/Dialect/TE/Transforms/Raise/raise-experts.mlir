// Products of rows with matrices that are gathered for them.

// RUN: te-opt %s --split-input-file --te-raise | FileCheck %s
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-6: gradients within

// Matrices [features, inputs] of experts, as torch has them.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<40x64xf32> {{.*}}, %[[E:.*]]: tensor<40xi64> {{.*}}, %[[W:.*]]: tensor<3x96x64xf32>
// CHECK:         %[[B:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1], [2]] : tensor<3x96x64xf32> into tensor<288x64xf32>
// CHECK:         %[[LEAST:.*]] = arith.minui %[[E]], %{{.*}} : tensor<40xi64>
// CHECK:         %[[EXPERTS:.*]] = arith.trunci %[[LEAST]] : tensor<40xi64> to tensor<40xi32>
// CHECK:         %[[Y:.*]] = te.expert_matmul %[[X]], %[[B]] experts(%[[EXPERTS]]) {transpose_b} : tensor<40x64xf32>, tensor<288x64xf32>, tensor<40xi32> -> tensor<40x96xf32>
// CHECK-NOT:     te.embedding
func.func @forward(%x: tensor<40x64xf32> {te.input = "x"}, %e: tensor<40xi64> {te.input = "e"}, %w: tensor<3x96x64xf32> {te.param = "w"}) -> (tensor<40x96xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<40x96x1xf32>
  %t = tensor.collapse_shape %w [[0], [1, 2]] : tensor<3x96x64xf32> into tensor<3x6144xf32>
  %g = te.embedding %e, %t : tensor<40xi64>, tensor<3x6144xf32> -> tensor<40x6144xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [40, 96, 64] : tensor<40x6144xf32> into tensor<40x96x64xf32>
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [40, 64, 1] : tensor<40x64xf32> into tensor<40x64x1xf32>
  %d = linalg.batch_matmul ins(%m, %c : tensor<40x96x64xf32>, tensor<40x64x1xf32>) outs(%zero : tensor<40x96x1xf32>) -> tensor<40x96x1xf32>
  %y = tensor.collapse_shape %d [[0], [1, 2]] : tensor<40x96x1xf32> into tensor<40x96xf32>
  return %y : tensor<40x96xf32>
}

// -----

// Rows from the left, matrices [inputs, features].
// CHECK-LABEL: func.func @forward(
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) : tensor<40x64xf32>, tensor<192x96xf32>, tensor<40xi32> -> tensor<40x96xf32>
func.func @forward(%x: tensor<40x64xf32> {te.input = "x"}, %e: tensor<40xi32> {te.input = "e"}, %w: tensor<3x6144xf32> {te.param = "w"}) -> (tensor<40x96xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<40x1x96xf32>
  %g = te.embedding %e, %w : tensor<40xi32>, tensor<3x6144xf32> -> tensor<40x6144xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [40, 64, 96] : tensor<40x6144xf32> into tensor<40x64x96xf32>
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [40, 1, 64] : tensor<40x64xf32> into tensor<40x1x64xf32>
  %d = linalg.batch_matmul ins(%c, %m : tensor<40x1x64xf32>, tensor<40x64x96xf32>) outs(%zero : tensor<40x1x96xf32>) -> tensor<40x1x96xf32>
  %y = tensor.collapse_shape %d [[0], [1, 2]] : tensor<40x1x96xf32> into tensor<40x96xf32>
  return %y : tensor<40x96xf32>
}

// -----

// Transposed after they were gathered: einsum("si,soi->so") as an exporter may
// write it.
// CHECK-LABEL: func.func @forward(
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) {transpose_b} : tensor<40x64xf32>, tensor<288x64xf32>, tensor<40xi32> -> tensor<40x96xf32>
func.func @forward(%x: tensor<40x64xf32> {te.input = "x"}, %e: tensor<40xi64> {te.input = "e"}, %w: tensor<3x6144xf32> {te.param = "w"}) -> (tensor<40x1x96xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<40x1x96xf32>
  %g = te.embedding %e, %w : tensor<40xi64>, tensor<3x6144xf32> -> tensor<40x6144xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [40, 96, 64] : tensor<40x6144xf32> into tensor<40x96x64xf32>
  %i = tensor.empty() : tensor<40x64x96xf32>
  %t = linalg.transpose ins(%m : tensor<40x96x64xf32>) outs(%i : tensor<40x64x96xf32>) permutation = [0, 2, 1]
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [40, 1, 64] : tensor<40x64xf32> into tensor<40x1x64xf32>
  %d = linalg.batch_matmul ins(%c, %t : tensor<40x1x64xf32>, tensor<40x64x96xf32>) outs(%zero : tensor<40x1x96xf32>) -> tensor<40x1x96xf32>
  return %d : tensor<40x1x96xf32>
}

// -----

// None: matrices of each row's own, that no table has; and several rows with
// each matrix.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
func.func @forward(%x: tensor<40x64xf32> {te.input = "x"}, %w: tensor<40x64x96xf32> {te.param = "w"}) -> (tensor<40x1x96xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<40x1x96xf32>
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [40, 1, 64] : tensor<40x64xf32> into tensor<40x1x64xf32>
  %d = linalg.batch_matmul ins(%c, %w : tensor<40x1x64xf32>, tensor<40x64x96xf32>) outs(%zero : tensor<40x1x96xf32>) -> tensor<40x1x96xf32>
  return %d : tensor<40x1x96xf32>
}

// -----

// Nor many small matrices, of which copies take less than rows between groups.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
func.func @forward(%x: tensor<5x4xf32> {te.input = "x"}, %e: tensor<5xi64> {te.input = "e"}, %w: tensor<3x28xf32> {te.param = "w"}) -> (tensor<5x1x7xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<5x1x7xf32>
  %g = te.embedding %e, %w : tensor<5xi64>, tensor<3x28xf32> -> tensor<5x28xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [5, 4, 7] : tensor<5x28xf32> into tensor<5x4x7xf32>
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [5, 1, 4] : tensor<5x4xf32> into tensor<5x1x4xf32>
  %d = linalg.batch_matmul ins(%c, %m : tensor<5x1x4xf32>, tensor<5x4x7xf32>) outs(%zero : tensor<5x1x7xf32>) -> tensor<5x1x7xf32>
  return %d : tensor<5x1x7xf32>
}

// -----

// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
func.func @forward(%x: tensor<40x2x64xf32> {te.input = "x"}, %e: tensor<40xi64> {te.input = "e"}, %w: tensor<3x6144xf32> {te.param = "w"}) -> (tensor<40x2x96xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<40x2x96xf32>
  %g = te.embedding %e, %w : tensor<40xi64>, tensor<3x6144xf32> -> tensor<40x6144xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [40, 64, 96] : tensor<40x6144xf32> into tensor<40x64x96xf32>
  %d = linalg.batch_matmul ins(%x, %m : tensor<40x2x64xf32>, tensor<40x64x96xf32>) outs(%zero : tensor<40x2x96xf32>) -> tensor<40x2x96xf32>
  return %d : tensor<40x2x96xf32>
}
