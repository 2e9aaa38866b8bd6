// RUN: te-opt %s --te-to-tert --split-input-file --verify-diagnostics

// Everything that cannot be lowered is listed at once.

// expected-error@below {{no lowering to the runtime for some operations (te.yield x1, te.region x1, math.erf x2)}}
module {
  func.func @left_over(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
    // expected-note@+1 {{te.region x1: te-quantize dissolves regions before this pass}}
    %0 = te.region fp8 -> (tensor<64x128xf32>) {
      // expected-note@+1 {{te.yield x1: te-quantize dissolves regions before this pass}}
      te.yield %x : tensor<64x128xf32>
    }
    // expected-note@+1 {{math.erf x2}}
    %1 = math.erf %0 : tensor<64x128xf32>
    %2 = math.erf %1 : tensor<64x128xf32>
    return %2 : tensor<64x128xf32>
  }
}

// -----

// expected-error@below {{no lowering to the runtime for some operations (arith.truncf x1, math.exp x1, arith.extf x1)}}
module {
  func.func @half(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
    // expected-note@+1 {{arith.truncf x1: element type f16 is not supported; export in float32 or bfloat16}}
    %0 = arith.truncf %x : tensor<64x128xf32> to tensor<64x128xf16>
    // expected-note@+1 {{math.exp x1: element type f16 is not supported; export in float32 or bfloat16}}
    %1 = math.exp %0 : tensor<64x128xf16>
    // expected-note@+1 {{arith.extf x1: element type f16 is not supported; export in float32 or bfloat16}}
    %2 = arith.extf %1 : tensor<64x128xf16> to tensor<64x128xf32>
    return %2 : tensor<64x128xf32>
  }
}

// -----

// expected-error@below {{no lowering to the runtime for some operations (arith.truncf x1)}}
module {
  func.func @rounded(%x: tensor<4x8xf32>) -> tensor<4x8xbf16> {
    // expected-note@+1 {{arith.truncf x1: rounds toward_zero; only to_nearest_even is computed}}
    %0 = arith.truncf %x toward_zero : tensor<4x8xf32> to tensor<4x8xbf16>
    return %0 : tensor<4x8xbf16>
  }
}
