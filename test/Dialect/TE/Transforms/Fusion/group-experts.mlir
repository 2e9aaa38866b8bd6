// Rows of expert products, sorted by expert, compute what they did, and their
// gradients are differences of it.

// RUN: te-opt %s --split-input-file --te-group-experts | FileCheck %s
// RUN: te-opt %s --split-input-file --te-group-experts=target=sm_90 | FileCheck %s --check-prefix=HOPPER
// RUN: te-test-opt %s --split-input-file --te-group-experts --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp=ids=4 -o /dev/null | FileCheck %s --check-prefix=VJP
// VJP-COUNT-22: max relative error

// One order for both products; the activation works on sorted rows, and the rows
// of a token are read from it. The weighted sum of a token's rows is a part of
// the way back.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x6xf32> {te.input = "x"}, %[[E:[^:]*]]: tensor<8xi32> {te.input = "e"}, %[[P:[^:]*]]: tensor<8xf32> {te.param = "p"}, %[[W1:[^:]*]]: tensor<40x6xf32> {te.param = "w1"}, %[[W2:[^:]*]]: tensor<24x5xf32>
// CHECK:         %[[SOURCE:.*]], %[[SLOT:.*]], %[[GROUPS:.*]] = te.group_rows %[[E]] {alignment = 16 : i64, count = 4 : i64} : tensor<8xi32> -> tensor<64xi32>
// CHECK:         %[[PX:.*]] = te.permute %[[X]], %[[SOURCE]] {repeat = 2 : i64} : tensor<4x6xf32>, tensor<64xi32> -> y tensor<64x6xf32>
// CHECK:         %[[H:.*]] = te.expert_matmul %[[PX]], %[[W1]] experts(%[[GROUPS]]) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<64x6xf32>, tensor<40x6xf32>, tensor<64xi32> -> tensor<64x10xf32>
// CHECK:         %[[U:.*]] = te.gated_activation silu %[[H]] : tensor<64x10xf32> -> y tensor<64x5xf32>
// CHECK:         %[[D:.*]] = te.expert_matmul %[[U]], %[[W2]] experts(%[[GROUPS]]) {alignment = 16 : i64, layer = "down", transpose_b} : tensor<64x5xf32>, tensor<24x5xf32>, tensor<64xi32> -> tensor<64x6xf32>
// CHECK:         %[[Y:.*]] = te.unpermute %[[D]], %[[SLOT]] weights(%[[P]] : tensor<8xf32>) {repeat = 2 : i64} : tensor<64x6xf32>, tensor<8xi32> -> tensor<4x6xf32>
// CHECK-NEXT:    return %[[Y]]
// HOPPER:        te.group_rows %{{.*}} {alignment = 128 : i64, count = 4 : i64} : tensor<8xi32> -> tensor<512xi32>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#token = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}, %e: tensor<8xi32> {te.input = "e"}, %p: tensor<8xf32> {te.param = "p"},
                   %w1: tensor<40x6xf32> {te.param = "w1"}, %w2: tensor<24x5xf32> {te.param = "w2"}) -> (tensor<4x6xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %i = tensor.empty() : tensor<4x2x6xf32>
  %b = linalg.broadcast ins(%x : tensor<4x6xf32>) outs(%i : tensor<4x2x6xf32>) dimensions = [1]
  %s = tensor.collapse_shape %b [[0, 1], [2]] : tensor<4x2x6xf32> into tensor<8x6xf32>
  %h = te.expert_matmul %s, %w1 experts(%e) {layer = "up", transpose_b} : tensor<8x6xf32>, tensor<40x6xf32>, tensor<8xi32> -> tensor<8x10xf32>
  %u = te.gated_activation silu %h : tensor<8x10xf32> -> y tensor<8x5xf32>
  %d = te.expert_matmul %u, %w2 experts(%e) {layer = "down", transpose_b} : tensor<8x5xf32>, tensor<24x5xf32>, tensor<8xi32> -> tensor<8x6xf32>
  %j = tensor.empty() : tensor<8x6xf32>
  %m = linalg.generic {indexing_maps = [#id2, #rows, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%d, %p : tensor<8x6xf32>, tensor<8xf32>) outs(%j : tensor<8x6xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %v = arith.mulf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<8x6xf32>
  %r = tensor.expand_shape %m [[0, 1], [2]] output_shape [4, 2, 6] : tensor<8x6xf32> into tensor<4x2x6xf32>
  %y = linalg.generic {indexing_maps = [#id3, #token], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%r : tensor<4x2x6xf32>) outs(%zero : tensor<4x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = arith.addf %out, %a : f32
    linalg.yield %v : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// A kernel between two products, whose value of a row of zeros is not zero or
// not finite: it is set to zero between rows. What one of its operands has for
// each row is permuted, and vectors of columns are not.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[SOURCE:.*]], %[[SLOT:.*]], %[[GROUPS:.*]] = te.group_rows
// CHECK:         %[[H:.*]] = te.expert_matmul
// CHECK:         %[[COLUMN:.*]] = te.permute %{{.*}}, %[[SOURCE]] : tensor<6x1xf32>, tensor<64xi32> -> y tensor<64x1xf32>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[COLUMN]]
// CHECK:         linalg.generic {{.*}} ins(%[[H]], %[[FLAT]], %{{.*}}, %[[GROUPS]] : tensor<64x4xf32>, tensor<64xf32>, tensor<4xf32>, tensor<64xi32>)
// CHECK:           arith.divf
// CHECK:           %[[NEW:.*]] = arith.divf
// CHECK:           %[[IS_ROW:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : i32
// CHECK:           arith.select %[[IS_ROW]], %[[NEW]]
// CHECK:         te.expert_matmul
// CHECK:         te.unpermute
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>
func.func @forward(%x: tensor<6x3xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %p: tensor<6xf32> {te.param = "p"}, %c: tensor<4xf32> {te.param = "c"},
                   %w1: tensor<12x4xf32> {te.param = "w1"}, %w2: tensor<16x5xf32> {te.param = "w2"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %h = te.expert_matmul %x, %w1 experts(%e) : tensor<6x3xf32>, tensor<12x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %i = tensor.empty() : tensor<6x4xf32>
  %u = linalg.generic {indexing_maps = [#id2, #rows, #columns, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%h, %p, %c : tensor<6x4xf32>, tensor<6xf32>, tensor<4xf32>) outs(%i : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %out: f32):
    %two = arith.constant 2.0 : f32
    %s = arith.addf %a, %two : f32
    %t = arith.addf %b, %two : f32
    %v = arith.mulf %t, %d : f32
    %q = arith.divf %s, %t : f32
    %r = arith.addf %q, %v : f32
    %z = arith.divf %r, %t : f32
    linalg.yield %z : f32
  } -> tensor<6x4xf32>
  %y = te.expert_matmul %u, %w2 experts(%e) : tensor<6x4xf32>, tensor<16x5xf32>, tensor<6xi32> -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// Each choice of experts has an order of its own. What mixes rows, or counts
// them, reads rows in their own order.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[S0:.*]], %[[L0:.*]], %{{.*}} = te.group_rows
// CHECK:         %[[H:.*]] = te.expert_matmul
// CHECK:         %[[BACK:.*]] = te.unpermute %[[H]], %[[L0]]
// CHECK:         linalg.transpose ins(%[[BACK]]
// CHECK:         %[[INDEXED:.*]] = linalg.generic
// CHECK:         %[[S1:.*]], %[[L1:.*]], %{{.*}} = te.group_rows
// CHECK:         te.permute %[[INDEXED]], %[[S1]]
func.func @forward(%x: tensor<4x4xf32> {te.input = "x"}, %e: tensor<4xi32> {te.input = "e"}, %f: tensor<4xi32> {te.input = "f"},
                   %w1: tensor<16x4xf32> {te.param = "w1"}, %w2: tensor<16x4xf32> {te.param = "w2"}) -> (tensor<4x4xf32> {te.output = "y"}) {
  %h = te.expert_matmul %x, %w1 experts(%e) : tensor<4x4xf32>, tensor<16x4xf32>, tensor<4xi32> -> tensor<4x4xf32>
  %i = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%h : tensor<4x4xf32>) outs(%i : tensor<4x4xf32>) permutation = [1, 0]
  %u = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<4x4xf32>) outs(%i : tensor<4x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = linalg.index 0 : index
    %k = arith.index_cast %n : index to i32
    %c = arith.sitofp %k : i32 to f32
    %v = arith.mulf %a, %c : f32
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %y = te.expert_matmul %u, %w2 experts(%f) : tensor<4x4xf32>, tensor<16x4xf32>, tensor<4xi32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// Entries that keep a cache are grouped behind te-add-kv-cache.
// CHECK-LABEL: func.func @decode(
// CHECK-NOT:     te.group_rows
// CHECK-LABEL: func.func @forward(
// CHECK:         te.group_rows
func.func @decode(%x: tensor<4x4xf32>, %e: tensor<4xi32>, %w: tensor<16x4xf32>) -> tensor<4x4xf32> attributes {te.entry = "decode"} {
  %h = te.expert_matmul %x, %w experts(%e) : tensor<4x4xf32>, tensor<16x4xf32>, tensor<4xi32> -> tensor<4x4xf32>
  return %h : tensor<4x4xf32>
}
func.func @forward(%x: tensor<0x4xf32> {te.input = "x"}, %e: tensor<0xi32> {te.input = "e"}, %w: tensor<16x4xf32> {te.param = "w"}) -> (tensor<0x4xf32> {te.output = "y"}) {
  %h = te.expert_matmul %x, %w experts(%e) : tensor<0x4xf32>, tensor<16x4xf32>, tensor<0xi32> -> tensor<0x4xf32>
  return %h : tensor<0x4xf32>
}

// -----

// Interleaved columns and other shapes of a row; of each row all is permuted
// that an operand of a kernel has.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[SOURCE:.*]], %[[SLOT:.*]], %[[GROUPS:.*]] = te.group_rows
// CHECK:         %[[H:.*]] = te.expert_matmul
// CHECK:         tensor.extract_slice %[[H]][0, 1] [64, 4] [1, 2] : tensor<64x8xf32> to tensor<64x4xf32>
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]] output_shape [64, 2, 2] : tensor<64x4xf32> into tensor<64x2x2xf32>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<6x2x2xf32> into tensor<6x4xf32>
// CHECK:         te.permute %[[FLAT]], %[[SOURCE]]
// CHECK:         linalg.generic
// CHECK:         tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<64x2x2xf32> into tensor<64x4xf32>
// CHECK:         te.expert_matmul
// CHECK:         te.unpermute
// CHECK-NOT:     te.unpermute
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @forward(%x: tensor<6x3xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %t: tensor<6x2x2xf32> {te.param = "t"},
                   %w1: tensor<12x8xf32> {te.param = "w1"}, %w2: tensor<16x5xf32> {te.param = "w2"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %h = te.expert_matmul %x, %w1 experts(%e) : tensor<6x3xf32>, tensor<12x8xf32>, tensor<6xi32> -> tensor<6x8xf32>
  %s = tensor.extract_slice %h[0, 1] [6, 4] [1, 2] : tensor<6x8xf32> to tensor<6x4xf32>
  %r = tensor.expand_shape %s [[0], [1, 2]] output_shape [6, 2, 2] : tensor<6x4xf32> into tensor<6x2x2xf32>
  %i = tensor.empty() : tensor<6x2x2xf32>
  %u = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %t : tensor<6x2x2xf32>, tensor<6x2x2xf32>) outs(%i : tensor<6x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %v = arith.addf %p, %b : f32
    linalg.yield %v : f32
  } -> tensor<6x2x2xf32>
  %c = tensor.collapse_shape %u [[0], [1, 2]] : tensor<6x2x2xf32> into tensor<6x4xf32>
  %y = te.expert_matmul %c, %w2 experts(%e) : tensor<6x4xf32>, tensor<16x5xf32>, tensor<6xi32> -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// Integers are not permuted: a kernel that reads some for each row stays where it
// is.
// CHECK-LABEL: func.func @forward(
// CHECK:         te.expert_matmul
// CHECK:         %[[BACK:.*]] = te.unpermute
// CHECK:         %[[U:.*]] = linalg.generic {{.*}} ins(%[[BACK]], %{{.*}} : tensor<6x4xf32>, tensor<6xi32>)
// CHECK:         te.permute %[[U]]
func.func @forward(%x: tensor<6x3xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %w1: tensor<12x4xf32> {te.param = "w1"}, %w2: tensor<16x5xf32> {te.param = "w2"})
    -> (tensor<6x5xf32> {te.output = "y"}) {
  %h = te.expert_matmul %x, %w1 experts(%e) : tensor<6x3xf32>, tensor<12x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %i = tensor.empty() : tensor<6x4xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%h, %e : tensor<6x4xf32>, tensor<6xi32>) outs(%i : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: i32, %out: f32):
    %f = arith.sitofp %b : i32 to f32
    %v = arith.mulf %a, %f : f32
    linalg.yield %v : f32
  } -> tensor<6x4xf32>
  %y = te.expert_matmul %u, %w2 experts(%e) : tensor<6x4xf32>, tensor<16x5xf32>, tensor<6xi32> -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// The weighted sum as one kernel, as JAX's models have it.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[D:.*]] = te.expert_matmul
// CHECK:         %[[W:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
// CHECK:         te.unpermute %[[D]], %{{.*}} weights(%[[W]] : tensor<6xf32>) {repeat = 2 : i64} : tensor<64x4xf32>, tensor<6xi32> -> tensor<3x4xf32>
// CHECK-NOT:     linalg.generic
func.func @forward(%x: tensor<6x3xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %p: tensor<3x2xf32> {te.param = "p"}, %w: tensor<12x4xf32> {te.param = "w"})
    -> (tensor<3x4xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<3x4xf32>
  %h = te.expert_matmul %x, %w experts(%e) : tensor<6x3xf32>, tensor<12x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %r = tensor.expand_shape %h [[0, 1], [2]] output_shape [3, 2, 4] : tensor<6x4xf32> into tensor<3x2x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%p, %r : tensor<3x2xf32>, tensor<3x2x4xf32>) outs(%zero : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.mulf %a, %b : f32
    %s = arith.addf %t, %out : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// Not weighted, or a sum of other rows: as they are.
// CHECK-LABEL: func.func @forward(
// CHECK:         te.unpermute %{{.*}}, %{{.*}} : tensor<64x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
// CHECK:         linalg.generic
func.func @forward(%x: tensor<6x3xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %p: tensor<2x4xf32> {te.param = "p"}, %w: tensor<12x4xf32> {te.param = "w"})
    -> (tensor<3x4xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<3x4xf32>
  %h = te.expert_matmul %x, %w experts(%e) : tensor<6x3xf32>, tensor<12x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %r = tensor.expand_shape %h [[0, 1], [2]] output_shape [3, 2, 4] : tensor<6x4xf32> into tensor<3x2x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%p, %r : tensor<2x4xf32>, tensor<3x2x4xf32>) outs(%zero : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.mulf %a, %b : f32
    %s = arith.addf %t, %out : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// A sigmoid of rows of zeros is no row of zeros, and would count in an amax.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[BACK:.*]] = te.unpermute
// CHECK:         %[[Y:.*]] = te.activation sigmoid %[[BACK]] : tensor<6x4xf32>
// CHECK:         te.permute %[[Y]]
func.func @forward(%x: tensor<6x3xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %w1: tensor<12x4xf32> {te.param = "w1"}, %w2: tensor<16x5xf32> {te.param = "w2"})
    -> (tensor<6x5xf32> {te.output = "y"}) {
  %h = te.expert_matmul %x, %w1 experts(%e) : tensor<6x3xf32>, tensor<12x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %u = te.activation sigmoid %h : tensor<6x4xf32> -> y tensor<6x4xf32>
  %y = te.expert_matmul %u, %w2 experts(%e) : tensor<6x4xf32>, tensor<16x5xf32>, tensor<6xi32> -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}
