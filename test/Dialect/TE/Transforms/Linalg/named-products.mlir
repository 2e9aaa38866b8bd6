// Products as linalg.contract, whose operands stay what they are.

// RUN: te-opt %s --te-to-linalg=named-products --split-input-file | FileCheck %s
// RUN: te-opt %s --te-to-linalg --split-input-file | te-opt --te-to-linalg=named-products --split-input-file | FileCheck %s

// Upstream makes of them what they were:
// RUN: te-opt %s --te-to-linalg=named-products --split-input-file | mlir-opt --linalg-generalize-named-ops --split-input-file | FileCheck %s --check-prefix=GENERIC
// GENERIC-NOT: linalg.contract

// Both operands have K innermost; scales and the rest follow.
// CHECK-DAG:   #[[$A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG:   #[[$B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG:   #[[$D:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @scaled_matmul(
// CHECK-SAME:      %[[X:.*]]: tensor<16x32xf8E4M3FN>, %[[W:.*]]: tensor<48x32xf8E5M2>, %[[S:.*]]: tensor<f32>, %[[T:.*]]: tensor<f32>, %[[BIAS:.*]]: tensor<48xbf16>
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x48xf32>
// CHECK:         %[[SUM:.*]] = linalg.contract indexing_maps = [#[[$A]], #[[$B]], #[[$D]]] ins(%[[X]], %[[W]] : tensor<16x32xf8E4M3FN>, tensor<48x32xf8E5M2>) outs(%[[ZERO]] : tensor<16x48xf32>) -> tensor<16x48xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]], %[[S]], %[[T]] : tensor<16x48xf32>, tensor<f32>, tensor<f32>)
// CHECK-NOT:     arith.extf {{.*}} : f8
// CHECK:         return
// GENERIC:       arith.extf {{.*}} : f8E4M3FN to f32
func.func @scaled_matmul(%a: tensor<16x32xf8E4M3FN>, %b: tensor<48x32xf8E5M2>, %s: tensor<f32>, %t: tensor<f32>, %bias: tensor<48xbf16>) -> tensor<16x48xbf16> {
  %d = te.scaled_matmul %a, %b scales(%s, %t) bias(%bias : tensor<48xbf16>) : tensor<16x32xf8E4M3FN>, tensor<48x32xf8E5M2> -> tensor<16x48xbf16>
  return %d : tensor<16x48xbf16>
}

// -----

// bf16 is widened to the accumulator.
// CHECK-DAG:   #[[$A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-LABEL: func.func @transposed(
// CHECK:         linalg.contract indexing_maps = [#[[$A]], {{.*}}] ins(%{{.*}}, %{{.*}} : tensor<5x3xbf16>, tensor<5x4xbf16>) outs(%{{.*}} : tensor<3x4xf32>)
func.func @transposed(%a: tensor<5x3xbf16>, %b: tensor<5x4xbf16>) -> tensor<3x4xbf16> {
  %d = te.matmul %a, %b {transpose_a} : tensor<5x3xbf16>, tensor<5x4xbf16> -> tensor<3x4xbf16>
  return %d : tensor<3x4xbf16>
}

// -----

// Both of attention's, over batches and heads.
// CHECK-LABEL: func.func @attention(
// CHECK:         linalg.contract {{.*}} -> tensor<2x2x2x3x3xf32>
// CHECK:         linalg.contract {{.*}} outs(%{{.*}} : tensor<2x3x2x2x4xf32>)
// CHECK-NOT:     linalg.contract
func.func @attention(%q: tensor<2x3x4x4xf32>, %k: tensor<2x3x2x4xf32>, %v: tensor<2x3x2x4xf32>) -> tensor<2x3x4x4xf32> {
  %o, %lse = te.attention %q, %k, %v {causal, scale = 0.7 : f32}
    : tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32> -> tensor<2x3x4x4xf32>, tensor<2x4x3xf32>
  return %o : tensor<2x3x4x4xf32>
}

// -----

// Sums of other things, and sums of products in which nothing meets, are none.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     linalg.contract
func.func @others(%x: tensor<4x6xf32>, %g: tensor<6xf32>, %r: tensor<4xf32>) -> (tensor<6xf32>, tensor<4xf32>, tensor<3x5xf32>) {
  %dx, %dg = te.rms_norm_grad %x, %x, %g, %r : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<4xf32> -> dx tensor<4x6xf32> dgamma tensor<6xf32>
  %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32} : tensor<4x6xf32>, tensor<6xf32> -> y tensor<4x6xf32> stats tensor<4xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %a = arith.constant dense<2.0> : tensor<3x7xf32>
  %b = arith.constant dense<3.0> : tensor<7x5xf32>
  // The exponential of an operand is not the operand.
  %m = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%x0: f32, %x1: f32, %sum: f32):
    %0 = math.exp %x0 : f32
    %1 = arith.mulf %0, %x1 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x5xf32>
  return %dg, %rstd, %m : tensor<6xf32>, tensor<4xf32>, tensor<3x5xf32>
}
