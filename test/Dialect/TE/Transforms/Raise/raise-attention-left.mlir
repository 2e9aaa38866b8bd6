// What is almost attention, and stays as it is.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-7: gradients within

// What is not recognised is said, with the reason:
// RUN: te-opt %s --te-raise --split-input-file --remarks-filter=te-raise -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// A finite number in the place of scores: a query whose keys are all hidden has
// equal scores, which pass no gradient; with a bias they would.
// CHECK-LABEL: func @finite_padding_mask(
// CHECK-NOT:   te.attention
// WHY: {{.*}}Function=finite_padding_mask | Reason="a product with a softmax stays as it is, {{.*}}scores are replaced by a finite number, perhaps all that a query has"
func.func @finite_padding_mask(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>, %m: tensor<2x6xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<-0.5> : tensor<2x6xf32>
  %11 = arith.cmpf ogt, %m, %10 : tensor<2x6xf32>
  %12 = tensor.empty() : tensor<2x4x6x6xi1>
  %13 = linalg.broadcast ins(%11 : tensor<2x6xi1>) outs(%12 : tensor<2x4x6x6xi1>) dimensions = [1, 2]
  %14 = arith.constant dense<-3.40282347E+38> : tensor<2x4x6x6xf32>
  %15 = arith.select %13, %9, %14 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%26, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %29 = tensor.empty() : tensor<2x6x4x8xf32>
  %30 = linalg.transpose ins(%28 : tensor<2x4x6x8xf32>) outs(%29 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %30 : tensor<2x6x4x8xf32>
}

// -----

// Almost: a scale for every head.
// WHY: remark: {{\[}}Missed{{\]}} Attention{{.*}}multiplied with more than one number
// CHECK-LABEL: func @scale_of_heads(
// CHECK-NOT:   te.attention
// CHECK:       return
func.func @scale_of_heads(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<[1.0, 0.5, 0.25, 0.125]> : tensor<4xf32>
  %11 = tensor.empty() : tensor<2x4x6x6xf32>
  %12 = linalg.broadcast ins(%10 : tensor<4xf32>) outs(%11 : tensor<2x4x6x6xf32>) dimensions = [0, 2, 3]
  %13 = arith.mulf %9, %12 : tensor<2x4x6x6xf32>
  %14 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %15 = tensor.empty() : tensor<2x4x6x6xf32>
  %16 = linalg.broadcast ins(%14 : tensor<6x6xf32>) outs(%15 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %17 = arith.addf %13, %16 : tensor<2x4x6x6xf32>
  %18 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %19 = linalg.reduce { arith.maximumf } ins(%17 : tensor<2x4x6x6xf32>) outs(%18 : tensor<2x4x6xf32>) dimensions = [3]
  %20 = tensor.empty() : tensor<2x4x6x6xf32>
  %21 = linalg.broadcast ins(%19 : tensor<2x4x6xf32>) outs(%20 : tensor<2x4x6x6xf32>) dimensions = [3]
  %22 = arith.subf %17, %21 : tensor<2x4x6x6xf32>
  %23 = math.exp %22 : tensor<2x4x6x6xf32>
  %24 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %25 = linalg.reduce { arith.addf } ins(%23 : tensor<2x4x6x6xf32>) outs(%24 : tensor<2x4x6xf32>) dimensions = [3]
  %26 = tensor.empty() : tensor<2x4x6x6xf32>
  %27 = linalg.broadcast ins(%25 : tensor<2x4x6xf32>) outs(%26 : tensor<2x4x6x6xf32>) dimensions = [3]
  %28 = arith.divf %23, %27 : tensor<2x4x6x6xf32>
  %29 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %30 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%28, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%29 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %31 = tensor.empty() : tensor<2x6x4x8xf32>
  %32 = linalg.transpose ins(%30 : tensor<2x4x6x8xf32>) outs(%31 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %32 : tensor<2x6x4x8xf32>
}

// -----

// Probabilities go through a dropout.
// WHY: remark: {{\[}}Missed{{\]}} Attention{{.*}}dropout
// CHECK-LABEL: func @dropout(
// CHECK-NOT:   te.attention
// CHECK:       return
func.func @dropout(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>, %m: tensor<2x4x6x6xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.353553385> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%12 : tensor<6x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %15 = arith.addf %11, %14 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.mulf %26, %m : tensor<2x4x6x6xf32>
  %28 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%27, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%28 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %30 = tensor.empty() : tensor<2x6x4x8xf32>
  %31 = linalg.transpose ins(%29 : tensor<2x4x6x8xf32>) outs(%30 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %31 : tensor<2x6x4x8xf32>
}

// -----

// Probabilities are a result of the model.
// WHY: remark: {{\[}}Missed{{\]}} Attention{{.*}}read by 'func.return' as well
// CHECK-LABEL: func @probabilities_as_result(
// CHECK-NOT:   te.attention
// CHECK:       return
func.func @probabilities_as_result(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> (tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.353553385> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%12 : tensor<6x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %15 = arith.addf %11, %14 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%26, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %29 = tensor.empty() : tensor<2x6x4x8xf32>
  %30 = linalg.transpose ins(%28 : tensor<2x4x6x8xf32>) outs(%29 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %30, %26 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>
}

// -----

// Scores are a result of the model.
// WHY: remark: {{\[}}Missed{{\]}} Attention{{.*}}read by 'func.return' as well
// CHECK-LABEL: func @scores_as_result(
// CHECK-NOT:   te.attention
// CHECK:       return
func.func @scores_as_result(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> (tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>) {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.353553385> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%12 : tensor<6x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %15 = arith.addf %11, %14 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%26, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %29 = tensor.empty() : tensor<2x6x4x8xf32>
  %30 = linalg.transpose ins(%28 : tensor<2x4x6x8xf32>) outs(%29 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %30, %15 : tensor<2x6x4x8xf32>, tensor<2x4x6x6xf32>
}

// -----

// The softmax is over the queries.
// WHY: remark: {{\[}}Missed{{\]}} Attention{{.*}}over other dimensions
// CHECK-LABEL: func @softmax_of_queries(
// CHECK-NOT:   te.attention
// CHECK:       return
func.func @softmax_of_queries(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.353553385> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %13 = linalg.reduce { arith.maximumf } ins(%11 : tensor<2x4x6x6xf32>) outs(%12 : tensor<2x4x6xf32>) dimensions = [2]
  %14 = tensor.empty() : tensor<2x4x6x6xf32>
  %15 = linalg.broadcast ins(%13 : tensor<2x4x6xf32>) outs(%14 : tensor<2x4x6x6xf32>) dimensions = [2]
  %16 = arith.subf %11, %15 : tensor<2x4x6x6xf32>
  %17 = math.exp %16 : tensor<2x4x6x6xf32>
  %18 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %19 = linalg.reduce { arith.addf } ins(%17 : tensor<2x4x6x6xf32>) outs(%18 : tensor<2x4x6xf32>) dimensions = [2]
  %20 = tensor.empty() : tensor<2x4x6x6xf32>
  %21 = linalg.broadcast ins(%19 : tensor<2x4x6xf32>) outs(%20 : tensor<2x4x6x6xf32>) dimensions = [2]
  %22 = arith.divf %17, %21 : tensor<2x4x6x6xf32>
  %23 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %24 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%22, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%23 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %25 = tensor.empty() : tensor<2x6x4x8xf32>
  %26 = linalg.transpose ins(%24 : tensor<2x4x6x8xf32>) outs(%25 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %26 : tensor<2x6x4x8xf32>
}

// -----

// Divided by the sum of other exponentials.
// WHY: remark: {{\[}}Missed{{\]}} Attention{{.*}}
// CHECK-LABEL: func @other_sum(
// CHECK-NOT:   te.attention
// CHECK:       return
func.func @other_sum(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.353553385> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %13 = linalg.reduce { arith.maximumf } ins(%11 : tensor<2x4x6x6xf32>) outs(%12 : tensor<2x4x6xf32>) dimensions = [3]
  %14 = tensor.empty() : tensor<2x4x6x6xf32>
  %15 = linalg.broadcast ins(%13 : tensor<2x4x6xf32>) outs(%14 : tensor<2x4x6x6xf32>) dimensions = [3]
  %16 = arith.subf %11, %15 : tensor<2x4x6x6xf32>
  %17 = math.exp %16 : tensor<2x4x6x6xf32>
  %18 = arith.constant dense<2.0> : tensor<2x4x6x6xf32>
  %19 = arith.mulf %16, %18 : tensor<2x4x6x6xf32>
  %20 = math.exp %19 : tensor<2x4x6x6xf32>
  %21 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %22 = linalg.reduce { arith.addf } ins(%20 : tensor<2x4x6x6xf32>) outs(%21 : tensor<2x4x6xf32>) dimensions = [3]
  %23 = tensor.empty() : tensor<2x4x6x6xf32>
  %24 = linalg.broadcast ins(%22 : tensor<2x4x6xf32>) outs(%23 : tensor<2x4x6x6xf32>) dimensions = [3]
  %25 = arith.divf %17, %24 : tensor<2x4x6x6xf32>
  %26 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%25, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%26 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %28 = tensor.empty() : tensor<2x6x4x8xf32>
  %29 = linalg.transpose ins(%27 : tensor<2x4x6x8xf32>) outs(%28 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %29 : tensor<2x6x4x8xf32>
}
