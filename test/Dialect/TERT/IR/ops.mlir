// RUN: te-opt %s | te-opt | FileCheck %s
// RUN: te-opt %s --mlir-print-op-generic | te-opt | FileCheck %s

// CHECK-LABEL: func @tensors
func.func @tensors(%x: tensor<64x128xbf16>, %g: tensor<128xf32>, %s: tensor<f32>,
                   %w: tensor<32x128xbf16>, %step: tensor<i64>) -> tensor<64x128xbf16> {
  %y0 = tensor.empty() : tensor<64x128xbf16>
  %m0 = tensor.empty() : tensor<64xf32>
  %q0 = tensor.empty() : tensor<64x128xf8E4M3FN>
  %d0 = tensor.empty() : tensor<64x32xf32>
  // Results follow from the destinations; optional operands may be missing
  // anywhere.
  // CHECK: %{{.*}}:3 = tert.layer_norm x(%{{.*}} : tensor<64x128xbf16>) gamma(%{{.*}} : tensor<128xf32>) beta(%{{.*}} : tensor<128xf32>) -> y(%{{.*}} : tensor<64x128xbf16>) mean(%{{.*}} : tensor<64xf32>) rstd(%{{.*}} : tensor<64xf32>) {eps = 9.99999974E-6 : f32}{{$}}
  %y:3 = tert.layer_norm x(%x : tensor<64x128xbf16>) gamma(%g : tensor<128xf32>) beta(%g : tensor<128xf32>)
    -> y(%y0 : tensor<64x128xbf16>) mean(%m0 : tensor<64xf32>) rstd(%m0 : tensor<64xf32>) {eps = 1.0e-5 : f32}
  // CHECK: %{{.*}}:4 = tert.layer_norm {{.*}} scale(%{{.*}} : tensor<f32>) -> mean({{.*}}) rstd({{.*}}) rowwise({{.*}}) amax(%{{.*}} : tensor<f32>) {eps = 9.99999974E-6 : f32, zero_centered}{{$}}
  %z:4 = tert.layer_norm x(%x : tensor<64x128xbf16>) gamma(%g : tensor<128xf32>) beta(%g : tensor<128xf32>) scale(%s : tensor<f32>)
    -> mean(%m0 : tensor<64xf32>) rstd(%m0 : tensor<64xf32>) rowwise(%q0 : tensor<64x128xf8E4M3FN>) amax(%s : tensor<f32>)
    {eps = 1.0e-5 : f32, zero_centered}
  // CHECK: tert.matmul a(%{{.*}}) b(%{{.*}}) -> d(%{{.*}} : tensor<64x32xf32>) {transpose_b}{{$}}
  %d = tert.matmul a(%x : tensor<64x128xbf16>) b(%w : tensor<32x128xbf16>) -> d(%d0 : tensor<64x32xf32>) {transpose_b}
  // CHECK: tert.activation x(%{{.*}}) -> y(%{{.*}}) {kind = #te<activation_kind gelu_tanh>}{{$}}
  %a = tert.activation x(%x : tensor<64x128xbf16>) -> y(%y0 : tensor<64x128xbf16>) {kind = #te<activation_kind gelu_tanh>}
  // CHECK: tert.advance_step coefficient(%{{.*}}) -> step(%{{.*}} : tensor<i64>){{$}}
  %t = tert.advance_step coefficient(%s : tensor<f32>) -> step(%step : tensor<i64>)
  return %a : tensor<64x128xbf16>
}

// CHECK-LABEL: func @memrefs
func.func @memrefs(%x: memref<64x128xf32, strided<[384, 1], offset: 128>>, %y: memref<64x128xbf16>,
                   %s: memref<f32>, %scales: memref<2xf32>, %history: memref<16x2xf32>, %nonfinite: memref<2xi64>) {
  // CHECK: tert.copy x(%{{.*}} : memref<64x128xf32, strided<[384, 1], offset: 128>>) -> y(%{{.*}} : memref<64x128xbf16>){{$}}
  tert.copy x(%x : memref<64x128xf32, strided<[384, 1], offset: 128>>) -> y(%y : memref<64x128xbf16>)
  // CHECK: tert.fill -> y(%{{.*}} : memref<f32>) {value = 1.000000e+00 : f64}{{$}}
  tert.fill -> y(%s : memref<f32>) {value = 1.0 : f64}
  // CHECK: tert.global_norm gradients(%{{.*}}, %{{.*}} : memref<2xf32>, memref<16x2xf32>) -> norm(%{{.*}} : memref<f32>){{$}}
  tert.global_norm gradients(%scales, %history : memref<2xf32>, memref<16x2xf32>) -> norm(%s : memref<f32>)
  // CHECK: tert.clip_coefficient norm(%{{.*}} : memref<f32>) max_norm(%{{.*}} : memref<f32>) -> coefficient(%{{.*}} : memref<f32>){{$}}
  tert.clip_coefficient norm(%s : memref<f32>) max_norm(%s : memref<f32>) -> coefficient(%s : memref<f32>)
  // CHECK: tert.clip_coefficient norm({{.*}}) max_norm({{.*}}) amaxes(%{{.*}}, %{{.*}} : memref<f32>, memref<f32>) -> coefficient({{.*}}){{$}}
  tert.clip_coefficient norm(%s : memref<f32>) max_norm(%s : memref<f32>) amaxes(%s, %s : memref<f32>, memref<f32>) -> coefficient(%s : memref<f32>)
  // CHECK: tert.update_scales amaxes(%{{.*}}, %{{.*}} : memref<f32>, memref<f32>) -> scales({{.*}}) scale_invs({{.*}}) history({{.*}}) nonfinite({{.*}}) {algo = #te.amax_algo<max>, formats = [f8E4M3FN, f8E5M2], margin = 0 : i32}{{$}}
  tert.update_scales amaxes(%s, %s : memref<f32>, memref<f32>)
    -> scales(%scales : memref<2xf32>) scale_invs(%scales : memref<2xf32>) history(%history : memref<16x2xf32>) nonfinite(%nonfinite : memref<2xi64>)
    {algo = #te.amax_algo<max>, formats = [f8E4M3FN, f8E5M2], margin = 0 : i32}
  // CHECK: tert.update gradients(%{{.*}}, %{{.*}} : memref<2xf32>, memref<16x2xf32>) coefficient({{.*}}) scalars({{.*}}) step(%{{.*}} : memref<i64>) -> params(%{{.*}}, %{{.*}} : memref<2xf32>, memref<16x2xf32>) states({{.*}}) amaxes(%{{.*}} : memref<f32>) {copies = array<i32: 0, 4>, decays = array<i32: 1, 0>, rule = "adamw"}{{$}}
  %step = memref.alloc() : memref<i64>
  tert.update gradients(%scales, %history : memref<2xf32>, memref<16x2xf32>) coefficient(%s : memref<f32>) scalars(%s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>)
    -> params(%scales, %history : memref<2xf32>, memref<16x2xf32>) states(%scales, %scales, %history, %history : memref<2xf32>, memref<2xf32>, memref<16x2xf32>, memref<16x2xf32>)
       amaxes(%s : memref<f32>) {copies = array<i32: 0, 4>, decays = array<i32: 1, 0>, rule = "adamw"}
  return
}

// CHECK-LABEL: func @parts
func.func @parts(%x: memref<64x32xf32>, %slice: memref<8x4xf32, strided<[32, 1], offset: 96>>) {
  // CHECK: tert.locate_part %{{.*}} {axes = 2 : i32, distance = 1024 : i64, ranks = 2 : i32} : memref<64x32xf32> to memref<32x32xf32>
  %rows = tert.locate_part %x {axes = 2 : i32, distance = 1024 : i64, ranks = 2 : i32} : memref<64x32xf32> to memref<32x32xf32>
  // CHECK: tert.locate_part %{{.*}} {axes = 1 : i32, distance = 8 : i64, ranks = 4 : i32} : memref<64x32xf32> to memref<64x8xf32, strided<[32, 1]>>
  %columns = tert.locate_part %x {axes = 1 : i32, distance = 8 : i64, ranks = 4 : i32} : memref<64x32xf32> to memref<64x8xf32, strided<[32, 1]>>
  // CHECK: tert.locate_part %{{.*}} : memref<8x4xf32, strided<[32, 1], offset: 96>> to memref<8x2xf32, strided<[32, 1]>>
  %of_slice = tert.locate_part %slice {axes = 1 : i32, distance = 2 : i64, ranks = 2 : i32} : memref<8x4xf32, strided<[32, 1], offset: 96>> to memref<8x2xf32, strided<[32, 1]>>
  tert.copy x(%rows : memref<32x32xf32>) -> y(%rows : memref<32x32xf32>)
  tert.copy x(%columns : memref<64x8xf32, strided<[32, 1]>>) -> y(%columns : memref<64x8xf32, strided<[32, 1]>>)
  tert.copy x(%of_slice : memref<8x2xf32, strided<[32, 1]>>) -> y(%of_slice : memref<8x2xf32, strided<[32, 1]>>)
  return
}
