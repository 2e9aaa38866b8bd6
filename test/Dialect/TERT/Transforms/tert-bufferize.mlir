// RUN: te-opt %s --tert-bufferize --split-input-file | FileCheck %s

// States are updated in their arguments' buffers, and so are FP8 copies that
// the optimizer writes; outputs get arguments of their own behind the others.

// CHECK-LABEL: func @train(
// CHECK-SAME:    %[[G:[^ ]*]]: memref<32x16xf32> {te.input = "g"}, %[[S:[^ ]*]]: memref<f32> {te.scalar = "s"},
// CHECK-SAME:    %[[P:[^ ]*]]: memref<32x16xf32> {te.init = "data", te.param = "p"},
// CHECK-SAME:    %[[M:[^ ]*]]: memref<32x16xf32> {te.kind = "optimizer", te.state = "m"}, %[[V:[^ ]*]]: memref<32x16xf32> {te.kind = "optimizer", te.state = "v"},
// CHECK-SAME:    %[[Q:[^ ]*]]: memref<32x16xf8E4M3FN> {te.kind = "fp8_weight", te.state = "q"}, %[[STEP:[^ ]*]]: memref<i64>
// CHECK-SAME:    %[[NORM:[^ ]*]]: memref<f32> {te.output = "norm"}) attributes {te.entry = "train"} {
func.func @train(%g: tensor<32x16xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"},
                 %p: tensor<32x16xf32> {te.param = "p", te.init = "data"},
                 %m: tensor<32x16xf32> {te.state = "m", te.kind = "optimizer"},
                 %v: tensor<32x16xf32> {te.state = "v", te.kind = "optimizer"},
                 %q: tensor<32x16xf8E4M3FN> {te.state = "q", te.kind = "fp8_weight"},
                 %step: tensor<i64> {te.state = "step", te.kind = "counter"})
    -> (tensor<32x16xf32> {te.param = "p"}, tensor<f32> {te.output = "norm"}, tensor<32x16xf32> {te.state = "m"},
        tensor<32x16xf32> {te.state = "v"}, tensor<32x16xf8E4M3FN> {te.state = "q"}, tensor<i64> {te.state = "step"})
    attributes {te.entry = "train"} {
  // The old copy is read before the new one is written over it.
  // CHECK: %[[D:.*]] = memref.alloc() {{.*}}: memref<32x32xf32>
  // CHECK: tert.scaled_matmul a(%[[Q]] : {{.*}}) a_scale_inv({{.*}}) b(%[[Q]] : {{.*}}) {{.*}} -> d(%[[D]] :
  %d0 = tensor.empty() : tensor<32x32xf32>
  %d = tert.scaled_matmul a(%q : tensor<32x16xf8E4M3FN>) a_scale_inv(%s : tensor<f32>) b(%q : tensor<32x16xf8E4M3FN>)
    b_scale_inv(%s : tensor<f32>) -> d(%d0 : tensor<32x32xf32>) {accumulate = #te.accumulate<split>}
  // CHECK: tert.global_norm gradients(%[[D]] : {{.*}}) -> norm(%[[NORM]] : memref<f32>)
  %n0 = tensor.empty() : tensor<f32>
  %norm = tert.global_norm gradients(%d : tensor<32x32xf32>) -> norm(%n0 : tensor<f32>)
  // CHECK: tert.advance_step coefficient(%[[NORM]] : {{.*}}) -> step(%[[STEP]] : memref<i64>)
  %t = tert.advance_step coefficient(%norm : tensor<f32>) -> step(%step : tensor<i64>)
  // CHECK: tert.update gradients(%[[G]] : {{.*}}) {{.*}} step(%[[STEP]] : memref<i64>) scales(%[[S]] : memref<f32>)
  // CHECK-SAME: -> params(%[[P]] : {{.*}}) states(%[[M]], %[[V]] : {{.*}}) rowwise(%[[Q]] : {{.*}}) {copies = array<i32: 1>, decays = array<i32: 1>, rule = "adamw"}
  %q0 = tensor.empty() : tensor<32x16xf8E4M3FN>
  %u:4 = tert.update gradients(%g : tensor<32x16xf32>) coefficient(%s : tensor<f32>) scalars(%s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
    step(%t : tensor<i64>) scales(%s : tensor<f32>)
    -> params(%p : tensor<32x16xf32>) states(%m, %v : tensor<32x16xf32>, tensor<32x16xf32>)
       rowwise(%q0 : tensor<32x16xf8E4M3FN>) {copies = array<i32: 1>, decays = array<i32: 1>, rule = "adamw"}
  // CHECK-NOT: tert.copy
  // CHECK: return{{$}}
  return %u#0, %norm, %u#1, %u#2, %u#3, %t
    : tensor<32x16xf32>, tensor<f32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<i64>
}

// -----

// A packed QKV is read through strided views, and the gradients of its parts
// are written into their places in the packed gradient.

// CHECK-LABEL: func @packed_qkv(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<64x384xf32> {te.input = "qkv"}, %[[DO:[^ ]*]]: memref<64x128xf32> {te.input = "do"}, %[[DX:[^ ]*]]: memref<64x384xf32> {te.output = "dqkv"})
func.func @packed_qkv(%x: tensor<64x384xf32> {te.input = "qkv"}, %do: tensor<64x128xf32> {te.input = "do"})
    -> (tensor<64x384xf32> {te.output = "dqkv"}) {
  %q = tensor.extract_slice %x[0, 0] [64, 128] [1, 1] : tensor<64x384xf32> to tensor<64x128xf32>
  %k = tensor.extract_slice %x[0, 128] [64, 128] [1, 1] : tensor<64x384xf32> to tensor<64x128xf32>
  %v = tensor.extract_slice %x[0, 256] [64, 128] [1, 1] : tensor<64x384xf32> to tensor<64x128xf32>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 32, 4, 32] : tensor<64x128xf32> into tensor<2x32x4x32xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 32, 4, 32] : tensor<64x128xf32> into tensor<2x32x4x32xf32>
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 32, 4, 32] : tensor<64x128xf32> into tensor<2x32x4x32xf32>
  %do4 = tensor.expand_shape %do [[0, 1], [2, 3]] output_shape [2, 32, 4, 32] : tensor<64x128xf32> into tensor<2x32x4x32xf32>
  %e4 = tensor.empty() : tensor<2x32x4x32xf32>
  %l = tensor.empty() : tensor<2x4x32xf32>
  // CHECK: tert.attention q(%{{.*}} : memref<2x32x4x32xf32, strided<[12288, 384, 32, 1]>>) k(%{{.*}} : memref<2x32x4x32xf32, strided<[12288, 384, 32, 1], offset: 128>>) v(%{{.*}} : memref<2x32x4x32xf32, strided<[12288, 384, 32, 1], offset: 256>>)
  %o, %lse = tert.attention q(%q4 : tensor<2x32x4x32xf32>) k(%k4 : tensor<2x32x4x32xf32>) v(%v4 : tensor<2x32x4x32xf32>)
    -> o(%e4 : tensor<2x32x4x32xf32>) lse(%l : tensor<2x4x32xf32>) {scale = 0.25 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64, layout = #te.attention_layout<bshd>}
  %dq0 = tensor.empty() : tensor<2x32x4x32xf32>
  %dk0 = tensor.empty() : tensor<2x32x4x32xf32>
  %dv0 = tensor.empty() : tensor<2x32x4x32xf32>
  // CHECK-DAG: %[[SQ:.*]] = memref.subview %[[DX]][0, 0] [64, 128]
  // CHECK-DAG: %[[SK:.*]] = memref.subview %[[DX]][0, 128] [64, 128]
  // CHECK-DAG: %[[SV:.*]] = memref.subview %[[DX]][0, 256] [64, 128]
  // CHECK-DAG: %[[DQ:.*]] = memref.expand_shape %[[SQ]]
  // CHECK-DAG: %[[DK:.*]] = memref.expand_shape %[[SK]]
  // CHECK-DAG: %[[DV:.*]] = memref.expand_shape %[[SV]]
  // CHECK: tert.attention_grad {{.*}} -> dq(%[[DQ]] : {{.*}}) dk(%[[DK]] : {{.*}}) dv(%[[DV]] : {{.*}})
  // CHECK-NOT: tert.copy
  // CHECK: return
  %g:3 = tert.attention_grad d_o(%do4 : tensor<2x32x4x32xf32>) q(%q4 : tensor<2x32x4x32xf32>) k(%k4 : tensor<2x32x4x32xf32>)
    v(%v4 : tensor<2x32x4x32xf32>) o(%o : tensor<2x32x4x32xf32>) lse(%lse : tensor<2x4x32xf32>)
    -> dq(%dq0 : tensor<2x32x4x32xf32>) dk(%dk0 : tensor<2x32x4x32xf32>) dv(%dv0 : tensor<2x32x4x32xf32>)
    {scale = 0.25 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64, layout = #te.attention_layout<bshd>}
  %dq = tensor.collapse_shape %g#0 [[0, 1], [2, 3]] : tensor<2x32x4x32xf32> into tensor<64x128xf32>
  %dk = tensor.collapse_shape %g#1 [[0, 1], [2, 3]] : tensor<2x32x4x32xf32> into tensor<64x128xf32>
  %dv = tensor.collapse_shape %g#2 [[0, 1], [2, 3]] : tensor<2x32x4x32xf32> into tensor<64x128xf32>
  %p = tensor.empty() : tensor<64x384xf32>
  %p0 = tensor.insert_slice %dq into %p[0, 0] [64, 128] [1, 1] : tensor<64x128xf32> into tensor<64x384xf32>
  %p1 = tensor.insert_slice %dk into %p0[0, 128] [64, 128] [1, 1] : tensor<64x128xf32> into tensor<64x384xf32>
  %p2 = tensor.insert_slice %dv into %p1[0, 256] [64, 128] [1, 1] : tensor<64x128xf32> into tensor<64x384xf32>
  return %p2 : tensor<64x384xf32>
}

// -----

// States that change places: one is saved before it is written.

// CHECK-LABEL: func @swap(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<4xf32> {{.*}}, %[[B:[^ ]*]]: memref<4xf32>
func.func @swap(%a: tensor<4xf32> {te.param = "a"}, %b: tensor<4xf32> {te.param = "b"})
    -> (tensor<4xf32> {te.param = "a"}, tensor<4xf32> {te.param = "b"}) {
  // CHECK: %[[SAVED:.*]] = memref.alloc()
  // CHECK: tert.copy x(%[[B]] : {{.*}}) -> y(%[[SAVED]] : memref<4xf32>)
  // CHECK: tert.copy x(%[[A]] : {{.*}}) -> y(%[[B]] : memref<4xf32>)
  // CHECK: tert.copy x(%[[SAVED]] : {{.*}}) -> y(%[[A]] : memref<4xf32>)
  // CHECK: return
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// An output that is a state's old value is copied before the state changes.

// CHECK-LABEL: func @old_value(
// CHECK-SAME:    %[[S:[^ ]*]]: memref<i64> {{.*}}, %[[C:[^ ]*]]: memref<f32> {{.*}}, %[[OLD:[^ ]*]]: memref<i64> {te.output = "old"})
func.func @old_value(%step: tensor<i64> {te.state = "step", te.kind = "counter"}, %c: tensor<f32> {te.input = "c"})
    -> (tensor<i64> {te.state = "step"}, tensor<i64> {te.output = "old"}) {
  %t = tert.advance_step coefficient(%c : tensor<f32>) -> step(%step : tensor<i64>)
  // CHECK: %[[NEW:.*]] = memref.alloc() {{.*}}: memref<i64>
  // CHECK: tert.copy x(%[[S]] : memref<i64>) -> y(%[[NEW]] : memref<i64>)
  // CHECK: tert.advance_step {{.*}} -> step(%[[NEW]] : memref<i64>)
  // CHECK: tert.copy x(%[[S]] : memref<i64>) -> y(%[[OLD]] : memref<i64>)
  // CHECK: tert.copy x(%[[NEW]] : memref<i64>) -> y(%[[S]] : memref<i64>)
  return %t, %step : tensor<i64>, tensor<i64>
}

// -----

// An input returned as an output is copied, a state returned unchanged is not.

// CHECK-LABEL: func @unchanged(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<4xf32> {te.input = "x"}, %[[P:[^ ]*]]: memref<4xf32> {te.param = "p"}, %[[Y:[^ ]*]]: memref<4xf32> {te.output = "y"})
// CHECK-NEXT:    tert.copy x(%[[X]] : memref<4xf32>) -> y(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:    return
func.func @unchanged(%x: tensor<4xf32> {te.input = "x"}, %p: tensor<4xf32> {te.param = "p"})
    -> (tensor<4xf32> {te.output = "y"}, tensor<4xf32> {te.param = "p"}) {
  return %x, %p : tensor<4xf32>, tensor<4xf32>
}

// -----

// Slices of a state are computed where they belong.

// CHECK-LABEL: func @slices(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<f32> {te.input = "a"}, %[[S:[^ ]*]]: memref<4xf32> {{.*}}, %[[I:[^ ]*]]: memref<4xf32>
func.func @slices(%a: tensor<f32> {te.input = "a"}, %s: tensor<4xf32> {te.state = "s", te.kind = "fp8_scale"},
                  %i: tensor<4xf32> {te.state = "i", te.kind = "fp8_scale_inv"})
    -> (tensor<4xf32> {te.state = "s"}, tensor<4xf32> {te.state = "i"}) {
  // CHECK-DAG: %[[S3:.*]] = memref.subview %[[S]][3] [1] [1]
  // CHECK-DAG: %[[S1:.*]] = memref.subview %[[S]][1] [1] [1]
  // CHECK-DAG: %[[I1:.*]] = memref.subview %[[I]][1] [1] [1]
  // CHECK: tert.compute_scale amax(%[[A]] : {{.*}}) -> scale(%[[S1]] : {{.*}}) scale_inv(%[[I1]] : {{.*}}) {epsilon = 0.000000e+00 : f32, format = f8E4M3FN
  // CHECK-DAG: %[[I3:.*]] = memref.subview %[[I]][3] [1] [1]
  // CHECK: tert.compute_scale amax(%[[A]] : {{.*}}) -> scale(%[[S3]] : {{.*}}) scale_inv(%[[I3]] : {{.*}}) {epsilon = 0.000000e+00 : f32, format = f8E5M2
  // CHECK-NEXT: return
  %e = tensor.empty() : tensor<f32>
  %0:2 = tert.compute_scale amax(%a : tensor<f32>) -> scale(%e : tensor<f32>) scale_inv(%e : tensor<f32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32}
  %s1 = tensor.insert_slice %0#0 into %s[1] [1] [1] : tensor<f32> into tensor<4xf32>
  %i1 = tensor.insert_slice %0#1 into %i[1] [1] [1] : tensor<f32> into tensor<4xf32>
  %1:2 = tert.compute_scale amax(%a : tensor<f32>) -> scale(%e : tensor<f32>) scale_inv(%e : tensor<f32>) {epsilon = 0.0 : f32, format = f8E5M2, margin = 0 : i32}
  %s3 = tensor.insert_slice %1#0 into %s1[3] [1] [1] : tensor<f32> into tensor<4xf32>
  %i3 = tensor.insert_slice %1#1 into %i1[3] [1] [1] : tensor<f32> into tensor<4xf32>
  return %s3, %i3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A slice is read from the old state, and the piece it replaces is still read
// after the new one is known: that one is copied at the end.

// CHECK-LABEL: func @slice_read_later(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<2xf32> {te.input = "x"}, %[[S:[^ ]*]]: memref<4xf32> {{.*}}, %[[Y:[^ ]*]]: memref<2xf32>
func.func @slice_read_later(%x: tensor<2xf32> {te.input = "x"}, %s: tensor<4xf32> {te.state = "s", te.kind = "optimizer"})
    -> (tensor<4xf32> {te.state = "s"}, tensor<2xf32> {te.output = "y"}) {
  %old = tensor.extract_slice %s[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  // CHECK: %[[NEW:.*]] = memref.alloc()
  // CHECK: tert.add a(%[[X]] : {{.*}}) b(%[[X]] : {{.*}}) -> y(%[[NEW]] :
  %new = tert.add a(%x : tensor<2xf32>) b(%x : tensor<2xf32>) -> y(%e : tensor<2xf32>)
  // CHECK: tert.add {{.*}} -> y(%[[Y]] :
  %y = tert.add a(%new : tensor<2xf32>) b(%old : tensor<2xf32>) -> y(%e : tensor<2xf32>)
  // CHECK: %[[PLACE:.*]] = memref.subview %[[S]][2] [2] [1]
  // CHECK: tert.copy x(%[[NEW]] : {{.*}}) -> y(%[[PLACE]] :
  // CHECK-NEXT: return
  %s1 = tensor.insert_slice %new into %s[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %s1, %y : tensor<4xf32>, tensor<2xf32>
}

// -----

// The stride of a dimension of one element, which upstream gives to another
// dimension when a slice loses one.

// CHECK-LABEL: func @idle_strides(
// CHECK: memref.subview %{{.*}}[0, 0, 0] [1, 1, 1] [1, 1, 1] : memref<2x1x1xf32> to memref<1x1xf32
func.func @idle_strides(%x: tensor<2x1x1xf32> {te.input = "x"}) -> (tensor<1x1xf32> {te.output = "y"}) {
  %y = tensor.extract_slice %x[0, 0, 0] [1, 1, 1] [1, 2, 1] : tensor<2x1x1xf32> to tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// -----

// A transpose is a copy from a view; constant data stays constant.

// CHECK-LABEL: func @transpose(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<8x4xf32> {te.input = "x"}, %[[T:[^ ]*]]: memref<4x8xf32> {te.output = "t"}, %[[C:[^ ]*]]: memref<2xf32> {te.output = "c"})
// CHECK-DAG:     %[[DATA:.*]] = memref.get_global @{{.*}} : memref<2xf32>
// CHECK-DAG:     %[[VIEW:.*]] = memref.transpose %[[X]] (d0, d1) -> (d1, d0) : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
// CHECK-DAG:     tert.copy x(%[[VIEW]] : memref<4x8xf32, strided<[1, 4]>>) -> y(%[[T]] : memref<4x8xf32>)
// CHECK-DAG:     tert.copy x(%[[DATA]] : memref<2xf32>) -> y(%[[C]] : memref<2xf32>)
func.func @transpose(%x: tensor<8x4xf32> {te.input = "x"})
    -> (tensor<4x8xf32> {te.output = "t"}, tensor<2xf32> {te.output = "c"}) {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %t, %c : tensor<4x8xf32>, tensor<2xf32>
}

// -----

// Copies of more dimensions than the runtime's tensors have are of views that join
// those that stay together; where that does not leave few enough, loops copy.
// CHECK-LABEL: func.func @joined(
// CHECK-SAME:      %[[X:.*]]: memref<2x1x2x4x2x4x8x1xf32>
// CHECK-SAME:      %[[Y:.*]]: memref<2x1x2x2x4x4x8x1xf32>
// CHECK-DAG:     %[[T:.*]] = memref.transpose %[[X]]
// CHECK-DAG:     %[[VT:.*]] = memref.reinterpret_cast %[[T]] to offset: [0], sizes: [4, 2, 4, 32], strides: [256, 32, 64, 1]
// CHECK-DAG:     %[[VY:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [4, 2, 4, 32], strides: [256, 128, 32, 1]
// CHECK:         tert.copy x(%[[VT]] {{.*}} y(%[[VY]]
func.func @joined(%x: tensor<2x1x2x4x2x4x8x1xf32> {te.input = "x"}) -> (tensor<2x1x2x2x4x4x8x1xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<2x1x2x2x4x4x8x1xf32>
  %y = linalg.transpose ins(%x : tensor<2x1x2x4x2x4x8x1xf32>) outs(%e : tensor<2x1x2x2x4x4x8x1xf32>) permutation = [0, 1, 2, 4, 3, 5, 6, 7]
  return %y : tensor<2x1x2x2x4x4x8x1xf32>
}

// CHECK-LABEL: func.func @reversed(
// CHECK-NOT:     tert.copy
// CHECK:         linalg.copy ins(%{{.*}} : memref<4x3x2x4x3x2x3xf32, strided<[1, 4, 12, 24, 96, 288, 576]>>) outs(%{{.*}} : memref<4x3x2x4x3x2x3xf32, strided<[432, 144, 72, 18, 6, 3, 1]>>)
// CHECK-NOT:     tert.copy
// CHECK:         return
func.func @reversed(%x: tensor<3x2x3x4x2x3x4xf32> {te.input = "x"}) -> (tensor<4x3x2x4x3x2x3xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<4x3x2x4x3x2x3xf32>
  %y = linalg.transpose ins(%x : tensor<3x2x3x4x2x3x4xf32>) outs(%e : tensor<4x3x2x4x3x2x3xf32>) permutation = [6, 5, 4, 3, 2, 1, 0]
  return %y : tensor<4x3x2x4x3x2x3xf32>
}

// CHECK-LABEL: func.func @filled(
// CHECK:         %[[V:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [192], strides: [1]
// CHECK:         tert.fill -> y(%[[V]] : memref<192xf32, strided<[1]>>)
func.func @filled() -> (tensor<3x2x2x2x2x2x2xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<3x2x2x2x2x2x2xf32>
  %y = tert.fill -> y(%e : tensor<3x2x2x2x2x2x2xf32>) {value = 1.0 : f64}
  return %y : tensor<3x2x2x2x2x2x2xf32>
}
