// What torch-mlir writes: numbers of float64 that are rounded where they are used,
// a variance in float64, results that keep a dimension of one element, a maximum
// with the position that nobody reads, whole powers, and softmax with zeros for
// rows without a key. Whole models are in test/Models/torch-mlir.test.

// RUN: te-opt %s --te-import-linalg --te-raise --split-input-file | FileCheck %s
// RUN: te-opt %s --te-import-linalg --split-input-file --remarks-filter=te-import-linalg -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0, 0)>
// REMARK: remark: {{\[}}Missed{{\]}} Float64{{.*}}computed in float32
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[x:.*]]: tensor<4x32xf32> {te.input = "x"}, %[[g:.*]]: tensor<32xf32> {te.param = "g"}, %[[b:.*]]: tensor<32xf32> {te.param = "b"}
// CHECK: te.layer_norm %[[x]], %[[g]], %[[b]] {eps = 9.99999974E-6 : f32}
// CHECK-NEXT: return
func.func @layer_norm(%x: tensor<4x32xf32> {te.input = "x"}, %g: tensor<32xf32> {te.param = "g"}, %b: tensor<32xf32> {te.param = "b"}) -> tensor<4x32xf32> {
  %zero64 = arith.constant 0.0 : f64
  %zero = arith.constant 0.0 : f32
  %n64 = arith.constant 3.200000e+01 : f64
  %n = arith.constant 3.200000e+01 : f32
  %eps = arith.constant 1.000000e-05 : f64
  %wide = tensor.empty() : tensor<4x32xf64>
  %x64 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x32xf32>) outs(%wide : tensor<4x32xf64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    linalg.yield %0 : f64
  } -> tensor<4x32xf64>
  %column64 = tensor.empty() : tensor<4x1xf64>
  %start64 = linalg.fill ins(%zero64 : f64) outs(%column64 : tensor<4x1xf64>) -> tensor<4x1xf64>
  %sum64 = linalg.generic {indexing_maps = [#full, #kept], iterator_types = ["parallel", "reduction"]} ins(%x64 : tensor<4x32xf64>) outs(%start64 : tensor<4x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %in, %out : f64
    linalg.yield %0 : f64
  } -> tensor<4x1xf64>
  %mean64 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%sum64 : tensor<4x1xf64>) outs(%column64 : tensor<4x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.divf %in, %n64 : f64
    linalg.yield %0 : f64
  } -> tensor<4x1xf64>
  %centred64 = linalg.generic {indexing_maps = [#full, #kept, #full], iterator_types = ["parallel", "parallel"]} ins(%x64, %mean64 : tensor<4x32xf64>, tensor<4x1xf64>) outs(%wide : tensor<4x32xf64>) {
  ^bb0(%in: f64, %m: f64, %out: f64):
    %0 = arith.subf %in, %m : f64
    linalg.yield %0 : f64
  } -> tensor<4x32xf64>
  %square64 = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]} ins(%centred64, %centred64 : tensor<4x32xf64>, tensor<4x32xf64>) outs(%wide : tensor<4x32xf64>) {
  ^bb0(%in: f64, %m: f64, %out: f64):
    %0 = arith.mulf %in, %m : f64
    linalg.yield %0 : f64
  } -> tensor<4x32xf64>
  %squares64 = linalg.generic {indexing_maps = [#full, #kept], iterator_types = ["parallel", "reduction"]} ins(%square64 : tensor<4x32xf64>) outs(%start64 : tensor<4x1xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %in, %out : f64
    linalg.yield %0 : f64
  } -> tensor<4x1xf64>
  %column = tensor.empty() : tensor<4x1xf32>
  %variance = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%squares64 : tensor<4x1xf64>) outs(%column : tensor<4x1xf32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.divf %in, %n64 : f64
    %1 = arith.truncf %0 : f64 to f32
    linalg.yield %1 : f32
  } -> tensor<4x1xf32>
  %start = linalg.fill ins(%zero : f32) outs(%column : tensor<4x1xf32>) -> tensor<4x1xf32>
  %sum = linalg.generic {indexing_maps = [#full, #kept], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x32xf32>) outs(%start : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %mean = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x1xf32>) outs(%column : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %deviation = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%variance : tensor<4x1xf32>) outs(%column : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.truncf %eps : f64 to f32
    %1 = arith.addf %in, %0 : f32
    %2 = math.rsqrt %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x1xf32>
  %e = tensor.empty() : tensor<4x32xf32>
  %y = linalg.generic {indexing_maps = [#full, #kept, #kept, #row, #row, #full], iterator_types = ["parallel", "parallel"]} ins(%x, %mean, %deviation, %g, %b : tensor<4x32xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%in: f32, %m: f32, %d: f32, %gamma: f32, %beta: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.mulf %0, %d : f32
    %2 = arith.mulf %1, %gamma : f32
    %3 = arith.addf %2, %beta : f32
    linalg.yield %3 : f32
  } -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#kept = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[x:.*]]: tensor<4x32xf32> {te.input = "x"}, %[[g:.*]]: tensor<32xf32>
// CHECK: te.rms_norm %[[x]], %[[g]] {eps = 9.99999997E-7 : f32}
// CHECK: te.activation gelu_tanh
// CHECK-NEXT: return
func.func @rms_norm_gelu(%x: tensor<4x32xf32> {te.input = "x"}, %g: tensor<32xf32> {te.param = "g"}) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 3.200000e+01 : f32
  %eps = arith.constant 9.9999999999999995E-7 : f64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %cubic = arith.constant 4.471500e-02 : f32
  %scale = arith.constant 7.977240e-01 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 5.000000e-01 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %square = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.fpowi %in, %two : f32, i64
    linalg.yield %0 : f32
  } -> tensor<4x32xf32>
  %column = tensor.empty() : tensor<4x1xf32>
  %start = linalg.fill ins(%zero : f32) outs(%column : tensor<4x1xf32>) -> tensor<4x1xf32>
  %sum = linalg.generic {indexing_maps = [#full, #kept], iterator_types = ["parallel", "reduction"]} ins(%square : tensor<4x32xf32>) outs(%start : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %deviation = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<4x1xf32>) outs(%column : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    %1 = arith.truncf %eps : f64 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = math.rsqrt %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x1xf32>
  %normed = linalg.generic {indexing_maps = [#row, #full, #kept, #full], iterator_types = ["parallel", "parallel"]} ins(%g, %x, %deviation : tensor<32xf32>, tensor<4x32xf32>, tensor<4x1xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%gamma: f32, %in: f32, %d: f32, %out: f32):
    %0 = arith.mulf %in, %d : f32
    %1 = arith.mulf %gamma, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x32xf32>
  %y = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%normed : tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.fpowi %in, %three : f32, i64
    %1 = arith.mulf %0, %cubic : f32
    %2 = arith.addf %in, %1 : f32
    %3 = arith.mulf %2, %scale : f32
    %4 = math.tanh %3 : f32
    %5 = arith.addf %4, %one : f32
    %6 = arith.mulf %5, %half : f32
    %7 = arith.mulf %in, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

// Softmax as torch-mlir writes it, with zeros for rows without a key: te.attention
// has them, too, so nothing is said about hidden queries.
#p = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#mask = affine_map<(d0, d1, d2) -> (d1, d2)>
#reduced = affine_map<(d0, d1, d2) -> (d0, d1)>
#kept3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: linalg.generic
// CHECK: te.attention {{.*}}causal
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @attention(%q: tensor<2x6x8xf32> {te.input = "q"}, %k: tensor<2x6x8xf32> {te.input = "k"}, %v: tensor<2x6x8xf32> {te.param = "v"}) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %hidden64 = arith.constant 0xFFF0000000000000 : f64
  %scale = arith.constant 0.35355339059327379 : f64
  %none = arith.constant 0 : i64
  %true = arith.constant true
  %zeros = arith.constant dense<0.0> : tensor<2x6x6xf32>
  %mask = arith.constant dense<[[0.0,0xFF800000,0xFF800000,0xFF800000,0xFF800000,0xFF800000],[0.0,0.0,0xFF800000,0xFF800000,0xFF800000,0xFF800000],[0.0,0.0,0.0,0xFF800000,0xFF800000,0xFF800000],[0.0,0.0,0.0,0.0,0xFF800000,0xFF800000],[0.0,0.0,0.0,0.0,0.0,0xFF800000],[0.0,0.0,0.0,0.0,0.0,0.0]]> : tensor<6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %kt = tensor.empty() : tensor<2x8x6xf32>
  %kT = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%kt : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %s = linalg.batch_matmul ins(%q, %kT : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#p, #mask, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x6x6xf32>, tensor<6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.truncf %scale : f64 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<2x6x6xf32>
  %r = tensor.empty() : tensor<2x6xf32>
  %ri = tensor.empty() : tensor<2x6xi64>
  %lowest = linalg.fill ins(%hidden : f32) outs(%r : tensor<2x6xf32>) -> tensor<2x6xf32>
  %first = linalg.fill ins(%none : i64) outs(%ri : tensor<2x6xi64>) -> tensor<2x6xi64>
  %max:2 = linalg.generic {indexing_maps = [#p, #reduced, #reduced], iterator_types = ["parallel", "parallel", "reduction"]} ins(%m : tensor<2x6x6xf32>) outs(%lowest, %first : tensor<2x6xf32>, tensor<2x6xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %0 = linalg.index 2 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.maximumf %in, %out : f32
    %3 = arith.cmpf ogt, %in, %out : f32
    %4 = arith.select %3, %1, %at : i64
    linalg.yield %2, %4 : f32, i64
  } -> (tensor<2x6xf32>, tensor<2x6xi64>)
  %column = tensor.expand_shape %max#0 [[0], [1, 2]] output_shape [2, 6, 1] : tensor<2x6xf32> into tensor<2x6x1xf32>
  %x = linalg.generic {indexing_maps = [#p, #kept3, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%m, %column : tensor<2x6x6xf32>, tensor<2x6x1xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x6x6xf32>
  %c = tensor.empty() : tensor<2x6x1xf32>
  %start = linalg.fill ins(%zero : f32) outs(%c : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
  %sum = linalg.generic {indexing_maps = [#p, #kept3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x6x6xf32>) outs(%start : tensor<2x6x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2x6x1xf32>
  %soft = linalg.generic {indexing_maps = [#p, #kept3, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sum : tensor<2x6x6xf32>, tensor<2x6x1xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x6x6xf32>
  %eb = tensor.empty() : tensor<2x6x6xi1>
  %is = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%m : tensor<2x6x6xf32>) outs(%eb : tensor<2x6x6xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.cmpf oeq, %0, %hidden64 : f64
    linalg.yield %1 : i1
  } -> tensor<2x6x6xi1>
  %cb = tensor.empty() : tensor<2x6x1xi1>
  %all = linalg.fill ins(%true : i1) outs(%cb : tensor<2x6x1xi1>) -> tensor<2x6x1xi1>
  %are = linalg.generic {indexing_maps = [#p, #kept3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%is : tensor<2x6x6xi1>) outs(%all : tensor<2x6x1xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<2x6x1xi1>
  %safe = linalg.generic {indexing_maps = [#kept3, #p, #p, #p], iterator_types = ["parallel", "parallel", "parallel"]} ins(%are, %zeros, %soft : tensor<2x6x1xi1>, tensor<2x6x6xf32>, tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%a: i1, %b: f32, %d: f32, %out: f32):
    %0 = arith.select %a, %b, %d : f32
    linalg.yield %0 : f32
  } -> tensor<2x6x6xf32>
  %eo = tensor.empty() : tensor<2x6x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %o = linalg.batch_matmul ins(%safe, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zo : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %o : tensor<2x6x8xf32>
}
