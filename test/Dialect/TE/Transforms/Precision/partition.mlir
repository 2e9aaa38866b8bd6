// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-partition | FileCheck %s
// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-partition --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-partition='policy=lm_head=fp8,fc?=high,fc2=fp8' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=RULES
// RUN: printf '# the head too\nlm_head=fp8\nfc{1,2} = high # but not these\n' > %t.policy
// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-partition=policy=@%t.policy --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not te-opt %S/../Inputs/mlp_train.mlir --te-partition=policy=fc9=high -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: te-opt %s --te-partition | FileCheck %s --check-prefix=SMALL
// RUN: te-opt %s --te-partition --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// By default the layers become FP8 and the head, with its gradients, does not.
// CHECK-LABEL: func.func @train(
// CHECK: %[[H:.*]] = te.region high -> (tensor<64x128xf32>) {
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}} = te.layer_norm
// CHECK-NEXT: te.yield %[[Y]] : tensor<64x128xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[U:.*]] = te.region fp8 -> (tensor<64x256xf32>) {
// CHECK-NEXT: %[[M:.*]] = te.matmul %[[H]],
// CHECK-NEXT: te.yield %[[M]] : tensor<64x256xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[A:.*]] = te.region high -> (tensor<64x256xf32>) {
// CHECK-NEXT: te.activation gelu_tanh %[[U]]
// CHECK: te.region fp8 -> (tensor<64x96xf32>) {
// CHECK-NEXT: te.matmul %[[A]],
// One region from the head to its gradients.
// CHECK: te.region high -> (tensor<f32>, tensor<f32>, tensor<64x96xf32>, tensor<509x96xf32>) {
// CHECK-NEXT: te.matmul
// CHECK-NEXT: te.cross_entropy
// CHECK-NEXT: arith.constant
// CHECK-NEXT: te.cross_entropy_grad
// CHECK-NEXT: te.matmul {{.*}}dgrad
// CHECK-NEXT: te.matmul {{.*}}wgrad
// CHECK-NEXT: te.yield
// Consecutive ops of one decision share a region.
// CHECK: te.region fp8 -> (tensor<64x256xf32>, tensor<256x96xf32>) {
// CHECK-NEXT: te.matmul {{.*}}dgrad
// CHECK-NEXT: te.matmul {{.*}}wgrad
// CHECK-NEXT: te.yield
// CHECK: te.region high
// CHECK: te.activation_grad
// CHECK-NEXT: te.column_sum
// CHECK: te.region fp8 -> (tensor<256x128xf32>) {
// CHECK: te.region high
// CHECK: te.global_norm
// CHECK-COUNT-4: te.update #te.adamw
// CHECK: te.yield
// CHECK-NEXT: }
// CHECK-NEXT: return

// REMARK: model.py:7:3: remark: [Passed] FP8 | Category:te-partition | Function=train | flops=4194304, layer=fc1, product=fprop, shape="64x128, 256x128 -> 64x256"
// REMARK: remark: loc("fc2"): [Passed] FP8
// REMARK: remark: loc("lm_head"): [Missed] LMHead | Category:te-partition | Function=train | Reason="its result goes to the loss or to an output (LM head), where FP8 costs accuracy", Suggestion="add 'lm_head=fp8' to the policy", flops=6254592, layer=lm_head, product=fprop, shape="64x96, 509x96 -> 64x509"
// REMARK-COUNT-2: remark: loc("lm_head"): [Missed] LMHead | Category:te-partition | Function=train
// REMARK: remark: loc("lm_head"): [Missed] LMHead | Category:te-partition | Function=forward

// Later rules win, and a rule for the head overrules its default.
// RULES: model.py:7:3: remark: [Missed] Policy | {{.*}} Reason="the policy's rule 'fc?=high' keeps it in high precision", Suggestion="add 'fc1=fp8' behind that rule"
// RULES: remark: loc("fc2"): [Passed] FP8
// RULES-COUNT-3: remark: loc("lm_head"): [Passed] FP8 | Category:te-partition | Function=train
// RULES-NOT: warning

// FILE: [Missed] Policy | {{.*}} Reason="the policy's rule 'fc{1,2}=high' keeps it in high precision"
// FILE: remark: loc("fc2"): [Missed] Policy
// FILE: remark: loc("lm_head"): [Passed] FP8

// UNUSED: error: the policy's rule 'fc9=high' matches no linear layer; there are 'fc1', 'fc2', 'lm_head'

// The head is found through casts and slices; a linear before an addition is
// none. Neutral ops join the run before them.
// SMALL-LABEL: func.func @head(
// SMALL: te.region fp8 -> (tensor<32x64xf32>) {
// SMALL-NEXT: te.matmul
// SMALL: te.region high
// SMALL-NEXT: te.add
// SMALL-NEXT: te.matmul
// SMALL-NEXT: tensor.extract_slice
// SMALL-NEXT: arith.extf
// SMALL-NEXT: te.yield
// WHY: remark: loc("body"): [Passed] FP8
// WHY: remark: loc("out"): [Missed] LMHead
func.func @head(%x: tensor<32x64xf32>, %w: tensor<64x64xf32> {te.param = "w"}, %v: tensor<64x64xbf16> {te.param = "v"}) -> (tensor<16x64xf32> {te.output = "y"}) {
  %0 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("body")
  %1 = te.add %x, %0 : tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  %2 = te.matmul %1, %v : tensor<32x64xf32>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("out")
  %3 = tensor.extract_slice %2[0, 0] [16, 64] [1, 1] : tensor<32x64xbf16> to tensor<16x64xbf16>
  %4 = arith.extf %3 : tensor<16x64xbf16> to tensor<16x64xf32>
  return %4 : tensor<16x64xf32>
}

// It is found through the cap of its logits, as arithmetic and as kernels, where there
// is a loss, and through a learned scale; with a factor that is another tensor, or before
// an output, an activation is one like others.
// WHY: remark: loc("capped"): [Missed] LMHead
// WHY: remark: loc("mapped"): [Missed] LMHead
// WHY: remark: loc("gained"): [Passed] FP8
// WHY: remark: loc("scaled"): [Missed] LMHead
// WHY: remark: loc("activated"): [Passed] FP8
func.func @capped(%x: tensor<32x64xf32>, %w: tensor<64x64xf32> {te.param = "capped.w"}, %g: tensor<32x64xf32>, %labels: tensor<32xi64>, %s: tensor<64xf32> {te.param = "capped.s"})
    -> (tensor<f32> {te.output = "a"}, tensor<f32> {te.output = "b"}, tensor<f32> {te.output = "c"}, tensor<32x64xf32> {te.output = "d"}) {
  %cap = arith.constant dense<30.0> : tensor<32x64xf32>
  %0 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("capped")
  %1 = arith.divf %0, %cap : tensor<32x64xf32>
  %2 = te.activation tanh %1 : tensor<32x64xf32> -> y tensor<32x64xf32>
  %3 = arith.mulf %2, %cap : tensor<32x64xf32>
  %a, %al, %ac = te.cross_entropy %3, %labels : tensor<32x64xf32>, tensor<32xi64> -> tensor<32xf32>
  %4 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("mapped")
  %e = tensor.empty() : tensor<32x64xf32>
  %5 = linalg.map {math.tanh} ins(%4 : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>)
  %b, %bl, %bc = te.cross_entropy %5, %labels : tensor<32x64xf32>, tensor<32xi64> -> tensor<32xf32>
  %6 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("gained")
  %7 = arith.mulf %6, %g : tensor<32x64xf32>
  %c, %cl, %cc = te.cross_entropy %7, %labels : tensor<32x64xf32>, tensor<32xi64> -> tensor<32xf32>
  %9 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("scaled")
  %rows = linalg.broadcast ins(%s : tensor<64xf32>) outs(%e : tensor<32x64xf32>) dimensions = [0]
  %10 = arith.mulf %9, %rows : tensor<32x64xf32>
  %k, %kl, %kc = te.cross_entropy %10, %labels : tensor<32x64xf32>, tensor<32xi64> -> tensor<32xf32>
  %8 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("activated")
  %d = te.activation tanh %8 : tensor<32x64xf32> -> y tensor<32x64xf32>
  return %a, %b, %c, %d : tensor<f32>, tensor<f32>, tensor<f32>, tensor<32x64xf32>
}

// Where ranks share it, too: behind the sum of their terms, with a bias that is added to
// that, and the collective of rows that makes an output whole. A layer whose terms are added
// to a residual is none.
// WHY: remark: loc("terms"): [Missed] LMHead
// WHY: remark: loc("terms_with_bias"): [Missed] LMHead
// WHY: remark: loc("shared_output"): [Missed] LMHead
// WHY: remark: loc("sequence_output"): [Missed] LMHead
// WHY: remark: loc("residual"): [Passed] FP8
shard.grid @mesh(shape = 2)
func.func @shared(%x: tensor<32x64xf32>, %w: tensor<64x64xf32> {te.param = "shared.w"}, %b: tensor<64xf32> {te.param = "b"}, %r: tensor<16x64xf32>, %all: tensor<32xi64>, %labels: tensor<16xi64>)
    -> (tensor<f32> {te.output = "a"}, tensor<f32> {te.output = "b"}, tensor<32x64xf32> {te.output = "c"}, tensor<16x64xf32> {te.output = "d"}, tensor<16x64xf32> {te.output = "e"}) {
  %0 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("terms")
  %1 = shard.all_reduce %0 on @mesh grid_axes = [0] : tensor<32x64xf32> -> tensor<32x64xf32>
  %a, %al, %ac = te.cross_entropy %1, %all : tensor<32x64xf32>, tensor<32xi64> -> tensor<32xf32>
  %row = tensor.expand_shape %b [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %2 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("terms_with_bias")
  %3 = shard.reduce_scatter %2 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<32x64xf32> -> tensor<16x64xf32>
  %4 = te.add %3, %row : tensor<16x64xf32>, tensor<1x64xf32> -> tensor<16x64xf32>
  %5 = te.activation tanh %4 : tensor<16x64xf32> -> y tensor<16x64xf32>
  %l, %ll, %lc = te.cross_entropy %5, %labels : tensor<16x64xf32>, tensor<16xi64> -> tensor<16xf32>
  %6 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("shared_output")
  %7 = shard.reduce_scatter %6 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<32x64xf32> -> tensor<16x64xf32>
  %8 = te.add %7, %row : tensor<16x64xf32>, tensor<1x64xf32> -> tensor<16x64xf32>
  %9 = shard.all_gather %8 on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x64xf32> -> tensor<32x64xf32>
  %10 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("sequence_output")
  %11 = te.reduce_scatter_sequence %10 on @mesh axes = [0] dim = 0 : tensor<32x64xf32> -> tensor<16x64xf32>
  %12 = te.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("residual")
  %13 = shard.reduce_scatter %12 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<32x64xf32> -> tensor<16x64xf32>
  %14 = te.add %13, %r : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  return %a, %l, %9, %11, %14 : tensor<f32>, tensor<f32>, tensor<32x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>
}

// What FP8 cannot take stays in high precision, with the reason.
// SMALL-LABEL: func.func @tiny(
// SMALL: te.region high
// SMALL-NEXT: te.matmul
// WHY: remark: loc("tiny"): [Missed] Unsupported | {{.*}} Reason="padding M=64 N=2 K=64 to multiples of 16 would more than double the work", Suggestion="choose features that are multiples of 16"
func.func @tiny(%x: tensor<64x64xf32>, %w: tensor<64x2xf32> {te.param = "u"}) -> tensor<64x2xf32> {
  %0 = te.matmul %x, %w : tensor<64x64xf32>, tensor<64x2xf32> -> tensor<64x2xf32> loc("tiny")
  %1 = te.activation relu %0 : tensor<64x2xf32> -> y tensor<64x2xf32>
  return %1 : tensor<64x2xf32>
}

// Of one row, a residual looks like a bias: the layer before it is no head,
// and what FP8 cannot take is said of it.
// WHY: remark: loc("one_row"): [Missed] Unsupported | {{.*}} Reason="padding M=1 N=3 K=64 to multiples of 16
func.func @one_row(%x: tensor<1x64xf32>, %r: tensor<1x3xf32>, %w: tensor<64x3xf32> {te.param = "v"}) -> (tensor<1x3xf32> {te.output = "y"}) {
  %0 = te.matmul %x, %w : tensor<1x64xf32>, tensor<64x3xf32> -> tensor<1x3xf32> loc("one_row")
  %1 = te.add %0, %r : tensor<1x3xf32>, tensor<1x3xf32> -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}
