// RUN: te-opt %s --te-shard-states --te-validate-spmd --split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-states=zero=0 --te-validate-spmd --split-input-file | FileCheck %s --check-prefix=NONE

// A gradient becomes the rank's part of the sum, the update is the part's, and
// what reads the parameter gets a copy, cast before it is gathered. A vector and a
// parameter that nobody updates stay whole, and the norm knows which is which.
// With zero=0 there are no parts, but the norm is made as if there were.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[W:[^:]*]]: tensor<32x32xf32> {te.param = "w", te.shard = #te.shard<shape = [64, 32], flat_axes = 1>}
// CHECK-SAME: %[[B:[^:]*]]: tensor<64xf32> {te.param = "b"}
// CHECK-SAME: %[[F:[^:]*]]: tensor<64x32xf32> {te.param = "frozen"}
// CHECK-SAME: %[[M:[^:]*]]: tensor<32x32xf32> {te.kind = "optimizer", te.shard = #te.shard<shape = [64, 32], flat_axes = 1>, te.state = "m"}
// CHECK-SAME: -> (tensor<8x64xbf16> {te.output = "y"}, tensor<f32> {te.output = "norm"}, tensor<32x32xf32> {te.param = "w", te.shard = #te.shard<shape = [64, 32], flat_axes = 1>}
// CHECK: %[[PART:.*]] = arith.truncf %[[W]] : tensor<32x32xf32> to tensor<32x32xbf16>
// CHECK: %[[COPY:.*]] = shard.all_gather %[[PART]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<32x32xbf16> -> tensor<64x32xbf16>
// CHECK: te.matmul %{{.*}}, %[[COPY]] bias(
// CHECK: %[[DW:.*]] = shard.reduce_scatter %{{.*}} on @mesh grid_axes = [0] scatter_axis = 0 : tensor<64x32xf32> -> tensor<32x32xf32>
// CHECK-NOT: shard.all_reduce %{{.*}} : tensor<64x32xf32>
// CHECK: %[[DB:.*]] = shard.all_reduce %{{.*}} : tensor<64xf32> -> tensor<64xf32>
// CHECK: %[[NORM:.*]] = te.reduce_norm %[[DW]], %[[DB]] is_part = [1, 0] on @mesh axes = [0] : tensor<32x32xf32>, tensor<64xf32>
// CHECK: te.update #te.sgd{{.*}} %[[B]] gradient(%[[DB]])
// CHECK: %[[W1:.*]], %[[M1:.*]] = te.update #te.sgd %[[W]] states(%[[M]]) gradient(%[[DW]]) {{.*}} {decay}
// CHECK: return %{{.*}}, %[[NORM]], %[[W1]], %{{.*}}, %[[M1]]
// NONE-LABEL: func.func @train(
// NONE-SAME: %{{[^:]*}}: tensor<64x32xf32> {te.param = "w"}
// NONE: te.reduce_norm %{{.*}}, %{{.*}} is_part = [0, 0] on @mesh axes = [0] : tensor<64x32xf32>, tensor<64xf32>
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<8x32xbf16> {te.input = "x"}, %dy: tensor<8x64xbf16> {te.input = "dy"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %w: tensor<64x32xf32> {te.param = "w"}, %b: tensor<64xf32> {te.param = "b"},
                 %frozen: tensor<64x32xf32> {te.param = "frozen"},
                 %m: tensor<64x32xf32> {te.state = "m", te.kind = "optimizer"})
    -> (tensor<8x64xbf16> {te.output = "y"}, tensor<f32> {te.output = "norm"},
        tensor<64x32xf32> {te.param = "w"}, tensor<64xf32> {te.param = "b"},
        tensor<64x32xf32> {te.state = "m", te.kind = "optimizer"}) attributes {te.entry = "train"} {
  %wb = arith.truncf %w : tensor<64x32xf32> to tensor<64x32xbf16>
  %y0 = te.matmul %x, %wb bias(%b : tensor<64xf32>) {transpose_b} : tensor<8x32xbf16>, tensor<64x32xbf16> -> tensor<8x64xbf16>
  %fb = arith.truncf %frozen : tensor<64x32xf32> to tensor<64x32xbf16>
  %y1 = te.matmul %x, %fb {transpose_b} : tensor<8x32xbf16>, tensor<64x32xbf16> -> tensor<8x64xbf16>
  %y = te.add %y0, %y1 : tensor<8x64xbf16>, tensor<8x64xbf16> -> tensor<8x64xbf16>
  %g = te.matmul %dy, %x {transpose_a} : tensor<8x64xbf16>, tensor<8x32xbf16> -> tensor<64x32xf32>
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<64x32xf32> -> tensor<64x32xf32>
  %gb = te.column_sum %dy : tensor<8x64xbf16> -> tensor<64xf32>
  %db = shard.all_reduce %gb on @mesh grid_axes = [0] : tensor<64xf32> -> tensor<64xf32>
  %norm = te.global_norm %dw, %db : tensor<64x32xf32>, tensor<64xf32>
  %w1, %m1 = te.update #te.sgd %w states(%m) gradient(%dw) coefficient(%s) scalars(%s, %s, %s, %s) step(%step) {decay} : tensor<64x32xf32>, tensor<64x32xf32>
  %b1 = te.update #te.sgd<momentum = 0.0> %b gradient(%db) coefficient(%s) scalars(%s, %s) step(%step) : tensor<64xf32>, tensor<64xf32>
  return %y, %norm, %w1, %b1, %m1 : tensor<8x64xbf16>, tensor<f32>, tensor<64x32xf32>, tensor<64xf32>, tensor<64x32xf32>
}

// Another entry reads the same states: it gathers what it needs, an embedding in
// the type of its result, others in float32.
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: %[[W:[^:]*]]: tensor<32x32xf32> {te.param = "w", te.shard = #te.shard<shape = [64, 32], flat_axes = 1>}
// CHECK: %[[PART:.*]] = arith.truncf %[[W]]
// CHECK: %[[TABLE:.*]] = shard.all_gather %[[PART]] {{.*}} -> tensor<64x32xbf16>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[W]] {{.*}} -> tensor<64x32xf32>
// CHECK: te.embedding %{{.*}}, %[[TABLE]] : tensor<17xi64>, tensor<64x32xbf16> -> tensor<17x32xbf16>
// CHECK: te.matmul %{{.*}}, %[[ALL]] {transpose_b}
func.func @eval(%ids: tensor<17xi64> {te.input = "ids"}, %w: tensor<64x32xf32> {te.param = "w"})
    -> (tensor<17x64xf32> {te.output = "y"}) attributes {te.entry = "eval"} {
  %x = te.embedding %ids, %w : tensor<17xi64>, tensor<64x32xf32> -> tensor<17x32xbf16>
  %y = te.matmul %x, %w {transpose_b} : tensor<17x32xbf16>, tensor<64x32xf32> -> tensor<17x64xf32>
  return %y : tensor<17x64xf32>
}

// -----

// FP8 copies: the part's are gathered, and transposed here. Its amax is that of
// the whole after one collective, which does not wait for the gather.
// CHECK-LABEL: func.func @train(
// CHECK: %[[DW:.*]] = shard.reduce_scatter
// CHECK: %[[W1:.*]], %{{.*}}:2, %[[Q:.*]], %[[A:.*]] = te.update #te.adamw %{{.*}} states(%{{.*}}, %{{.*}}) gradient(%[[DW]]) {{.*}} quantize(%{{.*}}) : tensor<32x32xf32>, tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN> amax tensor<f32>
// CHECK: %[[ROWS:.*]] = shard.all_gather %[[Q]] {{.*}} : tensor<32x32xf8E4M3FN> -> tensor<64x32xf8E4M3FN>
// CHECK: %[[MAX:.*]] = te.reduce_scalars maxima(%[[A]]) on @mesh axes = [0] -> max tensor<1xf32>
// CHECK: %[[AMAX:.*]] = tensor.extract_slice %[[MAX]][0] [1] [1]
// CHECK: %[[COLUMNS:.*]] = linalg.transpose ins(%[[ROWS]] : tensor<64x32xf8E4M3FN>) outs(%{{.*}} : tensor<32x64xf8E4M3FN>) permutation = [1, 0]
// CHECK: return %[[W1]], {{.*}}, %[[ROWS]], %[[COLUMNS]], %[[AMAX]]
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<64x32xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %w: tensor<64x32xf32> {te.param = "w"},
                 %m: tensor<64x32xf32> {te.state = "m", te.kind = "optimizer"},
                 %v: tensor<64x32xf32> {te.state = "v", te.kind = "optimizer"},
                 %qr: tensor<64x32xf8E4M3FN> {te.state = "qr", te.kind = "fp8_weight"},
                 %qc: tensor<32x64xf8E4M3FN> {te.state = "qc", te.kind = "fp8_weight"},
                 %qa: tensor<f32> {te.state = "qa", te.kind = "fp8_weight_amax"})
    -> (tensor<64x32xf32> {te.param = "w"},
        tensor<64x32xf32> {te.state = "m", te.kind = "optimizer"}, tensor<64x32xf32> {te.state = "v", te.kind = "optimizer"},
        tensor<64x32xf8E4M3FN> {te.state = "qr", te.kind = "fp8_weight"},
        tensor<32x64xf8E4M3FN> {te.state = "qc", te.kind = "fp8_weight"},
        tensor<f32> {te.state = "qa", te.kind = "fp8_weight_amax"}) attributes {te.entry = "train"} {
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<64x32xf32> -> tensor<64x32xf32>
  %w1, %m1, %v1, %r, %c, %a = te.update #te.adamw %w states(%m, %v) gradient(%dw) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%step) quantize(%s)
    : tensor<64x32xf32>, tensor<64x32xf32> -> rowwise tensor<64x32xf8E4M3FN> columnwise tensor<32x64xf8E4M3FN> amax tensor<f32>
  return %w1, %m1, %v1, %r, %c, %a : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<f32>
}

// The first copies: the largest of all ranks' parts gives the scale.
// CHECK-LABEL: func.func @init(
// CHECK-SAME: %[[W:[^:]*]]: tensor<32x32xf32> {{{.*}}te.shard
// CHECK: %[[A:.*]] = te.amax %[[W]] : tensor<32x32xf32>
// CHECK: %[[MAX:.*]] = te.reduce_scalars maxima(%[[A]])
// CHECK: %[[AMAX:.*]] = tensor.extract_slice %[[MAX]][0]
// CHECK: %[[S:.*]], %{{.*}} = te.compute_scale %[[AMAX]]
// CHECK: %[[Q:.*]] = te.quantize %[[W]], %[[S]] : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
// CHECK: %[[ROWS:.*]] = shard.all_gather %[[Q]]
// CHECK: %[[COLUMNS:.*]] = linalg.transpose ins(%[[ROWS]]
// CHECK: return %[[ROWS]], %[[COLUMNS]], %[[AMAX]]
func.func @init(%w: tensor<64x32xf32> {te.param = "w"},
                 %qr: tensor<64x32xf8E4M3FN> {te.state = "qr", te.kind = "fp8_weight"},
                 %qc: tensor<32x64xf8E4M3FN> {te.state = "qc", te.kind = "fp8_weight"},
                 %qa: tensor<f32> {te.state = "qa", te.kind = "fp8_weight_amax"})
    -> (tensor<64x32xf8E4M3FN> {te.state = "qr", te.kind = "fp8_weight"},
        tensor<32x64xf8E4M3FN> {te.state = "qc", te.kind = "fp8_weight"},
        tensor<f32> {te.state = "qa", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %a = te.amax %w : tensor<64x32xf32>
  %s, %si = te.compute_scale %a {format = f8E4M3FN}
  %r, %c = te.quantize %w, %s : tensor<64x32xf32> -> rowwise tensor<64x32xf8E4M3FN> columnwise tensor<32x64xf8E4M3FN>
  return %r, %c, %a : tensor<64x32xf8E4M3FN>, tensor<32x64xf8E4M3FN>, tensor<f32>
}

// -----

// Three ranks do not divide the rows, nor all elements: a vector with zeros beyond
// the end, which the gathered copy is without. The gradient was reshaped.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[W:[^:]*]]: tensor<683xf32> {te.param = "w", te.shard = #te.shard<shape = [64, 32], flat_axes = 1>}
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<1xf32>
// CHECK-DAG: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2]] : tensor<2x32x32xf32> into tensor<2048xf32>
// CHECK-DAG: %[[EMPTY:.*]] = tensor.empty() : tensor<2049xf32>
// CHECK-DAG: %[[BEGIN:.*]] = tensor.insert_slice %[[FLAT]] into %[[EMPTY]][0] [2048] [1]
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %[[ZERO]] into %[[BEGIN]][2048] [1] [1]
// CHECK: %[[PART:.*]] = shard.reduce_scatter %[[PADDED]] on @mesh grid_axes = [0] scatter_axis = 0 : tensor<2049xf32> -> tensor<683xf32>
// CHECK: te.update #te.sgd{{.*}} %[[W]] gradient(%[[PART]])
// CHECK-LABEL: func.func @forward(
// CHECK: %[[ALL:.*]] = shard.all_gather %{{.*}} : tensor<683xf32> -> tensor<2049xf32>
// CHECK: %[[CUT:.*]] = tensor.extract_slice %[[ALL]][0] [2048] [1]
// CHECK: %[[MATRIX:.*]] = tensor.expand_shape %[[CUT]]
// CHECK: return %[[MATRIX]] : tensor<64x32xf32>
shard.grid @mesh(shape = 3) {te.axes = ["dp"]}
func.func @train(%g: tensor<2x32x32xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %w: tensor<64x32xf32> {te.param = "w"})
    -> (tensor<64x32xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %sum = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<2x32x32xf32> -> tensor<2x32x32xf32>
  %dw = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<2x32x32xf32> into tensor<64x32xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%dw) coefficient(%s) scalars(%s, %s) step(%step) : tensor<64x32xf32>, tensor<64x32xf32>
  return %w1 : tensor<64x32xf32>
}
func.func @forward(%w: tensor<64x32xf32> {te.param = "w"}) -> (tensor<64x32xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  return %w : tensor<64x32xf32>
}

// -----

// A gradient of nothing is nothing on each rank. One rank has all there is.
// CHECK-LABEL: func.func @train(
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
// CHECK: te.update #te.sgd{{.*}} %{{.*}} gradient(%[[ZERO]])
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"}, %w: tensor<64x32xf32> {te.param = "w"})
    -> (tensor<64x32xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %dw = arith.constant dense<0.0> : tensor<64x32xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%dw) coefficient(%s) scalars(%s, %s) step(%step) : tensor<64x32xf32>, tensor<64x32xf32>
  return %w1 : tensor<64x32xf32>
}

// -----

// CHECK-LABEL: func.func @train(
// CHECK-SAME: %{{[^:]*}}: tensor<64x32xf32> {te.param = "w"}
shard.grid @mesh(shape = 1) {te.axes = ["dp"]}
func.func @train(%g: tensor<64x32xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"}, %w: tensor<64x32xf32> {te.param = "w"})
    -> (tensor<64x32xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<64x32xf32> -> tensor<64x32xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%dw) coefficient(%s) scalars(%s, %s) step(%step) : tensor<64x32xf32>, tensor<64x32xf32>
  return %w1 : tensor<64x32xf32>
}

// -----

// A weight that is two parameters, one below the other: the rank's rows of both
// are quantized together, and the bytes of each gathered. Its amax joins the
// exchange that comes before the amax is read.
// CHECK-LABEL: func.func @train(
// CHECK: %[[OWN:.*]] = tensor.concat dim(0) %[[Q:.*]], %[[K:.*]] : (tensor<32x32xf32>, tensor<16x32xf32>) -> tensor<48x32xf32>
// CHECK: %[[COPY:.*]], %[[AMAX:.*]] = te.quantize %[[OWN]], %{{.*}} : tensor<48x32xf32> -> rowwise tensor<48x32xf8E4M3FN> amax tensor<f32>
// CHECK-DAG: %[[QPART:.*]] = tensor.extract_slice %[[COPY]][0, 0] [32, 32] [1, 1]
// CHECK-DAG: %[[KPART:.*]] = tensor.extract_slice %[[COPY]][32, 0] [16, 32] [1, 1]
// CHECK-DAG: %[[QALL:.*]] = shard.all_gather %[[QPART]] {{.*}} -> tensor<64x32xf8E4M3FN>
// CHECK-DAG: %[[KALL:.*]] = shard.all_gather %[[KPART]] {{.*}} -> tensor<32x32xf8E4M3FN>
// CHECK: %[[ROWS:.*]] = tensor.concat dim(0) %[[QALL]], %[[KALL]]
// CHECK: %[[MAX:.*]], %{{.*}} = te.reduce_scalars maxima(%{{.*}}, %[[AMAX]]) sums(%{{.*}}) on @mesh axes = [0] -> max tensor<2xf32> sum tensor<1xf32>
// CHECK: %[[OFALL:.*]] = tensor.extract_slice %[[MAX]][1] [1] [1]
// CHECK: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(%[[OFALL]])
// CHECK: %[[COLUMNS:.*]] = linalg.transpose ins(%[[ROWS]]
// CHECK: return %[[ROWS]], %[[COLUMNS]]
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<64x32xf32> {te.input = "g"}, %h: tensor<32x32xf32> {te.input = "h"}, %a: tensor<f32> {te.input = "a"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %q: tensor<64x32xf32> {te.param = "q"}, %k: tensor<32x32xf32> {te.param = "k"})
    -> (tensor<96x32xf8E4M3FN> {te.output = "rows"}, tensor<32x96xf8E4M3FN> {te.output = "columns"}, tensor<f32> {te.output = "a"},
        tensor<f32> {te.output = "c"}, tensor<64x32xf32> {te.param = "q"}, tensor<32x32xf32> {te.param = "k"}) attributes {te.entry = "train"} {
  %w = tensor.concat dim(0) %q, %k : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<96x32xf32>
  %r, %c, %amax = te.quantize %w, %s : tensor<96x32xf32> -> rowwise tensor<96x32xf8E4M3FN> columnwise tensor<32x96xf8E4M3FN> amax tensor<f32>
  %max, %sum = te.reduce_scalars maxima(%a) sums(%a) on @mesh axes = [0] -> max tensor<1xf32> sum tensor<1xf32>
  %largest = tensor.extract_slice %max[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %coefficient = te.clip_coefficient %s, %s amaxes(%amax)
  %dq = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<64x32xf32> -> tensor<64x32xf32>
  %dk = shard.all_reduce %h on @mesh grid_axes = [0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %q1 = te.update #te.sgd<momentum = 0.0> %q gradient(%dq) coefficient(%coefficient) scalars(%s, %s) step(%step) : tensor<64x32xf32>, tensor<64x32xf32>
  %k1 = te.update #te.sgd<momentum = 0.0> %k gradient(%dk) coefficient(%coefficient) scalars(%s, %s) step(%step) : tensor<32x32xf32>, tensor<32x32xf32>
  return %r, %c, %largest, %coefficient, %q1, %k1 : tensor<96x32xf8E4M3FN>, tensor<32x96xf8E4M3FN>, tensor<f32>, tensor<f32>, tensor<64x32xf32>, tensor<32x32xf32>
}

// -----

// A short update without copies is in front of those with copies, so that the
// first launch does it, too; a long one is behind their gathers, which it hides.
// CHECK-LABEL: func.func @order(
// CHECK: te.update #te.adamw %{{.*}} : tensor<16x32xf32>, tensor<16x32xf32>
// CHECK: te.update #te.adamw %{{.*}} quantize(%{{.*}}) : tensor<32x32xf32>
// CHECK: shard.all_gather %{{.*}} : tensor<32x32xf8E4M3FN> -> tensor<64x32xf8E4M3FN>
// CHECK: te.update #te.adamw %{{.*}} : tensor<1024x1024xf32>, tensor<1024x1024xf32>
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @order(%gt: tensor<2048x1024xf32> {te.input = "gt"}, %gw: tensor<64x32xf32> {te.input = "gw"}, %gp: tensor<32x32xf32> {te.input = "gp"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %t: tensor<2048x1024xf32> {te.param = "t"}, %w: tensor<64x32xf32> {te.param = "w"}, %p: tensor<32x32xf32> {te.param = "p"},
                 %tm: tensor<2048x1024xf32> {te.state = "tm", te.kind = "optimizer"}, %tv: tensor<2048x1024xf32> {te.state = "tv", te.kind = "optimizer"},
                 %wm: tensor<64x32xf32> {te.state = "wm", te.kind = "optimizer"}, %wv: tensor<64x32xf32> {te.state = "wv", te.kind = "optimizer"},
                 %pm: tensor<32x32xf32> {te.state = "pm", te.kind = "optimizer"}, %pv: tensor<32x32xf32> {te.state = "pv", te.kind = "optimizer"},
                 %qr: tensor<64x32xf8E4M3FN> {te.state = "qr", te.kind = "fp8_weight"},
                 %qa: tensor<f32> {te.state = "qa", te.kind = "fp8_weight_amax"})
    -> (tensor<2048x1024xf32> {te.param = "t"}, tensor<64x32xf32> {te.param = "w"}, tensor<32x32xf32> {te.param = "p"},
        tensor<2048x1024xf32> {te.state = "tm", te.kind = "optimizer"}, tensor<2048x1024xf32> {te.state = "tv", te.kind = "optimizer"},
        tensor<64x32xf32> {te.state = "wm", te.kind = "optimizer"}, tensor<64x32xf32> {te.state = "wv", te.kind = "optimizer"},
        tensor<32x32xf32> {te.state = "pm", te.kind = "optimizer"}, tensor<32x32xf32> {te.state = "pv", te.kind = "optimizer"},
        tensor<64x32xf8E4M3FN> {te.state = "qr", te.kind = "fp8_weight"},
        tensor<f32> {te.state = "qa", te.kind = "fp8_weight_amax"}) attributes {te.entry = "train"} {
  %dt = shard.all_reduce %gt on @mesh grid_axes = [0] : tensor<2048x1024xf32> -> tensor<2048x1024xf32>
  %dw = shard.all_reduce %gw on @mesh grid_axes = [0] : tensor<64x32xf32> -> tensor<64x32xf32>
  %dp = shard.all_reduce %gp on @mesh grid_axes = [0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %t1, %tm1, %tv1 = te.update #te.adamw %t states(%tm, %tv) gradient(%dt) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%step)
    : tensor<2048x1024xf32>, tensor<2048x1024xf32>
  %w1, %wm1, %wv1, %r, %a = te.update #te.adamw %w states(%wm, %wv) gradient(%dw) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%step) quantize(%s)
    : tensor<64x32xf32>, tensor<64x32xf32> -> rowwise tensor<64x32xf8E4M3FN> amax tensor<f32>
  %p1, %pm1, %pv1 = te.update #te.adamw %p states(%pm, %pv) gradient(%dp) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%step)
    : tensor<32x32xf32>, tensor<32x32xf32>
  return %t1, %w1, %p1, %tm1, %tv1, %wm1, %wv1, %pm1, %pv1, %r, %a
    : tensor<2048x1024xf32>, tensor<64x32xf32>, tensor<32x32xf32>, tensor<2048x1024xf32>, tensor<2048x1024xf32>,
      tensor<64x32xf32>, tensor<64x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf8E4M3FN>, tensor<f32>
}

// -----

// What is only added to something stays whole, also in parts of it, in another type
// and in other entries; not what is read otherwise, or is large.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %{{[^:]*}}: tensor<64x32xf32> {te.param = "positions"}
// CHECK-SAME: %{{[^:]*}}: tensor<32x32xf32> {te.param = "scaled", te.shard = #te.shard<shape = [64, 32], flat_axes = 1>}
// CHECK-SAME: %{{[^:]*}}: tensor<512x1024xf32> {te.param = "large", te.shard =
// CHECK: te.reduce_norm %{{.*}} is_part = [0, 1, 1]
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: %{{[^:]*}}: tensor<64x32xf32> {te.param = "positions"}
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<8x32xbf16> {te.input = "x"}, %z: tensor<1024x1024xbf16> {te.input = "z"},
                 %gp: tensor<64x32xf32> {te.input = "gp"}, %gq: tensor<64x32xf32> {te.input = "gq"},
                 %gl: tensor<1024x1024xf32> {te.input = "gl"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %p: tensor<64x32xf32> {te.param = "positions"}, %q: tensor<64x32xf32> {te.param = "scaled"},
                 %l: tensor<1024x1024xf32> {te.param = "large"})
    -> (tensor<8x32xbf16> {te.output = "y"}, tensor<1024x1024xbf16> {te.output = "u"}, tensor<f32> {te.output = "norm"},
        tensor<64x32xf32> {te.param = "positions"}, tensor<64x32xf32> {te.param = "scaled"},
        tensor<1024x1024xf32> {te.param = "large"}) attributes {te.entry = "train"} {
  %pb = arith.truncf %p : tensor<64x32xf32> to tensor<64x32xbf16>
  %p8 = tensor.extract_slice %pb[3, 0] [8, 32] [1, 1] : tensor<64x32xbf16> to tensor<8x32xbf16>
  %y0 = te.add %x, %p8 : tensor<8x32xbf16>, tensor<8x32xbf16> -> tensor<8x32xbf16>
  %q8 = tensor.extract_slice %q[0, 0] [8, 32] [1, 1] : tensor<64x32xf32> to tensor<8x32xf32>
  %y1 = te.add %y0, %q8 : tensor<8x32xbf16>, tensor<8x32xf32> -> tensor<8x32xbf16>
  %qn = arith.negf %q8 : tensor<8x32xf32>
  %y = te.add %y1, %qn : tensor<8x32xbf16>, tensor<8x32xf32> -> tensor<8x32xbf16>
  %u = te.add %z, %l : tensor<1024x1024xbf16>, tensor<1024x1024xf32> -> tensor<1024x1024xbf16>
  %dp = shard.all_reduce %gp on @mesh grid_axes = [0] : tensor<64x32xf32> -> tensor<64x32xf32>
  %dq = shard.all_reduce %gq on @mesh grid_axes = [0] : tensor<64x32xf32> -> tensor<64x32xf32>
  %dl = shard.all_reduce %gl on @mesh grid_axes = [0] : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %norm = te.global_norm %dp, %dq, %dl : tensor<64x32xf32>, tensor<64x32xf32>, tensor<1024x1024xf32>
  %p1 = te.update #te.sgd<momentum = 0.0> %p gradient(%dp) coefficient(%s) scalars(%s, %s) step(%step) : tensor<64x32xf32>, tensor<64x32xf32>
  %q1 = te.update #te.sgd<momentum = 0.0> %q gradient(%dq) coefficient(%s) scalars(%s, %s) step(%step) : tensor<64x32xf32>, tensor<64x32xf32>
  %l1 = te.update #te.sgd<momentum = 0.0> %l gradient(%dl) coefficient(%s) scalars(%s, %s) step(%step) : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  return %y, %u, %norm, %p1, %q1, %l1 : tensor<8x32xbf16>, tensor<1024x1024xbf16>, tensor<f32>,
    tensor<64x32xf32>, tensor<64x32xf32>, tensor<1024x1024xf32>
}
func.func @eval(%x: tensor<64x32xbf16> {te.input = "x"}, %p: tensor<64x32xf32> {te.param = "positions"})
    -> (tensor<64x32xbf16> {te.output = "y"}) attributes {te.entry = "eval"} {
  %y = te.add %x, %p : tensor<64x32xbf16>, tensor<64x32xf32> -> tensor<64x32xbf16>
  return %y : tensor<64x32xbf16>
}
