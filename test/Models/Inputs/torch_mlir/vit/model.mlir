#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2, d3) -> ()>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x1x16xf32> {te.param = "vit.embeddings.cls_token"}, %arg1: tensor<1x17x16xf32> {te.param = "vit.embeddings.position_embeddings"}, %arg2: tensor<16x3x4x4xf32> {te.param = "vit.embeddings.patch_embeddings.projection.weight"}, %arg3: tensor<16xf32> {te.param = "vit.embeddings.patch_embeddings.projection.bias"}, %arg4: tensor<16x16xf32> {te.param = "vit.layers.0.attention.q_proj.weight"}, %arg5: tensor<16xf32> {te.param = "vit.layers.0.attention.q_proj.bias"}, %arg6: tensor<16x16xf32> {te.param = "vit.layers.0.attention.k_proj.weight"}, %arg7: tensor<16xf32> {te.param = "vit.layers.0.attention.k_proj.bias"}, %arg8: tensor<16x16xf32> {te.param = "vit.layers.0.attention.v_proj.weight"}, %arg9: tensor<16xf32> {te.param = "vit.layers.0.attention.v_proj.bias"}, %arg10: tensor<16x16xf32> {te.param = "vit.layers.0.attention.o_proj.weight"}, %arg11: tensor<16xf32> {te.param = "vit.layers.0.attention.o_proj.bias"}, %arg12: tensor<16xf32> {te.param = "vit.layers.0.layernorm_before.weight"}, %arg13: tensor<16xf32> {te.param = "vit.layers.0.layernorm_before.bias"}, %arg14: tensor<16xf32> {te.param = "vit.layers.0.layernorm_after.weight"}, %arg15: tensor<16xf32> {te.param = "vit.layers.0.layernorm_after.bias"}, %arg16: tensor<24x16xf32> {te.param = "vit.layers.0.mlp.fc1.weight"}, %arg17: tensor<24xf32> {te.param = "vit.layers.0.mlp.fc1.bias"}, %arg18: tensor<16x24xf32> {te.param = "vit.layers.0.mlp.fc2.weight"}, %arg19: tensor<16xf32> {te.param = "vit.layers.0.mlp.fc2.bias"}, %arg20: tensor<16x16xf32> {te.param = "vit.layers.1.attention.q_proj.weight"}, %arg21: tensor<16xf32> {te.param = "vit.layers.1.attention.q_proj.bias"}, %arg22: tensor<16x16xf32> {te.param = "vit.layers.1.attention.k_proj.weight"}, %arg23: tensor<16xf32> {te.param = "vit.layers.1.attention.k_proj.bias"}, %arg24: tensor<16x16xf32> {te.param = "vit.layers.1.attention.v_proj.weight"}, %arg25: tensor<16xf32> {te.param = "vit.layers.1.attention.v_proj.bias"}, %arg26: tensor<16x16xf32> {te.param = "vit.layers.1.attention.o_proj.weight"}, %arg27: tensor<16xf32> {te.param = "vit.layers.1.attention.o_proj.bias"}, %arg28: tensor<16xf32> {te.param = "vit.layers.1.layernorm_before.weight"}, %arg29: tensor<16xf32> {te.param = "vit.layers.1.layernorm_before.bias"}, %arg30: tensor<16xf32> {te.param = "vit.layers.1.layernorm_after.weight"}, %arg31: tensor<16xf32> {te.param = "vit.layers.1.layernorm_after.bias"}, %arg32: tensor<24x16xf32> {te.param = "vit.layers.1.mlp.fc1.weight"}, %arg33: tensor<24xf32> {te.param = "vit.layers.1.mlp.fc1.bias"}, %arg34: tensor<16x24xf32> {te.param = "vit.layers.1.mlp.fc2.weight"}, %arg35: tensor<16xf32> {te.param = "vit.layers.1.mlp.fc2.bias"}, %arg36: tensor<16xf32> {te.param = "vit.layernorm.weight"}, %arg37: tensor<16xf32> {te.param = "vit.layernorm.bias"}, %arg38: tensor<5x16xf32> {te.param = "classifier.weight"}, %arg39: tensor<5xf32> {te.param = "classifier.bias"}, %arg40: tensor<2x3x16x16xf32> {te.input = "pixel_values"}) -> (tensor<2x5xf32> {te.output = "logits"}) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x2x17x17xf32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_6 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_7 = arith.constant 0.59460355750136051 : f64
    %cst_8 = arith.constant 0xFFF0000000000000 : f64
    %cst_9 = arith.constant 9.9999999999999998E-13 : f64
    %cst_10 = arith.constant 1.600000e+01 : f64
    %cst_11 = arith.constant 1.600000e+01 : f32
    %cst_12 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<2x16x4x4xf32>
    %broadcasted = linalg.broadcast ins(%arg3 : tensor<16xf32>) outs(%0 : tensor<2x16x4x4xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%arg40, %arg2 : tensor<2x3x16x16xf32>, tensor<16x3x4x4xf32>) outs(%broadcasted : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<2x16x4x4xf32> into tensor<2x16x16xf32>
    %2 = tensor.empty() : tensor<2x16x16xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x16x16xf32>) outs(%2 : tensor<2x16x16xf32>) permutation = [0, 2, 1] 
    %3 = tensor.empty() : tensor<2x1x16xf32>
    %collapsed_13 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x1x16xf32> into tensor<1x16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_13 : tensor<1x16xf32>) outs(%3 : tensor<2x1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x16xf32>
    %concat = tensor.concat dim(1) %4, %transposed : (tensor<2x1x16xf32>, tensor<2x16x16xf32>) -> tensor<2x17x16xf32>
    %5 = tensor.empty() : tensor<2x17x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %arg1 : tensor<2x17x16xf32>, tensor<1x17x16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %7 = tensor.empty() : tensor<17xi64>
    %8 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%7 : tensor<17xi64>) {
    ^bb0(%out: i64):
      %200 = linalg.index 0 : index
      %201 = arith.index_cast %200 : index to i64
      linalg.yield %201 : i64
    } -> tensor<17xi64>
    %expanded = tensor.expand_shape %8 [[0, 1, 2, 3]] output_shape [1, 1, 17, 1] : tensor<17xi64> into tensor<1x1x17x1xi64>
    %9 = tensor.empty() : tensor<1x1x17x1xi1>
    %10 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x17x1xi64>) outs(%9 : tensor<1x1x17x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %200 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %200 : i1
    } -> tensor<1x1x17x1xi1>
    %11 = tensor.empty() : tensor<2x1x17x17xi1>
    %collapsed_14 = tensor.collapse_shape %10 [[0, 1], [2, 3]] : tensor<1x1x17x1xi1> into tensor<1x17xi1>
    %12 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_14 : tensor<1x17xi1>) outs(%11 : tensor<2x1x17x17xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x1x17x17xi1>
    %13 = tensor.empty() : tensor<2x17x16xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x17x16xf32>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %200 = arith.extf %in : f32 to f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %15 = tensor.empty() : tensor<2x17x1xf64>
    %16 = linalg.fill ins(%cst_0 : f64) outs(%15 : tensor<2x17x1xf64>) -> tensor<2x17x1xf64>
    %17 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %19 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<2x17x16xf64>, tensor<2x17x1xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.subf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %19 : tensor<2x17x16xf64>, tensor<2x17x16xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.mulf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %21 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %23 = tensor.empty() : tensor<2x17x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x17x1xf64>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %200 = arith.truncf %in : f64 to f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%23 : tensor<2x17x1xf32>) -> tensor<2x17x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x17x16xf32>) outs(%25 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.addf %in, %out : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.divf %in, %cst_11 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_9 : f64 to f32
      %201 = arith.addf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x17x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = math.rsqrt %in : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %27 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.subf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %29 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %arg12 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %arg13 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %collapsed_15 = tensor.collapse_shape %33 [[0, 1], [2]] : tensor<2x17x16xf32> into tensor<34x16xf32>
    %34 = tensor.empty() : tensor<16x16xf32>
    %transposed_16 = linalg.transpose ins(%arg4 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %35 = tensor.empty() : tensor<34x16xf32>
    %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %37 = linalg.matmul ins(%collapsed_15, %transposed_16 : tensor<34x16xf32>, tensor<16x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %38 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %39 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%37, %38 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_17 = tensor.expand_shape %39 [[0, 1], [2, 3]] output_shape [2, 17, 2, 8] : tensor<34x16xf32> into tensor<2x17x2x8xf32>
    %40 = tensor.empty() : tensor<2x2x17x8xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x17x2x8xf32>) outs(%40 : tensor<2x2x17x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_19 = linalg.transpose ins(%arg6 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %41 = linalg.matmul ins(%collapsed_15, %transposed_19 : tensor<34x16xf32>, tensor<16x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %42 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %43 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%41, %42 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_20 = tensor.expand_shape %43 [[0, 1], [2, 3]] output_shape [2, 17, 2, 8] : tensor<34x16xf32> into tensor<2x17x2x8xf32>
    %transposed_21 = linalg.transpose ins(%arg8 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %44 = linalg.matmul ins(%collapsed_15, %transposed_21 : tensor<34x16xf32>, tensor<16x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %46 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%44, %45 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_22 = tensor.expand_shape %46 [[0, 1], [2, 3]] output_shape [2, 17, 2, 8] : tensor<34x16xf32> into tensor<2x17x2x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<2x17x2x8xf32>) outs(%40 : tensor<2x2x17x8xf32>) permutation = [0, 2, 1, 3] 
    %47 = tensor.empty() : tensor<2x1x17x17xf32>
    %48 = linalg.generic {indexing_maps = [#map4, #map10, #map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_5, %cst_6 : tensor<2x1x17x17xi1>, tensor<f32>, tensor<f32>) outs(%47 : tensor<2x1x17x17xf32>) {
    ^bb0(%in: i1, %in_69: f32, %in_70: f32, %out: f32):
      %200 = arith.select %in, %in_69, %in_70 : f32
      linalg.yield %200 : f32
    } -> tensor<2x1x17x17xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<2x2x17x8xf32>) outs(%40 : tensor<2x2x17x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_7 : f64 to f32
      %201 = arith.mulf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x2x17x8xf32>
    %50 = tensor.empty() : tensor<2x2x8x17xf32>
    %transposed_24 = linalg.transpose ins(%expanded_20 : tensor<2x17x2x8xf32>) outs(%50 : tensor<2x2x8x17xf32>) permutation = [0, 2, 3, 1] 
    %51 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_24 : tensor<2x2x8x17xf32>) outs(%50 : tensor<2x2x8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_7 : f64 to f32
      %201 = arith.mulf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x2x8x17xf32>
    %collapsed_25 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<2x2x17x8xf32> into tensor<4x17x8xf32>
    %collapsed_26 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<2x2x8x17xf32> into tensor<4x8x17xf32>
    %52 = tensor.empty() : tensor<4x17x17xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<4x17x17xf32>) -> tensor<4x17x17xf32>
    %54 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<4x17x8xf32>, tensor<4x8x17xf32>) outs(%53 : tensor<4x17x17xf32>) -> tensor<4x17x17xf32>
    %expanded_27 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [2, 2, 17, 17] : tensor<4x17x17xf32> into tensor<2x2x17x17xf32>
    %55 = tensor.empty() : tensor<2x2x17x17xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27, %48 : tensor<2x2x17x17xf32>, tensor<2x1x17x17xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %57 = tensor.empty() : tensor<2x2x17xi64>
    %58 = linalg.fill ins(%c0_i64 : i64) outs(%57 : tensor<2x2x17xi64>) -> tensor<2x2x17xi64>
    %59 = tensor.empty() : tensor<2x2x17xf32>
    %60 = linalg.fill ins(%cst_1 : f32) outs(%59 : tensor<2x2x17xf32>) -> tensor<2x2x17xf32>
    %61:2 = linalg.generic {indexing_maps = [#map4, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<2x2x17x17xf32>) outs(%60, %58 : tensor<2x2x17xf32>, tensor<2x2x17xi64>) {
    ^bb0(%in: f32, %out: f32, %out_69: i64):
      %200 = linalg.index 3 : index
      %201 = arith.index_cast %200 : index to i64
      %202 = arith.maximumf %in, %out : f32
      %203 = arith.cmpf ogt, %in, %out : f32
      %204 = arith.select %203, %201, %out_69 : i64
      linalg.yield %202, %204 : f32, i64
    } -> (tensor<2x2x17xf32>, tensor<2x2x17xi64>)
    %expanded_28 = tensor.expand_shape %61#0 [[0], [1], [2, 3]] output_shape [2, 2, 17, 1] : tensor<2x2x17xf32> into tensor<2x2x17x1xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %expanded_28 : tensor<2x2x17x17xf32>, tensor<2x2x17x1xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.subf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x2x17x17xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = math.exp %in : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %64 = tensor.empty() : tensor<2x2x17x1xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<2x2x17x1xf32>) -> tensor<2x2x17x1xf32>
    %66 = linalg.generic {indexing_maps = [#map4, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<2x2x17x17xf32>) outs(%65 : tensor<2x2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.addf %in, %out : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x1xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %66 : tensor<2x2x17x17xf32>, tensor<2x2x17x1xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.divf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %68 = tensor.empty() : tensor<2x2x17x17xi1>
    %69 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<2x2x17x17xf32>) outs(%68 : tensor<2x2x17x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %200 = arith.extf %in : f32 to f64
      %201 = arith.cmpf oeq, %200, %cst_8 : f64
      linalg.yield %201 : i1
    } -> tensor<2x2x17x17xi1>
    %70 = tensor.empty() : tensor<2x2x17x1xi1>
    %71 = linalg.fill ins(%true : i1) outs(%70 : tensor<2x2x17x1xi1>) -> tensor<2x2x17x1xi1>
    %72 = linalg.generic {indexing_maps = [#map4, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<2x2x17x17xi1>) outs(%71 : tensor<2x2x17x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %200 = arith.andi %in, %out : i1
      linalg.yield %200 : i1
    } -> tensor<2x2x17x1xi1>
    %73 = linalg.generic {indexing_maps = [#map13, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %cst_4, %67 : tensor<2x2x17x1xi1>, tensor<2x2x17x17xf32>, tensor<2x2x17x17xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: i1, %in_69: f32, %in_70: f32, %out: f32):
      %200 = arith.select %in, %in_69, %in_70 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %collapsed_29 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<2x2x17x17xf32> into tensor<4x17x17xf32>
    %collapsed_30 = tensor.collapse_shape %transposed_23 [[0, 1], [2], [3]] : tensor<2x2x17x8xf32> into tensor<4x17x8xf32>
    %74 = tensor.empty() : tensor<4x17x8xf32>
    %75 = linalg.fill ins(%cst : f32) outs(%74 : tensor<4x17x8xf32>) -> tensor<4x17x8xf32>
    %76 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<4x17x17xf32>, tensor<4x17x8xf32>) outs(%75 : tensor<4x17x8xf32>) -> tensor<4x17x8xf32>
    %expanded_31 = tensor.expand_shape %76 [[0, 1], [2], [3]] output_shape [2, 2, 17, 8] : tensor<4x17x8xf32> into tensor<2x2x17x8xf32>
    %77 = tensor.empty() : tensor<2x17x2x8xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<2x2x17x8xf32>) outs(%77 : tensor<2x17x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3]] : tensor<2x17x2x8xf32> into tensor<2x17x16xf32>
    %transposed_34 = linalg.transpose ins(%arg10 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %78 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_34 : tensor<16x16xf32>) outs(%2 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %79 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x17x16xf32>) -> tensor<2x17x16xf32>
    %80 = linalg.batch_matmul ins(%collapsed_33, %78 : tensor<2x17x16xf32>, tensor<2x16x16xf32>) outs(%79 : tensor<2x17x16xf32>) -> tensor<2x17x16xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %arg11 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %6 : tensor<2x17x16xf32>, tensor<2x17x16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x17x16xf32>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %200 = arith.extf %in : f32 to f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %84 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %86 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %85 : tensor<2x17x16xf64>, tensor<2x17x1xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.subf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %87 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %86 : tensor<2x17x16xf64>, tensor<2x17x16xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.mulf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %88 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x17x1xf64>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %200 = arith.truncf %in : f64 to f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%82 : tensor<2x17x16xf32>) outs(%25 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.addf %in, %out : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.divf %in, %cst_11 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_9 : f64 to f32
      %201 = arith.addf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x17x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = math.rsqrt %in : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %92 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.subf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %94 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %arg14 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %arg15 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %collapsed_35 = tensor.collapse_shape %98 [[0, 1], [2]] : tensor<2x17x16xf32> into tensor<34x16xf32>
    %99 = tensor.empty() : tensor<16x24xf32>
    %transposed_36 = linalg.transpose ins(%arg16 : tensor<24x16xf32>) outs(%99 : tensor<16x24xf32>) permutation = [1, 0] 
    %100 = tensor.empty() : tensor<34x24xf32>
    %101 = linalg.fill ins(%cst : f32) outs(%100 : tensor<34x24xf32>) -> tensor<34x24xf32>
    %102 = linalg.matmul ins(%collapsed_35, %transposed_36 : tensor<34x16xf32>, tensor<16x24xf32>) outs(%101 : tensor<34x24xf32>) -> tensor<34x24xf32>
    %103 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<24xf32>) outs(%100 : tensor<34x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x24xf32>
    %104 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%102, %103 : tensor<34x24xf32>, tensor<34x24xf32>) outs(%100 : tensor<34x24xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x24xf32>
    %expanded_37 = tensor.expand_shape %104 [[0, 1], [2]] output_shape [2, 17, 24] : tensor<34x24xf32> into tensor<2x17x24xf32>
    %105 = tensor.empty() : tensor<2x17x24xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<2x17x24xf32>) outs(%105 : tensor<2x17x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.divf %in, %cst_12 : f32
      %201 = math.erf %200 : f32
      %202 = arith.addf %201, %cst_2 : f32
      %203 = arith.mulf %202, %cst_3 : f32
      %204 = arith.mulf %in, %203 : f32
      linalg.yield %204 : f32
    } -> tensor<2x17x24xf32>
    %collapsed_38 = tensor.collapse_shape %106 [[0, 1], [2]] : tensor<2x17x24xf32> into tensor<34x24xf32>
    %107 = tensor.empty() : tensor<24x16xf32>
    %transposed_39 = linalg.transpose ins(%arg18 : tensor<16x24xf32>) outs(%107 : tensor<24x16xf32>) permutation = [1, 0] 
    %108 = linalg.matmul ins(%collapsed_38, %transposed_39 : tensor<34x24xf32>, tensor<24x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %109 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg19 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %110 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%108, %109 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_40 = tensor.expand_shape %110 [[0, 1], [2]] output_shape [2, 17, 16] : tensor<34x16xf32> into tensor<2x17x16xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_40, %82 : tensor<2x17x16xf32>, tensor<2x17x16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x17x16xf32>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %200 = arith.extf %in : f32 to f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %113 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%112 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %115 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %114 : tensor<2x17x16xf64>, tensor<2x17x1xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.subf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %116 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %115 : tensor<2x17x16xf64>, tensor<2x17x16xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.mulf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %117 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%116 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %119 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<2x17x1xf64>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %200 = arith.truncf %in : f64 to f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%111 : tensor<2x17x16xf32>) outs(%25 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.addf %in, %out : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.divf %in, %cst_11 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_9 : f64 to f32
      %201 = arith.addf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x17x1xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = math.rsqrt %in : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %121 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.subf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %123 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %arg28 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %arg29 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %collapsed_41 = tensor.collapse_shape %127 [[0, 1], [2]] : tensor<2x17x16xf32> into tensor<34x16xf32>
    %transposed_42 = linalg.transpose ins(%arg20 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %128 = linalg.matmul ins(%collapsed_41, %transposed_42 : tensor<34x16xf32>, tensor<16x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %129 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg21 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %130 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%128, %129 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_43 = tensor.expand_shape %130 [[0, 1], [2, 3]] output_shape [2, 17, 2, 8] : tensor<34x16xf32> into tensor<2x17x2x8xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<2x17x2x8xf32>) outs(%40 : tensor<2x2x17x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_45 = linalg.transpose ins(%arg22 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %131 = linalg.matmul ins(%collapsed_41, %transposed_45 : tensor<34x16xf32>, tensor<16x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %132 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg23 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %133 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%131, %132 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_46 = tensor.expand_shape %133 [[0, 1], [2, 3]] output_shape [2, 17, 2, 8] : tensor<34x16xf32> into tensor<2x17x2x8xf32>
    %transposed_47 = linalg.transpose ins(%arg24 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %134 = linalg.matmul ins(%collapsed_41, %transposed_47 : tensor<34x16xf32>, tensor<16x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %135 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg25 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %136 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%134, %135 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_48 = tensor.expand_shape %136 [[0, 1], [2, 3]] output_shape [2, 17, 2, 8] : tensor<34x16xf32> into tensor<2x17x2x8xf32>
    %transposed_49 = linalg.transpose ins(%expanded_48 : tensor<2x17x2x8xf32>) outs(%40 : tensor<2x2x17x8xf32>) permutation = [0, 2, 1, 3] 
    %137 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_44 : tensor<2x2x17x8xf32>) outs(%40 : tensor<2x2x17x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_7 : f64 to f32
      %201 = arith.mulf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x2x17x8xf32>
    %transposed_50 = linalg.transpose ins(%expanded_46 : tensor<2x17x2x8xf32>) outs(%50 : tensor<2x2x8x17xf32>) permutation = [0, 2, 3, 1] 
    %138 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_50 : tensor<2x2x8x17xf32>) outs(%50 : tensor<2x2x8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_7 : f64 to f32
      %201 = arith.mulf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x2x8x17xf32>
    %collapsed_51 = tensor.collapse_shape %137 [[0, 1], [2], [3]] : tensor<2x2x17x8xf32> into tensor<4x17x8xf32>
    %collapsed_52 = tensor.collapse_shape %138 [[0, 1], [2], [3]] : tensor<2x2x8x17xf32> into tensor<4x8x17xf32>
    %139 = linalg.batch_matmul ins(%collapsed_51, %collapsed_52 : tensor<4x17x8xf32>, tensor<4x8x17xf32>) outs(%53 : tensor<4x17x17xf32>) -> tensor<4x17x17xf32>
    %expanded_53 = tensor.expand_shape %139 [[0, 1], [2], [3]] output_shape [2, 2, 17, 17] : tensor<4x17x17xf32> into tensor<2x2x17x17xf32>
    %140 = linalg.generic {indexing_maps = [#map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_53, %48 : tensor<2x2x17x17xf32>, tensor<2x1x17x17xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %141:2 = linalg.generic {indexing_maps = [#map4, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%140 : tensor<2x2x17x17xf32>) outs(%60, %58 : tensor<2x2x17xf32>, tensor<2x2x17xi64>) {
    ^bb0(%in: f32, %out: f32, %out_69: i64):
      %200 = linalg.index 3 : index
      %201 = arith.index_cast %200 : index to i64
      %202 = arith.maximumf %in, %out : f32
      %203 = arith.cmpf ogt, %in, %out : f32
      %204 = arith.select %203, %201, %out_69 : i64
      linalg.yield %202, %204 : f32, i64
    } -> (tensor<2x2x17xf32>, tensor<2x2x17xi64>)
    %expanded_54 = tensor.expand_shape %141#0 [[0], [1], [2, 3]] output_shape [2, 2, 17, 1] : tensor<2x2x17xf32> into tensor<2x2x17x1xf32>
    %142 = linalg.generic {indexing_maps = [#map4, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140, %expanded_54 : tensor<2x2x17x17xf32>, tensor<2x2x17x1xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.subf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142 : tensor<2x2x17x17xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = math.exp %in : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %144 = linalg.generic {indexing_maps = [#map4, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%143 : tensor<2x2x17x17xf32>) outs(%65 : tensor<2x2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.addf %in, %out : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x1xf32>
    %145 = linalg.generic {indexing_maps = [#map4, #map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143, %144 : tensor<2x2x17x17xf32>, tensor<2x2x17x1xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.divf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %146 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%140 : tensor<2x2x17x17xf32>) outs(%68 : tensor<2x2x17x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %200 = arith.extf %in : f32 to f64
      %201 = arith.cmpf oeq, %200, %cst_8 : f64
      linalg.yield %201 : i1
    } -> tensor<2x2x17x17xi1>
    %147 = linalg.generic {indexing_maps = [#map4, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%146 : tensor<2x2x17x17xi1>) outs(%71 : tensor<2x2x17x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %200 = arith.andi %in, %out : i1
      linalg.yield %200 : i1
    } -> tensor<2x2x17x1xi1>
    %148 = linalg.generic {indexing_maps = [#map13, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%147, %cst_4, %145 : tensor<2x2x17x1xi1>, tensor<2x2x17x17xf32>, tensor<2x2x17x17xf32>) outs(%55 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: i1, %in_69: f32, %in_70: f32, %out: f32):
      %200 = arith.select %in, %in_69, %in_70 : f32
      linalg.yield %200 : f32
    } -> tensor<2x2x17x17xf32>
    %collapsed_55 = tensor.collapse_shape %148 [[0, 1], [2], [3]] : tensor<2x2x17x17xf32> into tensor<4x17x17xf32>
    %collapsed_56 = tensor.collapse_shape %transposed_49 [[0, 1], [2], [3]] : tensor<2x2x17x8xf32> into tensor<4x17x8xf32>
    %149 = linalg.batch_matmul ins(%collapsed_55, %collapsed_56 : tensor<4x17x17xf32>, tensor<4x17x8xf32>) outs(%75 : tensor<4x17x8xf32>) -> tensor<4x17x8xf32>
    %expanded_57 = tensor.expand_shape %149 [[0, 1], [2], [3]] output_shape [2, 2, 17, 8] : tensor<4x17x8xf32> into tensor<2x2x17x8xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<2x2x17x8xf32>) outs(%77 : tensor<2x17x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_59 = tensor.collapse_shape %transposed_58 [[0], [1], [2, 3]] : tensor<2x17x2x8xf32> into tensor<2x17x16xf32>
    %transposed_60 = linalg.transpose ins(%arg26 : tensor<16x16xf32>) outs(%34 : tensor<16x16xf32>) permutation = [1, 0] 
    %150 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_60 : tensor<16x16xf32>) outs(%2 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %151 = linalg.batch_matmul ins(%collapsed_59, %150 : tensor<2x17x16xf32>, tensor<2x16x16xf32>) outs(%79 : tensor<2x17x16xf32>) -> tensor<2x17x16xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151, %arg27 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %111 : tensor<2x17x16xf32>, tensor<2x17x16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<2x17x16xf32>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %200 = arith.extf %in : f32 to f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %155 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%154 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %157 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %156 : tensor<2x17x16xf64>, tensor<2x17x1xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.subf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %158 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %157 : tensor<2x17x16xf64>, tensor<2x17x16xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.mulf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %159 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%158 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %160 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %161 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<2x17x1xf64>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %200 = arith.truncf %in : f64 to f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%153 : tensor<2x17x16xf32>) outs(%25 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.addf %in, %out : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.divf %in, %cst_11 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_9 : f64 to f32
      %201 = arith.addf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x17x1xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = math.rsqrt %in : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153, %163 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.subf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %165 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %arg30 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %arg31 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %collapsed_61 = tensor.collapse_shape %169 [[0, 1], [2]] : tensor<2x17x16xf32> into tensor<34x16xf32>
    %transposed_62 = linalg.transpose ins(%arg32 : tensor<24x16xf32>) outs(%99 : tensor<16x24xf32>) permutation = [1, 0] 
    %170 = linalg.matmul ins(%collapsed_61, %transposed_62 : tensor<34x16xf32>, tensor<16x24xf32>) outs(%101 : tensor<34x24xf32>) -> tensor<34x24xf32>
    %171 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg33 : tensor<24xf32>) outs(%100 : tensor<34x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x24xf32>
    %172 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%170, %171 : tensor<34x24xf32>, tensor<34x24xf32>) outs(%100 : tensor<34x24xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x24xf32>
    %expanded_63 = tensor.expand_shape %172 [[0, 1], [2]] output_shape [2, 17, 24] : tensor<34x24xf32> into tensor<2x17x24xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_63 : tensor<2x17x24xf32>) outs(%105 : tensor<2x17x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.divf %in, %cst_12 : f32
      %201 = math.erf %200 : f32
      %202 = arith.addf %201, %cst_2 : f32
      %203 = arith.mulf %202, %cst_3 : f32
      %204 = arith.mulf %in, %203 : f32
      linalg.yield %204 : f32
    } -> tensor<2x17x24xf32>
    %collapsed_64 = tensor.collapse_shape %173 [[0, 1], [2]] : tensor<2x17x24xf32> into tensor<34x24xf32>
    %transposed_65 = linalg.transpose ins(%arg34 : tensor<16x24xf32>) outs(%107 : tensor<24x16xf32>) permutation = [1, 0] 
    %174 = linalg.matmul ins(%collapsed_64, %transposed_65 : tensor<34x24xf32>, tensor<24x16xf32>) outs(%36 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %175 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg35 : tensor<16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<34x16xf32>
    %176 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%174, %175 : tensor<34x16xf32>, tensor<34x16xf32>) outs(%35 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<34x16xf32>
    %expanded_66 = tensor.expand_shape %176 [[0, 1], [2]] output_shape [2, 17, 16] : tensor<34x16xf32> into tensor<2x17x16xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_66, %153 : tensor<2x17x16xf32>, tensor<2x17x16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177 : tensor<2x17x16xf32>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %200 = arith.extf %in : f32 to f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %179 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%178 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %180 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %181 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %180 : tensor<2x17x16xf64>, tensor<2x17x1xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.subf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %182 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%181, %181 : tensor<2x17x16xf64>, tensor<2x17x16xf64>) outs(%13 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_69: f64, %out: f64):
      %200 = arith.mulf %in, %in_69 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x16xf64>
    %183 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%182 : tensor<2x17x16xf64>) outs(%16 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.addf %in, %out : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %184 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183 : tensor<2x17x1xf64>) outs(%15 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %200 = arith.divf %in, %cst_10 : f64
      linalg.yield %200 : f64
    } -> tensor<2x17x1xf64>
    %185 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184 : tensor<2x17x1xf64>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %200 = arith.truncf %in : f64 to f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %186 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%177 : tensor<2x17x16xf32>) outs(%25 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.addf %in, %out : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.divf %in, %cst_11 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %188 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = arith.truncf %cst_9 : f64 to f32
      %201 = arith.addf %in, %200 : f32
      linalg.yield %201 : f32
    } -> tensor<2x17x1xf32>
    %189 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%188 : tensor<2x17x1xf32>) outs(%23 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %200 = math.rsqrt %in : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x1xf32>
    %190 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177, %187 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.subf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %191 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190, %189 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %192 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191, %arg36 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.mulf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %193 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%192, %arg37 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x17x16xf32>
    %extracted_slice = tensor.extract_slice %193[0, 0, 0] [2, 1, 16] [1, 1, 1] : tensor<2x17x16xf32> to tensor<2x1x16xf32>
    %collapsed_67 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<2x1x16xf32> into tensor<2x16xf32>
    %194 = tensor.empty() : tensor<16x5xf32>
    %transposed_68 = linalg.transpose ins(%arg38 : tensor<5x16xf32>) outs(%194 : tensor<16x5xf32>) permutation = [1, 0] 
    %195 = tensor.empty() : tensor<2x5xf32>
    %196 = linalg.fill ins(%cst : f32) outs(%195 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %197 = linalg.matmul ins(%collapsed_67, %transposed_68 : tensor<2x16xf32>, tensor<16x5xf32>) outs(%196 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %198 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg39 : tensor<5xf32>) outs(%195 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5xf32>
    %199 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%197, %198 : tensor<2x5xf32>, tensor<2x5xf32>) outs(%195 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %in_69: f32, %out: f32):
      %200 = arith.addf %in, %in_69 : f32
      linalg.yield %200 : f32
    } -> tensor<2x5xf32>
    return %199 : tensor<2x5xf32>
  }
}
