// Which models may be trained to predict the tokens that they see.
//
// RUN: te-opt %s --split-input-file --verify-diagnostics --te-add-loss | FileCheck %s
// RUN: te-compile %S/Inputs/bidirectional.mlir --entry train --init normal:0.02 --emit te -o - --allow-lookahead | FileCheck %s --check-prefix=INSIST
// RUN: not te-compile %S/Inputs/bidirectional.mlir --entry train --init normal:0.02 --emit te -o - 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: te-compile %S/Inputs/bidirectional.mlir --entry train --loss cross-entropy --init normal:0.02 --emit te -o - | FileCheck %s --check-prefix=INSIST
// INSIST: te.attention
// INSIST-NOT: te.allow_lookahead
// REFUSED: bidirectional.mlir:{{.*}} error: every position sees all tokens here, {{.*}} insist with --allow-lookahead

// A decoder.
// CHECK-LABEL: func.func @train
// CHECK: te.cross_entropy
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %o, %lse = te.attention %h, %h, %h {causal, scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// An encoder, with one causal attention in front.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %c, %lse = te.attention %h, %h, %h {causal, scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  // expected-error @+1 {{every position sees all tokens here, also the later ones that the loss causal-lm has it predict: training would teach the model to read the answer. Make the attention causal, give labels of your own with the loss cross-entropy, or insist with --allow-lookahead (in a module, the attribute '}}
  %o, %lse2 = te.attention %c, %c, %c {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// Attention over something else, as a decoder attends to an image; and over all
// tokens, but for another output.
// CHECK-LABEL: func.func @grad
// CHECK: te.cross_entropy
func.func @grad(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %image: tensor<2x4x1x8xf32> {te.input = "image"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}, tensor<2x4x1x8xi64> {te.output = "other"}) attributes {te.entry = "grad"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %o, %lse = te.attention %h, %image, %image {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %p, %lse2 = te.attention %h, %h, %h {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %q = arith.fptosi %p : tensor<2x4x1x8xf32> to tensor<2x4x1x8xi64>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits, %q : tensor<8x16xf32>, tensor<2x4x1x8xi64>
}

// -----

// A causal mask and one of padding, joined before they hide.
// CHECK-LABEL: func.func @train
// CHECK: te.cross_entropy
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %causal = arith.constant dense<[[true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]]> : tensor<4x4xi1>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (i, j)>, affine_map<(b, h, i, j) -> (b, j)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%causal, %padding : tensor<4x4xi1>, tensor<2x4xi1>) outs(%empty : tensor<2x1x4x4xf32>) {
  ^bb0(%c: i1, %p: i1, %out: f32):
    %sees = arith.andi %c, %p : i1
    %m = arith.select %sees, %zero, %low : f32
    linalg.yield %m : f32
  } -> tensor<2x1x4x4xf32>
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// Constants beside one that hides later keys; sums are of rows.
// CHECK-LABEL: func.func @train
// CHECK: te.cross_entropy
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %slopes = arith.constant dense<[[0.0, 0.5, 1.0, 1.5]]> : tensor<1x4xf32>
  %mask = arith.constant dense<[[0.0, -1.0e+4, -1.0e+4, -1.0e+4], [0.0, 0.0, -1.0e+4, -1.0e+4], [0.0, 0.0, 0.0, -1.0e+4], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %a = linalg.broadcast ins(%slopes : tensor<1x4xf32>) outs(%empty : tensor<2x1x4x4xf32>) dimensions = [0, 2]
  %b = linalg.broadcast ins(%mask : tensor<4x4xf32>) outs(%empty : tensor<2x1x4x4xf32>) dimensions = [0, 1]
  %a2 = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<2x1x4x4xf32> into tensor<8x4xf32>
  %b2 = tensor.collapse_shape %b [[0, 1, 2], [3]] : tensor<2x1x4x4xf32> into tensor<8x4xf32>
  %sum = te.add %a2, %b2 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  %bias = tensor.expand_shape %sum [[0, 1, 2], [3]] output_shape [2, 1, 4, 4] : tensor<8x4xf32> into tensor<2x1x4x4xf32>
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// Numbers that do not hide.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %slopes = arith.constant dense<[[0.0, 0.5, 1.0, 1.5]]> : tensor<1x4xf32>
  %mask = arith.constant dense<[[0.0, -9.9e+3, -9.9e+3, -9.9e+3], [0.0, 0.0, -9.9e+3, -9.9e+3], [0.0, 0.0, 0.0, -9.9e+3], [0.0, 0.0, 0.0, 0.0]]> : tensor<4x4xf32>
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %a = linalg.broadcast ins(%slopes : tensor<1x4xf32>) outs(%empty : tensor<2x1x4x4xf32>) dimensions = [0, 2]
  %b = linalg.broadcast ins(%mask : tensor<4x4xf32>) outs(%empty : tensor<2x1x4x4xf32>) dimensions = [0, 1]
  %a2 = tensor.collapse_shape %a [[0, 1, 2], [3]] : tensor<2x1x4x4xf32> into tensor<8x4xf32>
  %b2 = tensor.collapse_shape %b [[0, 1, 2], [3]] : tensor<2x1x4x4xf32> into tensor<8x4xf32>
  %sum = te.add %a2, %b2 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  %bias = tensor.expand_shape %sum [[0, 1, 2], [3]] output_shape [2, 1, 4, 4] : tensor<8x4xf32> into tensor<2x1x4x4xf32>
  // expected-error @+1 {{every position sees all tokens here}}
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// Earlier keys are hidden.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %causal = arith.constant dense<[[false, true, true, true], [false, false, true, true], [false, false, false, true], [false, false, false, false]]> : tensor<4x4xi1>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (i, j)>, affine_map<(b, h, i, j) -> (b, j)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%causal, %padding : tensor<4x4xi1>, tensor<2x4xi1>) outs(%empty : tensor<2x1x4x4xf32>) {
  ^bb0(%c: i1, %p: i1, %out: f32):
    %sees = arith.andi %c, %p : i1
    %m = arith.select %sees, %zero, %low : f32
    linalg.yield %m : f32
  } -> tensor<2x1x4x4xf32>
  // expected-error @+1 {{every position sees all tokens here}}
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// Later keys are hidden where they are padding alone.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %causal = arith.constant dense<[[true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]]> : tensor<4x4xi1>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (i, j)>, affine_map<(b, h, i, j) -> (b, j)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%causal, %padding : tensor<4x4xi1>, tensor<2x4xi1>) outs(%empty : tensor<2x1x4x4xf32>) {
  ^bb0(%c: i1, %p: i1, %out: f32):
    %sees = arith.ori %c, %p : i1
    %m = arith.select %sees, %zero, %low : f32
    linalg.yield %m : f32
  } -> tensor<2x1x4x4xf32>
  // expected-error @+1 {{every position sees all tokens here}}
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// Later keys are all that is seen.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %causal = arith.constant dense<[[true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]]> : tensor<4x4xi1>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (i, j)>, affine_map<(b, h, i, j) -> (b, j)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%causal, %padding : tensor<4x4xi1>, tensor<2x4xi1>) outs(%empty : tensor<2x1x4x4xf32>) {
  ^bb0(%c: i1, %p: i1, %out: f32):
    %sees = arith.andi %c, %p : i1
    %m = arith.select %sees, %low, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x1x4x4xf32>
  // expected-error @+1 {{every position sees all tokens here}}
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// A mask that is read the other way round.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %causal = arith.constant dense<[[true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]]> : tensor<4x4xi1>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (j, i)>, affine_map<(b, h, i, j) -> (b, j)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%causal, %padding : tensor<4x4xi1>, tensor<2x4xi1>) outs(%empty : tensor<2x1x4x4xf32>) {
  ^bb0(%c: i1, %p: i1, %out: f32):
    %sees = arith.andi %c, %p : i1
    %m = arith.select %sees, %zero, %low : f32
    linalg.yield %m : f32
  } -> tensor<2x1x4x4xf32>
  // expected-error @+1 {{every position sees all tokens here}}
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// A mask of keys alone.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x4xi1> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %causal = arith.constant dense<[[true, false, true, false], [true, true, false, false]]> : tensor<2x4xi1>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %empty = tensor.empty() : tensor<2x1x4x4xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, j)>, affine_map<(b, h, i, j) -> (b, j)>, affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%causal, %padding : tensor<2x4xi1>, tensor<2x4xi1>) outs(%empty : tensor<2x1x4x4xf32>) {
  ^bb0(%c: i1, %p: i1, %out: f32):
    %sees = arith.andi %c, %p : i1
    %m = arith.select %sees, %zero, %low : f32
    linalg.yield %m : f32
  } -> tensor<2x1x4x4xf32>
  // expected-error @+1 {{every position sees all tokens here}}
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}

// -----

// A low number that the mask lifts where keys are seen: 1e9 * m - 1e9.
func.func @train(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %padding: tensor<2x1x4x4xf32> {te.input = "padding"}, %table: tensor<16x8xf32> {te.param = "table"})
    -> (tensor<8x16xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %large = arith.constant dense<1.0e+9> : tensor<2x1x4x4xf32>
  %low = arith.constant dense<-1.0e+9> : tensor<2x1x4x4xf32>
  %m = arith.mulf %padding, %large : tensor<2x1x4x4xf32>
  %bias = arith.addf %m, %low : tensor<2x1x4x4xf32>
  // expected-error @+1 {{every position sees all tokens here}}
  %o, %lse = te.attention %h, %h, %h bias(%bias : tensor<2x1x4x4xf32>) {scale = 1.0 : f32} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>, tensor<2x1x4xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x1x8xf32> into tensor<8x8xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  return %logits : tensor<8x16xf32>
}
