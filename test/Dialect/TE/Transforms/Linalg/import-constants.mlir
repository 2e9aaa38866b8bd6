// What is computed from constants alone: numbers by hand.

// RUN: te-opt %s --te-import-linalg --split-input-file | FileCheck %s

#v = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @forward(
// Quotients and remainders of -7, 7 and 3 by 3, -3 and -2; ceilings and floors.
// CHECK-DAG: dense<[-2, -2, -1]> : tensor<3xi32>
// CHECK-DAG: dense<[-1, 1, 1]> : tensor<3xi32>
// CHECK-DAG: dense<[-3, -3, -2]> : tensor<3xi32>
// -7 without its sign is 4294967289.
// CHECK-DAG: dense<[1431655763, 0, 0]> : tensor<3xi32>
// CHECK-DAG: dense<[4.2949673E+9, 7.000000e+00, 3.000000e+00]> : tensor<3xf32>
func.func @integers(%w: tensor<3xf32> {te.param = "w"}) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>) attributes {te.model} {
  %a = arith.constant dense<[-7, 7, 3]> : tensor<3xi32>
  %b = arith.constant dense<[3, -3, -2]> : tensor<3xi32>
  %e = tensor.empty() : tensor<3xi32>
  %f = tensor.empty() : tensor<3xf32>
  %r:5 = linalg.generic {indexing_maps = [#v, #v, #v, #v, #v, #v, #v], iterator_types = ["parallel"]} ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e, %e, %e, %e, %f : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>) {
  ^bb0(%x: i32, %y: i32, %o0: i32, %o1: i32, %o2: i32, %o3: i32, %o4: f32):
    %0 = arith.divsi %x, %y : i32
    %1 = arith.remsi %x, %y : i32
    %2 = arith.floordivsi %x, %y : i32
    %3 = arith.divui %x, %y : i32
    %4 = arith.uitofp %x : i32 to f32
    linalg.yield %0, %1, %2, %3, %4 : i32, i32, i32, i32, f32
  } -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#m = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @forward(
// Resources: floats, truth values in bytes, and in bits. 1, 2, 3 where true.
// CHECK-DAG: dense<[1.000000e+00, 0.000000e+00, 3.000000e+00]> : tensor<3xf32>
// The other way round, read at computed positions.
// CHECK-DAG: dense<[3.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
// Sums of (1, 2, 3) and of twice that, in float64: 6 / 0.1 is 60 there.
// CHECK-DAG: dense<{{\[\[}}6.000000e+01], [1.200000e+02]]> : tensor<2x1xf32>
// The bucket of a distance of 0, whose logarithm is none: chosen away.
// CHECK-DAG: dense<[0, 1, 3]> : tensor<3xi64>
func.func @tables(%w: tensor<3xf32> {te.param = "w"}) -> (tensor<3xf32>, tensor<3xf32>, tensor<2x1xf32>, tensor<3xi64>) attributes {te.model} {
  %values = arith.constant dense_resource<values> : tensor<3xf32>
  %bytes = arith.constant dense_resource<bytes> : tensor<3xi1>
  %bits = arith.constant dense_resource<bits> : tensor<3xi1>
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %tenth = arith.constant 0.1 : f64
  %two = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %least = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3xf32>
  %seen = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]} ins(%values, %bytes, %bits : tensor<3xf32>, tensor<3xi1>, tensor<3xi1>) outs(%e : tensor<3xf32>) {
  ^bb0(%x: f32, %a: i1, %b: i1, %o: f32):
    %0 = arith.andi %a, %b : i1
    %1 = arith.select %0, %x, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  %back = linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%o: f32):
    %0 = linalg.index 0 : index
    %1 = arith.subi %two, %0 : index
    %2 = tensor.extract %values[%1] : tensor<3xf32>
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  %pair = tensor.empty() : tensor<2x3xf64>
  %wide = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #m], iterator_types = ["parallel", "parallel"]} ins(%values : tensor<3xf32>) outs(%pair : tensor<2x3xf64>) {
  ^bb0(%x: f32, %o: f64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.addi %1, %one : i64
    %3 = arith.sitofp %2 : i64 to f64
    %4 = arith.extf %x : f32 to f64
    %5 = arith.mulf %3, %4 : f64
    linalg.yield %5 : f64
  } -> tensor<2x3xf64>
  %sums = tensor.empty() : tensor<2x1xf64>
  %start = linalg.fill ins(%zero64 : f64) outs(%sums : tensor<2x1xf64>) -> tensor<2x1xf64>
  %sum = linalg.generic {indexing_maps = [#m, #column], iterator_types = ["parallel", "reduction"]} ins(%wide : tensor<2x3xf64>) outs(%start : tensor<2x1xf64>) {
  ^bb0(%x: f64, %o: f64):
    %0 = arith.addf %x, %o : f64
    linalg.yield %0 : f64
  } -> tensor<2x1xf64>
  %narrow = tensor.empty() : tensor<2x1xf32>
  %tens = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<2x1xf64>) outs(%narrow : tensor<2x1xf32>) {
  ^bb0(%x: f64, %o: f32):
    %0 = arith.divf %x, %tenth : f64
    %1 = arith.truncf %0 : f64 to f32
    linalg.yield %1 : f32
  } -> tensor<2x1xf32>
  %distances = arith.constant dense<[0, 2, 8]> : tensor<3xi64>
  %ei = tensor.empty() : tensor<3xi64>
  %buckets = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%distances : tensor<3xi64>) outs(%ei : tensor<3xi64>) {
  ^bb0(%x: i64, %o: i64):
    %0 = arith.sitofp %x : i64 to f32
    %1 = math.log2 %0 : f32
    %2 = arith.fptosi %1 : f32 to i64
    %3 = arith.cmpi sgt, %x, %least : i64
    %4 = arith.select %3, %2, %x : i64
    linalg.yield %4 : i64
  } -> tensor<3xi64>
  return %seen, %back, %tens, %buckets : tensor<3xf32>, tensor<3xf32>, tensor<2x1xf32>, tensor<3xi64>
}

{-#
  dialect_resources: {
    builtin: {
      values: "0x040000000000803F0000004000004040",
      bytes: "0x01000000010101",
      bits: "0x0100000005"
    }
  }
#-}

// -----

// Floats outside an integer's type become its nearest number, and NaN 0, as
// docs/mlir.md says of kernels; -3.5 is cut off.
// CHECK-LABEL: func.func @forward(
// CHECK-DAG: dense<[0, 2147483647, -2147483648, -3]> : tensor<4xi32>
// CHECK-DAG: dense<[0, -1, 0, 0]> : tensor<4xi32>
func.func @conversions(%w: tensor<4xf32> {te.param = "w"}) -> (tensor<4xi32>, tensor<4xi32>) attributes {te.model} {
  %x = arith.constant dense<[0x7FC00000, 3.0e+10, -3.0e+10, -3.5]> : tensor<4xf32>
  %0 = arith.fptosi %x : tensor<4xf32> to tensor<4xi32>
  %1 = arith.fptoui %x : tensor<4xf32> to tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// -----

// bfloat16 has no 257, and (-1)^256 is not (-1)^257.
// CHECK-LABEL: func.func @forward(
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.560000e+02> : tensor<4xbf16>
// CHECK:     math.powf %{{.*}}, %[[TWO]] : tensor<4xbf16>
// CHECK:     math.fpowi %{{.*}} : tensor<4xbf16>, tensor<4xi32>
func.func @powers(%w: tensor<4xbf16> {te.param = "w"}) -> (tensor<4xbf16>, tensor<4xbf16>) attributes {te.model} {
  %even = arith.constant dense<256> : tensor<4xi32>
  %odd = arith.constant dense<257> : tensor<4xi32>
  %0 = math.fpowi %w, %even : tensor<4xbf16>, tensor<4xi32>
  %1 = math.fpowi %w, %odd : tensor<4xbf16>, tensor<4xi32>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// -----

// One number for all elements beside numbers of their own, on either side.
// CHECK-LABEL: func.func @forward(
// CHECK-DAG: dense<[1.100000e+01, 1.200000e+01, 1.300000e+01]> : tensor<3xf32>
// CHECK-DAG: dense<[-9.000000e+00, -8.000000e+00, -7.000000e+00]> : tensor<3xf32>
func.func @one_and_many(%w: tensor<3xf32> {te.param = "w"}) -> (tensor<3xf32>, tensor<3xf32>) attributes {te.model} {
  %one = arith.constant dense<10.0> : tensor<3xf32>
  %many = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = arith.addf %one, %many : tensor<3xf32>
  %1 = arith.subf %many, %one : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
