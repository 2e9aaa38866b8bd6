// RUN: te-opt %s --te-update-parameters="optimizer=sgd<momentum=0> groups=head=head.*,bias=*.b,tied=embed*" | FileCheck %s
// RUN: not te-opt %s --te-update-parameters="groups=none=nothing*" 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not te-opt %s --te-update-parameters="groups==*" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not te-opt %s --te-update-parameters="groups=a.b=*" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not te-opt %s --te-update-parameters="groups=head=[" 2>&1 | FileCheck %s --check-prefix=PATTERN

// UNUSED: error: the group 'none=nothing*' matches no parameter that is trained
// NAME: is no NAME=GLOB or NAME=GLOB:OPTIMIZER with a name of letters, digits and _
// PATTERN: error: the group 'head=[' has no glob:

module attributes {te.tied = {"w" = ["embed.w"]}} {
  // Factors are scalars; a parameter with several names is found by each of them,
  // and the last group that matches holds.
  // CHECK-LABEL: func.func @train(
  // CHECK-SAME: %[[LR:[^:]*]]: tensor<f32> {te.default = 1.000000e-03 : f64, te.scalar = "learning_rate"}
  // CHECK-SAME: %[[WD:[^:]*]]: tensor<f32> {te.default = 0.000000e+00 : f64, te.scalar = "weight_decay"}
  // CHECK-SAME: %[[HLR:[^:]*]]: tensor<f32> {te.default = 1.000000e+00 : f64, te.scalar = "learning_rate_factor.head"}
  // CHECK-SAME: %[[HWD:[^:]*]]: tensor<f32> {te.default = 1.000000e+00 : f64, te.scalar = "weight_decay_factor.head"}
  // CHECK-SAME: te.scalar = "learning_rate_factor.bias"
  // CHECK-SAME: te.scalar = "learning_rate_factor.tied"
  // CHECK-SAME: %[[W:[^:]*]]: tensor<16x32xf32> {te.param = "w"}
  // CHECK-SAME: %[[H:[^:]*]]: tensor<16x32xf32> {te.param = "head.w"}
  // CHECK-SAME: %[[B:[^:]*]]: tensor<32xf32> {te.param = "head.b"}
  // CHECK-SAME: %[[O:[^:]*]]: tensor<32xf32> {te.param = "other"}
  // CHECK-DAG: %[[LR1:.*]] = arith.mulf %[[LR]], %[[HLR]]
  // CHECK-DAG: %[[WD1:.*]] = arith.mulf %[[WD]], %[[HWD]]
  // CHECK: te.update {{.*}} %[[W]] gradient({{.*}} scalars(%[[LR3:[^,]*]], %{{[^)]*}})
  // CHECK: te.update {{.*}} %[[H]] gradient({{.*}} scalars(%[[LR1]], %[[WD1]])
  // CHECK: te.update {{.*}} %[[B]] gradient({{.*}} scalars(%[[LR2:[^,]*]], %{{[^)]*}})
  // CHECK-NOT: scalars(%[[LR1]]
  // CHECK: te.update {{.*}} %[[O]] gradient({{.*}} scalars(%[[LR]], %[[WD]])
  func.func @train(%g: tensor<16x32xf32> {te.input = "g"}, %h: tensor<32xf32> {te.input = "h"},
                   %w: tensor<16x32xf32> {te.param = "w"}, %head: tensor<16x32xf32> {te.param = "head.w"},
                   %b: tensor<32xf32> {te.param = "head.b"}, %o: tensor<32xf32> {te.param = "other"})
      -> (tensor<16x32xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<16x32xf32> {te.gradient = "head.w", te.output = "grad.head.w"},
          tensor<32xf32> {te.gradient = "head.b", te.output = "grad.head.b"}, tensor<32xf32> {te.gradient = "other", te.output = "grad.other"})
      attributes {te.entry = "train"} {
    return %g, %g, %h, %h : tensor<16x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32xf32>
  }
}
