// RUN: te-opt %s --split-input-file --te-differentiate="entries=vjp loss=none" | FileCheck %s

// The vector-Jacobian product of every op. Results are the outputs, then the
// gradients of parameters, then those of inputs.

// A weight stored [N,K].
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x16xf32> {te.input = "x"}, %[[DY:[^ ,:]*]]: tensor<8x32xf32> {te.input = "cotangent.y"}
// CHECK-SAME: %[[W:[^ ,:]*]]: tensor<32x16xf32> {te.init = "data", te.param = "w"}, %[[B:[^ ,:]*]]: tensor<32xf32> {te.param = "b"})
// CHECK-SAME: -> (tensor<8x32xf32> {te.output = "y"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<32xf32> {te.gradient = "b", te.output = "grad.b"}, tensor<8x16xf32> {te.gradient = "x", te.output = "grad.x"}) attributes {te.entry = "vjp"}
// CHECK: %[[Y:[^ ,:]*]] = te.matmul %[[X]], %[[W]] bias(%[[B]] : tensor<32xf32>) {layer = "w", transpose_b}
// CHECK: %[[DX:[^ ,:]*]] = te.matmul %[[DY]], %[[W]] {layer = "w", role = #te.role<dgrad>} : tensor<8x32xf32>, tensor<32x16xf32> -> tensor<8x16xf32>
// CHECK: %[[DW:[^ ,:]*]] = te.matmul %[[DY]], %[[X]] {layer = "w", role = #te.role<wgrad>, transpose_a} : tensor<8x32xf32>, tensor<8x16xf32> -> tensor<32x16xf32>
// CHECK: %[[DB:[^ ,:]*]] = te.column_sum %[[DY]] : tensor<8x32xf32> -> tensor<32xf32>
// CHECK: return %[[Y]], %[[DW]], %[[DB]], %[[DX]]
// CHECK-NOT: @forward
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"},
                   %w: tensor<32x16xf32> {te.param = "w", te.init = "data"}, %b: tensor<32xf32> {te.param = "b"})
    -> (tensor<8x32xf32> {te.output = "y"}) {
  %y = te.matmul %x, %w bias(%b : tensor<32xf32>) {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// A weight stored [K,N]: the input is wgrad's left operand.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<8x32xf32> {te.input = "cotangent.y"}, %[[W:[^ ,:]*]]: tensor<16x32xf32>
// CHECK: te.matmul %[[X]], %[[W]] {layer = "w"} :
// CHECK: %[[DX:[^ ,:]*]] = te.matmul %[[DY]], %[[W]] {layer = "w", role = #te.role<dgrad>, transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
// CHECK: %[[DW:[^ ,:]*]] = te.matmul %[[X]], %[[DY]] {input_first, layer = "w", role = #te.role<wgrad>, transpose_a} : tensor<8x16xf32>, tensor<8x32xf32> -> tensor<16x32xf32>
// CHECK: return %{{.*}}, %[[DW]], %[[DX]]
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<16x32xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}) {
  %y = te.matmul %x, %w : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// Left operands stored [K,M]: no transpose is materialised.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<16x8xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<8x32xf32> {{.*}}, %[[DZ:[^ ,:]*]]: tensor<8x32xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<16x32xf32> {{.*}}, %[[V:[^ ,:]*]]: tensor<32x16xf32>
// CHECK-NOT: linalg.transpose
// CHECK: %[[DX1:[^ ,:]*]] = te.matmul %[[V]], %[[DZ]] {input_first, layer = "v", role = #te.role<wgrad>, transpose_a, transpose_b} : tensor<32x16xf32>, tensor<8x32xf32> -> tensor<16x8xf32>
// CHECK: %[[DV:[^ ,:]*]] = te.matmul %[[DZ]], %[[X]] {layer = "v", role = #te.role<wgrad>, transpose_a, transpose_b} : tensor<8x32xf32>, tensor<16x8xf32> -> tensor<32x16xf32>
// CHECK: %[[DX0:[^ ,:]*]] = te.matmul %[[W]], %[[DY]] {input_first, layer = "w", role = #te.role<wgrad>, transpose_b} : tensor<16x32xf32>, tensor<8x32xf32> -> tensor<16x8xf32>
// CHECK: %[[DW:[^ ,:]*]] = te.matmul %[[X]], %[[DY]] {input_first, layer = "w", role = #te.role<wgrad>} : tensor<16x8xf32>, tensor<8x32xf32> -> tensor<16x32xf32>
// CHECK: %[[DX:[^ ,:]*]] = te.add %[[DX1]], %[[DX0]]
// CHECK: return %{{.*}}, %{{.*}}, %[[DW]], %[[DV]], %[[DX]]
func.func @forward(%x: tensor<16x8xf32> {te.input = "x"}, %w: tensor<16x32xf32> {te.param = "w"},
                   %v: tensor<32x16xf32> {te.param = "v"})
    -> (tensor<8x32xf32> {te.output = "y"}, tensor<8x32xf32> {te.output = "z"}) {
  %y = te.matmul %x, %w {transpose_a} : tensor<16x8xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  %z = te.matmul %x, %v {transpose_a, transpose_b} : tensor<16x8xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  return %y, %z : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

// Types: dgrad in the cotangent's, wgrad and the bias gradient in f32 (the bias
// is declared bf16), the input's gradient in the input's.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: -> (tensor<8x32xbf16> {te.output = "y"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<32xf32> {te.gradient = "b", te.output = "grad.b"}, tensor<8x16xf32> {te.gradient = "x", te.output = "grad.x"})
// CHECK: %[[DX:[^ ,:]*]] = te.matmul {{.*}}role = #te.role<dgrad>} : tensor<8x32xbf16>, tensor<32x16xf32> -> tensor<8x16xbf16>
// CHECK: te.matmul {{.*}}role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xf32> -> tensor<32x16xf32>
// CHECK: te.column_sum %{{.*}} : tensor<8x32xbf16> -> tensor<32xf32>
// CHECK: arith.extf %[[DX]] : tensor<8x16xbf16> to tensor<8x16xf32>
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %b: tensor<32xbf16> {te.param = "b"})
    -> (tensor<8x32xbf16> {te.output = "y"}) {
  %y = te.matmul %x, %w bias(%b : tensor<32xbf16>) {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xbf16>
  return %y : tensor<8x32xbf16>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[G:[^ ,:]*]]: tensor<16xf32> {{.*}}, %[[B:[^ ,:]*]]: tensor<16xf32>
// CHECK: %{{.*}}, %[[MEAN:[^ ,:]*]], %[[RSTD:[^ ,:]*]] = te.layer_norm %[[X]], %[[G]], %[[B]]
// CHECK: %[[DX:[^ ,:]*]], %[[DG:[^ ,:]*]], %[[DB:[^ ,:]*]] = te.layer_norm_grad %[[DY]], %[[X]], %[[G]], %[[MEAN]], %[[RSTD]] {zero_centered}
// CHECK: return %{{.*}}, %[[DG]], %[[DB]], %[[DX]]
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %g: tensor<16xf32> {te.param = "g"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<8x16xf32> {te.output = "y"}) {
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32, zero_centered}
    : tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>, tensor<8xf32>
  return %y : tensor<8x16xf32>
}

// -----

// A residual connection around a norm: the norm's gradient takes the branch in.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[G:[^ ,:]*]]: tensor<16xf32> {te.param = "g"}
// CHECK: te.add
// CHECK: %[[DX:[^ ,:]*]], %{{.*}}, %{{.*}} = te.layer_norm_grad %[[DY]], %[[X]], %[[G]], %{{.*}}, %{{.*}} residual(%[[DY]] : tensor<8x16xf32>)
// CHECK-NOT: te.add
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[DX]]
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %g: tensor<16xf32> {te.param = "g"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<8x16xf32> {te.output = "y"}) {
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>, tensor<8xf32>
  %z = te.add %x, %y : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}

// -----

// The norm comes last in the sum: its gradient is there first, so the other
// term is added to it.
// CHECK-LABEL: func.func @vjp
// CHECK: %[[DX:[^ ,:]*]], %{{.*}}, %{{.*}} = te.layer_norm_grad
// CHECK-NOT: residual
// CHECK: %[[DA:[^ ,:]*]] = te.activation_grad relu
// CHECK: te.add %[[DX]], %[[DA]]
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %g: tensor<16xf32> {te.param = "g"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<8x16xf32> {te.output = "a"}, tensor<8x16xf32> {te.output = "y"}) {
  %a = te.activation relu %x : tensor<8x16xf32> -> y tensor<8x16xf32>
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>, tensor<8xf32>
  return %a, %y : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// Two norms of one value: the second gradient takes the first one in.
// CHECK-LABEL: func.func @vjp
// CHECK: %[[D1:[^ ,:]*]], %{{.*}}, %{{.*}} = te.layer_norm_grad %[[DZ:[^ ,:]*]], {{.*}} : tensor<8x16xf32>
// CHECK: %[[D0:[^ ,:]*]], %{{.*}}, %{{.*}} = te.layer_norm_grad %{{.*}} residual(%[[D1]] : tensor<8x16xf32>)
// CHECK: return {{.*}}, %[[D0]] :
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %g: tensor<16xf32> {te.param = "g"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<8x16xf32> {te.output = "y"}, tensor<8x16xf32> {te.output = "z"}) {
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>, tensor<8xf32>
  %z, %mean1, %rstd1 = te.layer_norm %x, %b, %g {eps = 1.0e-5 : f32}
    : tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>, tensor<8xf32>
  return %y, %z : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// Causal, grouped queries, another layout.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[Q:[^ ,:]*]]: tensor<2x4x6x8xf32> {{.*}}, %[[K:[^ ,:]*]]: tensor<2x2x6x8xf32> {{.*}}, %[[V:[^ ,:]*]]: tensor<2x2x6x8xf32> {{.*}}, %[[DO:[^ ,:]*]]: tensor<2x4x6x8xf32>
// CHECK: %[[O:[^ ,:]*]], %[[LSE:[^ ,:]*]] = te.attention %[[Q]], %[[K]], %[[V]]
// CHECK: %[[DQ:[^ ,:]*]], %[[DK:[^ ,:]*]], %[[DV:[^ ,:]*]] = te.attention_grad %[[DO]], %[[Q]], %[[K]], %[[V]], %[[O]], %[[LSE]] {causal, layout = #te.attention_layout<bhsd>, scale = 5.000000e-01 : f32}
// CHECK: return %[[O]], %[[DQ]], %[[DK]], %[[DV]]
func.func @forward(%q: tensor<2x4x6x8xf32> {te.input = "q"}, %k: tensor<2x2x6x8xf32> {te.input = "k"},
                   %v: tensor<2x2x6x8xf32> {te.input = "v"}) -> (tensor<2x4x6x8xf32> {te.output = "o"}) {
  %o, %lse = te.attention %q, %k, %v {causal, scale = 0.5 : f32, layout = #te.attention_layout<bhsd>}
    : tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32> -> tensor<2x4x6x8xf32>, tensor<2x4x6xf32>
  return %o : tensor<2x4x6x8xf32>
}

// -----

// One value as query, key and value: its gradient is a sum around rank 2.
// CHECK-LABEL: func.func @vjp
// CHECK: %[[DQ:[^ ,:]*]], %[[DK:[^ ,:]*]], %[[DV:[^ ,:]*]] = te.attention_grad
// CHECK-DAG: %[[Q2:[^ ,:]*]] = tensor.collapse_shape %[[DQ]] {{\[\[}}0, 1, 2], [3]] : tensor<2x6x4x8xf32> into tensor<48x8xf32>
// CHECK-DAG: %[[K2:[^ ,:]*]] = tensor.collapse_shape %[[DK]]
// CHECK: %[[S:[^ ,:]*]] = te.add %[[Q2]], %[[K2]]
// CHECK: %[[V2:[^ ,:]*]] = tensor.collapse_shape %[[DV]]
// CHECK: %[[T:[^ ,:]*]] = te.add %[[S]], %[[V2]]
// CHECK: %[[DX:[^ ,:]*]] = tensor.expand_shape %[[T]] {{\[\[}}0, 1, 2], [3]] output_shape [2, 6, 4, 8]
// CHECK: return %{{.*}}, %[[DX]]
func.func @forward(%x: tensor<2x6x4x8xf32> {te.input = "x"}) -> (tensor<2x6x4x8xf32> {te.output = "o"}) {
  %o, %lse = te.attention %x, %x, %x {scale = 0.5 : f32}
    : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32> -> tensor<2x6x4x8xf32>, tensor<2x4x6xf32>
  return %o : tensor<2x6x4x8xf32>
}

// -----

// A bias that is a constant gets no gradient; sinks do.
// CHECK-LABEL: func.func @vjp
// CHECK: %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}}, %[[DS:[^ ,:]*]] = te.attention_grad {{.*}} bias({{.*}}) sinks({{.*}}) {scale = 5.000000e-01 : f32, softcap = 2.000000e+00 : f32, window = 2 : i64} : {{.*}} -> tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32> dsinks tensor<2xf32>
// CHECK: return %{{.*}}, %{{.*}}, %[[DS]]
func.func @forward(%x: tensor<1x3x2x4xf32> {te.input = "x"}, %s: tensor<2xf32> {te.input = "sinks"}) -> (tensor<1x3x2x4xf32> {te.output = "o"}) {
  %b = arith.constant dense<[[[[0.0, 1.0, 2.0]]]]> : tensor<1x1x1x3xf32>
  %o, %lse = te.attention %x, %x, %x bias(%b : tensor<1x1x1x3xf32>) sinks(%s : tensor<2xf32>) {scale = 0.5 : f32, softcap = 2.0 : f32, window = 2 : i64}
    : tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32> -> tensor<1x3x2x4xf32>, tensor<1x2x3xf32>
  return %o : tensor<1x3x2x4xf32>
}

// -----

// Integer inputs get no gradient.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[IDS:[^ ,:]*]]: tensor<8xi32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[T:[^ ,:]*]]: tensor<24x16xf32>
// CHECK-SAME: -> (tensor<8x16xf32> {te.output = "y"}, tensor<24x16xf32> {te.gradient = "table", te.output = "grad.table"})
// CHECK: te.embedding_grad %[[IDS]], %[[DY]] : tensor<8xi32>, tensor<8x16xf32> -> tensor<24x16xf32>
func.func @forward(%ids: tensor<8xi32> {te.input = "ids"}, %table: tensor<24x16xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "y"}) {
  %y = te.embedding %ids, %table : tensor<8xi32>, tensor<24x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x24xf32> {{.*}}, %[[L:[^ ,:]*]]: tensor<8xi64> {{.*}}, %[[D:[^ ,:]*]]: tensor<f32>
// CHECK: %{{.*}}, %[[LSE:[^ ,:]*]], %[[COUNT:[^ ,:]*]] = te.cross_entropy %[[X]], %[[L]]
// CHECK: te.cross_entropy_grad %[[D]], %[[X]], %[[L]], %[[LSE]], %[[COUNT]] {ignore_index = 3 : i64, reduction = #te.reduction<sum>}
func.func @forward(%x: tensor<8x24xf32> {te.input = "x"}, %l: tensor<8xi64> {te.input = "l"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss, %lse, %count = te.cross_entropy %x, %l {ignore_index = 3 : i64, reduction = #te.reduction<sum>}
    : tensor<8x24xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x24xf32> {{.*}}, %[[L:[^ ,:]*]]: tensor<8xi64> {{.*}}, %[[D:[^ ,:]*]]: tensor<f32>
// CHECK: te.cross_entropy_grad %[[D]], %[[X]], %[[L]], %{{.*}}, %{{.*}} {label_smoothing = 2.500000e-01 : f32, z_loss = 5.000000e-01 : f32}
func.func @forward(%x: tensor<8x24xf32> {te.input = "x"}, %l: tensor<8xi64> {te.input = "l"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss, %lse, %count = te.cross_entropy %x, %l {label_smoothing = 0.25 : f32, z_loss = 0.5 : f32}
    : tensor<8x24xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x3xf32> {{.*}}, %[[T:[^ ,:]*]]: tensor<8x3xf32> {{.*}}, %[[D:[^ ,:]*]]: tensor<f32>
// CHECK-DAG: te.squared_error_grad %[[D]], %[[X]], %[[T]] {reduction = #te.reduction<sum>}
// CHECK-DAG: te.squared_error_grad %[[D]], %[[T]], %[[X]] {reduction = #te.reduction<sum>}
func.func @forward(%x: tensor<8x3xf32> {te.input = "x"}, %t: tensor<8x3xf32> {te.input = "t"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss = te.squared_error %x, %t {reduction = #te.reduction<sum>} : tensor<8x3xf32>, tensor<8x3xf32>
  return %loss : tensor<f32>
}

// -----

// A right operand that repeats gets the sum of the blocks it was added to.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%{{.*}}: tensor<12x5xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<12x5xf32> {{.*}}, %{{.*}}: tensor<3x5xf32>
// CHECK: %[[E:[^ ,:]*]] = tensor.expand_shape %[[DY]] {{\[\[}}0, 1], [2]] output_shape [4, 3, 5]
// CHECK: %[[C:[^ ,:]*]] = tensor.collapse_shape %[[E]] {{\[\[}}0], [1, 2]] : tensor<4x3x5xf32> into tensor<4x15xf32>
// CHECK: %[[S:[^ ,:]*]] = te.column_sum %[[C]] : tensor<4x15xf32> -> tensor<15xf32>
// CHECK: %[[DB:[^ ,:]*]] = tensor.expand_shape %[[S]] {{\[\[}}0, 1]] output_shape [3, 5]
// CHECK: return %{{.*}}, %[[DB]], %[[DY]]
func.func @forward(%a: tensor<12x5xf32> {te.input = "a"}, %b: tensor<3x5xf32> {te.param = "b"}) -> (tensor<12x5xf32> {te.output = "y"}) {
  %y = te.add %a, %b : tensor<12x5xf32>, tensor<3x5xf32> -> tensor<12x5xf32>
  return %y : tensor<12x5xf32>
}

// -----

// A piece that nothing uses counts as zeros.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%{{.*}}: tensor<4x12xf32> {{.*}}, %[[D0:[^ ,:]*]]: tensor<4x5xf32> {{.*}}, %[[D2:[^ ,:]*]]: tensor<4x4xf32>
// CHECK: %[[Z:[^ ,:]*]] = arith.constant dense<0.000000e+00> : tensor<4x3xf32>
// CHECK: %[[DX:[^ ,:]*]] = tensor.concat dim(1) %[[D0]], %[[Z]], %[[D2]] : (tensor<4x5xf32>, tensor<4x3xf32>, tensor<4x4xf32>) -> tensor<4x12xf32>
// CHECK: return %{{.*}}, %{{.*}}, %[[DX]]
func.func @forward(%x: tensor<4x12xf32> {te.input = "x"}) -> (tensor<4x5xf32> {te.output = "a"}, tensor<4x4xf32> {te.output = "c"}) {
  %a, %b, %c = te.split %x axis 1 : tensor<4x12xf32> -> tensor<4x5xf32>, tensor<4x3xf32>, tensor<4x4xf32>
  return %a, %c : tensor<4x5xf32>, tensor<4x4xf32>
}

// -----

// Upstream ops. Reshapes: each other's gradient.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: %[[DY:[^ ,:]*]]: tensor<4x3x2xf32> {te.input = "cotangent.y"}
// CHECK: %[[C:[^ ,:]*]] = tensor.collapse_shape %[[DY]] {{\[\[}}0], [1, 2]] : tensor<4x3x2xf32> into tensor<4x6xf32>
// CHECK: tensor.expand_shape %[[C]] {{\[\[}}0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>
func.func @forward(%x: tensor<2x2x6xf32> {te.input = "x"}) -> (tensor<4x3x2xf32> {te.output = "y"}) {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x2x6xf32> into tensor<4x6xf32>
  %y = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 3, 2] : tensor<4x6xf32> into tensor<4x3x2xf32>
  return %y : tensor<4x3x2xf32>
}

// -----

// Between zeros: in the middle of the rows, and at the end of the columns.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: %[[DY:[^ ,:]*]]: tensor<2x6xf32> {te.input = "cotangent.y"}, %[[DZ:[^ ,:]*]]: tensor<4x2xf32> {te.input = "cotangent.z"}
// CHECK:     %[[COLS:[^ ,:]*]] = arith.constant dense<0.000000e+00> : tensor<4x4xf32>
// CHECK:     tensor.concat dim(1) %[[COLS]], %[[DZ]] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>
// CHECK:     %[[ABOVE:[^ ,:]*]] = arith.constant dense<0.000000e+00> : tensor<1x6xf32>
// CHECK:     %[[BELOW:[^ ,:]*]] = arith.constant dense<0.000000e+00> : tensor<1x6xf32>
// CHECK:     tensor.concat dim(0) %[[ABOVE]], %[[DY]], %[[BELOW]] : (tensor<1x6xf32>, tensor<2x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}) -> (tensor<2x6xf32> {te.output = "y"}, tensor<4x2xf32> {te.output = "z"}) {
  %y = tensor.extract_slice %x[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  %z = tensor.extract_slice %x[0, 4] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  return %y, %z : tensor<2x6xf32>, tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK-SAME: %[[DY:[^ ,:]*]]: tensor<3xf32> {te.input = "cotangent.y"}
// CHECK: %[[Z:[^ ,:]*]] = arith.constant dense<0.000000e+00> : tensor<4x6xf32>
// CHECK: tensor.insert_slice %[[DY]] into %[[Z]][1, 0] [1, 3] [1, 2] : tensor<3xf32> into tensor<4x6xf32>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}) -> (tensor<3xf32> {te.output = "y"}) {
  %y = tensor.extract_slice %x[1, 0] [1, 3] [1, 2] : tensor<4x6xf32> to tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// A concat of a parameter, a constant and a parameter.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[DY:[^ ,:]*]]: tensor<6x2xf32>
// CHECK: %[[P:[^ ,:]*]]:3 = te.split %[[DY]] axis 0 : tensor<6x2xf32> -> tensor<1x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>
// CHECK: return %{{.*}}, %[[P]]#0, %[[P]]#2
func.func @forward(%a: tensor<1x2xf32> {te.param = "a"}, %c: tensor<3x2xf32> {te.param = "c"}) -> (tensor<6x2xf32> {te.output = "y"}) {
  %b = arith.constant dense<1.0> : tensor<2x2xf32>
  %y = tensor.concat dim(0) %a, %b, %c : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK-SAME: %[[DY:[^ ,:]*]]: tensor<4x2x3xf32> {te.input = "cotangent.y"}
// CHECK: %[[E:[^ ,:]*]] = tensor.empty() : tensor<2x3x4xf32>
// CHECK: linalg.transpose ins(%[[DY]] : tensor<4x2x3xf32>) outs(%[[E]] : tensor<2x3x4xf32>) permutation = [1, 2, 0]
func.func @forward(%x: tensor<2x3x4xf32> {te.input = "x"}) -> (tensor<4x2x3xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<4x2x3xf32>
  %y = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  return %y : tensor<4x2x3xf32>
}

// -----

// Conversions of the element type pass the cotangent on; only the input's own
// gradient is converted.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: %[[DY:[^ ,:]*]]: tensor<4x8xf32> {te.input = "cotangent.y"}
// CHECK: %[[DX:[^ ,:]*]] = te.activation_grad silu %[[DY]]
// CHECK: %[[G:[^ ,:]*]] = arith.extf %[[DX]]
// CHECK: return %{{.*}}, %[[G]]
func.func @forward(%x: tensor<4x8xf32> {te.input = "x"}) -> (tensor<4x8xf32> {te.output = "y"}) {
  %0 = arith.truncf %x : tensor<4x8xf32> to tensor<4x8xbf16>
  %1 = te.activation silu %0 : tensor<4x8xbf16> -> y tensor<4x8xbf16>
  %y = arith.extf %1 : tensor<4x8xbf16> to tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Sums of vectors and scalars go through matrices of one row.
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[DY:[^ ,:]*]]: tensor<4x6xf32> {{.*}}, %[[DZ:[^ ,:]*]]: tensor<4x6xf32>
// CHECK: %[[S1:[^ ,:]*]] = te.column_sum %[[DZ]]
// CHECK: %[[S0:[^ ,:]*]] = te.column_sum %[[DY]]
// CHECK-DAG: %[[M1:[^ ,:]*]] = tensor.expand_shape %[[S1]] {{\[\[}}0, 1]] output_shape [1, 6]
// CHECK-DAG: %[[M0:[^ ,:]*]] = tensor.expand_shape %[[S0]] {{\[\[}}0, 1]] output_shape [1, 6]
// CHECK: %[[S:[^ ,:]*]] = te.add %[[M1]], %[[M0]] : tensor<1x6xf32>, tensor<1x6xf32> -> tensor<1x6xf32>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0, 1]] : tensor<1x6xf32> into tensor<6xf32>
func.func @forward(%b: tensor<6xf32> {te.param = "b"}) -> (tensor<4x6xf32> {te.output = "y"}, tensor<4x6xf32> {te.output = "z"}) {
  %c = arith.constant dense<1.0> : tensor<4x2xf32>
  %d = arith.constant dense<1.0> : tensor<2x6xf32>
  // The constants of both products get no gradients.
  // CHECK-NOT: role = #te.role<dgrad>
  // CHECK-NOT: role = #te.role<wgrad>
  %y = te.matmul %c, %d bias(%b : tensor<6xf32>) : tensor<4x2xf32>, tensor<2x6xf32> -> tensor<4x6xf32>
  %z = te.matmul %c, %d bias(%b : tensor<6xf32>) : tensor<4x2xf32>, tensor<2x6xf32> -> tensor<4x6xf32>
  return %y, %z : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<8x16xf32> {{.*}}, %[[G:[^ ,:]*]]: tensor<16xf32> {te.param = "g"}
// CHECK: %{{.*}}, %[[RSTD:[^ ,:]*]] = te.rms_norm %[[X]], %[[G]]
// CHECK: %[[DX:[^ ,:]*]], %[[DG:[^ ,:]*]] = te.rms_norm_grad %[[DY]], %[[X]], %[[G]], %[[RSTD]] residual(%[[DY]] : tensor<8x16xf32>) {zero_centered}
// CHECK: return %{{.*}}, %[[DG]], %[[DX]]
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %g: tensor<16xf32> {te.param = "g"}) -> (tensor<8x16xf32> {te.output = "y"}) {
  %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32, zero_centered}
    : tensor<8x16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>
  %z = te.add %x, %y : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK: %[[DX:[^ ,:]*]] = te.gated_activation_grad silu %[[DY:[^ ,:]*]], %[[X:[^ ,:]*]] {up_first} : tensor<8x8xf32>, tensor<8x16xf32> -> dx tensor<8x16xf32>
// CHECK: return %{{.*}}, %[[DX]]
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}) -> (tensor<8x8xf32> {te.output = "y"}) {
  %y = te.gated_activation silu %x {up_first} : tensor<8x16xf32> -> y tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK: %[[DGATE:[^ ,:]*]], %[[DUP:[^ ,:]*]] = te.gated_activation_grad gelu_erf %{{.*}}, %{{.*}} up(%{{.*}} : tensor<8x16xf32>)
// CHECK: return %{{.*}}, %[[DGATE]], %[[DUP]]
func.func @forward(%gate: tensor<8x16xf32> {te.input = "gate"}, %up: tensor<8x16xf32> {te.input = "up"}) -> (tensor<8x16xf32> {te.output = "y"}) {
  %y = te.gated_activation gelu_erf %gate up(%up : tensor<8x16xf32>) : tensor<8x16xf32> -> y tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK: %[[DX:[^ ,:]*]] = te.rope %{{.*}}, %{{.*}}, %{{.*}} {interleaved, inverse}
// CHECK: return %{{.*}}, %[[DX]]
func.func @forward(%x: tensor<1x2x3x6xf32> {te.input = "x"}) -> (tensor<1x2x3x6xf32> {te.output = "y"}) {
  %cos = arith.constant dense<[[0.5, 0.25], [1.0, -1.0]]> : tensor<2x2xf32>
  %sin = arith.constant dense<[[2.0, 3.0], [0.0, 0.75]]> : tensor<2x2xf32>
  %y = te.rope %x, %cos, %sin {interleaved} : tensor<1x2x3x6xf32>, tensor<2x2xf32>, tensor<2x2xf32> -> tensor<1x2x3x6xf32>
  return %y : tensor<1x2x3x6xf32>
}

// -----

// CHECK-LABEL: func.func @vjp
// CHECK: %{{.*}}, %[[STATES:[^ ,:]*]], %{{.*}} = te.scan
// CHECK: te.scan_grad %{{.*}}, %{{.*}}, %{{.*}}, %[[STATES]] rates(%{{.*}}) keys(%{{.*}}) queries(%{{.*}}) dfinal(%{{.*}}) {chunk = 2 : i64}
func.func @forward(%d: tensor<2x5x4xf32> {te.input = "d"}, %x: tensor<2x5x4xf32> {te.input = "x"}, %r: tensor<4x3xf32> {te.param = "r"},
                   %k: tensor<2x5x6xf32> {te.input = "k"}, %q: tensor<2x5x6xf32> {te.input = "q"}, %i: tensor<2x4x3xf32> {te.input = "i"})
    -> (tensor<2x5x4xf32> {te.output = "y"}, tensor<2x4x3xf32> {te.output = "final"}) {
  %y, %s, %f = te.scan %d, %x rates(%r : tensor<4x3xf32>) keys(%k : tensor<2x5x6xf32>) queries(%q : tensor<2x5x6xf32>) initial(%i : tensor<2x4x3xf32>) {chunk = 2 : i64}
    : tensor<2x5x4xf32>, tensor<2x5x4xf32> -> tensor<2x5x4xf32>, tensor<2x3x4x3xf32>, tensor<2x4x3xf32>
  return %y, %f : tensor<2x5x4xf32>, tensor<2x4x3xf32>
}

// -----

// The bias needs no gradient.
// CHECK-LABEL: func.func @vjp
// CHECK: te.causal_conv_grad %{{.*}}, %{{.*}}, %{{.*}} bias(%{{.*}}) {silu} : tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<3x4xf32> -> tensor<2x5x4xf32>, tensor<3x4xf32>
// CHECK-NOT: dbias
func.func @forward(%x: tensor<2x5x4xf32> {te.input = "x"}, %w: tensor<3x4xf32> {te.param = "w"}) -> (tensor<2x5x4xf32> {te.output = "y"}) {
  %b = arith.constant dense<[0.5, -1.0, 2.0, 0.25]> : tensor<4xf32>
  %y = te.causal_conv %x, %w bias(%b : tensor<4xf32>) {silu} : tensor<2x5x4xf32>, tensor<3x4xf32> -> tensor<2x5x4xf32>
  return %y : tensor<2x5x4xf32>
}
