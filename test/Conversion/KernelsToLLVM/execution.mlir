// What kernels compute on the CPU, from the functions they are made of to how they
// walk memory. Inputs and expected outputs are made by Inputs/kernels.py, in
// float64.

// RUN: te-compile %s --entry forward --precision f32 -o %t.so
// RUN: te-run forward %t.so --inputs %S/Inputs/kernels.safetensors --outputs %t.safetensors
// RUN: te-run compare %t.safetensors %S/Inputs/kernels.safetensors --tolerance 1e-6

// The same bits whatever the number of threads.
// RUN: te-run forward %t.so --threads 1 --inputs %S/Inputs/kernels.safetensors --outputs %t.one.safetensors
// RUN: cmp %t.safetensors %t.one.safetensors

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0, d1) -> ()>
func.func @forward(%x: tensor<40x33xf32> {te.input = "x"}, %p: tensor<40x33xf32> {te.input = "p"}, %b: tensor<33xf32> {te.input = "b"},
                   %k: tensor<40xf32> {te.input = "k"}, %t: tensor<33x40xf32> {te.input = "t"}, %v: tensor<20000xf32> {te.input = "v"}) -> (
    tensor<40x33xf32> {te.output = "absf"},
    tensor<40x33xf32> {te.output = "ceil"},
    tensor<40x33xf32> {te.output = "cos"},
    tensor<40x33xf32> {te.output = "cosh"},
    tensor<40x33xf32> {te.output = "erf"},
    tensor<40x33xf32> {te.output = "exp"},
    tensor<40x33xf32> {te.output = "exp2"},
    tensor<40x33xf32> {te.output = "expm1"},
    tensor<40x33xf32> {te.output = "floor"},
    tensor<40x33xf32> {te.output = "log"},
    tensor<40x33xf32> {te.output = "log1p"},
    tensor<40x33xf32> {te.output = "log2"},
    tensor<40x33xf32> {te.output = "roundeven"},
    tensor<40x33xf32> {te.output = "rsqrt"},
    tensor<40x33xf32> {te.output = "sin"},
    tensor<40x33xf32> {te.output = "sinh"},
    tensor<40x33xf32> {te.output = "sqrt"},
    tensor<40x33xf32> {te.output = "tanh"},
    tensor<40x33xf32> {te.output = "cube"},
    tensor<40x33xf32> {te.output = "power"},
    tensor<40x33xi64> {te.output = "counters"},
    tensor<40x66xf32> {te.output = "joined"},
    tensor<40xf32> {te.output = "rows"},
    tensor<33xf32> {te.output = "largest"},
    tensor<f32> {te.output = "all"},
    tensor<40x33xbf16> {te.output = "bf16"},
    tensor<33x40xf32> {te.output = "chosen"},
    tensor<20000xf32> {te.output = "long"}) {
  %e0 = arith.constant dense<0.0> : tensor<40x33xf32>
  %absf = math.absf %x : tensor<40x33xf32>
  %ceil = math.ceil %x : tensor<40x33xf32>
  %cos = math.cos %x : tensor<40x33xf32>
  %cosh = math.cosh %x : tensor<40x33xf32>
  %erf = math.erf %x : tensor<40x33xf32>
  %exp = math.exp %x : tensor<40x33xf32>
  %exp2 = math.exp2 %x : tensor<40x33xf32>
  %expm1 = math.expm1 %x : tensor<40x33xf32>
  %floor = math.floor %x : tensor<40x33xf32>
  %log = math.log %p : tensor<40x33xf32>
  %log1p = math.log1p %p : tensor<40x33xf32>
  %log2 = math.log2 %p : tensor<40x33xf32>
  %roundeven = math.roundeven %x : tensor<40x33xf32>
  %rsqrt = math.rsqrt %p : tensor<40x33xf32>
  %sin = math.sin %x : tensor<40x33xf32>
  %sinh = math.sinh %x : tensor<40x33xf32>
  %sqrt = math.sqrt %p : tensor<40x33xf32>
  %tanh = math.tanh %x : tensor<40x33xf32>
  %three = arith.constant dense<3.0> : tensor<40x33xf32>
  %cube = math.powf %x, %three : tensor<40x33xf32>
  %power = math.powf %p, %x : tensor<40x33xf32>

  // Operands that repeat, and one read across its rows.
  %e = tensor.empty() : tensor<40x33xf32>
  %mixed = linalg.generic {indexing_maps = [#id, #col, #row, #swapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %k, %t : tensor<40x33xf32>, tensor<33xf32>, tensor<40xf32>, tensor<33x40xf32>) outs(%e : tensor<40x33xf32>) {
  ^bb0(%in: f32, %bias: f32, %factor: f32, %other: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.mulf %0, %factor : f32
    %2 = arith.subf %1, %other : f32
    linalg.yield %2 : f32
  } -> tensor<40x33xf32>

  // Two results, one of them from the loops' counters, into a part of a whole.
  %ei = tensor.empty() : tensor<40x33xi64>
  %eh = tensor.empty() : tensor<40x33xf32>
  %counted:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<40x33xf32>) outs(%ei, %eh : tensor<40x33xi64>, tensor<40x33xf32>) {
  ^bb0(%in: f32, %o0: i64, %o1: f32):
    %half = arith.constant 0.5 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.subi %j, %i : index
    %si = arith.index_cast %s : index to i64
    %h = arith.mulf %in, %half : f32
    linalg.yield %si, %h : i64, f32
  } -> (tensor<40x33xi64>, tensor<40x33xf32>)
  %joined = tensor.concat dim(1) %counted#1, %mixed : (tensor<40x33xf32>, tensor<40x33xf32>) -> tensor<40x66xf32>

  // Sums over rows, columns and everything, and a largest element.
  %z = arith.constant dense<0.0> : tensor<40xf32>
  %rows = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<40x33xf32>) outs(%z : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<40xf32>
  %low = arith.constant dense<-1.0e9> : tensor<33xf32>
  %largest = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<40x33xf32>) outs(%low : tensor<33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<33xf32>
  %start = arith.constant dense<1.0> : tensor<f32>
  %all = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%p : tensor<40x33xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>

  // bf16 in memory, float32 in between; truth values; long rows in pieces.
  %narrow = arith.truncf %x : tensor<40x33xf32> to tensor<40x33xbf16>
  %eb = tensor.empty() : tensor<40x33xbf16>
  %products = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%narrow : tensor<40x33xbf16>) outs(%eb : tensor<40x33xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.mulf %in, %in : bf16
    %1 = arith.mulf %0, %in : bf16
    linalg.yield %1 : bf16
  } -> tensor<40x33xbf16>
  %positive = arith.cmpf ogt, %x, %e0 : tensor<40x33xf32>
  %et = tensor.empty() : tensor<33x40xi1>
  %turned = linalg.transpose ins(%positive : tensor<40x33xi1>) outs(%et : tensor<33x40xi1>) permutation = [1, 0]
  %zt = arith.constant dense<0.0> : tensor<33x40xf32>
  %chosen = arith.select %turned, %t, %zt : tensor<33x40xi1>, tensor<33x40xf32>
  %long = math.sin %v : tensor<20000xf32>

  return %absf, %ceil, %cos, %cosh, %erf, %exp, %exp2, %expm1, %floor, %log, %log1p, %log2, %roundeven, %rsqrt, %sin, %sinh, %sqrt, %tanh, %cube, %power, %counted#0, %joined, %rows, %largest, %all, %products, %chosen, %long
    : tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xf32>, tensor<40x33xi64>, tensor<40x66xf32>, tensor<40xf32>, tensor<33xf32>, tensor<f32>, tensor<40x33xbf16>, tensor<33x40xf32>, tensor<20000xf32>
}
