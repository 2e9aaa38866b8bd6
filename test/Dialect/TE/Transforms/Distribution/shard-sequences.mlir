// RUN: te-opt %s --te-shard-sequences=mesh=cp=2 --split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-sequences=mesh=dp=2,cp=4 --split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: te-opt %s --te-shard-sequences=mesh=dp=2 --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: te-opt %s --te-shard-sequences --split-input-file | FileCheck %s --check-prefix=NONE

// Each rank takes its part of the ids; of a table of parameters it looks its rows
// up, of a table that is no parameter it takes its part. Keys are gathered, in the
// order of the sequence. So are outputs, which no rank computes with.

// CHECK: shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
// CHECK-LABEL: func @causal
// CHECK: %[[IDS:.*]] = te.all_slice_sequence %arg0 on @mesh axes = [0] dim = 1 {balanced} : tensor<2x16xi64> -> tensor<2x8xi64>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[IDS]]
// CHECK: %[[TOKENS:.*]] = te.embedding %[[FLAT]], %arg1 : tensor<16xi64>, tensor<16x8xf32> -> tensor<16x8xf32>
// CHECK: %[[TABLE:.*]] = tensor.extract_slice %arg2
// CHECK: %[[POSITIONS:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]>
// CHECK: %[[OWN:.*]] = te.all_slice_sequence %[[POSITIONS]] on @mesh axes = [0] dim = 0 {balanced} : tensor<16xi64> -> tensor<8xi64>
// CHECK: %[[ROWS:.*]] = te.embedding %[[OWN]], %[[TABLE]] : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
// CHECK: te.add %[[TOKENS]], %[[ROWS]] : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
// CHECK: te.matmul %{{.*}}, %arg4 {transpose_b} : tensor<16x8xf32>, tensor<16x8xf32> -> tensor<16x16xf32>
// CHECK: %[[COS:.*]] = te.all_slice_sequence %arg3 on @mesh axes = [0] dim = 0 {balanced} : tensor<16x2xf32> -> tensor<8x2xf32>
// CHECK: %[[Q:.*]] = te.rope {{.*}}, %[[COS]], %[[COS]] : tensor<2x8x2x4xf32>, tensor<8x2xf32>, tensor<8x2xf32>
// CHECK: %[[GATHERED:.*]] = te.all_gather_sequence {{.*}} on @mesh axes = [0] dim = 1 {balanced} : tensor<2x8x2x4xf32> -> tensor<2x16x2x4xf32>
// CHECK: %[[K:.*]] = te.vary %[[GATHERED]] on @mesh axes = [0]
// CHECK: te.attention %[[Q]], %[[K]], %[[K]] {balanced, causal, query_axes = 1 : i32, scale = 5.000000e-01 : f32} : tensor<2x8x2x4xf32>, tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32> -> tensor<2x8x2x4xf32>, tensor<2x2x8xf32>
// CHECK-NOT: te.vary
// CHECK: %[[Y:.*]] = te.all_gather_sequence {{.*}} on @mesh axes = [0] dim = 1 {balanced} : tensor<2x8x8xf32> -> tensor<2x16x8xf32>
// CHECK: return %[[Y]] : tensor<2x16x8xf32>

// FOUR: shard.grid @mesh(shape = 2x4) {te.axes = ["dp", "cp"]}
// FOUR: te.attention {{.*}} {balanced, causal, query_axes = 2 : i32, scale = 5.000000e-01 : f32} : tensor<2x4x2x4xf32>, tensor<2x16x2x4xf32>

// NONE-NOT: shard
func.func @causal(%ids: tensor<2x16xi64> {te.input = "ids"}, %wte: tensor<16x8xf32> {te.param = "wte"}, %wpe: tensor<20x8xf32> {te.param = "wpe"},
                  %cos: tensor<16x2xf32> {te.input = "cos"}, %w: tensor<16x8xf32> {te.param = "w"})
    -> (tensor<2x16x8xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<2x16xi64> into tensor<32xi64>
  %tok = te.embedding %flat, %wte : tensor<32xi64>, tensor<16x8xf32> -> tensor<32x8xf32>
  %pos = tensor.extract_slice %wpe[0, 0] [16, 8] [1, 1] : tensor<20x8xf32> to tensor<16x8xf32>
  %x = te.add %tok, %pos : tensor<32x8xf32>, tensor<16x8xf32> -> tensor<32x8xf32>
  %qk = te.matmul %x, %w {transpose_b} : tensor<32x8xf32>, tensor<16x8xf32> -> tensor<32x16xf32>
  %q, %k = te.split %qk axis 1 : tensor<32x16xf32> -> tensor<32x8xf32>, tensor<32x8xf32>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 16, 2, 4] : tensor<32x8xf32> into tensor<2x16x2x4xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 16, 2, 4] : tensor<32x8xf32> into tensor<2x16x2x4xf32>
  %qr = te.rope %q4, %cos, %cos : tensor<2x16x2x4xf32>, tensor<16x2xf32>, tensor<16x2xf32> -> tensor<2x16x2x4xf32>
  %o, %lse = te.attention %qr, %k4, %k4 {causal, scale = 0.5 : f32}
    : tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32> -> tensor<2x16x2x4xf32>, tensor<2x2x16xf32>
  %y = tensor.collapse_shape %o [[0], [1], [2, 3]] : tensor<2x16x2x4xf32> into tensor<2x16x8xf32>
  return %y : tensor<2x16x8xf32>
}

// -----

// Without a mask it does not matter where queries are, and pieces are in order.
// Keys that every rank has are read as they are, their cotangent is a sum over the
// ranks; the rows of a bias go with the queries.

// CHECK-LABEL: func @cross
// CHECK: %[[Q:.*]] = te.all_slice_sequence %arg0 on @mesh axes = [0] dim = 1 : tensor<2x8x2x4xf32> -> tensor<2x4x2x4xf32>
// CHECK: %[[K:.*]] = te.vary %arg1 on @mesh axes = [0] : tensor<2x6x2x4xf32>
// CHECK: %[[B:.*]] = te.all_slice_sequence %arg2 on @mesh axes = [0] dim = 2 : tensor<1x2x8x6xf32> -> tensor<1x2x4x6xf32>
// CHECK: te.attention %[[Q]], %[[K]], %[[K]] bias(%[[B]] : tensor<1x2x4x6xf32>) {scale = 5.000000e-01 : f32} : tensor<2x4x2x4xf32>
// CHECK: te.all_gather_sequence {{.*}} dim = 1 : tensor<2x4x2x4xf32> -> tensor<2x8x2x4xf32>

// FOUR-LABEL: func @cross
// NONE-LABEL: func @cross
func.func @cross(%q: tensor<2x8x2x4xf32> {te.input = "q"}, %k: tensor<2x6x2x4xf32> {te.input = "k"}, %b: tensor<1x2x8x6xf32> {te.input = "b"})
    -> (tensor<2x8x2x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %k, %k bias(%b : tensor<1x2x8x6xf32>) {scale = 0.5 : f32}
    : tensor<2x8x2x4xf32>, tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32> -> tensor<2x8x2x4xf32>, tensor<2x2x8xf32>
  return %o : tensor<2x8x2x4xf32>
}

// -----

// Tokens of a batch that are rows of one dimension are sequences again where they
// are gathered.

// CHECK-LABEL: func @rows
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 4, 8] : tensor<8x8xf32> into tensor<2x4x8xf32>
// CHECK: %[[ALL:.*]] = te.all_gather_sequence %[[ROWS]] on @mesh axes = [0] dim = 1 {balanced} : tensor<2x4x8xf32> -> tensor<2x8x8xf32>
// CHECK: tensor.collapse_shape %[[ALL]] {{\[\[}}0, 1], [2]] : tensor<2x8x8xf32> into tensor<16x8xf32>
func.func @rows(%q: tensor<2x8x2x4xf32> {te.input = "q"})
    -> (tensor<16x8xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32> -> tensor<2x8x2x4xf32>, tensor<2x2x8xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x8x2x4xf32> into tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// -----

// Ranks have terms of the sum that a mean is divided from, and of its count.

// CHECK-LABEL: func @loss
// CHECK: te.shift_labels %arg1 : tensor<1x8xi64>
// CHECK: %[[COUNT:.*]] = te.count_labels {{.*}} : tensor<4xi64>
// CHECK: %[[ALL:.*]] = shard.all_reduce %[[COUNT]] on @mesh grid_axes = [0] : tensor<f32> -> tensor<f32>
// CHECK: %[[LOSS:.*]], %{{.*}}, %{{.*}} = te.cross_entropy {{.*}} {reduction = #te.reduction<sum>} : tensor<4x8xf32>, tensor<4xi64>
// CHECK: %[[SUM:.*]] = shard.all_reduce %[[LOSS]] on @mesh grid_axes = [0]
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %[[ALL]] : tensor<f32>, tensor<f32>)
func.func @loss(%q: tensor<1x8x2x4xf32> {te.input = "q"}, %ids: tensor<1x8xi64> {te.input = "ids"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "eval"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32> -> tensor<1x8x2x4xf32>, tensor<1x2x8xf32>
  %logits = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x8x2x4xf32> into tensor<8x8xf32>
  %shifted = te.shift_labels %ids : tensor<1x8xi64>
  %labels = tensor.collapse_shape %shifted [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %loss, %l, %count = te.cross_entropy %logits, %labels : tensor<8x8xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// -----

// Rows that repeat within a sequence of which ranks have two pieces: the pieces are
// no repetitions, and their rows are looked up. Those of the heads repeat within each
// token, and every rank has them.

// CHECK-LABEL: func @repeated
// CHECK: %[[A:.*]] = te.add %{{.*}}, %{{.*}} : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
// CHECK: %[[OWN:.*]] = te.all_slice_sequence %{{.*}} on @mesh axes = [0] dim = 0 {balanced} : tensor<16xi64> -> tensor<8xi64>
// CHECK: te.embedding %[[OWN]], %[[A]] : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
// CHECK: te.add %{{.*}}, %{{.*}} : tensor<16x4xf32>, tensor<2x4xf32> -> tensor<16x4xf32>
func.func @repeated(%ids: tensor<16xi64> {te.input = "ids"}, %tokens: tensor<32x8xf32> {te.param = "tokens"}, %halves: tensor<8x8xf32> {te.param = "halves"}, %heads: tensor<2x4xf32> {te.param = "heads"})
    -> (tensor<1x16x2x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %x = te.embedding %ids, %tokens : tensor<16xi64>, tensor<32x8xf32> -> tensor<16x8xf32>
  %a = te.add %x, %halves : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  %split = tensor.expand_shape %a [[0], [1, 2]] output_shape [16, 2, 4] : tensor<16x8xf32> into tensor<16x2x4xf32>
  %rows = tensor.collapse_shape %split [[0, 1], [2]] : tensor<16x2x4xf32> into tensor<32x4xf32>
  %b = te.add %rows, %heads : tensor<32x4xf32>, tensor<2x4xf32> -> tensor<32x4xf32>
  %q = tensor.expand_shape %b [[0, 1, 2], [3]] output_shape [1, 16, 2, 4] : tensor<32x4xf32> into tensor<1x16x2x4xf32>
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<1x16x2x4xf32>, tensor<1x16x2x4xf32>, tensor<1x16x2x4xf32> -> tensor<1x16x2x4xf32>, tensor<1x2x16xf32>
  return %o : tensor<1x16x2x4xf32>
}

// -----

// Of scores that are learned for each pair of tokens a rank looks its queries' up;
// types that all tokens have are looked up by the rank's tokens alone.

// CHECK-LABEL: func @learned
// CHECK: te.embedding %{{.*}}, %arg2 : tensor<8xi64>, tensor<2x4xf32> -> tensor<8x4xf32>
// CHECK: %[[PAIRS:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0, 1, 2], [3]] : tensor<1x1x8x8xf32> into tensor<8x8xf32>
// CHECK: %[[OWN:.*]] = te.all_slice_sequence %{{.*}} on @mesh axes = [0] dim = 0 : tensor<8xi64> -> tensor<4xi64>
// CHECK: %[[ROWS:.*]] = te.embedding %[[OWN]], %[[PAIRS]] : tensor<4xi64>, tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK: %[[B:.*]] = tensor.expand_shape %[[ROWS]] {{\[\[}}0, 1, 2], [3]] output_shape [1, 1, 4, 8]
// CHECK: te.attention {{.*}} bias(%[[B]] : tensor<1x1x4x8xf32>)
func.func @learned(%x: tensor<16x4xf32> {te.input = "x"}, %b: tensor<1x1x8x8xf32> {te.param = "bias"}, %types: tensor<2x4xf32> {te.param = "types"})
    -> (tensor<2x8x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %ones = arith.constant dense<1> : tensor<16xi64>
  %t = te.embedding %ones, %types : tensor<16xi64>, tensor<2x4xf32> -> tensor<16x4xf32>
  %a = te.add %x, %t : tensor<16x4xf32>, tensor<16x4xf32> -> tensor<16x4xf32>
  %q = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [2, 8, 1, 4] : tensor<16x4xf32> into tensor<2x8x1x4xf32>
  %o, %lse = te.attention %q, %q, %q bias(%b : tensor<1x1x8x8xf32>) {scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  return %o : tensor<2x8x1x4xf32>
}

// -----

// As many sequences as tokens in each: what is transposed into an empty tensor has the
// tokens along another dimension of it than what is transposed back.

// CHECK-LABEL: func @square
// CHECK: te.attention {{.*}} {balanced, causal, {{.*}}} : tensor<4x8x2x4xf32>, tensor<8x8x2x4xf32>
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<8x4x2x4xf32>)
func.func @square(%q: tensor<8x8x2x4xf32> {te.input = "q"}) -> (tensor<8x8x2x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %e = tensor.empty() : tensor<8x8x2x4xf32>
  %t = linalg.transpose ins(%q : tensor<8x8x2x4xf32>) outs(%e : tensor<8x8x2x4xf32>) permutation = [1, 0, 2, 3]
  %o, %lse = te.attention %t, %t, %t {causal, layout = #te.attention_layout<sbhd>, scale = 0.5 : f32}
    : tensor<8x8x2x4xf32>, tensor<8x8x2x4xf32>, tensor<8x8x2x4xf32> -> tensor<8x8x2x4xf32>, tensor<8x2x8xf32>
  %y = linalg.transpose ins(%o : tensor<8x8x2x4xf32>) outs(%e : tensor<8x8x2x4xf32>) permutation = [1, 0, 2, 3]
  return %y : tensor<8x8x2x4xf32>
}

// -----

// Where an element lies in a row is the same on all ranks, and where its token lies is
// asked for and not used.

// CHECK-LABEL: func @unread
// CHECK: te.attention {{.*}} : tensor<2x4x1x4xf32>, tensor<2x8x1x4xf32>
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<2x4x1x4xf32>) outs({{.*}} : tensor<2x4x1x4xf32>)
func.func @unread(%q: tensor<2x8x1x4xf32> {te.input = "q"}) -> (tensor<2x8x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  %e = tensor.empty() : tensor<2x8x1x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, h, d) -> (b, s, h, d)>, affine_map<(b, s, h, d) -> (b, s, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x8x1x4xf32>) outs(%e : tensor<2x8x1x4xf32>) {
  ^bb0(%a: f32, %none: f32):
    %token = linalg.index 1 : index
    %at = linalg.index 3 : index
    %int = arith.index_cast %at : index to i64
    %float = arith.sitofp %int : i64 to f32
    %product = arith.mulf %a, %float : f32
    linalg.yield %product : f32
  } -> tensor<2x8x1x4xf32>
  return %y : tensor<2x8x1x4xf32>
}

// -----

// A sum over the tokens of all ranks is the same on all of them. Each rank reads it
// for its own tokens, so that the sum's gradient is a sum over ranks.

// CHECK-LABEL: func @sums
// CHECK: %[[TERMS:.*]] = te.matmul %{{.*}} {transpose_a} : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
// CHECK: %[[SUM:.*]] = shard.all_reduce %[[TERMS]] on @mesh grid_axes = [0]
// CHECK: %[[VARY:.*]] = te.vary %[[SUM]] on @mesh axes = [0]
// CHECK: te.matmul %{{.*}}, %[[VARY]] : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
func.func @sums(%q: tensor<2x8x1x4xf32> {te.input = "q"}) -> (tensor<16x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  %t = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<16x4xf32>
  %s = te.matmul %t, %t {transpose_a} : tensor<16x4xf32>, tensor<16x4xf32> -> tensor<4x4xf32>
  %y = te.matmul %t, %s : tensor<16x4xf32>, tensor<4x4xf32> -> tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}
