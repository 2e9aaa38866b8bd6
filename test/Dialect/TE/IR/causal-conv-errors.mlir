// RUN: te-opt %s -split-input-file -verify-diagnostics

func.func @no_taps(%x: tensor<2x8x6xf32>, %w: tensor<0x6xf32>) {
  // expected-error@+1 {{expects 1 to 8 taps of each channel, but weight has 0 rows}}
  %y = te.causal_conv %x, %w : tensor<2x8x6xf32>, tensor<0x6xf32> -> tensor<2x8x6xf32>
  return
}

// -----

func.func @taps(%x: tensor<2x8x6xf32>, %w: tensor<9x6xf32>) {
  // expected-error@+1 {{expects 1 to 8 taps of each channel, but weight has 9 rows}}
  %y = te.causal_conv %x, %w : tensor<2x8x6xf32>, tensor<9x6xf32> -> tensor<2x8x6xf32>
  return
}

// -----

func.func @weight(%x: tensor<2x8x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error@+1 {{expects weight to have shape [4, 6], but it is 'tensor<4x5xf32>'}}
  %y = te.causal_conv %x, %w : tensor<2x8x6xf32>, tensor<4x5xf32> -> tensor<2x8x6xf32>
  return
}

// -----

func.func @bias(%x: tensor<2x8x6xf32>, %w: tensor<4x6xf32>, %b: tensor<8xf32>) {
  // expected-error@+1 {{expects bias to have shape [6], but it is 'tensor<8xf32>'}}
  %y = te.causal_conv %x, %w bias(%b : tensor<8xf32>) : tensor<2x8x6xf32>, tensor<4x6xf32> -> tensor<2x8x6xf32>
  return
}

// -----

func.func @y(%x: tensor<2x8x6xf32>, %w: tensor<4x6xf32>) {
  // expected-error@+1 {{expects y to have shape [2, 8, 6], but it is 'tensor<2x11x6xf32>'}}
  %y = te.causal_conv %x, %w : tensor<2x8x6xf32>, tensor<4x6xf32> -> tensor<2x11x6xf32>
  return
}

// -----

func.func @dbias(%x: tensor<2x8x6xf32>, %w: tensor<4x6xf32>) {
  // expected-error@+1 {{has a gradient of 'bias', which it does not have}}
  %dx, %dw, %db = te.causal_conv_grad %x, %x, %w
    : tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<4x6xf32> -> tensor<2x8x6xf32>, tensor<4x6xf32> dbias tensor<6xf32>
  return
}

// -----

func.func @dweight(%x: tensor<2x8x6xf32>, %w: tensor<4x6xf32>) {
  // expected-error@+1 {{expects dweight to have shape [4, 6], but it is 'tensor<6x4xf32>'}}
  %dx, %dw = te.causal_conv_grad %x, %x, %w
    : tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<4x6xf32> -> tensor<2x8x6xf32>, tensor<6x4xf32>
  return
}
