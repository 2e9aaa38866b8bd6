// Counters of loops: what is known of them decides about how often a loop runs
// and about what a body reads.

// RUN: te-opt %s --te-import-linalg --split-input-file | FileCheck %s
// What is imported computes what stood there.
// RUN: te-test-opt %s --split-input-file --test-te-check-import -o /dev/null | FileCheck %s --check-prefix=SAME

// A counter of 8 bits from 126 to 130, which is -126 as a signed number: four
// times as an unsigned loop, which adds 4 x, and never as a signed one.
// SAME-COUNT-5: the same within
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
