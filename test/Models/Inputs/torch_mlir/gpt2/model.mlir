#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map13 = affine_map<(d0, d1, d2) -> (d2)>
#map14 = affine_map<(d0, d1) -> (d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<48x16xf32> {te.param = "transformer.wte.weight"}, %arg1: tensor<32x16xf32> {te.param = "transformer.wpe.weight"}, %arg2: tensor<16xf32> {te.param = "transformer.h.0.ln_1.weight"}, %arg3: tensor<16xf32> {te.param = "transformer.h.0.ln_1.bias"}, %arg4: tensor<16x48xf32> {te.param = "transformer.h.0.attn.c_attn.weight"}, %arg5: tensor<48xf32> {te.param = "transformer.h.0.attn.c_attn.bias"}, %arg6: tensor<16x16xf32> {te.param = "transformer.h.0.attn.c_proj.weight"}, %arg7: tensor<16xf32> {te.param = "transformer.h.0.attn.c_proj.bias"}, %arg8: tensor<16xf32> {te.param = "transformer.h.0.ln_2.weight"}, %arg9: tensor<16xf32> {te.param = "transformer.h.0.ln_2.bias"}, %arg10: tensor<16x64xf32> {te.param = "transformer.h.0.mlp.c_fc.weight"}, %arg11: tensor<64xf32> {te.param = "transformer.h.0.mlp.c_fc.bias"}, %arg12: tensor<64x16xf32> {te.param = "transformer.h.0.mlp.c_proj.weight"}, %arg13: tensor<16xf32> {te.param = "transformer.h.0.mlp.c_proj.bias"}, %arg14: tensor<16xf32> {te.param = "transformer.h.1.ln_1.weight"}, %arg15: tensor<16xf32> {te.param = "transformer.h.1.ln_1.bias"}, %arg16: tensor<16x48xf32> {te.param = "transformer.h.1.attn.c_attn.weight"}, %arg17: tensor<48xf32> {te.param = "transformer.h.1.attn.c_attn.bias"}, %arg18: tensor<16x16xf32> {te.param = "transformer.h.1.attn.c_proj.weight"}, %arg19: tensor<16xf32> {te.param = "transformer.h.1.attn.c_proj.bias"}, %arg20: tensor<16xf32> {te.param = "transformer.h.1.ln_2.weight"}, %arg21: tensor<16xf32> {te.param = "transformer.h.1.ln_2.bias"}, %arg22: tensor<16x64xf32> {te.param = "transformer.h.1.mlp.c_fc.weight"}, %arg23: tensor<64xf32> {te.param = "transformer.h.1.mlp.c_fc.bias"}, %arg24: tensor<64x16xf32> {te.param = "transformer.h.1.mlp.c_proj.weight"}, %arg25: tensor<16xf32> {te.param = "transformer.h.1.mlp.c_proj.bias"}, %arg26: tensor<16xf32> {te.param = "transformer.ln_f.weight"}, %arg27: tensor<16xf32> {te.param = "transformer.ln_f.bias"}, %arg28: tensor<2x12xi64> {te.input = "input_ids"}) -> (tensor<2x12x48xf32> {te.output = "logits"}) {
    %c0_i64 = arith.constant 0 : i64
    %c12_i64 = arith.constant 12 : i64
    %c48 = arith.constant 48 : index
    %c32 = arith.constant 32 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 0.79788456080286541 : f64
    %cst_6 = arith.constant 4.471500e-02 : f64
    %cst_7 = arith.constant 0.35355339059327379 : f64
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant 1.600000e+01 : f64
    %cst_10 = arith.constant 1.600000e+01 : f32
    %cst_11 = arith.constant 5.000000e-01 : f32
    %cst_12 = arith.constant 1.000000e+00 : f32
    %c2_i64 = arith.constant 2 : i64
    %c3_i64 = arith.constant 3 : i64
    %cst_13 = arith.constant dense_resource<torch_tensor_2_12_torch.int64> : tensor<2x12xi64>
    %0 = tensor.empty() : tensor<2x12x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg28 : tensor<2x12xi64>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %190 = arith.index_cast %in : i64 to index
      %191 = linalg.index 2 : index
      %192 = arith.cmpi slt, %190, %c48 : index
      cf.assert %192, "index must be smaller than dim size"
      %193 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %193, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%190, %191] : tensor<48x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x12x16xf32>
    %2 = tensor.empty() : tensor<12xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<12xi64>) {
    ^bb0(%out: i64):
      %190 = linalg.index 0 : index
      %191 = arith.index_cast %190 : index to i64
      linalg.yield %191 : i64
    } -> tensor<12xi64>
    %expanded = tensor.expand_shape %3 [[0, 1]] output_shape [1, 12] : tensor<12xi64> into tensor<1x12xi64>
    %4 = tensor.empty() : tensor<1x12x16xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x12xi64>) outs(%4 : tensor<1x12x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %190 = arith.index_cast %in : i64 to index
      %191 = linalg.index 2 : index
      %192 = arith.cmpi slt, %190, %c32 : index
      cf.assert %192, "index must be smaller than dim size"
      %193 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %193, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%190, %191] : tensor<32x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x12x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x12x16xf32>, tensor<1x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %7 = tensor.empty() : tensor<2x12xi1>
    %8 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<2x12xi64>) outs(%7 : tensor<2x12xi1>) {
    ^bb0(%in: i64, %out: i1):
      %190 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %190 : i1
    } -> tensor<2x12xi1>
    %9 = tensor.empty() : tensor<2xi64>
    %10 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%9 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %190 = linalg.index 0 : index
      %191 = arith.index_cast %190 : index to i64
      linalg.yield %191 : i64
    } -> tensor<2xi64>
    %expanded_14 = tensor.expand_shape %10 [[0, 1, 2, 3]] output_shape [2, 1, 1, 1] : tensor<2xi64> into tensor<2x1x1x1xi64>
    %expanded_15 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 12, 1] : tensor<12xi64> into tensor<1x1x12x1xi64>
    %expanded_16 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 12] : tensor<12xi64> into tensor<1x1x1x12xi64>
    %11 = tensor.empty() : tensor<1x1x12x12xi1>
    %12 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %expanded_15 : tensor<1x1x1x12xi64>, tensor<1x1x12x1xi64>) outs(%11 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i64, %in_67: i64, %out: i1):
      %190 = arith.cmpi sle, %in, %in_67 : i64
      linalg.yield %190 : i1
    } -> tensor<1x1x12x12xi1>
    %13 = linalg.generic {indexing_maps = [#map8, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4, %12 : tensor<i1>, tensor<1x1x12x12xi1>) outs(%11 : tensor<1x1x12x12xi1>) {
    ^bb0(%in: i1, %in_67: i1, %out: i1):
      %190 = arith.andi %in, %in_67 : i1
      linalg.yield %190 : i1
    } -> tensor<1x1x12x12xi1>
    %14 = tensor.empty() : tensor<2x1x1x12xi1>
    %15 = linalg.generic {indexing_maps = [#map9, #map10, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14, %expanded_16 : tensor<2x1x1x1xi64>, tensor<1x1x1x12xi64>) outs(%14 : tensor<2x1x1x12xi1>) {
    ^bb0(%in: i64, %in_67: i64, %out: i1):
      %190 = arith.cmpi slt, %in, %c0_i64 : i64
      %191 = arith.addi %in, %c2_i64 : i64
      %192 = arith.select %190, %191, %in : i64
      %193 = arith.index_cast %192 : i64 to index
      %194 = arith.cmpi slt, %in_67, %c0_i64 : i64
      %195 = arith.addi %in_67, %c12_i64 : i64
      %196 = arith.select %194, %195, %in_67 : i64
      %197 = arith.index_cast %196 : i64 to index
      %extracted = tensor.extract %8[%193, %197] : tensor<2x12xi1>
      linalg.yield %extracted : i1
    } -> tensor<2x1x1x12xi1>
    %16 = tensor.empty() : tensor<2x1x12x12xi1>
    %17 = linalg.generic {indexing_maps = [#map11, #map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %15 : tensor<1x1x12x12xi1>, tensor<2x1x1x12xi1>) outs(%16 : tensor<2x1x12x12xi1>) {
    ^bb0(%in: i1, %in_67: i1, %out: i1):
      %190 = arith.andi %in, %in_67 : i1
      linalg.yield %190 : i1
    } -> tensor<2x1x12x12xi1>
    %18 = tensor.empty() : tensor<2x1x12x12xf32>
    %19 = linalg.generic {indexing_maps = [#map7, #map8, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %cst_3, %cst_2 : tensor<2x1x12x12xi1>, tensor<f32>, tensor<f32>) outs(%18 : tensor<2x1x12x12xf32>) {
    ^bb0(%in: i1, %in_67: f32, %in_68: f32, %out: f32):
      %190 = arith.select %in, %in_67, %in_68 : f32
      linalg.yield %190 : f32
    } -> tensor<2x1x12x12xf32>
    %20 = tensor.empty() : tensor<2x12x16xf64>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x12x16xf32>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %190 = arith.extf %in : f32 to f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %22 = tensor.empty() : tensor<2x12x1xf64>
    %23 = linalg.fill ins(%cst : f64) outs(%22 : tensor<2x12x1xf64>) -> tensor<2x12x1xf64>
    %24 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %26 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.subf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %26 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.mulf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %28 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %30 = tensor.empty() : tensor<2x12x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x12x1xf64>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %190 = arith.truncf %in : f64 to f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x12x16xf32>) outs(%32 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %out : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.divf %in, %cst_10 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_8 : f64 to f32
      %191 = arith.addf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x1xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.rsqrt %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %34 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.subf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %36 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %arg2 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %arg3 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %collapsed = tensor.collapse_shape %40 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %41 = tensor.empty() : tensor<24x48xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %43 = linalg.matmul ins(%collapsed, %arg4 : tensor<24x16xf32>, tensor<16x48xf32>) outs(%42 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %44 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<48xf32>) outs(%41 : tensor<24x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x48xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%43, %44 : tensor<24x48xf32>, tensor<24x48xf32>) outs(%41 : tensor<24x48xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x48xf32>
    %expanded_17 = tensor.expand_shape %45 [[0, 1], [2]] output_shape [2, 12, 48] : tensor<24x48xf32> into tensor<2x12x48xf32>
    %extracted_slice = tensor.extract_slice %expanded_17[0, 0, 0] [2, 12, 16] [1, 1, 1] : tensor<2x12x48xf32> to tensor<2x12x16xf32>
    %extracted_slice_18 = tensor.extract_slice %expanded_17[0, 0, 16] [2, 12, 16] [1, 1, 1] : tensor<2x12x48xf32> to tensor<2x12x16xf32>
    %extracted_slice_19 = tensor.extract_slice %expanded_17[0, 0, 32] [2, 12, 16] [1, 1, 1] : tensor<2x12x48xf32> to tensor<2x12x16xf32>
    %expanded_20 = tensor.expand_shape %extracted_slice_18 [[0], [1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<2x12x16xf32> into tensor<2x12x2x8xf32>
    %expanded_21 = tensor.expand_shape %extracted_slice_19 [[0], [1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<2x12x16xf32> into tensor<2x12x2x8xf32>
    %46 = tensor.empty() : tensor<2x2x12x8xf32>
    %transposed = linalg.transpose ins(%expanded_21 : tensor<2x12x2x8xf32>) outs(%46 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_22 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<2x12x16xf32> into tensor<2x12x2x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<2x12x2x8xf32>) outs(%46 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %47 = tensor.empty() : tensor<2x2x8x12xf32>
    %transposed_24 = linalg.transpose ins(%expanded_20 : tensor<2x12x2x8xf32>) outs(%47 : tensor<2x2x8x12xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_25 = tensor.collapse_shape %transposed_23 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %collapsed_26 = tensor.collapse_shape %transposed_24 [[0, 1], [2], [3]] : tensor<2x2x8x12xf32> into tensor<4x8x12xf32>
    %48 = tensor.empty() : tensor<4x12x12xf32>
    %49 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %50 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<4x12x8xf32>, tensor<4x8x12xf32>) outs(%49 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_27 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [2, 2, 12, 12] : tensor<4x12x12xf32> into tensor<2x2x12x12xf32>
    %51 = tensor.empty() : tensor<2x2x12x12xf32>
    %52 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x2x12x12xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_7 : f64 to f32
      %191 = arith.mulf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x2x12x12xf32>
    %53 = linalg.generic {indexing_maps = [#map7, #map15, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %19 : tensor<2x2x12x12xf32>, tensor<2x1x12x12xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %54 = tensor.empty() : tensor<2x2x12xi64>
    %55 = linalg.fill ins(%c0_i64 : i64) outs(%54 : tensor<2x2x12xi64>) -> tensor<2x2x12xi64>
    %56 = tensor.empty() : tensor<2x2x12xf32>
    %57 = linalg.fill ins(%cst_1 : f32) outs(%56 : tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %58:2 = linalg.generic {indexing_maps = [#map7, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<2x2x12x12xf32>) outs(%57, %55 : tensor<2x2x12xf32>, tensor<2x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_67: i64):
      %190 = linalg.index 3 : index
      %191 = arith.index_cast %190 : index to i64
      %192 = arith.maximumf %in, %out : f32
      %193 = arith.cmpf ogt, %in, %out : f32
      %194 = arith.select %193, %191, %out_67 : i64
      linalg.yield %192, %194 : f32, i64
    } -> (tensor<2x2x12xf32>, tensor<2x2x12xi64>)
    %expanded_28 = tensor.expand_shape %58#0 [[0], [1], [2, 3]] output_shape [2, 2, 12, 1] : tensor<2x2x12xf32> into tensor<2x2x12x1xf32>
    %59 = linalg.generic {indexing_maps = [#map7, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %expanded_28 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.subf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %60 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<2x2x12x12xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.exp %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %61 = tensor.empty() : tensor<2x2x12x1xf32>
    %62 = linalg.fill ins(%cst_0 : f32) outs(%61 : tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %63 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<2x2x12x12xf32>) outs(%62 : tensor<2x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %out : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x1xf32>
    %64 = linalg.generic {indexing_maps = [#map7, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %63 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.divf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %collapsed_29 = tensor.collapse_shape %64 [[0, 1], [2], [3]] : tensor<2x2x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_30 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %65 = tensor.empty() : tensor<4x12x8xf32>
    %66 = linalg.fill ins(%cst_0 : f32) outs(%65 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %67 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<4x12x12xf32>, tensor<4x12x8xf32>) outs(%66 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %expanded_31 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [2, 2, 12, 8] : tensor<4x12x8xf32> into tensor<2x2x12x8xf32>
    %68 = tensor.empty() : tensor<2x12x2x8xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<2x2x12x8xf32>) outs(%68 : tensor<2x12x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0, 1], [2, 3]] : tensor<2x12x2x8xf32> into tensor<24x16xf32>
    %69 = tensor.empty() : tensor<24x16xf32>
    %70 = linalg.fill ins(%cst_0 : f32) outs(%69 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %71 = linalg.matmul ins(%collapsed_33, %arg6 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%70 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %72 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %73 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%71, %72 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x16xf32>
    %expanded_34 = tensor.expand_shape %73 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %6 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x12x16xf32>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %190 = arith.extf %in : f32 to f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %76 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %78 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %77 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.subf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %79 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %78 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.mulf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %80 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<2x12x1xf64>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %190 = arith.truncf %in : f64 to f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%74 : tensor<2x12x16xf32>) outs(%32 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %out : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.divf %in, %cst_10 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_8 : f64 to f32
      %191 = arith.addf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x1xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.rsqrt %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %84 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.subf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %86 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %arg8 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %arg9 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_35 = tensor.collapse_shape %90 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %91 = tensor.empty() : tensor<24x64xf32>
    %92 = linalg.fill ins(%cst_0 : f32) outs(%91 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %93 = linalg.matmul ins(%collapsed_35, %arg10 : tensor<24x16xf32>, tensor<16x64xf32>) outs(%92 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %94 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<64xf32>) outs(%91 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %95 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%93, %94 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%91 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x64xf32>
    %expanded_36 = tensor.expand_shape %95 [[0, 1], [2]] output_shape [2, 12, 64] : tensor<24x64xf32> into tensor<2x12x64xf32>
    %96 = tensor.empty() : tensor<2x12x64xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.mulf %in, %cst_11 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_6 : f64 to f32
      %191 = arith.mulf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x64xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36, %99 : tensor<2x12x64xf32>, tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_5 : f64 to f32
      %191 = arith.mulf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x64xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.tanh %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %cst_12 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %103 : tensor<2x12x64xf32>, tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %collapsed_37 = tensor.collapse_shape %104 [[0, 1], [2]] : tensor<2x12x64xf32> into tensor<24x64xf32>
    %105 = linalg.matmul ins(%collapsed_37, %arg12 : tensor<24x64xf32>, tensor<64x16xf32>) outs(%70 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %106 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %107 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%105, %106 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x16xf32>
    %expanded_38 = tensor.expand_shape %107 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %expanded_38 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x12x16xf32>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %190 = arith.extf %in : f32 to f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %110 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%109 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %111 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %112 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %111 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.subf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %113 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %112 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.mulf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %114 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%113 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %115 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %116 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<2x12x1xf64>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %190 = arith.truncf %in : f64 to f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%108 : tensor<2x12x16xf32>) outs(%32 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %out : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.divf %in, %cst_10 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_8 : f64 to f32
      %191 = arith.addf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x1xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.rsqrt %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %121 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %118 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.subf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %120 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %123 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %arg14 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %arg15 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_39 = tensor.collapse_shape %124 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %125 = linalg.matmul ins(%collapsed_39, %arg16 : tensor<24x16xf32>, tensor<16x48xf32>) outs(%42 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %126 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<48xf32>) outs(%41 : tensor<24x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x48xf32>
    %127 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%125, %126 : tensor<24x48xf32>, tensor<24x48xf32>) outs(%41 : tensor<24x48xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x48xf32>
    %expanded_40 = tensor.expand_shape %127 [[0, 1], [2]] output_shape [2, 12, 48] : tensor<24x48xf32> into tensor<2x12x48xf32>
    %extracted_slice_41 = tensor.extract_slice %expanded_40[0, 0, 0] [2, 12, 16] [1, 1, 1] : tensor<2x12x48xf32> to tensor<2x12x16xf32>
    %extracted_slice_42 = tensor.extract_slice %expanded_40[0, 0, 16] [2, 12, 16] [1, 1, 1] : tensor<2x12x48xf32> to tensor<2x12x16xf32>
    %extracted_slice_43 = tensor.extract_slice %expanded_40[0, 0, 32] [2, 12, 16] [1, 1, 1] : tensor<2x12x48xf32> to tensor<2x12x16xf32>
    %expanded_44 = tensor.expand_shape %extracted_slice_42 [[0], [1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<2x12x16xf32> into tensor<2x12x2x8xf32>
    %expanded_45 = tensor.expand_shape %extracted_slice_43 [[0], [1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<2x12x16xf32> into tensor<2x12x2x8xf32>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<2x12x2x8xf32>) outs(%46 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_47 = tensor.expand_shape %extracted_slice_41 [[0], [1], [2, 3]] output_shape [2, 12, 2, 8] : tensor<2x12x16xf32> into tensor<2x12x2x8xf32>
    %transposed_48 = linalg.transpose ins(%expanded_47 : tensor<2x12x2x8xf32>) outs(%46 : tensor<2x2x12x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_49 = linalg.transpose ins(%expanded_44 : tensor<2x12x2x8xf32>) outs(%47 : tensor<2x2x8x12xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_50 = tensor.collapse_shape %transposed_48 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %collapsed_51 = tensor.collapse_shape %transposed_49 [[0, 1], [2], [3]] : tensor<2x2x8x12xf32> into tensor<4x8x12xf32>
    %128 = linalg.batch_matmul ins(%collapsed_50, %collapsed_51 : tensor<4x12x8xf32>, tensor<4x8x12xf32>) outs(%49 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_52 = tensor.expand_shape %128 [[0, 1], [2], [3]] output_shape [2, 2, 12, 12] : tensor<4x12x12xf32> into tensor<2x2x12x12xf32>
    %129 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_52 : tensor<2x2x12x12xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_7 : f64 to f32
      %191 = arith.mulf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x2x12x12xf32>
    %130 = linalg.generic {indexing_maps = [#map7, #map15, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129, %19 : tensor<2x2x12x12xf32>, tensor<2x1x12x12xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %131:2 = linalg.generic {indexing_maps = [#map7, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%130 : tensor<2x2x12x12xf32>) outs(%57, %55 : tensor<2x2x12xf32>, tensor<2x2x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_67: i64):
      %190 = linalg.index 3 : index
      %191 = arith.index_cast %190 : index to i64
      %192 = arith.maximumf %in, %out : f32
      %193 = arith.cmpf ogt, %in, %out : f32
      %194 = arith.select %193, %191, %out_67 : i64
      linalg.yield %192, %194 : f32, i64
    } -> (tensor<2x2x12xf32>, tensor<2x2x12xi64>)
    %expanded_53 = tensor.expand_shape %131#0 [[0], [1], [2, 3]] output_shape [2, 2, 12, 1] : tensor<2x2x12xf32> into tensor<2x2x12x1xf32>
    %132 = linalg.generic {indexing_maps = [#map7, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130, %expanded_53 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.subf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %133 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132 : tensor<2x2x12x12xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.exp %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %134 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%133 : tensor<2x2x12x12xf32>) outs(%62 : tensor<2x2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %out : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x1xf32>
    %135 = linalg.generic {indexing_maps = [#map7, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%133, %134 : tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>) outs(%51 : tensor<2x2x12x12xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.divf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x2x12x12xf32>
    %collapsed_54 = tensor.collapse_shape %135 [[0, 1], [2], [3]] : tensor<2x2x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_55 = tensor.collapse_shape %transposed_46 [[0, 1], [2], [3]] : tensor<2x2x12x8xf32> into tensor<4x12x8xf32>
    %136 = linalg.batch_matmul ins(%collapsed_54, %collapsed_55 : tensor<4x12x12xf32>, tensor<4x12x8xf32>) outs(%66 : tensor<4x12x8xf32>) -> tensor<4x12x8xf32>
    %expanded_56 = tensor.expand_shape %136 [[0, 1], [2], [3]] output_shape [2, 2, 12, 8] : tensor<4x12x8xf32> into tensor<2x2x12x8xf32>
    %transposed_57 = linalg.transpose ins(%expanded_56 : tensor<2x2x12x8xf32>) outs(%68 : tensor<2x12x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_58 = tensor.collapse_shape %transposed_57 [[0, 1], [2, 3]] : tensor<2x12x2x8xf32> into tensor<24x16xf32>
    %137 = linalg.matmul ins(%collapsed_58, %arg18 : tensor<24x16xf32>, tensor<16x16xf32>) outs(%70 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %138 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg19 : tensor<16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %139 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%137, %138 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x16xf32>
    %expanded_59 = tensor.expand_shape %139 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_59, %108 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<2x12x16xf32>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %190 = arith.extf %in : f32 to f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %142 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%141 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %143 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %144 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %143 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.subf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %145 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %144 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.mulf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %146 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%145 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %147 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<2x12x1xf64>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %190 = arith.truncf %in : f64 to f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %149 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%140 : tensor<2x12x16xf32>) outs(%32 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %out : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.divf %in, %cst_10 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_8 : f64 to f32
      %191 = arith.addf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x1xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.rsqrt %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %150 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.subf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153, %152 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %arg20 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %arg21 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %collapsed_60 = tensor.collapse_shape %156 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %157 = linalg.matmul ins(%collapsed_60, %arg22 : tensor<24x16xf32>, tensor<16x64xf32>) outs(%92 : tensor<24x64xf32>) -> tensor<24x64xf32>
    %158 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg23 : tensor<64xf32>) outs(%91 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x64xf32>
    %159 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%157, %158 : tensor<24x64xf32>, tensor<24x64xf32>) outs(%91 : tensor<24x64xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x64xf32>
    %expanded_61 = tensor.expand_shape %159 [[0, 1], [2]] output_shape [2, 12, 64] : tensor<24x64xf32> into tensor<2x12x64xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.mulf %in, %cst_11 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %161 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_6 : f64 to f32
      %191 = arith.mulf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x64xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61, %162 : tensor<2x12x64xf32>, tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_5 : f64 to f32
      %191 = arith.mulf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x64xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.tanh %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %cst_12 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %166 : tensor<2x12x64xf32>, tensor<2x12x64xf32>) outs(%96 : tensor<2x12x64xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x64xf32>
    %collapsed_62 = tensor.collapse_shape %167 [[0, 1], [2]] : tensor<2x12x64xf32> into tensor<24x64xf32>
    %168 = linalg.matmul ins(%collapsed_62, %arg24 : tensor<24x64xf32>, tensor<64x16xf32>) outs(%70 : tensor<24x16xf32>) -> tensor<24x16xf32>
    %169 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg25 : tensor<16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<24x16xf32>
    %170 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%168, %169 : tensor<24x16xf32>, tensor<24x16xf32>) outs(%69 : tensor<24x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<24x16xf32>
    %expanded_63 = tensor.expand_shape %170 [[0, 1], [2]] output_shape [2, 12, 16] : tensor<24x16xf32> into tensor<2x12x16xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %expanded_63 : tensor<2x12x16xf32>, tensor<2x12x16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<2x12x16xf32>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %190 = arith.extf %in : f32 to f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %173 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%172 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %174 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %175 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172, %174 : tensor<2x12x16xf64>, tensor<2x12x1xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.subf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %176 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%175, %175 : tensor<2x12x16xf64>, tensor<2x12x16xf64>) outs(%20 : tensor<2x12x16xf64>) {
    ^bb0(%in: f64, %in_67: f64, %out: f64):
      %190 = arith.mulf %in, %in_67 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x16xf64>
    %177 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%176 : tensor<2x12x16xf64>) outs(%23 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.addf %in, %out : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %178 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177 : tensor<2x12x1xf64>) outs(%22 : tensor<2x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %190 = arith.divf %in, %cst_9 : f64
      linalg.yield %190 : f64
    } -> tensor<2x12x1xf64>
    %179 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178 : tensor<2x12x1xf64>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %190 = arith.truncf %in : f64 to f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%171 : tensor<2x12x16xf32>) outs(%32 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.addf %in, %out : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %181 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.divf %in, %cst_10 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %182 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = arith.truncf %cst_8 : f64 to f32
      %191 = arith.addf %in, %190 : f32
      linalg.yield %191 : f32
    } -> tensor<2x12x1xf32>
    %183 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182 : tensor<2x12x1xf32>) outs(%30 : tensor<2x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %190 = math.rsqrt %in : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x1xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171, %181 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.subf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184, %183 : tensor<2x12x16xf32>, tensor<2x12x1xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %186 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185, %arg26 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.mulf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%186, %arg27 : tensor<2x12x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x12x16xf32>) {
    ^bb0(%in: f32, %in_67: f32, %out: f32):
      %190 = arith.addf %in, %in_67 : f32
      linalg.yield %190 : f32
    } -> tensor<2x12x16xf32>
    %188 = tensor.empty() : tensor<16x48xf32>
    %transposed_64 = linalg.transpose ins(%arg0 : tensor<48x16xf32>) outs(%188 : tensor<16x48xf32>) permutation = [1, 0] 
    %collapsed_65 = tensor.collapse_shape %187 [[0, 1], [2]] : tensor<2x12x16xf32> into tensor<24x16xf32>
    %189 = linalg.matmul ins(%collapsed_65, %transposed_64 : tensor<24x16xf32>, tensor<16x48xf32>) outs(%42 : tensor<24x48xf32>) -> tensor<24x48xf32>
    %expanded_66 = tensor.expand_shape %189 [[0, 1], [2]] output_shape [2, 12, 48] : tensor<24x48xf32> into tensor<2x12x48xf32>
    return %expanded_66 : tensor<2x12x48xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_2_12_torch.int64: "0x08000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000"
    }
  }
#-}
