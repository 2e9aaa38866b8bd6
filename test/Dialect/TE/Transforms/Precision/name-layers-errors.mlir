// Names that policies, slots and reports cannot tell from several.
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
