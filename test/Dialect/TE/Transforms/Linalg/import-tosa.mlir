// TOSA becomes linalg by upstream's passes, and then what linalg does.

// RUN: te-opt %s --te-import-linalg --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[W:.*]]: tensor<3x4xf32> {te.param = "w"}, %[[X:.*]]: tensor<2x3xf32> {te.input = "x"}
// CHECK-NOT:   tosa
// CHECK:       linalg.batch_matmul
// CHECK-NOT:   tosa
// CHECK:       math.exp
// CHECK-NOT:   tosa
func.func @main(%w: tensor<3x4xf32> {te.param = "w"}, %x: tensor<2x3xf32> {te.input = "x"}) -> tensor<2x4xf32> attributes {te.model} {
  %rows = tosa.const_shape {values = dense<[1, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %columns = tosa.const_shape {values = dense<[1, 3, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %result = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.reshape %x, %rows : (tensor<2x3xf32>, !tosa.shape<3>) -> tensor<1x2x3xf32>
  %1 = tosa.reshape %w, %columns : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
  %2 = tosa.matmul %0, %1, %zero, %zero : (tensor<1x2x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4xf32>
  %3 = tosa.reshape %2, %result : (tensor<1x2x4xf32>, !tosa.shape<2>) -> tensor<2x4xf32>
  %4 = tosa.exp %3 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

// -----

// What linalg cannot express is refused.
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> attributes {te.model} {
  // expected-error @below {{failed to legalize operation 'tosa.custom'}}
  %0 = tosa.custom %x {operator_name = "mine", domain_name = "d", implementation_attrs = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Quantized types are not those of training.
// expected-error @below {{argument 0 ('w') is a 'tensor<4xi8>'; parameters are tensors of fixed shape of f32 or bf16}}
func.func @main(%x: tensor<4xi8> {te.param = "w"}) -> tensor<4xi8> attributes {te.model} {
  %0 = tosa.identity %x : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (tosa.floor x1)}}
func.func @main(%x: tensor<?xf32> {te.param = "w"}) -> tensor<?xf32> attributes {te.model} {
  // expected-note @below {{tosa.floor x1: its shape is known only at run time}}
  %0 = tosa.floor %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Branches and loops are refused as what they are.
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (tosa.cond_if x1, tosa.while_loop x1)}}
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<4xf32> attributes {te.model} {
  %c = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>
  // expected-note @below {{tosa.cond_if x1: its way depends on the model's inputs; compute both and choose with tosa.select}}
  %0 = "tosa.cond_if"(%c, %x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %1 : tensor<4xf32>
  }, {
  ^bb0(%a: tensor<4xf32>):
    tosa.yield %a : tensor<4xf32>
  }) : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32>
  // expected-note @below {{tosa.while_loop x1: how often it runs depends on the model's inputs}}
  %2 = "tosa.while_loop"(%0) ({
  ^bb0(%a: tensor<4xf32>):
    %f = "tosa.const"() <{values = dense<false> : tensor<i1>}> : () -> tensor<i1>
    tosa.yield %f : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>):
    tosa.yield %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// How far to pad comes as a constant.
// CHECK-LABEL: func.func @forward(%{{.*}}: tensor<4xf32> {te.param = "w"}) -> (tensor<7xf32>
// CHECK-DAG:   %[[LOW:.*]] = arith.constant dense<2.500000e+00> : tensor<1xf32>
// CHECK-DAG:   %[[HIGH:.*]] = arith.constant dense<2.500000e+00> : tensor<2xf32>
// CHECK:       tensor.concat dim(0) %[[LOW]], %{{.*}}, %[[HIGH]]
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> tensor<7xf32> attributes {te.model} {
  %counts = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %number = "tosa.const"() <{values = dense<2.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pad %x, %counts, %number : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
