// RUN: te-opt %s --te-quantize --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: not te-opt %S/../Inputs/mlp_train.mlir --te-quantize='recipe=#te.delayed_scaling<history=0>' 2>&1 | FileCheck %s --check-prefix=HISTORY
// RUN: not te-opt %S/../Inputs/mlp_train.mlir --te-quantize=recipe=delayed 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not te-opt %S/../Inputs/mlp_train.mlir --te-quantize='recipe=#te.role<fprop>' 2>&1 | FileCheck %s --check-prefix=NONE
// HISTORY: expects a history of at least 1 amax, got 0
// SYNTAX: 'delayed' is not a quantization recipe ({{.*}}delayed{{.*}}); use one such as '#te.delayed_scaling<history = 16>', '#te.current_scaling', '#te.row_scaling', '#te.block_scaling' or '#te.mxfp8_scaling'
// NONE: '#te.role<fprop>' is not a quantization recipe: the attribute does not implement RecipeAttrInterface; use one such as

func.func @small(%x: tensor<64x3xf32>, %w: tensor<3x2xf32> {te.param = "w"}) -> tensor<64x2xf32> {
  %y = te.region fp8 -> (tensor<64x2xf32>) {
    // expected-error@+1 {{is in an fp8 region but cannot become FP8: padding M=64 N=2 K=3 to multiples of 16 would more than double the work}}
    %0 = te.matmul %x, %w : tensor<64x3xf32>, tensor<3x2xf32> -> tensor<64x2xf32>
    te.yield %0 : tensor<64x2xf32>
  }
  return %y : tensor<64x2xf32>
}

// -----

func.func @columns(%x: tensor<64x32xf32>, %w: tensor<64x16xf32> {te.param = "w"}) -> tensor<32x16xf32> {
  %y = te.region fp8 -> (tensor<32x16xf32>) {
    // expected-error@+1 {{is in an fp8 region but cannot become FP8: its activations are not stored one token per row; store the left operand as [tokens, features], without transpose_a}}
    %0 = te.matmul %x, %w {transpose_a} : tensor<64x32xf32>, tensor<64x16xf32> -> tensor<32x16xf32>
    te.yield %0 : tensor<32x16xf32>
  }
  return %y : tensor<32x16xf32>
}

// -----

// expected-error@+1 {{is quantized already: it has 'te.slots'}}
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
}

// -----

// Two training entries that part the weights between them.
// expected-error@+1 {{updates the parameter 'a' but not 'b', which another entry updates; FP8 weights and their scales are updated together}}
func.func @first(%x: tensor<16x16xf32>, %a: tensor<16x16xf32> {te.param = "a"}) -> (tensor<16x16xf32> {te.param = "a"}) attributes {te.entry = "train"} {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    %0 = te.matmul %x, %a : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("a")
    te.yield %0 : tensor<16x16xf32>
  }
  return %y : tensor<16x16xf32>
}
func.func @second(%x: tensor<16x16xf32>, %b: tensor<16x16xf32> {te.param = "b"}) -> (tensor<16x16xf32> {te.param = "b"}) attributes {te.entry = "train"} {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    %0 = te.matmul %x, %b : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("b")
    te.yield %0 : tensor<16x16xf32>
  }
  return %y : tensor<16x16xf32>
}

// -----

// expected-error@+1 {{is named 'init', a name that te-quantize needs for the entry that makes the first FP8 copies of the weights; rename it}}
func.func private @init()
func.func @train(%x: tensor<16x16xf32>, %a: tensor<16x16xf32> {te.param = "a"}) -> (tensor<16x16xf32> {te.param = "a"}) attributes {te.entry = "train"} {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    %0 = te.matmul %x, %a : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("a")
    te.yield %0 : tensor<16x16xf32>
  }
  return %y : tensor<16x16xf32>
}

// -----

// expected-error@+1 {{has FP8 ops and several blocks; te-quantize takes functions without control flow}}
func.func @blocks(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    te.yield %0 : tensor<16x16xf32>
  }
  "test.branch"()[^end] : () -> ()
^end:
  return %y : tensor<16x16xf32>
}

// -----

func.func @loop(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) {
  "test.loop"() ({
    %y = te.region fp8 -> (tensor<16x16xf32>) {
      // expected-error@+1 {{is in an fp8 region but stands in a region of 'test.loop'; te-quantize takes what stands in the body of its function}}
      %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      te.yield %0 : tensor<16x16xf32>
    }
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @activations(%q: tensor<16x16xf32> {te.input = "q"}, %k: tensor<16x16xf32> {te.input = "k"}) -> tensor<16x16xf32> {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    // expected-error@+1 {{is in an fp8 region but cannot become FP8: it multiplies two activations: operand 1 is not computed from parameters alone, so it has no weight; if that operand is a weight, mark the argument that holds it with te.param}}
    %0 = te.matmul %q, %k : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    te.yield %0 : tensor<16x16xf32>
  }
  return %y : tensor<16x16xf32>
}

// -----

// A region in a loop in a region.
func.func @nested(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) {
  te.region high {
    "test.loop"() ({
      %y = te.region fp8 -> (tensor<16x16xf32>) {
        // expected-error@+1 {{is in an fp8 region but stands in a region of 'test.loop'; te-quantize takes what stands in the body of its function}}
        %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
        te.yield %0 : tensor<16x16xf32>
      }
      "test.end"() : () -> ()
    }) : () -> ()
    te.yield
  }
  return
}

// -----

// A caller does not follow.
// expected-error@+1 {{@lin gets scaling state as arguments and results, but @f calls it; run the pass 'inline' before te-partition}}
func.func private @lin(%q: tensor<16x16xf32>, %k: tensor<16x16xf32> {te.param = "k"}) -> tensor<16x16xf32> {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    %0 = te.matmul %q, %k : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    te.yield %0 : tensor<16x16xf32>
  }
  return %y : tensor<16x16xf32>
}
func.func @f(%q: tensor<16x16xf32>, %k: tensor<16x16xf32> {te.param = "k"}) -> tensor<16x16xf32> {
  // expected-note@+1 {{called here}}
  %y = call @lin(%q, %k) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
