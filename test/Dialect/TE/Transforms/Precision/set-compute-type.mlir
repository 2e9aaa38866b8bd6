// RUN: te-opt %s --split-input-file --te-set-compute-type=type=bf16 | FileCheck %s
// RUN: te-opt %s --split-input-file --te-set-compute-type=type=f32 | FileCheck %s --check-prefix=F32


// A weight is truncated once for fprop and dgrad; vectors, statistics, the loss
// and the gradients of parameters stay in float32.

// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[X:[^:]*]]: tensor<32x64xf32> {te.input = "x"}, %[[G:[^:]*]]: tensor<64xf32>, %[[B:[^:]*]]: tensor<64xf32>, %[[W:[^:]*]]: tensor<128x64xf32> {te.param = "w"}, %[[WB:[^:]*]]: tensor<128xf32>
// CHECK: %[[XB:.*]] = arith.truncf %[[X]] : tensor<32x64xf32> to tensor<32x64xbf16>
// CHECK: %[[H:.*]], %[[MEAN:.*]], %[[RSTD:.*]] = te.layer_norm %[[XB]], %[[G]], %[[B]] {{.*}} : tensor<32x64xbf16>, tensor<64xf32>, tensor<64xf32> -> y tensor<32x64xbf16> stats tensor<32xf32>, tensor<32xf32>
// CHECK: %[[WT:.*]] = arith.truncf %[[W]] : tensor<128x64xf32> to tensor<128x64xbf16>
// CHECK: %[[U:.*]] = te.matmul %[[H]], %[[WT]] bias(%[[WB]] : tensor<128xf32>) {transpose_b} : tensor<32x64xbf16>, tensor<128x64xbf16> -> tensor<32x128xbf16>
// CHECK: %[[A:.*]] = te.activation gelu_tanh %[[U]] : tensor<32x128xbf16> -> y tensor<32x128xbf16>
// CHECK: %[[LOSS:.*]], %[[LSE:.*]], %[[COUNT:.*]] = te.cross_entropy %[[A]], {{.*}} : tensor<32x128xbf16>, tensor<32xi64> -> tensor<32xf32>
// CHECK: %[[DA:.*]] = te.cross_entropy_grad {{.*}} -> tensor<32x128xbf16>
// CHECK: %[[DU:.*]] = te.activation_grad gelu_tanh %[[DA]], %[[U]] : tensor<32x128xbf16>, tensor<32x128xbf16> -> dx tensor<32x128xbf16>
// CHECK: te.column_sum %[[DU]] : tensor<32x128xbf16> -> tensor<128xf32>
// CHECK: %[[DH:.*]] = te.matmul %[[DU]], %[[WT]] {role = #te.role<dgrad>} : tensor<32x128xbf16>, tensor<128x64xbf16> -> tensor<32x64xbf16>
// CHECK: %[[DW:.*]] = te.matmul %[[DU]], %[[H]] {role = #te.role<wgrad>, transpose_a} : tensor<32x128xbf16>, tensor<32x64xbf16> -> tensor<128x64xf32>
// CHECK: %[[DX:.*]], %{{.*}}, %{{.*}} = te.layer_norm_grad %[[DH]], %[[XB]], {{.*}} -> dx tensor<32x64xbf16> dgamma tensor<64xf32> dbeta tensor<64xf32>
// CHECK: %[[DXF:.*]] = arith.extf %[[DX]] : tensor<32x64xbf16> to tensor<32x64xf32>
// CHECK: return %[[LOSS]], %[[DXF]], %[[DW]],
func.func @layer(%x: tensor<32x64xf32> {te.input = "x"}, %g: tensor<64xf32>, %b: tensor<64xf32>,
                 %w: tensor<128x64xf32> {te.param = "w"}, %wb: tensor<128xf32>, %labels: tensor<32xi64>)
    -> (tensor<f32>, tensor<32x64xf32>, tensor<128x64xf32>, tensor<128xf32>, tensor<64xf32>) {
  %h, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32} : tensor<32x64xf32>, tensor<64xf32>, tensor<64xf32> -> y tensor<32x64xf32> stats tensor<32xf32>, tensor<32xf32>
  %u = te.matmul %h, %w bias(%wb : tensor<128xf32>) {transpose_b} : tensor<32x64xf32>, tensor<128x64xf32> -> tensor<32x128xf32>
  %a = te.activation gelu_tanh %u : tensor<32x128xf32> -> y tensor<32x128xf32>
  %loss, %lse, %count = te.cross_entropy %a, %labels : tensor<32x128xf32>, tensor<32xi64> -> tensor<32xf32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %da = te.cross_entropy_grad %one, %a, %labels, %lse, %count : tensor<32x128xf32>, tensor<32xi64>, tensor<32xf32> -> tensor<32x128xf32>
  %du = te.activation_grad gelu_tanh %da, %u : tensor<32x128xf32>, tensor<32x128xf32> -> dx tensor<32x128xf32>
  %dwb = te.column_sum %du : tensor<32x128xf32> -> tensor<128xf32>
  %dh = te.matmul %du, %w {role = #te.role<dgrad>} : tensor<32x128xf32>, tensor<128x64xf32> -> tensor<32x64xf32>
  %dw = te.matmul %du, %h {role = #te.role<wgrad>, transpose_a} : tensor<32x128xf32>, tensor<32x64xf32> -> tensor<128x64xf32>
  %dx, %dg, %db = te.layer_norm_grad %dh, %x, %g, %mean, %rstd : tensor<32x64xf32>, tensor<32x64xf32>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32> -> dx tensor<32x64xf32> dgamma tensor<64xf32> dbeta tensor<64xf32>
  return %loss, %dx, %dw, %dwb, %dg : tensor<f32>, tensor<32x64xf32>, tensor<128x64xf32>, tensor<128xf32>, tensor<64xf32>
}

// -----

// What moves data follows; attention's statistics do not. An embedding reads
// its table as it is, and positions are added in float32.

// CHECK-LABEL: func.func @attention(
// CHECK-NOT: arith.truncf
// CHECK: %[[E:.*]] = te.embedding %{{.*}}, %{{.*}} : tensor<32xi64>, tensor<512x96xf32> -> tensor<32x96xbf16>
// CHECK: te.add %[[E]], %{{.*}} : tensor<32x96xbf16>, tensor<16x96xf32> -> tensor<32x96xbf16>
// CHECK: te.split %{{.*}} axis 1 : tensor<32x96xbf16> -> tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
// CHECK: tensor.expand_shape {{.*}} : tensor<32x32xbf16> into tensor<2x16x4x8xbf16>
// CHECK: te.attention {{.*}} -> tensor<2x16x4x8xbf16>, tensor<2x4x16xf32>
// CHECK: tensor.collapse_shape {{.*}} : tensor<2x16x4x8xbf16> into tensor<32x32xbf16>
// CHECK: tensor.concat dim(1) {{.*}} -> tensor<32x64xbf16>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64x32xbf16>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<32x64xbf16>) outs(%[[EMPTY]] : tensor<64x32xbf16>)
// CHECK: %[[R:.*]] = arith.extf %{{.*}} : tensor<64x32xbf16> to tensor<64x32xf32>
// CHECK: return %[[R]]
func.func @attention(%ids: tensor<32xi64>, %table: tensor<512x96xf32> {te.param = "wte"}, %pos: tensor<16x96xf32> {te.param = "wpe"})
    -> (tensor<64x32xf32> {te.output = "y"}) {
  %e = te.embedding %ids, %table : tensor<32xi64>, tensor<512x96xf32> -> tensor<32x96xf32>
  %x = te.add %e, %pos : tensor<32x96xf32>, tensor<16x96xf32> -> tensor<32x96xf32>
  %q, %k, %v = te.split %x axis 1 : tensor<32x96xf32> -> tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
  %o, %lse = te.attention %q4, %k4, %v4 {causal, scale = 0.35 : f32} : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32> -> tensor<2x16x4x8xf32>, tensor<2x4x16xf32>
  %o2 = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<32x32xf32>
  %c = tensor.concat dim(1) %o2, %q : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x64xf32>
  %init = tensor.empty() : tensor<64x32xf32>
  %t = linalg.transpose ins(%c : tensor<32x64xf32>) outs(%init : tensor<64x32xf32>) permutation = [1, 0]
  return %t : tensor<64x32xf32>
}

// -----

// A tied parameter's gradients are summed in float32; a residual stream is not.

// CHECK-LABEL: func.func @sums(
// CHECK: te.add %{{.*}}, %{{.*}} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
// CHECK: te.add %{{.*}}, %{{.*}} : tensor<32x64xf32>, tensor<32x64xbf16> -> tensor<32x64xbf16>
func.func @sums(%dw0: tensor<64x64xf32>, %dw1: tensor<64x64xf32>, %x: tensor<32x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<32x64xf32>) {
  %dw = te.add %dw0, %dw1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %y = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %r = te.add %x, %y : tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  return %dw, %r : tensor<64x64xf32>, tensor<32x64xf32>
}

// -----

// Ops that know nothing of compute types get back what they were written for,
// once per value; a truncation that has become none goes away.

// CHECK-LABEL: func.func @foreign(
// CHECK: %[[Y:.*]] = te.matmul
// CHECK: %[[F:.*]] = arith.extf %[[Y]] : tensor<32x64xbf16> to tensor<32x64xf32>
// CHECK: arith.addf %[[F]], %[[F]] : tensor<32x64xf32>
// CHECK-NOT: arith.extf
// CHECK: return %{{.*}}, %[[Y]] : tensor<32x64xf32>, tensor<32x64xbf16>
// F32-LABEL: func.func @foreign(
func.func @foreign(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xbf16>) {
  %y = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %z = arith.addf %y, %y : tensor<32x64xf32>
  %t = arith.truncf %y : tensor<32x64xf32> to tensor<32x64xbf16>
  return %z, %t : tensor<32x64xf32>, tensor<32x64xbf16>
}

// -----

// What a region of a foreign op reads from outside is restored before that op.

// CHECK-LABEL: func.func @nested(
// CHECK: %[[Y:.*]] = te.matmul
// CHECK: %[[F:.*]] = arith.extf %[[Y]]
// CHECK: tensor.generate
// CHECK: tensor.extract %[[F]]
func.func @nested(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %n: index) -> tensor<?xf32> {
  %y = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.extract %y[%i, %i] : tensor<32x64xf32>
    tensor.yield %e : f32
  } : tensor<?xf32>
  return %g : tensor<?xf32>
}

// -----

// A kernel reads what is there and computes in float32; of activations it makes
// activations. A parameter stays as it is, and so does a sum, and an op on
// parameters alone.
#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @kernels(
// CHECK: %[[H:.*]] = te.matmul {{.*}} -> tensor<32x64xbf16>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<32x64xbf16>
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[H]], %{{.*}} : tensor<32x64xbf16>, tensor<64xf32>) outs(%[[E]] : tensor<32x64xbf16>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: bf16, %[[GAIN:.*]]: f32, %{{.*}}: bf16):
// CHECK-NEXT:   %[[WIDE:.*]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT:   %[[MUL:.*]] = arith.mulf %[[WIDE]], %[[GAIN]] : f32
// CHECK-NEXT:   %[[ROUNDED:.*]] = arith.truncf %[[MUL]] : f32 to bf16
// CHECK-NEXT:   linalg.yield %[[ROUNDED]] : bf16
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : tensor<32x64xbf16>) outs(%{{.*}} : tensor<32xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf32>) outs(%{{.*}} : tensor<64xf32>)
// F32-LABEL: func.func @kernels(
// F32-NOT: bf16
func.func @kernels(%x: tensor<32x64xf32>, %w: tensor<64x64xf32> {te.param = "w"}, %g: tensor<64xf32> {te.param = "g"}) -> (tensor<32xf32>, tensor<64xf32>) {
  %h = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %g : tensor<32x64xf32>, tensor<64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%in: f32, %gain: f32, %out: f32):
    %0 = arith.mulf %in, %gain : f32
    linalg.yield %0 : f32
  } -> tensor<32x64xf32>
  %z = arith.constant dense<0.0> : tensor<32xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<32x64xf32>) outs(%z : tensor<32xf32>) {
  ^bb0(%in: f32, %old: f32):
    %0 = arith.addf %in, %old : f32
    linalg.yield %0 : f32
  } -> tensor<32xf32>
  %ge = tensor.empty() : tensor<64xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%g : tensor<64xf32>) outs(%ge : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %s, %p : tensor<32xf32>, tensor<64xf32>
}

// -----

// What is moved keeps its type, a transpose with a destination of that type.
// What overwrites a part of a tensor takes that tensor's type.
// CHECK-LABEL: func.func @movement(
// CHECK-SAME:    %[[X:.*]]: tensor<8x16xf32>, %[[W:.*]]: tensor<16x16xf32>, %[[B:.*]]: tensor<8x32xf32>)
// CHECK:         %[[Y:.*]] = te.matmul {{.*}} -> tensor<8x16xbf16>
// CHECK:         %[[WIDE:.*]] = arith.extf %[[Y]] : tensor<8x16xbf16> to tensor<8x16xf32>
// CHECK:         tensor.insert_slice %[[WIDE]] into %[[B]][0, 0] [8, 16] [1, 2] : tensor<8x16xf32> into tensor<8x32xf32>
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<16x8xbf16>
// CHECK:         linalg.transpose ins(%[[Y]] : tensor<8x16xbf16>) outs(%[[E]] : tensor<16x8xbf16>) permutation = [1, 0]
// CHECK:         %[[FIRST:.*]] = tensor.extract_slice %[[X]]
// CHECK:         %[[NARROW:.*]] = arith.truncf %[[FIRST]] : tensor<4x16xf32> to tensor<4x16xbf16>
// CHECK:         tensor.insert_slice %[[NARROW]] into %[[Y]][0, 0] [4, 16] [1, 1] : tensor<4x16xbf16> into tensor<8x16xbf16>
// F32-LABEL: func.func @movement(
// F32-NOT: bf16
func.func @movement(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %b: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<16x32xf32>, tensor<8x16xf32>) {
  %y = te.matmul %x, %w : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  %wide = tensor.insert_slice %y into %b[0, 0] [8, 16] [1, 2] : tensor<8x16xf32> into tensor<8x32xf32>
  %e = tensor.empty() : tensor<16x8xf32>
  %t = linalg.transpose ins(%y : tensor<8x16xf32>) outs(%e : tensor<16x8xf32>) permutation = [1, 0]
  %z = te.matmul %t, %b : tensor<16x8xf32>, tensor<8x32xf32> -> tensor<16x32xf32>
  %first = tensor.extract_slice %x[0, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %into = tensor.insert_slice %first into %y[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  return %wide, %z, %into : tensor<8x32xf32>, tensor<16x32xf32>, tensor<8x16xf32>
}

// -----

// Finite numbers that bf16 does not have become its largest ones; infinities
// stay what they are.
// CHECK-LABEL: func.func @hidden(
// CHECK-DAG: %[[LOW:.*]] = arith.constant -3.38953139E+38 : f32
// CHECK-DAG: arith.constant dense<[1.000000e+00, 3.38953139E+38, 0x7F800000, 3.380000e+38]> : tensor<4xf32>
// CHECK: arith.select %{{.*}}, %[[LOW]], %{{.*}} : f32
// F32-LABEL: func.func @hidden(
// F32-DAG: arith.constant -3.40282347E+38 : f32
// F32-DAG: arith.constant dense<[1.000000e+00, 3.40282347E+38, 0x7F800000, 3.380000e+38]> : tensor<4xf32>
func.func @hidden(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %m: tensor<8x4xi1>) -> (tensor<8x4xf32>, tensor<4xf32>) {
  %low = arith.constant -3.40282347E+38 : f32
  %table = arith.constant dense<[1.0, 3.40282347E+38, 0x7F800000, 3.38E+38]> : tensor<4xf32>
  %0 = te.matmul %x, %w : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  %1 = tensor.empty() : tensor<8x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %m : tensor<8x4xf32>, tensor<8x4xi1>) outs(%1 : tensor<8x4xf32>) {
  ^bb0(%a: f32, %hides: i1, %out: f32):
    %b = arith.select %hides, %low, %a : f32
    linalg.yield %b : f32
  } -> tensor<8x4xf32>
  return %2, %table : tensor<8x4xf32>, tensor<4xf32>
}

// -----

// Each block has conversions of its own: those of the first do not dominate the
// second.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: tensor<32x64xf32>, %[[W:.*]]: tensor<128x64xf32>
// CHECK:         cf.cond_br %[[C]], ^[[THEN:.*]], ^[[ELSE:.*]]
// CHECK:       ^[[THEN]]:
// CHECK:         %[[X1:.*]] = arith.truncf %[[X]] : tensor<32x64xf32> to tensor<32x64xbf16>
// CHECK:         %[[W1:.*]] = arith.truncf %[[W]] : tensor<128x64xf32> to tensor<128x64xbf16>
// CHECK:         te.matmul %[[X1]], %[[W1]]
// CHECK:       ^[[ELSE]]:
// CHECK:         %[[X2:.*]] = arith.truncf %[[X]] : tensor<32x64xf32> to tensor<32x64xbf16>
// CHECK:         %[[W2:.*]] = arith.truncf %[[W]] : tensor<128x64xf32> to tensor<128x64xbf16>
// CHECK:         te.matmul %[[X2]], %[[W2]]
func.func @branches(%c: i1, %x: tensor<32x64xf32>, %w: tensor<128x64xf32> {te.param = "w"}) -> tensor<32x128xf32> {
  cf.cond_br %c, ^then, ^else
^then:
  %0 = te.matmul %x, %w {transpose_b} : tensor<32x64xf32>, tensor<128x64xf32> -> tensor<32x128xf32>
  return %0 : tensor<32x128xf32>
^else:
  %1 = te.matmul %x, %w {transpose_b} : tensor<32x64xf32>, tensor<128x64xf32> -> tensor<32x128xf32>
  %2 = te.activation relu %1 : tensor<32x128xf32> -> y tensor<32x128xf32>
  return %2 : tensor<32x128xf32>
}
