// RUN: te-opt %s --te-measure-sensitivity --split-input-file --verify-diagnostics
// RUN: not te-opt %s --te-measure-sensitivity=recipe=none --split-input-file 2>&1 | FileCheck %s
// CHECK: error: 'none' is not a quantization recipe

// A product of two activations, and one whose result has no gradient.
// expected-error@+1 {{the model has no product to measure: none that FP8 could compute has a gradient; leave the entry 'calibrate' out}}
func.func @calibrate(%x: tensor<64x64xbf16> {te.input = "x"}, %w: tensor<64x64xbf16> {te.param = "w"}) -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "calibrate"} {
  %y = te.matmul %x, %x {transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %z = te.matmul %y, %w {layer = "fc", transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %loss = te.amax %z : tensor<64x64xbf16>
  return %loss : tensor<f32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
// expected-error@+1 {{the model is for a mesh, and sensitivity is measured on one rank; build the entry without a mesh}}
func.func @calibrate(%x: tensor<64x64xbf16> {te.input = "x"}) -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "calibrate"} {
  %loss = te.amax %x : tensor<64x64xbf16>
  return %loss : tensor<f32>
}

// -----

// expected-error@+1 {{the model has control flow; only straight-line models are differentiated}}
func.func @calibrate(%x: tensor<64x64xbf16> {te.input = "x"}) -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "calibrate"} {
  cf.br ^end
^end:
  %loss = te.amax %x : tensor<64x64xbf16>
  return %loss : tensor<f32>
}
