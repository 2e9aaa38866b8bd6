// Gradients of contractions are contractions: nothing is as large as the
// product of all loops. Named ops have them too, without te-raise.

// RUN: te-opt %s --split-input-file --te-differentiate="entries=vjp loss=none" | FileCheck %s
// RUN: te-test-opt %s --split-input-file --te-raise --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp -o /dev/null | FileCheck %s --check-prefix=NUMBERS

// NUMBERS: 3 gradients agree
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @vjp(
// CHECK-SAME:    %[[XIN:[^ ,:]*]]: tensor<3x6x4xf32> {{.*}}, %[[R:[^ ,:]*]]: tensor<3x6x5xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<3x6x5xf32> {{.*}}, %[[WIN:[^ ,:]*]]: tensor<3x4x5xf32>
// CHECK:         %[[DX:.*]] = linalg.generic {indexing_maps = [#[[$Y]], #[[$W]], #[[$X]]], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%[[DY]], %[[WIN]] : tensor<3x6x5xf32>, tensor<3x4x5xf32>)
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      linalg.yield
// CHECK:         %[[DW:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$Y]], #[[$W]]], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%[[XIN]], %[[DY]] : tensor<3x6x4xf32>, tensor<3x6x5xf32>)
// CHECK:         return %{{.*}}, %[[DW]], %[[DX]], %[[DY]]
func.func @forward(%x: tensor<3x6x4xf32> {te.input = "x"}, %w: tensor<3x4x5xf32> {te.param = "w"}, %r: tensor<3x6x5xf32> {te.input = "r"}) -> (tensor<3x6x5xf32> {te.output = "y"}) {
  %y = linalg.batch_matmul ins(%x, %w : tensor<3x6x4xf32>, tensor<3x4x5xf32>) outs(%r : tensor<3x6x5xf32>) -> tensor<3x6x5xf32>
  return %y : tensor<3x6x5xf32>
}

// -----

// An outer product has no sum.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @vjp(
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"}) -> (tensor<6xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<6xf32>
  %y = linalg.matvec ins(%x, %w : tensor<6x4xf32>, tensor<4xf32>) outs(%z : tensor<6xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}
