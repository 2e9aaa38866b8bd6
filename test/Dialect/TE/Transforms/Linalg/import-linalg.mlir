// Models in upstream dialects, as other compilers write them.

// RUN: te-opt %s --te-import-linalg --split-input-file | FileCheck %s

// Each is what it was, on random values, and still after te-raise:
// RUN: te-test-opt %s --split-input-file --test-te-check-import -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-14: the same within

// An embedding, as IREE writes a gather of rows.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[W:.*]]: tensor<48x32xf32> {te.param = "wte"}, %[[IDS:.*]]: tensor<2x8xi32> {te.input = "arg1"})
// CHECK-SAME:    -> (tensor<2x8x32xf32> {te.output = "result"})
// CHECK-NEXT:  %[[ROWS:.*]] = tensor.collapse_shape %[[IDS]] {{\[}}[0, 1]] : tensor<2x8xi32> into tensor<16xi32>
// CHECK-NEXT:  %[[Y:.*]] = te.embedding %[[ROWS]], %[[W]]
// CHECK-NEXT:  %[[SHAPED:.*]] = tensor.expand_shape %[[Y]]
// CHECK-NEXT:  return %[[SHAPED]]
func.func public @main(%w: tensor<48x32xf32> {te.param = "wte", iree.something}, %ids: tensor<2x8xi32>) -> tensor<2x8x32xf32> {
  %e = tensor.empty() : tensor<2x8x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (b, s)>, affine_map<(b, s, n) -> (b, s, n)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<2x8xi32>) outs(%e : tensor<2x8x32xf32>) {
  ^bb0(%id: i32, %out: f32):
    %row = arith.index_cast %id : i32 to index
    %column = linalg.index 2 : index
    %element = tensor.extract %w[%row, %column] : tensor<48x32xf32>
    linalg.yield %element : f32
  } -> tensor<2x8x32xf32>
  return %y : tensor<2x8x32xf32>
}

// -----

// Arithmetic with a row that repeats, a column read at 0, a transposed operand
// and a number; the result's dimensions are not in the loops' order.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x6xf32> {te.param = "x"}, %[[T:[^:]*]]: tensor<6x4xf32> {te.input = "t"},
// CHECK-SAME:    %[[ROW:[^:]*]]: tensor<6xf32> {te.input = "row"}, %[[COL:[^:]*]]: tensor<4x1xf32> {te.input = "column"})
// CHECK-DAG:   %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<4x6xf32>
// CHECK-DAG:   %[[TT:.*]] = linalg.transpose ins(%[[T]] : tensor<6x4xf32>) {{.*}} permutation = [1, 0]
// CHECK:       %[[A:.*]] = arith.mulf %[[X]], %[[TT]] : tensor<4x6xf32>
// CHECK:       %[[REPEATED:.*]] = linalg.broadcast ins(%[[ROW]] : tensor<6xf32>) {{.*}} dimensions = [0]
// CHECK:       %[[B:.*]] = arith.addf %[[A]], %[[REPEATED]]
// CHECK:       linalg.broadcast {{.*}} dimensions = [1]
// CHECK:       arith.divf %{{.*}}, %[[TWO]]
// CHECK:       linalg.transpose
// CHECK-NOT:   linalg.generic
func.func @main(%x: tensor<4x6xf32> {te.param = "x"}, %t: tensor<6x4xf32> {te.input = "t"},
                %row: tensor<6xf32> {te.input = "row"}, %column: tensor<4x1xf32> {te.input = "column"}) -> tensor<6x4xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<6x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (n)>,
                                        affine_map<(m, n) -> (m, 0)>, affine_map<(m, n) -> (n, m)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %t, %row, %column : tensor<4x6xf32>, tensor<6x4xf32>, tensor<6xf32>, tensor<4x1xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.subf %1, %d : f32
    %3 = arith.divf %2, %two : f32
    linalg.yield %3 : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// A sum of squares, in one op: the squares, and their sum.
// CHECK-LABEL: func.func @forward(
// CHECK:       %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK:       %[[SQUARES:.*]] = arith.mulf %[[X:.*]], %[[X]] : tensor<4x6xf32>
// CHECK:       linalg.generic {{.*}} ins(%[[SQUARES]] : tensor<4x6xf32>) outs(%[[ZEROS]] : tensor<4xf32>)
// CHECK-NEXT:  ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT:    arith.addf %[[OUT]], %[[IN]]
func.func @main(%x: tensor<4x6xf32> {te.param = "x"}) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A matrix product stays as it is; a bias is te.add.
// CHECK-LABEL: func.func @forward(
// CHECK:       %[[P:.*]] = linalg.matmul
// CHECK:       te.add %[[P]], %{{.*}} : tensor<4x8xf32>, tensor<1x8xf32> -> tensor<4x8xf32>
func.func @main(%x: tensor<4x6xf32> {te.input = "x"}, %w: tensor<6x8xf32> {te.param = "w"}, %b: tensor<8xf32> {te.param = "b"}) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %y = linalg.add ins(%p, %r : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A mask that is computed from counters is a constant.
// CHECK-LABEL: func.func @forward(
// CHECK-DAG:   %[[MASK:.*]] = arith.constant dense<{{\[}}[true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
// CHECK-DAG:   %[[HIDDEN:.*]] = arith.constant dense<-1.000000e+09> : tensor<3x3xf32>
// CHECK:       %[[Y:.*]] = arith.select %[[MASK]], %{{.*}}, %[[HIDDEN]]
// CHECK-NEXT:  return %[[Y]]
func.func @main(%x: tensor<3x3xf32> {te.param = "x"}) -> tensor<3x3xf32> {
  %hidden = arith.constant -1.0e9 : f32
  %em = tensor.empty() : tensor<3x3xi1>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%em : tensor<3x3xi1>) {
  ^bb0(%out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = arith.index_cast %i : index to i32
    %1 = arith.index_cast %j : index to i32
    %2 = arith.cmpi sge, %0, %1 : i32
    linalg.yield %2 : i1
  } -> tensor<3x3xi1>
  %e = tensor.empty() : tensor<3x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m, %x : tensor<3x3xi1>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%c: i1, %a: f32, %out: f32):
    %0 = arith.select %c, %a, %hidden : f32
    linalg.yield %0 : f32
  } -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// -----

// One element of each row, at the position that a tensor gives: a lookup in the
// matrix as one column.
// CHECK-LABEL: func.func @forward(
// CHECK:       %[[TABLE:.*]] = tensor.collapse_shape %[[X:.*]] {{\[}}[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
// CHECK:       te.embedding %{{.*}}, %{{.*}} : tensor<4xi64>, tensor<20x1xf32> -> tensor<4x1xf32>
func.func @main(%x: tensor<4x5xf32> {te.param = "x"}, %at: tensor<4xi64> {te.input = "at"}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i64, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %a : i64 to index
    %0 = tensor.extract %x[%i, %j] : tensor<4x5xf32>
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Slices along a dimension in the middle: the columns are those around it, one
// of them read in part.
// CHECK-LABEL: func.func @forward(
// CHECK:       te.embedding
func.func @main(%x: tensor<2x5x4xf32> {te.param = "x"}, %at: tensor<3xi32> {te.input = "at"}) -> tensor<3x2x2xf32> {
  %e = tensor.empty() : tensor<3x2x2xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (i, k, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%at : tensor<3xi32>) outs(%e : tensor<3x2x2xf32>) {
  ^bb0(%a: i32, %out: f32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %row = arith.index_cast %a : i32 to index
    %0 = tensor.extract %x[%j, %row, %k] : tensor<2x5x4xf32>
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x2xf32>
  return %y : tensor<3x2x2xf32>
}

// -----

// The diagonal: one loop walks both dimensions, so neither is a column.
// CHECK-LABEL: func.func @forward(
// CHECK:       %[[IDS:.*]] = arith.constant dense<[0, 5, 10, 15]> : tensor<4xi64>
// CHECK:       te.embedding %[[IDS]]
func.func @main(%x: tensor<4x4xf32> {te.param = "x"}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %0 = tensor.extract %x[%i, %i] : tensor<4x4xf32>
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Pieces inserted one after the other are a concatenation.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[A:[^:]*]]: tensor<2x3xf32> {{.*}}, %[[B:[^:]*]]: tensor<2x1xf32>
// CHECK-NEXT:  %[[Y:.*]] = tensor.concat dim(1) %[[A]], %[[B]]
// CHECK-NEXT:  return %[[Y]]
func.func @main(%a: tensor<2x3xf32> {te.param = "a"}, %b: tensor<2x1xf32> {te.param = "b"}) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x4xf32>
  %1 = tensor.insert_slice %b into %0[0, 3] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// A block in the middle of a matrix.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:   insert_slice
// CHECK:       tensor.concat dim(1)
// CHECK:       tensor.concat dim(0)
func.func @main(%a: tensor<2xf32> {te.param = "a"}, %x: tensor<4x5xf32> {te.input = "x"}) -> tensor<4x5xf32> {
  %1 = tensor.insert_slice %a into %x[1, 2] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

// Layers stacked in one tensor: the loop is unrolled, its slices are at fixed
// places. What the model calls becomes part of it.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:   scf.for
// CHECK:       tensor.extract_slice %[[W:.*]][0, 0, 0] [1, 4, 4]
// CHECK:       linalg.matmul
// CHECK:       tensor.extract_slice %[[W]][1, 0, 0] [1, 4, 4]
// CHECK:       linalg.matmul
// CHECK-NOT:   linalg.matmul
// CHECK-NOT:   func.func
func.func private @layer(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %p : tensor<4x4xf32>
}
func.func @main(%x: tensor<4x4xf32> {te.input = "x"}, %w: tensor<2x4x4xf32> {te.param = "w"}) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%state = %x) -> (tensor<4x4xf32>) : i32 {
    %at = arith.index_cast %i : i32 to index
    %s = tensor.extract_slice %w[%at, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to tensor<1x4x4xf32>
    %m = tensor.collapse_shape %s [[0, 1], [2]] : tensor<1x4x4xf32> into tensor<4x4xf32>
    %next = func.call @layer(%state, %m) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %next : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// A maximum with a bound is what it was; a reversed operand, whose index map is
// no projection, stays a kernel.
// CHECK-LABEL: func.func @forward(
// CHECK:       linalg.generic
func.func @main(%x: tensor<4xf32> {te.param = "x"}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (3 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A reduction whose body reads its counters.
// CHECK-LABEL: func.func @forward(
// CHECK:       arith.select
// CHECK:       linalg.generic
func.func @main(%x: tensor<4x4xf32> {te.param = "x"}) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %0 = arith.select %c, %a, %zero : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A lookup that checks its positions, as torch-mlir writes them: te.embedding
// does so, too.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[IDS:.*]]: tensor<4xi64> {{.*}}, %[[W:.*]]: tensor<8x4xf32>
// CHECK-NEXT:  te.embedding %[[IDS]], %[[W]]
// CHECK-NEXT:  return
func.func @main(%ids: tensor<4xi64> {te.input = "ids"}, %w: tensor<8x4xf32> {te.param = "w"}) -> tensor<4x4xf32> {
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: i64, %out: f32):
    %i = arith.index_cast %a : i64 to index
    %inside = arith.cmpi slt, %i, %c8 : index
    cf.assert %inside, "index must be smaller than dim size"
    %j = linalg.index 1 : index
    %v = tensor.extract %w[%i, %j] : tensor<8x4xf32>
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
