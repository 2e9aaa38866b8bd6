#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map17 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<48x16xf32> {te.param = "bert.embeddings.word_embeddings.weight"}, %arg1: tensor<32x16xf32> {te.param = "bert.embeddings.position_embeddings.weight"}, %arg2: tensor<2x16xf32> {te.param = "bert.embeddings.token_type_embeddings.weight"}, %arg3: tensor<16xf32> {te.param = "bert.embeddings.LayerNorm.weight"}, %arg4: tensor<16xf32> {te.param = "bert.embeddings.LayerNorm.bias"}, %arg5: tensor<16x16xf32> {te.param = "bert.encoder.layer.0.attention.self.query.weight"}, %arg6: tensor<16xf32> {te.param = "bert.encoder.layer.0.attention.self.query.bias"}, %arg7: tensor<16x16xf32> {te.param = "bert.encoder.layer.0.attention.self.key.weight"}, %arg8: tensor<16xf32> {te.param = "bert.encoder.layer.0.attention.self.key.bias"}, %arg9: tensor<16x16xf32> {te.param = "bert.encoder.layer.0.attention.self.value.weight"}, %arg10: tensor<16xf32> {te.param = "bert.encoder.layer.0.attention.self.value.bias"}, %arg11: tensor<16x16xf32> {te.param = "bert.encoder.layer.0.attention.output.dense.weight"}, %arg12: tensor<16xf32> {te.param = "bert.encoder.layer.0.attention.output.dense.bias"}, %arg13: tensor<16xf32> {te.param = "bert.encoder.layer.0.attention.output.LayerNorm.weight"}, %arg14: tensor<16xf32> {te.param = "bert.encoder.layer.0.attention.output.LayerNorm.bias"}, %arg15: tensor<24x16xf32> {te.param = "bert.encoder.layer.0.intermediate.dense.weight"}, %arg16: tensor<24xf32> {te.param = "bert.encoder.layer.0.intermediate.dense.bias"}, %arg17: tensor<16x24xf32> {te.param = "bert.encoder.layer.0.output.dense.weight"}, %arg18: tensor<16xf32> {te.param = "bert.encoder.layer.0.output.dense.bias"}, %arg19: tensor<16xf32> {te.param = "bert.encoder.layer.0.output.LayerNorm.weight"}, %arg20: tensor<16xf32> {te.param = "bert.encoder.layer.0.output.LayerNorm.bias"}, %arg21: tensor<16x16xf32> {te.param = "bert.encoder.layer.1.attention.self.query.weight"}, %arg22: tensor<16xf32> {te.param = "bert.encoder.layer.1.attention.self.query.bias"}, %arg23: tensor<16x16xf32> {te.param = "bert.encoder.layer.1.attention.self.key.weight"}, %arg24: tensor<16xf32> {te.param = "bert.encoder.layer.1.attention.self.key.bias"}, %arg25: tensor<16x16xf32> {te.param = "bert.encoder.layer.1.attention.self.value.weight"}, %arg26: tensor<16xf32> {te.param = "bert.encoder.layer.1.attention.self.value.bias"}, %arg27: tensor<16x16xf32> {te.param = "bert.encoder.layer.1.attention.output.dense.weight"}, %arg28: tensor<16xf32> {te.param = "bert.encoder.layer.1.attention.output.dense.bias"}, %arg29: tensor<16xf32> {te.param = "bert.encoder.layer.1.attention.output.LayerNorm.weight"}, %arg30: tensor<16xf32> {te.param = "bert.encoder.layer.1.attention.output.LayerNorm.bias"}, %arg31: tensor<24x16xf32> {te.param = "bert.encoder.layer.1.intermediate.dense.weight"}, %arg32: tensor<24xf32> {te.param = "bert.encoder.layer.1.intermediate.dense.bias"}, %arg33: tensor<16x24xf32> {te.param = "bert.encoder.layer.1.output.dense.weight"}, %arg34: tensor<16xf32> {te.param = "bert.encoder.layer.1.output.dense.bias"}, %arg35: tensor<16xf32> {te.param = "bert.encoder.layer.1.output.LayerNorm.weight"}, %arg36: tensor<16xf32> {te.param = "bert.encoder.layer.1.output.LayerNorm.bias"}, %arg37: tensor<48xf32> {te.param = "cls.predictions.bias"}, %arg38: tensor<16x16xf32> {te.param = "cls.predictions.transform.dense.weight"}, %arg39: tensor<16xf32> {te.param = "cls.predictions.transform.dense.bias"}, %arg40: tensor<16xf32> {te.param = "cls.predictions.transform.LayerNorm.weight"}, %arg41: tensor<16xf32> {te.param = "cls.predictions.transform.LayerNorm.bias"}, %arg42: tensor<48x16xf32> {te.param = "cls.predictions.decoder.weight"}, %arg43: tensor<48xf32> {te.param = "cls.predictions.decoder.bias"}, %arg44: tensor<2x12xi64> {te.input = "input_ids"}, %arg45: tensor<2x12xi64> {te.input = "attention_mask"}) -> (tensor<2x12x48xf32> {te.output = "logits"}) {
    %c0_i64 = arith.constant 0 : i64
    %c12_i64 = arith.constant 12 : i64
    %c32 = arith.constant 32 : index
    %c2 = arith.constant 2 : index
    %c48 = arith.constant 48 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x2x12x12xf32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_6 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_7 = arith.constant dense<true> : tensor<i1>
    %cst_8 = arith.constant 0.59460355750136051 : f64
    %cst_9 = arith.constant 0xFFF0000000000000 : f64
    %cst_10 = arith.constant 9.9999999999999998E-13 : f64
    %c0 = arith.constant 0 : index
    %cst_11 = arith.constant 1.600000e+01 : f64
    %cst_12 = arith.constant 1.600000e+01 : f32
    %cst_13 = arith.constant 1.41421354 : f32
    %c2_i64 = arith.constant 2 : i64
    %cst_14 = arith.constant dense_resource<torch_tensor_1_32_torch.int64_1> : tensor<1x32xi64>
    %cst_15 = arith.constant dense_resource<torch_tensor_1_32_torch.int64> : tensor<1x32xi64>
    %extracted_slice = tensor.extract_slice %cst_15[0, 0] [1, 12] [1, 1] : tensor<1x32xi64> to tensor<1x12xi64>
    %0 = tensor.empty() : tensor<1x12xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<1x12xi64>) -> tensor<1x12xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<1x12xi64>) outs(%1 : tensor<1x12xi64>) {
    ^bb0(%in: i64, %out: i64):
      %232 = arith.index_cast %in : i64 to index
      %233 = arith.cmpi slt, %232, %c32 : index
      cf.assert %233, "index must be smaller than dim size"
      %234 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %234, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_14[%c0, %232] : tensor<1x32xi64>
      linalg.yield %extracted : i64
    } -> tensor<1x12xi64>
    %3 = tensor.empty() : tensor<2x12xi64>
    %collapsed = tensor.collapse_shape %2 [[0, 1]] : tensor<1x12xi64> into tensor<12xi64>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<12xi64>) outs(%3 : tensor<2x12xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<2x12xi64>
    %5 = tensor.empty() : tensor<2x12x16xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg44 : tensor<2x12xi64>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %232 = arith.index_cast %in : i64 to index
      %233 = linalg.index 2 : index
      %234 = arith.cmpi slt, %232, %c48 : index
      cf.assert %234, "index must be smaller than dim size"
      %235 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %235, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%232, %233] : tensor<48x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x12x16xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x12xi64>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %232 = arith.index_cast %in : i64 to index
      %233 = linalg.index 2 : index
      %234 = arith.cmpi slt, %232, %c2 : index
      cf.assert %234, "index must be smaller than dim size"
      %235 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %235, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%232, %233] : tensor<2x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x12x16xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %9 = tensor.empty() : tensor<1x12x16xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x12xi64>) outs(%9 : tensor<1x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %232 = arith.index_cast %in : i64 to index
      %233 = linalg.index 2 : index
      %234 = arith.cmpi slt, %232, %c32 : index
      cf.assert %234, "index must be smaller than dim size"
      %235 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %235, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%232, %233] : tensor<32x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x12x16xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<2x12x16xf32>, tensor<1x12x16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %12 = tensor.empty() : tensor<2x12x16xf64>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x12x16xf32>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %232 = arith.extf %in : f32 to f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %14 = tensor.empty() : tensor<2x12x1xf64>
    %15 = linalg.fill ins(%cst : f64) outs(%14 : tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %16 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %18 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %17 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.subf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %19 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %18 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.mulf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %20 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %22 = tensor.empty() : tensor<2x12x1xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %232 = arith.truncf %in : f64 to f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_12 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_10 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x12x1xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %26 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %28 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %arg3 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %arg4 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %33 = tensor.empty() : tensor<2x12xi1>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg45 : tensor<2x12xi64>) outs(%33 : tensor<2x12xi1>) {
    ^bb0(%in: i64, %out: i1):
      %232 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %232 : i1
    } -> tensor<2x12xi1>
    %35 = tensor.empty() : tensor<2xi64>
    %36 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%35 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %232 = linalg.index 0 : index
      %233 = arith.index_cast %232 : index to i64
      linalg.yield %233 : i64
    } -> tensor<2xi64>
    %37 = tensor.empty() : tensor<12xi64>
    %38 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%37 : tensor<12xi64>) {
    ^bb0(%out: i64):
      %232 = linalg.index 0 : index
      %233 = arith.index_cast %232 : index to i64
      linalg.yield %233 : i64
    } -> tensor<12xi64>
    %expanded = tensor.expand_shape %36 [[0, 1, 2, 3]] output_shape [2, 1, 1, 1] : tensor<2xi64> into tensor<2x1x1x1xi64>
    %expanded_16 = tensor.expand_shape %38 [[0, 1, 2, 3]] output_shape [1, 1, 12, 1] : tensor<12xi64> into tensor<1x1x12x1xi64>
    %expanded_17 = tensor.expand_shape %38 [[0, 1, 2, 3]] output_shape [1, 1, 1, 12] : tensor<12xi64> into tensor<1x1x1x12xi64>
    %39 = tensor.empty() : tensor<1x1x12x1xi1>
    %40 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x1x12x1xi64>) outs(%39 : tensor<1x1x12x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %232 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %232 : i1
    } -> tensor<1x1x12x1xi1>
    %41 = linalg.generic {indexing_maps = [#map9, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7, %40 : tensor<i1>, tensor<1x1x12x1xi1>) outs(%39 : tensor<1x1x12x1xi1>) {
    ^bb0(%in: i1, %in_75: i1, %out: i1):
      %232 = arith.andi %in, %in_75 : i1
      linalg.yield %232 : i1
    } -> tensor<1x1x12x1xi1>
    %42 = tensor.empty() : tensor<2x1x1x12xi1>
    %43 = linalg.generic {indexing_maps = [#map10, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_17 : tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>) outs(%42 : tensor<2x1x1x12xi1>) {
    ^bb0(%in: i64, %in_75: i64, %out: i1):
      %232 = arith.cmpi slt, %in, %c0_i64 : i64
      %233 = arith.addi %in, %c2_i64 : i64
      %234 = arith.select %232, %233, %in : i64
      %235 = arith.index_cast %234 : i64 to index
      %236 = arith.cmpi slt, %in_75, %c0_i64 : i64
      %237 = arith.addi %in_75, %c12_i64 : i64
      %238 = arith.select %236, %237, %in_75 : i64
      %239 = arith.index_cast %238 : i64 to index
      %extracted = tensor.extract %34[%235, %239] : tensor<2x12xi1>
      linalg.yield %extracted : i1
    } -> tensor<2x1x1x12xi1>
    %44 = tensor.empty() : tensor<2x1x12x12xi1>
    %45 = linalg.generic {indexing_maps = [#map12, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %43 : tensor<1x1x12x1xi1>, tensor<2x1x1x12xi1>) outs(%44 : tensor<2x1x12x12xi1>) {
    ^bb0(%in: i1, %in_75: i1, %out: i1):
      %232 = arith.andi %in, %in_75 : i1
      linalg.yield %232 : i1
    } -> tensor<2x1x12x12xi1>
    %collapsed_18 = tensor.collapse_shape %32 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %46 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%arg5 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %47 = tensor.empty() : tensor<24x16xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %49 = linalg.matmul ins(%collapsed_18, %transposed : tensor<24x16xf32>, tensor<16x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%49, %50 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_19 = tensor.expand_shape %51 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %52 = tensor.empty() : tensor<2x2x12x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<2x12x2x8xf32>) outs(%52 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_21 = linalg.transpose ins(%arg7 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %53 = linalg.matmul ins(%collapsed_18, %transposed_21 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%53, %54 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_22 = tensor.expand_shape %55 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %transposed_23 = linalg.transpose ins(%arg9 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %56 = linalg.matmul ins(%collapsed_18, %transposed_23 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%56, %57 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_24 = tensor.expand_shape %58 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<2x12x2x8xf32>) outs(%52 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %59 = tensor.empty() : tensor<2x1x12x12xf32>
    %60 = linalg.generic {indexing_maps = [#map8, #map9, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %cst_5, %cst_6 : tensor<2x1x12x12xi1>, tensor<f32>, tensor<f32>) outs(%59 : tensor<2x1x12x12xf32>) {
    ^bb0(%in: i1, %in_75: f32, %in_76: f32, %out: f32):
      %232 = arith.select %in, %in_75, %in_76 : f32
      linalg.yield %232 : f32
    } -> tensor<2x1x12x12xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<2x2x12x8xf32>) outs(%52 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_8 : f64 to f32
      %233 = arith.mulf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x2x12x8xf32>
    %62 = tensor.empty() : tensor<2x2x8x12xf32>
    %transposed_26 = linalg.transpose ins(%expanded_22 : tensor<2x12x2x8xf32>) outs(%62 : tensor<2x2x8x12xf32>) permutation = [0, 2, 3, 1] 
    %63 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_26 : tensor<2x2x8x12xf32>) outs(%62 : tensor<2x2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_8 : f64 to f32
      %233 = arith.mulf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x2x8x12xf32>
    %collapsed_27 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %collapsed_28 = tensor.collapse_shape %63 [[0, 1], [2], [3]] : tensor<2x2x8x12xf32> into tensor<4x8x12xf32>
    %64 = tensor.empty() : tensor<4x12x12xf32>
    %65 = linalg.fill ins(%cst_0 : f32) outs(%64 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %66 = linalg.batch_matmul ins(%collapsed_27, %collapsed_28 : tensor<4x12x8xf32>, tensor<4x8x12xf32>) outs(%65 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_29 = tensor.expand_shape %66 [[0, 1], [2], [3]] output_shape [2, 2, 12, 12] : tensor<4x12x12xf32> into tensor<2x2x12x12xf32>
    %67 = tensor.empty() : tensor<2x2x12x12xf32>
    %68 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29, %60 : tensor<2x2x12x12xf32>, tensor<2x1x12x12xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %69 = tensor.empty() : tensor<2x2x12xi64>
    %70 = linalg.fill ins(%c0_i64 : i64) outs(%69 : tensor<2x2x12xi64>) -> tensor<2x2x12xi64>
    %71 = tensor.empty() : tensor<2x2x12xf32>
    %72 = linalg.fill ins(%cst_1 : f32) outs(%71 : tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %73:2 = linalg.generic {indexing_maps = [#map8, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%68 : tensor<2x2x12x12xf32>) outs(%72, %70 : tensor<2x2x12xf32>, tensor<2x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_75: i64):
      %232 = linalg.index 3 : index
      %233 = arith.index_cast %232 : index to i64
      %234 = arith.maximumf %in, %out : f32
      %235 = arith.cmpf ogt, %in, %out : f32
      %236 = arith.select %235, %233, %out_75 : i64
      linalg.yield %234, %236 : f32, i64
    } -> (tensor<2x2x12xf32>, tensor<2x2x12xi64>)
    %expanded_30 = tensor.expand_shape %73#0 [[0], [1], [2, 3]] output_shape [2, 2, 12, 1] : tensor<2x2x12xf32> into tensor<2x2x12x1xf32>
    %74 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %expanded_30 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %75 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<2x2x12x12xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.exp %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %76 = tensor.empty() : tensor<2x2x12x1xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%76 : tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %78 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%75 : tensor<2x2x12x12xf32>) outs(%77 : tensor<2x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x1xf32>
    %79 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %78 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.divf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %80 = tensor.empty() : tensor<2x2x12x12xi1>
    %81 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<2x2x12x12xf32>) outs(%80 : tensor<2x2x12x12xi1>) {
    ^bb0(%in: f32, %out: i1):
      %232 = arith.extf %in : f32 to f64
      %233 = arith.cmpf oeq, %232, %cst_9 : f64
      linalg.yield %233 : i1
    } -> tensor<2x2x12x12xi1>
    %82 = tensor.empty() : tensor<2x2x12x1xi1>
    %83 = linalg.fill ins(%true : i1) outs(%82 : tensor<2x2x12x1xi1>) -> tensor<2x2x12x1xi1>
    %84 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%81 : tensor<2x2x12x12xi1>) outs(%83 : tensor<2x2x12x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %232 = arith.andi %in, %out : i1
      linalg.yield %232 : i1
    } -> tensor<2x2x12x1xi1>
    %85 = linalg.generic {indexing_maps = [#map16, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %cst_4, %79 : tensor<2x2x12x1xi1>, tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: i1, %in_75: f32, %in_76: f32, %out: f32):
      %232 = arith.select %in, %in_75, %in_76 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %collapsed_31 = tensor.collapse_shape %85 [[0, 1], [2], [3]] : tensor<2x2x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_32 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %86 = tensor.empty() : tensor<4x12x8xf32>
    %87 = linalg.fill ins(%cst_0 : f32) outs(%86 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %88 = linalg.batch_matmul ins(%collapsed_31, %collapsed_32 : tensor<4x12x12xf32>, tensor<4x12x8xf32>) outs(%87 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %expanded_33 = tensor.expand_shape %88 [[0, 1], [2], [3]] output_shape [2, 2, 12, 8] : tensor<4x12x8xf32> into tensor<2x2x12x8xf32>
    %89 = tensor.empty() : tensor<2x12x2x8xf32>
    %transposed_34 = linalg.transpose ins(%expanded_33 : tensor<2x2x12x8xf32>) outs(%89 : tensor<2x12x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_35 = tensor.collapse_shape %transposed_34 [[0], [1], [2, 3]] : tensor<2x12x2x8xf32> into tensor<2x12x16xf32>
    %transposed_36 = linalg.transpose ins(%arg11 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %90 = tensor.empty() : tensor<2x16x16xf32>
    %91 = linalg.generic {indexing_maps = [#map17, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_36 : tensor<16x16xf32>) outs(%90 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %92 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %93 = linalg.batch_matmul ins(%collapsed_35, %91 : tensor<2x12x16xf32>, tensor<2x16x16xf32>) outs(%92 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %94 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %arg12 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %95 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %32 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %96 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x12x16xf32>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %232 = arith.extf %in : f32 to f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %97 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%96 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %98 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %99 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %98 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.subf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %100 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %99 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.mulf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %101 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%100 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %102 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %103 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %232 = arith.truncf %in : f64 to f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %104 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %105 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_12 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %106 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_10 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x12x1xf32>
    %107 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %105 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %109 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %107 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %arg13 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %111 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %arg14 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_37 = tensor.collapse_shape %111 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %112 = tensor.empty() : tensor<16x24xf32>
    %transposed_38 = linalg.transpose ins(%arg15 : tensor<24x16xf32>) outs(%112 : tensor<16x24xf32>) permutation = [1, 0] 
    %113 = tensor.empty() : tensor<24x24xf32>
    %114 = linalg.fill ins(%cst_0 : f32) outs(%113 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %115 = linalg.matmul ins(%collapsed_37, %transposed_38 : tensor<24x16xf32>, tensor<16x24xf32>) outs(%114 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg16 : tensor<24xf32>) outs(%113 : tensor<24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x24xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%115, %116 : tensor<24x24xf32>, tensor<24x24xf32>) outs(%113 : tensor<24x24xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x24xf32>
    %expanded_39 = tensor.expand_shape %117 [[0, 1], [2]] output_shape [2, 12, 24] : tensor<24x24xf32> into tensor<2x12x24xf32>
    %118 = tensor.empty() : tensor<2x12x24xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<2x12x24xf32>) outs(%118 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_13 : f32
      %233 = math.erf %232 : f32
      %234 = arith.addf %233, %cst_2 : f32
      %235 = arith.mulf %234, %cst_3 : f32
      %236 = arith.mulf %in, %235 : f32
      linalg.yield %236 : f32
    } -> tensor<2x12x24xf32>
    %collapsed_40 = tensor.collapse_shape %119 [[0, 1], [2]] : tensor<2x12x24xf32> into tensor<24x24xf32>
    %transposed_41 = linalg.transpose ins(%arg17 : tensor<16x24xf32>) outs(%47 : tensor<24x16xf32>) permutation = [1, 0] 
    %120 = linalg.matmul ins(%collapsed_40, %transposed_41 : tensor<24x24xf32>, tensor<24x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg18 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%120, %121 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_42 = tensor.expand_shape %122 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %123 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42, %111 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %124 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<2x12x16xf32>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %232 = arith.extf %in : f32 to f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %125 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%124 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %126 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %127 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %126 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.subf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %128 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %127 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.mulf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %129 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%128 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %130 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %131 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %232 = arith.truncf %in : f64 to f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %132 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%123 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %133 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_12 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %134 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_10 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x12x1xf32>
    %135 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %136 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %133 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %137 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %135 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %138 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %arg19 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %139 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %arg20 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_43 = tensor.collapse_shape %139 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %transposed_44 = linalg.transpose ins(%arg21 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %140 = linalg.matmul ins(%collapsed_43, %transposed_44 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg22 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%140, %141 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_45 = tensor.expand_shape %142 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<2x12x2x8xf32>) outs(%52 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_47 = linalg.transpose ins(%arg23 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %143 = linalg.matmul ins(%collapsed_43, %transposed_47 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %144 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg24 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%143, %144 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_48 = tensor.expand_shape %145 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %transposed_49 = linalg.transpose ins(%arg25 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %146 = linalg.matmul ins(%collapsed_43, %transposed_49 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg26 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %148 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%146, %147 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_50 = tensor.expand_shape %148 [[0, 1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<24x16xf32> into tensor<2x12x2x8xf32>
    %transposed_51 = linalg.transpose ins(%expanded_50 : tensor<2x12x2x8xf32>) outs(%52 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %149 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_46 : tensor<2x2x12x8xf32>) outs(%52 : tensor<2x2x12x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_8 : f64 to f32
      %233 = arith.mulf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x2x12x8xf32>
    %transposed_52 = linalg.transpose ins(%expanded_48 : tensor<2x12x2x8xf32>) outs(%62 : tensor<2x2x8x12xf32>) permutation = [0, 2, 3, 1] 
    %150 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_52 : tensor<2x2x8x12xf32>) outs(%62 : tensor<2x2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_8 : f64 to f32
      %233 = arith.mulf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x2x8x12xf32>
    %collapsed_53 = tensor.collapse_shape %149 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %collapsed_54 = tensor.collapse_shape %150 [[0, 1], [2], [3]] : tensor<2x2x8x12xf32> into tensor<4x8x12xf32>
    %151 = linalg.batch_matmul ins(%collapsed_53, %collapsed_54 : tensor<4x12x8xf32>, tensor<4x8x12xf32>) outs(%65 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_55 = tensor.expand_shape %151 [[0, 1], [2], [3]] output_shape [2, 2, 12, 12] : tensor<4x12x12xf32> into tensor<2x2x12x12xf32>
    %152 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_55, %60 : tensor<2x2x12x12xf32>, tensor<2x1x12x12xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %153:2 = linalg.generic {indexing_maps = [#map8, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%152 : tensor<2x2x12x12xf32>) outs(%72, %70 : tensor<2x2x12xf32>, tensor<2x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_75: i64):
      %232 = linalg.index 3 : index
      %233 = arith.index_cast %232 : index to i64
      %234 = arith.maximumf %in, %out : f32
      %235 = arith.cmpf ogt, %in, %out : f32
      %236 = arith.select %235, %233, %out_75 : i64
      linalg.yield %234, %236 : f32, i64
    } -> (tensor<2x2x12xf32>, tensor<2x2x12xi64>)
    %expanded_56 = tensor.expand_shape %153#0 [[0], [1], [2, 3]] output_shape [2, 2, 12, 1] : tensor<2x2x12xf32> into tensor<2x2x12x1xf32>
    %154 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152, %expanded_56 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %155 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154 : tensor<2x2x12x12xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.exp %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %156 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%155 : tensor<2x2x12x12xf32>) outs(%77 : tensor<2x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x1xf32>
    %157 = linalg.generic {indexing_maps = [#map8, #map16, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155, %156 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.divf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %158 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152 : tensor<2x2x12x12xf32>) outs(%80 : tensor<2x2x12x12xi1>) {
    ^bb0(%in: f32, %out: i1):
      %232 = arith.extf %in : f32 to f64
      %233 = arith.cmpf oeq, %232, %cst_9 : f64
      linalg.yield %233 : i1
    } -> tensor<2x2x12x12xi1>
    %159 = linalg.generic {indexing_maps = [#map8, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%158 : tensor<2x2x12x12xi1>) outs(%83 : tensor<2x2x12x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %232 = arith.andi %in, %out : i1
      linalg.yield %232 : i1
    } -> tensor<2x2x12x1xi1>
    %160 = linalg.generic {indexing_maps = [#map16, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%159, %cst_4, %157 : tensor<2x2x12x1xi1>, tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) outs(%67 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: i1, %in_75: f32, %in_76: f32, %out: f32):
      %232 = arith.select %in, %in_75, %in_76 : f32
      linalg.yield %232 : f32
    } -> tensor<2x2x12x12xf32>
    %collapsed_57 = tensor.collapse_shape %160 [[0, 1], [2], [3]] : tensor<2x2x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_58 = tensor.collapse_shape %transposed_51 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %161 = linalg.batch_matmul ins(%collapsed_57, %collapsed_58 : tensor<4x12x12xf32>, tensor<4x12x8xf32>) outs(%87 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %expanded_59 = tensor.expand_shape %161 [[0, 1], [2], [3]] output_shape [2, 2, 12, 8] : tensor<4x12x8xf32> into tensor<2x2x12x8xf32>
    %transposed_60 = linalg.transpose ins(%expanded_59 : tensor<2x2x12x8xf32>) outs(%89 : tensor<2x12x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_61 = tensor.collapse_shape %transposed_60 [[0], [1], [2, 3]] : tensor<2x12x2x8xf32> into tensor<2x12x16xf32>
    %transposed_62 = linalg.transpose ins(%arg27 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %162 = linalg.generic {indexing_maps = [#map17, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_62 : tensor<16x16xf32>) outs(%90 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %163 = linalg.batch_matmul ins(%collapsed_61, %162 : tensor<2x12x16xf32>, tensor<2x16x16xf32>) outs(%92 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %164 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %arg28 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %165 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164, %139 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %166 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x12x16xf32>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %232 = arith.extf %in : f32 to f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %167 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%166 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %168 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %169 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %168 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.subf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %170 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %169 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.mulf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %171 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%170 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %172 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %173 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %232 = arith.truncf %in : f64 to f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %174 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%165 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %175 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_12 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %176 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_10 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x12x1xf32>
    %177 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %178 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %175 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %179 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %177 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %180 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %arg29 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %181 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180, %arg30 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_63 = tensor.collapse_shape %181 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %transposed_64 = linalg.transpose ins(%arg31 : tensor<24x16xf32>) outs(%112 : tensor<16x24xf32>) permutation = [1, 0] 
    %182 = linalg.matmul ins(%collapsed_63, %transposed_64 : tensor<24x16xf32>, tensor<16x24xf32>) outs(%114 : tensor<24x24xf32>) -> tensor<24x24xf32>
    %183 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg32 : tensor<24xf32>) outs(%113 : tensor<24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x24xf32>
    %184 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%182, %183 : tensor<24x24xf32>, tensor<24x24xf32>) outs(%113 : tensor<24x24xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x24xf32>
    %expanded_65 = tensor.expand_shape %184 [[0, 1], [2]] output_shape [2, 12, 24] : tensor<24x24xf32> into tensor<2x12x24xf32>
    %185 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<2x12x24xf32>) outs(%118 : tensor<2x12x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_13 : f32
      %233 = math.erf %232 : f32
      %234 = arith.addf %233, %cst_2 : f32
      %235 = arith.mulf %234, %cst_3 : f32
      %236 = arith.mulf %in, %235 : f32
      linalg.yield %236 : f32
    } -> tensor<2x12x24xf32>
    %collapsed_66 = tensor.collapse_shape %185 [[0, 1], [2]] : tensor<2x12x24xf32> into tensor<24x24xf32>
    %transposed_67 = linalg.transpose ins(%arg33 : tensor<16x24xf32>) outs(%47 : tensor<24x16xf32>) permutation = [1, 0] 
    %186 = linalg.matmul ins(%collapsed_66, %transposed_67 : tensor<24x24xf32>, tensor<24x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg34 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %188 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%186, %187 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_68 = tensor.expand_shape %188 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %189 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_68, %181 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %190 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189 : tensor<2x12x16xf32>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %232 = arith.extf %in : f32 to f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %191 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%190 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %192 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%191 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %193 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%190, %192 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.subf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %194 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%193, %193 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.mulf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %195 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%194 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %196 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %197 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%196 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %232 = arith.truncf %in : f64 to f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %198 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%189 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %199 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_12 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %200 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_10 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x12x1xf32>
    %201 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %202 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %199 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %203 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%202, %201 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %204 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203, %arg35 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %205 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%204, %arg36 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_69 = tensor.collapse_shape %205 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %transposed_70 = linalg.transpose ins(%arg38 : tensor<16x16xf32>) outs(%46 : tensor<16x16xf32>) permutation = [1, 0] 
    %206 = linalg.matmul ins(%collapsed_69, %transposed_70 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%48 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %207 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg39 : tensor<16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %208 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%206, %207 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%47 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x16xf32>
    %expanded_71 = tensor.expand_shape %208 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %209 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_71 : tensor<2x12x16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_13 : f32
      %233 = math.erf %232 : f32
      %234 = arith.addf %233, %cst_2 : f32
      %235 = arith.mulf %234, %cst_3 : f32
      %236 = arith.mulf %in, %235 : f32
      linalg.yield %236 : f32
    } -> tensor<2x12x16xf32>
    %210 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<2x12x16xf32>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %232 = arith.extf %in : f32 to f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %211 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%210 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %212 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %213 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210, %212 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.subf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %214 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%213, %213 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%12 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_75: f64, %out: f64):
      %232 = arith.mulf %in, %in_75 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x16xf64>
    %215 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%214 : tensor<2x12x16xf64>) outs(%15 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.addf %in, %out : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %216 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%215 : tensor<2x12x1xf64>) outs(%14 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %232 = arith.divf %in, %cst_11 : f64
      linalg.yield %232 : f64
    } -> tensor<2x12x1xf64>
    %217 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %232 = arith.truncf %in : f64 to f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %218 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%209 : tensor<2x12x16xf32>) outs(%24 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.addf %in, %out : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %219 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.divf %in, %cst_12 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %220 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%217 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = arith.truncf %cst_10 : f64 to f32
      %233 = arith.addf %in, %232 : f32
      linalg.yield %233 : f32
    } -> tensor<2x12x1xf32>
    %221 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<2x12x1xf32>) outs(%22 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %232 = math.rsqrt %in : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x1xf32>
    %222 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209, %219 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.subf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %223 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222, %221 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %224 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223, %arg40 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.mulf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %225 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%224, %arg41 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%5 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_72 = tensor.collapse_shape %225 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %226 = tensor.empty() : tensor<16x48xf32>
    %transposed_73 = linalg.transpose ins(%arg42 : tensor<48x16xf32>) outs(%226 : tensor<16x48xf32>) permutation = [1, 0] 
    %227 = tensor.empty() : tensor<24x48xf32>
    %228 = linalg.fill ins(%cst_0 : f32) outs(%227 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %229 = linalg.matmul ins(%collapsed_72, %transposed_73 : tensor<24x16xf32>, tensor<16x48xf32>) outs(%228 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %230 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg43 : tensor<48xf32>) outs(%227 : tensor<24x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x48xf32>
    %231 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%229, %230 : tensor<24x48xf32>, tensor<24x48xf32>) outs(%227 : tensor<24x48xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %232 = arith.addf %in, %in_75 : f32
      linalg.yield %232 : f32
    } -> tensor<24x48xf32>
    %expanded_74 = tensor.expand_shape %231 [[0, 1], [2]] output_shape [2, 12, 48] : tensor<24x48xf32> into tensor<2x12x48xf32>
    return %expanded_74 : tensor<2x12x48xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_1_32_torch.int64_1: "0x0800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_1_32_torch.int64: "0x0800000000000000000000000100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000B000000000000000C000000000000000D000000000000000E000000000000000F0000000000000010000000000000001100000000000000120000000000000013000000000000001400000000000000150000000000000016000000000000001700000000000000180000000000000019000000000000001A000000000000001B000000000000001C000000000000001D000000000000001E000000000000001F00000000000000"
    }
  }
#-}
