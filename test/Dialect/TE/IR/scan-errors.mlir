// RUN: te-opt %s --verify-diagnostics --split-input-file

func.func @chunk(%d: tensor<2x8x6xf32>) {
  // expected-error@+1 {{expects a chunk of at least one token, but it is 0}}
  %y, %s, %f = te.scan %d, %d {chunk = 0 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x8x6x1xf32>, tensor<2x6x1xf32>
  return
}

// -----

func.func @keys_alone(%d: tensor<2x8x6xf32>, %k: tensor<2x8x4xf32>) {
  // expected-error@+1 {{expects keys and queries together, or neither}}
  %y, %s, %f = te.scan %d, %d keys(%k : tensor<2x8x4xf32>) {chunk = 8 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x4xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @rates_alone(%d: tensor<2x8x6xf32>, %r: tensor<6x1xf32>) {
  // expected-error@+1 {{has rates, which need keys and queries}}
  %y, %s, %f = te.scan %d, %d rates(%r : tensor<6x1xf32>) {chunk = 8 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x1xf32>, tensor<2x6x1xf32>
  return
}

// -----

func.func @decay(%d: tensor<2x8x1xf32>, %x: tensor<2x8x6xf32>) {
  // expected-error@+1 {{expects decay to have shape [2, 8, 6], but it is 'tensor<2x8x1xf32>'}}
  %y, %s, %f = te.scan %d, %x {chunk = 8 : i64} : tensor<2x8x1xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x1xf32>, tensor<2x6x1xf32>
  return
}

// -----

func.func @states(%d: tensor<2x8x6xf32>) {
  // expected-error@+1 {{expects states to have shape [2, 3, 6, 1], but it is 'tensor<2x2x6x1xf32>'}}
  %y, %s, %f = te.scan %d, %d {chunk = 3 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x2x6x1xf32>, tensor<2x6x1xf32>
  return
}

// -----

// Without keys a state is one number.
func.func @state(%d: tensor<2x8x6xf32>) {
  // expected-error@+1 {{expects states to have shape [2, 1, 6, 1], but it is 'tensor<2x1x6x4xf32>'}}
  %y, %s, %f = te.scan %d, %d {chunk = 8 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x4xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @rates(%d: tensor<2x8x6xf32>, %k: tensor<2x8x4xf32>, %r: tensor<6x3xf32>) {
  // expected-error@+1 {{expects rates to have shape [6, 4], but it is 'tensor<6x3xf32>'}}
  %y, %s, %f = te.scan %d, %d rates(%r : tensor<6x3xf32>) keys(%k : tensor<2x8x4xf32>) queries(%k : tensor<2x8x4xf32>) {chunk = 8 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x4xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @groups(%d: tensor<2x8x6xf32>, %k: tensor<2x8x16xf32>) {
  // expected-error@+1 {{expects keys of the 4 numbers of a state for each of several groups that divide the 6 channels, but they have 16 columns}}
  %y, %s, %f = te.scan %d, %d keys(%k : tensor<2x8x16xf32>) queries(%k : tensor<2x8x16xf32>) {chunk = 8 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x4xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @no_numbers(%d: tensor<2x8x6xf32>, %k: tensor<2x8x4xf32>) {
  // expected-error@+1 {{expects keys of the 0 numbers of a state}}
  %y, %s, %f = te.scan %d, %d keys(%k : tensor<2x8x4xf32>) queries(%k : tensor<2x8x4xf32>) {chunk = 8 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x0xf32>, tensor<2x6x0xf32>
  return
}

// -----

func.func @queries(%d: tensor<2x8x6xf32>, %k: tensor<2x8x4xf32>, %q: tensor<2x8x8xf32>) {
  // expected-error@+1 {{expects queries to have shape [2, 8, 4], but it is 'tensor<2x8x8xf32>'}}
  %y, %s, %f = te.scan %d, %d keys(%k : tensor<2x8x4xf32>) queries(%q : tensor<2x8x8xf32>) {chunk = 8 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x4xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @initial(%d: tensor<2x8x6xf32>, %i: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expects initial to have shape [2, 6, 1], but it is 'tensor<2x6x4xf32>'}}
  %y, %s, %f = te.scan %d, %d initial(%i : tensor<2x6x4xf32>) {chunk = 8 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x1xf32>, tensor<2x6x1xf32>
  return
}

// -----

func.func @gradient_of_nothing(%d: tensor<2x8x6xf32>, %s: tensor<2x1x6x1xf32>) {
  // expected-error@+1 {{has a gradient of 'rates', which it does not have}}
  %dd, %dx, %dr, %di = te.scan_grad %d, %d, %d, %s {chunk = 8 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<2x1x6x1xf32>
    -> tensor<2x8x6xf32>, tensor<2x8x6xf32> drates tensor<6x1xf32> dinitial tensor<2x6x1xf32>
  return
}

// -----

func.func @gradient(%d: tensor<2x8x6xf32>, %s: tensor<2x1x6x1xf32>) {
  // expected-error@+1 {{expects dx to have shape [2, 8, 6], but it is 'tensor<2x8x5xf32>'}}
  %dd, %dx, %di = te.scan_grad %d, %d, %d, %s {chunk = 8 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<2x8x6xf32>, tensor<2x1x6x1xf32>
    -> tensor<2x8x6xf32>, tensor<2x8x5xf32> dinitial tensor<2x6x1xf32>
  return
}
