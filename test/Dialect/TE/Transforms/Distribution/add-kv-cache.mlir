// RUN: te-opt %s --te-build-entries=entries=decode --te-add-kv-cache --cse | FileCheck %s
// RUN: te-opt %s --te-build-entries=entries=decode --te-add-kv-cache --cse | FileCheck %s --check-prefix=PREFILL

// A model with learned positions, rope and a window, for two sequences of eight tokens.
// decode computes one token of each.

// CHECK-LABEL: func.func @decode(%arg0: tensor<2x1xi64> {te.input = "ids"}, %arg1: tensor<2xi64> {te.input = "positions", te.range = array<i64: 0, 8>}
// CHECK-SAME: %arg8: tensor<2x8x2x8xf32> {te.init = 0.000000e+00 : f32, te.kind = "kv_cache", te.state = "cache.0.keys"}
// CHECK-SAME: %arg9: tensor<2x8x2x8xf32> {te.init = 0.000000e+00 : f32, te.kind = "kv_cache", te.state = "cache.0.values"}
// CHECK-SAME: -> (tensor<2x1x96xf32> {te.output = "logits"}, tensor<2x8x2x8xf32> {te.kind = "kv_cache", te.state = "cache.0.keys"}, tensor<2x8x2x8xf32> {te.kind = "kv_cache", te.state = "cache.0.values"})

// Each sequence has the row of its own position in every table:
// CHECK: %[[POS:.*]] = te.embedding %arg1, %arg3 : tensor<2xi64>, tensor<8x16xf32> -> tensor<2x16xf32>
// CHECK: te.add %{{.*}}, %[[POS]]
// CHECK: te.matmul {{.*}} : tensor<2x16xf32>, tensor<16x48xf32> -> tensor<2x48xf32>
// CHECK: %[[COS:.*]] = te.embedding %arg1, %arg6 : tensor<2xi64>, tensor<8x4xf32> -> tensor<2x4xf32>
// CHECK: %[[SIN:.*]] = te.embedding %arg1, %arg7
// CHECK: %[[Q:.*]] = te.rope %{{.*}}, %[[COS]], %[[SIN]]
// CHECK: %[[K:.*]] = te.rope %{{.*}}, %[[COS]], %[[SIN]]

// The cache has the new key at the position, and what it had elsewhere:
// CHECK: %[[KEYS:.*]] = linalg.generic {{.*}} ins(%[[K]], %arg1 : {{.*}} outs(%arg8 :
// CHECK: linalg.index 1
// CHECK: %[[IS_NEW:.*]] = arith.cmpi eq
// CHECK: arith.select %[[IS_NEW]]
// CHECK: %[[VALUES:.*]] = linalg.generic {{.*}} outs(%arg9 :

// Keys 0 to the position are seen, of which the window leaves the last three:
// CHECK: %[[LENGTHS:.*]] = linalg.generic {{.*}} ins(%arg1 :
// CHECK: arith.addi %{{.*}}, %c1_i64
// CHECK: %[[WINDOW:.*]] = linalg.generic
// CHECK: arith.subi %{{.*}}, %c2_i64
// CHECK: arith.cmpi slt
// CHECK: -> tensor<2x1x1x8xf32>
// CHECK: te.attention %[[Q]], %[[KEYS]], %[[VALUES]] bias(%[[WINDOW]] : tensor<2x1x1x8xf32>) lengths(%[[LENGTHS]] : tensor<2xi64>) {scale = 5.000000e-01 : f32}
// CHECK: return %{{.*}}, %[[KEYS]], %[[VALUES]]

// prefill computes all keys and values, as forward does, and the rest for one token.

// PREFILL-LABEL: func.func @prefill(%arg0: tensor<2x8xi64> {te.input = "ids"}, %arg1: tensor<2xi64> {te.input = "positions"
// PREFILL: %[[X:.*]] = te.add %{{.*}}, %arg3
// PREFILL: %[[Q:.*]] = te.rope %{{.*}}, %arg6, %arg7
// PREFILL: %[[K:.*]] = te.rope %{{.*}}, %arg6, %arg7
// PREFILL: te.attention %[[Q]], %[[K]], {{.*}} {causal, scale = 5.000000e-01 : f32, window = 3 : i64}
// PREFILL: %[[AT:.*]] = tensor.collapse_shape {{.*}} : tensor<2x1xi64> into tensor<2xi64>
// PREFILL: te.embedding %[[AT]], %{{.*}} : tensor<2xi64>, tensor<16x16xf32> -> tensor<2x16xf32>
// PREFILL: te.matmul {{.*}}layer = "wo"} : tensor<2x16xf32>
// PREFILL: te.embedding %[[AT]], %[[X]]
// PREFILL: te.matmul {{.*}}layer = "wte", transpose_b} : tensor<2x16xf32>, tensor<96x16xf32> -> tensor<2x96xf32>
// PREFILL: return %{{.*}}, %[[K]], %{{.*}} : tensor<2x1x96xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>
func.func @forward(
    %ids: tensor<2x8xi64> {te.input = "ids"},
    %wte: tensor<96x16xf32> {te.param = "wte"},
    %wpe: tensor<8x16xf32> {te.param = "wpe"},
    %wqkv: tensor<16x48xf32> {te.param = "wqkv"},
    %wo: tensor<16x16xf32> {te.param = "wo"},
    %cos: tensor<8x4xf32> {te.param = "cos"},
    %sin: tensor<8x4xf32> {te.param = "sin"})
    -> (tensor<2x8x96xf32> {te.output = "logits"}) {
  %unused = arith.constant dense<0.0> : tensor<8xf32>
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x8xi64> into tensor<16xi64>
  %e = te.embedding %rows, %wte : tensor<16xi64>, tensor<96x16xf32> -> tensor<16x16xf32>
  %x = te.add %e, %wpe : tensor<16x16xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  %qkv = te.matmul %x, %wqkv : tensor<16x16xf32>, tensor<16x48xf32> -> tensor<16x48xf32>
  %q0, %k0, %v0 = te.split %qkv axis 1 : tensor<16x48xf32> -> tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  %q1 = tensor.expand_shape %q0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
  %k1 = tensor.expand_shape %k0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
  %v1 = tensor.expand_shape %v0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
  %q = te.rope %q1, %cos, %sin : tensor<2x8x2x8xf32>, tensor<8x4xf32>, tensor<8x4xf32> -> tensor<2x8x2x8xf32>
  %k = te.rope %k1, %cos, %sin : tensor<2x8x2x8xf32>, tensor<8x4xf32>, tensor<8x4xf32> -> tensor<2x8x2x8xf32>
  %o, %lse = te.attention %q, %k, %v1 {causal, scale = 0.5 : f32, window = 3 : i64}
    : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32> -> tensor<2x8x2x8xf32>, tensor<2x2x8xf32>
  %o1 = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x8x2x8xf32> into tensor<16x16xf32>
  %p = te.matmul %o1, %wo : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %h = te.add %x, %p : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %l = te.matmul %h, %wte {transpose_b} : tensor<16x16xf32>, tensor<96x16xf32> -> tensor<16x96xf32>
  %logits = tensor.expand_shape %l [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf32> into tensor<2x8x96xf32>
  return %logits : tensor<2x8x96xf32>
}
