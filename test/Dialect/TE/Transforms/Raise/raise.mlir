// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// A linear layer as PyTorch exports it.
// CHECK-LABEL: func @linear(
// CHECK-SAME:    %[[X:.*]]: tensor<64x128xf32>, %[[W:.*]]: tensor<512x128xf32>, %[[B:.*]]: tensor<512xf32>)
// CHECK-NEXT:  %[[U:.*]] = te.matmul %[[X]], %[[W]] bias(%[[B]] : tensor<512xf32>) {transpose_b} : tensor<64x128xf32>, tensor<512x128xf32> -> tensor<64x512xf32>
// CHECK-NEXT:  return %[[U]]
func.func @linear(%x: tensor<64x128xf32>, %w: tensor<512x128xf32>, %b: tensor<512xf32>) -> tensor<64x512xf32> {
  %e = tensor.empty() : tensor<128x512xf32>
  %wt = linalg.transpose ins(%w : tensor<512x128xf32>) outs(%e : tensor<128x512xf32>) permutation = [1, 0]
  %p = te.matmul %x, %wt : tensor<64x128xf32>, tensor<128x512xf32> -> tensor<64x512xf32>
  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [4, 16, 512] : tensor<64x512xf32> into tensor<4x16x512xf32>
  %p2 = tensor.collapse_shape %p3 [[0, 1], [2]] : tensor<4x16x512xf32> into tensor<64x512xf32>
  %c = tensor.expand_shape %b [[0, 1]] output_shape [1, 512] : tensor<512xf32> into tensor<1x512xf32>
  %u = te.add %p2, %c : tensor<64x512xf32>, tensor<1x512xf32> -> tensor<64x512xf32>
  return %u : tensor<64x512xf32>
}

// -----

// A transposed left operand, and a transpose of a transpose.
// CHECK-LABEL: func @transposed_operands(
// CHECK-SAME:    %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<8x16xf32>)
// CHECK-NEXT:  %[[D:.*]] = te.matmul %[[A]], %[[B]] {transpose_a} : tensor<8x4xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT:  return %[[D]]
func.func @transposed_operands(%a: tensor<8x4xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %ea = tensor.empty() : tensor<4x8xf32>
  %at = linalg.transpose ins(%a : tensor<8x4xf32>) outs(%ea : tensor<4x8xf32>) permutation = [1, 0]
  %eb = tensor.empty() : tensor<16x8xf32>
  %bt = linalg.transpose ins(%b : tensor<8x16xf32>) outs(%eb : tensor<16x8xf32>) permutation = [1, 0]
  %d = te.matmul %at, %bt {transpose_b} : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  return %d : tensor<4x16xf32>
}

// -----

// The product is needed without the bias as well: both stay.
// CHECK-LABEL: func @product_with_two_uses
// CHECK:       te.matmul
// CHECK-NOT:   bias
// CHECK:       te.add
func.func @product_with_two_uses(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %p = te.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %c = tensor.expand_shape %b [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %u = te.add %p, %c : tensor<4x16xf32>, tensor<1x16xf32> -> tensor<4x16xf32>
  return %p, %u : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// Rows that repeat, such as position embeddings, are not a bias.
// CHECK-LABEL: func @repeated_rows
// CHECK:       te.matmul
// CHECK-NOT:   bias
// CHECK:       te.add
func.func @repeated_rows(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<2x16xf32>) -> tensor<4x16xf32> {
  %p = te.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %u = te.add %p, %b : tensor<4x16xf32>, tensor<2x16xf32> -> tensor<4x16xf32>
  return %u : tensor<4x16xf32>
}

// -----

// The tanh approximation of GELU as transformers' NewGELU is exported.
// CHECK-LABEL: func @gelu_tanh(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:  %[[Y:.*]] = te.activation gelu_tanh %[[X]] : tensor<4x8xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @gelu_tanh(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %cubic = arith.constant dense<0.044714998> : tensor<4x8xf32>
  %scale = arith.constant dense<0.79788458> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = arith.mulf %x, %half : tensor<4x8xf32>
  %1 = math.powf %x, %three : tensor<4x8xf32>
  %2 = arith.mulf %1, %cubic : tensor<4x8xf32>
  %3 = te.add %x, %2 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = arith.mulf %3, %scale : tensor<4x8xf32>
  %5 = te.activation tanh %4 : tensor<4x8xf32> -> y tensor<4x8xf32>
  %6 = arith.addf %5, %one : tensor<4x8xf32>
  %7 = arith.mulf %0, %6 : tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

// -----

// Factored otherwise, with products for powers, on a tensor of rank 3.
// CHECK-LABEL: func @gelu_tanh_factored(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>)
// CHECK-NEXT:  %[[F:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<2x4x8xf32> into tensor<8x8xf32>
// CHECK-NEXT:  %[[Y:.*]] = te.activation gelu_tanh %[[F]] : tensor<8x8xf32>
// CHECK-NEXT:  %[[R:.*]] = tensor.expand_shape %[[Y]]
// CHECK-NEXT:  return %[[R]]
func.func @gelu_tanh_factored(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %half = arith.constant dense<0.5> : tensor<2x4x8xf32>
  %cubic = arith.constant dense<0.044715> : tensor<2x4x8xf32>
  %scale = arith.constant dense<0.7978845608> : tensor<2x4x8xf32>
  %one = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %0 = arith.mulf %x, %x : tensor<2x4x8xf32>
  %1 = arith.mulf %cubic, %0 : tensor<2x4x8xf32>
  %2 = arith.addf %one, %1 : tensor<2x4x8xf32>
  %3 = arith.mulf %scale, %x : tensor<2x4x8xf32>
  %4 = arith.mulf %3, %2 : tensor<2x4x8xf32>
  %5 = math.tanh %4 : tensor<2x4x8xf32>
  %6 = arith.addf %one, %5 : tensor<2x4x8xf32>
  %7 = arith.mulf %6, %x : tensor<2x4x8xf32>
  %8 = arith.mulf %7, %half : tensor<2x4x8xf32>
  return %8 : tensor<2x4x8xf32>
}

// -----

// Another cubic coefficient is another function.
// CHECK-LABEL: func @not_gelu
// CHECK-NOT:   gelu
// CHECK:       te.activation tanh
func.func @not_gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %cubic = arith.constant dense<0.0448> : tensor<4x8xf32>
  %scale = arith.constant dense<0.79788458> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = arith.mulf %x, %half : tensor<4x8xf32>
  %1 = math.powf %x, %three : tensor<4x8xf32>
  %2 = arith.mulf %1, %cubic : tensor<4x8xf32>
  %3 = te.add %x, %2 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = arith.mulf %3, %scale : tensor<4x8xf32>
  %5 = te.activation tanh %4 : tensor<4x8xf32> -> y tensor<4x8xf32>
  %6 = arith.addf %5, %one : tensor<4x8xf32>
  %7 = arith.mulf %0, %6 : tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

// -----

// So is one that differs by a ten-thousandth: constants that were rounded
// otherwise differ by less.
// CHECK-LABEL: func @nearly_gelu
// CHECK-NOT:   gelu
// CHECK:       te.activation tanh
func.func @nearly_gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %cubic = arith.constant dense<0.04472> : tensor<4x8xf32>
  %scale = arith.constant dense<0.79788458> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = arith.mulf %x, %half : tensor<4x8xf32>
  %1 = math.powf %x, %three : tensor<4x8xf32>
  %2 = arith.mulf %1, %cubic : tensor<4x8xf32>
  %3 = te.add %x, %2 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = arith.mulf %3, %scale : tensor<4x8xf32>
  %5 = te.activation tanh %4 : tensor<4x8xf32> -> y tensor<4x8xf32>
  %6 = arith.addf %5, %one : tensor<4x8xf32>
  %7 = arith.mulf %0, %6 : tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

// -----

// The factor in front belongs to another value.
// CHECK-LABEL: func @gelu_of_two_values
// CHECK-NOT:   gelu
// CHECK:       math.erf
func.func @gelu_of_two_values(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %root = arith.constant dense<1.41421356> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = arith.divf %x, %root : tensor<4x8xf32>
  %1 = math.erf %0 : tensor<4x8xf32>
  %2 = arith.addf %1, %one : tensor<4x8xf32>
  %3 = arith.mulf %z, %2 : tensor<4x8xf32>
  %4 = arith.mulf %3, %half : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @gelu_erf(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:  %[[Y:.*]] = te.activation gelu_erf %[[X]] : tensor<4x8xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @gelu_erf(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %root = arith.constant dense<1.41421356> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = arith.divf %x, %root : tensor<4x8xf32>
  %1 = math.erf %0 : tensor<4x8xf32>
  %2 = arith.addf %1, %one : tensor<4x8xf32>
  %3 = arith.mulf %x, %2 : tensor<4x8xf32>
  %4 = arith.mulf %3, %half : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @sigmoid_products(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:  %[[S:.*]] = te.activation silu %[[X]]
// CHECK-NEXT:  %[[Q:.*]] = te.activation quick_gelu %[[X]]
// CHECK-NEXT:  return %[[S]], %[[Q]]
func.func @sigmoid_products(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = te.activation sigmoid %x : tensor<4x8xf32> -> y tensor<4x8xf32>
  %1 = arith.mulf %x, %0 : tensor<4x8xf32>
  %c = arith.constant dense<1.702> : tensor<4x8xf32>
  %2 = arith.mulf %c, %x : tensor<4x8xf32>
  %3 = te.activation sigmoid %2 : tensor<4x8xf32> -> y tensor<4x8xf32>
  %4 = arith.mulf %3, %x : tensor<4x8xf32>
  return %1, %4 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @squared_relu(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:  %[[Y:.*]] = te.activation squared_relu %[[X]]
// CHECK-NEXT:  return %[[Y]], %[[Y]]
func.func @squared_relu(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %r = te.activation relu %x : tensor<4x8xf32> -> y tensor<4x8xf32>
  %p = math.powf %r, %two : tensor<4x8xf32>
  %m = arith.mulf %r, %r : tensor<4x8xf32>
  return %p, %m : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Attention between transposes reads and writes the layout before them.
// CHECK-LABEL: func @attention(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x16x4x8xf32>, %[[K:.*]]: tensor<2x16x2x8xf32>, %[[V:.*]]: tensor<2x16x2x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {causal, scale = 5.000000e-01 : f32} : tensor<2x16x4x8xf32>, tensor<2x16x2x8xf32>, tensor<2x16x2x8xf32> -> tensor<2x16x4x8xf32>, tensor<2x4x16xf32>
// CHECK-NEXT:  return %[[O]]
func.func @attention(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x2x8xf32>, %v: tensor<2x16x2x8xf32>) -> tensor<2x16x4x8xf32> {
  %eq = tensor.empty() : tensor<2x4x16x8xf32>
  %ek = tensor.empty() : tensor<2x2x16x8xf32>
  %qt = linalg.transpose ins(%q : tensor<2x16x4x8xf32>) outs(%eq : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%k : tensor<2x16x2x8xf32>) outs(%ek : tensor<2x2x16x8xf32>) permutation = [0, 2, 1, 3]
  %vt = linalg.transpose ins(%v : tensor<2x16x2x8xf32>) outs(%ek : tensor<2x2x16x8xf32>) permutation = [0, 2, 1, 3]
  %o, %lse = te.attention %qt, %kt, %vt {causal, scale = 0.5 : f32, layout = #te.attention_layout<bhsd>}
    : tensor<2x4x16x8xf32>, tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32> -> tensor<2x4x16x8xf32>, tensor<2x4x16xf32>
  %eo = tensor.empty() : tensor<2x16x4x8xf32>
  %ot = linalg.transpose ins(%o : tensor<2x4x16x8xf32>) outs(%eo : tensor<2x16x4x8xf32>) permutation = [0, 2, 1, 3]
  return %ot : tensor<2x16x4x8xf32>
}

// -----

// One operand comes in the layout bhsd: nothing is gained.
// CHECK-LABEL: func @attention_with_one_transpose
// CHECK:       linalg.transpose
// CHECK:       te.attention {{.*}}layout = #te.attention_layout<bhsd>
func.func @attention_with_one_transpose(%q: tensor<2x16x4x8xf32>, %k: tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32> {
  %e = tensor.empty() : tensor<2x4x16x8xf32>
  %qt = linalg.transpose ins(%q : tensor<2x16x4x8xf32>) outs(%e : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %o, %lse = te.attention %qt, %k, %k {scale = 0.5 : f32, layout = #te.attention_layout<bhsd>}
    : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x16x8xf32>, tensor<2x4x16xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

// The fused layer is where its product was; a product without a name takes the
// sum's.
// RUN: te-opt %s --te-raise --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// LOC-LABEL: func @names
// LOC:       te.matmul {{.*}} loc(#[[A:.*]])
// LOC:       te.matmul {{.*}} loc(#[[B:.*]])
// LOC-DAG:   #[[A]] = loc("fc1"(
// LOC-DAG:   #[[B]] = loc("fc2"(
func.func @names(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %c = tensor.expand_shape %b [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %p = te.matmul %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32> loc("fc1"("model.py":1:1))
  %u = te.add %p, %c : tensor<4x8xf32>, tensor<1x8xf32> -> tensor<4x8xf32> loc("block"("model.py":2:1))
  %q = te.matmul %u, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32> loc("model.py":3:1)
  %v = te.add %q, %c : tensor<4x8xf32>, tensor<1x8xf32> -> tensor<4x8xf32> loc("fc2"("model.py":4:1))
  return %v : tensor<4x8xf32>
}

// Heads of keys and values that are repeated in a row are groups of te.attention.
// CHECK-LABEL: func @repeated_heads(
// CHECK-SAME:  %[[Q:.*]]: tensor<2x4x16x8xf32>, %[[K:.*]]: tensor<2x2x16x8xf32>, %[[V:.*]]: tensor<2x2x16x8xf32>)
// CHECK:       te.attention %[[Q]], %[[K]], %[[V]]
func.func @repeated_heads(%q: tensor<2x4x16x8xf32>, %k: tensor<2x2x16x8xf32>, %v: tensor<2x2x16x8xf32>) -> tensor<2x4x16x8xf32> {
  %e = tensor.empty() : tensor<2x2x2x16x8xf32>
  %kr = linalg.broadcast ins(%k : tensor<2x2x16x8xf32>) outs(%e : tensor<2x2x2x16x8xf32>) dimensions = [2]
  %vr = linalg.broadcast ins(%v : tensor<2x2x16x8xf32>) outs(%e : tensor<2x2x2x16x8xf32>) dimensions = [2]
  %kh = tensor.collapse_shape %kr [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xf32> into tensor<2x4x16x8xf32>
  %vh = tensor.collapse_shape %vr [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xf32> into tensor<2x4x16x8xf32>
  %o, %lse = te.attention %q, %kh, %vh {scale = 0.5 : f32, layout = #te.attention_layout<bhsd>}
    : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x16x8xf32>, tensor<2x4x16xf32>
  return %o : tensor<2x4x16x8xf32>
}

// Heads that are repeated as a whole, h0 h1 h0 h1, are no groups.
// CHECK-LABEL: func @tiled_heads(
// CHECK:       te.attention %{{.*}}, %[[KH:.*]], %[[KH]] {{.*}} : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>
func.func @tiled_heads(%q: tensor<2x4x16x8xf32>, %k: tensor<2x2x16x8xf32>) -> tensor<2x4x16x8xf32> {
  %e = tensor.empty() : tensor<2x2x2x16x8xf32>
  %kr = linalg.broadcast ins(%k : tensor<2x2x16x8xf32>) outs(%e : tensor<2x2x2x16x8xf32>) dimensions = [1]
  %kh = tensor.collapse_shape %kr [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xf32> into tensor<2x4x16x8xf32>
  %o, %lse = te.attention %q, %kh, %kh {scale = 0.5 : f32, layout = #te.attention_layout<bhsd>}
    : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x16x8xf32>, tensor<2x4x16xf32>
  return %o : tensor<2x4x16x8xf32>
}
