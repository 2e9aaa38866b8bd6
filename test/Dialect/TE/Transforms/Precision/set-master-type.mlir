// RUN: te-opt %s --te-set-master-type | FileCheck %s

// The trained matrix is bf16: the product reads it as it is, the quantization too,
// and the update rounds its new value. The frozen one and the vector stay.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[W:[^:]*]]: tensor<32x16xbf16> {te.param = "w"}
// CHECK-SAME: %[[B:[^:]*]]: tensor<32xf32> {te.param = "b"}
// CHECK-SAME: %[[F:[^:]*]]: tensor<32x16xf32> {te.frozen, te.param = "f"}
// CHECK-SAME: -> (tensor<8x32xbf16> {te.output = "y"}, tensor<32x16xbf16> {te.param = "w"}, tensor<32xf32> {te.param = "b"}
// CHECK: te.matmul %{{.*}}, %[[W]] {transpose_b} : tensor<8x16xbf16>, tensor<32x16xbf16>
// CHECK: arith.truncf %[[F]]
// CHECK: %[[W1:.*]], %{{.*}}:2 = te.update #te.adamw %[[W]] {{.*}} : tensor<32x16xbf16>, tensor<32x16xf32>{{ *$}}
// CHECK: te.update #te.adamw %[[B]] {{.*}} : tensor<32xf32>, tensor<32xf32>{{ *$}}
// CHECK: te.quantize %[[W1]], %{{.*}} : tensor<32x16xbf16>
// CHECK: return %{{.*}}, %[[W1]]
func.func @train(%x: tensor<8x16xbf16> {te.input = "x"}, %g: tensor<32x16xf32> {te.input = "g"}, %gb: tensor<32xf32> {te.input = "gb"},
                 %c: tensor<f32> {te.scalar = "c"}, %t: tensor<i64> {te.scalar = "t"},
                 %w: tensor<32x16xf32> {te.param = "w"}, %b: tensor<32xf32> {te.param = "b"}, %f: tensor<32x16xf32> {te.param = "f", te.frozen},
                 %m: tensor<32x16xf32> {te.state = "m", te.kind = "optimizer"}, %mb: tensor<32xf32> {te.state = "mb", te.kind = "optimizer"})
    -> (tensor<8x32xbf16> {te.output = "y"}, tensor<32x16xf32> {te.param = "w"}, tensor<32xf32> {te.param = "b"},
        tensor<32x16xf8E4M3FN> {te.output = "q"}, tensor<8x32xbf16> {te.output = "z"}) attributes {te.entry = "train"} {
  %wb = arith.truncf %w : tensor<32x16xf32> to tensor<32x16xbf16>
  %y = te.matmul %x, %wb {transpose_b} : tensor<8x16xbf16>, tensor<32x16xbf16> -> tensor<8x32xbf16>
  %fb = arith.truncf %f : tensor<32x16xf32> to tensor<32x16xbf16>
  %z = te.matmul %x, %fb {transpose_b} : tensor<8x16xbf16>, tensor<32x16xbf16> -> tensor<8x32xbf16>
  %w1, %m1, %v1 = te.update #te.adamw %w states(%m, %m) gradient(%g) coefficient(%c) scalars(%c, %c, %c, %c, %c) step(%t) : tensor<32x16xf32>, tensor<32x16xf32>
  %b1, %m2, %v2 = te.update #te.adamw %b states(%mb, %mb) gradient(%gb) coefficient(%c) scalars(%c, %c, %c, %c, %c) step(%t) : tensor<32xf32>, tensor<32xf32>
  %q = te.quantize %w1, %c : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  return %y, %w1, %b1, %q, %z : tensor<8x32xbf16>, tensor<32x16xf32>, tensor<32xf32>, tensor<32x16xf8E4M3FN>, tensor<8x32xbf16>
}

// Another entry reads the same parameter.
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: %[[W:[^:]*]]: tensor<32x16xbf16> {te.param = "w"}
// CHECK-NEXT: te.matmul %{{.*}}, %[[W]]
func.func @eval(%x: tensor<8x16xbf16> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<8x32xbf16> {te.output = "y"}) attributes {te.entry = "eval"} {
  %wb = arith.truncf %w : tensor<32x16xf32> to tensor<32x16xbf16>
  %y = te.matmul %x, %wb {transpose_b} : tensor<8x16xbf16>, tensor<32x16xbf16> -> tensor<8x32xbf16>
  return %y : tensor<8x32xbf16>
}
