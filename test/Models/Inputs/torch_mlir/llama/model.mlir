#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map12 = affine_map<(d0, d1, d2) -> (d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map18 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<48x16xf32> {te.param = "model.embed_tokens.weight"}, %arg1: tensor<16x16xf32> {te.param = "model.layers.0.self_attn.q_proj.weight"}, %arg2: tensor<8x16xf32> {te.param = "model.layers.0.self_attn.k_proj.weight"}, %arg3: tensor<8x16xf32> {te.param = "model.layers.0.self_attn.v_proj.weight"}, %arg4: tensor<16x16xf32> {te.param = "model.layers.0.self_attn.o_proj.weight"}, %arg5: tensor<24x16xf32> {te.param = "model.layers.0.mlp.gate_proj.weight"}, %arg6: tensor<24x16xf32> {te.param = "model.layers.0.mlp.up_proj.weight"}, %arg7: tensor<16x24xf32> {te.param = "model.layers.0.mlp.down_proj.weight"}, %arg8: tensor<16xf32> {te.param = "model.layers.0.input_layernorm.weight"}, %arg9: tensor<16xf32> {te.param = "model.layers.0.post_attention_layernorm.weight"}, %arg10: tensor<16x16xf32> {te.param = "model.layers.1.self_attn.q_proj.weight"}, %arg11: tensor<8x16xf32> {te.param = "model.layers.1.self_attn.k_proj.weight"}, %arg12: tensor<8x16xf32> {te.param = "model.layers.1.self_attn.v_proj.weight"}, %arg13: tensor<16x16xf32> {te.param = "model.layers.1.self_attn.o_proj.weight"}, %arg14: tensor<24x16xf32> {te.param = "model.layers.1.mlp.gate_proj.weight"}, %arg15: tensor<24x16xf32> {te.param = "model.layers.1.mlp.up_proj.weight"}, %arg16: tensor<16x24xf32> {te.param = "model.layers.1.mlp.down_proj.weight"}, %arg17: tensor<16xf32> {te.param = "model.layers.1.input_layernorm.weight"}, %arg18: tensor<16xf32> {te.param = "model.layers.1.post_attention_layernorm.weight"}, %arg19: tensor<16xf32> {te.param = "model.norm.weight"}, %arg20: tensor<48x16xf32> {te.param = "lm_head.weight"}, %arg21: tensor<2x12xi64> {te.input = "input_ids"}) -> (tensor<2x12x48xf32> {te.output = "logits"}) {
    %c12_i64 = arith.constant 12 : i64
    %c0_i64 = arith.constant 0 : i64
    %c48 = arith.constant 48 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x2x12x12xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant dense<true> : tensor<i1>
    %cst_6 = arith.constant 0.59460355750136051 : f64
    %cst_7 = arith.constant 0xFFF0000000000000 : f64
    %cst_8 = arith.constant 9.9999999999999995E-7 : f64
    %cst_9 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_10 = arith.constant 1.600000e+01 : f32
    %c2_i64 = arith.constant 2 : i64
    %cst_11 = arith.constant dense_resource<torch_tensor_2_12_torch.int64> : tensor<2x12xi64>
    %0 = tensor.empty() : tensor<2x12x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg21 : tensor<2x12xi64>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = arith.index_cast %in : i64 to index
      %171 = linalg.index 2 : index
      %172 = arith.cmpi slt, %170, %c48 : index
      cf.assert %172, "index must be smaller than dim size"
      %173 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %173, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%170, %171] : tensor<48x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x12x16xf32>
    %2 = tensor.empty() : tensor<12xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<12xi64>) {
    ^bb0(%out: i64):
      %170 = linalg.index 0 : index
      %171 = arith.index_cast %170 : index to i64
      linalg.yield %171 : i64
    } -> tensor<12xi64>
    %4 = tensor.empty() : tensor<2x12xi1>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<2x12xi64>) outs(%4 : tensor<2x12xi1>) {
    ^bb0(%in: i64, %out: i1):
      %170 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %170 : i1
    } -> tensor<2x12xi1>
    %6 = tensor.empty() : tensor<2xi64>
    %7 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%6 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %170 = linalg.index 0 : index
      %171 = arith.index_cast %170 : index to i64
      linalg.yield %171 : i64
    } -> tensor<2xi64>
    %expanded = tensor.expand_shape %7 [[0, 1, 2, 3]] output_shape [2, 1, 1, 1] : tensor<2xi64> into tensor<2x1x1x1xi64>
    %expanded_12 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 12, 1] : tensor<12xi64> into tensor<1x1x12x1xi64>
    %expanded_13 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 12] : tensor<12xi64> into tensor<1x1x1x12xi64>
    %8 = tensor.empty() : tensor<1x1x12x12xi1>
    %9 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_12 : tensor<1x1x1x12xi64>, tensor<1x1x12x1xi64>) outs(%8 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i64, %in_89: i64, %out: i1):
      %170 = arith.cmpi sle, %in, %in_89 : i64
      linalg.yield %170 : i1
    } -> tensor<1x1x12x12xi1>
    %10 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5, %9 : tensor<i1>, tensor<1x1x12x12xi1>) outs(%8 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i1, %in_89: i1, %out: i1):
      %170 = arith.andi %in, %in_89 : i1
      linalg.yield %170 : i1
    } -> tensor<1x1x12x12xi1>
    %11 = tensor.empty() : tensor<2x1x1x12xi1>
    %12 = linalg.generic {indexing_maps = [#map8, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_13 : tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>) outs(%11 : tensor<2x1x1x12xi1>) {
    ^bb0(%in: i64, %in_89: i64, %out: i1):
      %170 = arith.cmpi slt, %in, %c0_i64 : i64
      %171 = arith.addi %in, %c2_i64 : i64
      %172 = arith.select %170, %171, %in : i64
      %173 = arith.index_cast %172 : i64 to index
      %174 = arith.cmpi slt, %in_89, %c0_i64 : i64
      %175 = arith.addi %in_89, %c12_i64 : i64
      %176 = arith.select %174, %175, %in_89 : i64
      %177 = arith.index_cast %176 : i64 to index
      %extracted = tensor.extract %5[%173, %177] : tensor<2x12xi1>
      linalg.yield %extracted : i1
    } -> tensor<2x1x1x12xi1>
    %13 = tensor.empty() : tensor<2x1x12x12xi1>
    %14 = linalg.generic {indexing_maps = [#map10, #map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %12 : tensor<1x1x12x12xi1>, tensor<2x1x1x12xi1>) outs(%13 : tensor<2x1x12x12xi1>) {
    ^bb0(%in: i1, %in_89: i1, %out: i1):
      %170 = arith.andi %in, %in_89 : i1
      linalg.yield %170 : i1
    } -> tensor<2x1x12x12xi1>
    %expanded_14 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 12, 1] : tensor<12xi64> into tensor<1x12x1xi64>
    %15 = tensor.empty() : tensor<1x12x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x12x1xi64>) outs(%15 : tensor<1x12x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = arith.sitofp %in : i64 to f32
      linalg.yield %170 : f32
    } -> tensor<1x12x1xf32>
    %17 = tensor.empty() : tensor<1x12x4xf32>
    %18 = linalg.generic {indexing_maps = [#map11, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %cst_9 : tensor<1x12x1xf32>, tensor<4xf32>) outs(%17 : tensor<1x12x4xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<1x12x4xf32>
    %concat = tensor.concat dim(2) %18, %18 : (tensor<1x12x4xf32>, tensor<1x12x4xf32>) -> tensor<1x12x8xf32>
    %19 = tensor.empty() : tensor<1x12x8xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x12x8xf32>) outs(%19 : tensor<1x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.cos %in : f32
      linalg.yield %170 : f32
    } -> tensor<1x12x8xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x12x8xf32>) outs(%19 : tensor<1x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.sin %in : f32
      linalg.yield %170 : f32
    } -> tensor<1x12x8xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %23 = tensor.empty() : tensor<2x12x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_10 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_8 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x12x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %28 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %30 = linalg.generic {indexing_maps = [#map12, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8, %29 : tensor<16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %31 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<16x16xf32>) outs(%31 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %30 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %32 = tensor.empty() : tensor<24x16xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %34 = linalg.matmul ins(%collapsed, %transposed : tensor<24x16xf32>, tensor<16x16xf32>) outs(%33 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_15 = tensor.expand_shape %34 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %35 = tensor.empty() : tensor<2x2x12x8xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x12x2x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %36 = tensor.empty() : tensor<16x8xf32>
    %transposed_17 = linalg.transpose ins(%arg2 : tensor<8x16xf32>) outs(%36 : tensor<16x8xf32>) permutation = [1, 0] 
    %37 = tensor.empty() : tensor<24x8xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<24x8xf32>) -> tensor<24x8xf32>
    %39 = linalg.matmul ins(%collapsed, %transposed_17 : tensor<24x16xf32>, tensor<16x8xf32>) outs(%38 : tensor<24x8xf32>) -> tensor<24x8xf32>
    %expanded_18 = tensor.expand_shape %39 [[0, 1], [2, 3]] output_shape [2, 12, 1, 8] : tensor<24x8xf32> into tensor<2x12x1x8xf32>
    %40 = tensor.empty() : tensor<2x1x12x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<2x12x1x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_20 = linalg.transpose ins(%arg3 : tensor<8x16xf32>) outs(%36 : tensor<16x8xf32>) permutation = [1, 0] 
    %41 = linalg.matmul ins(%collapsed, %transposed_20 : tensor<24x16xf32>, tensor<16x8xf32>) outs(%38 : tensor<24x8xf32>) -> tensor<24x8xf32>
    %expanded_21 = tensor.expand_shape %41 [[0, 1], [2, 3]] output_shape [2, 12, 1, 8] : tensor<24x8xf32> into tensor<2x12x1x8xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<2x12x1x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_23 = tensor.expand_shape %20 [[0], [1, 2], [3]] output_shape [1, 1, 12, 8] : tensor<1x12x8xf32> into tensor<1x1x12x8xf32>
    %expanded_24 = tensor.expand_shape %21 [[0], [1, 2], [3]] output_shape [1, 1, 12, 8] : tensor<1x12x8xf32> into tensor<1x1x12x8xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16, %expanded_23 : tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x8xf32>
    %extracted_slice = tensor.extract_slice %transposed_16[0, 0, 0, 0] [2, 2, 12, 4] [1, 1, 1, 1] : tensor<2x2x12x8xf32> to tensor<2x2x12x4xf32>
    %extracted_slice_25 = tensor.extract_slice %transposed_16[0, 0, 0, 4] [2, 2, 12, 4] [1, 1, 1, 1] : tensor<2x2x12x8xf32> to tensor<2x2x12x4xf32>
    %43 = tensor.empty() : tensor<2x2x12x4xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_25 : tensor<2x2x12x4xf32>) outs(%43 : tensor<2x2x12x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.negf %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x4xf32>
    %concat_26 = tensor.concat dim(3) %44, %extracted_slice : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x8xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_26, %expanded_24 : tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x8xf32>
    %46 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %45 : tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x8xf32>
    %47 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19, %expanded_23 : tensor<2x1x12x8xf32>, tensor<1x1x12x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x8xf32>
    %extracted_slice_27 = tensor.extract_slice %transposed_19[0, 0, 0, 0] [2, 1, 12, 4] [1, 1, 1, 1] : tensor<2x1x12x8xf32> to tensor<2x1x12x4xf32>
    %extracted_slice_28 = tensor.extract_slice %transposed_19[0, 0, 0, 4] [2, 1, 12, 4] [1, 1, 1, 1] : tensor<2x1x12x8xf32> to tensor<2x1x12x4xf32>
    %48 = tensor.empty() : tensor<2x1x12x4xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_28 : tensor<2x1x12x4xf32>) outs(%48 : tensor<2x1x12x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.negf %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x4xf32>
    %concat_29 = tensor.concat dim(3) %49, %extracted_slice_27 : (tensor<2x1x12x4xf32>, tensor<2x1x12x4xf32>) -> tensor<2x1x12x8xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_29, %expanded_24 : tensor<2x1x12x8xf32>, tensor<1x1x12x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x8xf32>
    %51 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %50 : tensor<2x1x12x8xf32>, tensor<2x1x12x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x8xf32>
    %52 = tensor.empty() : tensor<2x1x2x12x8xf32>
    %53 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<2x1x12x8xf32>) outs(%52 : tensor<2x1x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x12x8xf32>
    %collapsed_30 = tensor.collapse_shape %53 [[0], [1, 2], [3], [4]] : tensor<2x1x2x12x8xf32> into tensor<2x2x12x8xf32>
    %54 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<2x1x12x8xf32>) outs(%52 : tensor<2x1x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x12x8xf32>
    %55 = tensor.empty() : tensor<2x1x12x12xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map7, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %cst_3, %cst_4 : tensor<2x1x12x12xi1>, tensor<f32>, tensor<f32>) outs(%55 : tensor<2x1x12x12xf32>) {
    ^bb0(%in: i1, %in_89: f32, %in_90: f32, %out: f32):
      %170 = arith.select %in, %in_89, %in_90 : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x12xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x2x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_6 : f64 to f32
      %171 = arith.mulf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x2x12x8xf32>
    %58 = tensor.empty() : tensor<2x2x8x12xf32>
    %transposed_31 = linalg.transpose ins(%collapsed_30 : tensor<2x2x12x8xf32>) outs(%58 : tensor<2x2x8x12xf32>) permutation = [0, 1, 3, 2] 
    %59 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_31 : tensor<2x2x8x12xf32>) outs(%58 : tensor<2x2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_6 : f64 to f32
      %171 = arith.mulf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x2x8x12xf32>
    %collapsed_32 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %collapsed_33 = tensor.collapse_shape %59 [[0, 1], [2], [3]] : tensor<2x2x8x12xf32> into tensor<4x8x12xf32>
    %60 = tensor.empty() : tensor<4x12x12xf32>
    %61 = linalg.fill ins(%cst : f32) outs(%60 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %62 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<4x12x8xf32>, tensor<4x8x12xf32>) outs(%61 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_34 = tensor.expand_shape %62 [[0, 1], [2], [3]] output_shape [2, 2, 12, 12] : tensor<4x12x12xf32> into tensor<2x2x12x12xf32>
    %63 = tensor.empty() : tensor<2x2x12x12xf32>
    %64 = linalg.generic {indexing_maps = [#map6, #map16, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34, %56 : tensor<2x2x12x12xf32>, tensor<2x1x12x12xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %65 = tensor.empty() : tensor<2x2x12xi64>
    %66 = linalg.fill ins(%c0_i64 : i64) outs(%65 : tensor<2x2x12xi64>) -> tensor<2x2x12xi64>
    %67 = tensor.empty() : tensor<2x2x12xf32>
    %68 = linalg.fill ins(%cst_0 : f32) outs(%67 : tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %69:2 = linalg.generic {indexing_maps = [#map6, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%64 : tensor<2x2x12x12xf32>) outs(%68, %66 : tensor<2x2x12xf32>, tensor<2x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_89: i64):
      %170 = linalg.index 3 : index
      %171 = arith.index_cast %170 : index to i64
      %172 = arith.maximumf %in, %out : f32
      %173 = arith.cmpf ogt, %in, %out : f32
      %174 = arith.select %173, %171, %out_89 : i64
      linalg.yield %172, %174 : f32, i64
    } -> (tensor<2x2x12xf32>, tensor<2x2x12xi64>)
    %expanded_35 = tensor.expand_shape %69#0 [[0], [1], [2, 3]] output_shape [2, 2, 12, 1] : tensor<2x2x12xf32> into tensor<2x2x12x1xf32>
    %70 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %expanded_35 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.subf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %71 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<2x2x12x12xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.exp %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %72 = tensor.empty() : tensor<2x2x12x1xf32>
    %73 = linalg.fill ins(%cst : f32) outs(%72 : tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %74 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<2x2x12x12xf32>) outs(%73 : tensor<2x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x1xf32>
    %75 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %74 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.divf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %76 = tensor.empty() : tensor<2x2x12x12xi1>
    %77 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<2x2x12x12xf32>) outs(%76 : tensor<2x2x12x12xi1>) {
    ^bb0(%in: f32, %out: i1):
      %170 = arith.extf %in : f32 to f64
      %171 = arith.cmpf oeq, %170, %cst_7 : f64
      linalg.yield %171 : i1
    } -> tensor<2x2x12x12xi1>
    %78 = tensor.empty() : tensor<2x2x12x1xi1>
    %79 = linalg.fill ins(%true : i1) outs(%78 : tensor<2x2x12x1xi1>) -> tensor<2x2x12x1xi1>
    %80 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%77 : tensor<2x2x12x12xi1>) outs(%79 : tensor<2x2x12x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %170 = arith.andi %in, %out : i1
      linalg.yield %170 : i1
    } -> tensor<2x2x12x1xi1>
    %81 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %cst_2, %75 : tensor<2x2x12x1xi1>, tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: i1, %in_89: f32, %in_90: f32, %out: f32):
      %170 = arith.select %in, %in_89, %in_90 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %collapsed_36 = tensor.collapse_shape %81 [[0, 1], [2], [3]] : tensor<2x2x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_37 = tensor.collapse_shape %54 [[0, 1, 2], [3], [4]] : tensor<2x1x2x12x8xf32> into tensor<4x12x8xf32>
    %82 = tensor.empty() : tensor<4x12x8xf32>
    %83 = linalg.fill ins(%cst : f32) outs(%82 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %84 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<4x12x12xf32>, tensor<4x12x8xf32>) outs(%83 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %expanded_38 = tensor.expand_shape %84 [[0, 1], [2], [3]] output_shape [2, 2, 12, 8] : tensor<4x12x8xf32> into tensor<2x2x12x8xf32>
    %85 = tensor.empty() : tensor<2x12x2x8xf32>
    %transposed_39 = linalg.transpose ins(%expanded_38 : tensor<2x2x12x8xf32>) outs(%85 : tensor<2x12x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_40 = tensor.collapse_shape %transposed_39 [[0], [1], [2, 3]] : tensor<2x12x2x8xf32> into tensor<2x12x16xf32>
    %transposed_41 = linalg.transpose ins(%arg4 : tensor<16x16xf32>) outs(%31 : tensor<16x16xf32>) permutation = [1, 0] 
    %86 = tensor.empty() : tensor<2x16x16xf32>
    %87 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_41 : tensor<16x16xf32>) outs(%86 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %88 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %89 = linalg.batch_matmul ins(%collapsed_40, %87 : tensor<2x12x16xf32>, tensor<2x16x16xf32>) outs(%88 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %89 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_10 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_8 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x12x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %95 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %97 = linalg.generic {indexing_maps = [#map12, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9, %96 : tensor<16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %98 = tensor.empty() : tensor<16x24xf32>
    %transposed_42 = linalg.transpose ins(%arg5 : tensor<24x16xf32>) outs(%98 : tensor<16x24xf32>) permutation = [1, 0] 
    %collapsed_43 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %99 = tensor.empty() : tensor<24x24xf32>
    %100 = linalg.fill ins(%cst : f32) outs(%99 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %101 = linalg.matmul ins(%collapsed_43, %transposed_42 : tensor<24x16xf32>, tensor<16x24xf32>) outs(%100 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %expanded_44 = tensor.expand_shape %101 [[0, 1], [2]] output_shape [2, 12, 24] : tensor<24x24xf32> into tensor<2x12x24xf32>
    %102 = tensor.empty() : tensor<2x12x24xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<2x12x24xf32>) outs(%102 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.negf %in : f32
      %171 = math.exp %170 : f32
      %172 = arith.addf %171, %cst_1 : f32
      %173 = arith.divf %cst_1, %172 : f32
      linalg.yield %173 : f32
    } -> tensor<2x12x24xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44, %103 : tensor<2x12x24xf32>, tensor<2x12x24xf32>) outs(%102 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x24xf32>
    %transposed_45 = linalg.transpose ins(%arg6 : tensor<24x16xf32>) outs(%98 : tensor<16x24xf32>) permutation = [1, 0] 
    %105 = linalg.matmul ins(%collapsed_43, %transposed_45 : tensor<24x16xf32>, tensor<16x24xf32>) outs(%100 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %expanded_46 = tensor.expand_shape %105 [[0, 1], [2]] output_shape [2, 12, 24] : tensor<24x24xf32> into tensor<2x12x24xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %expanded_46 : tensor<2x12x24xf32>, tensor<2x12x24xf32>) outs(%102 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x24xf32>
    %transposed_47 = linalg.transpose ins(%arg7 : tensor<16x24xf32>) outs(%32 : tensor<24x16xf32>) permutation = [1, 0] 
    %collapsed_48 = tensor.collapse_shape %106 [[0, 1], [2]] : tensor<2x12x24xf32> into tensor<24x24xf32>
    %107 = linalg.matmul ins(%collapsed_48, %transposed_47 : tensor<24x24xf32>, tensor<24x16xf32>) outs(%33 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_49 = tensor.expand_shape %107 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %expanded_49 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%109 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_10 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_8 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x12x1xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %113 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %115 = linalg.generic {indexing_maps = [#map12, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg17, %114 : tensor<16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %transposed_50 = linalg.transpose ins(%arg10 : tensor<16x16xf32>) outs(%31 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_51 = tensor.collapse_shape %115 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %116 = linalg.matmul ins(%collapsed_51, %transposed_50 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%33 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_52 = tensor.expand_shape %116 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %transposed_53 = linalg.transpose ins(%expanded_52 : tensor<2x12x2x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_54 = linalg.transpose ins(%arg11 : tensor<8x16xf32>) outs(%36 : tensor<16x8xf32>) permutation = [1, 0] 
    %117 = linalg.matmul ins(%collapsed_51, %transposed_54 : tensor<24x16xf32>, tensor<16x8xf32>) outs(%38 : tensor<24x8xf32>) -> tensor<24x8xf32>
    %expanded_55 = tensor.expand_shape %117 [[0, 1], [2, 3]] output_shape [2, 12, 1, 8] : tensor<24x8xf32> into tensor<2x12x1x8xf32>
    %transposed_56 = linalg.transpose ins(%expanded_55 : tensor<2x12x1x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_57 = linalg.transpose ins(%arg12 : tensor<8x16xf32>) outs(%36 : tensor<16x8xf32>) permutation = [1, 0] 
    %118 = linalg.matmul ins(%collapsed_51, %transposed_57 : tensor<24x16xf32>, tensor<16x8xf32>) outs(%38 : tensor<24x8xf32>) -> tensor<24x8xf32>
    %expanded_58 = tensor.expand_shape %118 [[0, 1], [2, 3]] output_shape [2, 12, 1, 8] : tensor<24x8xf32> into tensor<2x12x1x8xf32>
    %transposed_59 = linalg.transpose ins(%expanded_58 : tensor<2x12x1x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) permutation = [0, 2, 1, 3] 
    %119 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_53, %expanded_23 : tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x8xf32>
    %extracted_slice_60 = tensor.extract_slice %transposed_53[0, 0, 0, 0] [2, 2, 12, 4] [1, 1, 1, 1] : tensor<2x2x12x8xf32> to tensor<2x2x12x4xf32>
    %extracted_slice_61 = tensor.extract_slice %transposed_53[0, 0, 0, 4] [2, 2, 12, 4] [1, 1, 1, 1] : tensor<2x2x12x8xf32> to tensor<2x2x12x4xf32>
    %120 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_61 : tensor<2x2x12x4xf32>) outs(%43 : tensor<2x2x12x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.negf %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x4xf32>
    %concat_62 = tensor.concat dim(3) %120, %extracted_slice_60 : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x8xf32>
    %121 = linalg.generic {indexing_maps = [#map6, #map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_62, %expanded_24 : tensor<2x2x12x8xf32>, tensor<1x1x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x8xf32>
    %122 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %121 : tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x8xf32>
    %123 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_56, %expanded_23 : tensor<2x1x12x8xf32>, tensor<1x1x12x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x8xf32>
    %extracted_slice_63 = tensor.extract_slice %transposed_56[0, 0, 0, 0] [2, 1, 12, 4] [1, 1, 1, 1] : tensor<2x1x12x8xf32> to tensor<2x1x12x4xf32>
    %extracted_slice_64 = tensor.extract_slice %transposed_56[0, 0, 0, 4] [2, 1, 12, 4] [1, 1, 1, 1] : tensor<2x1x12x8xf32> to tensor<2x1x12x4xf32>
    %124 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_64 : tensor<2x1x12x4xf32>) outs(%48 : tensor<2x1x12x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.negf %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x4xf32>
    %concat_65 = tensor.concat dim(3) %124, %extracted_slice_63 : (tensor<2x1x12x4xf32>, tensor<2x1x12x4xf32>) -> tensor<2x1x12x8xf32>
    %125 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_65, %expanded_24 : tensor<2x1x12x8xf32>, tensor<1x1x12x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x8xf32>
    %126 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %125 : tensor<2x1x12x8xf32>, tensor<2x1x12x8xf32>) outs(%40 : tensor<2x1x12x8xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x1x12x8xf32>
    %127 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%126 : tensor<2x1x12x8xf32>) outs(%52 : tensor<2x1x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x12x8xf32>
    %collapsed_66 = tensor.collapse_shape %127 [[0], [1, 2], [3], [4]] : tensor<2x1x2x12x8xf32> into tensor<2x2x12x8xf32>
    %128 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_59 : tensor<2x1x12x8xf32>) outs(%52 : tensor<2x1x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x12x8xf32>
    %129 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122 : tensor<2x2x12x8xf32>) outs(%35 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_6 : f64 to f32
      %171 = arith.mulf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x2x12x8xf32>
    %transposed_67 = linalg.transpose ins(%collapsed_66 : tensor<2x2x12x8xf32>) outs(%58 : tensor<2x2x8x12xf32>) permutation = [0, 1, 3, 2] 
    %130 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_67 : tensor<2x2x8x12xf32>) outs(%58 : tensor<2x2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_6 : f64 to f32
      %171 = arith.mulf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x2x8x12xf32>
    %collapsed_68 = tensor.collapse_shape %129 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %collapsed_69 = tensor.collapse_shape %130 [[0, 1], [2], [3]] : tensor<2x2x8x12xf32> into tensor<4x8x12xf32>
    %131 = linalg.batch_matmul ins(%collapsed_68, %collapsed_69 : tensor<4x12x8xf32>, tensor<4x8x12xf32>) outs(%61 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_70 = tensor.expand_shape %131 [[0, 1], [2], [3]] output_shape [2, 2, 12, 12] : tensor<4x12x12xf32> into tensor<2x2x12x12xf32>
    %132 = linalg.generic {indexing_maps = [#map6, #map16, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_70, %56 : tensor<2x2x12x12xf32>, tensor<2x1x12x12xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %133:2 = linalg.generic {indexing_maps = [#map6, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%132 : tensor<2x2x12x12xf32>) outs(%68, %66 : tensor<2x2x12xf32>, tensor<2x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_89: i64):
      %170 = linalg.index 3 : index
      %171 = arith.index_cast %170 : index to i64
      %172 = arith.maximumf %in, %out : f32
      %173 = arith.cmpf ogt, %in, %out : f32
      %174 = arith.select %173, %171, %out_89 : i64
      linalg.yield %172, %174 : f32, i64
    } -> (tensor<2x2x12xf32>, tensor<2x2x12xi64>)
    %expanded_71 = tensor.expand_shape %133#0 [[0], [1], [2, 3]] output_shape [2, 2, 12, 1] : tensor<2x2x12xf32> into tensor<2x2x12x1xf32>
    %134 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %expanded_71 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.subf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %135 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<2x2x12x12xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.exp %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %136 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%135 : tensor<2x2x12x12xf32>) outs(%73 : tensor<2x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x1xf32>
    %137 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %136 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.divf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %138 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132 : tensor<2x2x12x12xf32>) outs(%76 : tensor<2x2x12x12xi1>) {
    ^bb0(%in: f32, %out: i1):
      %170 = arith.extf %in : f32 to f64
      %171 = arith.cmpf oeq, %170, %cst_7 : f64
      linalg.yield %171 : i1
    } -> tensor<2x2x12x12xi1>
    %139 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%138 : tensor<2x2x12x12xi1>) outs(%79 : tensor<2x2x12x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %170 = arith.andi %in, %out : i1
      linalg.yield %170 : i1
    } -> tensor<2x2x12x1xi1>
    %140 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139, %cst_2, %137 : tensor<2x2x12x1xi1>, tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) outs(%63 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: i1, %in_89: f32, %in_90: f32, %out: f32):
      %170 = arith.select %in, %in_89, %in_90 : f32
      linalg.yield %170 : f32
    } -> tensor<2x2x12x12xf32>
    %collapsed_72 = tensor.collapse_shape %140 [[0, 1], [2], [3]] : tensor<2x2x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_73 = tensor.collapse_shape %128 [[0, 1, 2], [3], [4]] : tensor<2x1x2x12x8xf32> into tensor<4x12x8xf32>
    %141 = linalg.batch_matmul ins(%collapsed_72, %collapsed_73 : tensor<4x12x12xf32>, tensor<4x12x8xf32>) outs(%83 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %expanded_74 = tensor.expand_shape %141 [[0, 1], [2], [3]] output_shape [2, 2, 12, 8] : tensor<4x12x8xf32> into tensor<2x2x12x8xf32>
    %transposed_75 = linalg.transpose ins(%expanded_74 : tensor<2x2x12x8xf32>) outs(%85 : tensor<2x12x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_76 = tensor.collapse_shape %transposed_75 [[0], [1], [2, 3]] : tensor<2x12x2x8xf32> into tensor<2x12x16xf32>
    %transposed_77 = linalg.transpose ins(%arg13 : tensor<16x16xf32>) outs(%31 : tensor<16x16xf32>) permutation = [1, 0] 
    %142 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_77 : tensor<16x16xf32>) outs(%86 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %143 = linalg.batch_matmul ins(%collapsed_76, %142 : tensor<2x12x16xf32>, tensor<2x16x16xf32>) outs(%88 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %143 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %145 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%145 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_10 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_8 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x12x1xf32>
    %149 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %149 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %151 = linalg.generic {indexing_maps = [#map12, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg18, %150 : tensor<16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %transposed_78 = linalg.transpose ins(%arg14 : tensor<24x16xf32>) outs(%98 : tensor<16x24xf32>) permutation = [1, 0] 
    %collapsed_79 = tensor.collapse_shape %151 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %152 = linalg.matmul ins(%collapsed_79, %transposed_78 : tensor<24x16xf32>, tensor<16x24xf32>) outs(%100 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %expanded_80 = tensor.expand_shape %152 [[0, 1], [2]] output_shape [2, 12, 24] : tensor<24x24xf32> into tensor<2x12x24xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80 : tensor<2x12x24xf32>) outs(%102 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.negf %in : f32
      %171 = math.exp %170 : f32
      %172 = arith.addf %171, %cst_1 : f32
      %173 = arith.divf %cst_1, %172 : f32
      linalg.yield %173 : f32
    } -> tensor<2x12x24xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_80, %153 : tensor<2x12x24xf32>, tensor<2x12x24xf32>) outs(%102 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x24xf32>
    %transposed_81 = linalg.transpose ins(%arg15 : tensor<24x16xf32>) outs(%98 : tensor<16x24xf32>) permutation = [1, 0] 
    %155 = linalg.matmul ins(%collapsed_79, %transposed_81 : tensor<24x16xf32>, tensor<16x24xf32>) outs(%100 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %expanded_82 = tensor.expand_shape %155 [[0, 1], [2]] output_shape [2, 12, 24] : tensor<24x24xf32> into tensor<2x12x24xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %expanded_82 : tensor<2x12x24xf32>, tensor<2x12x24xf32>) outs(%102 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x24xf32>
    %transposed_83 = linalg.transpose ins(%arg16 : tensor<16x24xf32>) outs(%32 : tensor<24x16xf32>) permutation = [1, 0] 
    %collapsed_84 = tensor.collapse_shape %156 [[0, 1], [2]] : tensor<2x12x24xf32> into tensor<24x24xf32>
    %157 = linalg.matmul ins(%collapsed_84, %transposed_83 : tensor<24x24xf32>, tensor<24x16xf32>) outs(%33 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %expanded_85 = tensor.expand_shape %157 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %expanded_85 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.addf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%159 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %161 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_10 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_8 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<2x12x1xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<2x12x1xf32>) outs(%23 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x1xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %163 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %165 = linalg.generic {indexing_maps = [#map12, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg19, %164 : tensor<16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_89: f32, %out: f32):
      %170 = arith.mulf %in, %in_89 : f32
      linalg.yield %170 : f32
    } -> tensor<2x12x16xf32>
    %166 = tensor.empty() : tensor<16x48xf32>
    %transposed_86 = linalg.transpose ins(%arg20 : tensor<48x16xf32>) outs(%166 : tensor<16x48xf32>) permutation = [1, 0] 
    %collapsed_87 = tensor.collapse_shape %165 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %167 = tensor.empty() : tensor<24x48xf32>
    %168 = linalg.fill ins(%cst : f32) outs(%167 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %169 = linalg.matmul ins(%collapsed_87, %transposed_86 : tensor<24x16xf32>, tensor<16x48xf32>) outs(%168 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %expanded_88 = tensor.expand_shape %169 [[0, 1], [2]] output_shape [2, 12, 48] : tensor<24x48xf32> into tensor<2x12x48xf32>
    return %expanded_88 : tensor<2x12x48xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float32: "0x040000000000803FCDCCCC3D0AD7233C6F12833A",
      torch_tensor_2_12_torch.int64: "0x08000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000"
    }
  }
#-}
