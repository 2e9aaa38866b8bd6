// Names that policies, slots and reports cannot tell from several, and gradients
// whose layer is not certain.
// RUN: te-opt %s --te-name-layers --split-input-file --verify-diagnostics
// RUN: te-opt %s --te-partition --split-input-file --verify-diagnostics
// RUN: te-opt %s --te-quantize --split-input-file --verify-diagnostics

func.func @comma(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  // expected-error@+1 {{has the layer 'q,k', which policies and reports cannot name: '{', '}' and ',' stand only around and between the parts of a joined layer, as in 'attn.{q,k}'}}
  %0 = te.matmul %x, %w {layer = "q,k"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

func.func @open(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  // expected-error@+1 {{has the layer 'attn.{q', which policies and reports cannot name}}
  %0 = te.matmul %x, %w {layer = "attn.{q"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

func.func @nested(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  // expected-error@+1 {{has the layer 'attn.{q,{k}}', which policies and reports cannot name}}
  %0 = te.matmul %x, %w {layer = "attn.{q,{k}}"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// What joined layers are called, with a number behind it, is a name.
func.func @joined(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  %0 = te.matmul %x, %w {layer = "attn.{q,k}:1"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// All of them are listed.
func.func @shared(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>, %g: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}, %far: tensor<16x16xf32> {te.param = "far"}) {
  %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = te.matmul %y, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+1 {{is a gradient product of more than one forward product in its function: set 'layer' on it and on the forward product it belongs to}}
  %2 = te.matmul %g, %w {role = #te.role<dgrad>, transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+1 {{is a gradient product of no forward product in its function}}
  %3 = te.matmul %g, %far {role = #te.role<dgrad>, transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return
}

// -----

// Two forward products of one name, as after inlining, are two layers; whose
// gradient this was is lost.
func.func @inlined(%x: tensor<16x16xf32>, %g: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) {
  %0 = te.matmul %x, %w {layer = "w"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = te.matmul %0, %w {layer = "w"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+1 {{is a gradient product of more than one forward product}}
  %2 = te.matmul %g, %w {layer = "w", role = #te.role<dgrad>, transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return
}
