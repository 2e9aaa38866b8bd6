// RUN: te-opt %s --te-shard-states --te-validate-spmd --split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-states=zero=3 --te-validate-spmd --split-input-file | FileCheck %s --check-prefix=THREE

// A table that the step looks up whole in bf16 has a copy that is a state, with the
// rows of zeros that the head wants. Nothing is gathered in front of the lookups; the
// update makes the next copy, and gathers it at once, into the place of the one
// before. What is gathered for what follows begins in front of the lookups.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[IDS:[^:]*]]: tensor<64xi64> {te.input = "ids"}
// CHECK-SAME: %[[W:[^:]*]]: tensor<488xf32> {te.param = "w", te.shard = #te.shard<shape = [61, 16], flat_axes = 1>}
// CHECK-SAME: %[[P:[^:]*]]: tensor<32x16xf32> {te.param = "p", te.shard = #te.shard<shape = [64, 16], flat_axes = 1>}
// CHECK-SAME: %[[COPY:[^:]*]]: tensor<64x16xbf16> {te.init = "derived", te.kind = "weight_copy", te.state = "copy.w"})
// CHECK-SAME: tensor<64x16xbf16> {te.init = "derived", te.kind = "weight_copy", te.state = "copy.w"})
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[COPY]][0, 0] [61, 16] [1, 1]
// CHECK-NEXT: shard.all_gather %[[P]] {{.*}} tensor<32x16xf32> -> tensor<64x16xf32>
// CHECK-NEXT: te.embedding %[[IDS]], %[[ROWS]]
// CHECK: te.matmul %{{.*}}, %[[COPY]] {transpose_b} : tensor<64x16xbf16>, tensor<64x16xbf16> -> tensor<64x64xbf16>
// CHECK: %[[W1:.*]] = te.update #te.sgd{{.*}} %[[W]] gradient(
// CHECK: %[[PART:.*]] = arith.truncf %[[W1]] : tensor<488xf32> to tensor<488xbf16>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[PART]] {{.*}} tensor<488xbf16> -> tensor<976xbf16>
// CHECK: %[[NEW:.*]] = tensor.expand_shape %[[ALL]] {{\[\[}}0, 1]] output_shape [61, 16]
// CHECK: %[[NEXT:.*]] = tensor.insert_slice %[[NEW]] into %[[COPY]][0, 0] [61, 16] [1, 1]
// CHECK: te.update #te.sgd{{.*}} %[[P]] gradient(
// CHECK: return %{{.*}}, %[[W1]], %{{.*}}, %[[NEXT]] :

// Other entries read the copy, as many of its rows as they want, and change nothing.
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: %[[COPY:[^:]*]]: tensor<64x16xbf16> {te.init = "derived", te.kind = "weight_copy", te.state = "copy.w"})
// CHECK-SAME: -> (tensor<64x61xbf16> {te.output = "y"})
// CHECK: tensor.extract_slice %[[COPY]][0, 0] [61, 16] [1, 1]
// CHECK-NOT: shard.all_gather

// The first copy is made of the ranks' parts, and its last rows are zero.
// CHECK-LABEL: func.func @init(
// CHECK-SAME: %[[W:[^:]*]]: tensor<488xf32> {te.param = "w", te.shard = #te.shard<shape = [61, 16], flat_axes = 1>}
// CHECK-SAME: %[[COPY:[^:]*]]: tensor<64x16xbf16>
// CHECK-SAME: attributes {te.entry = "init"}
// CHECK: %[[PART:.*]] = arith.truncf %[[W]]
// CHECK: %[[ALL:.*]] = shard.all_gather %[[PART]]
// CHECK: %[[NEW:.*]] = tensor.expand_shape %[[ALL]]
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[NEW]] into %[[COPY]][0, 0] [61, 16] [1, 1]
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<3x16xbf16>
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %[[ZERO]] into %[[FIRST]][61, 0] [3, 16] [1, 1]
// CHECK: return %[[PADDED]]

// With zero=3 ranks keep no copies.
// THREE-NOT: weight_copy
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %dy: tensor<64x16xbf16> {te.input = "dy"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %w: tensor<61x16xf32> {te.param = "w"}, %p: tensor<64x16xf32> {te.param = "p"})
    -> (tensor<64x64xbf16> {te.output = "y"}, tensor<61x16xf32> {te.param = "w"},
        tensor<64x16xf32> {te.param = "p"}) attributes {te.entry = "train"} {
  %zero = arith.constant dense<0.0> : tensor<3x16xbf16>
  %x0 = te.embedding %ids, %w : tensor<64xi64>, tensor<61x16xf32> -> tensor<64x16xbf16>
  %q = arith.negf %p : tensor<64x16xf32>
  %x = te.add %x0, %q : tensor<64x16xbf16>, tensor<64x16xf32> -> tensor<64x16xbf16>
  %wb = arith.truncf %w : tensor<61x16xf32> to tensor<61x16xbf16>
  %head = tensor.concat dim(0) %wb, %zero : (tensor<61x16xbf16>, tensor<3x16xbf16>) -> tensor<64x16xbf16>
  %y = te.matmul %x, %head {transpose_b} : tensor<64x16xbf16>, tensor<64x16xbf16> -> tensor<64x64xbf16>
  %g = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xbf16> -> tensor<61x16xf32>
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<61x16xf32> -> tensor<61x16xf32>
  %h = arith.extf %dy : tensor<64x16xbf16> to tensor<64x16xf32>
  %dp = shard.all_reduce %h on @mesh grid_axes = [0] : tensor<64x16xf32> -> tensor<64x16xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%dw) coefficient(%s) scalars(%s, %s) step(%step) {decay} : tensor<61x16xf32>, tensor<61x16xf32>
  %p1 = te.update #te.sgd<momentum = 0.0> %p gradient(%dp) coefficient(%s) scalars(%s, %s) step(%step) {decay} : tensor<64x16xf32>, tensor<64x16xf32>
  return %y, %w1, %p1 : tensor<64x64xbf16>, tensor<61x16xf32>, tensor<64x16xf32>
}
func.func @eval(%x: tensor<64x16xbf16> {te.input = "x"}, %w: tensor<61x16xf32> {te.param = "w"})
    -> (tensor<64x61xbf16> {te.output = "y"}) attributes {te.entry = "eval"} {
  %wb = arith.truncf %w : tensor<61x16xf32> to tensor<61x16xbf16>
  %y = te.matmul %x, %wb {transpose_b} : tensor<64x16xbf16>, tensor<61x16xbf16> -> tensor<64x61xbf16>
  return %y : tensor<64x61xbf16>
}

// -----

// The table is given to an `init` that is there. A table of rows that nothing is put
// below is as it is; one with few lookups, and one that is looked up in its own type,
// have no copy.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[COPY:[^:]*]]: tensor<64x16xbf16> {te.init = "derived", te.kind = "weight_copy", te.state = "copy.t"})
// CHECK-NOT: tensor.extract_slice
// CHECK: te.embedding %{{.*}}, %[[COPY]] :
// CHECK: te.shared_embedding
// CHECK: te.embedding %{{.*}} -> tensor<64x16xf32>
// CHECK: %[[NEXT:.*]] = shard.all_gather %{{.*}} tensor<32x16xbf16> -> tensor<64x16xbf16>
// CHECK: return {{.*}}, %[[NEXT]] :
// CHECK-LABEL: func.func @init(
// CHECK-SAME: tensor<4xf32> {te.init = 0.000000e+00 : f32, te.state = "other"}
// CHECK-SAME: tensor<32x16xf32> {te.param = "t", te.shard = #te.shard<shape = [64, 16], flat_axes = 1>}
// CHECK-SAME: {te.init = "derived", te.kind = "weight_copy", te.state = "copy.t"})
// CHECK: %[[PART:.*]] = arith.truncf %{{.*}} : tensor<32x16xf32> to tensor<32x16xbf16>
// CHECK: shard.all_gather %[[PART]]
// CHECK-NOT: dense<0.000000e+00>
// CHECK: return
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %few: tensor<8xi64> {te.input = "few"},
                 %gt: tensor<64x16xf32> {te.input = "gt"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %t: tensor<64x16xf32> {te.param = "t"}, %u: tensor<64x16xf32> {te.param = "u"},
                 %v: tensor<64x16xf32> {te.param = "v"})
    -> (tensor<64x16xbf16> {te.output = "x"}, tensor<8x16xbf16> {te.output = "y"}, tensor<64x16xf32> {te.output = "z"},
        tensor<64x16xf32> {te.param = "t"}, tensor<64x16xf32> {te.param = "u"}, tensor<64x16xf32> {te.param = "v"})
    attributes {te.entry = "train"} {
  %x = te.embedding %ids, %t : tensor<64xi64>, tensor<64x16xf32> -> tensor<64x16xbf16>
  %y = te.embedding %few, %u : tensor<8xi64>, tensor<64x16xf32> -> tensor<8x16xbf16>
  %z = te.embedding %ids, %v : tensor<64xi64>, tensor<64x16xf32> -> tensor<64x16xf32>
  %d = shard.all_reduce %gt on @mesh grid_axes = [0] : tensor<64x16xf32> -> tensor<64x16xf32>
  %t1 = te.update #te.sgd<momentum = 0.0> %t gradient(%d) coefficient(%s) scalars(%s, %s) step(%step) {decay} : tensor<64x16xf32>, tensor<64x16xf32>
  %u1 = te.update #te.sgd<momentum = 0.0> %u gradient(%d) coefficient(%s) scalars(%s, %s) step(%step) {decay} : tensor<64x16xf32>, tensor<64x16xf32>
  %v1 = te.update #te.sgd<momentum = 0.0> %v gradient(%d) coefficient(%s) scalars(%s, %s) step(%step) {decay} : tensor<64x16xf32>, tensor<64x16xf32>
  return %x, %y, %z, %t1, %u1, %v1 : tensor<64x16xbf16>, tensor<8x16xbf16>, tensor<64x16xf32>,
    tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
}
func.func @init(%other: tensor<4xf32> {te.state = "other", te.init = 0.0 : f32})
    -> (tensor<4xf32> {te.state = "other", te.init = 0.0 : f32}) attributes {te.entry = "init"} {
  return %other : tensor<4xf32>
}

// -----

// The model has a parameter of the copy's name: the copy takes the next that is free,
// in every entry, and says what it is of.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: {te.param = "copy.t"}
// CHECK-SAME: tensor<64x16xbf16> {te.copy_of = "t", te.init = "derived", te.kind = "weight_copy", te.state = "copy.3.t"})
// CHECK-SAME: tensor<64x16xbf16> {te.copy_of = "t", te.init = "derived", te.kind = "weight_copy", te.state = "copy.3.t"})
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: {te.kind = "counter", te.state = "copy.2.t"}
// CHECK-SAME: {te.copy_of = "t", te.init = "derived", te.kind = "weight_copy", te.state = "copy.3.t"})
// CHECK-LABEL: func.func @init(
// CHECK-SAME: {te.copy_of = "t", te.init = "derived", te.kind = "weight_copy", te.state = "copy.3.t"})
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %gt: tensor<64x16xf32> {te.input = "gt"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %t: tensor<64x16xf32> {te.param = "t"}, %u: tensor<4xf32> {te.param = "copy.t"})
    -> (tensor<64x16xbf16> {te.output = "x"}, tensor<64x16xf32> {te.param = "t"}) attributes {te.entry = "train"} {
  %x = te.embedding %ids, %t : tensor<64xi64>, tensor<64x16xf32> -> tensor<64x16xbf16>
  %d = shard.all_reduce %gt on @mesh grid_axes = [0] : tensor<64x16xf32> -> tensor<64x16xf32>
  %t1 = te.update #te.sgd<momentum = 0.0> %t gradient(%d) coefficient(%s) scalars(%s, %s) step(%step) {decay} : tensor<64x16xf32>, tensor<64x16xf32>
  return %x, %t1 : tensor<64x16xbf16>, tensor<64x16xf32>
}
func.func @eval(%ids: tensor<64xi64> {te.input = "ids"}, %t: tensor<64x16xf32> {te.param = "t"},
                %c: tensor<i64> {te.state = "copy.2.t", te.kind = "counter"})
    -> (tensor<64x16xbf16> {te.output = "x"}) attributes {te.entry = "eval"} {
  %x = te.embedding %ids, %t : tensor<64xi64>, tensor<64x16xf32> -> tensor<64x16xbf16>
  return %x : tensor<64x16xbf16>
}
