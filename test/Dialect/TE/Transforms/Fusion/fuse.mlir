// RUN: te-opt %s --te-fuse | FileCheck %s
// RUN: te-opt %s --te-fuse --remarks-filter=te-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The value in high precision goes, the statistics stay.
// CHECK-LABEL: func.func @layer_norm(
// CHECK: %[[MEAN:.*]], %[[RSTD:.*]], %[[R:.*]], %[[C:.*]], %[[A:.*]] = te.layer_norm %{{.*}}, %{{.*}}, %{{.*}} quantize(%[[S:.*]]) {eps = 9.99999974E-6 : f32, zero_centered} : tensor<32x64xbf16>, tensor<64xf32>, tensor<64xf32> -> stats tensor<32xf32>, tensor<32xf32> rowwise tensor<32x64xf8E4M3FN> columnwise tensor<64x32xf8E4M3FN> amax tensor<f32>
// CHECK-NOT: te.quantize
// CHECK: return %[[R]], %[[C]], %[[A]], %[[MEAN]], %[[RSTD]]
// REMARK-DAG: remark: {{.*}}[Passed] Quantize | Category:te-fuse | Function=layer_norm | Remark="te.layer_norm writes the FP8 copies itself"
func.func @layer_norm(%x: tensor<32x64xbf16>, %g: tensor<64xf32>, %b: tensor<64xf32>, %s: tensor<f32>)
    -> (tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<f32>, tensor<32xf32>, tensor<32xf32>) {
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32, zero_centered} : tensor<32x64xbf16>, tensor<64xf32>, tensor<64xf32> -> y tensor<32x64xbf16> stats tensor<32xf32>, tensor<32xf32>
  %q, %qt, %amax = te.quantize %y, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN> columnwise tensor<64x32xf8E4M3FN> amax tensor<f32>
  return %q, %qt, %amax, %mean, %rstd : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<f32>, tensor<32xf32>, tensor<32xf32>
}

// Something else reads the result: it is kept, beside a padded copy.
// CHECK-LABEL: func.func @kept(
// CHECK: %[[Y:.*]], %[[R:.*]], %{{.*}} = te.activation gelu_tanh %{{.*}} quantize(%{{.*}}) : tensor<30x50xbf16> -> y tensor<30x50xbf16> rowwise tensor<32x64xf8E4M3FN> amax tensor<f32>
// CHECK: te.add %[[Y]], %[[Y]]
// CHECK: return %[[R]]
func.func @kept(%x: tensor<30x50xbf16>, %s: tensor<f32>) -> (tensor<32x64xf8E4M3FN>, tensor<30x50xbf16>) {
  %y = te.activation gelu_tanh %x : tensor<30x50xbf16> -> y tensor<30x50xbf16>
  %q = te.quantize %y, %s : tensor<30x50xbf16> -> rowwise tensor<32x64xf8E4M3FN>
  %z = te.add %y, %y : tensor<30x50xbf16>, tensor<30x50xbf16> -> tensor<30x50xbf16>
  return %q, %z : tensor<32x64xf8E4M3FN>, tensor<30x50xbf16>
}

// The sum of rows and the quantization both go into the gradient.
// CHECK-LABEL: func.func @activation_grad(
// CHECK: %[[R:.*]], %[[C:.*]], %[[A:.*]], %[[DB:.*]] = te.activation_grad gelu_tanh %{{.*}}, %{{.*}} quantize(%{{.*}}) : tensor<32x64xbf16>, tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32> dbias tensor<64xf32>
// CHECK-NEXT: return %[[R]], %[[C]], %[[A]], %[[DB]], %[[DB]]
// REMARK-DAG: remark: {{.*}}[Passed] Dbias | Category:te-fuse | Function=activation_grad
func.func @activation_grad(%dy: tensor<32x64xbf16>, %x: tensor<32x64xbf16>, %s: tensor<f32>)
    -> (tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>, tensor<64xf32>) {
  %dx = te.activation_grad gelu_tanh %dy, %x : tensor<32x64xbf16>, tensor<32x64xbf16> -> dx tensor<32x64xbf16>
  %db = te.column_sum %dx : tensor<32x64xbf16> -> tensor<64xf32>
  %q, %qt, %amax = te.quantize %dx, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32>
  %db2 = te.column_sum %dx : tensor<32x64xbf16> -> tensor<64xf32>
  return %q, %qt, %amax, %db, %db2 : tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>, tensor<64xf32>
}

// The gradient of a norm, residual included, becomes FP8 copies and the gradient
// of a bias where it is computed; the next layer reads it in high precision.
// CHECK-LABEL: func.func @layer_norm_grad(
// CHECK: %[[DX:.*]], %[[DG:.*]], %[[DB:.*]], %[[R:.*]], %[[C:.*]], %[[A:.*]], %[[DBIAS:.*]] = te.layer_norm_grad %{{.*}} residual(%{{.*}} : tensor<32x64xbf16>) quantize(%{{.*}}) {{.*}} -> dx tensor<32x64xbf16> dgamma tensor<64xf32> dbeta tensor<64xf32> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32> dbias tensor<64xf32>
// CHECK-NEXT: return %[[R]], %[[C]], %[[A]], %[[DBIAS]], %[[DG]], %[[DB]], %[[DX]]
// REMARK-DAG: remark: {{.*}}[Passed] Quantize | Category:te-fuse | Function=layer_norm_grad
func.func @layer_norm_grad(%dy: tensor<32x64xbf16>, %x: tensor<32x64xbf16>, %g: tensor<64xf32>, %mean: tensor<32xf32>, %rstd: tensor<32xf32>,
                           %r: tensor<32x64xbf16>, %s: tensor<f32>)
    -> (tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32x64xbf16>) {
  %dx, %dg, %db = te.layer_norm_grad %dy, %x, %g, %mean, %rstd residual(%r : tensor<32x64xbf16>)
    : tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<64xf32>, tensor<32xf32>, tensor<32xf32> -> dx tensor<32x64xbf16> dgamma tensor<64xf32> dbeta tensor<64xf32>
  %dbias = te.column_sum %dx : tensor<32x64xbf16> -> tensor<64xf32>
  %q, %qt, %amax = te.quantize %dx, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32>
  return %q, %qt, %amax, %dbias, %dg, %db, %dx : tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32x64xbf16>
}

// A residual joins the product that is added to it, even one that is computed
// behind the product.
// CHECK-LABEL: func.func @residual(
// CHECK: %[[X:.*]] = te.activation relu
// CHECK: %[[Y:.*]] = te.scaled_matmul %{{.*}} addend(%[[X]] : tensor<16x16xbf16>)
// CHECK-NEXT: %[[Z:.*]] = te.scaled_matmul %{{.*}} addend(%[[Y]] : tensor<16x16xbf16>)
// CHECK-NEXT: return %[[Z]], %[[X]]
// REMARK-DAG: remark: {{.*}}[Passed] Add | Category:te-fuse | Function=residual | Remark="te.scaled_matmul adds the residual itself"
func.func @residual(%a: tensor<16x32xf8E4M3FN>, %b: tensor<16x32xf8E4M3FN>, %s: tensor<f32>, %x: tensor<16x16xbf16>)
    -> (tensor<16x16xbf16>, tensor<16x16xbf16>) {
  %p = te.scaled_matmul %a, %b scales(%s, %s) : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xbf16>
  %q = te.scaled_matmul %b, %a scales(%s, %s) : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xbf16>
  %h = te.activation relu %x : tensor<16x16xbf16> -> y tensor<16x16xbf16>
  %y = te.add %h, %p : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xbf16>
  %z = te.add %q, %y : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xbf16>
  return %z, %h : tensor<16x16xbf16>, tensor<16x16xbf16>
}

// Something else reads the product, or the sum has another type: they stay.
// CHECK-LABEL: func.func @products_that_stay(
// CHECK-NOT: addend
// CHECK-COUNT-3: te.add
func.func @products_that_stay(%a: tensor<16x32xf8E4M3FN>, %b: tensor<16x32xf8E4M3FN>, %s: tensor<f32>, %x: tensor<16x16xbf16>, %row: tensor<1x16xbf16>)
    -> (tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>, tensor<16x16xbf16>) {
  %p = te.scaled_matmul %a, %b scales(%s, %s) : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xbf16>
  %q = te.scaled_matmul %b, %a scales(%s, %s) : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xbf16>
  %w = te.scaled_matmul %b, %b scales(%s, %s) : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xbf16>
  %y = te.add %x, %p : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xbf16>
  %z = te.add %x, %q : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
  %v = te.add %w, %row : tensor<16x16xbf16>, tensor<1x16xbf16> -> tensor<16x16xbf16>
  return %p, %y, %z, %v : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xf32>, tensor<16x16xbf16>
}

// The sum alone: dx stays, as the next op reads it.
// CHECK-LABEL: func.func @dbias(
// CHECK: %[[DX:.*]], %[[DB:.*]] = te.activation_grad relu %{{.*}}, %{{.*}} : tensor<32x64xf32>, tensor<32x64xf32> -> dx tensor<32x64xf32> dbias tensor<64xf32>
// CHECK-NEXT: return %[[DX]], %[[DB]]
func.func @dbias(%dy: tensor<32x64xf32>, %x: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<64xf32>) {
  %dx = te.activation_grad relu %dy, %x : tensor<32x64xf32>, tensor<32x64xf32> -> dx tensor<32x64xf32>
  %db = te.column_sum %dx : tensor<32x64xf32> -> tensor<64xf32>
  return %dx, %db : tensor<32x64xf32>, tensor<64xf32>
}

// A sum of another type than the one taken over stays.
// CHECK-LABEL: func.func @two_sums(
// CHECK: %[[DX:.*]], %[[DB:.*]] = te.activation_grad relu {{.*}} dbias tensor<64xf32>
// CHECK: %[[LOW:.*]] = te.column_sum %[[DX]] : tensor<32x64xf32> -> tensor<64xbf16>
// CHECK: return %[[DB]], %[[LOW]]
func.func @two_sums(%dy: tensor<32x64xf32>, %x: tensor<32x64xf32>) -> (tensor<64xf32>, tensor<64xbf16>) {
  %dx = te.activation_grad relu %dy, %x : tensor<32x64xf32>, tensor<32x64xf32> -> dx tensor<32x64xf32>
  %db = te.column_sum %dx : tensor<32x64xf32> -> tensor<64xf32>
  %low = te.column_sum %dx : tensor<32x64xf32> -> tensor<64xbf16>
  return %db, %low : tensor<64xf32>, tensor<64xbf16>
}

// A quantization reads all of dy: it sums the rows, wherever the sum stood.
// CHECK-LABEL: func.func @quantize_dbias(
// CHECK-SAME: %[[DY:[^ ]*]]: tensor<32x64xbf16>, %[[SCALES:[^ ]*]]: tensor<2xf32>)
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[SCALES]][1]
// CHECK-NEXT: %[[R:.*]], %[[C:.*]], %[[A:.*]], %[[DB:.*]] = te.quantize %[[DY]], %[[S]] : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32> dbias tensor<64xf32>
// CHECK-NEXT: return %[[R]], %[[C]], %[[A]], %[[DB]]
// REMARK-DAG: remark: {{.*}}[Passed] Dbias | Category:te-fuse | Function=quantize_dbias
func.func @quantize_dbias(%dy: tensor<32x64xbf16>, %scales: tensor<2xf32>)
    -> (tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>) {
  %db = te.column_sum %dy : tensor<32x64xbf16> -> tensor<64xf32>
  %s = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %q, %qt, %amax = te.quantize %dy, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32>
  return %q, %qt, %amax, %db : tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>
}

// A producer that quantizes but sums no rows leaves the quantization alone.
// CHECK-LABEL: func.func @sums_rows(
// CHECK: te.activation gelu_tanh %{{.*}} : tensor<32x64xbf16> -> y tensor<32x64xbf16>
// CHECK-NEXT: te.quantize {{.*}} dbias tensor<64xf32>
// REMARK-DAG: remark: {{.*}}[Missed] SumsRows | Category:te-fuse | Function=sums_rows
func.func @sums_rows(%x: tensor<32x64xbf16>, %s: tensor<f32>) -> (tensor<32x64xf8E5M2>, tensor<64xf32>) {
  %y = te.activation gelu_tanh %x : tensor<32x64xbf16> -> y tensor<32x64xbf16>
  %q = te.quantize %y, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2>
  %sum = te.column_sum %y : tensor<32x64xbf16> -> tensor<64xf32>
  return %q, %sum : tensor<32x64xf8E5M2>, tensor<64xf32>
}

// Results that are only widened are written wide, through a reshape too.
// CHECK-LABEL: func.func @widened(
// CHECK-NEXT: %[[Y:.*]] = te.add %{{.*}}, %{{.*}} : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<32x64xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[Y]] {{.*}} : tensor<32x64xf32> into tensor<4x8x64xf32>
// CHECK-NEXT: return %[[E]]
func.func @widened(%a: tensor<32x64xbf16>, %b: tensor<32x64xbf16>) -> tensor<4x8x64xf32> {
  %y = te.add %a, %b : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<32x64xbf16>
  %e = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, 8, 64] : tensor<32x64xbf16> into tensor<4x8x64xbf16>
  %w = arith.extf %e : tensor<4x8x64xbf16> to tensor<4x8x64xf32>
  return %w : tensor<4x8x64xf32>
}

// The rounded value has another reader.
// CHECK-LABEL: func.func @rounded(
// CHECK: te.add {{.*}} -> tensor<32x64xbf16>
// CHECK: arith.extf
func.func @rounded(%a: tensor<32x64xbf16>, %b: tensor<32x64xbf16>) -> (tensor<32x64xbf16>, tensor<32x64xf32>) {
  %y = te.add %a, %b : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<32x64xbf16>
  %w = arith.extf %y : tensor<32x64xbf16> to tensor<32x64xf32>
  return %y, %w : tensor<32x64xbf16>, tensor<32x64xf32>
}

// What is narrowed only to be quantized, and summed, is read as it is.
// CHECK-LABEL: func.func @narrowed(
// CHECK-SAME: %[[DY:[^ ]*]]: tensor<32x64xf32>
// CHECK-NEXT: te.quantize %[[DY]], %{{.*}} : tensor<32x64xf32> -> rowwise tensor<32x64xf8E5M2> dbias tensor<64xf32>
func.func @narrowed(%dy: tensor<32x64xf32>, %s: tensor<f32>) -> (tensor<32x64xf8E5M2>, tensor<64xf32>) {
  %n = arith.truncf %dy : tensor<32x64xf32> to tensor<32x64xbf16>
  %q = te.quantize %n, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2>
  %sum = te.column_sum %n : tensor<32x64xbf16> -> tensor<64xf32>
  return %q, %sum : tensor<32x64xf8E5M2>, tensor<64xf32>
}

// The optimizer keeps the parameter; the update of the scales and the slice of
// the new scale move before it.
// CHECK-LABEL: func.func @adamw(
// CHECK: %[[AMAX:.*]] = te.amax
// CHECK-NEXT: %[[S1:.*]], %{{.*}}, %{{.*}}, %{{.*}} = te.update_scales {{.*}} amaxes(%[[AMAX]])
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[S1]][0] [1] [1]
// CHECK-NEXT: %[[P:.*]], %{{.*}}:2, %[[R:.*]], %[[A:.*]] = te.update #te.adamw {{.*}} quantize(%[[S]]) {decay} : tensor<32x16xf32>, tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
// CHECK-NOT: te.quantize
// CHECK: return %[[P]], %[[R]], %[[A]], %[[S1]]
func.func @adamw(%p: tensor<32x16xf32>, %m: tensor<32x16xf32>, %v: tensor<32x16xf32>, %g: tensor<32x16xf32>, %c: tensor<f32>, %step: tensor<i64>,
                 %scales: tensor<1xf32>, %invs: tensor<1xf32>, %history: tensor<4x1xf32>, %nonfinite: tensor<1xi64>)
    -> (tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>, tensor<1xf32>) {
  %amax = te.amax %g : tensor<32x16xf32>
  %p1, %m1, %v1 = te.update #te.adamw %p states(%m, %v) gradient(%g) coefficient(%c) scalars(%c, %c, %c, %c, %c) step(%step) {decay} : tensor<32x16xf32>, tensor<32x16xf32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %s = tensor.extract_slice %s1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %qamax = te.quantize %p1, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  return %p1, %q, %qamax, %s1 : tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>, tensor<1xf32>
}

// The scale depends on what the producer computes: not fused, nothing moved.
// CHECK-LABEL: func.func @late_scale(
// CHECK: %[[Y:.*]] = te.activation relu %{{.*}} : tensor<32x64xf32> -> y tensor<32x64xf32>
// CHECK-NEXT: %[[A:.*]] = te.amax %[[Y]]
// CHECK-NEXT: %[[S:.*]], %{{.*}} = te.compute_scale %[[A]]
// CHECK-NEXT: te.quantize %[[Y]], %[[S]]
// REMARK-DAG: remark: {{.*}}[Missed] LateScale | Category:te-fuse | Function=late_scale | Reason="the scale is known only after te.activation"
func.func @late_scale(%x: tensor<32x64xf32>) -> (tensor<32x64xf8E4M3FN>, tensor<32x64xf32>) {
  %y = te.activation relu %x : tensor<32x64xf32> -> y tensor<32x64xf32>
  %amax = te.amax %y : tensor<32x64xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  %q = te.quantize %y, %s : tensor<32x64xf32> -> rowwise tensor<32x64xf8E4M3FN>
  return %q, %y : tensor<32x64xf8E4M3FN>, tensor<32x64xf32>
}

// If nobody else reads the value, it is computed twice: for its amax, and to be
// quantized with the scale of that.
// CHECK-LABEL: func.func @own_scale(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<32x64xbf16>
// CHECK-NEXT: %[[A:.*]] = te.activation relu %[[X]] : tensor<32x64xbf16> -> amax tensor<f32>
// CHECK-NEXT: %[[S:.*]], %[[SI:.*]] = te.compute_scale %[[A]]
// CHECK-NEXT: %[[Q:.*]], %{{.*}} = te.activation relu %[[X]] quantize(%[[S]]) : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN> amax tensor<f32>
// CHECK-NEXT: return %[[Q]], %[[SI]]
// REMARK-DAG: remark: {{.*}}[Passed] Quantize | Category:te-fuse | Function=own_scale | Remark="te.activation computes the value twice, for its amax and to write the FP8 copies itself"
func.func @own_scale(%x: tensor<32x64xbf16>) -> (tensor<32x64xf8E4M3FN>, tensor<f32>) {
  %y = te.activation relu %x : tensor<32x64xbf16> -> y tensor<32x64xbf16>
  %amax = te.amax %y : tensor<32x64xbf16>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  %q = te.quantize %y, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN>
  return %q, %si : tensor<32x64xf8E4M3FN>, tensor<f32>
}

// The sum of rows is computed once, with the copies.
// CHECK-LABEL: func.func @own_scale_dbias(
// CHECK-NEXT: %[[A:.*]] = te.activation_grad gelu_tanh %{{.*}}, %{{.*}} : tensor<32x64xbf16>, tensor<32x64xbf16> -> amax tensor<f32>
// CHECK-NEXT: %[[S:.*]], %{{.*}} = te.compute_scale %[[A]]
// CHECK-NEXT: %[[Q:.*]], %{{.*}}, %[[SUM:.*]] = te.activation_grad gelu_tanh %{{.*}}, %{{.*}} quantize(%[[S]]) : tensor<32x64xbf16>, tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2> amax tensor<f32> dbias tensor<64xf32>
// CHECK-NEXT: return %[[Q]], %[[SUM]]
func.func @own_scale_dbias(%dy: tensor<32x64xbf16>, %x: tensor<32x64xbf16>) -> (tensor<32x64xf8E5M2>, tensor<64xf32>) {
  %dx = te.activation_grad gelu_tanh %dy, %x : tensor<32x64xbf16>, tensor<32x64xbf16> -> dx tensor<32x64xbf16>
  %sum = te.column_sum %dx : tensor<32x64xbf16> -> tensor<64xf32>
  %amax = te.amax %dx : tensor<32x64xbf16>
  %s, %si = te.compute_scale %amax {format = f8E5M2}
  %q = te.quantize %dx, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2>
  return %q, %sum : tensor<32x64xf8E5M2>, tensor<64xf32>
}

// Operands in float32 of a result in bf16 are as much to read as writing it and
// reading it twice.
// CHECK-LABEL: func.func @own_scale_of_much(
// CHECK: %[[DX:.*]] = te.activation_grad relu {{.*}} -> dx tensor<32x64xbf16>
// CHECK-NEXT: te.amax %[[DX]]
// REMARK-DAG: remark: {{.*}}[Missed] OwnAmax | Category:te-fuse | Function=own_scale_of_much | Reason="the scale is made of the value's amax, and te.activation_grad reads too much to compute the value twice"
func.func @own_scale_of_much(%dy: tensor<32x64xf32>, %x: tensor<32x64xf32>) -> tensor<32x64xf8E5M2> {
  %dx = te.activation_grad relu %dy, %x : tensor<32x64xf32>, tensor<32x64xf32> -> dx tensor<32x64xbf16>
  %amax = te.amax %dx : tensor<32x64xbf16>
  %s, %si = te.compute_scale %amax {format = f8E5M2}
  %q = te.quantize %dx, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2>
  return %q : tensor<32x64xf8E5M2>
}

// Two quantizations of one result: the producer takes the first.
// CHECK-LABEL: func.func @twice(
// CHECK: %[[Y:.*]], %[[R:.*]], %{{.*}} = te.activation relu %{{.*}} quantize(%[[S:.*]]) : tensor<32x64xf32> -> y tensor<32x64xf32> rowwise tensor<32x64xf8E4M3FN>
// CHECK-NEXT: %[[R2:.*]] = te.quantize %[[Y]], %{{.*}} : tensor<32x64xf32> -> rowwise tensor<32x64xf8E5M2>
// CHECK-NEXT: return %[[R]], %[[R2]]
// REMARK-DAG: remark: {{.*}}[Missed] NotThisResult | Category:te-fuse | Function=twice | Reason="te.activation cannot quantize result 0, or quantizes it already with another scale"
func.func @twice(%x: tensor<32x64xf32>, %s: tensor<f32>, %t: tensor<f32>) -> (tensor<32x64xf8E4M3FN>, tensor<32x64xf8E5M2>) {
  %y = te.activation relu %x : tensor<32x64xf32> -> y tensor<32x64xf32>
  %q = te.quantize %y, %s : tensor<32x64xf32> -> rowwise tensor<32x64xf8E4M3FN>
  %q2 = te.quantize %y, %t : tensor<32x64xf32> -> rowwise tensor<32x64xf8E5M2>
  return %q, %q2 : tensor<32x64xf8E4M3FN>, tensor<32x64xf8E5M2>
}

// No producer that could: an argument, an op without the interface.
// CHECK-LABEL: func.func @no_producer(
// CHECK-COUNT-2: te.quantize
// REMARK-DAG: remark: {{.*}}[Missed] NoProducer | Category:te-fuse | Function=no_producer | Reason="the value comes from outside the function"
// REMARK-DAG: remark: {{.*}}[Missed] NoProducer | Category:te-fuse | Function=no_producer | Reason="te.add cannot quantize what it computes"
func.func @no_producer(%x: tensor<32x64xf32>, %s: tensor<f32>) -> (tensor<32x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>) {
  %q = te.quantize %x, %s : tensor<32x64xf32> -> rowwise tensor<32x64xf8E4M3FN>
  %y = te.add %x, %x : tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  %q2 = te.quantize %y, %s : tensor<32x64xf32> -> rowwise tensor<32x64xf8E4M3FN>
  return %q, %q2 : tensor<32x64xf8E4M3FN>, tensor<32x64xf8E4M3FN>
}

// Weights of merged layers are rounded one by one, not put together in float32
// first; where something else reads them in float32, they are there already.
// CHECK-LABEL: func.func @merged(
// CHECK-SAME:    %[[V:.*]]: tensor<16x64xf32>, %[[W:.*]]: tensor<32x64xf32>
// CHECK-DAG:     %[[VB:.*]] = arith.truncf %[[V]] : tensor<16x64xf32> to tensor<16x64xbf16>
// CHECK-DAG:     %[[WB:.*]] = arith.truncf %[[W]] : tensor<32x64xf32> to tensor<32x64xbf16>
// CHECK:         %[[B:.*]] = tensor.concat dim(0) %[[VB]], %[[WB]] : (tensor<16x64xbf16>, tensor<32x64xbf16>) -> tensor<48x64xbf16>
// CHECK-NEXT:    return %[[B]]
func.func @merged(%v: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<48x64xbf16> {
  %j = tensor.concat dim(0) %v, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<48x64xf32>
  %b = arith.truncf %j : tensor<48x64xf32> to tensor<48x64xbf16>
  return %b : tensor<48x64xbf16>
}

// CHECK-LABEL: func.func @merged_and_read(
// CHECK:         %[[J:.*]] = tensor.concat
// CHECK:         arith.truncf %[[J]]
func.func @merged_and_read(%v: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> (tensor<48x64xbf16>, tensor<48x64xf32>) {
  %j = tensor.concat dim(0) %v, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<48x64xf32>
  %b = arith.truncf %j : tensor<48x64xf32> to tensor<48x64xbf16>
  return %b, %j : tensor<48x64xbf16>, tensor<48x64xf32>
}
