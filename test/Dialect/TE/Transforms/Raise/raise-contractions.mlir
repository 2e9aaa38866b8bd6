// Contractions are recognised for what they compute, whatever they are called
// and however their dimensions are ordered. contractions-execution.mlir has
// their numbers.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s
// RUN: te-opt %s --te-raise --split-input-file --remarks-filter=te-raise -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: te-test-opt %s --te-raise --te-differentiate="entries=vjp,forward loss=none" --split-input-file --test-te-check-vjp -o /dev/null | FileCheck %s --check-prefix=NUMBERS

// REMARK: Contraction {{.*}}'linalg.generic' is a product of matrices
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<6x4xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<4x5xf32>
// CHECK-NEXT:    %[[Y:.*]] = te.matmul %[[X]], %[[W]] : tensor<6x4xf32>, tensor<4x5xf32> -> tensor<6x5xf32>
// CHECK-NEXT:    return %[[Y]]
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %w: tensor<4x5xf32> {te.param = "w"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<6x5xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<6x4xf32>, tensor<4x5xf32>) outs(%z : tensor<6x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// Loops in another order, the weight stored [N,K], the input with two leading
// dimensions, operands widened, and the factors and summands turned around.
// REMARK: Contraction {{.*}}'linalg.generic' is a product of matrices
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<2x3x4xbf16> {{.*}}, %[[W:[^ ,:]*]]: tensor<5x4xbf16>
// CHECK-NEXT:    %[[M:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<2x3x4xbf16> into tensor<6x4xbf16>
// CHECK-NEXT:    %[[Y:.*]] = te.matmul %[[M]], %[[W]] {transpose_b} : tensor<6x4xbf16>, tensor<5x4xbf16> -> tensor<6x5xf32>
// CHECK-NEXT:    tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 5]
#x = affine_map<(k, s, n, b) -> (b, s, k)>
#w = affine_map<(k, s, n, b) -> (n, k)>
#y = affine_map<(k, s, n, b) -> (b, s, n)>
func.func @forward(%x: tensor<2x3x4xbf16> {te.input = "x"}, %w: tensor<5x4xbf16> {te.param = "w"}) -> (tensor<2x3x5xf32> {te.output = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["reduction", "parallel", "parallel", "parallel"]}
      ins(%x, %w : tensor<2x3x4xbf16>, tensor<5x4xbf16>) outs(%z : tensor<2x3x5xf32>) {
  ^bb0(%p: bf16, %q: bf16, %o: f32):
    %wide = arith.extf %q : bf16 to f32
    %wider = arith.extf %p : bf16 to f32
    %t = arith.mulf %wide, %wider : f32
    %s = arith.addf %t, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x3x5xf32>
  return %y : tensor<2x3x5xf32>
}

// -----

// The result transposed: the weight is the left operand.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<6x4xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<4x5xf32>
// CHECK-NEXT:    te.matmul %[[W]], %[[X]] {transpose_a, transpose_b} : tensor<4x5xf32>, tensor<6x4xf32> -> tensor<5x6xf32>
// CHECK-NEXT:    return
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (n, m)>
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %w: tensor<4x5xf32> {te.param = "w"}) -> (tensor<5x6xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<5x6xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<6x4xf32>, tensor<4x5xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// -----

// Where that is transposed anyway, as JAX's maps of `weight @ x` are, the weight is the
// right operand, and no activation is transposed.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<2x3x4xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<5x4xf32>
// CHECK-NEXT:    %[[M:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK-NEXT:    %[[D:.*]] = te.matmul %[[M]], %[[W]] {transpose_b} : tensor<6x4xf32>, tensor<5x4xf32> -> tensor<6x5xf32>
// CHECK-NEXT:    %[[Y:.*]] = tensor.expand_shape %[[D]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 5]
// CHECK-NEXT:    return %[[Y]]
#w = affine_map<(n, b, s, k) -> (n, k)>
#x = affine_map<(n, b, s, k) -> (b, s, k)>
#y = affine_map<(n, b, s, k) -> (n, b, s)>
func.func @forward(%x: tensor<2x3x4xf32> {te.input = "x"}, %w: tensor<5x4xf32> {te.param = "w"}) -> (tensor<2x3x5xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<5x2x3xf32>
  %y = linalg.contract indexing_maps = [#w, #x, #y] ins(%w, %x : tensor<5x4xf32>, tensor<2x3x4xf32>) outs(%z : tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  %e = tensor.empty() : tensor<2x3x5xf32>
  %t = linalg.transpose ins(%y : tensor<5x2x3xf32>) outs(%e : tensor<2x3x5xf32>) permutation = [1, 2, 0]
  return %t : tensor<2x3x5xf32>
}

// -----

// The same of te.matmul.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<6x4xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<5x4xf32>
// CHECK-NEXT:    %[[D:.*]] = te.matmul %[[X]], %[[W]] {transpose_b} : tensor<6x4xf32>, tensor<5x4xf32> -> tensor<6x5xf32>
// CHECK-NEXT:    return %[[D]]
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %w: tensor<5x4xf32> {te.param = "w"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %y = te.matmul %w, %x {transpose_b} : tensor<5x4xf32>, tensor<6x4xf32> -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<6x5xf32>
  %t = linalg.transpose ins(%y : tensor<5x6xf32>) outs(%e : tensor<6x5xf32>) permutation = [1, 0]
  return %t : tensor<6x5xf32>
}

// -----

// The same with batch and sequence as one dimension in between, as IREE writes it: no
// transpose is left.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<2x3x4xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<5x4xf32>
// CHECK-NEXT:    %[[M:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK-NEXT:    %[[D:.*]] = te.matmul %[[M]], %[[W]] {transpose_b} : tensor<6x4xf32>, tensor<5x4xf32> -> tensor<6x5xf32>
// CHECK-NEXT:    %[[Y:.*]] = tensor.expand_shape %[[D]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 5]
// CHECK-NEXT:    return %[[Y]]
func.func @forward(%x: tensor<2x3x4xf32> {te.input = "x"}, %w: tensor<5x4xf32> {te.param = "w"}) -> (tensor<2x3x5xf32> {te.output = "y"}) {
  %e0 = tensor.empty() : tensor<4x2x3xf32>
  %xt = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%e0 : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  %m = tensor.collapse_shape %xt [[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
  %z = arith.constant dense<0.0> : tensor<5x6xf32>
  %d = linalg.matmul ins(%w, %m : tensor<5x4xf32>, tensor<4x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = tensor.expand_shape %d [[0], [1, 2]] output_shape [5, 2, 3] : tensor<5x6xf32> into tensor<5x2x3xf32>
  %e1 = tensor.empty() : tensor<2x3x5xf32>
  %t = linalg.transpose ins(%y : tensor<5x2x3xf32>) outs(%e1 : tensor<2x3x5xf32>) permutation = [1, 2, 0]
  return %t : tensor<2x3x5xf32>
}

// -----

// Activations that were put in an order with features first, by a transpose that remains,
// are put in one with tokens first instead.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<2x7x3x4xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<28x5xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[X]] {{.*}} permutation = [0, 2, 1, 3]
// CHECK-NEXT:    %[[M:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1], [2, 3]] : tensor<2x3x7x4xf32> into tensor<6x28xf32>
// CHECK-NEXT:    %[[D:.*]] = te.matmul %[[M]], %[[W]] : tensor<6x28xf32>, tensor<28x5xf32> -> tensor<6x5xf32>
// CHECK-NEXT:    return %[[D]]
func.func @forward(%x: tensor<2x7x3x4xf32> {te.input = "x"}, %w: tensor<28x5xf32> {te.param = "w"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<7x4x2x3xf32>
  %xt = linalg.transpose ins(%x : tensor<2x7x3x4xf32>) outs(%e : tensor<7x4x2x3xf32>) permutation = [1, 3, 0, 2]
  %m = tensor.collapse_shape %xt [[0, 1], [2, 3]] : tensor<7x4x2x3xf32> into tensor<28x6xf32>
  %d = te.matmul %m, %w {transpose_a} : tensor<28x6xf32>, tensor<28x5xf32> -> tensor<6x5xf32>
  return %d : tensor<6x5xf32>
}

// -----

// The product of two weights, or of two activations, stays as it is written.
// NUMBERS: 4 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<5x4xf32> {te.input = "x"}, %[[Y:[^ ,:]*]]: tensor<6x4xf32> {te.input = "y"}, %[[V:[^ ,:]*]]: tensor<5x4xf32> {te.param = "v"}, %[[W:[^ ,:]*]]: tensor<6x4xf32>
// CHECK-DAG:     te.matmul %[[V]], %[[W]] {transpose_b}
// CHECK-DAG:     te.matmul %[[X]], %[[Y]] {transpose_b}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @forward(%x: tensor<5x4xf32> {te.input = "x"}, %y: tensor<6x4xf32> {te.input = "y"}, %v: tensor<5x4xf32> {te.param = "v"}, %w: tensor<6x4xf32> {te.param = "w"})
    -> (tensor<6x5xf32> {te.output = "weights"}, tensor<6x5xf32> {te.output = "activations"}) {
  %z = arith.constant dense<0.0> : tensor<5x6xf32>
  %e = tensor.empty() : tensor<6x5xf32>
  %p = linalg.contract indexing_maps = [#a, #b, #c] ins(%v, %w : tensor<5x4xf32>, tensor<6x4xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %pt = linalg.transpose ins(%p : tensor<5x6xf32>) outs(%e : tensor<6x5xf32>) permutation = [1, 0]
  %q = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %y : tensor<5x4xf32>, tensor<6x4xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %qt = linalg.transpose ins(%q : tensor<5x6xf32>) outs(%e : tensor<6x5xf32>) permutation = [1, 0]
  return %pt, %qt : tensor<6x5xf32>, tensor<6x5xf32>
}

// -----

// Two sums over dimensions that stand apart in one operand and in another order
// in the other; heads and features of the result apart, too.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK:         te.matmul {{.*}} -> tensor<6x35xf32>
// CHECK-NOT:     linalg.contract
#a = affine_map<(b, s, h, d, n, e) -> (b, h, s, d)>
#b = affine_map<(b, s, h, d, n, e) -> (d, n, h, e)>
#c = affine_map<(b, s, h, d, n, e) -> (b, n, s, e)>
func.func @forward(%x: tensor<2x4x3x2xf32> {te.input = "x"}, %w: tensor<2x5x4x7xf32> {te.param = "w"}) -> (tensor<2x5x3x7xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<2x5x3x7xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<2x4x3x2xf32>, tensor<2x5x4x7xf32>) outs(%z : tensor<2x5x3x7xf32>) -> tensor<2x5x3x7xf32>
  return %y : tensor<2x5x3x7xf32>
}

// -----

// What the sum starts from is an addend, with a gradient of its own.
// NUMBERS: 3 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK:         te.matmul %{{.*}}, %{{.*}} addend(%{{.*}} : tensor<6x5xf32>) : tensor<6x4xf32>, tensor<4x5xf32> -> tensor<6x5xf32>
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %w: tensor<4x5xf32> {te.param = "w"}, %r: tensor<6x5xf32> {te.input = "r"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %y = linalg.matmul ins(%x, %w : tensor<6x4xf32>, tensor<4x5xf32>) outs(%r : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// A vector repeated over the rows, by linalg.broadcast or in a body, is a bias.
// NUMBERS: 4 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<2x3x4xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<4x5xf32> {{.*}}, %[[B:[^ ,:]*]]: tensor<5xf32> {{.*}}, %[[C:[^ ,:]*]]: tensor<6xf32>
// CHECK:         te.matmul %{{.*}}, %[[W]] bias(%[[B]] : tensor<5xf32>) : tensor<6x4xf32>, tensor<4x5xf32> -> tensor<6x5xf32>
// Repeated over the columns it is not one.
// CHECK:         te.matmul %{{.*}}, %[[W]] addend(%{{.*}} : tensor<6x5xf32>)
#a = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(m, n) -> (m)>
#id = affine_map<(m, n) -> (m, n)>
func.func @forward(%x: tensor<2x3x4xf32> {te.input = "x"}, %w: tensor<4x5xf32> {te.param = "w"}, %b: tensor<5xf32> {te.param = "b"}, %c: tensor<6xf32> {te.param = "c"})
    -> (tensor<2x3x5xf32> {te.output = "y"}, tensor<6x5xf32> {te.output = "z"}) {
  %e = tensor.empty() : tensor<2x3x5xf32>
  %i = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x3x5xf32>) dimensions = [0, 1]
  %y = linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w : tensor<2x3x4xf32>, tensor<4x5xf32>) outs(%i : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %f = tensor.empty() : tensor<6x5xf32>
  %j = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<6xf32>) outs(%f : tensor<6x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x5xf32>
  %z = linalg.matmul ins(%m, %w : tensor<6x4xf32>, tensor<4x5xf32>) outs(%j : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %y, %z : tensor<2x3x5xf32>, tensor<6x5xf32>
}

// -----

// linalg.matmul with maps of its own, here both operands transposed.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK:         te.matmul %{{.*}}, %{{.*}} {transpose_a, transpose_b} : tensor<4x6xf32>, tensor<5x4xf32> -> tensor<6x5xf32>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}, %w: tensor<5x4xf32> {te.param = "w"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<6x5xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<4x6xf32>, tensor<5x4xf32>) outs(%z : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// Vectors are matrices of one row or column.
// NUMBERS: 3 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-DAG:     te.matmul {{.*}} : tensor<1x4xf32>, tensor<4x5xf32> -> tensor<1x5xf32>
// CHECK-DAG:     te.matmul {{.*}} : tensor<4x5xf32>, tensor<5x1xf32> -> tensor<4x1xf32>
// CHECK-DAG:     te.matmul {{.*}} : tensor<1x4xf32>, tensor<4x1xf32> -> tensor<1x1xf32>
func.func @forward(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4x5xf32> {te.param = "w"}, %v: tensor<5xf32> {te.param = "v"})
    -> (tensor<5xf32> {te.output = "y"}, tensor<4xf32> {te.output = "z"}, tensor<f32> {te.output = "d"}) {
  %z5 = arith.constant dense<0.0> : tensor<5xf32>
  %z4 = arith.constant dense<0.0> : tensor<4xf32>
  %z0 = arith.constant dense<0.0> : tensor<f32>
  %y = linalg.vecmat ins(%x, %w : tensor<4xf32>, tensor<4x5xf32>) outs(%z5 : tensor<5xf32>) -> tensor<5xf32>
  %z = linalg.matvec ins(%w, %v : tensor<4x5xf32>, tensor<5xf32>) outs(%z4 : tensor<4xf32>) -> tensor<4xf32>
  %d = linalg.dot ins(%x, %z : tensor<4xf32>, tensor<4xf32>) outs(%z0 : tensor<f32>) -> tensor<f32>
  return %y, %z, %d : tensor<5xf32>, tensor<4xf32>, tensor<f32>
}

// -----

// A batch of one is not a batch; nor is a batch that one operand does not have.
// NUMBERS: 3 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-COUNT-2: te.matmul
// CHECK-NOT:     linalg
#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @forward(%x: tensor<1x6x4xf32> {te.input = "x"}, %w: tensor<1x4x5xf32> {te.param = "w"}, %v: tensor<5x3xf32> {te.param = "v"}) -> (tensor<1x6x3xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<1x6x5xf32>
  %h = linalg.batch_matmul ins(%x, %w : tensor<1x6x4xf32>, tensor<1x4x5xf32>) outs(%z : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  %z3 = arith.constant dense<0.0> : tensor<1x6x3xf32>
  %y = linalg.batch_matmul indexing_maps = [#a, #b, #c] ins(%h, %v : tensor<1x6x5xf32>, tensor<5x3xf32>) outs(%z3 : tensor<1x6x3xf32>) -> tensor<1x6x3xf32>
  return %y : tensor<1x6x3xf32>
}

// -----

// A batch of products stays one op, a kernel, whose gradients are batches of
// products.
// REMARK: Contraction {{.*}}both operands and the result have a loop in common
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @forward(%x: tensor<3x6x4xf32> {te.input = "x"}, %w: tensor<3x4x5xf32> {te.param = "w"}) -> (tensor<3x6x5xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<3x6x5xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<3x6x4xf32>, tensor<3x4x5xf32>) outs(%z : tensor<3x6x5xf32>) -> tensor<3x6x5xf32>
  return %y : tensor<3x6x5xf32>
}

// -----

// Not a sum of products: the body does something else to one of the factors.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.matmul
// CHECK:         math.exp
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %w: tensor<4x5xf32> {te.param = "w"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<6x5xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<6x4xf32>, tensor<4x5xf32>) outs(%z : tensor<6x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %e = math.exp %p : f32
    %t = arith.mulf %e, %q : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// A loop of one operand alone.
// REMARK: Contraction {{.*}}a loop is one of a single operand, or of the result alone
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.matmul
#a = affine_map<(m, j, k) -> (m, j, k)>
#b = affine_map<(m, j, k) -> (k)>
#c = affine_map<(m, j, k) -> (m)>
func.func @forward(%x: tensor<6x2x4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"}) -> (tensor<6xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<6xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<6x2x4xf32>, tensor<4xf32>) outs(%z : tensor<6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

// Products summed, with the whole of one operand squared: one operand twice.
// NUMBERS: 1 gradients agree
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<6x4xf32>
// CHECK:         te.matmul %[[X]], %[[X]] {transpose_b} : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x6xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}) -> (tensor<6x6xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<6x6xf32>
  %y = linalg.contract indexing_maps = [#a, #b, #c] ins(%x, %x : tensor<6x4xf32>, tensor<6x4xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %y : tensor<6x6xf32>
}
