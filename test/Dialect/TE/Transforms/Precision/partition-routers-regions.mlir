// Scores that are compared in loops, branches, bodies and called functions make
// a router as well, and what is continuous there does not.
// RUN: te-opt %s --te-partition --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='Router |' --implicit-check-not='Passed]'

#element = affine_map<(i, j) -> (i, j)>

// The expert of each token, chosen in a loop over tokens.
// CHECK: remark: loc("loop"): [Missed] Router | Category:te-partition | Function=loop | Reason="its results are compared with each other
func.func @loop(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %e: tensor<64x16xf32> {te.input = "e"}) -> (tensor<64x16xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("loop")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> tensor<64x16xf32> {
    %a = tensor.extract %s[%i, %c0] : tensor<64x16xf32>
    %b = tensor.extract %s[%i, %c1] : tensor<64x16xf32>
    %p = arith.cmpf ogt, %a, %b : f32
    %next = arith.select %p, %e, %acc : tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  return %y : tensor<64x16xf32>
}

// The largest so far is an argument of the loop, its place another.
// CHECK: remark: loc("carried"): [Missed] Router
func.func @carried(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64xindex> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("carried")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant 0xFF800000 : f32
  %none = tensor.empty() : tensor<64xindex>
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%places = %none) -> tensor<64xindex> {
    %max, %place = scf.for %j = %c0 to %c16 step %c1 iter_args(%best = %low, %at = %c0) -> (f32, index) {
      %a = tensor.extract %s[%i, %j] : tensor<64x16xf32>
      %p = arith.cmpf ogt, %a, %best : f32
      %new, %here = scf.if %p -> (f32, index) {
        scf.yield %a, %j : f32, index
      } else {
        scf.yield %best, %at : f32, index
      }
      scf.yield %new, %here : f32, index
    }
    %next = tensor.insert %place into %places[%i] : tensor<64xindex>
    scf.yield %next : tensor<64xindex>
  }
  return %y : tensor<64xindex>
}

// The same loop, but what is returned is the largest.
// CHECK: remark: loc("largest"): [Passed] FP8
func.func @largest(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("largest")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant 0xFF800000 : f32
  %none = tensor.empty() : tensor<64xf32>
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%all = %none) -> tensor<64xf32> {
    %max, %place = scf.for %j = %c0 to %c16 step %c1 iter_args(%best = %low, %at = %c0) -> (f32, index) {
      %a = tensor.extract %s[%i, %j] : tensor<64x16xf32>
      %p = arith.cmpf ogt, %a, %best : f32
      %new, %here = scf.if %p -> (f32, index) {
        scf.yield %a, %j : f32, index
      } else {
        scf.yield %best, %at : f32, index
      }
      scf.yield %new, %here : f32, index
    }
    %next = tensor.insert %max into %all[%i] : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

// As long as a later score is larger.
// CHECK: remark: loc("while"): [Missed] Router
func.func @while(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %e: tensor<64x16xf32> {te.input = "e"}) -> (index {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("while")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.while (%j = %c0) : (index) -> index {
    %k = arith.addi %j, %c1 : index
    %a = tensor.extract %s[%c0, %j] : tensor<64x16xf32>
    %b = tensor.extract %s[%c0, %k] : tensor<64x16xf32>
    %p = arith.cmpf ogt, %b, %a : f32
    scf.condition(%p) %j : index
  } do {
  ^bb0(%j: index):
    %k = arith.addi %j, %c1 : index
    scf.yield %k : index
  }
  return %y : index
}

// A branch computes the chosen expert.
// CHECK: remark: loc("branch"): [Missed] Router
func.func @branch(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %e: tensor<64x16xf32> {te.input = "e"}) -> (tensor<64x16xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("branch")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %s[%c0, %c0] : tensor<64x16xf32>
  %b = tensor.extract %s[%c0, %c1] : tensor<64x16xf32>
  %p = arith.cmpf ogt, %a, %b : f32
  %y = scf.if %p -> tensor<64x16xf32> {
    %relu = te.activation relu %e : tensor<64x16xf32> -> y tensor<64x16xf32>
    scf.yield %relu : tensor<64x16xf32>
  } else {
    scf.yield %e : tensor<64x16xf32>
  }
  return %y : tensor<64x16xf32>
}

// Of all scores, the largest is taken out, and the second largest of the rest
// chooses: the scores are an argument of the loop.
// CHECK: remark: loc("rest"): [Missed] Router
func.func @rest(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64x16xi1> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("rest")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<64x16xf32>
  %no = arith.constant dense<false> : tensor<64x16xi1>
  %left, %y = scf.for %k = %c0 to %c2 step %c1 iter_args(%now = %s, %chosen = %no) -> (tensor<64x16xf32>, tensor<64x16xi1>) {
    %max = linalg.reduce ins(%now : tensor<64x16xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
      (%in: f32, %out: f32) {
        %m = arith.maximumf %in, %out : f32
        linalg.yield %m : f32
      }
    %empty = tensor.empty() : tensor<64x16xf32>
    %rows = linalg.broadcast ins(%max : tensor<64xf32>) outs(%empty : tensor<64x16xf32>) dimensions = [1]
    %first = arith.cmpf oeq, %now, %rows : tensor<64x16xf32>
    %both = arith.ori %chosen, %first : tensor<64x16xi1>
    %rest = arith.select %first, %lowest, %now : tensor<64x16xi1>, tensor<64x16xf32>
    scf.yield %rest, %both : tensor<64x16xf32>, tensor<64x16xi1>
  }
  return %y : tensor<64x16xi1>
}

// Bodies that read the scores at places of their own.
// CHECK: remark: loc("captured"): [Missed] Router
func.func @captured(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %e: tensor<64x16xf32> {te.input = "e"}) -> (tensor<64x16xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("captured")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x16xf32>
  %y = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]} ins(%e : tensor<64x16xf32>) outs(%empty : tensor<64x16xf32>) {
  ^bb0(%value: f32, %out: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %s[%i, %c0] : tensor<64x16xf32>
    %b = tensor.extract %s[%i, %c1] : tensor<64x16xf32>
    %p = arith.cmpf ogt, %a, %b : f32
    %kept = arith.select %p, %value, %zero : f32
    linalg.yield %kept : f32
  } -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// CHECK: remark: loc("generated"): [Missed] Router
func.func @generated(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64x15xi1> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("generated")
  %c1 = arith.constant 1 : index
  %y = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %j, %c1 : index
    %a = tensor.extract %s[%i, %j] : tensor<64x16xf32>
    %b = tensor.extract %s[%i, %k] : tensor<64x16xf32>
    %p = arith.cmpf ogt, %a, %b : f32
    tensor.yield %p : i1
  } : tensor<64x15xi1>
  return %y : tensor<64x15xi1>
}

// Scores of padded tokens are replaced: which ones, an input says.
// CHECK: remark: loc("masked"): [Missed] Router
func.func @masked(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %mask: tensor<64x16xi1> {te.input = "mask"}) -> (tensor<64x1xi1> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("masked")
  %lowest = arith.constant dense<0xFF800000> : tensor<64x16xf32>
  %kept = arith.select %mask, %s, %lowest : tensor<64x16xi1>, tensor<64x16xf32>
  %first = tensor.extract_slice %kept[0, 0] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %second = tensor.extract_slice %kept[0, 1] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %y = arith.cmpf ogt, %first, %second : tensor<64x1xf32>
  return %y : tensor<64x1xi1>
}

// A function that the model calls chooses.
// CHECK: remark: loc("called"): [Missed] Router
func.func @called(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64x1xi1> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("called")
  %y = func.call @choose(%s) : (tensor<64x16xf32>) -> tensor<64x1xi1>
  return %y : tensor<64x1xi1>
}
func.func private @choose(%s: tensor<64x16xf32>) -> tensor<64x1xi1> {
  %first = tensor.extract_slice %s[0, 0] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %second = tensor.extract_slice %s[0, 1] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %p = arith.cmpf ogt, %first, %second : tensor<64x1xf32>
  return %p : tensor<64x1xi1>
}

// An activation, and a rounding, of one score after the other.
// CHECK: remark: loc("activation"): [Passed] FP8
func.func @activation(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}) -> (tensor<64xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("activation")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<64xf32>
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%all = %none) -> tensor<64xf32> {
    %a = tensor.extract %s[%i, %c0] : tensor<64x16xf32>
    %positive = arith.cmpf ogt, %a, %zero : f32
    %relu = scf.if %positive -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    %floor = math.floor %a : f32
    %whole = arith.cmpf oeq, %a, %floor : f32
    %kept = arith.select %whole, %zero, %relu : f32
    %next = tensor.insert %kept into %all[%i] : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

// What is compared is what a loop adds up of scores and of another activation.
// CHECK: remark: loc("residual"): [Passed] FP8
func.func @residual(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %e: tensor<64x16xf32> {te.input = "e"}) -> (tensor<64x1xi1> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("residual")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %e) -> tensor<64x16xf32> {
    %next = arith.addf %acc, %s : tensor<64x16xf32>
    scf.yield %next : tensor<64x16xf32>
  }
  %first = tensor.extract_slice %sum[0, 0] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %second = tensor.extract_slice %sum[0, 1] [64, 1] [1, 1] : tensor<64x16xf32> to tensor<64x1xf32>
  %y = arith.cmpf ogt, %first, %second : tensor<64x1xf32>
  return %y : tensor<64x1xi1>
}

// A mixture of all experts, weighted by softmax, chooses none of them: its
// result is a continuous function of the scores.
// CHECK: remark: loc("soft"): [Passed] FP8
func.func @soft(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"}, %experts: tensor<64x16x32xf32> {te.input = "experts"}) -> (tensor<64x32xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("soft")
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %max = linalg.reduce { arith.maximumf } ins(%s : tensor<64x16xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
  %empty = tensor.empty() : tensor<64x16xf32>
  %maxes = linalg.broadcast ins(%max : tensor<64xf32>) outs(%empty : tensor<64x16xf32>) dimensions = [1]
  %d = arith.subf %s, %maxes : tensor<64x16xf32>
  %e = math.exp %d : tensor<64x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<64x16xf32>) outs(%zeros : tensor<64xf32>) dimensions = [1]
  %sums = linalg.broadcast ins(%sum : tensor<64xf32>) outs(%empty : tensor<64x16xf32>) dimensions = [1]
  %p = arith.divf %e, %sums : tensor<64x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, h, k) -> (i, k)>, affine_map<(i, h, k) -> (i, k, h)>, affine_map<(i, h, k) -> (i, h)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %experts : tensor<64x16xf32>, tensor<64x16x32xf32>) outs(%zero : tensor<64x32xf32>) {
  ^bb0(%share: f32, %value: f32, %out: f32):
    %m = arith.mulf %share, %value : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
