// Names that policies, slots and reports cannot tell from several, and products
// without one.
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

// Which forward product a gradient is of, only its layer says.
func.func @unnamed(%x: tensor<16x16xf32>, %g: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  %0 = te.matmul %x, %w {layer = "fc"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+1 {{is the wgrad of a layer without a name; give it the attribute 'layer' of its forward product, as te-add-gradients does}}
  %1 = te.matmul %x, %g {role = #te.role<wgrad>, transpose_a} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+1 {{is the dgrad of a layer without a name}}
  %2 = te.matmul %g, %w {role = #te.role<dgrad>, transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

func.func @twice(%x: tensor<16x16xf32>, %g: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  %0 = te.matmul %x, %w {layer = "fc"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = te.matmul %0, %w {layer = "fc"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+1 {{is the dgrad of the layer 'fc', but two forward products of its function have that name; give each of them, and their gradients, a layer of its own}}
  %2 = te.matmul %g, %w {layer = "fc", role = #te.role<dgrad>, transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
