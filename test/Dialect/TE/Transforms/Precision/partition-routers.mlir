// Routers of mixtures of experts are known by what becomes of their results:
// they are compared with each other. No name says so here.
// RUN: te-opt %s --te-partition --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='Router |'
// RUN: te-opt %s --te-partition='policy=ranks=fp8,gate/wgrad=fp8' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=RULE

#element = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#this = affine_map<(i, j, k) -> (i, j)>
#other = affine_map<(i, j, k) -> (i, k)>

// How many scores are larger: top-k as importers write it.
// CHECK: remark: loc("ranks"): [Missed] Router | Category:te-partition | Function=ranks | Reason="its results are compared with each other, and the largest choose (router of experts); errors of FP8 would choose others", Suggestion="add 'ranks=fp8' to the policy"
// RULE: remark: loc("ranks"): [Passed] FP8
func.func @ranks(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64x16xi64> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("ranks")
  %a = te.activation relu %s : tensor<64x16xf32> -> y tensor<64x16xf32>
  %zero = arith.constant dense<0> : tensor<64x16xi64>
  %y = linalg.generic {indexing_maps = [#this, #other, #this], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s, %s : tensor<64x16xf32>, tensor<64x16xf32>) outs(%zero : tensor<64x16xi64>) {
  ^bb0(%one: f32, %two: f32, %out: i64):
    %larger = arith.cmpf ogt, %two, %one : f32
    %count = arith.extui %larger : i1 to i64
    %sum = arith.addi %out, %count : i64
    linalg.yield %sum : i64
  } -> tensor<64x16xi64>
  return %y : tensor<64x16xi64>
}

// The largest probability, of scores with a bias of their own.
// CHECK: remark: loc("probability"): [Missed] Router
func.func @probability(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %b: tensor<64x16xf32> {te.param = "b"}) -> (tensor<64x16xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("probability")
  %e = math.exp %s : tensor<64x16xf32>
  %biased = arith.addf %e, %b : tensor<64x16xf32>
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %max = linalg.reduce ins(%biased : tensor<64x16xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %m = arith.maximumf %in, %out : f32
      linalg.yield %m : f32
    }
  %empty = tensor.empty() : tensor<64x16xf32>
  %rows = linalg.broadcast ins(%max : tensor<64xf32>) outs(%empty : tensor<64x16xf32>) dimensions = [1]
  %first = arith.cmpf oeq, %biased, %rows : tensor<64x16xf32>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %y = arith.select %first, %e, %zero : tensor<64x16xi1>, tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// The place of the largest, found with it.
// CHECK: remark: loc("argmax"): [Missed] Router
func.func @argmax(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64xi64> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("argmax")
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %none = arith.constant dense<0> : tensor<64xi64>
  %max, %y = linalg.generic {indexing_maps = [#element, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x16xf32>) outs(%low, %none : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%in: f32, %best: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %larger = arith.cmpf ogt, %in, %best : f32
    %new = arith.select %larger, %in, %best : f32
    %where = arith.select %larger, %here, %place : i64
    linalg.yield %new, %where : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  return %y : tensor<64xi64>
}

// Together with arithmetic on other values, as fused, and half of a product.
// CHECK: remark: loc("{gate,other}"): [Missed] Router
// RULE: remark: loc("{gate,other}"): [Missed] Router
func.func @fused(%x: tensor<64x32xf32> {te.input = "x"}, %z: tensor<64x16xf32> {te.input = "z"}, %w: tensor<32x32xf32> {te.param = "w"}) -> (tensor<64x16xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w {layer = "{gate,other}"} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("{gate,other}")
  %0:2 = te.split %s axis 1 : tensor<64x32xf32> -> tensor<64x16xf32>, tensor<64x16xf32>
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %max = linalg.reduce ins(%0#0 : tensor<64x16xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %m = arith.maximumf %in, %out : f32
      linalg.yield %m : f32
    }
  %empty = tensor.empty() : tensor<64x16xf32>
  %y = linalg.generic {indexing_maps = [#element, #row, #element, #element], iterator_types = ["parallel", "parallel"]} ins(%0#0, %max, %z : tensor<64x16xf32>, tensor<64xf32>, tensor<64x16xf32>) outs(%empty : tensor<64x16xf32>) {
  ^bb0(%in: f32, %best: f32, %value: f32, %out: f32):
    %first = arith.cmpf oge, %in, %best : f32
    %zero = arith.constant 0.0 : f32
    %chosen = arith.select %first, %value, %zero : f32
    linalg.yield %chosen : f32
  } -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// An activation compares with a constant, and an element with what is made of
// it alone.
// CHECK: remark: loc("activation"): [Passed] FP8
func.func @activation(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64x16xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("activation")
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %positive = arith.cmpf ogt, %s, %zero : tensor<64x16xf32>
  %kept = arith.select %positive, %s, %zero : tensor<64x16xi1>, tensor<64x16xf32>
  %floor = math.floor %kept : tensor<64x16xf32>
  %whole = arith.cmpf oeq, %kept, %floor : tensor<64x16xf32>
  %y = arith.select %whole, %zero, %kept : tensor<64x16xi1>, tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// The larger of two: pooling, whatever it is written as.
// CHECK: remark: loc("pooling"): [Passed] FP8
func.func @pooling(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("pooling")
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %y = linalg.reduce ins(%s : tensor<64x16xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %larger = arith.cmpf ogt, %in, %out : f32
      %m = arith.select %larger, %in, %out : f32
      linalg.yield %m : f32
    }
  return %y : tensor<64xf32>
}

// Nor does the place of the largest that nobody reads; and NaN is no choice.
// CHECK: remark: loc("unread"): [Passed] FP8
func.func @unread(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("unread")
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %none = arith.constant dense<0> : tensor<64xi64>
  %y, %places = linalg.generic {indexing_maps = [#element, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x16xf32>) outs(%low, %none : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%in: f32, %best: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %larger = arith.cmpf ogt, %in, %best : f32
    %nan = arith.cmpf une, %in, %in : f32
    %takes = arith.ori %larger, %nan : i1
    %new = arith.select %takes, %in, %best : f32
    %where = arith.select %takes, %here, %place : i64
    linalg.yield %new, %where : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  return %y : tensor<64xf32>
}

// Softmax alone chooses nothing.
// CHECK: remark: loc("softmax"): [Passed] FP8
func.func @softmax(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64x16xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("softmax")
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %max = linalg.reduce ins(%s : tensor<64x16xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %m = arith.maximumf %in, %out : f32
      linalg.yield %m : f32
    }
  %empty = tensor.empty() : tensor<64x16xf32>
  %rows = linalg.broadcast ins(%max : tensor<64xf32>) outs(%empty : tensor<64x16xf32>) dimensions = [1]
  %d = arith.subf %s, %rows : tensor<64x16xf32>
  %y = math.exp %d : tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// What is compared is a residual stream, or the result of the next layer: that
// one is the router.
// CHECK: remark: loc("before"): [Passed] FP8
// CHECK: remark: loc("behind"): [Missed] Router
// CHECK: remark: loc("branch"): [Passed] FP8
func.func @before(%x: tensor<64x32xf32> {te.input = "x"}, %v: tensor<32x32xf32> {te.param = "v"}, %w: tensor<32x16xf32> {te.param = "w"}, %u: tensor<32x32xf32> {te.param = "u"}) -> (tensor<64xi64> {te.output = "y"}, tensor<64xi64> {te.output = "z"}) {
  %h = te.matmul %x, %v : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("before")
  %s = te.matmul %h, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("behind")
  %r = te.matmul %x, %u : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("branch")
  %sum = te.add %r, %x : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x32xf32>
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %none = arith.constant dense<0> : tensor<64xi64>
  %m0, %y = linalg.generic {indexing_maps = [#element, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x16xf32>) outs(%low, %none : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%in: f32, %best: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %larger = arith.cmpf ogt, %in, %best : f32
    %new = arith.select %larger, %in, %best : f32
    %where = arith.select %larger, %here, %place : i64
    linalg.yield %new, %where : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  %m1, %z = linalg.generic {indexing_maps = [#element, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%sum : tensor<64x32xf32>) outs(%low, %none : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%in: f32, %best: f32, %place: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %larger = arith.cmpf ogt, %in, %best : f32
    %new = arith.select %larger, %in, %best : f32
    %where = arith.select %larger, %here, %place : i64
    linalg.yield %new, %where : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  return %y, %z : tensor<64xi64>, tensor<64xi64>
}

// A wide layer of which the largest are kept has more results than inputs.
// CHECK: remark: loc("wide"): [Passed] FP8
func.func @wide(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x48xf32> {te.param = "w"}) -> (tensor<64x48xi64> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x48xf32> -> tensor<64x48xf32> loc("wide")
  %zero = arith.constant dense<0> : tensor<64x48xi64>
  %y = linalg.generic {indexing_maps = [#this, #other, #this], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s, %s : tensor<64x48xf32>, tensor<64x48xf32>) outs(%zero : tensor<64x48xi64>) {
  ^bb0(%one: f32, %two: f32, %out: i64):
    %larger = arith.cmpf ogt, %two, %one : f32
    %count = arith.extui %larger : i1 to i64
    %sum = arith.addi %out, %count : i64
    linalg.yield %sum : i64
  } -> tensor<64x48xi64>
  return %y : tensor<64x48xi64>
}

// Gradients compare as well: that of a maximum goes to the largest element.
// Neither loss nor output depends on it, only gradients and their norm.
// CHECK: remark: loc("gradient"): [Passed] FP8
func.func @gradient(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64xf32> {te.output = "y"}, tensor<f32> {te.output = "grad_norm"}, tensor<64x16xf32> {te.gradient = "s", te.output = "grad.s"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("gradient")
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %y = linalg.reduce ins(%s : tensor<64x16xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %m = arith.maximumf %in, %out : f32
      linalg.yield %m : f32
    }
  %empty = tensor.empty() : tensor<64x16xf32>
  %rows = linalg.broadcast ins(%y : tensor<64xf32>) outs(%empty : tensor<64x16xf32>) dimensions = [1]
  %first = arith.cmpf oeq, %s, %rows : tensor<64x16xf32>
  %one = arith.constant dense<1.0> : tensor<64x16xf32>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %dy = arith.select %first, %one, %zero : tensor<64x16xi1>, tensor<64x16xf32>
  %norm = te.global_norm %dy : tensor<64x16xf32>
  return %y, %norm, %dy : tensor<64xf32>, tensor<f32>, tensor<64x16xf32>
}

// The body adds another activation, which it captures: no longer the scores.
// CHECK: remark: loc("captures"): [Passed] FP8
func.func @captures(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %e: tensor<64x16xf32> {te.input = "e"}) -> (tensor<64x1xi1> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("captures")
  %empty = tensor.empty() : tensor<64x16xf32>
  %zero = arith.constant 0 : index
  %sum = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<64x16xf32>) outs(%empty : tensor<64x16xf32>) {
  ^bb0(%one: f32, %out: f32):
    %i = linalg.index 0 : index
    %other = tensor.extract %e[%i, %zero] : tensor<64x16xf32>
    %both = arith.addf %one, %other : f32
    linalg.yield %both : f32
  } -> tensor<64x16xf32>
  %first = tensor.extract_slice %sum[0, 0] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %second = tensor.extract_slice %sum[0, 1] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %y = arith.cmpf ogt, %first, %second : tensor<64x1xf32>
  return %y : tensor<64x1xi1>
}
