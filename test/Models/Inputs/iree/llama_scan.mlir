module @jit_flat {
  func.func public @main(%arg0: tensor<16x48xf32> {te.param = "head"}, %arg1: tensor<3x32x16xf32> {te.param = "layers.down"}, %arg2: tensor<3x16x32xf32> {te.param = "layers.gate"}, %arg3: tensor<3x16x8xf32> {te.param = "layers.k"}, %arg4: tensor<3x16xf32> {te.param = "layers.norm_1"}, %arg5: tensor<3x16xf32> {te.param = "layers.norm_2"}, %arg6: tensor<3x16x16xf32> {te.param = "layers.o"}, %arg7: tensor<3x16x16xf32> {te.param = "layers.q"}, %arg8: tensor<3x16x32xf32> {te.param = "layers.up"}, %arg9: tensor<3x16x8xf32> {te.param = "layers.v"}, %arg10: tensor<16xf32> {te.param = "norm"}, %arg11: tensor<48x16xf32> {te.param = "tokens"}, %arg12: tensor<2x8xi32> {te.input = "ids"}) -> (tensor<2x8x48xf32> {te.output = "logits"}) {
    %cst = arith.constant 2.560000e+02 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 0.353553385 : f32
    %cst_3 = arith.constant 1.000000e+02 : f32
    %cst_4 = arith.constant 8.000000e+00 : f32
    %c2_i32 = arith.constant 2 : i32
    %cst_5 = arith.constant 9.99999997E-7 : f32
    %cst_6 = arith.constant 1.600000e+01 : f32
    %cst_7 = arith.constant 0.000000e+00 : f32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c48_i32 = arith.constant 48 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<3xf32>
    %0 = tensor.empty() : tensor<2x8xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg12 : tensor<2x8xi32>) outs(%0 : tensor<2x8xi1>) {
    ^bb0(%in: i32, %out: i1):
      %31 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %31 : i1
    } -> tensor<2x8xi1>
    %2 = tensor.empty() : tensor<2x8xi32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg12 : tensor<2x8xi32>) outs(%2 : tensor<2x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %31 = arith.addi %in, %c48_i32 : i32
      linalg.yield %31 : i32
    } -> tensor<2x8xi32>
    %4 = tensor.empty() : tensor<2x8xi32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg12 : tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) outs(%4 : tensor<2x8xi32>) {
    ^bb0(%in: i1, %in_12: i32, %in_13: i32, %out: i32):
      %31 = arith.select %in, %in_12, %in_13 : i32
      linalg.yield %31 : i32
    } -> tensor<2x8xi32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi32> into tensor<2x8x1xi32>
    %6 = tensor.empty() : tensor<2x8x1x16xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%6 : tensor<2x8x1x16xf32>) {
    ^bb0(%in: i32, %out: f32):
      %31 = arith.index_cast %in : i32 to index
      %32 = linalg.index 3 : index
      %extracted = tensor.extract %arg11[%31, %32] : tensor<48x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x1x16xf32>
    %collapsed = tensor.collapse_shape %7 [[0], [1], [2, 3]] : tensor<2x8x1x16xf32> into tensor<2x8x16xf32>
    %8:2 = scf.for %arg13 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg14 = %collapsed, %arg15 = %cst_8) -> (tensor<2x8x16xf32>, tensor<3xf32>)  : i32 {
      %31 = arith.index_cast %arg13 : i32 to index
      %32 = arith.maxsi %31, %c0 : index
      %33 = arith.minsi %32, %c2 : index
      %extracted_slice = tensor.extract_slice %arg1[%33, 0, 0] [1, 32, 16] [1, 1, 1] : tensor<3x32x16xf32> to tensor<1x32x16xf32>
      %collapsed_12 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
      %34 = arith.index_cast %arg13 : i32 to index
      %35 = arith.maxsi %34, %c0 : index
      %36 = arith.minsi %35, %c2 : index
      %extracted_slice_13 = tensor.extract_slice %arg2[%36, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<3x16x32xf32> to tensor<1x16x32xf32>
      %collapsed_14 = tensor.collapse_shape %extracted_slice_13 [[0, 1], [2]] : tensor<1x16x32xf32> into tensor<16x32xf32>
      %37 = arith.index_cast %arg13 : i32 to index
      %38 = arith.maxsi %37, %c0 : index
      %39 = arith.minsi %38, %c2 : index
      %extracted_slice_15 = tensor.extract_slice %arg3[%39, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<3x16x8xf32> to tensor<1x16x8xf32>
      %collapsed_16 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2]] : tensor<1x16x8xf32> into tensor<16x8xf32>
      %40 = arith.index_cast %arg13 : i32 to index
      %41 = arith.maxsi %40, %c0 : index
      %42 = arith.minsi %41, %c2 : index
      %extracted_slice_17 = tensor.extract_slice %arg4[%42, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<1x16xf32>
      %collapsed_18 = tensor.collapse_shape %extracted_slice_17 [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
      %43 = arith.index_cast %arg13 : i32 to index
      %44 = arith.maxsi %43, %c0 : index
      %45 = arith.minsi %44, %c2 : index
      %extracted_slice_19 = tensor.extract_slice %arg5[%45, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<1x16xf32>
      %collapsed_20 = tensor.collapse_shape %extracted_slice_19 [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
      %46 = arith.index_cast %arg13 : i32 to index
      %47 = arith.maxsi %46, %c0 : index
      %48 = arith.minsi %47, %c2 : index
      %extracted_slice_21 = tensor.extract_slice %arg6[%48, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<3x16x16xf32> to tensor<1x16x16xf32>
      %collapsed_22 = tensor.collapse_shape %extracted_slice_21 [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
      %49 = arith.index_cast %arg13 : i32 to index
      %50 = arith.maxsi %49, %c0 : index
      %51 = arith.minsi %50, %c2 : index
      %extracted_slice_23 = tensor.extract_slice %arg7[%51, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<3x16x16xf32> to tensor<1x16x16xf32>
      %collapsed_24 = tensor.collapse_shape %extracted_slice_23 [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
      %52 = arith.index_cast %arg13 : i32 to index
      %53 = arith.maxsi %52, %c0 : index
      %54 = arith.minsi %53, %c2 : index
      %extracted_slice_25 = tensor.extract_slice %arg8[%54, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<3x16x32xf32> to tensor<1x16x32xf32>
      %collapsed_26 = tensor.collapse_shape %extracted_slice_25 [[0, 1], [2]] : tensor<1x16x32xf32> into tensor<16x32xf32>
      %55 = arith.index_cast %arg13 : i32 to index
      %56 = arith.maxsi %55, %c0 : index
      %57 = arith.minsi %56, %c2 : index
      %extracted_slice_27 = tensor.extract_slice %arg9[%57, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<3x16x8xf32> to tensor<1x16x8xf32>
      %collapsed_28 = tensor.collapse_shape %extracted_slice_27 [[0, 1], [2]] : tensor<1x16x8xf32> into tensor<16x8xf32>
      %58 = tensor.empty() : tensor<2x8x16xf32>
      %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14 : tensor<2x8x16xf32>) outs(%58 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.mulf %in, %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %60 = tensor.empty() : tensor<2x8xf32>
      %61 = linalg.fill ins(%cst_7 : f32) outs(%60 : tensor<2x8xf32>) -> tensor<2x8xf32>
      %62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<2x8x16xf32>) outs(%61 : tensor<2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.addf %out, %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8xf32>
      %expanded_29 = tensor.expand_shape %62 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
      %63 = tensor.empty() : tensor<2x8x1xf32>
      %64 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x8x1xf32>) outs(%63 : tensor<2x8x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.divf %in, %cst_6 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1xf32>
      %65 = tensor.empty() : tensor<2x8x1xf32>
      %66 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x8x1xf32>) outs(%65 : tensor<2x8x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.addf %in, %cst_5 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1xf32>
      %67 = tensor.empty() : tensor<2x8x1xf32>
      %68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x8x1xf32>) outs(%67 : tensor<2x8x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = math.rsqrt %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1xf32>
      %69 = tensor.empty() : tensor<2x8x16xf32>
      %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x8x1xf32>) outs(%69 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x16xf32>
      %71 = tensor.empty() : tensor<2x8x16xf32>
      %72 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14, %70 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%71 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %73 = tensor.empty() : tensor<2x8x16xf32>
      %74 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_18 : tensor<16xf32>) outs(%73 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x16xf32>
      %75 = tensor.empty() : tensor<2x8x16xf32>
      %76 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %74 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%75 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %collapsed_30 = tensor.collapse_shape %76 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
      %77 = tensor.empty() : tensor<16x16xf32>
      %78 = linalg.fill ins(%cst_7 : f32) outs(%77 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %79 = linalg.matmul ins(%collapsed_30, %collapsed_24 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%78 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %expanded_31 = tensor.expand_shape %79 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
      %80 = tensor.empty() : tensor<8xi32>
      %81 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%80 : tensor<8xi32>) {
      ^bb0(%out: i32):
        %243 = linalg.index 0 : index
        %244 = arith.index_cast %243 : index to i32
        linalg.yield %244 : i32
      } -> tensor<8xi32>
      %82 = tensor.empty() : tensor<8xf32>
      %83 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%81 : tensor<8xi32>) outs(%82 : tensor<8xf32>) {
      ^bb0(%in: i32, %out: f32):
        %243 = arith.sitofp %in : i32 to f32
        linalg.yield %243 : f32
      } -> tensor<8xf32>
      %expanded_32 = tensor.expand_shape %83 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
      %84 = tensor.empty() : tensor<4xi32>
      %85 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%84 : tensor<4xi32>) {
      ^bb0(%out: i32):
        %243 = linalg.index 0 : index
        %244 = arith.index_cast %243 : index to i32
        linalg.yield %244 : i32
      } -> tensor<4xi32>
      %86 = tensor.empty() : tensor<4xi32>
      %87 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%85 : tensor<4xi32>) outs(%86 : tensor<4xi32>) {
      ^bb0(%in: i32, %out: i32):
        %243 = arith.muli %in, %c2_i32 : i32
        linalg.yield %243 : i32
      } -> tensor<4xi32>
      %88 = tensor.empty() : tensor<4xi32>
      %89 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%87 : tensor<4xi32>) outs(%88 : tensor<4xi32>) {
      ^bb0(%in: i32, %out: i32):
        %243 = arith.subi %c0_i32, %in : i32
        linalg.yield %243 : i32
      } -> tensor<4xi32>
      %90 = tensor.empty() : tensor<4xf32>
      %91 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%89 : tensor<4xi32>) outs(%90 : tensor<4xf32>) {
      ^bb0(%in: i32, %out: f32):
        %243 = arith.sitofp %in : i32 to f32
        linalg.yield %243 : f32
      } -> tensor<4xf32>
      %92 = tensor.empty() : tensor<4xf32>
      %93 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%91 : tensor<4xf32>) outs(%92 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.divf %in, %cst_4 : f32
        linalg.yield %243 : f32
      } -> tensor<4xf32>
      %94 = tensor.empty() : tensor<4xf32>
      %95 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%93 : tensor<4xf32>) outs(%94 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = math.powf %cst_3, %in : f32
        linalg.yield %243 : f32
      } -> tensor<4xf32>
      %96 = tensor.empty() : tensor<8x4xf32>
      %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_32 : tensor<8x1xf32>) outs(%96 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x4xf32>
      %98 = tensor.empty() : tensor<8x4xf32>
      %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<4xf32>) outs(%98 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x4xf32>
      %100 = tensor.empty() : tensor<8x4xf32>
      %101 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%97, %99 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%100 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<8x4xf32>
      %102 = tensor.empty() : tensor<8x4xf32>
      %103 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%101 : tensor<8x4xf32>) outs(%102 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = math.cos %in : f32
        linalg.yield %243 : f32
      } -> tensor<8x4xf32>
      %104 = tensor.empty() : tensor<8x8xf32>
      %inserted_slice = tensor.insert_slice %103 into %104[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
      %inserted_slice_33 = tensor.insert_slice %103 into %inserted_slice[0, 4] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
      %105 = tensor.empty() : tensor<8x4xf32>
      %106 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%101 : tensor<8x4xf32>) outs(%105 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = math.sin %in : f32
        linalg.yield %243 : f32
      } -> tensor<8x4xf32>
      %107 = tensor.empty() : tensor<8x8xf32>
      %inserted_slice_34 = tensor.insert_slice %106 into %107[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
      %inserted_slice_35 = tensor.insert_slice %106 into %inserted_slice_34[0, 4] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
      %extracted_slice_36 = tensor.extract_slice %expanded_31[0, 0, 0, 0] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x8xf32> to tensor<2x8x2x4xf32>
      %extracted_slice_37 = tensor.extract_slice %expanded_31[0, 0, 0, 4] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x8xf32> to tensor<2x8x2x4xf32>
      %108 = tensor.empty() : tensor<2x8x2x8xf32>
      %109 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_33 : tensor<8x8xf32>) outs(%108 : tensor<2x8x2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x2x8xf32>
      %110 = tensor.empty() : tensor<2x8x2x8xf32>
      %111 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %109 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%110 : tensor<2x8x2x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x2x8xf32>
      %112 = tensor.empty() : tensor<2x8x2x4xf32>
      %113 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_37 : tensor<2x8x2x4xf32>) outs(%112 : tensor<2x8x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.negf %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x2x4xf32>
      %114 = tensor.empty() : tensor<2x8x2x8xf32>
      %inserted_slice_38 = tensor.insert_slice %113 into %114[0, 0, 0, 0] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x4xf32> into tensor<2x8x2x8xf32>
      %inserted_slice_39 = tensor.insert_slice %extracted_slice_36 into %inserted_slice_38[0, 0, 0, 4] [2, 8, 2, 4] [1, 1, 1, 1] : tensor<2x8x2x4xf32> into tensor<2x8x2x8xf32>
      %115 = tensor.empty() : tensor<2x8x2x8xf32>
      %116 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_35 : tensor<8x8xf32>) outs(%115 : tensor<2x8x2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x2x8xf32>
      %117 = tensor.empty() : tensor<2x8x2x8xf32>
      %118 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_39, %116 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%117 : tensor<2x8x2x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x2x8xf32>
      %119 = tensor.empty() : tensor<2x8x2x8xf32>
      %120 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111, %118 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%119 : tensor<2x8x2x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.addf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x2x8xf32>
      %121 = tensor.empty() : tensor<16x8xf32>
      %122 = linalg.fill ins(%cst_7 : f32) outs(%121 : tensor<16x8xf32>) -> tensor<16x8xf32>
      %123 = linalg.matmul ins(%collapsed_30, %collapsed_16 : tensor<16x16xf32>, tensor<16x8xf32>) outs(%122 : tensor<16x8xf32>) -> tensor<16x8xf32>
      %expanded_40 = tensor.expand_shape %123 [[0, 1], [2, 3]] output_shape [2, 8, 1, 8] : tensor<16x8xf32> into tensor<2x8x1x8xf32>
      %extracted_slice_41 = tensor.extract_slice %expanded_40[0, 0, 0, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x1x8xf32> to tensor<2x8x1x4xf32>
      %extracted_slice_42 = tensor.extract_slice %expanded_40[0, 0, 0, 4] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x1x8xf32> to tensor<2x8x1x4xf32>
      %124 = tensor.empty() : tensor<2x8x1x8xf32>
      %125 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_33 : tensor<8x8xf32>) outs(%124 : tensor<2x8x1x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x1x8xf32>
      %126 = tensor.empty() : tensor<2x8x1x8xf32>
      %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_40, %125 : tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>) outs(%126 : tensor<2x8x1x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1x8xf32>
      %128 = tensor.empty() : tensor<2x8x1x4xf32>
      %129 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_42 : tensor<2x8x1x4xf32>) outs(%128 : tensor<2x8x1x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.negf %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1x4xf32>
      %130 = tensor.empty() : tensor<2x8x1x8xf32>
      %inserted_slice_43 = tensor.insert_slice %129 into %130[0, 0, 0, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x1x4xf32> into tensor<2x8x1x8xf32>
      %inserted_slice_44 = tensor.insert_slice %extracted_slice_41 into %inserted_slice_43[0, 0, 0, 4] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x1x4xf32> into tensor<2x8x1x8xf32>
      %131 = tensor.empty() : tensor<2x8x1x8xf32>
      %132 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_35 : tensor<8x8xf32>) outs(%131 : tensor<2x8x1x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x1x8xf32>
      %133 = tensor.empty() : tensor<2x8x1x8xf32>
      %134 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_44, %132 : tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>) outs(%133 : tensor<2x8x1x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1x8xf32>
      %135 = tensor.empty() : tensor<2x8x1x8xf32>
      %136 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %134 : tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>) outs(%135 : tensor<2x8x1x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.addf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1x8xf32>
      %137 = tensor.empty() : tensor<16x8xf32>
      %138 = linalg.fill ins(%cst_7 : f32) outs(%137 : tensor<16x8xf32>) -> tensor<16x8xf32>
      %139 = linalg.matmul ins(%collapsed_30, %collapsed_28 : tensor<16x16xf32>, tensor<16x8xf32>) outs(%138 : tensor<16x8xf32>) -> tensor<16x8xf32>
      %expanded_45 = tensor.expand_shape %139 [[0, 1], [2, 3]] output_shape [2, 8, 1, 8] : tensor<16x8xf32> into tensor<2x8x1x8xf32>
      %140 = tensor.empty() : tensor<2x8x1x2x8xf32>
      %141 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<2x8x1x8xf32>) outs(%140 : tensor<2x8x1x2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x1x2x8xf32>
      %collapsed_46 = tensor.collapse_shape %141 [[0], [1], [2, 3], [4]] : tensor<2x8x1x2x8xf32> into tensor<2x8x2x8xf32>
      %142 = tensor.empty() : tensor<2x8x1x2x8xf32>
      %143 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<2x8x1x8xf32>) outs(%142 : tensor<2x8x1x2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x1x2x8xf32>
      %collapsed_47 = tensor.collapse_shape %143 [[0], [1], [2, 3], [4]] : tensor<2x8x1x2x8xf32> into tensor<2x8x2x8xf32>
      %144 = tensor.empty() : tensor<2x2x8x8xf32>
      %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120 : tensor<2x8x2x8xf32>) outs(%144 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x2x8x8xf32>
      %146 = tensor.empty() : tensor<2x2x8x8xf32>
      %147 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_46 : tensor<2x8x2x8xf32>) outs(%146 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x2x8x8xf32>
      %collapsed_48 = tensor.collapse_shape %145 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
      %collapsed_49 = tensor.collapse_shape %147 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
      %148 = tensor.empty() : tensor<4x8x8xf32>
      %149 = linalg.fill ins(%cst_7 : f32) outs(%148 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %150 = linalg.batch_matmul ins(%collapsed_48, %collapsed_49 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%149 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %expanded_50 = tensor.expand_shape %150 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
      %151 = tensor.empty() : tensor<2x2x8x8xf32>
      %152 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_50 : tensor<2x2x8x8xf32>) outs(%151 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.mulf %in, %cst_2 : f32
        linalg.yield %243 : f32
      } -> tensor<2x2x8x8xf32>
      %153 = tensor.empty() : tensor<8x8xi32>
      %154 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%81 : tensor<8xi32>) outs(%153 : tensor<8x8xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<8x8xi32>
      %155 = tensor.empty() : tensor<8x8xi32>
      %156 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%81 : tensor<8xi32>) outs(%155 : tensor<8x8xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<8x8xi32>
      %157 = tensor.empty() : tensor<8x8xi1>
      %158 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%154, %156 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%157 : tensor<8x8xi1>) {
      ^bb0(%in: i32, %in_64: i32, %out: i1):
        %243 = arith.cmpi sge, %in, %in_64 : i32
        linalg.yield %243 : i1
      } -> tensor<8x8xi1>
      %159 = tensor.empty() : tensor<2x2x8x8xi1>
      %160 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%158 : tensor<8x8xi1>) outs(%159 : tensor<2x2x8x8xi1>) {
      ^bb0(%in: i1, %out: i1):
        linalg.yield %in : i1
      } -> tensor<2x2x8x8xi1>
      %161 = tensor.empty() : tensor<2x2x8x8xf32>
      %162 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%160, %152 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>) outs(%161 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: i1, %in_64: f32, %out: f32):
        %243 = arith.select %in, %in_64, %cst_1 : f32
        linalg.yield %243 : f32
      } -> tensor<2x2x8x8xf32>
      %163 = tensor.empty() : tensor<2x2x8xf32>
      %164 = linalg.fill ins(%cst_1 : f32) outs(%163 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
      %165 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%162 : tensor<2x2x8x8xf32>) outs(%164 : tensor<2x2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.maximumf %out, %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x2x8xf32>
      %166 = tensor.empty() : tensor<2x2x8x8xf32>
      %167 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165 : tensor<2x2x8xf32>) outs(%166 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x2x8x8xf32>
      %168 = tensor.empty() : tensor<2x2x8x8xf32>
      %169 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%162, %167 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%168 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.subf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x2x8x8xf32>
      %170 = tensor.empty() : tensor<2x2x8x8xf32>
      %171 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%169 : tensor<2x2x8x8xf32>) outs(%170 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = math.exp %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x2x8x8xf32>
      %172 = tensor.empty() : tensor<2x2x8xf32>
      %173 = linalg.fill ins(%cst_7 : f32) outs(%172 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
      %174 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%171 : tensor<2x2x8x8xf32>) outs(%173 : tensor<2x2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.addf %out, %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x2x8xf32>
      %175 = tensor.empty() : tensor<2x2x8x8xf32>
      %176 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%174 : tensor<2x2x8xf32>) outs(%175 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x2x8x8xf32>
      %177 = tensor.empty() : tensor<2x2x8x8xf32>
      %178 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%171, %176 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%177 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.divf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x2x8x8xf32>
      %179 = tensor.empty() : tensor<2x2x8x8xf32>
      %180 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_47 : tensor<2x8x2x8xf32>) outs(%179 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x2x8x8xf32>
      %181 = tensor.empty() : tensor<2x2x8x8xf32>
      %182 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%178 : tensor<2x2x8x8xf32>) outs(%181 : tensor<2x2x8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x2x8x8xf32>
      %collapsed_51 = tensor.collapse_shape %180 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
      %collapsed_52 = tensor.collapse_shape %182 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
      %183 = tensor.empty() : tensor<4x8x8xf32>
      %184 = linalg.fill ins(%cst_7 : f32) outs(%183 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %185 = linalg.batch_matmul ins(%collapsed_51, %collapsed_52 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%184 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
      %expanded_53 = tensor.expand_shape %185 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
      %186 = tensor.empty() : tensor<2x8x2x8xf32>
      %187 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_53 : tensor<2x2x8x8xf32>) outs(%186 : tensor<2x8x2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x2x8xf32>
      %collapsed_54 = tensor.collapse_shape %187 [[0, 1], [2, 3]] : tensor<2x8x2x8xf32> into tensor<16x16xf32>
      %188 = tensor.empty() : tensor<16x16xf32>
      %189 = linalg.fill ins(%cst_7 : f32) outs(%188 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %190 = linalg.matmul ins(%collapsed_54, %collapsed_22 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%189 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %expanded_55 = tensor.expand_shape %190 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
      %191 = tensor.empty() : tensor<2x8x16xf32>
      %192 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14, %expanded_55 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%191 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.addf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %193 = tensor.empty() : tensor<2x8x16xf32>
      %194 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192 : tensor<2x8x16xf32>) outs(%193 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.mulf %in, %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %195 = tensor.empty() : tensor<2x8xf32>
      %196 = linalg.fill ins(%cst_7 : f32) outs(%195 : tensor<2x8xf32>) -> tensor<2x8xf32>
      %197 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%194 : tensor<2x8x16xf32>) outs(%196 : tensor<2x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.addf %out, %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8xf32>
      %expanded_56 = tensor.expand_shape %197 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
      %198 = tensor.empty() : tensor<2x8x1xf32>
      %199 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_56 : tensor<2x8x1xf32>) outs(%198 : tensor<2x8x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.divf %in, %cst_6 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1xf32>
      %200 = tensor.empty() : tensor<2x8x1xf32>
      %201 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199 : tensor<2x8x1xf32>) outs(%200 : tensor<2x8x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.addf %in, %cst_5 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1xf32>
      %202 = tensor.empty() : tensor<2x8x1xf32>
      %203 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%201 : tensor<2x8x1xf32>) outs(%202 : tensor<2x8x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = math.rsqrt %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x1xf32>
      %204 = tensor.empty() : tensor<2x8x16xf32>
      %205 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<2x8x1xf32>) outs(%204 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x16xf32>
      %206 = tensor.empty() : tensor<2x8x16xf32>
      %207 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192, %205 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%206 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %208 = tensor.empty() : tensor<2x8x16xf32>
      %209 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_20 : tensor<16xf32>) outs(%208 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x8x16xf32>
      %210 = tensor.empty() : tensor<2x8x16xf32>
      %211 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207, %209 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%210 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %collapsed_57 = tensor.collapse_shape %211 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
      %212 = tensor.empty() : tensor<16x32xf32>
      %213 = linalg.fill ins(%cst_7 : f32) outs(%212 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %214 = linalg.matmul ins(%collapsed_57, %collapsed_14 : tensor<16x16xf32>, tensor<16x32xf32>) outs(%213 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %expanded_58 = tensor.expand_shape %214 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
      %215 = tensor.empty() : tensor<2x8x32xf32>
      %216 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_58 : tensor<2x8x32xf32>) outs(%215 : tensor<2x8x32xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.negf %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x32xf32>
      %217 = tensor.empty() : tensor<2x8x32xf32>
      %218 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<2x8x32xf32>) outs(%217 : tensor<2x8x32xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = math.exp %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x32xf32>
      %219 = tensor.empty() : tensor<2x8x32xf32>
      %220 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<2x8x32xf32>) outs(%219 : tensor<2x8x32xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.addf %in, %cst_0 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x32xf32>
      %221 = tensor.empty() : tensor<2x8x32xf32>
      %222 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<2x8x32xf32>) outs(%221 : tensor<2x8x32xf32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.divf %cst_0, %in : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x32xf32>
      %223 = tensor.empty() : tensor<2x8x32xf32>
      %224 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_58, %222 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%223 : tensor<2x8x32xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x32xf32>
      %225 = tensor.empty() : tensor<16x32xf32>
      %226 = linalg.fill ins(%cst_7 : f32) outs(%225 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %227 = linalg.matmul ins(%collapsed_57, %collapsed_26 : tensor<16x16xf32>, tensor<16x32xf32>) outs(%226 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %expanded_59 = tensor.expand_shape %227 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
      %228 = tensor.empty() : tensor<2x8x32xf32>
      %229 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%224, %expanded_59 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%228 : tensor<2x8x32xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.mulf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x32xf32>
      %collapsed_60 = tensor.collapse_shape %229 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
      %230 = tensor.empty() : tensor<16x16xf32>
      %231 = linalg.fill ins(%cst_7 : f32) outs(%230 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %232 = linalg.matmul ins(%collapsed_60, %collapsed_12 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%231 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %expanded_61 = tensor.expand_shape %232 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
      %233 = tensor.empty() : tensor<2x8x16xf32>
      %234 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192, %expanded_61 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%233 : tensor<2x8x16xf32>) {
      ^bb0(%in: f32, %in_64: f32, %out: f32):
        %243 = arith.addf %in, %in_64 : f32
        linalg.yield %243 : f32
      } -> tensor<2x8x16xf32>
      %235 = tensor.empty() : tensor<f32>
      %236 = linalg.fill ins(%cst_7 : f32) outs(%235 : tensor<f32>) -> tensor<f32>
      %237 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]} ins(%192 : tensor<2x8x16xf32>) outs(%236 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.addf %out, %in : f32
        linalg.yield %243 : f32
      } -> tensor<f32>
      %238 = tensor.empty() : tensor<f32>
      %239 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%237 : tensor<f32>) outs(%238 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %243 = arith.divf %in, %cst : f32
        linalg.yield %243 : f32
      } -> tensor<f32>
      %expanded_62 = tensor.expand_shape %239 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %240 = arith.index_cast %arg13 : i32 to index
      %241 = arith.maxsi %240, %c0 : index
      %242 = arith.minsi %241, %c2 : index
      %inserted_slice_63 = tensor.insert_slice %expanded_62 into %arg15[%242] [1] [1] : tensor<1xf32> into tensor<3xf32>
      scf.yield %234, %inserted_slice_63 : tensor<2x8x16xf32>, tensor<3xf32>
    }
    %9 = tensor.empty() : tensor<2x8x16xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8#0 : tensor<2x8x16xf32>) outs(%9 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.mulf %in, %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x8x16xf32>
    %11 = tensor.empty() : tensor<2x8xf32>
    %12 = linalg.fill ins(%cst_7 : f32) outs(%11 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x8x16xf32>) outs(%12 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x8xf32>
    %expanded_9 = tensor.expand_shape %13 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %14 = tensor.empty() : tensor<2x8x1xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<2x8x1xf32>) outs(%14 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.divf %in, %cst_6 : f32
      linalg.yield %31 : f32
    } -> tensor<2x8x1xf32>
    %16 = tensor.empty() : tensor<2x8x1xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x8x1xf32>) outs(%16 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %cst_5 : f32
      linalg.yield %31 : f32
    } -> tensor<2x8x1xf32>
    %18 = tensor.empty() : tensor<2x8x1xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x8x1xf32>) outs(%18 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.rsqrt %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x8x1xf32>
    %20 = tensor.empty() : tensor<2x8x16xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x8x1xf32>) outs(%20 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %22 = tensor.empty() : tensor<2x8x16xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8#0, %21 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%22 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %31 = arith.mulf %in, %in_12 : f32
      linalg.yield %31 : f32
    } -> tensor<2x8x16xf32>
    %24 = tensor.empty() : tensor<2x8x16xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<16xf32>) outs(%24 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %26 = tensor.empty() : tensor<2x8x16xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %25 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%26 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %31 = arith.mulf %in, %in_12 : f32
      linalg.yield %31 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_10 = tensor.collapse_shape %27 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %28 = tensor.empty() : tensor<16x48xf32>
    %29 = linalg.fill ins(%cst_7 : f32) outs(%28 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %30 = linalg.matmul ins(%collapsed_10, %arg0 : tensor<16x16xf32>, tensor<16x48xf32>) outs(%29 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %expanded_11 = tensor.expand_shape %30 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
    func.return %expanded_11 : tensor<2x8x48xf32>
  }
}