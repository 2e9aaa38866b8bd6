// RUN: te-opt %s --tert-split-rows="min-bytes=0 max-parts=8" --split-input-file | FileCheck %s
// RUN: te-opt %s --tert-split-rows="min-bytes=0 max-parts=8" --tert-plan-memory --split-input-file | FileCheck %s --check-prefix=ARENA
// RUN: te-opt %s --tert-split-rows --split-input-file | FileCheck %s --check-prefix=SMALL

// Inside a feed-forward network: %dy and the row-wise copy of what becomes of it,
// 384 KiB, are there for an eighth of the rows at a time. The amaxes become one.

// CHECK-LABEL: func @feed_forward(
// CHECK-SAME:    %[[G:[^ ]*]]: memref<256x32xf8E5M2>, %[[W2:[^ ]*]]: memref<512x32xf8E4M3FN>, %[[X:[^ ]*]]: memref<256x512xbf16>, %[[W1:[^ ]*]]: memref<32x512xf8E4M3FN>, %[[S:[^ ]*]]: memref<f32>,
// CHECK-SAME:    %[[DX:[^ ]*]]: memref<256x32xbf16>, %[[QT:[^ ]*]]: memref<512x256xf8E5M2>, %[[M:[^ ]*]]: memref<f32>)
// CHECK-NEXT:    %[[MS:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    %[[DY0:.*]] = memref.alloc() : memref<32x512xbf16>
// CHECK-NEXT:    %[[Q0:.*]] = memref.alloc() : memref<32x512xf8E5M2>
// CHECK-NEXT:    %[[G0:.*]] = memref.subview %[[G]][0, 0] [32, 32] [1, 1]
// CHECK-NEXT:    tert.scaled_matmul a(%[[G0]] : {{.*}}) a_scale_inv(%[[S]] : memref<f32>) b(%[[W2]] : memref<512x32xf8E4M3FN>) b_scale_inv(%[[S]] : memref<f32>) -> d(%[[DY0]] : memref<32x512xbf16>)
// CHECK-NEXT:    %[[X0:.*]] = memref.subview %[[X]][0, 0] [32, 512] [1, 1]
// CHECK-NEXT:    %[[QT0:.*]] = memref.subview %[[QT]][0, 0] [512, 32] [1, 1]
// CHECK-NEXT:    %[[M0:.*]] = memref.subview %[[MS]][0] [1] [1] : memref<8xf32> to memref<f32, strided<[]>>
// CHECK-NEXT:    tert.activation_grad dy(%[[DY0]] : memref<32x512xbf16>) x(%[[X0]] : {{.*}}) scale(%[[S]] : memref<f32>) -> rowwise(%[[Q0]] : memref<32x512xf8E5M2>) columnwise(%[[QT0]] : memref<512x32xf8E5M2, strided<[256, 1]>>) amax(%[[M0]] : {{.*}}) {kind = #te<activation_kind gelu_tanh>}
// CHECK-NEXT:    %[[DX0:.*]] = memref.subview %[[DX]][0, 0] [32, 32] [1, 1]
// CHECK-NEXT:    tert.scaled_matmul a(%[[Q0]] : {{.*}} b(%[[W1]] : {{.*}} -> d(%[[DX0]] :
// CHECK:         memref.subview %[[G]][32, 0] [32, 32] [1, 1]
// CHECK:         memref.subview %[[QT]][0, 32] [512, 32] [1, 1]
// CHECK:         memref.subview %[[MS]][1] [1] [1] : memref<8xf32> to memref<f32, strided<[], offset: 1>>
// CHECK:         memref.subview %[[DX]][32, 0] [32, 32] [1, 1]
// CHECK:         memref.subview %[[DX]][224, 0] [32, 32] [1, 1]
// CHECK-NEXT:    tert.scaled_matmul
// CHECK-NEXT:    tert.amax x(%[[MS]] : memref<8xf32>) -> amax(%[[M]] : memref<f32>)
// CHECK-NEXT:    return

// An eighth of 384 KiB, and the eight amaxes.
// ARENA-LABEL: func @feed_forward(
// ARENA-SAME:    te.arena_bytes = 49408 : i64

// SMALL-LABEL: func @feed_forward(
// SMALL-COUNT-1: tert.activation_grad
// SMALL-NOT:     tert.activation_grad
// SMALL-LABEL: func @bias(
func.func @feed_forward(%g: memref<256x32xf8E5M2>, %w2: memref<512x32xf8E4M3FN>, %x: memref<256x512xbf16>, %w1: memref<32x512xf8E4M3FN>, %s: memref<f32>,
                        %dx: memref<256x32xbf16>, %qt: memref<512x256xf8E5M2>, %m: memref<f32>) {
  %dy = memref.alloc() : memref<256x512xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w2 : memref<512x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x512xbf16>) {accumulate = #te.accumulate<split>}
  %q = memref.alloc() : memref<256x512xf8E5M2>
  tert.activation_grad dy(%dy : memref<256x512xbf16>) x(%x : memref<256x512xbf16>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<256x512xf8E5M2>) columnwise(%qt : memref<512x256xf8E5M2>) amax(%m : memref<f32>) {kind = #te<activation_kind gelu_tanh>}
  tert.scaled_matmul a(%q : memref<256x512xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w1 : memref<32x512xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dx : memref<256x32xbf16>) {accumulate = #te.accumulate<split>}
  return
}

// -----

// The gradient of the gate is the last that reads %x, whose rows are as large as
// those of %dy and %q together. So only the first of the parts, of 16, 16, 32, 64
// and 128 rows, needs memory for them; the others use the rows of %x that the parts
// before have read. 264 KiB: %x, a sixteenth of 128 KiB, five amaxes.

// CHECK-LABEL: func @gate(
// CHECK:         %[[BYTES:.*]] = memref.alloc() : memref<262144xi8>
// CHECK:         %[[X:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<262144xi8> to memref<256x512xbf16>
// CHECK:         tert.copy x({{.*}}) -> y(%[[X]] :
// CHECK:         %[[DY0:.*]] = memref.alloc() : memref<16x256xbf16>
// CHECK-NEXT:    %[[Q0:.*]] = memref.alloc() : memref<16x512xf8E5M2>
// CHECK:         memref.subview %[[X]][0, 0] [16, 512] [1, 1]
// CHECK:         tert.gated_activation_grad dy(%[[DY0]] :
// CHECK:         %[[DY1:.*]] = memref.view %[[BYTES]][%c0{{[_0-9]*}}][] : memref<262144xi8> to memref<16x256xbf16>
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 8192 : index
// CHECK-NEXT:    %[[Q1:.*]] = memref.view %[[BYTES]][%[[C1]]][] : memref<262144xi8> to memref<16x512xf8E5M2>
// CHECK:         memref.subview %[[X]][16, 0] [16, 512] [1, 1]
// CHECK:         tert.gated_activation_grad dy(%[[DY1]] : {{.*}} -> rowwise(%[[Q1]] :
// CHECK:         memref.view %[[BYTES]][{{.*}} to memref<32x256xbf16>
// CHECK:         memref.subview %[[X]][32, 0] [32, 512] [1, 1]
// CHECK:         memref.subview %[[X]][64, 0] [64, 512] [1, 1]
// CHECK:         memref.view %[[BYTES]][{{.*}} to memref<128x256xbf16>
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 65536 : index
// CHECK-NEXT:    %[[Q4:.*]] = memref.view %[[BYTES]][%[[C4]]][] : memref<262144xi8> to memref<128x512xf8E5M2>
// CHECK:         memref.subview %[[X]][128, 0] [128, 512] [1, 1]
// CHECK:         memref.subview %{{.*}}[4] [1] [1] : memref<5xf32>
// CHECK:         tert.scaled_matmul a(%[[Q4]] :
// CHECK-NEXT:    tert.amax x(%{{.*}} : memref<5xf32>)
// CHECK-NEXT:    return

// ARENA-LABEL: func @gate(
// ARENA-SAME:    te.arena_bytes = 278784 : i64
func.func @gate(%g: memref<256x32xf8E5M2>, %w2: memref<256x32xf8E4M3FN>, %in: memref<256x512xbf16>, %w1: memref<32x512xf8E4M3FN>, %s: memref<f32>,
                %dx: memref<256x32xbf16>, %qt: memref<512x256xf8E5M2>, %m: memref<f32>) {
  %x = memref.alloc() : memref<256x512xbf16>
  tert.copy x(%in : memref<256x512xbf16>) -> y(%x : memref<256x512xbf16>)
  %dy = memref.alloc() : memref<256x256xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w2 : memref<256x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x256xbf16>) {accumulate = #te.accumulate<split>}
  %q = memref.alloc() : memref<256x512xf8E5M2>
  tert.gated_activation_grad dy(%dy : memref<256x256xbf16>) x(%x : memref<256x512xbf16>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<256x512xf8E5M2>) columnwise(%qt : memref<512x256xf8E5M2>) amax(%m : memref<f32>) {kind = #te<activation_kind silu>}
  tert.scaled_matmul a(%q : memref<256x512xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w1 : memref<32x512xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dx : memref<256x32xbf16>) {accumulate = #te.accumulate<split>}
  return
}

// Others still read %x afterwards: parts of the same size, each with memory of its
// own.

// CHECK-LABEL: func @gate_read_later(
// CHECK-NOT:     memref.view
// CHECK-COUNT-8: tert.gated_activation_grad
// CHECK-NOT:     tert.gated_activation_grad
func.func @gate_read_later(%g: memref<256x32xf8E5M2>, %w2: memref<256x32xf8E4M3FN>, %in: memref<256x512xbf16>, %w1: memref<32x512xf8E4M3FN>, %s: memref<f32>,
                           %dx: memref<256x32xbf16>, %qt: memref<512x256xf8E5M2>, %m: memref<f32>) {
  %x = memref.alloc() : memref<256x512xbf16>
  tert.copy x(%in : memref<256x512xbf16>) -> y(%x : memref<256x512xbf16>)
  %dy = memref.alloc() : memref<256x256xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w2 : memref<256x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x256xbf16>) {accumulate = #te.accumulate<split>}
  %q = memref.alloc() : memref<256x512xf8E5M2>
  tert.gated_activation_grad dy(%dy : memref<256x256xbf16>) x(%x : memref<256x512xbf16>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<256x512xf8E5M2>) columnwise(%qt : memref<512x256xf8E5M2>) amax(%m : memref<f32>) {kind = #te<activation_kind silu>}
  tert.scaled_matmul a(%q : memref<256x512xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w1 : memref<32x512xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dx : memref<256x32xbf16>) {accumulate = #te.accumulate<split>}
  tert.copy x(%x : memref<256x512xbf16>) -> y(%in : memref<256x512xbf16>)
  return
}

// -----

// Not where a sum over the rows is wanted, whose order would be another one,
// where somebody else reads the temporaries, where the calls between have to come
// before, and where other memory is most of it.

// CHECK-LABEL: func @bias(
// CHECK-COUNT-1: tert.activation_grad
// CHECK-NOT:     tert.activation_grad
func.func @bias(%g: memref<256x32xf8E5M2>, %w: memref<512x32xf8E4M3FN>, %x: memref<256x512xbf16>, %s: memref<f32>, %dx: memref<256x512xbf16>, %db: memref<512xf32>) {
  %dy = memref.alloc() : memref<256x512xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w : memref<512x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x512xbf16>) {accumulate = #te.accumulate<split>}
  tert.activation_grad dy(%dy : memref<256x512xbf16>) x(%x : memref<256x512xbf16>) -> dx(%dx : memref<256x512xbf16>) dbias(%db : memref<512xf32>) {kind = #te<activation_kind gelu_tanh>}
  return
}

// CHECK-LABEL: func @read(
// CHECK-COUNT-1: tert.activation_grad
// CHECK-NOT:     tert.activation_grad
func.func @read(%g: memref<256x32xf8E5M2>, %w: memref<512x32xf8E4M3FN>, %x: memref<256x512xbf16>, %s: memref<f32>, %dx: memref<256x512xbf16>, %m: memref<f32>) {
  %dy = memref.alloc() : memref<256x512xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w : memref<512x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x512xbf16>) {accumulate = #te.accumulate<split>}
  tert.activation_grad dy(%dy : memref<256x512xbf16>) x(%x : memref<256x512xbf16>) -> dx(%dx : memref<256x512xbf16>) {kind = #te<activation_kind gelu_tanh>}
  tert.amax x(%dy : memref<256x512xbf16>) -> amax(%m : memref<f32>)
  return
}

// CHECK-LABEL: func @between(
// CHECK-COUNT-1: tert.activation_grad
// CHECK-NOT:     tert.activation_grad
func.func @between(%g: memref<256x32xf8E5M2>, %w: memref<512x32xf8E4M3FN>, %x: memref<256x512xbf16>, %s: memref<f32>, %dx: memref<256x512xbf16>) {
  %dy = memref.alloc() : memref<256x512xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w : memref<512x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x512xbf16>) {accumulate = #te.accumulate<split>}
  tert.fill -> y(%s : memref<f32>) {value = 1.0 : f64}
  tert.activation_grad dy(%dy : memref<256x512xbf16>) x(%x : memref<256x512xbf16>) -> dx(%dx : memref<256x512xbf16>) {kind = #te<activation_kind gelu_tanh>}
  return
}

// CHECK-LABEL: func @elsewhere(
// CHECK-COUNT-1: tert.activation_grad
// CHECK-NOT:     tert.activation_grad
func.func @elsewhere(%g: memref<256x32xf8E5M2>, %w: memref<512x32xf8E4M3FN>, %x: memref<256x512xbf16>, %s: memref<f32>, %dx: memref<256x512xbf16>) {
  %big = memref.alloc() : memref<512x512xf32>
  tert.fill -> y(%big : memref<512x512xf32>) {value = 0.0 : f64}
  %dy = memref.alloc() : memref<256x512xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%w : memref<512x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x512xbf16>) {accumulate = #te.accumulate<split>}
  tert.activation_grad dy(%dy : memref<256x512xbf16>) x(%x : memref<256x512xbf16>) -> dx(%dx : memref<256x512xbf16>) {kind = #te<activation_kind gelu_tanh>}
  return
}

// -----

// A matrix that is both factors of a product is cut as the first and whole as the
// second.

// CHECK-LABEL: func @both_factors(
// CHECK-SAME:    %[[G:[^ ]*]]: memref<256x32xf8E4M3FN>,
// CHECK:         %[[G0:.*]] = memref.subview %[[G]][0, 0] [32, 32] [1, 1]
// CHECK-NEXT:    tert.scaled_matmul a(%[[G0]] : {{.*}}) a_scale_inv({{.*}}) b(%[[G]] : memref<256x32xf8E4M3FN>)
// CHECK:         %[[G1:.*]] = memref.subview %[[G]][32, 0] [32, 32] [1, 1]
// CHECK-NEXT:    tert.scaled_matmul a(%[[G1]] : {{.*}}) a_scale_inv({{.*}}) b(%[[G]] : memref<256x32xf8E4M3FN>)
func.func @both_factors(%g: memref<256x32xf8E4M3FN>, %x: memref<256x256xbf16>, %s: memref<f32>, %dx: memref<256x256xbf16>) {
  %dy = memref.alloc() : memref<256x256xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%g : memref<256x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dy : memref<256x256xbf16>) {accumulate = #te.accumulate<split>}
  tert.activation_grad dy(%dy : memref<256x256xbf16>) x(%x : memref<256x256xbf16>) -> dx(%dx : memref<256x256xbf16>) {kind = #te<activation_kind gelu_tanh>}
  return
}

// The second product reads all of what the activation writes: not with some of its
// rows there.

// CHECK-LABEL: func @square(
// CHECK-COUNT-1: tert.activation
// CHECK-NOT:     tert.activation
func.func @square(%g: memref<256x32xf8E4M3FN>, %w: memref<256x32xf8E4M3FN>, %s: memref<f32>, %qt: memref<256x256xf8E4M3FN>, %d: memref<256x256xbf16>) {
  %y = memref.alloc() : memref<256x256xbf16>
  tert.scaled_matmul a(%g : memref<256x32xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%w : memref<256x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%y : memref<256x256xbf16>) {accumulate = #te.accumulate<split>}
  %q = memref.alloc() : memref<256x256xf8E4M3FN>
  tert.activation x(%y : memref<256x256xbf16>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<256x256xf8E4M3FN>) columnwise(%qt : memref<256x256xf8E4M3FN>) {kind = #te<activation_kind gelu_tanh>}
  tert.scaled_matmul a(%q : memref<256x256xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%qt : memref<256x256xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%d : memref<256x256xbf16>) {accumulate = #te.accumulate<split>}
  return
}
