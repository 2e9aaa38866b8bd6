// A query whose keys are all hidden by -infinity: NaN in the softmax that is
// written, 0 in te.attention. Where that happens is said; test/Models compares what
// is computed.

// RUN: te-opt %s --te-raise --split-input-file --remarks-filter=te-raise -o /dev/null 2>&1 | FileCheck %s

// The second query sees nothing.
// CHECK: remark: {{\[}}Passed{{\]}} Attention
// CHECK: remark: {{\[}}Analysis{{\]}} HiddenQueries{{.*}}hides all keys of a query
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @forward(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x3xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3x3xf32>
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0.0], [0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000]]> : tensor<3x3xf32>
  %masks = linalg.broadcast ins(%mask : tensor<3x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [0]
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x8xf32>, tensor<2x3x8xf32>) outs(%zero : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x3x3xf32>
  %m = arith.addf %scores, %masks : tensor<2x3x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%m : tensor<2x3x3xf32>) outs(%lowest : tensor<2x3xf32>) dimensions = [2]
  %maxes = linalg.broadcast ins(%max : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %less = arith.subf %m, %maxes : tensor<2x3x3xf32>
  %x = math.exp %less : tensor<2x3x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3x3xf32>) outs(%zeros : tensor<2x3xf32>) dimensions = [2]
  %sums = linalg.broadcast ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %p = arith.divf %x, %sums : tensor<2x3x3xf32>
  %none = arith.constant dense<0.0> : tensor<2x3x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x3x3xf32>, tensor<2x3x8xf32>) outs(%none : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}

// -----

// A mask that comes from outside may hide them all.
// CHECK: remark: {{\[}}Passed{{\]}} Attention
// CHECK: remark: {{\[}}Analysis{{\]}} HiddenQueries{{.*}}a query whose keys its mask all hides
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @forward(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %mask: tensor<3x3xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x3xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3x3xf32>

  %masks = linalg.broadcast ins(%mask : tensor<3x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [0]
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x8xf32>, tensor<2x3x8xf32>) outs(%zero : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x3x3xf32>
  %m = arith.addf %scores, %masks : tensor<2x3x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%m : tensor<2x3x3xf32>) outs(%lowest : tensor<2x3xf32>) dimensions = [2]
  %maxes = linalg.broadcast ins(%max : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %less = arith.subf %m, %maxes : tensor<2x3x3xf32>
  %x = math.exp %less : tensor<2x3x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3x3xf32>) outs(%zeros : tensor<2x3xf32>) dimensions = [2]
  %sums = linalg.broadcast ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %p = arith.divf %x, %sums : tensor<2x3x3xf32>
  %none = arith.constant dense<0.0> : tensor<2x3x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x3x3xf32>, tensor<2x3x8xf32>) outs(%none : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}

// -----

// So may one that chooses -infinity by an input.
// CHECK: remark: {{\[}}Passed{{\]}} Attention
// CHECK: remark: {{\[}}Analysis{{\]}} HiddenQueries{{.*}}a query whose keys its mask all hides
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @forward(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %seen: tensor<3x3xi1>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x3xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3x3xf32>
  %nothing = arith.constant dense<0.0> : tensor<3x3xf32>
  %infinity = arith.constant dense<0xFF800000> : tensor<3x3xf32>
  %mask = arith.select %seen, %nothing, %infinity : tensor<3x3xi1>, tensor<3x3xf32>
  %masks = linalg.broadcast ins(%mask : tensor<3x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [0]
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x8xf32>, tensor<2x3x8xf32>) outs(%zero : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x3x3xf32>
  %m = arith.addf %scores, %masks : tensor<2x3x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%m : tensor<2x3x3xf32>) outs(%lowest : tensor<2x3xf32>) dimensions = [2]
  %maxes = linalg.broadcast ins(%max : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %less = arith.subf %m, %maxes : tensor<2x3x3xf32>
  %x = math.exp %less : tensor<2x3x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3x3xf32>) outs(%zeros : tensor<2x3xf32>) dimensions = [2]
  %sums = linalg.broadcast ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %p = arith.divf %x, %sums : tensor<2x3x3xf32>
  %none = arith.constant dense<0.0> : tensor<2x3x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x3x3xf32>, tensor<2x3x8xf32>) outs(%none : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}

// -----

// Every query sees a key: a triangle, other constants, and what is not -infinity.
// CHECK: remark: {{\[}}Passed{{\]}} Attention
// CHECK-NOT: HiddenQueries
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @forward(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x3xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3x3xf32>
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %masks = linalg.broadcast ins(%mask : tensor<3x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [0]
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x8xf32>, tensor<2x3x8xf32>) outs(%zero : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x3x3xf32>
  %m = arith.addf %scores, %masks : tensor<2x3x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%m : tensor<2x3x3xf32>) outs(%lowest : tensor<2x3xf32>) dimensions = [2]
  %maxes = linalg.broadcast ins(%max : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %less = arith.subf %m, %maxes : tensor<2x3x3xf32>
  %x = math.exp %less : tensor<2x3x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3x3xf32>) outs(%zeros : tensor<2x3xf32>) dimensions = [2]
  %sums = linalg.broadcast ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %p = arith.divf %x, %sums : tensor<2x3x3xf32>
  %none = arith.constant dense<0.0> : tensor<2x3x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x3x3xf32>, tensor<2x3x8xf32>) outs(%none : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}

// -----

// CHECK: remark: {{\[}}Passed{{\]}} Attention
// CHECK-NOT: HiddenQueries
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @forward(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x3xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3x3xf32>
  %mask = arith.constant dense<[[0.0, 0xFF800000, 0.0], [0xFF800000, 0.0, 0xFF800000], [0.0, 0.0, 0xFF800000]]> : tensor<3x3xf32>
  %masks = linalg.broadcast ins(%mask : tensor<3x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [0]
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x8xf32>, tensor<2x3x8xf32>) outs(%zero : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x3x3xf32>
  %m = arith.addf %scores, %masks : tensor<2x3x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%m : tensor<2x3x3xf32>) outs(%lowest : tensor<2x3xf32>) dimensions = [2]
  %maxes = linalg.broadcast ins(%max : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %less = arith.subf %m, %maxes : tensor<2x3x3xf32>
  %x = math.exp %less : tensor<2x3x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3x3xf32>) outs(%zeros : tensor<2x3xf32>) dimensions = [2]
  %sums = linalg.broadcast ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %p = arith.divf %x, %sums : tensor<2x3x3xf32>
  %none = arith.constant dense<0.0> : tensor<2x3x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x3x3xf32>, tensor<2x3x8xf32>) outs(%none : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}

// -----

// CHECK: remark: {{\[}}Passed{{\]}} Attention
// CHECK-NOT: HiddenQueries
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
func.func @forward(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x3x8xf32>, %seen: tensor<3x3xi1>) -> tensor<2x3x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x3xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3x3xf32>
  %nothing = arith.constant dense<0.0> : tensor<3x3xf32>
  %penalty = arith.constant dense<-3.0e38> : tensor<3x3xf32>
  %mask = arith.select %seen, %nothing, %penalty : tensor<3x3xi1>, tensor<3x3xf32>
  %masks = linalg.broadcast ins(%mask : tensor<3x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [0]
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x8xf32>, tensor<2x3x8xf32>) outs(%zero : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %p, %o : f32
    linalg.yield %t : f32
  } -> tensor<2x3x3xf32>
  %m = arith.addf %scores, %masks : tensor<2x3x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%m : tensor<2x3x3xf32>) outs(%lowest : tensor<2x3xf32>) dimensions = [2]
  %maxes = linalg.broadcast ins(%max : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %less = arith.subf %m, %maxes : tensor<2x3x3xf32>
  %x = math.exp %less : tensor<2x3x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x3x3xf32>) outs(%zeros : tensor<2x3xf32>) dimensions = [2]
  %sums = linalg.broadcast ins(%sum : tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) dimensions = [2]
  %p = arith.divf %x, %sums : tensor<2x3x3xf32>
  %none = arith.constant dense<0.0> : tensor<2x3x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x3x3xf32>, tensor<2x3x8xf32>) outs(%none : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %o : tensor<2x3x8xf32>
}
