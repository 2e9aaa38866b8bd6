// A mixture whose rows a mask [64, 4, 20] moves to places in the capacities of 4
// experts, two for each row, and drops where there are more than 20.
#each = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#te = affine_map<(t, e, k) -> (t, e)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(e, c, d, t) -> (t, e, c)>
#x = affine_map<(e, c, d, t) -> (t, d)>
#ecd = affine_map<(e, c, d, t) -> (e, c, d)>
#ecf = affine_map<(e, c, f, d) -> (e, c, d)>
#edf = affine_map<(e, c, f, d) -> (e, d, f)>
#combine = affine_map<(t, d, e, c) -> (t, e, c)>
#places = affine_map<(t, d, e, c) -> (e, c, d)>
#result = affine_map<(t, d, e, c) -> (t, d)>
func.func @forward(%x: tensor<64x8xf32> {te.input = "x"}, %router: tensor<8x4xf32> {te.param = "router"}, %up: tensor<4x8x8xf32> {te.param = "up"}, %down: tensor<4x8x8xf32> {te.param = "down"}) -> (tensor<64x8xf32> {te.output = "y"}) {
  %fzero = arith.constant dense<0.0> : tensor<64x4xf32>
  %izero = arith.constant dense<0> : tensor<64x4x1xi64>
  %kzero = arith.constant dense<0> : tensor<64x2x1xi64>
  %experts = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
  %positions = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi32>
  %szero = arith.constant dense<0> : tensor<1x128x4xi32>
  %one = arith.constant dense<1> : tensor<128x4xi32>
  %least = arith.constant dense<-2147483648> : tensor<64x4xi32>
  %rzero = arith.constant dense<0.0> : tensor<4x20x8xf32>
  %yzero = arith.constant dense<0.0> : tensor<64x8xf32>
  %scores = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %router : tensor<64x8xf32>, tensor<8x4xf32>) outs(%fzero : tensor<64x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x4xf32>
  // The two largest.
  %keys = tensor.expand_shape %scores [[0], [1, 2]] output_shape [64, 4, 1] : tensor<64x4xf32> into tensor<64x4x1xf32>
  %order = linalg.generic {indexing_maps = [#each, #all, #each], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%keys, %keys : tensor<64x4x1xf32>, tensor<64x4x1xf32>) outs(%izero : tensor<64x4x1xi64>) {
  ^bb0(%own: f32, %other: f32, %o: i64):
    %larger = arith.cmpf ogt, %other, %own : f32
    %equal = arith.cmpf oeq, %own, %other : f32
    %i = linalg.index 3 : index
    %j = linalg.index 1 : index
    %earlier = arith.cmpi ult, %i, %j : index
    %tie = arith.andi %equal, %earlier : i1
    %before = arith.ori %larger, %tie : i1
    %n = arith.extui %before : i1 to i64
    %s = arith.addi %o, %n : i64
    linalg.yield %s : i64
  } -> tensor<64x4x1xi64>
  %empty = tensor.empty() : tensor<64x4x1xi64>
  %numbers = linalg.broadcast ins(%experts : tensor<4xi64>) outs(%empty : tensor<64x4x1xi64>) dimensions = [0, 2]
  %largest = linalg.generic {indexing_maps = [#all, #all, #each], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%order, %numbers : tensor<64x4x1xi64>, tensor<64x4x1xi64>) outs(%kzero : tensor<64x2x1xi64>) {
  ^bb0(%place: i64, %number: i64, %o: i64):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i64
    %here = arith.cmpi eq, %place, %at : i64
    %none = arith.constant 0 : i64
    %term = arith.select %here, %number, %none : i64
    %s = arith.addi %o, %term : i64
    linalg.yield %s : i64
  } -> tensor<64x2x1xi64>
  %chosen = tensor.collapse_shape %largest [[0], [1, 2]] : tensor<64x2x1xi64> into tensor<64x2xi64>
  // Whether an expert is chosen, and how many rows of it there are until then.
  %e3 = tensor.empty() : tensor<64x2x4xi64>
  %ids = linalg.broadcast ins(%chosen : tensor<64x2xi64>) outs(%e3 : tensor<64x2x4xi64>) dimensions = [2]
  %every = linalg.broadcast ins(%experts : tensor<4xi64>) outs(%e3 : tensor<64x2x4xi64>) dimensions = [0, 1]
  %is = arith.cmpi eq, %ids, %every : tensor<64x2x4xi64>
  %hot = arith.extui %is : tensor<64x2x4xi1> to tensor<64x2x4xi32>
  %flat = tensor.collapse_shape %hot [[0, 1], [2]] : tensor<64x2x4xi32> into tensor<128x4xi32>
  %counted = tensor.expand_shape %flat [[0, 1], [2]] output_shape [1, 128, 4] : tensor<128x4xi32> into tensor<1x128x4xi32>
  %sums = linalg.generic {indexing_maps = [#all, #each], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%counted : tensor<1x128x4xi32>) outs(%szero : tensor<1x128x4xi32>) {
  ^bb0(%in: i32, %o: i32):
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %none = arith.constant 0 : i32
    %term = arith.select %counts, %in, %none : i32
    %s = arith.addi %o, %term : i32
    linalg.yield %s : i32
  } -> tensor<1x128x4xi32>
  %until = tensor.collapse_shape %sums [[0, 1], [2]] : tensor<1x128x4xi32> into tensor<128x4xi32>
  %kept = arith.muli %until, %flat : tensor<128x4xi32>
  %place = arith.subi %kept, %one : tensor<128x4xi32>
  %of = tensor.expand_shape %place [[0, 1], [2]] output_shape [64, 2, 4] : tensor<128x4xi32> into tensor<64x2x4xi32>
  %at = linalg.generic {indexing_maps = [#tke, #te], iterator_types = ["parallel", "parallel", "reduction"]} ins(%of : tensor<64x2x4xi32>) outs(%least : tensor<64x4xi32>) {
  ^bb0(%in: i32, %o: i32):
    %s = arith.maxsi %o, %in : i32
    linalg.yield %s : i32
  } -> tensor<64x4xi32>
  // The masks.
  %e4 = tensor.empty() : tensor<64x4x20xi32>
  %f4 = tensor.empty() : tensor<64x4x20xf32>
  %here = linalg.broadcast ins(%at : tensor<64x4xi32>) outs(%e4 : tensor<64x4x20xi32>) dimensions = [2]
  %there = linalg.broadcast ins(%positions : tensor<20xi32>) outs(%e4 : tensor<64x4x20xi32>) dimensions = [0, 1]
  %hit = arith.cmpi eq, %here, %there : tensor<64x4x20xi32>
  %dispatch = arith.uitofp %hit : tensor<64x4x20xi1> to tensor<64x4x20xf32>
  %weights = linalg.broadcast ins(%scores : tensor<64x4xf32>) outs(%f4 : tensor<64x4x20xf32>) dimensions = [2]
  %combine = arith.mulf %weights, %dispatch : tensor<64x4x20xf32>
  // Experts.
  %xs = linalg.generic {indexing_maps = [#rows, #x, #ecd], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%dispatch, %x : tensor<64x4x20xf32>, tensor<64x8xf32>) outs(%rzero : tensor<4x20x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x20x8xf32>
  %h = linalg.generic {indexing_maps = [#ecf, #edf, #ecd], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%xs, %up : tensor<4x20x8xf32>, tensor<4x8x8xf32>) outs(%rzero : tensor<4x20x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x20x8xf32>
  %act = math.tanh %h : tensor<4x20x8xf32>
  %ys = linalg.generic {indexing_maps = [#ecf, #edf, #ecd], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<4x20x8xf32>, tensor<4x8x8xf32>) outs(%rzero : tensor<4x20x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x20x8xf32>
  %y = linalg.generic {indexing_maps = [#combine, #places, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%combine, %ys : tensor<64x4x20xf32>, tensor<4x20x8xf32>) outs(%yzero : tensor<64x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}
