// Results that lie where an input was.
// RUN: te-opt %s --te-to-tert --tert-bufferize --split-input-file | FileCheck %s
// RUN: te-opt %s --te-to-tert --tert-bufferize --tert-plan-memory --split-input-file | FileCheck %s --check-prefix=ARENA

// Queries and keys are rotated inside the product that the values stay in; what
// is rotated back goes to where it is put together.

// Most is in use in attention's gradient: the product and its gradient, 3072 bytes
// each, the output, 1024, and the statistics, 128 in 256.
// ARENA-LABEL: func.func @rotate(
// ARENA-SAME:    te.arena_bytes = 7424 : i64

// CHECK-LABEL: func.func @rotate(
// CHECK:         %[[QKV:.*]] = memref.alloc() {{.*}}: memref<16x96xbf16>
// CHECK-NOT:     memref.alloc() {{.*}}: memref<2x8x2x16xbf16>
// CHECK:         tert.rope x(%[[Q:[^ ]*]] : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>) cos({{.*}}) sin({{.*}}) -> y(%[[Q]] :
// CHECK-NOT:     memref.alloc() {{.*}}: memref<2x8x2x16xbf16>
// CHECK:         tert.rope x(%[[K:[^ ]*]] : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>) {{.*}} -> y(%[[K]] :
// CHECK:         tert.attention q(%[[Q]] : {{.*}} k(%[[K]] : {{.*}} v(%{{[^ ]*}} : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 64>>)
// CHECK-NOT:     memref.alloc() {{.*}}: memref<2x8x2x16xbf16>
// CHECK:         tert.attention_grad {{.*}} -> dq(%[[DQ:[^ ]*]] : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>) dk(%[[DK:[^ ]*]] :
// CHECK-DAG:     tert.rope x(%[[DQ]] : {{.*}} -> y(%[[DQ]] : {{.*}}inverse
// CHECK-DAG:     tert.rope x(%[[DK]] : {{.*}} -> y(%[[DK]] : {{.*}}inverse
// CHECK-NOT:     tert.copy
// CHECK:         return
func.func @rotate(%h: tensor<16x32xbf16> {te.input = "h"}, %w: tensor<96x32xbf16> {te.param = "w"},
                  %cos: tensor<8x8xf32> {te.input = "cos"}, %sin: tensor<8x8xf32> {te.input = "sin"})
    -> (tensor<16x32xbf16> {te.output = "dh"}) {
  %qkv = te.matmul %h, %w {layer = "qkv", transpose_b} : tensor<16x32xbf16>, tensor<96x32xbf16> -> tensor<16x96xbf16>
  %p:3 = te.split %qkv axis 1 : tensor<16x96xbf16> -> tensor<16x32xbf16>, tensor<16x32xbf16>, tensor<16x32xbf16>
  %q = tensor.expand_shape %p#0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : tensor<16x32xbf16> into tensor<2x8x2x16xbf16>
  %k = tensor.expand_shape %p#1 [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : tensor<16x32xbf16> into tensor<2x8x2x16xbf16>
  %v = tensor.expand_shape %p#2 [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : tensor<16x32xbf16> into tensor<2x8x2x16xbf16>
  %rq = te.rope %q, %cos, %sin : tensor<2x8x2x16xbf16>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<2x8x2x16xbf16>
  %rk = te.rope %k, %cos, %sin : tensor<2x8x2x16xbf16>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<2x8x2x16xbf16>
  %o, %lse = te.attention %rq, %rk, %v {causal, scale = 0.25 : f32}
    : tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16> -> tensor<2x8x2x16xbf16>, tensor<2x2x8xf32>
  %dq, %dk, %dv = te.attention_grad %o, %rq, %rk, %v, %o, %lse {causal, scale = 0.25 : f32}
    : tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16>, tensor<2x2x8xf32>
    -> tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16>, tensor<2x8x2x16xbf16>
  %dqr = te.rope %dq, %cos, %sin {inverse} : tensor<2x8x2x16xbf16>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<2x8x2x16xbf16>
  %dkr = te.rope %dk, %cos, %sin {inverse} : tensor<2x8x2x16xbf16>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<2x8x2x16xbf16>
  %dq2 = tensor.collapse_shape %dqr [[0, 1], [2, 3]] : tensor<2x8x2x16xbf16> into tensor<16x32xbf16>
  %dk2 = tensor.collapse_shape %dkr [[0, 1], [2, 3]] : tensor<2x8x2x16xbf16> into tensor<16x32xbf16>
  %dv2 = tensor.collapse_shape %dv [[0, 1], [2, 3]] : tensor<2x8x2x16xbf16> into tensor<16x32xbf16>
  %dqkv = tensor.concat dim(1) %dq2, %dk2, %dv2 : (tensor<16x32xbf16>, tensor<16x32xbf16>, tensor<16x32xbf16>) -> tensor<16x96xbf16>
  %dh = te.matmul %dqkv, %w {layer = "qkv", role = #te.role<dgrad>} : tensor<16x96xbf16>, tensor<96x32xbf16> -> tensor<16x32xbf16>
  return %dh : tensor<16x32xbf16>
}

// -----

// What is read again, and what the caller has given, is not written over.

// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<2x8x2x16xf32> {te.input = "x"}
// CHECK-SAME:    %[[OUT:[^ ]*]]: memref<16x32xf32> {te.output = "y"}
// CHECK:         %[[Y:.*]] = memref.alloc() {{.*}}: memref<2x8x2x16xf32>
// CHECK:         tert.rope x(%[[X]] : {{.*}} -> y(%[[Y]] :
// CHECK:         %[[Z:.*]] = memref.expand_shape %[[OUT]]
// CHECK:         tert.rope x(%[[Y]] : {{.*}} -> y(%[[Z]] :
// CHECK:         %[[Y2:.*]] = memref.collapse_shape %[[Y]]
// CHECK:         tert.add a(%[[OUT]] : {{.*}} b(%[[Y2]] : {{.*}} -> y(%[[OUT]] :
func.func @kept(%x: tensor<2x8x2x16xf32> {te.input = "x"}, %t: tensor<8x8xf32> {te.input = "t"})
    -> (tensor<16x32xf32> {te.output = "y"}) {
  %y = te.rope %x, %t, %t : tensor<2x8x2x16xf32>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<2x8x2x16xf32>
  %z = te.rope %y, %t, %t : tensor<2x8x2x16xf32>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<2x8x2x16xf32>
  %z2 = tensor.collapse_shape %z [[0, 1], [2, 3]] : tensor<2x8x2x16xf32> into tensor<16x32xf32>
  %y2 = tensor.collapse_shape %y [[0, 1], [2, 3]] : tensor<2x8x2x16xf32> into tensor<16x32xf32>
  %s = te.add %z2, %y2 : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  return %s : tensor<16x32xf32>
}

// -----

// A quarter of a product that nobody else needs is not worth keeping it all.

// CHECK-LABEL: func.func @part(
// CHECK:         %[[P:.*]] = memref.alloc() {{.*}}: memref<16x128xbf16>
// CHECK:         %[[Y:.*]] = memref.alloc() {{.*}}: memref<2x8x2x16xbf16>
// CHECK:         tert.rope x({{.*}}) -> y(%[[Y]] : memref<2x8x2x16xbf16>)
func.func @part(%h: tensor<16x32xbf16> {te.input = "h"}, %w: tensor<128x32xbf16> {te.param = "w"}, %t: tensor<8x8xf32> {te.input = "t"})
    -> (tensor<32x32xbf16> {te.output = "y"}, tensor<16x16xbf16> {te.output = "z"}) {
  %p = te.matmul %h, %w {layer = "p", transpose_b} : tensor<16x32xbf16>, tensor<128x32xbf16> -> tensor<16x128xbf16>
  %s = tensor.extract_slice %p[0, 0] [16, 32] [1, 1] : tensor<16x128xbf16> to tensor<16x32xbf16>
  %x = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : tensor<16x32xbf16> into tensor<2x8x2x16xbf16>
  %r = te.rope %x, %t, %t : tensor<2x8x2x16xbf16>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<2x8x2x16xbf16>
  %m = tensor.collapse_shape %r [[0, 1], [2, 3]] : tensor<2x8x2x16xbf16> into tensor<16x32xbf16>
  %y = te.matmul %m, %m {layer = "y", transpose_a} : tensor<16x32xbf16>, tensor<16x32xbf16> -> tensor<32x32xbf16>
  %z = te.matmul %m, %m {layer = "z", transpose_b} : tensor<16x32xbf16>, tensor<16x32xbf16> -> tensor<16x16xbf16>
  return %y, %z : tensor<32x32xbf16>, tensor<16x16xbf16>
}
