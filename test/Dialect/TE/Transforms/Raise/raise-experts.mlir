// Products of rows with matrices that are gathered for them.

// RUN: te-opt %s --split-input-file --te-raise | FileCheck %s
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-5: gradients within

// Matrices [features, inputs] of experts, as torch has them.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<5x4xf32> {{.*}}, %[[E:.*]]: tensor<5xi64> {{.*}}, %[[W:.*]]: tensor<3x7x4xf32>
// CHECK:         %[[B:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1], [2]] : tensor<3x7x4xf32> into tensor<21x4xf32>
// CHECK:         %[[LEAST:.*]] = arith.minui %[[E]], %{{.*}} : tensor<5xi64>
// CHECK:         %[[EXPERTS:.*]] = arith.trunci %[[LEAST]] : tensor<5xi64> to tensor<5xi32>
// CHECK:         %[[Y:.*]] = te.expert_matmul %[[X]], %[[B]] experts(%[[EXPERTS]]) {transpose_b} : tensor<5x4xf32>, tensor<21x4xf32>, tensor<5xi32> -> tensor<5x7xf32>
// CHECK-NOT:     te.embedding
func.func @forward(%x: tensor<5x4xf32> {te.input = "x"}, %e: tensor<5xi64> {te.input = "e"}, %w: tensor<3x7x4xf32> {te.param = "w"}) -> (tensor<5x7xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<5x7x1xf32>
  %t = tensor.collapse_shape %w [[0], [1, 2]] : tensor<3x7x4xf32> into tensor<3x28xf32>
  %g = te.embedding %e, %t : tensor<5xi64>, tensor<3x28xf32> -> tensor<5x28xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [5, 7, 4] : tensor<5x28xf32> into tensor<5x7x4xf32>
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [5, 4, 1] : tensor<5x4xf32> into tensor<5x4x1xf32>
  %d = linalg.batch_matmul ins(%m, %c : tensor<5x7x4xf32>, tensor<5x4x1xf32>) outs(%zero : tensor<5x7x1xf32>) -> tensor<5x7x1xf32>
  %y = tensor.collapse_shape %d [[0], [1, 2]] : tensor<5x7x1xf32> into tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// -----

// Rows from the left, matrices [inputs, features].
// CHECK-LABEL: func.func @forward(
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) : tensor<5x4xf32>, tensor<12x7xf32>, tensor<5xi32> -> tensor<5x7xf32>
func.func @forward(%x: tensor<5x4xf32> {te.input = "x"}, %e: tensor<5xi32> {te.input = "e"}, %w: tensor<3x28xf32> {te.param = "w"}) -> (tensor<5x7xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<5x1x7xf32>
  %g = te.embedding %e, %w : tensor<5xi32>, tensor<3x28xf32> -> tensor<5x28xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [5, 4, 7] : tensor<5x28xf32> into tensor<5x4x7xf32>
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [5, 1, 4] : tensor<5x4xf32> into tensor<5x1x4xf32>
  %d = linalg.batch_matmul ins(%c, %m : tensor<5x1x4xf32>, tensor<5x4x7xf32>) outs(%zero : tensor<5x1x7xf32>) -> tensor<5x1x7xf32>
  %y = tensor.collapse_shape %d [[0], [1, 2]] : tensor<5x1x7xf32> into tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}

// -----

// Transposed after they were gathered: einsum("si,soi->so") as an exporter may
// write it.
// CHECK-LABEL: func.func @forward(
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) {transpose_b} : tensor<5x4xf32>, tensor<21x4xf32>, tensor<5xi32> -> tensor<5x7xf32>
func.func @forward(%x: tensor<5x4xf32> {te.input = "x"}, %e: tensor<5xi64> {te.input = "e"}, %w: tensor<3x28xf32> {te.param = "w"}) -> (tensor<5x1x7xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<5x1x7xf32>
  %g = te.embedding %e, %w : tensor<5xi64>, tensor<3x28xf32> -> tensor<5x28xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [5, 7, 4] : tensor<5x28xf32> into tensor<5x7x4xf32>
  %i = tensor.empty() : tensor<5x4x7xf32>
  %t = linalg.transpose ins(%m : tensor<5x7x4xf32>) outs(%i : tensor<5x4x7xf32>) permutation = [0, 2, 1]
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [5, 1, 4] : tensor<5x4xf32> into tensor<5x1x4xf32>
  %d = linalg.batch_matmul ins(%c, %t : tensor<5x1x4xf32>, tensor<5x4x7xf32>) outs(%zero : tensor<5x1x7xf32>) -> tensor<5x1x7xf32>
  return %d : tensor<5x1x7xf32>
}

// -----

// None: matrices of each row's own, that no table has; and several rows with
// each matrix.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
func.func @forward(%x: tensor<5x4xf32> {te.input = "x"}, %w: tensor<5x4x7xf32> {te.param = "w"}) -> (tensor<5x1x7xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<5x1x7xf32>
  %c = tensor.expand_shape %x [[0], [1, 2]] output_shape [5, 1, 4] : tensor<5x4xf32> into tensor<5x1x4xf32>
  %d = linalg.batch_matmul ins(%c, %w : tensor<5x1x4xf32>, tensor<5x4x7xf32>) outs(%zero : tensor<5x1x7xf32>) -> tensor<5x1x7xf32>
  return %d : tensor<5x1x7xf32>
}

// -----

// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
func.func @forward(%x: tensor<5x2x4xf32> {te.input = "x"}, %e: tensor<5xi64> {te.input = "e"}, %w: tensor<3x28xf32> {te.param = "w"}) -> (tensor<5x2x7xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<5x2x7xf32>
  %g = te.embedding %e, %w : tensor<5xi64>, tensor<3x28xf32> -> tensor<5x28xf32>
  %m = tensor.expand_shape %g [[0], [1, 2]] output_shape [5, 4, 7] : tensor<5x28xf32> into tensor<5x4x7xf32>
  %d = linalg.batch_matmul ins(%x, %m : tensor<5x2x4xf32>, tensor<5x4x7xf32>) outs(%zero : tensor<5x2x7xf32>) -> tensor<5x2x7xf32>
  return %d : tensor<5x2x7xf32>
}
