// RUN: te-opt %s --te-annotate-ranges --split-input-file | FileCheck %s
// Twice is the same as once, also through a text.
// RUN: te-opt %S/Inputs/bounded-layer.mlir --te-annotate-ranges -o %t
// RUN: te-opt %t --te-annotate-ranges | diff %t -

// Expected exponents are log2 of the formulas in docs/precision.md.

// sqrt(64) * 2 = 2^4, and 1/sqrt(1e-5) = 2^8.305. SiLU and a residual of two.
// CHECK-LABEL: func @norm
func.func @norm(%x: tensor<8x64xf32>, %g: tensor<64xf32> {te.max_abs = 2.0 : f32},
                %b: tensor<64xf32> {te.max_abs = 16.0 : f32})
    -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
  // CHECK: te.rms_norm {{.*}}te.ranges = ["<= 2^4.01", "2^-129 to 2^8.31"]
  %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32}
    : tensor<8x64xf32>, tensor<64xf32> -> y tensor<8x64xf32> stats tensor<8xf32>
  // 16 + 16.
  // CHECK: te.layer_norm {{.*}}te.ranges = ["<= 2^5.01", "any", "2^-130 to 2^8.31"]
  %n, %mean, %r = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>
    -> y tensor<8x64xf32> stats tensor<8xf32>, tensor<8xf32>
  // CHECK: te.activation silu {{.*}}te.ranges = ["<= 2^4.01"]
  %a = te.activation silu %y : tensor<8x64xf32> -> y tensor<8x64xf32>
  // 16 + 32.
  // CHECK: te.add {{.*}}te.ranges = ["<= 2^5.59"]
  %s = te.add %a, %n : tensor<8x64xf32>, tensor<8x64xf32> -> tensor<8x64xf32>
  return %y, %a, %s : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// A norm's input bounds it, too: 2^-20 / sqrt(1e-5) = 2^-11.695.
// CHECK-LABEL: func @small_rows
func.func @small_rows(%x: tensor<8x64xf32> {te.max_abs = 9.5367431640625e-7 : f64},
                      %g: tensor<64xf32> {te.max_abs = 1.0 : f32}) -> tensor<8x64xf32> {
  // CHECK: te.rms_norm {{.*}}te.ranges = ["<= 2^-11.69", "2^8 to 2^8.31"]
  %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32}
    : tensor<8x64xf32>, tensor<64xf32> -> y tensor<8x64xf32> stats tensor<8xf32>
  return %y : tensor<8x64xf32>
}

// -----

// 64 * 2^4 * 2^-3 + 2^3, in bf16.
// CHECK-LABEL: func @products
func.func @products(%x: tensor<8x64xbf16> {te.max_abs = 16.0 : f32},
                    %w: tensor<32x64xbf16> {te.max_abs = 0.125 : f32},
                    %b: tensor<32xf32> {te.max_abs = 8.0 : f32},
                    %unknown: tensor<32x64xbf16>) -> (tensor<8x32xbf16>, tensor<8x32xbf16>) {
  // CHECK: te.matmul {{.*}}te.ranges = ["<= 2^7.1"]
  %y = te.matmul %x, %w bias(%b : tensor<32xf32>) {transpose_b}
    : tensor<8x64xbf16>, tensor<32x64xbf16> -> tensor<8x32xbf16>
  // CHECK: te.matmul {{.*}}%{{[a-z0-9]+}} {transpose_b} :
  %z = te.matmul %x, %unknown {transpose_b}
    : tensor<8x64xbf16>, tensor<32x64xbf16> -> tensor<8x32xbf16>
  return %y, %z : tensor<8x32xbf16>, tensor<8x32xbf16>
}

// -----

// A mean of values, whatever queries, keys and masks are.
// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<2x8x4x16xbf16>, %v: tensor<2x8x4x16xbf16> {te.max_abs = 4.0 : f32},
                     %m: tensor<1x1x8x8xf32>) -> tensor<2x8x4x16xbf16> {
  // CHECK: te.attention {{.*}}te.ranges = ["<= 2^2.02", "any"]
  %o, %lse = te.attention %q, %q, %v bias(%m : tensor<1x1x8x8xf32>) {causal, scale = 0.25 : f32}
    : tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>
    -> tensor<2x8x4x16xbf16>, tensor<2x4x8xf32>
  return %o : tensor<2x8x4x16xbf16>
}

// -----

// The gradient of a mean over rows that count, at least one: 1 at most.
// CHECK-LABEL: func @loss
func.func @loss(%x: tensor<16x32xf32> {te.max_abs = 32.0 : f32}, %t: tensor<16xi64>) -> (tensor<f32>, tensor<16x32xf32>) {
  %one = arith.constant dense<1.0> : tensor<f32>
  // lse: 32 + ln 32 = 2^5.1484. A row: 32 more, 2^6.0761. 16 rows count at most.
  // CHECK: te.cross_entropy {{.*}}te.ranges = ["<= 2^6.08", "<= 2^5.15", "2^0 to 2^4"]
  %loss, %lse, %count = te.cross_entropy %x, %t : tensor<16x32xf32>, tensor<16xi64> -> tensor<16xf32>
  // CHECK: te.cross_entropy_grad {{.*}}te.ranges = ["<= 2^0"]
  %dx = te.cross_entropy_grad %one, %x, %t, %lse, %count
    : tensor<16x32xf32>, tensor<16xi64>, tensor<16xf32> -> tensor<16x32xf32>
  return %loss, %dx : tensor<f32>, tensor<16x32xf32>
}

// -----

// Of the logarithms of somebody else's sums nothing is known.
// CHECK-LABEL: func @foreign_lse
func.func @foreign_lse(%x: tensor<16x32xf32> {te.max_abs = 32.0 : f32}, %t: tensor<16xi64>,
                       %lse: tensor<16xf32>, %count: tensor<f32>, %one: tensor<f32>) -> tensor<16x32xf32> {
  // CHECK: te.cross_entropy_grad
  // CHECK-NOT: te.ranges
  %dx = te.cross_entropy_grad %one, %x, %t, %lse, %count
    : tensor<16x32xf32>, tensor<16xi64>, tensor<16xf32> -> tensor<16x32xf32>
  return %dx : tensor<16x32xf32>
}

// -----

// Copies saturate: an infinity becomes the format's largest number, however
// small the rest is. The amax is that of the matrix.
// CHECK-LABEL: func @quantize
func.func @quantize(%x: tensor<16x16xbf16> {te.max_abs = 1.0 : f32}, %s: tensor<f32>)
    -> (tensor<16x16xf8E4M3FN>, tensor<f32>, tensor<16x16xbf16>) {
  // CHECK: te.quantize {{.*}}te.ranges = ["any", "2^-133 to 2^0"]
  %q, %amax = te.quantize %x, %s : tensor<16x16xbf16> -> rowwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  // 448 = 2^8.807, and its quotient by an amax of 1 or less. A tensor of zeros
  // has the scale 1.
  // CHECK: te.compute_scale {{.*}}te.ranges = ["2^0 to 2^128", "2^-128 to 2^0"]
  %t, %ti = te.compute_scale %amax {format = f8E4M3FN}
  // 448 / 1024 is 2^-1.192; down to a power of two it is less by an octave at
  // most.
  // CHECK: te.compute_scale {{.*}}te.ranges = ["2^-3 to 2^128", "2^-128 to 2^3"]
  %p, %pi = te.compute_scale %amax {epsilon = 1024.0 : f32, format = f8E4M3FN, power_of_two}
  // In E8M0, an amax of zero has the least, and an infinite one the largest.
  // CHECK: te.compute_scale {{.*}}te.ranges = ["2^-127 to 2^126", "any"]
  %e, %ei = te.compute_scale %amax {format = f8E4M3FN} -> tensor<f8E8M0FNU>
  // CHECK: te.dequantize {{.*}}te.ranges = ["<= 2^8.82"]
  %y = te.dequantize %q, %ti : tensor<16x16xf8E4M3FN> -> tensor<16x16xbf16>
  return %q, %amax, %y : tensor<16x16xf8E4M3FN>, tensor<f32>, tensor<16x16xbf16>
}

// -----

// CHECK-LABEL: func @constants
func.func @constants() -> (tensor<4xf32>, tensor<2xf32>, tensor<f32>, tensor<3xi64>, tensor<2xi1>, tensor<0x4xf32>) {
  // Zeros of both signs, infinities and NaN say nothing.
  // CHECK: te.ranges = ["2^-3 to 2^1.59"]
  %a = arith.constant {marker} dense<[-0.0, 3.0, -0.125, 0x7F800000]> : tensor<4xf32>
  // CHECK: te.ranges = ["0"]
  %z = arith.constant dense<[-0.0, 0x7FC00000]> : tensor<2xf32>
  // CHECK: te.ranges = ["2^4"]
  %s = arith.constant dense<-16.0> : tensor<f32>
  // CHECK: te.ranges = ["<= 2^2"]
  %i = arith.constant dense<[-4, 0, 1]> : tensor<3xi64>
  // CHECK: dense<[true, false]> : tensor<2xi1>
  %m = arith.constant dense<[true, false]> : tensor<2xi1>
  // What has no elements has nothing but zeros anyway.
  // CHECK: dense<> : tensor<0x4xf32>
  %e = arith.constant dense<> : tensor<0x4xf32>
  return %a, %z, %s, %i, %m, %e : tensor<4xf32>, tensor<2xf32>, tensor<f32>, tensor<3xi64>, tensor<2xi1>, tensor<0x4xf32>
}

// -----

// CHECK-LABEL: func @resource
func.func @resource() -> (tensor<4xf32>, tensor<2xf32>) {
  // CHECK: te.ranges = ["2^-1 to 2^3"]
  %a = arith.constant dense_resource<numbers> : tensor<4xf32>
  // Its bytes are not there.
  // CHECK: arith.constant dense_resource<elsewhere>
  %b = arith.constant dense_resource<elsewhere> : tensor<2xf32>
  return %a, %b : tensor<4xf32>, tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      // 1, -8, 0, 0.5
      numbers: "0x040000000000803f000000c1000000000000003f"
    }
  }
#-}

// -----

// Integers that do not fit are cut off, and then any number of their type.
// CHECK-LABEL: func @integers
func.func @integers(%i: tensor<8xi64> {te.input = "ids", te.range = array<i64: -2, 100>},
                    %m: tensor<8xi1>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi8>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: arith.addi {{.*}}te.ranges = ["<= 2^7.63"]
  %a = arith.addi %i, %i : tensor<8xi64>
  // CHECK: arith.muli {{.*}}te.ranges = ["<= 2^14.26"]
  %b = arith.muli %a, %i : tensor<8xi64>
  // CHECK: arith.trunci
  // CHECK-NOT: te.ranges
  // CHECK-SAME: to tensor<8xi8>
  %c = arith.trunci %b : tensor<8xi64> to tensor<8xi8>
  // A mask is 0 or 1, with either sign.
  // CHECK: arith.uitofp {{.*}}te.ranges = ["2^0"]
  %d = arith.uitofp %m : tensor<8xi1> to tensor<8xf32>
  // CHECK: arith.uitofp {{.*}}te.ranges = ["2^0 to 2^64"]
  %e = arith.uitofp %i : tensor<8xi64> to tensor<8xf32>
  return %a, %b, %c, %d, %e : tensor<8xi64>, tensor<8xi64>, tensor<8xi8>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func @movement
func.func @movement(%x: tensor<4x6xf32> {te.max_abs = 3.0 : f32}, %y: tensor<4x6xf32> {te.max_abs = 5.0 : f32},
                    %c: tensor<4x6xi1>) -> (tensor<6x4xf32>, tensor<8x6xf32>, tensor<4x6xf32>) {
  %e = tensor.empty() : tensor<6x4xf32>
  // CHECK: linalg.transpose {{.*}}te.ranges = ["<= 2^1.59"]
  %t = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = [1, 0]
  // CHECK: tensor.concat {{.*}}te.ranges = ["<= 2^2.33"]
  %j = tensor.concat dim(0) %x, %y : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  // CHECK: arith.select {{.*}}te.ranges = ["<= 2^2.33"]
  %s = arith.select %c, %x, %y : tensor<4x6xi1>, tensor<4x6xf32>
  return %t, %j, %s : tensor<6x4xf32>, tensor<8x6xf32>, tensor<4x6xf32>
}

// -----

// Bodies of structured ops, with a value from outside.
// CHECK-LABEL: func @structured
func.func @structured(%x: tensor<4x8xf32> {te.max_abs = 2.0 : f32}, %c: f32 {te.max_abs = 4.0 : f32})
    -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK: linalg.generic {{.*}}te.ranges = ["<= 2^3"]
  // CHECK: arith.mulf {{.*}}te.ranges = ["<= 2^3"]
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %c : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.fill {{.*}}te.ranges = ["0"]
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  // 8 * 2.
  // CHECK: linalg.reduce {{.*}}te.ranges = ["<= 2^4.01"]
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  // CHECK: linalg.reduce {{.*}}te.ranges = ["<= 2^1"]
  %most = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  // Nothing is known of products.
  // CHECK: linalg.reduce { arith.mulf }
  // CHECK-NOT: te.ranges
  // CHECK-SAME: dimensions = [1]
  %all = linalg.reduce { arith.mulf } ins(%x : tensor<4x8xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  return %a, %sum, %most, %all : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @control_flow
func.func @control_flow(%c: i1, %x: tensor<4xf32> {te.max_abs = 2.0 : f32},
                        %y: tensor<4xf32> {te.max_abs = 32.0 : f32}, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: scf.if
  // CHECK: te.ranges = ["<= 2^5"]
  %a = scf.if %c -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // What stays within its bound has it, what grows has none.
  // CHECK: scf.for
  // CHECK: te.ranges = ["<= 2^5", "any"]
  %b:2 = scf.for %i = %zero to %n step %one iter_args(%p = %x, %q = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %m = arith.minimumf %p, %y : tensor<4xf32>
    %g = arith.addf %q, %q : tensor<4xf32>
    scf.yield %m, %g : tensor<4xf32>, tensor<4xf32>
  }
  return %a, %b#0, %b#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A private function's arguments are those of its calls, a public one's any.
// CHECK-LABEL: func private @callee
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: arith.addf {{.*}}te.ranges = ["<= 2^4"]
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func @public
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: arith.addf
  // CHECK-NOT: te.ranges
  // CHECK: return
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func @caller
func.func @caller(%x: tensor<4xf32> {te.max_abs = 2.0 : f32}, %y: tensor<4xf32> {te.max_abs = 8.0 : f32}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: call @callee{{.*}}te.ranges = ["<= 2^4"]
  %a = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = call @callee(%y) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: call @public(%{{.*}}) :
  %c = call @public(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Nothing is known of what other ops compute.
// CHECK-LABEL: func @unknown
func.func @unknown(%x: tensor<4xf32> {te.max_abs = 2.0 : f32}) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: math.powf
  // CHECK-NOT: te.ranges
  // CHECK: bufferization.to_buffer
  %y = math.powf %x, %x : tensor<4xf32>
  %m = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  %z = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  // CHECK: return
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// Of infinity these make a finite number, which the bound of the others does
// not hold for.
// CHECK-LABEL: func @infinities
func.func @infinities(%x: tensor<4x4xf32> {te.max_abs = 0.0625 : f32}) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: te.activation tanh {{.*}}te.ranges = ["<= 2^0"]
  %a = te.activation tanh %x : tensor<4x4xf32> -> y tensor<4x4xf32>
  // CHECK: math.erf {{.*}}te.ranges = ["<= 2^0.01"]
  %b = math.erf %x : tensor<4x4xf32>
  // CHECK: math.exp {{.*}}te.ranges = ["2^-1 to 2^0.1"]
  %c = math.exp %x : tensor<4x4xf32>
  return %a, %b, %c : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Old annotations go.
// CHECK-LABEL: func @anew
func.func @anew(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: arith.addf
  // CHECK-NOT: te.ranges
  // CHECK: return
  %y = arith.addf %x, %x {te.ranges = ["<= 2^3"]} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A value that keeps growing becomes any of its type, and nothing is known of its
// logarithm, which keeps growing as well.
// CHECK-LABEL: func @grows
func.func @grows(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = arith.constant 1.5 : f32
  %two = arith.constant 2.0 : f32
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> f32 {
    %double = arith.mulf %x, %two : f32
    scf.yield %double : f32
  }
  // CHECK: scf.yield
  // CHECK-NOT: te.ranges
  // CHECK: math.log %{{[0-9]+}} : f32
  %log = math.log %last : f32
  return %log : f32
}
