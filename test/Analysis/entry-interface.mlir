// RUN: te-test-opt %s --test-te-print-entry-interface -o /dev/null | FileCheck %s

// CHECK-LABEL: entry 'train'
// CHECK-NEXT: input 'ids' tensor<2x8xi64> arg 0{{$}}
// CHECK-NEXT: scalar 'lr' tensor<f32> arg 1 default 1.000000e-03 : f32
// CHECK-NEXT: param 'w' tensor<4x4xf32> arg 2 result 1 kind parameter init "normal:0,0.02"
// CHECK-NEXT: state 'step' tensor<i64> arg 3 kind counter init 0 : i64
// CHECK-NEXT: output 'loss' tensor<f32> result 0
func.func @train(%ids: tensor<2x8xi64> {te.input = "ids"},
                 %lr: tensor<f32> {te.scalar = "lr", te.default = 1.0e-3 : f32},
                 %w: tensor<4x4xf32> {te.param = "w", te.init = "normal:0,0.02"},
                 %step: tensor<i64> {te.state = "step", te.kind = "counter", te.init = 0 : i64})
    -> (tensor<f32> {te.output = "loss"}, tensor<4x4xf32> {te.param = "w"})
    attributes {te.entry = "train"} {
  return %lr, %w : tensor<f32>, tensor<4x4xf32>
}
