// RUN: te-opt %s --te-build-entries=entries=train,forward,vjp | FileCheck %s
// RUN: te-opt %s --te-build-entries | FileCheck %s --check-prefix=DEFAULT

// The model is an entry when it is asked for.
// CHECK-LABEL: func.func @forward(%arg0: tensor<16xf32> {te.param = "b"}
// CHECK-SAME: attributes {te.entry = "forward"}
// Copies follow it in the order they are asked for; inputs come first, then
// scalars, then parameters, with all of their attributes.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[IDS:.*]]: tensor<4xi64> {te.input = "ids", te.range = array<i64: 0, 8>}, %[[C:.*]]: tensor<f32> {te.default = 2.000000e+00 : f64, te.scalar = "cap"}, %[[B:.*]]: tensor<16xf32> {te.param = "b"}, %[[T:.*]]: tensor<8x16xf32> {te.init = "data", te.param = "t"}
// CHECK-SAME: -> (tensor<4x16xf32> {te.output = "y"}, tensor<4xi64> {te.output = "same"}) attributes {te.entry = "train"}
// CHECK-NEXT: %[[Y:.*]] = te.embedding %[[IDS]], %[[T]]
// CHECK-NEXT: return %[[Y]], %[[IDS]] :
// CHECK-LABEL: func.func @vjp(
// CHECK-SAME: attributes {te.entry = "vjp"}
// CHECK-NOT: func.func

// Without it only the copies are left.
// DEFAULT-NOT: @forward
// DEFAULT: func.func @train
// DEFAULT-NOT: func.func
func.func @forward(%b: tensor<16xf32> {te.param = "b"}, %c: tensor<f32> {te.scalar = "cap", te.default = 2.0 : f64},
                   %ids: tensor<4xi64> {te.input = "ids", te.range = array<i64: 0, 8>}, %t: tensor<8x16xf32> {te.param = "t", te.init = "data"})
    -> (tensor<4x16xf32> {te.output = "y"}, tensor<4xi64> {te.output = "same"}) {
  %y = te.embedding %ids, %t : tensor<4xi64>, tensor<8x16xf32> -> tensor<4x16xf32>
  return %y, %ids : tensor<4x16xf32>, tensor<4xi64>
}
