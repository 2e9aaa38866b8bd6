// Values that a region reads without their being operands: numbers that the
// body of a linalg.generic captures get gradients, which are sums over all of
// its iterations.

// RUN: te-test-opt %s --split-input-file --te-raise --te-fuse-elementwise --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp -o /dev/null | FileCheck %s --check-prefix=NUMBERS
// RUN: te-opt %s --split-input-file --te-fuse-elementwise --te-differentiate="entries=vjp loss=none" | FileCheck %s

// NUMBERS: grad.w: max relative error
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @vjp
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<6x4xf32> {te.input = "x"}, %[[DY:[^ ,:]*]]: tensor<6x5xf32> {te.input = "cotangent.y"}, %[[W:[^ ,:]*]]: tensor<5x4xf32>
// CHECK:         %[[M:.*]] = te.matmul %[[X]], %[[W]] {{{.*}}transpose_b}
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[W]][2, 1] [1, 1] [1, 1] : tensor<5x4xf32> to tensor<f32>
// CHECK:         linalg.generic {{.*}} ins(%[[M]], %[[S]] : tensor<6x5xf32>, tensor<f32>)
// The gradient of the number, summed over both dimensions, is put where the
// number was taken from.
// CHECK:         te.column_sum
// CHECK:         %[[SUM:.*]] = te.column_sum
// CHECK:         %[[DS:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1xf32> into tensor<f32>
// CHECK:         %[[Z:.*]] = arith.constant dense<0.0{{.*}}> : tensor<5x4xf32>
// CHECK:         %[[AT:.*]] = tensor.insert_slice %[[DS]] into %[[Z]][2, 1] [1, 1] [1, 1]
// CHECK:         %[[DW:.*]] = te.matmul {{.*}}role = #te.role<wgrad>
// CHECK:         te.add {{.*}}%[[AT]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %w: tensor<5x4xf32> {te.param = "w"}) -> (tensor<6x5xf32> {te.output = "y"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tensor.extract %w[%c2, %c1] : tensor<5x4xf32>
  %e = tensor.empty() : tensor<6x5xf32>
  %m = te.matmul %x, %w {transpose_b} : tensor<6x4xf32>, tensor<5x4xf32> -> tensor<6x5xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.mulf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// -----

// Arithmetic on numbers outside the body; one number as an operand, captured
// twice, and captured where a sum is made.
// NUMBERS: 3 gradients agree
// CHECK-LABEL: func.func @vjp
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
func.func @forward(%x: tensor<3x4xf32> {te.input = "x"}, %p: tensor<f32> {te.param = "p"}, %q: tensor<2xf32> {te.param = "q"})
    -> (tensor<3x4xf32> {te.output = "y"}, tensor<3xf32> {te.output = "z"}) {
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %a = tensor.extract %p[] : tensor<f32>
  %b = tensor.extract %q[%c1] : tensor<2xf32>
  %ab = arith.mulf %a, %b : f32
  %s = arith.addf %ab, %two : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<3x4xf32>, f32) outs(%e : tensor<3x4xf32>) {
  ^bb0(%in: f32, %number: f32, %o: f32):
    %t = arith.mulf %in, %s : f32
    %u = arith.addf %t, %number : f32
    %v = math.tanh %u : f32
    %r = arith.mulf %v, %s : f32
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<3xf32>
  %z = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%zeros : tensor<3xf32>) {
  ^bb0(%in: f32, %o: f32):
    %t = arith.mulf %in, %a : f32
    %r = arith.addf %t, %o : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %y, %z : tensor<3x4xf32>, tensor<3xf32>
}
