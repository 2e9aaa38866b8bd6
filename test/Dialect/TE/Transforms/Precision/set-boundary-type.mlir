// RUN: te-opt %s --split-input-file --te-set-boundary-type | FileCheck %s
// RUN: te-opt %s --split-input-file --te-set-boundary-type=type=f32 | FileCheck %s --check-prefix=F32
// RUN: te-opt %S/../Inputs/gpt.mlir --te-graph-pipeline="entries=grad boundary=bf16" | FileCheck %s --check-prefix=PIPELINE

// PIPELINE: func.func @grad({{.*}}xbf16> {{{.*}}te.param =
// PIPELINE-NOT: arith.{{(ext|trunc)}}f

// What te-set-compute-type leaves of a linear layer. Nothing converts any more:
// the products read the arguments and write the gradients. Vectors stay.

// CHECK-LABEL: func.func @vjp(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8x64xbf16> {te.input = "x"}, %[[DY:[^:]*]]: tensor<4x8x128xbf16> {te.input = "cotangent.y"},
// CHECK-SAME: %[[W:[^:]*]]: tensor<128x64xbf16> {te.param = "w"}, %[[B:[^:]*]]: tensor<128xf32> {te.param = "b"})
// CHECK-SAME: -> (tensor<4x8x128xbf16> {te.output = "y"}, tensor<128x64xbf16> {te.output = "grad.w"}, tensor<128xf32> {te.output = "grad.b"}, tensor<4x8x64xbf16> {te.output = "grad.x"})
// CHECK-NOT: arith.
// CHECK: %[[XM:.*]] = tensor.collapse_shape %[[X]]
// CHECK-NOT: arith.
// CHECK: te.matmul %[[XM]], %[[W]] bias(%[[B]] : tensor<128xf32>) {transpose_b} : tensor<32x64xbf16>, tensor<128x64xbf16> -> tensor<32x128xbf16>
// CHECK-NOT: arith.
// CHECK: %[[DYM:.*]] = tensor.collapse_shape %[[DY]]
// CHECK-NOT: arith.
// CHECK: %[[DW:.*]] = te.matmul %[[DYM]], %[[XM]] {role = #te.role<wgrad>, transpose_a} : tensor<32x128xbf16>, tensor<32x64xbf16> -> tensor<128x64xbf16>
// CHECK: %[[DB:.*]] = te.column_sum %[[DYM]] : tensor<32x128xbf16> -> tensor<128xf32>
// CHECK-NOT: arith.
// CHECK: return %{{.*}}, %[[DW]], %[[DB]], %{{.*}}
// F32-LABEL: func.func @vjp(
// F32-SAME: tensor<4x8x64xf32> {te.input = "x"}
// F32: arith.truncf
func.func @vjp(%x: tensor<4x8x64xf32> {te.input = "x"}, %dy: tensor<4x8x128xf32> {te.input = "cotangent.y"},
               %w: tensor<128x64xf32> {te.param = "w"}, %b: tensor<128xf32> {te.param = "b"})
    -> (tensor<4x8x128xf32> {te.output = "y"}, tensor<128x64xf32> {te.output = "grad.w"},
        tensor<128xf32> {te.output = "grad.b"}, tensor<4x8x64xf32> {te.output = "grad.x"})
    attributes {te.entry = "vjp"} {
  %xm = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x8x64xf32> into tensor<32x64xf32>
  %xb = arith.truncf %xm : tensor<32x64xf32> to tensor<32x64xbf16>
  %wb = arith.truncf %w : tensor<128x64xf32> to tensor<128x64xbf16>
  %u = te.matmul %xb, %wb bias(%b : tensor<128xf32>) {transpose_b} : tensor<32x64xbf16>, tensor<128x64xbf16> -> tensor<32x128xbf16>
  %ue = tensor.expand_shape %u [[0, 1], [2]] output_shape [4, 8, 128] : tensor<32x128xbf16> into tensor<4x8x128xbf16>
  %y = arith.extf %ue : tensor<4x8x128xbf16> to tensor<4x8x128xf32>
  %dym = tensor.collapse_shape %dy [[0, 1], [2]] : tensor<4x8x128xf32> into tensor<32x128xf32>
  %dyb = arith.truncf %dym : tensor<32x128xf32> to tensor<32x128xbf16>
  %dw = te.matmul %dyb, %xb {role = #te.role<wgrad>, transpose_a} : tensor<32x128xbf16>, tensor<32x64xbf16> -> tensor<128x64xf32>
  %db = te.column_sum %dym : tensor<32x128xf32> -> tensor<128xf32>
  %dx = te.matmul %dyb, %wb {role = #te.role<dgrad>} : tensor<32x128xbf16>, tensor<128x64xbf16> -> tensor<32x64xbf16>
  %dxe = tensor.expand_shape %dx [[0, 1], [2]] output_shape [4, 8, 64] : tensor<32x64xbf16> into tensor<4x8x64xbf16>
  %dxf = arith.extf %dxe : tensor<4x8x64xbf16> to tensor<4x8x64xf32>
  return %y, %dw, %db, %dxf : tensor<4x8x128xf32>, tensor<128x64xf32>, tensor<128xf32>, tensor<4x8x64xf32>
}

// -----

// Joined weights, and the gradients that the joined product's parts are.

// CHECK-LABEL: func.func @joined(
// CHECK-SAME: %[[DY:[^:]*]]: tensor<32x96xbf16>, %[[Q:[^:]*]]: tensor<64x48xbf16> {te.param = "q"}, %[[K:[^:]*]]: tensor<32x48xbf16> {te.param = "k"}
// CHECK-NOT: arith.
// CHECK: %[[W:.*]] = tensor.concat dim(0) %[[Q]], %[[K]] : (tensor<64x48xbf16>, tensor<32x48xbf16>) -> tensor<96x48xbf16>
// CHECK: te.matmul %[[DY]], %[[W]] {role = #te.role<dgrad>}
// CHECK: %[[DW:.*]] = te.matmul {{.*}} {role = #te.role<wgrad>, transpose_a} : tensor<32x96xbf16>, tensor<32x48xbf16> -> tensor<96x48xbf16>
// CHECK: %[[P:.*]]:2 = te.split %[[DW]] axis 0 : tensor<96x48xbf16> -> tensor<64x48xbf16>, tensor<32x48xbf16>
// CHECK-NOT: arith.
// CHECK: return %{{.*}}, %[[P]]#0, %[[P]]#1
func.func @joined(%dy: tensor<32x96xbf16>, %q: tensor<64x48xf32> {te.param = "q"}, %k: tensor<32x48xf32> {te.param = "k"}, %x: tensor<32x48xbf16>)
    -> (tensor<32x48xbf16>, tensor<64x48xf32> {te.output = "grad.q"}, tensor<32x48xf32> {te.output = "grad.k"}) {
  %w = tensor.concat dim(0) %q, %k : (tensor<64x48xf32>, tensor<32x48xf32>) -> tensor<96x48xf32>
  %wb = arith.truncf %w : tensor<96x48xf32> to tensor<96x48xbf16>
  %dx = te.matmul %dy, %wb {role = #te.role<dgrad>} : tensor<32x96xbf16>, tensor<96x48xbf16> -> tensor<32x48xbf16>
  %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<32x96xbf16>, tensor<32x48xbf16> -> tensor<96x48xf32>
  %p:2 = te.split %dw axis 0 : tensor<96x48xf32> -> tensor<64x48xf32>, tensor<32x48xf32>
  return %dx, %p#0, %p#1 : tensor<32x48xbf16>, tensor<64x48xf32>, tensor<32x48xf32>
}

// -----

// A table, positions and the sum of a tied parameter's gradients.

// CHECK-LABEL: func.func @embedding(
// CHECK-SAME: %[[IDS:[^:]*]]: tensor<32xi64> {te.input = "ids"}, %[[TABLE:[^:]*]]: tensor<512x64xbf16> {te.param = "wte"}, %[[POS:[^:]*]]: tensor<16x64xbf16> {te.param = "wpe"}
// CHECK-NOT: arith.
// CHECK: %[[E:.*]] = te.embedding %[[IDS]], %[[TABLE]] : tensor<32xi64>, tensor<512x64xbf16> -> tensor<32x64xbf16>
// CHECK: %[[H:.*]] = te.add %[[E]], %[[POS]] : tensor<32x64xbf16>, tensor<16x64xbf16> -> tensor<32x64xbf16>
// CHECK: %[[G:.*]] = te.embedding_grad {{.*}} -> tensor<512x64xf32>
// CHECK: %[[SUM:.*]] = te.add %[[G]], %{{.*}} : tensor<512x64xf32>, tensor<512x64xf32> -> tensor<512x64xbf16>
// CHECK: %[[POSGRAD:.*]] = te.column_sum %{{.*}} : tensor<2x1024xbf16> -> tensor<1024xbf16>
// CHECK: %[[E2:.*]] = tensor.expand_shape %[[POSGRAD]] {{.*}} : tensor<1024xbf16> into tensor<16x64xbf16>
// CHECK-NOT: arith.truncf
// CHECK: return %[[H]], %[[SUM]], %[[E2]]
func.func @embedding(%ids: tensor<32xi64> {te.input = "ids"}, %table: tensor<512x64xf32> {te.param = "wte"}, %pos: tensor<16x64xf32> {te.param = "wpe"},
                     %dh: tensor<32x64xbf16>, %dw: tensor<512x64xf32>)
    -> (tensor<32x64xf32> {te.output = "h"}, tensor<512x64xf32> {te.output = "grad.wte"}, tensor<16x64xf32> {te.output = "grad.wpe"}) {
  %e = te.embedding %ids, %table : tensor<32xi64>, tensor<512x64xf32> -> tensor<32x64xbf16>
  %h = te.add %e, %pos : tensor<32x64xbf16>, tensor<16x64xf32> -> tensor<32x64xbf16>
  %hf = arith.extf %h : tensor<32x64xbf16> to tensor<32x64xf32>
  %g = te.embedding_grad %ids, %dh : tensor<32xi64>, tensor<32x64xbf16> -> tensor<512x64xf32>
  %sum = te.add %g, %dw : tensor<512x64xf32>, tensor<512x64xf32> -> tensor<512x64xf32>
  %blocks = tensor.expand_shape %dh [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
  %flat = tensor.collapse_shape %blocks [[0], [1, 2]] : tensor<2x16x64xbf16> into tensor<2x1024xbf16>
  %s = te.column_sum %flat : tensor<2x1024xbf16> -> tensor<1024xf32>
  %posgrad = tensor.expand_shape %s [[0, 1]] output_shape [16, 64] : tensor<1024xf32> into tensor<16x64xf32>
  return %hf, %sum, %posgrad : tensor<32x64xf32>, tensor<512x64xf32>, tensor<16x64xf32>
}

// -----

// What is read in float32 as well is rounded apart, once; states, scalars and
// integers are not touched, nor what no attribute names.

// CHECK-LABEL: func.func @kept(
// CHECK-SAME: tensor<12x16xf32> {te.state = "fp8.amax_history"}, %{{[^:]*}}: tensor<f32> {te.scalar = "lr"}, %{{[^:]*}}: tensor<32x64xi64> {te.input = "ids"}, %{{[^:]*}}: tensor<32x64xf32>
// CHECK-SAME: -> (tensor<32x64xbf16> {te.output = "sum"}, tensor<32x64xf32>, tensor<f32> {te.output = "loss"}, tensor<8x8xbf16> {te.output = "grad.unused"})
// CHECK: %[[SUM:.*]] = te.add {{.*}} -> tensor<32x64xf32>
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SUM]]
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8x8xbf16>
// CHECK: return %[[ROUNDED]], %[[SUM]], %{{.*}}, %[[ZERO]]
func.func @kept(%history: tensor<12x16xf32> {te.state = "fp8.amax_history"}, %lr: tensor<f32> {te.scalar = "lr"},
                %ids: tensor<32x64xi64> {te.input = "ids"}, %a: tensor<32x64xf32>)
    -> (tensor<32x64xf32> {te.output = "sum"}, tensor<32x64xf32>, tensor<f32> {te.output = "loss"}, tensor<8x8xf32> {te.output = "grad.unused"}) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %sum = te.add %a, %a : tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  return %sum, %sum, %lr, %zero : tensor<32x64xf32>, tensor<32x64xf32>, tensor<f32>, tensor<8x8xf32>
}

// -----

// A gain is a vector however it is stored, and so is its gradient. Activations
// of one position are what they are for several.

// CHECK-LABEL: func.func @gain(
// CHECK-SAME: tensor<1x64xbf16> {te.input = "x"}, %{{[^:]*}}: tensor<1x1x64xf32> {te.param = "gain"}, %{{[^:]*}}: tensor<64xf32> {te.input = "v"})
// CHECK-SAME: -> (tensor<1x64xbf16> {te.output = "y"}, tensor<1x1x64xf32> {te.output = "grad.gain"}, tensor<1x64xbf16> {te.output = "grad.x"})
func.func @gain(%x: tensor<1x64xf32> {te.input = "x"}, %g: tensor<1x1x64xf32> {te.param = "gain"}, %v: tensor<64xf32> {te.input = "v"})
    -> (tensor<1x64xf32> {te.output = "y"}, tensor<1x1x64xf32> {te.output = "grad.gain"}, tensor<1x64xf32> {te.output = "grad.x"}) {
  return %x, %g, %x : tensor<1x64xf32>, tensor<1x1x64xf32>, tensor<1x64xf32>
}

// -----

// Attention takes sinks as float32 alone; a bias as it is.

// CHECK-LABEL: func.func @sinks(
// CHECK: %[[SINKS:.*]] = arith.extf %{{.*}} : tensor<2xbf16> to tensor<2xf32>
// CHECK: te.attention %{{.*}} bias(%{{.*}} : tensor<1x1x2x2xbf16>) sinks(%[[SINKS]] : tensor<2xf32>)
func.func @sinks(%q: tensor<1x2x2x16xbf16> {te.input = "q"}, %bias: tensor<1x1x2x2xbf16> {te.input = "bias"}, %s: tensor<2xbf16> {te.input = "s"})
    -> (tensor<1x2x2x16xbf16> {te.output = "o"}) {
  %wide = arith.extf %s : tensor<2xbf16> to tensor<2xf32>
  %wideBias = arith.extf %bias : tensor<1x1x2x2xbf16> to tensor<1x1x2x2xf32>
  %o, %lse = te.attention %q, %q, %q bias(%wideBias : tensor<1x1x2x2xf32>) sinks(%wide : tensor<2xf32>) {scale = 0.25 : f32}
    : tensor<1x2x2x16xbf16>, tensor<1x2x2x16xbf16>, tensor<1x2x2x16xbf16> -> tensor<1x2x2x16xbf16>, tensor<1x2x2xf32>
  return %o : tensor<1x2x2x16xbf16>
}
