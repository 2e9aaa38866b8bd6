// RUN: te-opt %s --tert-recompute-copies=traffic=2.5 --split-input-file | FileCheck %s --check-prefixes=CHECK,AGAIN
// RUN: te-opt %s --tert-recompute-copies --split-input-file | FileCheck %s --check-prefixes=CHECK,FREE

// The attention's output waits for its gradient, so its copy need not. Most is in
// use when %big is. The second call has no reason to give an amax again.

// CHECK-LABEL: func @output(
// CHECK-SAME:    %[[S:[^ ]*]]: memref<f32>
// CHECK:         %[[O:.*]] = memref.alloc() : memref<64x128xbf16>
// AGAIN:         tert.quantize x(%[[O]] : memref<64x128xbf16>) scale(%[[S]] : memref<f32>) -> rowwise(%{{.*}} : memref<64x128xf8E4M3FN>) amax(%{{.*}} : memref<f32>)
// FREE:          tert.quantize x(%[[O]] : memref<64x128xbf16>) scale(%[[S]] : memref<f32>) -> rowwise({{.*}}) columnwise({{.*}}) amax({{.*}})
// CHECK:         tert.copy
// AGAIN:         tert.quantize x(%[[O]] : memref<64x128xbf16>) scale(%[[S]] : memref<f32>) -> columnwise(%[[QT:[^ ]*]] : memref<128x64xf8E4M3FN>)
// AGAIN-NEXT:    tert.scaled_matmul a({{.*}}) a_scale_inv({{.*}}) b(%[[QT]] :
// FREE-NOT:      tert.quantize
func.func @output(%s: memref<f32>, %x: memref<64x128xbf16>, %g: memref<32x64xf8E5M2>, %q: memref<64x128xf8E4M3FN>, %m: memref<f32>,
                  %dw: memref<32x128xbf16>, %y: memref<64x128xbf16>) {
  %o = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%x : memref<64x128xbf16>) -> y(%o : memref<64x128xbf16>)
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  tert.quantize x(%o : memref<64x128xbf16>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) amax(%m : memref<f32>)
  %big = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%x : memref<64x128xbf16>) -> y(%big : memref<64x128xbf16>)
  tert.copy x(%big : memref<64x128xbf16>) -> y(%x : memref<64x128xbf16>)
  tert.scaled_matmul a(%g : memref<32x64xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%qt : memref<128x64xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dw : memref<32x128xbf16>) {accumulate = #te.accumulate<split>}
  tert.copy x(%o : memref<64x128xbf16>) -> y(%y : memref<64x128xbf16>)
  return
}

// -----

// A gradient of other statistics does not have the value that was quantized: the
// norm is computed again. The statistics that others read are those that the first
// call left.

// CHECK-LABEL: func @norm(
// AGAIN:         tert.rms_norm x(%[[X:[^ ]*]] : {{.*}}) gamma(%[[G:[^ ]*]] : {{.*}}) scale(%[[S:[^ ]*]] : memref<f32>) -> rstd(%[[R:[^ ]*]] : memref<64xf32>) rowwise({{.*}}) amax({{.*}})
// AGAIN:         %[[R2:.*]] = memref.alloc() : memref<64xf32>
// AGAIN:         tert.rms_norm x(%[[X]] : {{.*}}) gamma(%[[G]] : {{.*}}) scale(%[[S]] : memref<f32>) -> rstd(%[[R2]] : memref<64xf32>) columnwise(%[[QT:[^ ]*]] : memref<128x64xf8E4M3FN>)
// AGAIN-NEXT:    tert.scaled_matmul {{.*}} b(%[[QT]] :
// AGAIN:         tert.rms_norm_grad {{.*}} rstd(%{{.*}} :
// FREE-COUNT-1:  tert.rms_norm x
// FREE-NOT:      tert.rms_norm x
func.func @norm(%s: memref<f32>, %x: memref<64x128xbf16>, %gamma: memref<128xf32>, %g: memref<32x64xf8E5M2>, %q: memref<64x128xf8E4M3FN>, %other: memref<64xf32>,
                %m: memref<f32>, %dw: memref<32x128xbf16>, %dy: memref<64x128xbf16>, %dx: memref<64x128xbf16>, %dgamma: memref<128xf32>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  %rstd = memref.alloc() : memref<64xf32>
  tert.rms_norm x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) scale(%s : memref<f32>)
    -> rstd(%rstd : memref<64xf32>) rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) amax(%m : memref<f32>) {eps = 1.0e-5 : f32}
  %big = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%dy : memref<64x128xbf16>) -> y(%big : memref<64x128xbf16>)
  tert.copy x(%big : memref<64x128xbf16>) -> y(%dx : memref<64x128xbf16>)
  tert.scaled_matmul a(%g : memref<32x64xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%qt : memref<128x64xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dw : memref<32x128xbf16>) {accumulate = #te.accumulate<split>}
  tert.rms_norm_grad dy(%dy : memref<64x128xbf16>) x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) rstd(%other : memref<64xf32>)
    -> dx(%dx : memref<64x128xbf16>) dgamma(%dgamma : memref<128xf32>)
  return
}

// -----

// What the gradient can do in passing costs nothing; the product that reads the
// copy comes behind it.

// CHECK-LABEL: func @gated(
// CHECK:         tert.gated_activation x(%[[X:[^ ]*]] : memref<64x256xbf16>) scale(%[[S:[^ ]*]] : memref<f32>) -> rowwise({{.*}}) amax({{.*}})
// CHECK:         tert.gated_activation_grad_recompute dy(%[[DY:[^ ]*]] : memref<64x128xbf16>) x(%[[X]] : memref<64x256xbf16>) y_scale(%[[S]] : memref<f32>) scale(%[[GS:[^ ]*]] : memref<f32>)
// CHECK-SAME:      -> rowwise(%{{.*}} : memref<64x256xf8E5M2>) amax(%{{.*}} : memref<f32>) y_columnwise(%[[QT:[^ ]*]] : memref<128x64xf8E4M3FN>) {kind = #te<activation_kind silu>, up_first}
// CHECK-NEXT:    tert.scaled_matmul {{.*}} b(%[[QT]] :
// CHECK-NEXT:    return
func.func @gated(%s: memref<f32>, %gs: memref<f32>, %w: memref<256x32xf8E4M3FN>, %h: memref<64x32xf8E4M3FN>, %dy: memref<64x128xbf16>, %g: memref<32x64xf8E5M2>,
                 %q: memref<64x128xf8E4M3FN>, %m: memref<f32>, %dw: memref<32x128xbf16>, %dq: memref<64x256xf8E5M2>, %dm: memref<f32>) {
  %x = memref.alloc() : memref<64x256xbf16>
  tert.scaled_matmul a(%h : memref<64x32xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%w : memref<256x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%x : memref<64x256xbf16>) {accumulate = #te.accumulate<fast>}
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  tert.gated_activation x(%x : memref<64x256xbf16>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) amax(%m : memref<f32>) {kind = #te<activation_kind silu>, up_first}
  %big = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%dy : memref<64x128xbf16>) -> y(%big : memref<64x128xbf16>)
  tert.copy x(%big : memref<64x128xbf16>) -> y(%dy : memref<64x128xbf16>)
  tert.scaled_matmul a(%g : memref<32x64xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%qt : memref<128x64xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dw : memref<32x128xbf16>) {accumulate = #te.accumulate<split>}
  tert.gated_activation_grad dy(%dy : memref<64x128xbf16>) x(%x : memref<64x256xbf16>) scale(%gs : memref<f32>)
    -> rowwise(%dq : memref<64x256xf8E5M2>) amax(%dm : memref<f32>) {kind = #te<activation_kind silu>, up_first}
  return
}

// -----

// The gradient of a norm has the norm's value at hand, too.

// CHECK-LABEL: func @norm_grad(
// CHECK-SAME:    %[[S:[^ ]*]]: memref<f32>, %[[GS:[^ ]*]]: memref<f32>, %[[X:[^ ]*]]: memref<64x128xbf16>,
// CHECK:         tert.rms_norm x({{.*}} -> rstd(%[[R:[^ ]*]] : memref<64xf32>) rowwise({{.*}}) amax(
// CHECK-NOT:     tert.scaled_matmul
// CHECK:         tert.rms_norm_grad_recompute dy({{.*}}) x(%[[X]] : {{.*}}) gamma(%{{.*}} : memref<128xf32>) rstd(%[[R]] : memref<64xf32>) y_scale(%[[S]] : memref<f32>) residual({{.*}}) scale(%[[GS]] : memref<f32>)
// CHECK-SAME:      -> dx({{.*}}) dgamma({{.*}}) rowwise(%{{.*}} : memref<64x128xf8E5M2>) y_columnwise(%[[QT:[^ ]*]] : memref<128x64xf8E4M3FN>) {zero_centered}
// CHECK-NEXT:    tert.scaled_matmul {{.*}} b(%[[QT]] :
// CHECK-NEXT:    return
func.func @norm_grad(%s: memref<f32>, %gs: memref<f32>, %x: memref<64x128xbf16>, %gamma: memref<128xf32>, %g: memref<32x64xf8E5M2>, %q: memref<64x128xf8E4M3FN>,
                     %m: memref<f32>, %dw: memref<32x128xbf16>, %dy: memref<64x128xbf16>, %r: memref<64x128xbf16>, %dx: memref<64x128xbf16>, %dgamma: memref<128xf32>,
                     %dq: memref<64x128xf8E5M2>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  %rstd = memref.alloc() : memref<64xf32>
  tert.rms_norm x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) scale(%s : memref<f32>)
    -> rstd(%rstd : memref<64xf32>) rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) amax(%m : memref<f32>) {eps = 1.0e-5 : f32, zero_centered}
  %big = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%dy : memref<64x128xbf16>) -> y(%big : memref<64x128xbf16>)
  tert.copy x(%big : memref<64x128xbf16>) -> y(%dy : memref<64x128xbf16>)
  tert.scaled_matmul a(%g : memref<32x64xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%qt : memref<128x64xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dw : memref<32x128xbf16>) {accumulate = #te.accumulate<split>}
  tert.rms_norm_grad dy(%dy : memref<64x128xbf16>) x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) rstd(%rstd : memref<64xf32>) residual(%r : memref<64x128xbf16>) scale(%gs : memref<f32>)
    -> dx(%dx : memref<64x128xbf16>) dgamma(%dgamma : memref<128xf32>) rowwise(%dq : memref<64x128xf8E5M2>) {zero_centered}
  return
}

// Behind the update of the scales the scale is another: the gradient comes before
// it, with the view that it writes.

// CHECK-LABEL: func @hoisted(
// CHECK:         tert.copy
// CHECK:         tert.copy
// CHECK-NEXT:    %[[V:.*]] = memref.collapse_shape
// CHECK-NEXT:    tert.rms_norm_grad_recompute {{.*}} dx(%[[V]] : {{.*}} y_columnwise(%[[QT:[^ ]*]] :
// CHECK-NEXT:    tert.scaled_matmul {{.*}} b(%[[QT]] :
// CHECK-NEXT:    tert.fill
// CHECK-NEXT:    return
func.func @hoisted(%s: memref<f32>, %x: memref<64x128xbf16>, %gamma: memref<128xf32>, %g: memref<32x64xf8E5M2>, %q: memref<64x128xf8E4M3FN>,
                   %dw: memref<32x128xbf16>, %dy: memref<64x128xbf16>, %dx: memref<2x32x128xbf16>, %dgamma: memref<128xf32>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  %rstd = memref.alloc() : memref<64xf32>
  tert.rms_norm x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) scale(%s : memref<f32>)
    -> rstd(%rstd : memref<64xf32>) rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) {eps = 1.0e-5 : f32}
  %big = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%dy : memref<64x128xbf16>) -> y(%big : memref<64x128xbf16>)
  tert.copy x(%big : memref<64x128xbf16>) -> y(%dy : memref<64x128xbf16>)
  tert.scaled_matmul a(%g : memref<32x64xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%qt : memref<128x64xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dw : memref<32x128xbf16>) {accumulate = #te.accumulate<split>}
  tert.fill -> y(%s : memref<f32>) {value = 1.0 : f64}
  %rows = memref.collapse_shape %dx [[0, 1], [2]] : memref<2x32x128xbf16> into memref<64x128xbf16>
  tert.rms_norm_grad dy(%dy : memref<64x128xbf16>) x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) rstd(%rstd : memref<64xf32>)
    -> dx(%rows : memref<64x128xbf16>) dgamma(%dgamma : memref<128xf32>)
  return
}

// Not where it needs what is computed in between, or the statistics are others by
// then.

// CHECK-LABEL: func @needed(
// CHECK-NOT:     tert.rms_norm_grad_recompute
// CHECK:         return
func.func @needed(%s: memref<f32>, %x: memref<64x128xbf16>, %gamma: memref<128xf32>, %g: memref<32x64xf8E5M2>, %q: memref<64x128xf8E4M3FN>,
                  %dw: memref<32x128xbf16>, %dy: memref<64x128xbf16>, %dx: memref<64x128xbf16>, %dgamma: memref<128xf32>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  %rstd = memref.alloc() : memref<64xf32>
  tert.rms_norm x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) scale(%s : memref<f32>)
    -> rstd(%rstd : memref<64xf32>) rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) {eps = 1.0e-5 : f32}
  %big = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%dy : memref<64x128xbf16>) -> y(%big : memref<64x128xbf16>)
  tert.copy x(%big : memref<64x128xbf16>) -> y(%dx : memref<64x128xbf16>)
  tert.scaled_matmul a(%g : memref<32x64xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%qt : memref<128x64xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dw : memref<32x128xbf16>) {accumulate = #te.accumulate<split>}
  tert.fill -> y(%s : memref<f32>) {value = 1.0 : f64}
  tert.fill -> y(%dy : memref<64x128xbf16>) {value = 1.0 : f64}
  tert.rms_norm_grad dy(%dy : memref<64x128xbf16>) x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) rstd(%rstd : memref<64xf32>)
    -> dx(%dx : memref<64x128xbf16>) dgamma(%dgamma : memref<128xf32>)
  return
}

// CHECK-LABEL: func @statistics(
// CHECK-NOT:     tert.rms_norm_grad_recompute
// CHECK:         return
func.func @statistics(%s: memref<f32>, %x: memref<64x128xbf16>, %gamma: memref<128xf32>, %g: memref<32x64xf8E5M2>, %q: memref<64x128xf8E4M3FN>,
                      %dw: memref<32x128xbf16>, %dy: memref<64x128xbf16>, %dx: memref<64x128xbf16>, %dgamma: memref<128xf32>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  %rstd = memref.alloc() : memref<64xf32>
  tert.rms_norm x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) scale(%s : memref<f32>)
    -> rstd(%rstd : memref<64xf32>) rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) {eps = 1.0e-5 : f32}
  %big = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%dy : memref<64x128xbf16>) -> y(%big : memref<64x128xbf16>)
  tert.copy x(%big : memref<64x128xbf16>) -> y(%dx : memref<64x128xbf16>)
  tert.fill -> y(%rstd : memref<64xf32>) {value = 1.0 : f64}
  tert.scaled_matmul a(%g : memref<32x64xf8E5M2>) a_scale_inv(%s : memref<f32>) b(%qt : memref<128x64xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%dw : memref<32x128xbf16>) {accumulate = #te.accumulate<split>}
  tert.rms_norm_grad dy(%dy : memref<64x128xbf16>) x(%x : memref<64x128xbf16>) gamma(%gamma : memref<128xf32>) rstd(%rstd : memref<64xf32>)
    -> dx(%dx : memref<64x128xbf16>) dgamma(%dgamma : memref<128xf32>)
  return
}

// -----

// Not where the input is gone by then, where it has changed, where the scale has,
// and not where the copy is not there when most memory is in use.

// CHECK-LABEL: func @gone(
// CHECK:         tert.quantize {{.*}} columnwise(
// CHECK-NOT:     tert.quantize
func.func @gone(%s: memref<f32>, %x: memref<64x128xbf16>, %q: memref<64x128xf8E4M3FN>, %y: memref<128x64xf8E4M3FN>) {
  %o = memref.alloc() : memref<64x128xbf16>
  tert.copy x(%x : memref<64x128xbf16>) -> y(%o : memref<64x128xbf16>)
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  tert.quantize x(%o : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>)
  %big = memref.alloc() : memref<256x128xbf16>
  tert.fill -> y(%big : memref<256x128xbf16>) {value = 0.0 : f64}
  tert.copy x(%qt : memref<128x64xf8E4M3FN>) -> y(%y : memref<128x64xf8E4M3FN>)
  return
}

// CHECK-LABEL: func @changed(
// CHECK:         tert.quantize {{.*}} columnwise(
// CHECK-NOT:     tert.quantize
func.func @changed(%s: memref<f32>, %x: memref<64x128xbf16>, %q: memref<64x128xf8E4M3FN>, %y: memref<128x64xf8E4M3FN>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  tert.quantize x(%x : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>)
  %big = memref.alloc() : memref<256x128xbf16>
  tert.fill -> y(%big : memref<256x128xbf16>) {value = 0.0 : f64}
  %part = memref.subview %x[0, 0] [1, 128] [1, 1] : memref<64x128xbf16> to memref<1x128xbf16, strided<[128, 1]>>
  tert.fill -> y(%part : memref<1x128xbf16, strided<[128, 1]>>) {value = 0.0 : f64}
  tert.copy x(%qt : memref<128x64xf8E4M3FN>) -> y(%y : memref<128x64xf8E4M3FN>)
  return
}

// CHECK-LABEL: func @rescaled(
// CHECK:         tert.quantize {{.*}} columnwise(
// CHECK-NOT:     tert.quantize
func.func @rescaled(%s: memref<f32>, %x: memref<64x128xbf16>, %q: memref<64x128xf8E4M3FN>, %y: memref<128x64xf8E4M3FN>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  tert.quantize x(%x : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>)
  %big = memref.alloc() : memref<256x128xbf16>
  tert.fill -> y(%big : memref<256x128xbf16>) {value = 0.0 : f64}
  tert.fill -> y(%s : memref<f32>) {value = 1.0 : f64}
  tert.copy x(%qt : memref<128x64xf8E4M3FN>) -> y(%y : memref<128x64xf8E4M3FN>)
  return
}

// CHECK-LABEL: func @early(
// CHECK:         tert.quantize {{.*}} columnwise(
// CHECK-NOT:     tert.quantize
func.func @early(%s: memref<f32>, %x: memref<64x128xbf16>, %q: memref<64x128xf8E4M3FN>, %y: memref<128x64xf8E4M3FN>, %z: memref<64x128xbf16>) {
  %big = memref.alloc() : memref<256x128xbf16>
  tert.fill -> y(%big : memref<256x128xbf16>) {value = 0.0 : f64}
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  tert.quantize x(%x : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>)
  tert.fill -> y(%z : memref<64x128xbf16>) {value = 0.0 : f64}
  tert.copy x(%qt : memref<128x64xf8E4M3FN>) -> y(%y : memref<128x64xf8E4M3FN>)
  return
}

// -----

// Float32 has four bytes for one of the copy; up in a matrix of its own is no
// form that a gradient writes copies of.

// CHECK-LABEL: func @costly(
// CHECK:         tert.quantize {{.*}} columnwise(
// CHECK-NOT:     tert.quantize
func.func @costly(%s: memref<f32>, %x: memref<64x128xf32>, %q: memref<64x128xf8E4M3FN>, %y: memref<128x64xf8E4M3FN>) {
  %qt = memref.alloc() : memref<128x64xf8E4M3FN>
  tert.quantize x(%x : memref<64x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>)
  %big = memref.alloc() : memref<256x128xbf16>
  tert.fill -> y(%big : memref<256x128xbf16>) {value = 0.0 : f64}
  tert.copy x(%qt : memref<128x64xf8E4M3FN>) -> y(%y : memref<128x64xf8E4M3FN>)
  return
}
