// The irrational factors of derivatives are float32's in bf16 functions too: as
// bf16 numbers they would be wrong by up to 0.4 % in the same direction at every
// element (2/sqrt(pi) by 0.3 %).
// RUN: te-opt %s --te-differentiate="entries=vjp loss=none" --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @vjp
// CHECK-NOT:   1.125000e+00
// CHECK:       arith.constant 1.12837923 : f32
// CHECK:       %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:       %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %[[WIDE]] : f32
// CHECK:       arith.truncf %[[PRODUCT]] : f32 to bf16
#id = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<8xbf16> {te.input = "x"}) -> (tensor<8xbf16> {te.output = "y"}) {
  %empty = tensor.empty() : tensor<8xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xbf16>) outs(%empty : tensor<8xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = math.erf %in : bf16
    linalg.yield %0 : bf16
  } -> tensor<8xbf16>
  return %y : tensor<8xbf16>
}

// -----

// ln(2) is 0.69140625 in bf16.
// CHECK-LABEL: func.func @vjp
// CHECK-NOT:   6.914060e-01
// CHECK:       arith.constant 0.693147182 : f32
#id = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<8xbf16> {te.input = "x"}) -> (tensor<8xbf16> {te.output = "y"}, tensor<8xbf16> {te.output = "z"}) {
  %empty = tensor.empty() : tensor<8xbf16>
  %y, %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xbf16>) outs(%empty, %empty : tensor<8xbf16>, tensor<8xbf16>) {
  ^bb0(%in: bf16, %out: bf16, %other: bf16):
    %0 = math.exp2 %in : bf16
    %1 = math.log2 %in : bf16
    linalg.yield %0, %1 : bf16, bf16
  } -> (tensor<8xbf16>, tensor<8xbf16>)
  return %y, %z : tensor<8xbf16>, tensor<8xbf16>
}
