// RUN: te-opt %s --split-input-file --te-set-boundary-type --verify-diagnostics
// RUN: not te-opt %s --split-input-file --te-set-boundary-type=type=f16 2>&1 | FileCheck %s
// CHECK: error: te-set-boundary-type takes the types bf16 and f32, not 'f16'

// Masters are not narrowed.
// expected-error@+1 {{'func.func' op trains: an optimizer's parameters are masters in float32, which bf16 cannot hold; build the entries grad, vjp or forward for a bf16 boundary}}
func.func @train_step(%w: tensor<32x64xf32> {te.param = "w"}) -> (tensor<32x64xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  return %w : tensor<32x64xf32>
}

// -----

func.func @late(%x: tensor<32x64xf32> {te.input = "x"}) -> (tensor<32x64xf32> {te.output = "y"}) {
  // expected-error@+1 {{is there already; te-set-boundary-type comes before te-partition}}
  %y = te.region high -> (tensor<32x64xf32>) {
    te.yield %x : tensor<32x64xf32>
  }
  return %y : tensor<32x64xf32>
}

// -----

// Found by a random sequence of passes.
// expected-error@+1 {{'func.func' op has control flow; te-set-boundary-type takes straight-line functions}}
func.func @two_blocks(%x: tensor<4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

func.func @caller(%x: tensor<4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  // expected-error@+1 {{calls a function whose types te-set-boundary-type changes; run the pass 'inline' first}}
  %y = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
