// RUN: te-opt %s --tert-join-updates --split-input-file | FileCheck %s

// Calls with the same scalars become one, where the last of them was. Each
// brings what it has.

// CHECK-LABEL: func @join(
// CHECK-SAME:    %[[G0:[^ ]*]]: memref<32x16xf32>, %[[G1:[^ ]*]]: memref<8xbf16>, %[[G2:[^ ]*]]: memref<16x16xf32>,
// CHECK-SAME:    %[[C:[^ ]*]]: memref<f32>, %[[STEP:[^ ]*]]: memref<i64>,
// CHECK-SAME:    %[[P0:[^ ]*]]: memref<32x16xf32>, %[[P1:[^ ]*]]: memref<8xf32>, %[[P2:[^ ]*]]: memref<16x16xf32>,
// CHECK-SAME:    %[[Q0:[^ ]*]]: memref<32x16xf8E4M3FN>, %[[T2:[^ ]*]]: memref<16x16xf8E4M3FN>, %[[A0:[^ ]*]]: memref<f32>,
// CHECK-SAME:    %[[S0:[^ ]*]]: memref<f32>, %[[S2:[^ ]*]]: memref<f32>, %[[OTHER:[^ ]*]]: memref<8xf32>)
// CHECK-NEXT:    tert.fill -> y(%[[OTHER]]
// CHECK-NEXT:    tert.update gradients(%[[G0]], %[[G1]], %[[G2]] : memref<32x16xf32>, memref<8xbf16>, memref<16x16xf32>)
// CHECK-SAME:      coefficient(%[[C]] : {{[^)]*}}) scalars(%[[C]], %[[C]], %[[C]], %[[C]], %[[C]] : {{[^)]*}}) step(%[[STEP]] : memref<i64>)
// CHECK-SAME:      scales(%[[S0]], %[[S2]] : memref<f32>, memref<f32>)
// CHECK-SAME:      -> params(%[[P0]], %[[P1]], %[[P2]] : {{[^)]*}}) states(%[[P0]], %[[P0]], %[[P1]], %[[P1]], %[[P2]], %[[P2]] : {{[^)]*}})
// CHECK-SAME:      rowwise(%[[Q0]] : {{[^)]*}}) columnwise(%[[T2]] : {{[^)]*}}) amaxes(%[[A0]] : {{[^)]*}}) {copies = array<i32: 5, 0, 2>, decays = array<i32: 1, 0, 0>, rule = "adamw"}
// CHECK-NEXT:    return
func.func @join(%g0: memref<32x16xf32>, %g1: memref<8xbf16>, %g2: memref<16x16xf32>, %c: memref<f32>, %step: memref<i64>,
                %p0: memref<32x16xf32>, %p1: memref<8xf32>, %p2: memref<16x16xf32>,
                %q0: memref<32x16xf8E4M3FN>, %t2: memref<16x16xf8E4M3FN>, %a0: memref<f32>,
                %s0: memref<f32>, %s2: memref<f32>, %other: memref<8xf32>) {
  tert.update gradients(%g0 : memref<32x16xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%s0 : memref<f32>)
    -> params(%p0 : memref<32x16xf32>) states(%p0, %p0 : memref<32x16xf32>, memref<32x16xf32>)
       rowwise(%q0 : memref<32x16xf8E4M3FN>) amaxes(%a0 : memref<f32>) {copies = array<i32: 5>, decays = array<i32: 1>, rule = "adamw"}
  tert.update gradients(%g1 : memref<8xbf16>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p1 : memref<8xf32>) states(%p1, %p1 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  tert.fill -> y(%other : memref<8xf32>) {value = 0.0 : f64}
  tert.update gradients(%g2 : memref<16x16xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%s2 : memref<f32>)
    -> params(%p2 : memref<16x16xf32>) states(%p2, %p2 : memref<16x16xf32>, memref<16x16xf32>)
       columnwise(%t2 : memref<16x16xf8E4M3FN>) {copies = array<i32: 2>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// -----

// A read of the first parameter lies between: the calls around it stay apart.

// CHECK-LABEL: func @reader(
// CHECK-NEXT:    tert.update
// CHECK-NEXT:    tert.copy
// CHECK-NEXT:    tert.update
// CHECK-NEXT:    return
func.func @reader(%g: memref<8xf32>, %c: memref<f32>, %step: memref<i64>, %p0: memref<8xf32>, %p1: memref<8xf32>, %y: memref<8xbf16>) {
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p0 : memref<8xf32>) states(%p0, %p0 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  tert.copy x(%p0 : memref<8xf32>) -> y(%y : memref<8xbf16>)
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p1 : memref<8xf32>) states(%p1, %p1 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// -----

// The first gradient's buffer is written again.

// CHECK-LABEL: func @overwritten(
// CHECK-COUNT-2: tert.update
// CHECK-NOT:     tert.update
func.func @overwritten(%g: memref<8xf32>, %c: memref<f32>, %step: memref<i64>, %p0: memref<8xf32>, %p1: memref<8xf32>) {
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p0 : memref<8xf32>) states(%p0, %p0 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  tert.fill -> y(%g : memref<8xf32>) {value = 0.0 : f64}
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p1 : memref<8xf32>) states(%p1, %p1 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// -----

// Other scalars: another step.

// CHECK-LABEL: func @scalars(
// CHECK-NEXT:    tert.update
// CHECK-NEXT:    tert.update
// CHECK-NEXT:    return
func.func @scalars(%g: memref<8xf32>, %c: memref<f32>, %lr: memref<f32>, %step: memref<i64>, %p0: memref<8xf32>, %p1: memref<8xf32>) {
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p0 : memref<8xf32>) states(%p0, %p0 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%lr, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p1 : memref<8xf32>) states(%p1, %p1 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// -----

// Copies in parts of one buffer that do not overlap.

// CHECK-LABEL: func @slices(
// CHECK:         tert.update
// CHECK-SAME:      columnwise(%{{.*}}, %{{.*}} : memref<16x32xf8E4M3FN, strided<[48, 1]>>, memref<16x16xf8E4M3FN, strided<[48, 1], offset: 32>>)
// CHECK-SAME:      {copies = array<i32: 2, 2>, decays = array<i32: 0, 0>, rule = "adamw"}
func.func @slices(%g0: memref<32x16xf32>, %g1: memref<16x16xf32>, %c: memref<f32>, %step: memref<i64>,
                  %p0: memref<32x16xf32>, %p1: memref<16x16xf32>, %t: memref<16x48xf8E4M3FN>) {
  %t0 = memref.subview %t[0, 0] [16, 32] [1, 1] : memref<16x48xf8E4M3FN> to memref<16x32xf8E4M3FN, strided<[48, 1]>>
  tert.update gradients(%g0 : memref<32x16xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%c : memref<f32>)
    -> params(%p0 : memref<32x16xf32>) states(%p0, %p0 : memref<32x16xf32>, memref<32x16xf32>)
       columnwise(%t0 : memref<16x32xf8E4M3FN, strided<[48, 1]>>) {copies = array<i32: 2>, decays = array<i32: 0>, rule = "adamw"}
  %t1 = memref.subview %t[0, 32] [16, 16] [1, 1] : memref<16x48xf8E4M3FN> to memref<16x16xf8E4M3FN, strided<[48, 1], offset: 32>>
  tert.update gradients(%g1 : memref<16x16xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%c : memref<f32>)
    -> params(%p1 : memref<16x16xf32>) states(%p1, %p1 : memref<16x16xf32>, memref<16x16xf32>)
       columnwise(%t1 : memref<16x16xf8E4M3FN, strided<[48, 1], offset: 32>>) {copies = array<i32: 2>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// -----

// Only updates by one rule are joined; those by another in between do not end the
// list.

// CHECK-LABEL: func @rules(
// CHECK-SAME:    %[[G:[^ ]*]]: memref<8xf32>, %[[C:[^ ]*]]: memref<f32>, %[[STEP:[^ ]*]]: memref<i64>, %[[P0:[^ ]*]]: memref<8xf32>, %[[P1:[^ ]*]]: memref<8xf32>, %[[B0:[^ ]*]]: memref<8xf32>, %[[B1:[^ ]*]]: memref<8xf32>
// CHECK-NEXT:    tert.update gradients(%[[G]], %[[G]] : {{[^)]*}}) coefficient(%[[C]] : {{[^)]*}}) scalars(%[[C]], %[[C]], %[[C]] : {{[^)]*}}) step(%[[STEP]] : memref<i64>)
// CHECK-SAME:      -> params(%[[P0]], %[[P1]] : {{[^)]*}}) states(%[[B0]], %[[B1]] : {{[^)]*}}) {copies = array<i32: 0, 0>, decays = array<i32: 1, 0>, rule = "sgd_nesterov"}
// CHECK-NEXT:    tert.update gradients(%{{.*}}) coefficient({{.*}}) {{.*}}rule = "adamw"}
// CHECK-NEXT:    tert.update gradients(%{{.*}}, %{{.*}} : {{[^)]*}}) coefficient({{.*}}) -> params(%{{.*}}, %{{.*}} : {{[^)]*}}) {copies = array<i32: 0, 0>, decays = array<i32: 0, 0>, rule = "sgd"}
// CHECK-NEXT:    return
func.func @rules(%g: memref<8xf32>, %c: memref<f32>, %step: memref<i64>, %p0: memref<8xf32>, %p1: memref<8xf32>, %b0: memref<8xf32>, %b1: memref<8xf32>,
               %p2: memref<8xf32>, %p3: memref<8xf32>, %p4: memref<8xf32>) {
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c : memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p0 : memref<8xf32>) states(%b0 : memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 1>, rule = "sgd_nesterov"}
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c : memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p2 : memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "sgd"}
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c : memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p1 : memref<8xf32>) states(%b1 : memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "sgd_nesterov"}
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p4 : memref<8xf32>) states(%p4, %p4 : memref<8xf32>, memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  tert.update gradients(%g : memref<8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c : memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p3 : memref<8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "sgd"}
  return
}

// -----

// A transposed view of a parameter that is read after its update is the
// parameter.
// CHECK-LABEL: func @transposed_view(
// CHECK:         tert.update
// CHECK:         tert.copy
// CHECK:         tert.update
// CHECK-NOT:     tert.update
// CHECK:         return
func.func @transposed_view(%g: memref<4x8xf32>, %p0: memref<4x8xf32>, %p1: memref<4x8xf32>, %m: memref<4x8xf32>, %n: memref<4x8xf32>,
                           %v: memref<4x8xf32>, %w: memref<4x8xf32>, %y: memref<8x4xf32>, %s: memref<f32>, %step: memref<i64>) {
  tert.update gradients(%g : memref<4x8xf32>) coefficient(%s : memref<f32>) scalars(%s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p0 : memref<4x8xf32>) states(%m, %v : memref<4x8xf32>, memref<4x8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  %t = memref.transpose %p0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  tert.copy x(%t : memref<8x4xf32, strided<[1, 8]>>) -> y(%y : memref<8x4xf32>)
  tert.update gradients(%g : memref<4x8xf32>) coefficient(%s : memref<f32>) scalars(%s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%p1 : memref<4x8xf32>) states(%n, %w : memref<4x8xf32>, memref<4x8xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// -----

// Heads side by side that are rotated in place are so in one call, whichever come
// first; those by other angles, and those with something between that they read,
// stay apart.

// CHECK-LABEL: func @heads(
// CHECK-SAME:    %[[P:[^ ]*]]: memref<16x96xbf16>, %[[COS:[^ ]*]]: memref<8x8xf32>, %[[SIN:[^ ]*]]: memref<8x8xf32>)
// CHECK:         %[[COLS:.*]] = memref.subview %[[P]][0, 0] [16, 64] [1, 1] : memref<16x96xbf16> to memref<16x64xbf16, strided<[96, 1]>>
// CHECK:         %[[HEADS:.*]] = memref.expand_shape %[[COLS]] {{\[\[}}0, 1], [2, 3]] output_shape [2, 8, 4, 16] {{.*}} into memref<2x8x4x16xbf16, strided<[768, 96, 16, 1]>>
// CHECK:         tert.rope x(%[[HEADS]] : {{.*}}) cos(%[[COS]] : memref<8x8xf32>) sin(%[[SIN]] : memref<8x8xf32>) -> y(%[[HEADS]] : {{.*}}) {inverse, layout = #te.attention_layout<bshd>}
// CHECK-NOT:     tert.rope
// CHECK:         return
func.func @heads(%p: memref<16x96xbf16>, %cos: memref<8x8xf32>, %sin: memref<8x8xf32>) {
  %k = memref.subview %p[0, 32] [16, 32] [1, 1] : memref<16x96xbf16> to memref<16x32xbf16, strided<[96, 1], offset: 32>>
  %kh = memref.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : memref<16x32xbf16, strided<[96, 1], offset: 32>> into memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>
  tert.rope x(%kh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>) cos(%cos : memref<8x8xf32>) sin(%sin : memref<8x8xf32>)
    -> y(%kh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>) {inverse, layout = #te.attention_layout<bshd>}
  %q = memref.subview %p[0, 0] [16, 32] [1, 1] : memref<16x96xbf16> to memref<16x32xbf16, strided<[96, 1]>>
  %qh = memref.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : memref<16x32xbf16, strided<[96, 1]>> into memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>
  tert.rope x(%qh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>) cos(%cos : memref<8x8xf32>) sin(%sin : memref<8x8xf32>)
    -> y(%qh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>) {inverse, layout = #te.attention_layout<bshd>}
  return
}

// CHECK-LABEL: func @apart(
// CHECK:         tert.rope
// CHECK:         tert.rope
// CHECK:         tert.fill
// CHECK:         tert.rope
func.func @apart(%p: memref<16x96xbf16>, %cos: memref<8x8xf32>, %sin: memref<8x8xf32>) {
  %k = memref.subview %p[0, 32] [16, 32] [1, 1] : memref<16x96xbf16> to memref<16x32xbf16, strided<[96, 1], offset: 32>>
  %kh = memref.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : memref<16x32xbf16, strided<[96, 1], offset: 32>> into memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>
  tert.rope x(%kh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>) cos(%sin : memref<8x8xf32>) sin(%cos : memref<8x8xf32>)
    -> y(%kh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>) {layout = #te.attention_layout<bshd>}
  %q = memref.subview %p[0, 0] [16, 32] [1, 1] : memref<16x96xbf16> to memref<16x32xbf16, strided<[96, 1]>>
  %qh = memref.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 8, 2, 16] : memref<16x32xbf16, strided<[96, 1]>> into memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>
  tert.rope x(%qh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>) cos(%cos : memref<8x8xf32>) sin(%sin : memref<8x8xf32>)
    -> y(%qh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1]>>) {layout = #te.attention_layout<bshd>}
  tert.fill -> y(%sin : memref<8x8xf32>) {value = 0.0 : f64}
  tert.rope x(%kh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>) cos(%cos : memref<8x8xf32>) sin(%sin : memref<8x8xf32>)
    -> y(%kh : memref<2x8x2x16xbf16, strided<[768, 96, 16, 1], offset: 32>>) {layout = #te.attention_layout<bshd>}
  return
}

// -----

// Those with FP8 states and those without: the scales are in the order of the
// parameters that have some.
// CHECK-LABEL: func.func @narrow(
// CHECK-SAME: %[[A:[^:]*]]: memref<8x128xf8E4M3FN>, %[[B:[^:]*]]: memref<8x128xf8E4M3FN>, %[[SA:[^:]*]]: memref<8x1xf32>, %[[SB:[^:]*]]: memref<8x1xf32>
// CHECK: tert.update {{.*}} states(%[[A]], %{{.*}}, %[[B]] : {{[^)]*}}) state_scales(%[[SA]], %[[SB]] : memref<8x1xf32>, memref<8x1xf32>)
// CHECK-NOT: tert.update
func.func @narrow(%a: memref<8x128xf8E4M3FN>, %b: memref<8x128xf8E4M3FN>, %sa: memref<8x1xf32>, %sb: memref<8x1xf32>,
                  %g: memref<8x128xf32>, %m: memref<8x128xf32>, %p0: memref<8x128xf32>, %p1: memref<8x128xf32>, %p2: memref<8x128xf32>,
                  %c: memref<f32>, %t: memref<i64>) {
  tert.update gradients(%g : memref<8x128xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%t : memref<i64>) -> params(%p0 : memref<8x128xf32>) states(%a : memref<8x128xf8E4M3FN>) state_scales(%sa : memref<8x1xf32>)
    {copies = array<i32: 0>, decays = array<i32: 0>, rule = "lion"}
  tert.update gradients(%g : memref<8x128xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%t : memref<i64>) -> params(%p1 : memref<8x128xf32>) states(%m : memref<8x128xf32>)
    {copies = array<i32: 0>, decays = array<i32: 0>, rule = "lion"}
  tert.update gradients(%g : memref<8x128xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%t : memref<i64>) -> params(%p2 : memref<8x128xf32>) states(%b : memref<8x128xf8E4M3FN>) state_scales(%sb : memref<8x1xf32>)
    {copies = array<i32: 0>, decays = array<i32: 0>, rule = "lion"}
  return
}
