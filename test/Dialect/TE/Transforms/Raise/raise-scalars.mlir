// Numbers that a body reads from outside become operands: tensors of rank 0.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s
// RUN: te-opt %s --te-fuse-elementwise --split-input-file | FileCheck %s --check-prefix=FUSE

// An element of a tensor, captured and as an operand.
// CHECK-LABEL: func.func @element(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<3x4xf32>
// CHECK-NOT:     tensor.extract %
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[W]][1, 2] [1, 1] [1, 1] : tensor<3x4xf32> to tensor<f32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[S]], %[[S]] : tensor<8xf32>, tensor<f32>, tensor<f32>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[N:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[T:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT:      arith.addf %[[T]], %[[N]]
// FUSE-LABEL: func.func @element(
// FUSE:         linalg.generic {{.*}} : tensor<8xf32>, tensor<f32>
#v = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @element(%x: tensor<8xf32>, %w: tensor<3x4xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tensor.extract %w[%c1, %c2] : tensor<3x4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#v, #none, #v], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<8xf32>, f32) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %n: f32, %o: f32):
    %t = arith.mulf %a, %s : f32
    %u = arith.addf %t, %n : f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// What is computed from elements, and numbers that are repeated.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME:    %[[P:.*]]: tensor<f32>, %[[Q:.*]]: tensor<2xf32>
// CHECK-DAG:     %[[B:.*]] = tensor.extract_slice %[[Q]][1] [1] [1] : tensor<2xf32> to tensor<f32>
// CHECK:         %[[S:.*]] = arith.mulf %{{.*}}, %[[B]] : tensor<f32>
// CHECK:         linalg.broadcast ins(%{{.*}} : tensor<f32>) outs(%{{.*}} : tensor<3x4xf32>) dimensions = [0, 1]
// CHECK:         linalg.broadcast ins(%{{.*}} : tensor<f32>) outs(%{{.*}} : tensor<5xf32>) dimensions = [0]
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @computed(%p: tensor<f32>, %q: tensor<2xf32>) -> (tensor<3x4xf32>, tensor<5xf32>, tensor<1x1xf32>) {
  %c1 = arith.constant 1 : index
  %a = tensor.extract %p[] : tensor<f32>
  %b = tensor.extract %q[%c1] : tensor<2xf32>
  %s = arith.mulf %a, %b : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %g = tensor.splat %s : tensor<5xf32>
  %h = tensor.from_elements %s : tensor<1x1xf32>
  return %f, %g, %h : tensor<3x4xf32>, tensor<5xf32>, tensor<1x1xf32>
}

// -----

// Constants stay, and so does what is known only at run time: an element at an
// index from outside, and one beyond the end.
// CHECK-LABEL: func.func @unknown(
// CHECK:         tensor.extract
// CHECK:         tensor.extract
// CHECK-DAG:     tensor.from_elements
#v = affine_map<(d0) -> (d0)>
func.func @unknown(%x: tensor<8xf32>, %i: index) -> (tensor<8xf32>, tensor<1xf32>) {
  %c9 = arith.constant 9 : index
  %two = arith.constant 2.0 : f32
  %s = tensor.extract %x[%i] : tensor<8xf32>
  %r = tensor.extract %x[%c9] : tensor<8xf32>
  %t = tensor.from_elements %r : tensor<1xf32>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.mulf %a, %s : f32
    %w = arith.mulf %u, %two : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  return %y, %t : tensor<8xf32>, tensor<1xf32>
}
