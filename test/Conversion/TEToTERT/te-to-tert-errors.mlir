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
