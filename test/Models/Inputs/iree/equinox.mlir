module @jit_flat {
  func.func public @main(%arg0: tensor<48x16xf32> {te.param = "tokens.weight"}, %arg1: tensor<16x16xf32> {te.param = "attention.query_proj.weight"}, %arg2: tensor<16x16xf32> {te.param = "attention.key_proj.weight"}, %arg3: tensor<16x16xf32> {te.param = "attention.value_proj.weight"}, %arg4: tensor<16x16xf32> {te.param = "attention.output_proj.weight"}, %arg5: tensor<16xf32> {te.param = "norm.weight"}, %arg6: tensor<16xf32> {te.param = "norm.bias"}, %arg7: tensor<32x16xf32> {te.param = "mlp.layers.0.weight"}, %arg8: tensor<32xf32> {te.param = "mlp.layers.0.bias"}, %arg9: tensor<16x32xf32> {te.param = "mlp.layers.1.weight"}, %arg10: tensor<16xf32> {te.param = "mlp.layers.1.bias"}, %arg11: tensor<48x16xf32> {te.param = "head.weight"}, %arg12: tensor<48xf32> {te.param = "head.bias"}, %arg13: tensor<2x8xi32> {te.input = "ids"}) -> (tensor<2x8x48xf32> {te.output = "logits"}) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant -3.40282347E+38 : f32
    %cst_2 = arith.constant 2.82842708 : f32
    %cst_3 = arith.constant 9.99999974E-6 : f32
    %cst_4 = arith.constant 0x7FC00000 : f32
    %cst_5 = arith.constant 1.600000e+01 : f32
    %cst_6 = arith.constant 0.000000e+00 : f32
    %c47 = arith.constant 47 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c48_i32 = arith.constant 48 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_7 = arith.constant dense<0> : tensor<2x8x1xi32>
    %0 = tensor.empty() : tensor<2x8xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<2x8xi32>) outs(%0 : tensor<2x8xi1>) {
    ^bb0(%in: i32, %out: i1):
      %166 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %166 : i1
    } -> tensor<2x8xi1>
    %2 = tensor.empty() : tensor<2x8xi32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<2x8xi32>) outs(%2 : tensor<2x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %166 = arith.addi %in, %c48_i32 : i32
      linalg.yield %166 : i32
    } -> tensor<2x8xi32>
    %4 = tensor.empty() : tensor<2x8xi32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg13 : tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) outs(%4 : tensor<2x8xi32>) {
    ^bb0(%in: i1, %in_33: i32, %in_34: i32, %out: i32):
      %166 = arith.select %in, %in_33, %in_34 : i32
      linalg.yield %166 : i32
    } -> tensor<2x8xi32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi32> into tensor<2x8x1xi32>
    %6 = tensor.empty() : tensor<2x8x2xi32>
    %inserted_slice = tensor.insert_slice %expanded into %6[0, 0, 0] [2, 8, 1] [1, 1, 1] : tensor<2x8x1xi32> into tensor<2x8x2xi32>
    %inserted_slice_8 = tensor.insert_slice %cst_7 into %inserted_slice[0, 0, 1] [2, 8, 1] [1, 1, 1] : tensor<2x8x1xi32> into tensor<2x8x2xi32>
    %7 = tensor.empty() : tensor<2x8x1x16xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%7 : tensor<2x8x1x16xf32>) {
    ^bb0(%out: f32):
      %166 = linalg.index 0 : index
      %167 = linalg.index 1 : index
      %168 = linalg.index 3 : index
      %extracted_33 = tensor.extract %inserted_slice_8[%166, %167, %c0] : tensor<2x8x2xi32>
      %169 = arith.index_cast %extracted_33 : i32 to index
      %extracted_34 = tensor.extract %inserted_slice_8[%166, %167, %c1] : tensor<2x8x2xi32>
      %170 = arith.index_cast %extracted_34 : i32 to index
      %171 = arith.maxsi %169, %c0 : index
      %172 = arith.minsi %171, %c47 : index
      %173 = arith.maxsi %170, %c0 : index
      %174 = arith.minsi %173, %c0 : index
      %175 = arith.addi %174, %168 : index
      %extracted_35 = tensor.extract %arg0[%172, %175] : tensor<48x16xf32>
      linalg.yield %extracted_35 : f32
    } -> tensor<2x8x1x16xf32>
    %collapsed = tensor.collapse_shape %8 [[0], [1], [2, 3]] : tensor<2x8x1x16xf32> into tensor<2x8x16xf32>
    %9 = tensor.empty() : tensor<8x8xi32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %166 = linalg.index 0 : index
      %167 = arith.index_cast %166 : index to i32
      linalg.yield %167 : i32
    } -> tensor<8x8xi32>
    %11 = tensor.empty() : tensor<8x8xi32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%11 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %166 = linalg.index 1 : index
      %167 = arith.index_cast %166 : index to i32
      linalg.yield %167 : i32
    } -> tensor<8x8xi32>
    %13 = tensor.empty() : tensor<8x8xi1>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%13 : tensor<8x8xi1>) {
    ^bb0(%in: i32, %in_33: i32, %out: i1):
      %166 = arith.cmpi sge, %in, %in_33 : i32
      linalg.yield %166 : i1
    } -> tensor<8x8xi1>
    %15 = tensor.empty() : tensor<2x8xf32>
    %16 = linalg.fill ins(%cst_6 : f32) outs(%15 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed : tensor<2x8x16xf32>) outs(%16 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %out, %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x8xf32>
    %expanded_9 = tensor.expand_shape %17 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %18 = tensor.empty() : tensor<2x8x1xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.divf %in, %cst_5 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x1xf32>
    %20 = tensor.empty() : tensor<2x8x16xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x8x1xf32>) outs(%20 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %22 = tensor.empty() : tensor<2x8x16xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed, %21 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%22 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.subf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %24 = tensor.empty() : tensor<2x8x16xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x8x16xf32>) outs(%24 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.mulf %in, %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %26 = tensor.empty() : tensor<f32>
    %27 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%26 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_6 : f32
    } -> tensor<f32>
    %28 = tensor.empty() : tensor<f32>
    %29 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%27 : tensor<f32>) outs(%28 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.subf %cst_5, %in : f32
      linalg.yield %166 : f32
    } -> tensor<f32>
    %30 = tensor.empty() : tensor<2x8xf32>
    %31 = linalg.fill ins(%cst_6 : f32) outs(%30 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%25 : tensor<2x8x16xf32>) outs(%31 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %out, %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x8xf32>
    %expanded_10 = tensor.expand_shape %32 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %33 = tensor.empty() : tensor<2x8x1xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<f32>) outs(%33 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x1xf32>
    %35 = tensor.empty() : tensor<2x8x1xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_10, %34 : tensor<2x8x1xf32>, tensor<2x8x1xf32>) outs(%35 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.divf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x1xf32>
    %37 = tensor.empty() : tensor<i1>
    %38 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%29 : tensor<f32>) outs(%37 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %166 = arith.cmpf ogt, %in, %cst_6 : f32
      linalg.yield %166 : i1
    } -> tensor<i1>
    %39 = tensor.empty() : tensor<2x8x1xf32>
    %extracted = tensor.extract %38[] : tensor<i1>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<2x8x1xf32>) outs(%39 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.select %extracted, %in, %cst_4 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x1xf32>
    %41 = tensor.empty() : tensor<2x8x1xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<2x8x1xf32>) outs(%41 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.maximumf %in, %cst_6 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x1xf32>
    %43 = tensor.empty() : tensor<2x8x1xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<2x8x1xf32>) outs(%43 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %cst_3 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x1xf32>
    %45 = tensor.empty() : tensor<2x8x1xf32>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<2x8x1xf32>) outs(%45 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = math.rsqrt %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x1xf32>
    %47 = tensor.empty() : tensor<2x8x16xf32>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<2x8x1xf32>) outs(%47 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %49 = tensor.empty() : tensor<2x8x16xf32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %48 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%49 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.mulf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %51 = tensor.empty() : tensor<2x8x16xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<16xf32>) outs(%51 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %53 = tensor.empty() : tensor<2x8x16xf32>
    %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %50 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%53 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.mulf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %55 = tensor.empty() : tensor<2x8x16xf32>
    %56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<16xf32>) outs(%55 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %57 = tensor.empty() : tensor<2x8x16xf32>
    %58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %56 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%57 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.addf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %59 = tensor.empty() : tensor<16x2x8xf32>
    %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x8x16xf32>) outs(%59 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %collapsed_11 = tensor.collapse_shape %60 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %61 = tensor.empty() : tensor<16x16xf32>
    %62 = linalg.fill ins(%cst_6 : f32) outs(%61 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %63 = linalg.matmul ins(%arg1, %collapsed_11 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%62 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_12 = tensor.expand_shape %63 [[0], [1, 2]] output_shape [16, 2, 8] : tensor<16x16xf32> into tensor<16x2x8xf32>
    %64 = tensor.empty() : tensor<2x8x16xf32>
    %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<16x2x8xf32>) outs(%64 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %expanded_13 = tensor.expand_shape %65 [[0], [1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<2x8x16xf32> into tensor<2x8x2x8xf32>
    %66 = tensor.empty() : tensor<16x16xf32>
    %67 = linalg.fill ins(%cst_6 : f32) outs(%66 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %68 = linalg.matmul ins(%arg2, %collapsed_11 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%67 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_14 = tensor.expand_shape %68 [[0], [1, 2]] output_shape [16, 2, 8] : tensor<16x16xf32> into tensor<16x2x8xf32>
    %69 = tensor.empty() : tensor<2x8x16xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<16x2x8xf32>) outs(%69 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %expanded_15 = tensor.expand_shape %70 [[0], [1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<2x8x16xf32> into tensor<2x8x2x8xf32>
    %71 = tensor.empty() : tensor<16x16xf32>
    %72 = linalg.fill ins(%cst_6 : f32) outs(%71 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %73 = linalg.matmul ins(%arg3, %collapsed_11 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%72 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_16 = tensor.expand_shape %73 [[0], [1, 2]] output_shape [16, 2, 8] : tensor<16x16xf32> into tensor<16x2x8xf32>
    %74 = tensor.empty() : tensor<2x8x16xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<16x2x8xf32>) outs(%74 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %expanded_17 = tensor.expand_shape %75 [[0], [1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<2x8x16xf32> into tensor<2x8x2x8xf32>
    %76 = tensor.empty() : tensor<2x8x2x8xf32>
    %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<2x8x2x8xf32>) outs(%76 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.divf %in, %cst_2 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x2x8xf32>
    %78 = tensor.empty() : tensor<2x2x8x8xf32>
    %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<2x8x2x8xf32>) outs(%78 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %80 = tensor.empty() : tensor<2x2x8x8xf32>
    %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<2x8x2x8xf32>) outs(%80 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_18 = tensor.collapse_shape %79 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_19 = tensor.collapse_shape %81 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %82 = tensor.empty() : tensor<4x8x8xf32>
    %83 = linalg.fill ins(%cst_6 : f32) outs(%82 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %84 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%83 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_20 = tensor.expand_shape %84 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %85 = tensor.empty() : tensor<2x2x8x8xi1>
    %86 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<8x8xi1>) outs(%85 : tensor<2x2x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x8x8xi1>
    %87 = tensor.empty() : tensor<2x2x8x8xf32>
    %88 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %expanded_20 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>) outs(%87 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: i1, %in_33: f32, %out: f32):
      %166 = arith.select %in, %in_33, %cst_1 : f32
      linalg.yield %166 : f32
    } -> tensor<2x2x8x8xf32>
    %89 = tensor.empty() : tensor<2x2x8xf32>
    %90 = linalg.fill ins(%cst_0 : f32) outs(%89 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %91 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88 : tensor<2x2x8x8xf32>) outs(%90 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.maximumf %out, %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x2x8xf32>
    %92 = tensor.empty() : tensor<2x2x8x8xf32>
    %93 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<2x2x8xf32>) outs(%92 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %94 = tensor.empty() : tensor<2x2x8x8xf32>
    %95 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %93 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%94 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.subf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x2x8x8xf32>
    %96 = tensor.empty() : tensor<2x2x8x8xf32>
    %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95 : tensor<2x2x8x8xf32>) outs(%96 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = math.exp %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x2x8x8xf32>
    %98 = tensor.empty() : tensor<2x2x8xf32>
    %99 = linalg.fill ins(%cst_6 : f32) outs(%98 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%97 : tensor<2x2x8x8xf32>) outs(%99 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %out, %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x2x8xf32>
    %101 = tensor.empty() : tensor<2x2x8x8xf32>
    %102 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100 : tensor<2x2x8xf32>) outs(%101 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %103 = tensor.empty() : tensor<2x2x8x8xf32>
    %104 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %102 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%103 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.divf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x2x8x8xf32>
    %105 = tensor.empty() : tensor<2x2x8x8xf32>
    %106 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<2x8x2x8xf32>) outs(%105 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_21 = tensor.collapse_shape %104 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_22 = tensor.collapse_shape %106 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %107 = tensor.empty() : tensor<4x8x8xf32>
    %108 = linalg.fill ins(%cst_6 : f32) outs(%107 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %109 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%108 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_23 = tensor.expand_shape %109 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %110 = tensor.empty() : tensor<2x8x2x8xf32>
    %111 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<2x2x8x8xf32>) outs(%110 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_24 = tensor.collapse_shape %111 [[0], [1], [2, 3]] : tensor<2x8x2x8xf32> into tensor<2x8x16xf32>
    %112 = tensor.empty() : tensor<16x2x8xf32>
    %113 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_24 : tensor<2x8x16xf32>) outs(%112 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %collapsed_25 = tensor.collapse_shape %113 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %114 = tensor.empty() : tensor<16x16xf32>
    %115 = linalg.fill ins(%cst_6 : f32) outs(%114 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %116 = linalg.matmul ins(%arg4, %collapsed_25 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%115 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_26 = tensor.expand_shape %116 [[0], [1, 2]] output_shape [16, 2, 8] : tensor<16x16xf32> into tensor<16x2x8xf32>
    %117 = tensor.empty() : tensor<2x8x16xf32>
    %118 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<16x2x8xf32>) outs(%117 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %119 = tensor.empty() : tensor<2x8x16xf32>
    %120 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed, %118 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%119 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.addf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %121 = tensor.empty() : tensor<16x2x8xf32>
    %122 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<2x8x16xf32>) outs(%121 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %collapsed_27 = tensor.collapse_shape %122 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %123 = tensor.empty() : tensor<32x16xf32>
    %124 = linalg.fill ins(%cst_6 : f32) outs(%123 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %125 = linalg.matmul ins(%arg7, %collapsed_27 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%124 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_28 = tensor.expand_shape %125 [[0], [1, 2]] output_shape [32, 2, 8] : tensor<32x16xf32> into tensor<32x2x8xf32>
    %126 = tensor.empty() : tensor<2x8x32xf32>
    %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<32x2x8xf32>) outs(%126 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %128 = tensor.empty() : tensor<2x8x32xf32>
    %129 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<32xf32>) outs(%128 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %130 = tensor.empty() : tensor<2x8x32xf32>
    %131 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %129 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%130 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.addf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x32xf32>
    %132 = tensor.empty() : tensor<2x8x32xf32>
    %133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<2x8x32xf32>) outs(%132 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.negf %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x32xf32>
    %134 = tensor.empty() : tensor<2x8x32xf32>
    %135 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x8x32xf32>) outs(%134 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = math.exp %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x32xf32>
    %136 = tensor.empty() : tensor<2x8x32xf32>
    %137 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<2x8x32xf32>) outs(%136 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %cst : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x32xf32>
    %138 = tensor.empty() : tensor<2x8x32xf32>
    %139 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137 : tensor<2x8x32xf32>) outs(%138 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.divf %cst, %in : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x32xf32>
    %140 = tensor.empty() : tensor<2x8x32xf32>
    %141 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %139 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%140 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.mulf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x32xf32>
    %142 = tensor.empty() : tensor<32x2x8xf32>
    %143 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x8x32xf32>) outs(%142 : tensor<32x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x2x8xf32>
    %collapsed_29 = tensor.collapse_shape %143 [[0], [1, 2]] : tensor<32x2x8xf32> into tensor<32x16xf32>
    %144 = tensor.empty() : tensor<16x16xf32>
    %145 = linalg.fill ins(%cst_6 : f32) outs(%144 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %146 = linalg.matmul ins(%arg9, %collapsed_29 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%145 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_30 = tensor.expand_shape %146 [[0], [1, 2]] output_shape [16, 2, 8] : tensor<16x16xf32> into tensor<16x2x8xf32>
    %147 = tensor.empty() : tensor<2x8x16xf32>
    %148 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<16x2x8xf32>) outs(%147 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %149 = tensor.empty() : tensor<2x8x16xf32>
    %150 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<16xf32>) outs(%149 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %151 = tensor.empty() : tensor<2x8x16xf32>
    %152 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %150 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%151 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.addf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %153 = tensor.empty() : tensor<2x8x16xf32>
    %154 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %152 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%153 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.addf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x16xf32>
    %155 = tensor.empty() : tensor<16x2x8xf32>
    %156 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x8x16xf32>) outs(%155 : tensor<16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x2x8xf32>
    %collapsed_31 = tensor.collapse_shape %156 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %157 = tensor.empty() : tensor<48x16xf32>
    %158 = linalg.fill ins(%cst_6 : f32) outs(%157 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %159 = linalg.matmul ins(%arg11, %collapsed_31 : tensor<48x16xf32>, tensor<16x16xf32>) outs(%158 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %expanded_32 = tensor.expand_shape %159 [[0], [1, 2]] output_shape [48, 2, 8] : tensor<48x16xf32> into tensor<48x2x8xf32>
    %160 = tensor.empty() : tensor<2x8x48xf32>
    %161 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<48x2x8xf32>) outs(%160 : tensor<2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x48xf32>
    %162 = tensor.empty() : tensor<2x8x48xf32>
    %163 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<48xf32>) outs(%162 : tensor<2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x48xf32>
    %164 = tensor.empty() : tensor<2x8x48xf32>
    %165 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %163 : tensor<2x8x48xf32>, tensor<2x8x48xf32>) outs(%164 : tensor<2x8x48xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %166 = arith.addf %in, %in_33 : f32
      linalg.yield %166 : f32
    } -> tensor<2x8x48xf32>
    func.return %165 : tensor<2x8x48xf32>
  }
}