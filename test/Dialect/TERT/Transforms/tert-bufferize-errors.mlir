// RUN: te-opt %s --tert-bufferize --split-input-file --verify-diagnostics

// expected-error@+1 {{result #0 has no role}}
func.func @no_role(%x: tensor<4xf32> {te.input = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{has control flow; tert-bufferize takes straight-line functions}}
func.func @control_flow(%x: tensor<4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  llvm.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{has no body; only complete programs are compiled}}
func.func private @elsewhere(tensor<4xf32>)

// -----

// expected-error @+1 {{returns a buffer of type 'memref<2x2xf32>'; tert-bufferize takes functions on tensors, and once}}
func.func @forward(%x: memref<2x2xf32> {te.input = "x"}) -> (memref<2x2xf32> {te.output = "y"}) {
  return %x : memref<2x2xf32>
}

// -----

// Found by a random sequence of passes.
func.func @caller(%x: tensor<4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  // expected-error@+1 {{calls a function that tert-bufferize gives buffers for its results; run the pass 'inline' before tert-bufferize}}
  %y = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// Found by a random sequence of passes: the runtime copies results into the
// caller's buffers, and has no such type.
// expected-error @+1 {{returns a 'tensor<2x2xindex>', which the runtime has no element type for; convert it to f32, bf16, i32 or i64}}
func.func @forward(%x: tensor<2x2xindex> {te.input = "x"}) -> (tensor<2x2xindex> {te.output = "y"}) {
  return %x : tensor<2x2xindex>
}

// -----

func.func @forward(%x: tensor<2x3xi16> {te.input = "x"}, %y: tensor<3x2xf32> {te.input = "y"}) -> (tensor<3x2xf32> {te.output = "z"}) {
  %e = tensor.empty() : tensor<3x2xi16>
  // expected-error @+1 {{has to be copied, which the runtime has no element type for; convert it to f32, bf16, i32 or i64}}
  %t = linalg.transpose ins(%x : tensor<2x3xi16>) outs(%e : tensor<3x2xi16>) permutation = [1, 0]
  %f = tensor.empty() : tensor<3x2xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%t, %y : tensor<3x2xi16>, tensor<3x2xf32>) outs(%f : tensor<3x2xf32>) {
  ^bb0(%a: i16, %b: f32, %out: f32):
    %c = arith.sitofp %a : i16 to f32
    %d = arith.mulf %b, %c : f32
    linalg.yield %d : f32
  } -> tensor<3x2xf32>
  return %z : tensor<3x2xf32>
}
