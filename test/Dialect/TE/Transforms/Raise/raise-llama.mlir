// RMS norms, gated activations and rotary embeddings in the pieces that
// exporters write them in.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-18: gradients within

// As Llama's is exported: pow, mean, sqrt, reciprocal.
// CHECK-LABEL: func @llama_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<8x32xf32>, %[[G:.*]]: tensor<32xf32>)
// CHECK-NEXT:  %[[Y:.*]], %{{.*}} = te.rms_norm %[[X]], %[[G]] {eps = 9.99999997E-7 : f32}
// CHECK-NEXT:  return %[[Y]]
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @llama_norm(%x: tensor<8x32xf32>, %g: tensor<32xf32>) -> tensor<8x32xf32> {
  %two = arith.constant dense<2.0> : tensor<8x32xf32>
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %share = arith.constant dense<3.125e-2> : tensor<8xf32>
  %eps = arith.constant dense<9.99999997E-7> : tensor<8x1xf32>
  %one = arith.constant dense<1.0> : tensor<8x1xf32>
  %0 = math.powf %x, %two : tensor<8x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x32xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %2 = arith.mulf %1, %share : tensor<8xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %4 = arith.addf %3, %eps : tensor<8x1xf32>
  %5 = math.sqrt %4 : tensor<8x1xf32>
  %6 = arith.divf %one, %5 : tensor<8x1xf32>
  %7 = tensor.collapse_shape %6 [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %8 = linalg.broadcast ins(%7 : tensor<8xf32>) outs(%e : tensor<8x32xf32>) dimensions = [1]
  %9 = arith.mulf %x, %8 : tensor<8x32xf32>
  %10 = linalg.broadcast ins(%g : tensor<32xf32>) outs(%e : tensor<8x32xf32>) dimensions = [0]
  %11 = arith.mulf %10, %9 : tensor<8x32xf32>
  return %11 : tensor<8x32xf32>
}

// -----

// As Gemma's is: x * x, rsqrt, and 1 + gamma.
// CHECK-LABEL: func @gemma_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x32xf32>, %[[G:.*]]: tensor<32xf32>)
// CHECK:       %[[M:.*]] = tensor.collapse_shape %[[X]]
// CHECK-NEXT:  %{{.*}} = te.rms_norm %[[M]], %[[G]] {eps = 9.99999974E-6 : f32, zero_centered}
// CHECK-NOT:   arith
func.func @gemma_norm(%x: tensor<2x4x32xf32>, %g: tensor<32xf32>) -> tensor<2x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%es : tensor<2x4xf32>) -> tensor<2x4xf32>
  %count = arith.constant dense<32.0> : tensor<2x4xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<2x4xf32>
  %ones = arith.constant dense<1.0> : tensor<32xf32>
  %0 = arith.mulf %x, %x : tensor<2x4x32xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<2x4x32xf32>) outs(%zeros : tensor<2x4xf32>) dimensions = [2]
  %2 = arith.divf %1, %count : tensor<2x4xf32>
  %3 = arith.addf %eps, %2 : tensor<2x4xf32>
  %4 = math.rsqrt %3 : tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x4x32xf32>
  %5 = linalg.broadcast ins(%4 : tensor<2x4xf32>) outs(%e : tensor<2x4x32xf32>) dimensions = [2]
  %6 = arith.mulf %5, %x : tensor<2x4x32xf32>
  %7 = arith.addf %ones, %g : tensor<32xf32>
  %8 = linalg.broadcast ins(%7 : tensor<32xf32>) outs(%e : tensor<2x4x32xf32>) dimensions = [0, 1]
  %9 = arith.mulf %6, %8 : tensor<2x4x32xf32>
  return %9 : tensor<2x4x32xf32>
}

// -----

// A quotient, and no gamma.
// CHECK-LABEL: func @quotient(
// CHECK:       %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<16xf32>
// CHECK:       te.rms_norm %{{.*}}, %[[ONES]]
// CHECK-NOT:   arith.divf
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @quotient(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %share = arith.constant dense<6.25e-2> : tensor<4xf32>
  %eps = arith.constant dense<1.0e-3> : tensor<4xf32>
  %0 = arith.mulf %x, %x : tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = arith.mulf %1, %share : tensor<4xf32>
  %3 = arith.addf %2, %eps : tensor<4xf32>
  %4 = math.sqrt %3 : tensor<4xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %5 = linalg.broadcast ins(%4 : tensor<4xf32>) outs(%e : tensor<4x16xf32>) dimensions = [1]
  %6 = arith.divf %x, %5 : tensor<4x16xf32>
  return %6 : tensor<4x16xf32>
}

// -----

// Almost: the sum instead of the mean.
// CHECK-LABEL: func @sum_of_squares
// CHECK-NOT:   te.rms_norm
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @sum_of_squares(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %eps = arith.constant dense<1.0e-3> : tensor<4xf32>
  %0 = arith.mulf %x, %x : tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %3 = arith.addf %1, %eps : tensor<4xf32>
  %4 = math.rsqrt %3 : tensor<4xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %5 = linalg.broadcast ins(%4 : tensor<4xf32>) outs(%e : tensor<4x16xf32>) dimensions = [1]
  %6 = arith.mulf %x, %5 : tensor<4x16xf32>
  return %6 : tensor<4x16xf32>
}

// -----

// Almost: eps is added to the root.
// CHECK-LABEL: func @eps_outside
// CHECK-NOT:   te.rms_norm
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @eps_outside(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %share = arith.constant dense<6.25e-2> : tensor<4xf32>
  %eps = arith.constant dense<1.0e-3> : tensor<4xf32>
  %0 = arith.mulf %x, %x : tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = arith.mulf %1, %share : tensor<4xf32>
  %3 = math.sqrt %2 : tensor<4xf32>
  %4 = arith.addf %3, %eps : tensor<4xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %5 = linalg.broadcast ins(%4 : tensor<4xf32>) outs(%e : tensor<4x16xf32>) dimensions = [1]
  %6 = arith.divf %x, %5 : tensor<4x16xf32>
  return %6 : tensor<4x16xf32>
}

// -----

// Almost: another value is normalized than the squares are of.
// CHECK-LABEL: func @other_value
// CHECK-NOT:   te.rms_norm
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @other_value(%x: tensor<4x16xf32>, %z: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %share = arith.constant dense<6.25e-2> : tensor<4xf32>
  %eps = arith.constant dense<1.0e-3> : tensor<4xf32>
  %0 = arith.mulf %z, %z : tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = arith.mulf %1, %share : tensor<4xf32>
  %3 = arith.addf %2, %eps : tensor<4xf32>
  %4 = math.rsqrt %3 : tensor<4xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %5 = linalg.broadcast ins(%4 : tensor<4xf32>) outs(%e : tensor<4x16xf32>) dimensions = [1]
  %6 = arith.mulf %x, %5 : tensor<4x16xf32>
  return %6 : tensor<4x16xf32>
}

// -----

// Halves of one product: SwiGLU with the gate in front.
// CHECK-LABEL: func @swiglu_joined(
// CHECK-SAME:    %[[X:.*]]: tensor<6x16xf32>)
// CHECK-NEXT:  %[[Y:.*]] = te.gated_activation silu %[[X]] : tensor<6x16xf32> -> y tensor<6x8xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @swiglu_joined(%x: tensor<6x16xf32>) -> tensor<6x8xf32> {
  %gate, %up = te.split %x axis 1 : tensor<6x16xf32> -> tensor<6x8xf32>, tensor<6x8xf32>
  %s = te.activation sigmoid %gate : tensor<6x8xf32> -> y tensor<6x8xf32>
  %a = arith.mulf %gate, %s : tensor<6x8xf32>
  %y = arith.mulf %a, %up : tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}

// -----

// GeGLU with up in front.
// CHECK-LABEL: func @geglu_up_first(
// CHECK-SAME:    %[[X:.*]]: tensor<6x16xf32>)
// CHECK-NEXT:  te.gated_activation gelu_tanh %[[X]] {up_first} : tensor<6x16xf32> -> y tensor<6x8xf32>
func.func @geglu_up_first(%x: tensor<6x16xf32>) -> tensor<6x8xf32> {
  %up, %gate = te.split %x axis 1 : tensor<6x16xf32> -> tensor<6x8xf32>, tensor<6x8xf32>
  %a = te.activation gelu_tanh %gate : tensor<6x8xf32> -> y tensor<6x8xf32>
  %y = arith.mulf %up, %a : tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}

// -----

// Two layers, on tensors of rank 3.
// CHECK-LABEL: func @reglu_apart(
// CHECK:       te.gated_activation relu %{{.*}} up(%{{.*}} : tensor<6x8xf32>) : tensor<6x8xf32> -> y tensor<6x8xf32>
func.func @reglu_apart(%g: tensor<2x3x8xf32>, %u: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %m = tensor.collapse_shape %g [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %a = te.activation relu %m : tensor<6x8xf32> -> y tensor<6x8xf32>
  %a3 = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %y = arith.mulf %a3, %u : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Gates and what they open interleaved in one matrix: every other column of the
// product, which are no halves of it.
// CHECK-LABEL: func @swiglu_interleaved(
// CHECK:       %[[P:.*]] = te.matmul
// CHECK-DAG:   %[[GATE:.*]] = tensor.extract_slice %[[P]][0, 0] [6, 8] [1, 2]
// CHECK-DAG:   %[[UP:.*]] = tensor.extract_slice %[[P]][0, 1] [6, 8] [1, 2]
// CHECK:       %[[Y:.*]] = te.gated_activation silu %[[GATE]] up(%[[UP]] : tensor<6x8xf32>) : tensor<6x8xf32> -> y tensor<6x8xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @swiglu_interleaved(%x: tensor<6x4xf32>, %w: tensor<16x4xf32>) -> tensor<6x8xf32> {
  %p = te.matmul %x, %w {transpose_b} : tensor<6x4xf32>, tensor<16x4xf32> -> tensor<6x16xf32>
  %gate = tensor.extract_slice %p[0, 0] [6, 8] [1, 2] : tensor<6x16xf32> to tensor<6x8xf32>
  %up = tensor.extract_slice %p[0, 1] [6, 8] [1, 2] : tensor<6x16xf32> to tensor<6x8xf32>
  %s = te.activation sigmoid %gate : tensor<6x8xf32> -> y tensor<6x8xf32>
  %a = arith.mulf %gate, %s : tensor<6x8xf32>
  %y = arith.mulf %a, %up : tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}

// -----

// The same as pairs in a dimension of their own, up in front.
// CHECK-LABEL: func @geglu_pairs(
// CHECK:       %[[PAIRS:.*]] = tensor.expand_shape
// CHECK:       %[[PARTS:.*]]:2 = te.split %[[PAIRS]] axis 3
// CHECK-DAG:   %[[UP:.*]] = tensor.collapse_shape %[[PARTS]]#0 {{.*}} into tensor<6x8xf32>
// CHECK-DAG:   %[[GATE:.*]] = tensor.collapse_shape %[[PARTS]]#1 {{.*}} into tensor<6x8xf32>
// CHECK:       te.gated_activation gelu_tanh %[[GATE]] up(%[[UP]] : tensor<6x8xf32>)
func.func @geglu_pairs(%x: tensor<6x4xf32>, %w: tensor<16x4xf32>) -> tensor<2x3x8xf32> {
  %p = te.matmul %x, %w {transpose_b} : tensor<6x4xf32>, tensor<16x4xf32> -> tensor<6x16xf32>
  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 3, 16] : tensor<6x16xf32> into tensor<2x3x16xf32>
  %pairs = tensor.expand_shape %p3 [[0], [1], [2, 3]] output_shape [2, 3, 8, 2] : tensor<2x3x16xf32> into tensor<2x3x8x2xf32>
  %up1 = tensor.extract_slice %pairs[0, 0, 0, 0] [2, 3, 8, 1] [1, 1, 1, 1] : tensor<2x3x8x2xf32> to tensor<2x3x8x1xf32>
  %gate1 = tensor.extract_slice %pairs[0, 0, 0, 1] [2, 3, 8, 1] [1, 1, 1, 1] : tensor<2x3x8x2xf32> to tensor<2x3x8x1xf32>
  %up = tensor.collapse_shape %up1 [[0], [1], [2, 3]] : tensor<2x3x8x1xf32> into tensor<2x3x8xf32>
  %gate = tensor.collapse_shape %gate1 [[0, 1], [2, 3]] : tensor<2x3x8x1xf32> into tensor<6x8xf32>
  %a = te.activation gelu_tanh %gate : tensor<6x8xf32> -> y tensor<6x8xf32>
  %a3 = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %y = arith.mulf %up, %a3 : tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// The activation is needed as such, too; and a gain is no second half.
// CHECK-LABEL: func @no_gates
// CHECK-NOT:   te.gated_activation
// CHECK:       return
func.func @no_gates(%g: tensor<6x8xf32>, %u: tensor<6x8xf32>, %v: tensor<8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %a = te.activation relu %g : tensor<6x8xf32> -> y tensor<6x8xf32>
  %y = arith.mulf %a, %u : tensor<6x8xf32>
  %b = te.activation tanh %g : tensor<6x8xf32> -> y tensor<6x8xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %w = linalg.broadcast ins(%v : tensor<8xf32>) outs(%e : tensor<6x8xf32>) dimensions = [0]
  %z = arith.mulf %b, %w : tensor<6x8xf32>
  return %a, %y, %z : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}

// -----

// Rotated halves, as Llama's are, of heads that are transposed before.
// CHECK-LABEL: func @rope_halves(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x2x4xf32>)
// CHECK-DAG:   %[[COS:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-DAG:   %[[SIN:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00, -2.000000e+00], [-3.000000e+00, -4.000000e+00], [-5.000000e+00, -6.000000e+00]]> : tensor<3x2xf32>
// CHECK:       %[[Y:.*]] = te.rope %[[X]], %[[COS]], %[[SIN]] : tensor<2x3x2x4xf32>
// CHECK:       linalg.transpose ins(%[[Y]] : tensor<2x3x2x4xf32>)
// CHECK-NOT:   tensor.concat
func.func @rope_halves(%x: tensor<2x3x2x4xf32>) -> tensor<2x2x3x4xf32> {
  %cos = arith.constant dense<[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0], [5.0, 6.0, 5.0, 6.0]]> : tensor<3x4xf32>
  %sin = arith.constant dense<[[-1.0, -2.0, -1.0, -2.0], [-3.0, -4.0, -3.0, -4.0], [-5.0, -6.0, -5.0, -6.0]]> : tensor<3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x2x4xf32>) outs(%e : tensor<2x2x3x4xf32>) permutation = [0, 2, 1, 3]
  %m = tensor.collapse_shape %t [[0, 1, 2], [3]] : tensor<2x2x3x4xf32> into tensor<12x4xf32>
  %c4 = linalg.broadcast ins(%cos : tensor<3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [0, 1]
  %c = tensor.collapse_shape %c4 [[0, 1, 2], [3]] : tensor<2x2x3x4xf32> into tensor<12x4xf32>
  %a = arith.mulf %m, %c : tensor<12x4xf32>
  %first = tensor.extract_slice %t[0, 0, 0, 0] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %second = tensor.extract_slice %t[0, 0, 0, 2] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %f = tensor.collapse_shape %first [[0, 1, 2], [3]] : tensor<2x2x3x2xf32> into tensor<12x2xf32>
  %s = tensor.collapse_shape %second [[0, 1, 2], [3]] : tensor<2x2x3x2xf32> into tensor<12x2xf32>
  %n = arith.negf %s : tensor<12x2xf32>
  %r = tensor.concat dim(1) %n, %f : (tensor<12x2xf32>, tensor<12x2xf32>) -> tensor<12x4xf32>
  %s4 = linalg.broadcast ins(%sin : tensor<3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [0, 1]
  %sm = tensor.collapse_shape %s4 [[0, 1, 2], [3]] : tensor<2x2x3x4xf32> into tensor<12x4xf32>
  %b = arith.mulf %r, %sm : tensor<12x4xf32>
  %y = te.add %a, %b : tensor<12x4xf32>, tensor<12x4xf32> -> tensor<12x4xf32>
  %y4 = tensor.expand_shape %y [[0, 1, 2], [3]] output_shape [2, 2, 3, 4] : tensor<12x4xf32> into tensor<2x2x3x4xf32>
  return %y4 : tensor<2x2x3x4xf32>
}

// -----

// Pairs of neighbours, as GPT-J's are, on [batch, sequence, heads, head size].
// CHECK-LABEL: func @rope_interleaved(
// CHECK:       te.rope %{{.*}}, %{{.*}}, %{{.*}} {interleaved} : tensor<1x2x3x4xf32>, tensor<2x2xf32>, tensor<2x2xf32>
// CHECK-NOT:   arith.mulf
func.func @rope_interleaved(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32> {
  %cos = arith.constant dense<[[1.0, 1.0, 2.0, 2.0], [3.0, 3.0, 4.0, 4.0]]> : tensor<2x4xf32>
  %sin = arith.constant dense<[[5.0, 5.0, 6.0, 6.0], [7.0, 7.0, 8.0, 8.0]]> : tensor<2x4xf32>
  %e = tensor.empty() : tensor<1x2x3x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x4xf32>) outs(%e : tensor<1x2x3x4xf32>) dimensions = [0, 2]
  %s = linalg.broadcast ins(%sin : tensor<2x4xf32>) outs(%e : tensor<1x2x3x4xf32>) dimensions = [0, 2]
  %a = arith.mulf %x, %c : tensor<1x2x3x4xf32>
  %even = tensor.extract_slice %x[0, 0, 0, 0] [1, 2, 3, 2] [1, 1, 1, 2] : tensor<1x2x3x4xf32> to tensor<1x2x3x2xf32>
  %odd = tensor.extract_slice %x[0, 0, 0, 1] [1, 2, 3, 2] [1, 1, 1, 2] : tensor<1x2x3x4xf32> to tensor<1x2x3x2xf32>
  %n = arith.negf %odd : tensor<1x2x3x2xf32>
  %n5 = tensor.expand_shape %n [[0], [1], [2], [3, 4]] output_shape [1, 2, 3, 2, 1] : tensor<1x2x3x2xf32> into tensor<1x2x3x2x1xf32>
  %e5 = tensor.expand_shape %even [[0], [1], [2], [3, 4]] output_shape [1, 2, 3, 2, 1] : tensor<1x2x3x2xf32> into tensor<1x2x3x2x1xf32>
  %r5 = tensor.concat dim(4) %n5, %e5 : (tensor<1x2x3x2x1xf32>, tensor<1x2x3x2x1xf32>) -> tensor<1x2x3x2x2xf32>
  %r = tensor.collapse_shape %r5 [[0], [1], [2], [3, 4]] : tensor<1x2x3x2x2xf32> into tensor<1x2x3x4xf32>
  %b = arith.mulf %r, %s : tensor<1x2x3x4xf32>
  %y = arith.addf %a, %b : tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}

// -----

// The first half of each head alone.
// CHECK-LABEL: func @rope_partial(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x2x8xf32>)
// CHECK:       %[[Y:.*]] = te.rope %[[X]], %{{.*}}, %{{.*}} {layout = #te.attention_layout<bhsd>} : tensor<1x3x2x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @rope_partial(%t: tensor<1x3x2x8xf32>) -> tensor<1x3x2x8xf32> {
  %cos = arith.constant dense<[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]> : tensor<2x4xf32>
  %sin = arith.constant dense<[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %x = tensor.extract_slice %t[0, 0, 0, 0] [1, 3, 2, 4] [1, 1, 1, 1] : tensor<1x3x2x8xf32> to tensor<1x3x2x4xf32>
  %rest = tensor.extract_slice %t[0, 0, 0, 4] [1, 3, 2, 4] [1, 1, 1, 1] : tensor<1x3x2x8xf32> to tensor<1x3x2x4xf32>
  %e = tensor.empty() : tensor<1x3x2x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x4xf32>) outs(%e : tensor<1x3x2x4xf32>) dimensions = [0, 1]
  %s = linalg.broadcast ins(%sin : tensor<2x4xf32>) outs(%e : tensor<1x3x2x4xf32>) dimensions = [0, 1]
  %a = arith.mulf %x, %c : tensor<1x3x2x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x4xf32> to tensor<1x3x2x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x4xf32> to tensor<1x3x2x2xf32>
  %n = arith.negf %second : tensor<1x3x2x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) -> tensor<1x3x2x4xf32>
  %b = arith.mulf %r, %s : tensor<1x3x2x4xf32>
  %y = arith.addf %b, %a : tensor<1x3x2x4xf32>
  %all = tensor.concat dim(3) %y, %rest : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) -> tensor<1x3x2x8xf32>
  return %all : tensor<1x3x2x8xf32>
}

// -----

// Almost: the halves have angles of their own.
// CHECK-LABEL: func @other_angles
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @other_angles(%x: tensor<1x3x2x4xf32>) -> tensor<1x3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.5]]> : tensor<2x4xf32>
  %sin = arith.constant dense<[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %e = tensor.empty() : tensor<1x3x2x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x4xf32>) outs(%e : tensor<1x3x2x4xf32>) dimensions = [0, 1]
  %s = linalg.broadcast ins(%sin : tensor<2x4xf32>) outs(%e : tensor<1x3x2x4xf32>) dimensions = [0, 1]
  %a = arith.mulf %x, %c : tensor<1x3x2x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x4xf32> to tensor<1x3x2x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x4xf32> to tensor<1x3x2x2xf32>
  %n = arith.negf %second : tensor<1x3x2x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) -> tensor<1x3x2x4xf32>
  %b = arith.mulf %r, %s : tensor<1x3x2x4xf32>
  %y = arith.addf %a, %b : tensor<1x3x2x4xf32>
  return %y : tensor<1x3x2x4xf32>
}

// -----

// Almost: the wrong half is negated, which rotates the other way.
// CHECK-LABEL: func @other_half_negated
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @other_half_negated(%x: tensor<1x3x2x4xf32>) -> tensor<1x3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]> : tensor<2x4xf32>
  %sin = arith.constant dense<[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %e = tensor.empty() : tensor<1x3x2x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x4xf32>) outs(%e : tensor<1x3x2x4xf32>) dimensions = [0, 1]
  %s = linalg.broadcast ins(%sin : tensor<2x4xf32>) outs(%e : tensor<1x3x2x4xf32>) dimensions = [0, 1]
  %a = arith.mulf %x, %c : tensor<1x3x2x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x4xf32> to tensor<1x3x2x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [1, 3, 2, 2] [1, 1, 1, 1] : tensor<1x3x2x4xf32> to tensor<1x3x2x2xf32>
  %n = arith.negf %first : tensor<1x3x2x2xf32>
  %r = tensor.concat dim(3) %second, %n : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) -> tensor<1x3x2x4xf32>
  %b = arith.mulf %r, %s : tensor<1x3x2x4xf32>
  %y = arith.addf %a, %b : tensor<1x3x2x4xf32>
  return %y : tensor<1x3x2x4xf32>
}

// -----

// A norm of every head, and its rotation, as Qwen3 has them.
// CHECK-LABEL: func @query_norm_then_rope
// CHECK:       te.rms_norm
// CHECK:       te.rope
// CHECK-NOT:   linalg.generic
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
func.func @query_norm_then_rope(%q: tensor<4x12xf32>, %g: tensor<4xf32>) -> tensor<2x3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0]]> : tensor<2x4xf32>
  %sin = arith.constant dense<[[5.0, 6.0, 5.0, 6.0], [7.0, 8.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<12xf32>
  %share = arith.constant dense<0.25> : tensor<12xf32>
  %eps = arith.constant dense<1.0e-6> : tensor<12xf32>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 2, 3, 4] : tensor<4x12xf32> into tensor<2x2x3x4xf32>
  %m = tensor.collapse_shape %q4 [[0, 1, 2], [3]] : tensor<2x2x3x4xf32> into tensor<12x4xf32>
  %0 = arith.mulf %m, %m : tensor<12x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<12x4xf32>) outs(%zeros : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<12xf32>
  %2 = arith.mulf %1, %share : tensor<12xf32>
  %3 = arith.addf %2, %eps : tensor<12xf32>
  %4 = math.rsqrt %3 : tensor<12xf32>
  %em = tensor.empty() : tensor<12x4xf32>
  %5 = linalg.broadcast ins(%4 : tensor<12xf32>) outs(%em : tensor<12x4xf32>) dimensions = [1]
  %6 = arith.mulf %m, %5 : tensor<12x4xf32>
  %7 = linalg.broadcast ins(%g : tensor<4xf32>) outs(%em : tensor<12x4xf32>) dimensions = [0]
  %8 = arith.mulf %6, %7 : tensor<12x4xf32>
  %n4 = tensor.expand_shape %8 [[0, 1, 2], [3]] output_shape [2, 2, 3, 4] : tensor<12x4xf32> into tensor<2x2x3x4xf32>
  %e = tensor.empty() : tensor<2x3x2x4xf32>
  %x = linalg.transpose ins(%n4 : tensor<2x2x3x4xf32>) outs(%e : tensor<2x3x2x4xf32>) permutation = [0, 2, 1, 3]
  %c = linalg.broadcast ins(%cos : tensor<2x4xf32>) outs(%e : tensor<2x3x2x4xf32>) dimensions = [0, 1]
  %s = linalg.broadcast ins(%sin : tensor<2x4xf32>) outs(%e : tensor<2x3x2x4xf32>) dimensions = [0, 1]
  %a = arith.mulf %x, %c : tensor<2x3x2x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %n = arith.negf %second : tensor<2x3x2x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> tensor<2x3x2x4xf32>
  %b = arith.mulf %r, %s : tensor<2x3x2x4xf32>
  %y = arith.addf %a, %b : tensor<2x3x2x4xf32>
  return %y : tensor<2x3x2x4xf32>
}
