// RUN: te-opt %s --te-merge-linears --split-input-file | FileCheck %s
// RUN: te-opt %s --te-merge-linears --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// Query, key and value of grouped-query attention: weights and biases are
// joined along their outputs, and the product is split again.
// CHECK-LABEL: func.func @qkv(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xf32>, %[[WQ:.*]]: tensor<32x32xf32> {te.param = "q.weight"}, %[[BQ:.*]]: tensor<32xf32> {te.param = "q.bias"}, %[[WK:.*]]: tensor<16x32xf32> {te.param = "k.weight"}, %[[BK:.*]]: tensor<16xf32> {te.param = "k.bias"}
// CHECK-NEXT: %[[W:.*]] = tensor.concat dim(0) %[[WQ]], %[[WK]] : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<48x32xf32>
// CHECK-NEXT: %[[B:.*]] = tensor.concat dim(0) %[[BQ]], %[[BK]] : (tensor<32xf32>, tensor<16xf32>) -> tensor<48xf32>
// CHECK-NEXT: %[[D:.*]] = te.matmul %[[X]], %[[W]] bias(%[[B]] : tensor<48xf32>) {transpose_b} : tensor<64x32xf32>, tensor<48x32xf32> -> tensor<64x48xf32>
// CHECK-NEXT: %[[QK:.*]]:2 = te.split %[[D]] axis 1 : tensor<64x48xf32> -> tensor<64x32xf32>, tensor<64x16xf32>
// CHECK-NEXT: %[[A:.*]] = te.activation relu %[[QK]]#0
// CHECK-NEXT: return %[[A]], %[[QK]]#1
// LOC-DAG: loc("h.0.attn.{q,k}"(#[[FUSED:.*]]))
// LOC-DAG: #[[FUSED]] = loc(fused[#{{.*}}, #{{.*}}])
func.func @qkv(%x: tensor<64x32xf32>,
    %wq: tensor<32x32xf32> {te.param = "q.weight"}, %bq: tensor<32xf32> {te.param = "q.bias"},
    %wk: tensor<16x32xf32> {te.param = "k.weight"}, %bk: tensor<16xf32> {te.param = "k.bias"})
    -> (tensor<64x32xf32>, tensor<64x16xf32>) {
  %q = te.matmul %x, %wq bias(%bq : tensor<32xf32>) {transpose_b}
     : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("h.0.attn.q")
  %a = te.activation relu %q : tensor<64x32xf32> -> y tensor<64x32xf32>
  %k = te.matmul %x, %wk bias(%bk : tensor<16xf32>) {transpose_b}
     : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32> loc("h.0.attn.k")
  return %a, %k : tensor<64x32xf32>, tensor<64x16xf32>
}

// -----

// Weights stored [K,N] are joined along their second dimension.
// CHECK-LABEL: func.func @stored_by_input(
// CHECK-NEXT: %[[W:.*]] = tensor.concat dim(1) %{{.*}}, %{{.*}}, %{{.*}} : (tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x48xf32>) -> tensor<32x80xf32>
// CHECK-NEXT: te.matmul %{{.*}}, %[[W]] : tensor<64x32xf32>, tensor<32x80xf32> -> tensor<64x80xf32>
// CHECK-NEXT: te.split {{.*}} axis 1
func.func @stored_by_input(%x: tensor<64x32xf32>, %w0: tensor<32x16xf32>, %w1: tensor<32x16xf32>, %w2: tensor<32x48xf32>)
    -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x48xf32>) {
  %0 = te.matmul %x, %w0 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %1 = te.matmul %x, %w1 : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %2 = te.matmul %x, %w2 : tensor<64x32xf32>, tensor<32x48xf32> -> tensor<64x48xf32>
  return %0, %1, %2 : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x48xf32>
}

// -----

// Left alone: other inputs, one bias without the other, weights stored the
// other way, a weight that is computed, and gradients.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: tensor.concat
// CHECK-COUNT-6: te.matmul
// CHECK-NOT: te.split
// CHECK: return
func.func @apart(%x: tensor<32x32xf32>, %z: tensor<32x32xf32>, %w: tensor<32x32xf32>, %b: tensor<32xf32>)
    -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %0 = te.matmul %x, %w {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %1 = te.matmul %z, %w {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %2 = te.matmul %x, %w bias(%b : tensor<32xf32>) {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %3 = te.matmul %x, %w : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %4 = te.matmul %x, %0 {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %5 = te.matmul %x, %w {role = #te.role<dgrad>} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// A product that adds to a matrix is not a layer that others could be joined to.
// CHECK-LABEL: func.func @addends(
// CHECK-NOT: tensor.concat
// CHECK-COUNT-2: te.matmul {{.*}} addend
// CHECK: return
func.func @addends(%x: tensor<64x32xf32>, %w0: tensor<16x32xf32>, %w1: tensor<16x32xf32>, %a: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %0 = te.matmul %x, %w0 addend(%a : tensor<64x16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  %1 = te.matmul %x, %w1 addend(%a : tensor<64x16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  return %0, %1 : tensor<64x16xf32>, tensor<64x16xf32>
}
