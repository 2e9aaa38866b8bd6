// RUN: te-opt %s --te-shard-model=mesh=tp=2 -split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-model=mesh=dp=2 -split-input-file | FileCheck %s --check-prefix=DATA
// RUN: te-opt %s --te-shard-model=mesh=tp=2 --te-add-gradients --te-parallelize=mesh=tp=2 --te-expand-vocabulary -split-input-file | FileCheck %s --check-prefix=GRAD

// Without an axis tp nothing is shared, and the mesh is te-parallelize's.
// DATA-NOT: shard.all_
// DATA-NOT: te.shard

// An MLP: the first layer's features are cut, the second's inner dimension, and
// the rows of what is around them.
// CHECK: shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
// CHECK-LABEL: func.func @mlp
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf32> {te.input = "x"}, %[[G:.*]]: tensor<16xf32> {te.param = "g"}
// CHECK-SAME: %[[W1:.*]]: tensor<16x16xf32> {te.param = "w1", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>}
// CHECK-SAME: %[[B1:.*]]: tensor<16xf32> {te.param = "b1", te.shard = #te.shard<shape = [32], dim_axes = 1>}
// CHECK-SAME: %[[W2:.*]]: tensor<16x16xf32> {te.param = "w2", te.shard = #te.shard<shape = [16, 32], dim_axes = 1, dim = 1>}
// CHECK-SAME: %[[B2:.*]]: tensor<16xf32> {te.param = "b2"}
// CHECK: %[[XS:.*]] = shard.all_slice %[[X]] on @mesh grid_axes = [0] slice_axis = 0 : tensor<8x16xf32> -> tensor<4x16xf32>
// CHECK: %[[GV:.*]] = te.vary %[[G]] on @mesh axes = [0] : tensor<16xf32>
// CHECK: %[[N:.*]], %{{.*}} = te.rms_norm %[[XS]], %[[GV]] {{.*}} -> y tensor<4x16xf32> stats tensor<4xf32>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[N]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<4x16xf32> -> tensor<8x16xf32>
// CHECK: %[[V:.*]] = te.vary %[[ALL]]
// CHECK: %[[U:.*]] = te.matmul %[[V]], %[[W1]] bias(%[[B1]] : tensor<16xf32>) {transpose_b} : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
// CHECK: %[[A:.*]] = te.activation gelu_tanh %[[U]]
// CHECK: %[[T:.*]] = te.matmul %[[A]], %[[W2]] {transpose_b} : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
// CHECK: %[[D:.*]] = shard.reduce_scatter %[[T]] on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8x16xf32> -> tensor<4x16xf32>
// The bias is added once, to the residual, which is there before the sum.
// CHECK: %[[ROW:.*]] = tensor.expand_shape %[[B2]]
// CHECK: %[[RV:.*]] = te.vary %[[ROW]]
// CHECK: %[[XB:.*]] = te.add %[[XS]], %[[RV]] : tensor<4x16xf32>, tensor<1x16xf32> -> tensor<4x16xf32>
// CHECK: %[[Z:.*]] = te.add %[[XB]], %[[D]]
// CHECK: %[[Y:.*]] = shard.all_gather %[[Z]] on @mesh grid_axes = [0] gather_axis = 0
// CHECK: return %[[Y]]

// Gradients: of the gathered rows as a part of a sum; of parts of parameters as
// they are; of whole parameters summed.
// GRAD-LABEL: func.func @mlp
// GRAD-NOT: te.vary
// GRAD-DAG: shard.reduce_scatter %{{.*}} on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8x16xf32> -> tensor<4x16xf32>
// GRAD-DAG: %[[DW1:.*]] = te.matmul {{.*}} {layer = "w1", role = #te.role<wgrad>, transpose_a} : {{.*}} -> tensor<16x16xf32>
// GRAD-DAG: %{{.*}}, %[[DG:.*]] = te.rms_norm_grad
// GRAD-DAG: %[[SG:.*]] = shard.all_reduce %[[DG]] on @mesh grid_axes = [0] : tensor<16xf32> -> tensor<16xf32>
// GRAD: return
func.func @mlp(%x: tensor<8x16xf32> {te.input = "x"}, %g: tensor<16xf32> {te.param = "g"},
    %w1: tensor<32x16xf32> {te.param = "w1"}, %b1: tensor<32xf32> {te.param = "b1"},
    %w2: tensor<16x32xf32> {te.param = "w2"}, %b2: tensor<16xf32> {te.param = "b2"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %n, %r = te.rms_norm %x, %g {eps = 1.0e-5 : f32} : tensor<8x16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>
  %u = te.matmul %n, %w1 bias(%b1 : tensor<32xf32>) {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %a = te.activation gelu_tanh %u : tensor<8x32xf32> -> y tensor<8x32xf32>
  %d = te.matmul %a, %w2 bias(%b2 : tensor<16xf32>) {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  %z = te.add %x, %d : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}

// -----

// Attention: a joined weight is cut within queries, keys and values; a key head
// goes with its query heads.
// CHECK-LABEL: func.func @attention
// CHECK-SAME: tensor<16x16xf32> {te.param = "qkv", te.shard = #te.shard<shape = [16, 32], dim_axes = 1, dim = 1, blocks = [16, 8, 8]>}
// CHECK-SAME: tensor<8x16xf32> {te.param = "o", te.shard = #te.shard<shape = [16, 16], dim_axes = 1>}
// CHECK: te.split %{{.*}} axis 1 : tensor<8x16xf32> -> tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>
// CHECK: te.attention {{.*}} : tensor<2x4x2x4xf32>, tensor<2x4x1x4xf32>, tensor<2x4x1x4xf32> -> tensor<2x4x2x4xf32>, tensor<2x2x4xf32>
// CHECK: shard.reduce_scatter
func.func @attention(%x: tensor<8x16xf32> {te.input = "x"}, %qkv: tensor<16x32xf32> {te.param = "qkv"}, %wo: tensor<16x16xf32> {te.param = "o"},
    %cos: tensor<4x2xf32> {te.input = "cos"}, %sin: tensor<4x2xf32> {te.input = "sin"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %h = te.matmul %x, %qkv : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  %q, %k, %v = te.split %h axis 1 : tensor<8x32xf32> -> tensor<8x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  %qh = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 4, 4] : tensor<8x16xf32> into tensor<2x4x4x4xf32>
  %kh = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 2, 4] : tensor<8x8xf32> into tensor<2x4x2x4xf32>
  %vh = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 4, 2, 4] : tensor<8x8xf32> into tensor<2x4x2x4xf32>
  %qr = te.rope %qh, %cos, %sin : tensor<2x4x4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32> -> tensor<2x4x4x4xf32>
  %kr = te.rope %kh, %cos, %sin : tensor<2x4x2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32> -> tensor<2x4x2x4xf32>
  %o, %lse = te.attention %qr, %kr, %vh {causal, scale = 0.5 : f32}
    : tensor<2x4x4x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32> -> tensor<2x4x4x4xf32>, tensor<2x4x4xf32>
  %om = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x4x4xf32> into tensor<8x16xf32>
  %y = te.matmul %om, %wo : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// A vocabulary of 33 classes: 17 on each rank, the last one of the second rank no
// class, in the embedding and the head that are tied.
// CHECK-LABEL: func.func @vocabulary
// CHECK-SAME: tensor<17x16xf32> {te.param = "table", te.shard = #te.shard<shape = [33, 16], dim_axes = 1>}
// CHECK: %[[ROWS:.*]] = te.embedding %{{.*}}, %{{.*}} : tensor<8xi64>, tensor<17x16xf32> -> tensor<8x16xf32>
// CHECK: shard.reduce_scatter
// CHECK: %[[MASK:.*]] = arith.constant dense<[{{.*}}, -1.000000e+30]> : tensor<34xf32>
// CHECK: %[[BIAS:.*]] = shard.all_slice %[[MASK]]
// CHECK: te.matmul %{{.*}}, %{{.*}} bias(%[[BIAS]] : tensor<17xf32>) {transpose_b} : tensor<8x16xf32>, tensor<17x16xf32> -> tensor<8x17xf32>
// CHECK: %[[LOSS:.*]], %{{.*}} = te.vocabulary_cross_entropy %{{.*}}, %{{.*}} on @mesh axes = [0] {classes = 33 : i64} : tensor<8x17xf32>, tensor<8xi64> -> tensor<8xf32>
// CHECK: shard.all_reduce %[[LOSS]] on @mesh grid_axes = [0] : tensor<f32> -> tensor<f32>
// GRAD-LABEL: func.func @vocabulary
// GRAD-NOT: te.vocabulary_cross_entropy
// GRAD: return
func.func @vocabulary(%ids: tensor<8xi64> {te.input = "ids"}, %labels: tensor<8xi64> {te.input = "labels"}, %table: tensor<33x16xf32> {te.param = "table"},
    %w1: tensor<32x16xf32> {te.param = "w1"}, %w2: tensor<16x32xf32> {te.param = "w2"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "grad"} {
  %x = te.embedding %ids, %table : tensor<8xi64>, tensor<33x16xf32> -> tensor<8x16xf32>
  %u = te.matmul %x, %w1 {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %a = te.activation relu %u : tensor<8x32xf32> -> y tensor<8x32xf32>
  %d = te.matmul %a, %w2 {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  %z = te.add %x, %d : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %l = te.matmul %z, %table {transpose_b} : tensor<8x16xf32>, tensor<33x16xf32> -> tensor<8x33xf32>
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<8x33xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// -----

// Rows that are added to each sequence, and masks that differ between ranks.
// CHECK-LABEL: func.func @positions
// CHECK: %[[REPEATED:.*]] = tensor.concat dim(0) %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<12x16xf32>
// CHECK: shard.all_slice %[[REPEATED]]
// CHECK: %[[OWN:.*]] = linalg.generic
// CHECK: arith.muli
// CHECK: te.dropout %{{.*}} seed(%[[OWN]]) {{.*}} : tensor<6x16xf32> -> tensor<6x16xf32>
module {
  shard.grid @other(shape = 3)
  func.func @positions(%x: tensor<12x16xf32> {te.input = "x"}, %seed: tensor<i64> {te.scalar = "dropout_seed", te.default = 0 : i64},
      %p: tensor<4x16xf32> {te.param = "p"}, %w1: tensor<32x16xf32> {te.param = "w1"}, %w2: tensor<16x32xf32> {te.param = "w2"})
      -> (tensor<12x16xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
    %s = te.add %x, %p : tensor<12x16xf32>, tensor<4x16xf32> -> tensor<12x16xf32>
    %u = te.matmul %s, %w1 {transpose_b} : tensor<12x16xf32>, tensor<32x16xf32> -> tensor<12x32xf32>
    %a = te.activation relu %u : tensor<12x32xf32> -> y tensor<12x32xf32>
    %d = te.matmul %a, %w2 {transpose_b} : tensor<12x32xf32>, tensor<16x32xf32> -> tensor<12x16xf32>
    %r = te.dropout %d seed(%seed) {ratio = 0.1 : f32, stream = 0 : i64} : tensor<12x16xf32> -> tensor<12x16xf32>
    %z = te.add %s, %r : tensor<12x16xf32>, tensor<12x16xf32> -> tensor<12x16xf32>
    return %z : tensor<12x16xf32>
  }
}

// -----

// Of 254 classes each rank has 127, and a product of 128 columns: in the program the
// weight has a row of zeros more, whose bias makes it no class. A bias of the model
// is cut as the weight is.
// CHECK-LABEL: func.func @aligned
// CHECK-SAME: tensor<127x16xf32> {te.param = "head", te.shard = #te.shard<shape = [254, 16], dim_axes = 1>}
// CHECK-SAME: tensor<127xf32> {te.param = "bias", te.shard = #te.shard<shape = [254], dim_axes = 1>}
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<1x16xf32>
// CHECK: %[[W:.*]] = tensor.concat dim(0) %{{.*}}, %[[ZEROS]] : (tensor<127x16xf32>, tensor<1x16xf32>) -> tensor<128x16xf32>
// CHECK: %[[NONE:.*]] = arith.constant dense<-1.000000e+30> : tensor<1xf32>
// CHECK: %[[B:.*]] = tensor.concat dim(0) %{{.*}}, %[[NONE]] : (tensor<127xf32>, tensor<1xf32>) -> tensor<128xf32>
// CHECK: te.matmul %{{.*}}, %[[W]] bias(%[[B]] : tensor<128xf32>) {transpose_b} : tensor<8x16xf32>, tensor<128x16xf32> -> tensor<8x128xf32>
// CHECK: te.vocabulary_cross_entropy {{.*}} {classes = 254 : i64, rank_classes = 127 : i64} : tensor<8x128xf32>
func.func @aligned(%x: tensor<8x16xf32> {te.input = "x"}, %labels: tensor<8xi64> {te.input = "labels"}, %w: tensor<254x16xf32> {te.param = "head"}, %b: tensor<254xf32> {te.param = "bias"},
    %w1: tensor<32x16xf32> {te.param = "w1"}, %w2: tensor<16x32xf32> {te.param = "w2"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "grad"} {
  %u = te.matmul %x, %w1 {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %a = te.activation relu %u : tensor<8x32xf32> -> y tensor<8x32xf32>
  %d = te.matmul %a, %w2 {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  %z = te.add %x, %d : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %l = te.matmul %z, %w bias(%b : tensor<254xf32>) {transpose_b} : tensor<8x16xf32>, tensor<254x16xf32> -> tensor<8x254xf32>
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<8x254xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// -----

// What a body reads besides its operands is whole on every rank: so is all that it
// makes, and the sum in front of it is gathered.
// CHECK-LABEL: func.func @captured
// CHECK: %[[ROWS:.*]] = shard.all_gather
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]] : tensor<8x16xf32>)
// CHECK: tensor.extract %[[ROWS]][
func.func @captured(%x: tensor<8x16xf32> {te.input = "x"}, %w1: tensor<32x16xf32> {te.param = "w1"}, %w2: tensor<16x32xf32> {te.param = "w2"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %u = te.matmul %x, %w1 {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %d = te.matmul %u, %w2 {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  %first = arith.constant 0 : index
  %empty = tensor.empty() : tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
  ^bb0(%own: f32, %none: f32):
    %j = linalg.index 1 : index
    %above = tensor.extract %d[%first, %j] : tensor<8x16xf32>
    %sum = arith.addf %own, %above : f32
    linalg.yield %sum : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// The only head of keys serves all heads of queries: each rank makes it of whole weights,
// and adds up the cotangents of all ranks.

// CHECK-LABEL: func.func @one_key_head
// CHECK-SAME: tensor<16x16xf32> {te.param = "q", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>}
// CHECK-SAME: tensor<8x16xf32> {te.param = "k"}
// CHECK: %[[K:.*]] = te.vary %{{.*}} on @mesh axes = [0] : tensor<2x4x1x8xf32>
// CHECK: te.attention %{{.*}}, %[[K]], %[[K]] {{.*}} : tensor<2x4x2x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x2x8xf32>
// CHECK: shard.reduce_scatter
func.func @one_key_head(%x: tensor<8x16xf32> {te.input = "x"}, %wq: tensor<32x16xf32> {te.param = "q"}, %wk: tensor<8x16xf32> {te.param = "k"},
                        %wo: tensor<16x32xf32> {te.param = "o"}) -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %q = te.matmul %x, %wq {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %k = te.matmul %x, %wk {transpose_b} : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x8xf32>
  %qh = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 4, 8] : tensor<8x32xf32> into tensor<2x4x4x8xf32>
  %kh = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %o, %lse = te.attention %qh, %kh, %kh {causal, scale = 0.5 : f32}
    : tensor<2x4x4x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x4x8xf32>, tensor<2x4x4xf32>
  %rows = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x4x8xf32> into tensor<8x32xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// A lookup knows the rows of its table by number. Those that ranks would have of this one
// are several pieces, so that all have all of it; the layers behind it are shared.

// CHECK-LABEL: func.func @numbered
// CHECK-SAME: tensor<32x16xf32> {te.param = "w1"}
// CHECK-SAME: tensor<8x32xf32> {te.param = "w2", te.shard
// CHECK-NOT: arith.remsi
// CHECK: te.embedding %arg1, %{{.*}} : tensor<64xi64>, tensor<256x1xf32> -> tensor<64x1xf32>
func.func @numbered(%x: tensor<8x16xf32> {te.input = "x"}, %ids: tensor<64xi64> {te.input = "ids"}, %w1: tensor<32x16xf32> {te.param = "w1"}, %w2: tensor<16x32xf32> {te.param = "w2"},
                    %w3: tensor<32x16xf32> {te.param = "w3"}, %w4: tensor<16x32xf32> {te.param = "w4"})
    -> (tensor<8x16xf32> {te.output = "y"}, tensor<64x1xf32> {te.output = "rows"}) attributes {te.entry = "forward"} {
  %u = te.matmul %x, %w1 {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %d = te.matmul %u, %w2 {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  %all = tensor.collapse_shape %u [[0, 1]] : tensor<8x32xf32> into tensor<256xf32>
  %table = tensor.expand_shape %all [[0, 1]] output_shape [256, 1] : tensor<256xf32> into tensor<256x1xf32>
  %rows = te.embedding %ids, %table : tensor<64xi64>, tensor<256x1xf32> -> tensor<64x1xf32>
  %v = te.matmul %d, %w3 {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %y = te.matmul %v, %w4 {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y, %rows : tensor<8x16xf32>, tensor<64x1xf32>
}
