// Rows that are sorted by expert for a product, and moved back behind it.

// RUN: te-opt %s --split-input-file --te-raise | FileCheck %s
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-6: gradients within

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<6x8xf32> {{.*}}, %[[GIVEN:.*]]: tensor<6xi32>
// CHECK-NOT:     "parallel", "parallel", "parallel", "reduction"
// CHECK:         %[[E:.*]] = arith.andi %[[GIVEN]]
// CHECK-NOT:     "parallel", "parallel", "parallel", "reduction"
// CHECK:         %[[P:.*]] = te.expert_matmul %[[X]], %{{.*}} experts(%[[E]])
// CHECK-NEXT:    %[[Y:.*]] = math.tanh %[[P]]
// CHECK-NEXT:    return %[[Y]]
#own = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<6xi32> {te.input = "experts"}, %w: tensor<32x4xf32> {te.param = "w"}, %b: tensor<6x4xf32> {te.param = "b"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %three = arith.constant dense<3> : tensor<6xi32>
  %z = arith.constant dense<0> : tensor<1x6x1xi64>
  %z32 = arith.constant dense<0> : tensor<1x6x1xi32>
  %n = arith.constant dense<[[[0], [1], [2], [3], [4], [5]]]> : tensor<1x6x1xi64>
  %e = arith.andi %given, %three : tensor<6xi32>
  %k = tensor.expand_shape %e [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi32> into tensor<1x6x1xi32>
  %place = linalg.generic {indexing_maps = [#own, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%k, %k : tensor<1x6x1xi32>, tensor<1x6x1xi32>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%key: i32, %than: i32, %out: i64):
    %greater = arith.cmpi sgt, %key, %than : i32
    %equal = arith.cmpi eq, %key, %than : i32
    %at = linalg.index 3 : index
    %to = linalg.index 1 : index
    %earlier = arith.cmpi ult, %at, %to : index
    %tie = arith.andi %equal, %earlier : i1
    %before = arith.ori %greater, %tie : i1
    %one = arith.extui %before : i1 to i64
    %y = arith.addi %out, %one : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %order = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %n : tensor<1x6x1xi64>, tensor<1x6x1xi64>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%id: i64, %in: i64, %out: i64):
    %c0 = arith.constant 0 : i64
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i64
    %y = arith.addi %out, %term : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %sorted = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %k : tensor<1x6x1xi64>, tensor<1x6x1xi32>) outs(%z32 : tensor<1x6x1xi32>) {
  ^bb0(%id: i64, %in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x6x1xi32>
  %t = tensor.collapse_shape %order [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %g = tensor.collapse_shape %sorted [[0, 1, 2]] : tensor<1x6x1xi32> into tensor<6xi32>
  %r = te.embedding %t, %x : tensor<6xi64>, tensor<6x8xf32> -> tensor<6x8xf32>
  %p = te.expert_matmul %r, %w experts(%g) : tensor<6x8xf32>, tensor<32x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %q = math.tanh %p : tensor<6x4xf32>
  %back = tensor.collapse_shape %place [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %y = te.embedding %back, %q : tensor<6xi64>, tensor<6x4xf32> -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Two rows of each token, and back as a sum of them.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<3x8xf32>
// CHECK-NOT:     "parallel", "parallel", "parallel", "reduction"
// CHECK:         linalg.broadcast ins(%[[X]] : tensor<3x8xf32>) outs(%{{.*}} : tensor<3x2x8xf32>) dimensions = [1]
// CHECK-NOT:     "parallel", "parallel", "parallel", "reduction"
// CHECK:         te.expert_matmul
// CHECK-NEXT:    math.tanh
// CHECK:         linalg.generic {{.*}}["parallel", "reduction", "parallel"]
// CHECK-NOT:     "parallel", "parallel", "parallel", "reduction"
#own = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
func.func @forward(%x: tensor<3x8xf32> {te.input = "x"}, %given: tensor<6xi32> {te.input = "experts"}, %w: tensor<32x4xf32> {te.param = "w"}, %b: tensor<6x4xf32> {te.param = "b"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %three = arith.constant dense<3> : tensor<6xi32>
  %z = arith.constant dense<0> : tensor<1x6x1xi64>
  %z32 = arith.constant dense<0> : tensor<1x6x1xi32>
  %n = arith.constant dense<[[[0], [1], [2], [3], [4], [5]]]> : tensor<1x6x1xi64>
  %e = arith.andi %given, %three : tensor<6xi32>
  %k = tensor.expand_shape %e [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi32> into tensor<1x6x1xi32>
  %place = linalg.generic {indexing_maps = [#own, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%k, %k : tensor<1x6x1xi32>, tensor<1x6x1xi32>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%key: i32, %than: i32, %out: i64):
    %greater = arith.cmpi sgt, %key, %than : i32
    %equal = arith.cmpi eq, %key, %than : i32
    %at = linalg.index 3 : index
    %to = linalg.index 1 : index
    %earlier = arith.cmpi ult, %at, %to : index
    %tie = arith.andi %equal, %earlier : i1
    %before = arith.ori %greater, %tie : i1
    %one = arith.extui %before : i1 to i64
    %y = arith.addi %out, %one : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %order = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %n : tensor<1x6x1xi64>, tensor<1x6x1xi64>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%id: i64, %in: i64, %out: i64):
    %c0 = arith.constant 0 : i64
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i64
    %y = arith.addi %out, %term : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %sorted = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %k : tensor<1x6x1xi64>, tensor<1x6x1xi32>) outs(%z32 : tensor<1x6x1xi32>) {
  ^bb0(%id: i64, %in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x6x1xi32>
  %t = tensor.collapse_shape %order [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %g = tensor.collapse_shape %sorted [[0, 1, 2]] : tensor<1x6x1xi32> into tensor<6xi32>
  %two = arith.constant dense<2> : tensor<6xi64>
  %half = arith.divsi %t, %two : tensor<6xi64>
  %r = te.embedding %half, %x : tensor<6xi64>, tensor<3x8xf32> -> tensor<6x8xf32>
  %p = te.expert_matmul %r, %w experts(%g) : tensor<6x8xf32>, tensor<32x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %q = math.tanh %p : tensor<6x4xf32>
  %tokens = tensor.expand_shape %half [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi64> into tensor<1x6x1xi64>
  %zf = arith.constant dense<0.0> : tensor<1x3x4xf32>
  %ids = tensor.collapse_shape %tokens [[0], [1, 2]] : tensor<1x6x1xi64> into tensor<1x6xi64>
  %if = tensor.empty() : tensor<1x6x4xi64>
  %columns = linalg.broadcast ins(%ids : tensor<1x6xi64>) outs(%if : tensor<1x6x4xi64>) dimensions = [2]
  %q3 = tensor.expand_shape %q [[0, 1], [2]] output_shape [1, 6, 4] : tensor<6x4xf32> into tensor<1x6x4xf32>
  %s = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%columns, %q3 : tensor<1x6x4xi64>, tensor<1x6x4xf32>) outs(%zf : tensor<1x3x4xf32>) {
  ^bb0(%id: i64, %in: f32, %out: f32):
    %c0 = arith.constant 0.0 : f32
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : f32
    %y = arith.addf %out, %term : f32
    linalg.yield %y : f32
  } -> tensor<1x3x4xf32>
  %s2 = tensor.collapse_shape %s [[0, 1], [2]] : tensor<1x3x4xf32> into tensor<3x4xf32>
  %y = tensor.concat dim(0) %s2, %s2 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Products move to rows as they were, and their rows to the order, where what
// follows is not moved back: it is moved again,
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<6x8xf32>
// CHECK:         "parallel", "parallel", "parallel", "reduction"
// CHECK:         te.expert_matmul %[[X]],
// CHECK:         te.embedding
#own = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<6xi32> {te.input = "experts"}, %w: tensor<32x4xf32> {te.param = "w"}, %b: tensor<6x4xf32> {te.param = "b"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %three = arith.constant dense<3> : tensor<6xi32>
  %z = arith.constant dense<0> : tensor<1x6x1xi64>
  %z32 = arith.constant dense<0> : tensor<1x6x1xi32>
  %n = arith.constant dense<[[[0], [1], [2], [3], [4], [5]]]> : tensor<1x6x1xi64>
  %e = arith.andi %given, %three : tensor<6xi32>
  %k = tensor.expand_shape %e [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi32> into tensor<1x6x1xi32>
  %place = linalg.generic {indexing_maps = [#own, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%k, %k : tensor<1x6x1xi32>, tensor<1x6x1xi32>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%key: i32, %than: i32, %out: i64):
    %greater = arith.cmpi sgt, %key, %than : i32
    %equal = arith.cmpi eq, %key, %than : i32
    %at = linalg.index 3 : index
    %to = linalg.index 1 : index
    %earlier = arith.cmpi ult, %at, %to : index
    %tie = arith.andi %equal, %earlier : i1
    %before = arith.ori %greater, %tie : i1
    %one = arith.extui %before : i1 to i64
    %y = arith.addi %out, %one : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %order = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %n : tensor<1x6x1xi64>, tensor<1x6x1xi64>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%id: i64, %in: i64, %out: i64):
    %c0 = arith.constant 0 : i64
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i64
    %y = arith.addi %out, %term : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %sorted = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %k : tensor<1x6x1xi64>, tensor<1x6x1xi32>) outs(%z32 : tensor<1x6x1xi32>) {
  ^bb0(%id: i64, %in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x6x1xi32>
  %t = tensor.collapse_shape %order [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %g = tensor.collapse_shape %sorted [[0, 1, 2]] : tensor<1x6x1xi32> into tensor<6xi32>
  %r = te.embedding %t, %x : tensor<6xi64>, tensor<6x8xf32> -> tensor<6x8xf32>
  %p = te.expert_matmul %r, %w experts(%g) : tensor<6x8xf32>, tensor<32x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %q = math.tanh %p : tensor<6x4xf32>
  %y = te.embedding %t, %q : tensor<6xi64>, tensor<6x4xf32> -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// or every place has a number of its own,
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<6x8xf32>
// CHECK:         "parallel", "parallel", "parallel", "reduction"
// CHECK:         te.expert_matmul %[[X]],
// CHECK:         te.embedding
#own = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<6xi32> {te.input = "experts"}, %w: tensor<32x4xf32> {te.param = "w"}, %b: tensor<6x4xf32> {te.param = "b"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %three = arith.constant dense<3> : tensor<6xi32>
  %z = arith.constant dense<0> : tensor<1x6x1xi64>
  %z32 = arith.constant dense<0> : tensor<1x6x1xi32>
  %n = arith.constant dense<[[[0], [1], [2], [3], [4], [5]]]> : tensor<1x6x1xi64>
  %e = arith.andi %given, %three : tensor<6xi32>
  %k = tensor.expand_shape %e [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi32> into tensor<1x6x1xi32>
  %place = linalg.generic {indexing_maps = [#own, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%k, %k : tensor<1x6x1xi32>, tensor<1x6x1xi32>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%key: i32, %than: i32, %out: i64):
    %greater = arith.cmpi sgt, %key, %than : i32
    %equal = arith.cmpi eq, %key, %than : i32
    %at = linalg.index 3 : index
    %to = linalg.index 1 : index
    %earlier = arith.cmpi ult, %at, %to : index
    %tie = arith.andi %equal, %earlier : i1
    %before = arith.ori %greater, %tie : i1
    %one = arith.extui %before : i1 to i64
    %y = arith.addi %out, %one : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %order = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %n : tensor<1x6x1xi64>, tensor<1x6x1xi64>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%id: i64, %in: i64, %out: i64):
    %c0 = arith.constant 0 : i64
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i64
    %y = arith.addi %out, %term : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %sorted = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %k : tensor<1x6x1xi64>, tensor<1x6x1xi32>) outs(%z32 : tensor<1x6x1xi32>) {
  ^bb0(%id: i64, %in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x6x1xi32>
  %t = tensor.collapse_shape %order [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %g = tensor.collapse_shape %sorted [[0, 1, 2]] : tensor<1x6x1xi32> into tensor<6xi32>
  %r = te.embedding %t, %x : tensor<6xi64>, tensor<6x8xf32> -> tensor<6x8xf32>
  %p = te.expert_matmul %r, %w experts(%g) : tensor<6x8xf32>, tensor<32x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %pb = te.add %p, %b : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x4xf32>
  %q = math.tanh %pb : tensor<6x4xf32>
  %back = tensor.collapse_shape %place [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %y = te.embedding %back, %q : tensor<6xi64>, tensor<6x4xf32> -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// or the sorted rows are what is wanted.
// CHECK-LABEL: func.func @forward(
// CHECK:         "parallel", "parallel", "parallel", "reduction"
// CHECK:         te.expert_matmul
// CHECK:         te.embedding
#own = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<6xi32> {te.input = "experts"}, %w: tensor<32x4xf32> {te.param = "w"}, %b: tensor<6x4xf32> {te.param = "b"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %three = arith.constant dense<3> : tensor<6xi32>
  %z = arith.constant dense<0> : tensor<1x6x1xi64>
  %z32 = arith.constant dense<0> : tensor<1x6x1xi32>
  %n = arith.constant dense<[[[0], [1], [2], [3], [4], [5]]]> : tensor<1x6x1xi64>
  %e = arith.andi %given, %three : tensor<6xi32>
  %k = tensor.expand_shape %e [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi32> into tensor<1x6x1xi32>
  %place = linalg.generic {indexing_maps = [#own, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%k, %k : tensor<1x6x1xi32>, tensor<1x6x1xi32>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%key: i32, %than: i32, %out: i64):
    %greater = arith.cmpi sgt, %key, %than : i32
    %equal = arith.cmpi eq, %key, %than : i32
    %at = linalg.index 3 : index
    %to = linalg.index 1 : index
    %earlier = arith.cmpi ult, %at, %to : index
    %tie = arith.andi %equal, %earlier : i1
    %before = arith.ori %greater, %tie : i1
    %one = arith.extui %before : i1 to i64
    %y = arith.addi %out, %one : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %order = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %n : tensor<1x6x1xi64>, tensor<1x6x1xi64>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%id: i64, %in: i64, %out: i64):
    %c0 = arith.constant 0 : i64
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i64
    %y = arith.addi %out, %term : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %sorted = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %k : tensor<1x6x1xi64>, tensor<1x6x1xi32>) outs(%z32 : tensor<1x6x1xi32>) {
  ^bb0(%id: i64, %in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x6x1xi32>
  %t = tensor.collapse_shape %order [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %g = tensor.collapse_shape %sorted [[0, 1, 2]] : tensor<1x6x1xi32> into tensor<6xi32>
  %r = te.embedding %t, %x : tensor<6xi64>, tensor<6x8xf32> -> tensor<6x8xf32>
  %p = te.expert_matmul %r, %w experts(%g) : tensor<6x8xf32>, tensor<32x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %q = math.tanh %p : tensor<6x4xf32>
  %y = tensor.extract_slice %q[0, 0] [6, 4] [1, 1] : tensor<6x4xf32> to tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Of equal numbers, the later one first: it is left.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[ROWS:.*]] = te.embedding
// CHECK:         te.expert_matmul %[[ROWS]],
#own = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#other = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<6xi32> {te.input = "experts"}, %w: tensor<32x4xf32> {te.param = "w"}, %b: tensor<6x4xf32> {te.param = "b"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %three = arith.constant dense<3> : tensor<6xi32>
  %z = arith.constant dense<0> : tensor<1x6x1xi64>
  %z32 = arith.constant dense<0> : tensor<1x6x1xi32>
  %n = arith.constant dense<[[[0], [1], [2], [3], [4], [5]]]> : tensor<1x6x1xi64>
  %e = arith.andi %given, %three : tensor<6xi32>
  %k = tensor.expand_shape %e [[0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi32> into tensor<1x6x1xi32>
  %place = linalg.generic {indexing_maps = [#own, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%k, %k : tensor<1x6x1xi32>, tensor<1x6x1xi32>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%key: i32, %than: i32, %out: i64):
    %greater = arith.cmpi sgt, %key, %than : i32
    %equal = arith.cmpi eq, %key, %than : i32
    %at = linalg.index 3 : index
    %to = linalg.index 1 : index
    %earlier = arith.cmpi ult, %to, %at : index
    %tie = arith.andi %equal, %earlier : i1
    %before = arith.ori %greater, %tie : i1
    %one = arith.extui %before : i1 to i64
    %y = arith.addi %out, %one : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %order = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %n : tensor<1x6x1xi64>, tensor<1x6x1xi64>) outs(%z : tensor<1x6x1xi64>) {
  ^bb0(%id: i64, %in: i64, %out: i64):
    %c0 = arith.constant 0 : i64
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i64
    %y = arith.addi %out, %term : i64
    linalg.yield %y : i64
  } -> tensor<1x6x1xi64>
  %sorted = linalg.generic {indexing_maps = [#other, #other, #own], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%place, %k : tensor<1x6x1xi64>, tensor<1x6x1xi32>) outs(%z32 : tensor<1x6x1xi32>) {
  ^bb0(%id: i64, %in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %id, %here : i64
    %term = arith.select %is, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x6x1xi32>
  %t = tensor.collapse_shape %order [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %g = tensor.collapse_shape %sorted [[0, 1, 2]] : tensor<1x6x1xi32> into tensor<6xi32>
  %r = te.embedding %t, %x : tensor<6xi64>, tensor<6x8xf32> -> tensor<6x8xf32>
  %p = te.expert_matmul %r, %w experts(%g) : tensor<6x8xf32>, tensor<32x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %q = math.tanh %p : tensor<6x4xf32>
  %back = tensor.collapse_shape %place [[0, 1, 2]] : tensor<1x6x1xi64> into tensor<6xi64>
  %y = te.embedding %back, %q : tensor<6xi64>, tensor<6x4xf32> -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
