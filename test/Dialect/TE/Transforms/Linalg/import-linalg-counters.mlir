// Counters of loops: what is known of them decides about how often a loop runs
// and about what a body reads.

// RUN: te-opt %s --te-import-linalg --split-input-file | FileCheck %s
// What is imported computes what stood there.
// RUN: te-test-opt %s --split-input-file --test-te-check-import -o /dev/null | FileCheck %s --check-prefix=SAME

// A counter of 8 bits from 126 to 130, which is -126 as a signed number: four
// times as an unsigned loop, which adds 4 x, and never as a signed one.
// SAME-COUNT-7: the same within
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NOT:     scf.for
// CHECK:         %[[A:.*]] = te.add %[[X1:.*]], %[[X1]] :
// CHECK:         %[[B:.*]] = te.add %[[A]], %[[X1]] :
// CHECK:         %[[C:.*]] = te.add %[[B]], %[[X1]] :
// CHECK:         %[[D:.*]] = te.add %[[C]], %[[X1]] :
// CHECK-NOT:     te.add
// CHECK:         collapse_shape %[[D]]
func.func @unsigned(%x: tensor<4xf32> {te.input = "x"}) -> tensor<4xf32> {
  %first = arith.constant 126 : i8
  %end = arith.constant -126 : i8
  %step = arith.constant 1 : i8
  %y = scf.for unsigned %i = %first to %end step %step iter_args(%sum = %x) -> (tensor<4xf32>) : i8 {
    %next = arith.addf %sum, %x : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// The same bounds in a signed loop, which does not run.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NOT:     te.add
// CHECK:         return %[[X]]
func.func @signed(%x: tensor<4xf32> {te.input = "x"}) -> tensor<4xf32> {
  %first = arith.constant 126 : i8
  %end = arith.constant -126 : i8
  %step = arith.constant 1 : i8
  %y = scf.for %i = %first to %end step %step iter_args(%sum = %x) -> (tensor<4xf32>) : i8 {
    %next = arith.addf %sum, %x : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// From a negative number up to a positive one: signed, three times; unsigned,
// never.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-COUNT-3: te.add
// CHECK-NOT:     te.add
func.func @across(%x: tensor<4xf32> {te.input = "x"}) -> tensor<4xf32> {
  %first = arith.constant -1 : i8
  %end = arith.constant 2 : i8
  %step = arith.constant 1 : i8
  %y = scf.for %i = %first to %end step %step iter_args(%sum = %x) -> (tensor<4xf32>) : i8 {
    %next = arith.addf %sum, %x : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  %z = scf.for unsigned %i = %first to %end step %step iter_args(%sum = %y) -> (tensor<4xf32>) : i8 {
    %next = arith.mulf %sum, %x : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}

// -----

// A counter and a number is a counter that starts there: the body reads the
// last four of six elements, and counts from 2 on.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<6xf32>
// CHECK-DAG:     arith.constant dense<[2, 3, 4, 5]> : tensor<4xi64>
// CHECK-DAG:     tensor.extract_slice %[[X]][2] [4] [1]
// CHECK-NOT:     dense<[0, 1, 2, 3]>
func.func @offset(%x: tensor<6xf32> {te.input = "x"}) -> (tensor<4xf32>, tensor<4xi64>) {
  %e = tensor.empty() : tensor<4xf32>
  %n = tensor.empty() : tensor<4xi64>
  %two = arith.constant 2 : index
  %y:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e, %n : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%o: f32, %p: i64):
    %i = linalg.index 0 : index
    %at = arith.addi %i, %two : index
    %a = tensor.extract %x[%at] : tensor<6xf32>
    %c = arith.index_cast %at : index to i64
    linalg.yield %a, %c : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// A body has ops with regions: each copy of one has a region with its arguments,
// whose values the folding of constants looks at. 2 x + 1, three times.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @regions(%x: tensor<4xf32> {te.input = "x"}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%state = %x) -> (tensor<4xf32>) {
    %next = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%state, %one : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %0 = arith.addf %a, %a : f32
      %1 = arith.addf %0, %b : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// A condition that depends on a counter alone, here in a tensor, as JAX's loops
// arrive: three layers that are stacked in one parameter.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     scf.while
// CHECK-COUNT-3: linalg.matmul
// CHECK-NOT:     linalg.matmul
// CHECK:         return
#number = affine_map<() -> ()>
func.func @counted(%x: tensor<4x8xf32> {te.input = "x"}, %w: tensor<3x8x8xf32> {te.param = "w"}) -> tensor<4x8xf32> {
  %first = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %count = arith.constant dense<3> : tensor<i32>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %n, %y = scf.while (%i = %first, %h = %x) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>) {
    %empty = tensor.empty() : tensor<i1>
    %less = linalg.generic {indexing_maps = [#number, #number, #number], iterator_types = []} ins(%i, %count : tensor<i32>, tensor<i32>) outs(%empty : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %out: i1):
      %p = arith.cmpi slt, %a, %b : i32
      linalg.yield %p : i1
    } -> tensor<i1>
    %p = tensor.extract %less[] : tensor<i1>
    scf.condition(%p) %i, %h : tensor<i32>, tensor<4x8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<4x8xf32>):
    %number = tensor.extract %i[] : tensor<i32>
    %at = arith.index_cast %number : i32 to index
    %wi = tensor.extract_slice %w[%at, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<3x8x8xf32> to tensor<8x8xf32>
    %product = linalg.matmul ins(%h, %wi : tensor<4x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
    %empty = tensor.empty() : tensor<i32>
    %next = linalg.generic {indexing_maps = [#number, #number, #number], iterator_types = []} ins(%i, %one : tensor<i32>, tensor<i32>) outs(%empty : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %out: i32):
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<i32>
    scf.yield %next, %product : tensor<i32>, tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// -----

// One that runs twice, in one that runs as often as a result of the first says,
// and a body that runs before the condition.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     scf.while
// CHECK:         %[[A:.*]] = te.add %[[X:.*]], %[[X]] :
// CHECK:         %[[B:.*]] = te.add %[[A]], %[[X]] :
// CHECK:         %[[C:.*]] = te.add %[[B]], %[[X]] :
// CHECK-NOT:     te.add
// CHECK:         collapse_shape %[[C]]
func.func @until(%x: tensor<4xf32> {te.input = "x"}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = scf.while (%i = %zero) : (index) -> index {
    %less = arith.cmpi slt, %i, %two : index
    scf.condition(%less) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  %m, %y = scf.while (%i = %zero, %sum = %x) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %next = arith.addf %sum, %x : tensor<4xf32>
    %less = arith.cmpi slt, %i, %n : index
    scf.condition(%less) %i, %next : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %sum: tensor<4xf32>):
    %next = arith.addi %i, %one : index
    scf.yield %next, %sum : index, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
