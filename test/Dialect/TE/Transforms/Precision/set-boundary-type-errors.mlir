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
