module @jit_flat {
  func.func public @main(%arg0: tensor<2x8xf32> {te.param = "attention.key.bias"}, %arg1: tensor<16x2x8xf32> {te.param = "attention.key.kernel"}, %arg2: tensor<16xf32> {te.param = "attention.out.bias"}, %arg3: tensor<2x8x16xf32> {te.param = "attention.out.kernel"}, %arg4: tensor<2x8xf32> {te.param = "attention.query.bias"}, %arg5: tensor<16x2x8xf32> {te.param = "attention.query.kernel"}, %arg6: tensor<2x8xf32> {te.param = "attention.value.bias"}, %arg7: tensor<16x2x8xf32> {te.param = "attention.value.kernel"}, %arg8: tensor<32xf32> {te.param = "fc1.bias"}, %arg9: tensor<16x32xf32> {te.param = "fc1.kernel"}, %arg10: tensor<16xf32> {te.param = "fc2.bias"}, %arg11: tensor<32x16xf32> {te.param = "fc2.kernel"}, %arg12: tensor<16x48xf32> {te.param = "head.kernel"}, %arg13: tensor<16xf32> {te.param = "norm_1.bias"}, %arg14: tensor<16xf32> {te.param = "norm_1.scale"}, %arg15: tensor<16xf32> {te.param = "norm_2.scale"}, %arg16: tensor<48x16xf32> {te.param = "tokens.embedding"}, %arg17: tensor<2x8xi32> {te.input = "ids"}) -> (tensor<2x8x48xf32> {te.output = "logits"}) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant -2.38197633E+38 : f32
    %cst_1 = arith.constant 0.353553385 : f32
    %cst_2 = arith.constant 9.99999997E-7 : f32
    %cst_3 = arith.constant 1.600000e+01 : f32
    %cst_4 = arith.constant 0.000000e+00 : f32
    %cst_5 = arith.constant 0x7FC00000 : f32
    %true = arith.constant true
    %c47_i32 = arith.constant 47 : i32
    %c48_i32 = arith.constant 48 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<2x8xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<2x8xi32>) outs(%0 : tensor<2x8xi1>) {
    ^bb0(%in: i32, %out: i1):
      %183 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %183 : i1
    } -> tensor<2x8xi1>
    %2 = tensor.empty() : tensor<2x8xi32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<2x8xi32>) outs(%2 : tensor<2x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %183 = arith.addi %in, %c48_i32 : i32
      linalg.yield %183 : i32
    } -> tensor<2x8xi32>
    %4 = tensor.empty() : tensor<2x8xi32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg17 : tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) outs(%4 : tensor<2x8xi32>) {
    ^bb0(%in: i1, %in_45: i32, %in_46: i32, %out: i32):
      %183 = arith.select %in, %in_45, %in_46 : i32
      linalg.yield %183 : i32
    } -> tensor<2x8xi32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi32> into tensor<2x8x1xi32>
    %6 = tensor.empty() : tensor<2x8x1xi1>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%6 : tensor<2x8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %183 = arith.cmpi sge, %in, %c0_i32 : i32
      linalg.yield %183 : i1
    } -> tensor<2x8x1xi1>
    %8 = tensor.empty() : tensor<2x8x1xi1>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%8 : tensor<2x8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %183 = arith.cmpi sle, %in, %c47_i32 : i32
      linalg.yield %183 : i1
    } -> tensor<2x8x1xi1>
    %10 = tensor.empty() : tensor<2x8x1xi1>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %9 : tensor<2x8x1xi1>, tensor<2x8x1xi1>) outs(%10 : tensor<2x8x1xi1>) {
    ^bb0(%in: i1, %in_45: i1, %out: i1):
      %183 = arith.andi %in, %in_45 : i1
      linalg.yield %183 : i1
    } -> tensor<2x8x1xi1>
    %12 = tensor.empty() : tensor<2x8xi1>
    %13 = linalg.fill ins(%true : i1) outs(%12 : tensor<2x8xi1>) -> tensor<2x8xi1>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x8x1xi1>) outs(%13 : tensor<2x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %183 = arith.andi %out, %in : i1
      linalg.yield %183 : i1
    } -> tensor<2x8xi1>
    %15 = tensor.empty() : tensor<2x8x1x16xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%15 : tensor<2x8x1x16xf32>) {
    ^bb0(%in: i32, %out: f32):
      %183 = arith.index_cast %in : i32 to index
      %184 = linalg.index 3 : index
      %extracted = tensor.extract %arg16[%183, %184] : tensor<48x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x1x16xf32>
    %collapsed = tensor.collapse_shape %16 [[0], [1], [2, 3]] : tensor<2x8x1x16xf32> into tensor<2x8x16xf32>
    %17 = tensor.empty() : tensor<2x8x16xi1>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x8xi1>) outs(%17 : tensor<2x8x16xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x8x16xi1>
    %19 = tensor.empty() : tensor<2x8x16xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %collapsed : tensor<2x8x16xi1>, tensor<2x8x16xf32>) outs(%19 : tensor<2x8x16xf32>) {
    ^bb0(%in: i1, %in_45: f32, %out: f32):
      %183 = arith.select %in, %in_45, %cst_5 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %21 = tensor.empty() : tensor<8xi32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%21 : tensor<8xi32>) {
    ^bb0(%out: i32):
      %183 = linalg.index 0 : index
      %184 = arith.index_cast %183 : index to i32
      linalg.yield %184 : i32
    } -> tensor<8xi32>
    %23 = tensor.empty() : tensor<2x8x8xi32>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<8xi32>) outs(%23 : tensor<2x8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x8x8xi32>
    %25 = tensor.empty() : tensor<2x8x8xi32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<8xi32>) outs(%25 : tensor<2x8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x8x8xi32>
    %27 = tensor.empty() : tensor<2x8x8xi1>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<2x8x8xi32>, tensor<2x8x8xi32>) outs(%27 : tensor<2x8x8xi1>) {
    ^bb0(%in: i32, %in_45: i32, %out: i1):
      %183 = arith.cmpi sge, %in, %in_45 : i32
      linalg.yield %183 : i1
    } -> tensor<2x8x8xi1>
    %29 = tensor.empty() : tensor<2x8x8xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x8x8xi1>) outs(%29 : tensor<2x8x8xf32>) {
    ^bb0(%in: i1, %out: f32):
      %183 = arith.uitofp %in : i1 to f32
      linalg.yield %183 : f32
    } -> tensor<2x8x8xf32>
    %31 = tensor.empty() : tensor<2x1x8x8xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x8x8xf32>) outs(%31 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x8x8xf32>
    %33 = tensor.empty() : tensor<2x8x16xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x8x16xf32>) outs(%33 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.mulf %in, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %35 = tensor.empty() : tensor<2x8xf32>
    %36 = linalg.fill ins(%cst_4 : f32) outs(%35 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<2x8x16xf32>) outs(%36 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.addf %out, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %38 = tensor.empty() : tensor<2x8xf32>
    %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<2x8xf32>) outs(%38 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.divf %in, %cst_3 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %40 = tensor.empty() : tensor<2x8xf32>
    %41 = linalg.fill ins(%cst_4 : f32) outs(%40 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34 : tensor<2x8x16xf32>) outs(%41 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.addf %out, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %43 = tensor.empty() : tensor<2x8xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<2x8xf32>) outs(%43 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.divf %in, %cst_3 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %45 = tensor.empty() : tensor<2x8xf32>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<2x8xf32>) outs(%45 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.mulf %in, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %47 = tensor.empty() : tensor<2x8xf32>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%44, %46 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%47 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.subf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %49 = tensor.empty() : tensor<2x8xf32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<2x8xf32>) outs(%49 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.maximumf %in, %cst_4 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %expanded_6 = tensor.expand_shape %39 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %expanded_7 = tensor.expand_shape %50 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %51 = tensor.empty() : tensor<2x8x16xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x8x1xf32>) outs(%51 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %53 = tensor.empty() : tensor<2x8x16xf32>
    %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %52 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%53 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.subf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %55 = tensor.empty() : tensor<2x8x1xf32>
    %56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<2x8x1xf32>) outs(%55 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.addf %in, %cst_2 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x1xf32>
    %57 = tensor.empty() : tensor<2x8x1xf32>
    %58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<2x8x1xf32>) outs(%57 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = math.rsqrt %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x1xf32>
    %expanded_8 = tensor.expand_shape %arg14 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %59 = tensor.empty() : tensor<2x8x16xf32>
    %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x8x1xf32>) outs(%59 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %61 = tensor.empty() : tensor<2x8x16xf32>
    %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x1x16xf32>) outs(%61 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %63 = tensor.empty() : tensor<2x8x16xf32>
    %64 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %62 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%63 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.mulf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %65 = tensor.empty() : tensor<2x8x16xf32>
    %66 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %64 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%65 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.mulf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %expanded_9 = tensor.expand_shape %arg13 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %67 = tensor.empty() : tensor<2x8x16xf32>
    %68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x1x16xf32>) outs(%67 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %69 = tensor.empty() : tensor<2x8x16xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %68 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%69 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_10 = tensor.collapse_shape %70 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %collapsed_11 = tensor.collapse_shape %arg5 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %71 = tensor.empty() : tensor<16x16xf32>
    %72 = linalg.fill ins(%cst_4 : f32) outs(%71 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %73 = linalg.matmul ins(%collapsed_10, %collapsed_11 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%72 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_12 = tensor.expand_shape %73 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_13 = tensor.expand_shape %arg4 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %74 = tensor.empty() : tensor<2x8x2x8xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x1x2x8xf32>) outs(%74 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %76 = tensor.empty() : tensor<2x8x2x8xf32>
    %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12, %75 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%76 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_14 = tensor.collapse_shape %arg1 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %78 = tensor.empty() : tensor<16x16xf32>
    %79 = linalg.fill ins(%cst_4 : f32) outs(%78 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %80 = linalg.matmul ins(%collapsed_10, %collapsed_14 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%79 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_15 = tensor.expand_shape %80 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_16 = tensor.expand_shape %arg0 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %81 = tensor.empty() : tensor<2x8x2x8xf32>
    %82 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x1x2x8xf32>) outs(%81 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %83 = tensor.empty() : tensor<2x8x2x8xf32>
    %84 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %82 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%83 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_17 = tensor.collapse_shape %arg7 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %85 = tensor.empty() : tensor<16x16xf32>
    %86 = linalg.fill ins(%cst_4 : f32) outs(%85 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %87 = linalg.matmul ins(%collapsed_10, %collapsed_17 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%86 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_18 = tensor.expand_shape %87 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_19 = tensor.expand_shape %arg6 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %88 = tensor.empty() : tensor<2x8x2x8xf32>
    %89 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x1x2x8xf32>) outs(%88 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %90 = tensor.empty() : tensor<2x8x2x8xf32>
    %91 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18, %89 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%90 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x2x8xf32>
    %92 = tensor.empty() : tensor<2x1x8x8xi1>
    %93 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x1x8x8xf32>) outs(%92 : tensor<2x1x8x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %183 = arith.cmpf une, %in, %cst_4 : f32
      linalg.yield %183 : i1
    } -> tensor<2x1x8x8xi1>
    %expanded_20 = tensor.expand_shape %77 [[0], [1], [2], [3, 4]] output_shape [2, 8, 2, 1, 8] : tensor<2x8x2x8xf32> into tensor<2x8x2x1x8xf32>
    %94 = tensor.empty() : tensor<2x1x1x8x8xi1>
    %95 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%93 : tensor<2x1x8x8xi1>) outs(%94 : tensor<2x1x1x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x1x1x8x8xi1>
    %96 = tensor.empty() : tensor<2x2x8x1x8xf32>
    %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x8x2x1x8xf32>) outs(%96 : tensor<2x2x8x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x1x8xf32>
    %98 = tensor.empty() : tensor<2x2x8x8xf32>
    %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84 : tensor<2x8x2x8xf32>) outs(%98 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_21 = tensor.collapse_shape %97 [[0, 1], [2], [3, 4]] : tensor<2x2x8x1x8xf32> into tensor<4x8x8xf32>
    %collapsed_22 = tensor.collapse_shape %99 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %100 = tensor.empty() : tensor<4x8x8xf32>
    %101 = linalg.fill ins(%cst_4 : f32) outs(%100 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %102 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%101 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_23 = tensor.expand_shape %102 [[0, 1], [2], [3, 4]] output_shape [2, 2, 8, 1, 8] : tensor<4x8x8xf32> into tensor<2x2x8x1x8xf32>
    %103 = tensor.empty() : tensor<2x2x8x1x8xf32>
    %104 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<2x2x8x1x8xf32>) outs(%103 : tensor<2x2x8x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.mulf %in, %cst_1 : f32
      linalg.yield %183 : f32
    } -> tensor<2x2x8x1x8xf32>
    %collapsed_24 = tensor.collapse_shape %95 [[0, 1, 2, 3, 4]] : tensor<2x1x1x8x8xi1> into tensor<128xi1>
    %expanded_25 = tensor.expand_shape %collapsed_24 [[0, 1, 2, 3, 4]] output_shape [1, 2, 1, 8, 8] : tensor<128xi1> into tensor<1x2x1x8x8xi1>
    %105 = tensor.empty() : tensor<1x2x2x8x8xi1>
    %106 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x2x1x8x8xi1>) outs(%105 : tensor<1x2x2x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x2x8x8xi1>
    %collapsed_26 = tensor.collapse_shape %104 [[0, 1, 2, 3, 4]] : tensor<2x2x8x1x8xf32> into tensor<256xf32>
    %expanded_27 = tensor.expand_shape %collapsed_26 [[0, 1, 2, 3, 4]] output_shape [1, 2, 2, 8, 8] : tensor<256xf32> into tensor<1x2x2x8x8xf32>
    %107 = tensor.empty() : tensor<1x2x2x8x8xf32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%106, %expanded_27 : tensor<1x2x2x8x8xi1>, tensor<1x2x2x8x8xf32>) outs(%107 : tensor<1x2x2x8x8xf32>) {
    ^bb0(%in: i1, %in_45: f32, %out: f32):
      %183 = arith.select %in, %in_45, %cst_0 : f32
      linalg.yield %183 : f32
    } -> tensor<1x2x2x8x8xf32>
    %109 = tensor.empty() : tensor<1x2x2x8xf32>
    %110 = linalg.fill ins(%cst : f32) outs(%109 : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %111 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%108 : tensor<1x2x2x8x8xf32>) outs(%110 : tensor<1x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.maximumf %out, %in : f32
      linalg.yield %183 : f32
    } -> tensor<1x2x2x8xf32>
    %112 = tensor.empty() : tensor<1x2x2x8x8xf32>
    %113 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%111 : tensor<1x2x2x8xf32>) outs(%112 : tensor<1x2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x8x8xf32>
    %114 = tensor.empty() : tensor<1x2x2x8x8xf32>
    %115 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%108, %113 : tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) outs(%114 : tensor<1x2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.subf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<1x2x2x8x8xf32>
    %116 = tensor.empty() : tensor<1x2x2x8x8xf32>
    %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%115 : tensor<1x2x2x8x8xf32>) outs(%116 : tensor<1x2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = math.exp %in : f32
      linalg.yield %183 : f32
    } -> tensor<1x2x2x8x8xf32>
    %118 = tensor.empty() : tensor<1x2x2x8xf32>
    %119 = linalg.fill ins(%cst_4 : f32) outs(%118 : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %120 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%117 : tensor<1x2x2x8x8xf32>) outs(%119 : tensor<1x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.addf %out, %in : f32
      linalg.yield %183 : f32
    } -> tensor<1x2x2x8xf32>
    %121 = tensor.empty() : tensor<1x2x2x8x8xf32>
    %122 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%120 : tensor<1x2x2x8xf32>) outs(%121 : tensor<1x2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x8x8xf32>
    %123 = tensor.empty() : tensor<1x2x2x8x8xf32>
    %124 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%117, %122 : tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) outs(%123 : tensor<1x2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.divf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<1x2x2x8x8xf32>
    %125 = tensor.empty() : tensor<2x2x8x8xf32>
    %126 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<2x8x2x8xf32>) outs(%125 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %127 = tensor.empty() : tensor<2x2x8x1x8xf32>
    %128 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%124 : tensor<1x2x2x8x8xf32>) outs(%127 : tensor<2x2x8x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x1x8xf32>
    %collapsed_28 = tensor.collapse_shape %126 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_29 = tensor.collapse_shape %128 [[0, 1], [2], [3, 4]] : tensor<2x2x8x1x8xf32> into tensor<4x8x8xf32>
    %129 = tensor.empty() : tensor<4x8x8xf32>
    %130 = linalg.fill ins(%cst_4 : f32) outs(%129 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %131 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%130 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_30 = tensor.expand_shape %131 [[0, 1], [2], [3, 4]] output_shape [2, 2, 8, 1, 8] : tensor<4x8x8xf32> into tensor<2x2x8x1x8xf32>
    %132 = tensor.empty() : tensor<1x2x8x2x8xf32>
    %133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<2x2x8x1x8xf32>) outs(%132 : tensor<1x2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x2x8xf32>
    %collapsed_31 = tensor.collapse_shape %133 [[0, 1, 2], [3, 4]] : tensor<1x2x8x2x8xf32> into tensor<16x16xf32>
    %collapsed_32 = tensor.collapse_shape %arg3 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %134 = tensor.empty() : tensor<16x16xf32>
    %135 = linalg.fill ins(%cst_4 : f32) outs(%134 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %136 = linalg.matmul ins(%collapsed_31, %collapsed_32 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%135 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_33 = tensor.expand_shape %136 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %expanded_34 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %137 = tensor.empty() : tensor<2x8x16xf32>
    %138 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<1x1x16xf32>) outs(%137 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %139 = tensor.empty() : tensor<2x8x16xf32>
    %140 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33, %138 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%139 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %141 = tensor.empty() : tensor<2x8x16xf32>
    %142 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %140 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%141 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %143 = tensor.empty() : tensor<2x8x16xf32>
    %144 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x8x16xf32>) outs(%143 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.mulf %in, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %145 = tensor.empty() : tensor<2x8xf32>
    %146 = linalg.fill ins(%cst_4 : f32) outs(%145 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %147 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%144 : tensor<2x8x16xf32>) outs(%146 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.addf %out, %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %148 = tensor.empty() : tensor<2x8xf32>
    %149 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%147 : tensor<2x8xf32>) outs(%148 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.divf %in, %cst_3 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8xf32>
    %expanded_35 = tensor.expand_shape %149 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %150 = tensor.empty() : tensor<2x8x1xf32>
    %151 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x8x1xf32>) outs(%150 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.addf %in, %cst_2 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x1xf32>
    %152 = tensor.empty() : tensor<2x8x1xf32>
    %153 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<2x8x1xf32>) outs(%152 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = math.rsqrt %in : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x1xf32>
    %expanded_36 = tensor.expand_shape %arg15 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %154 = tensor.empty() : tensor<2x8x16xf32>
    %155 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<2x8x1xf32>) outs(%154 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %156 = tensor.empty() : tensor<2x8x16xf32>
    %157 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<1x1x16xf32>) outs(%156 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %158 = tensor.empty() : tensor<2x8x16xf32>
    %159 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %157 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%158 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.mulf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %160 = tensor.empty() : tensor<2x8x16xf32>
    %161 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %159 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%160 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.mulf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_37 = tensor.collapse_shape %161 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %162 = tensor.empty() : tensor<16x32xf32>
    %163 = linalg.fill ins(%cst_4 : f32) outs(%162 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %164 = linalg.matmul ins(%collapsed_37, %arg9 : tensor<16x16xf32>, tensor<16x32xf32>) outs(%163 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_38 = tensor.expand_shape %164 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %expanded_39 = tensor.expand_shape %arg8 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xf32> into tensor<1x1x32xf32>
    %165 = tensor.empty() : tensor<2x8x32xf32>
    %166 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x1x32xf32>) outs(%165 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %167 = tensor.empty() : tensor<2x8x32xf32>
    %168 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38, %166 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%167 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x32xf32>
    %169 = tensor.empty() : tensor<2x8x32xf32>
    %170 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<2x8x32xf32>) outs(%169 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %183 = arith.maximumf %in, %cst_4 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_40 = tensor.collapse_shape %170 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %171 = tensor.empty() : tensor<16x16xf32>
    %172 = linalg.fill ins(%cst_4 : f32) outs(%171 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %173 = linalg.matmul ins(%collapsed_40, %arg11 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%172 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_41 = tensor.expand_shape %173 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %expanded_42 = tensor.expand_shape %arg10 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %174 = tensor.empty() : tensor<2x8x16xf32>
    %175 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42 : tensor<1x1x16xf32>) outs(%174 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %176 = tensor.empty() : tensor<2x8x16xf32>
    %177 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_41, %175 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%176 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %178 = tensor.empty() : tensor<2x8x16xf32>
    %179 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %177 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%178 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %183 = arith.addf %in, %in_45 : f32
      linalg.yield %183 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_43 = tensor.collapse_shape %179 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %180 = tensor.empty() : tensor<16x48xf32>
    %181 = linalg.fill ins(%cst_4 : f32) outs(%180 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %182 = linalg.matmul ins(%collapsed_43, %arg12 : tensor<16x16xf32>, tensor<16x48xf32>) outs(%181 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %expanded_44 = tensor.expand_shape %182 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
    func.return %expanded_44 : tensor<2x8x48xf32>
  }
}