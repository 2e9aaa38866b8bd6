// FP8 products of a head, in slices of rows.
// RUN: te-opt %s --te-fuse-loss="max-bytes=6144 row-multiple=4" --split-input-file | FileCheck %s
// RUN: te-opt %s --te-fuse-loss="max-bytes=6144 row-multiple=4" --split-input-file --remarks-filter=te-fuse-loss -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: te-opt %s --te-fuse-loss --split-input-file | FileCheck %s --check-prefix=WHOLE

// 80 rows of 50 classes in bf16 are 8000 bytes, more than 6144 and so two slices; with two FP8 copies of
// the gradient four, of 20 rows each and so of 32, as copies have multiples of 16.

// REMARK: Fused {{.*}}Function=parts | Classes=64, Parts=3, Remark="loss and gradient are computed together", Rows=32
// CHECK-LABEL: func @parts(
// CHECK-SAME:    %[[X:[^ ]*]]: tensor<80x16xf8E4M3FN>, %[[XC:[^ ]*]]: tensor<16x80xf8E4M3FN>, %[[W:[^ ]*]]: tensor<64x16xf8E4M3FN>, %[[WC:[^ ]*]]: tensor<16x64xf8E4M3FN>, %[[LABELS:[^ ]*]]: tensor<80xi64>, %[[DLOSS:[^ ]*]]: tensor<f32>, %[[SCALES:[^ ]*]]: tensor<3xf32>, %[[INVS:[^ ]*]]: tensor<3xf32>
// CHECK-DAG:     %[[XI:.*]] = tensor.extract_slice %[[INVS]][0] [1] [1]
// CHECK-DAG:     %[[WI:.*]] = tensor.extract_slice %[[INVS]][1] [1] [1]
// CHECK-DAG:     %[[DI:.*]] = tensor.extract_slice %[[INVS]][2] [1] [1]
// CHECK-DAG:     %[[S:.*]] = tensor.extract_slice %[[SCALES]][2] [1] [1]
// CHECK-DAG:     %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0] [32, 16] [1, 1]
// CHECK-DAG:     %[[X1:.*]] = tensor.extract_slice %[[X]][32, 0] [32, 16] [1, 1]
// CHECK-DAG:     %[[X2:.*]] = tensor.extract_slice %[[X]][64, 0] [16, 16] [1, 1]
// CHECK-DAG:     %[[XC0:.*]] = tensor.extract_slice %[[XC]][0, 0] [16, 32] [1, 1]
// CHECK-DAG:     %[[XC1:.*]] = tensor.extract_slice %[[XC]][0, 32] [16, 32] [1, 1]
// CHECK-DAG:     %[[XC2:.*]] = tensor.extract_slice %[[XC]][0, 64] [16, 16] [1, 1]
// CHECK:         %[[P0:.*]] = te.scaled_matmul %[[X0]], %[[W]] scales(%[[XI]], %[[WI]]) {accumulate = #te.accumulate<fast>, layer = "head"} : {{.*}} -> tensor<32x64xbf16>
// CHECK:         %[[L0:.*]] = tensor.extract_slice %[[P0]][0, 0] [32, 50] [1, 1]
// CHECK:         %[[D0:.*]], %[[S0:.*]] = te.cross_entropy_with_grad %[[DLOSS]], %{{.*}}, %{{.*}}, %[[L0]], %{{.*}} {ignore_index = -1 : i64, label_smoothing = 1.000000e-01 : f32}
// CHECK:         %[[R0:.*]], %[[C0:.*]], %[[A0:.*]] = te.quantize %[[D0]], %[[S]] : tensor<32x50xbf16> -> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32>
// CHECK:         %[[DX0:.*]] = te.scaled_matmul %[[R0]], %[[WC]] scales(%[[DI]], %[[WI]]) {layer = "head", role = #te.role<dgrad>} : {{.*}} -> tensor<32x16xbf16>
// CHECK:         %[[DW0:.*]] = te.scaled_matmul %[[C0]], %[[XC0]] scales(%[[DI]], %[[XI]]) {layer = "head", role = #te.role<wgrad>} : {{.*}} -> tensor<64x16xf32>
// CHECK:         %[[P1:.*]] = te.scaled_matmul %[[X1]], %[[W]]
// CHECK:         %[[D1:.*]], %[[S1:.*]] = te.cross_entropy_with_grad %[[DLOSS]], %{{.*}}, %{{.*}}, %{{.*}}, %[[S0]]
// CHECK:         %[[R1:.*]], %[[C1:.*]], %[[A1:.*]] = te.quantize %[[D1]], %[[S]]
// CHECK:         %[[DX1:.*]] = te.scaled_matmul %[[R1]], %[[WC]]
// CHECK:         %[[DW1:.*]] = te.scaled_matmul %[[C1]], %[[XC1]] scales(%[[DI]], %[[XI]]) addend(%[[DW0]] : tensor<64x16xf32>)
// CHECK:         %[[P2:.*]] = te.scaled_matmul %[[X2]], %[[W]] {{.*}} -> tensor<16x64xbf16>
// CHECK:         %[[D2:.*]], %[[S2:.*]] = te.cross_entropy_with_grad %[[DLOSS]], %{{.*}}, %{{.*}}, %{{.*}}, %[[S1]]
// CHECK:         %[[R2:.*]], %[[C2:.*]], %[[A2:.*]] = te.quantize %[[D2]], %[[S]] : tensor<16x50xbf16>
// CHECK:         %[[DX2:.*]] = te.scaled_matmul %[[R2]], %[[WC]]
// CHECK:         %[[DW2:.*]] = te.scaled_matmul %[[C2]], %[[XC2]] scales(%[[DI]], %[[XI]]) addend(%[[DW1]] : tensor<64x16xf32>)
// CHECK:         %[[DX:.*]] = tensor.concat dim(0) %[[DX0]], %[[DX1]], %[[DX2]]
// CHECK-DAG:     %[[V0:.*]] = tensor.expand_shape %[[A0]]
// CHECK-DAG:     %[[V1:.*]] = tensor.expand_shape %[[A1]]
// CHECK-DAG:     %[[V2:.*]] = tensor.expand_shape %[[A2]]
// CHECK:         %[[V:.*]] = tensor.concat dim(0) %[[V0]], %[[V1]], %[[V2]] : {{.*}} -> tensor<3xf32>
// CHECK:         %[[AMAX:.*]] = te.amax %[[V]] : tensor<3xf32>
// CHECK:         return %[[S2]], %[[DX]], %[[DW2]], %[[AMAX]]

// Within the limit the products are what they are.
// WHOLE-LABEL: func @parts(
// WHOLE:         te.scaled_matmul {{.*}} -> tensor<80x64xbf16>
// WHOLE:         te.cross_entropy_with_grad
// WHOLE:         te.quantize
// WHOLE-NOT:     te.amax
// WHOLE:         return
func.func @parts(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %scales: tensor<3xf32>, %invs: tensor<3xf32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<f32>) {
  %xi = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %wi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {accumulate = #te.accumulate<fast>, layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %l = tensor.extract_slice %p[0, 0] [80, 50] [1, 1] : tensor<80x64xbf16> to tensor<80x50xbf16>
  %loss, %lse, %count = te.cross_entropy %l, %labels {ignore_index = -1 : i64, label_smoothing = 0.1 : f32} : tensor<80x50xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count {ignore_index = -1 : i64, label_smoothing = 0.1 : f32} : tensor<80x50xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x50xbf16>
  %s = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %r, %c, %amax = te.quantize %dl, %s : tensor<80x50xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %di = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw, %amax : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<f32>
}

// -----

// A weight stored [K,N], whose gradient has the input first. In bf16 it is
// rounded once, from the sum over the slices in float32; nobody wants the amax.
// CHECK-LABEL: func @input_first(
// CHECK-SAME:    %{{[^ ]*}}: tensor<80x16xf8E4M3FN>, %[[XC:[^ ]*]]: tensor<16x80xf8E4M3FN>
// CHECK:         %[[XC0:.*]] = tensor.extract_slice %[[XC]][0, 0] [16, 32] [1, 1]
// CHECK:         %[[DW0:.*]] = te.scaled_matmul %[[XC0]], %{{.*}} {layer = "head", role = #te.role<wgrad>} : tensor<16x32xf8E4M3FN>, tensor<64x32xf8E5M2> -> tensor<16x64xf32>
// CHECK:         %[[DW1:.*]] = te.scaled_matmul {{.*}} addend(%[[DW0]] : tensor<16x64xf32>)
// CHECK:         %[[DW2:.*]] = te.scaled_matmul {{.*}} addend(%[[DW1]] : tensor<16x64xf32>)
// CHECK:         %[[DW:.*]] = arith.truncf %[[DW2]] : tensor<16x64xf32> to tensor<16x64xbf16>
// CHECK-NOT:     te.amax
// CHECK:         return %{{.*}}, %{{.*}}, %[[DW]]
func.func @input_first(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<16x64xbf16>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r, %c = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %xc, %c scales(%xi, %di) {layer = "head", role = #te.role<wgrad>} : tensor<16x80xf8E4M3FN>, tensor<64x80xf8E5M2> -> tensor<16x64xbf16>
  return %loss, %dx, %dw : tensor<f32>, tensor<80x16xbf16>, tensor<16x64xbf16>
}

// -----

// The sum over microbatches is where the sum over slices begins.
// CHECK-LABEL: func @accumulated(
// CHECK-SAME:    %[[SUM:[^ ]*]]: tensor<64x16xf32>)
// CHECK:         %[[DW0:.*]] = te.scaled_matmul {{.*}} addend(%[[SUM]] : tensor<64x16xf32>) {{.*}}wgrad
// CHECK:         te.scaled_matmul {{.*}} addend(%[[DW0]] : tensor<64x16xf32>) {{.*}}wgrad
func.func @accumulated(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>, %sum: tensor<64x16xf32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<f32>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r, %c, %amax = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) addend(%sum : tensor<64x16xf32>) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw, %amax : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<f32>
}

// -----

// Of a frozen weight: one copy, and three slices in place of
// two, of 22 rows and so of 32.
// REMARK: Fused {{.*}}Function=frozen | {{.*}}Parts=2, {{.*}}Rows=32
// CHECK-LABEL: func @frozen(
// CHECK:         te.quantize %{{.*}} -> rowwise tensor<32x64xf8E5M2> amax tensor<f32>
// CHECK:         te.quantize %{{.*}} -> rowwise tensor<32x64xf8E5M2> amax tensor<f32>
// CHECK-NOT:     wgrad
// CHECK:         te.amax %{{.*}} : tensor<2xf32>
func.func @frozen(%x: tensor<64x16xf8E4M3FN>, %xc: tensor<16x64xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<64xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<64x16xbf16>, tensor<f32>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<64x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<64x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<64x64xbf16>, tensor<64xi64> -> tensor<64xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<64x64xbf16>, tensor<64xi64>, tensor<64xf32> -> tensor<64x64xbf16>
  %r, %amax = te.quantize %dl, %s : tensor<64x64xbf16> -> rowwise tensor<64x64xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<64x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<64x16xbf16>
  return %loss, %dx, %amax : tensor<f32>, tensor<64x16xbf16>, tensor<f32>
}

// -----

// Current scaling: the scale follows from all of the gradient.
// REMARK: Whole {{.*}}Function=current {{.*}}the scale of the gradient of the logits is made from it
// CHECK-LABEL: func @current(
// CHECK:         te.cross_entropy_with_grad {{.*}} tensor<80x64xbf16>
func.func @current(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %a = te.amax %dl : tensor<80x64xbf16>
  %cs, %ci = te.compute_scale %a {format = f8E5M2}
  %r, %c = te.quantize %dl, %cs : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2>
  %dx = te.scaled_matmul %r, %wc scales(%ci, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%ci, %xi) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>
}

// -----

// Scales of rows.
// REMARK: Whole {{.*}}Function=rows {{.*}}the scale of the gradient of the logits is made from it
// CHECK-LABEL: func @rows(
// CHECK:         te.cross_entropy_with_grad {{.*}} tensor<80x64xbf16>
func.func @rows(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>, %ss: tensor<80x1xf32>)
    -> (tensor<f32>, tensor<80x16xbf16>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r = te.quantize %dl, %ss of tensor<80x1xf32> : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2>
  %dx = te.scaled_matmul %r, %wc scales(%ss of tensor<80x1xf32>, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  return %loss, %dx : tensor<f32>, tensor<80x16xbf16>
}

// -----

// Copies with rows of zeros at their end.
// REMARK: Whole {{.*}}Function=odd_rows {{.*}}FP8 copies of slices have multiples of 16 rows
// CHECK-LABEL: func @odd_rows(
// CHECK:         te.cross_entropy_with_grad {{.*}} tensor<72x64xbf16>
func.func @odd_rows(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<72xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %l = tensor.extract_slice %p[0, 0] [72, 64] [1, 1] : tensor<80x64xbf16> to tensor<72x64xbf16>
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<72x64xbf16>, tensor<72xi64> -> tensor<72xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count : tensor<72x64xbf16>, tensor<72xi64>, tensor<72xf32> -> tensor<72x64xbf16>
  %r, %c, %amax = te.quantize %dl, %s : tensor<72x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>
}

// -----

// The gradient of a bias, which the quantization sums in passing.
// REMARK: Whole {{.*}}Function=bias {{.*}}the gradient of the bias is summed while that of the logits is quantized
// CHECK-LABEL: func @bias(
// CHECK:         te.cross_entropy_with_grad {{.*}} tensor<80x64xbf16>
func.func @bias(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<64xf32>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r, %c, %amax, %db = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32> dbias tensor<64xf32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw, %db : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<64xf32>
}

// -----

// A copy that is needed elsewhere, in full.
// REMARK: Whole {{.*}}Function=copy_needed {{.*}}the gradient of the logits is read by something else than FP8 products of their layer
// CHECK-LABEL: func @copy_needed(
// CHECK:         te.cross_entropy_with_grad {{.*}} tensor<80x64xbf16>
func.func @copy_needed(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<80x64xf8E5M2>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r, %c, %amax = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw, %r : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<80x64xf8E5M2>
}

// -----

// So is the gradient itself.
// REMARK: Whole {{.*}}Function=gradient_needed {{.*}}the gradient of the logits is read by something else than FP8 products of their layer
// CHECK-LABEL: func @gradient_needed(
// CHECK:         te.cross_entropy_with_grad {{.*}} tensor<80x64xbf16>
func.func @gradient_needed(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<80x64xbf16>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r, %c, %amax = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw, %dl : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<80x64xbf16>
}

// -----

// A sum in bf16 would be rounded with every slice; it is added to at the end.
// CHECK-LABEL: func @narrow_sum(
// CHECK-SAME:    %[[SUM:[^ ]*]]: tensor<64x16xbf16>)
// CHECK:         %[[DW0:.*]] = te.scaled_matmul {{.*}}wgrad{{.*}} -> tensor<64x16xf32>
// CHECK:         %[[DW1:.*]] = te.scaled_matmul {{.*}} addend(%[[DW0]] : tensor<64x16xf32>)
// CHECK:         %[[DW2:.*]] = te.scaled_matmul {{.*}} addend(%[[DW1]] : tensor<64x16xf32>)
// CHECK:         %[[DW:.*]] = arith.truncf %[[DW2]]
// CHECK:         %[[ALL:.*]] = te.add %[[SUM]], %[[DW]] : tensor<64x16xbf16>
// CHECK:         return %{{.*}}, %{{.*}}, %[[ALL]]
func.func @narrow_sum(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>, %sum: tensor<64x16xbf16>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xbf16>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r, %c, %amax = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) addend(%sum : tensor<64x16xbf16>) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xbf16>
  return %loss, %dx, %dw : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xbf16>
}

// -----

// So is a sum that is there later than the loss, such as that of a token table
// that is the head as well.
// CHECK-LABEL: func @late_sum(
// CHECK:         te.scaled_matmul {{.*}}wgrad{{.*}} -> tensor<64x16xf32>
// CHECK:         te.scaled_matmul {{.*}} addend
// CHECK:         %[[DW:.*]] = te.scaled_matmul {{.*}} addend
// CHECK:         %[[SUM:.*]] = arith.addf
// CHECK:         %[[ALL:.*]] = te.add %[[SUM]], %[[DW]] : tensor<64x16xf32>
// CHECK:         return %{{.*}}, %{{.*}}, %[[ALL]]
func.func @late_sum(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>, %sum: tensor<64x16xf32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>) {
  %p = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse, %count = te.cross_entropy %p, %labels : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %dl = te.cross_entropy_grad %dloss, %p, %labels, %lse, %count : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32> -> tensor<80x64xbf16>
  %r, %c, %amax = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %late = arith.addf %sum, %sum : tensor<64x16xf32>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) addend(%late : tensor<64x16xf32>) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %loss, %dx, %dw : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>
}

// -----

// Classes that ranks share.
// REMARK: Fused {{.*}}Function=vocabulary | {{.*}}Parts=3
// CHECK-LABEL: func @vocabulary(
// CHECK:         %[[L0:.*]] = te.scaled_matmul {{.*}} -> tensor<32x64xbf16>
// CHECK:         te.vocabulary_cross_entropy %[[L0]]
// CHECK:         %[[D0:.*]] = te.vocabulary_cross_entropy_grad %{{.*}}, %[[L0]]
// CHECK:         te.quantize %[[D0]]
// CHECK:         te.scaled_matmul {{.*}} -> tensor<32x64xbf16>
// CHECK:         te.amax %{{.*}} : tensor<3xf32>
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @vocabulary(%x: tensor<80x16xf8E4M3FN>, %xc: tensor<16x80xf8E4M3FN>, %w: tensor<64x16xf8E4M3FN>, %wc: tensor<16x64xf8E4M3FN>,
    %labels: tensor<80xi64>, %dloss: tensor<f32>, %s: tensor<f32>, %xi: tensor<f32>, %wi: tensor<f32>, %di: tensor<f32>)
    -> (tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<f32>) {
  %l = te.scaled_matmul %x, %w scales(%xi, %wi) {layer = "head"} : tensor<80x16xf8E4M3FN>, tensor<64x16xf8E4M3FN> -> tensor<80x64xbf16>
  %loss, %lse = te.vocabulary_cross_entropy %l, %labels on @mesh axes = [0] {classes = 120 : i64, rank_classes = 60 : i64}
    : tensor<80x64xbf16>, tensor<80xi64> -> tensor<80xf32>
  %sum = shard.all_reduce %loss on @mesh grid_axes = [0] : tensor<f32> -> tensor<f32>
  %dl = te.vocabulary_cross_entropy_grad %dloss, %l, %labels, %lse on @mesh axes = [0] {classes = 120 : i64, rank_classes = 60 : i64}
    : tensor<80x64xbf16>, tensor<80xi64>, tensor<80xf32>
  %r, %c, %amax = te.quantize %dl, %s : tensor<80x64xbf16> -> rowwise tensor<80x64xf8E5M2> columnwise tensor<64x80xf8E5M2> amax tensor<f32>
  %dx = te.scaled_matmul %r, %wc scales(%di, %wi) {layer = "head", role = #te.role<dgrad>} : tensor<80x64xf8E5M2>, tensor<16x64xf8E4M3FN> -> tensor<80x16xbf16>
  %dw = te.scaled_matmul %c, %xc scales(%di, %xi) {layer = "head", role = #te.role<wgrad>} : tensor<64x80xf8E5M2>, tensor<16x80xf8E4M3FN> -> tensor<64x16xf32>
  return %sum, %dx, %dw, %amax : tensor<f32>, tensor<80x16xbf16>, tensor<64x16xf32>, tensor<f32>
}
