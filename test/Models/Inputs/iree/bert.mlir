module @jit_flat {
  func.func public @main(%arg0: tensor<32xf32> {te.param = "params.Dense_0.bias"}, %arg1: tensor<16x32xf32> {te.param = "params.Dense_0.kernel"}, %arg2: tensor<16xf32> {te.param = "params.Dense_1.bias"}, %arg3: tensor<32x16xf32> {te.param = "params.Dense_1.kernel"}, %arg4: tensor<48xf32> {te.param = "params.Dense_2.bias"}, %arg5: tensor<16x48xf32> {te.param = "params.Dense_2.kernel"}, %arg6: tensor<16xf32> {te.param = "params.LayerNorm_0.bias"}, %arg7: tensor<16xf32> {te.param = "params.LayerNorm_0.scale"}, %arg8: tensor<16xf32> {te.param = "params.LayerNorm_1.bias"}, %arg9: tensor<16xf32> {te.param = "params.LayerNorm_1.scale"}, %arg10: tensor<16xf32> {te.param = "params.LayerNorm_2.bias"}, %arg11: tensor<16xf32> {te.param = "params.LayerNorm_2.scale"}, %arg12: tensor<2x8xf32> {te.param = "params.MultiHeadDotProductAttention_0.key.bias"}, %arg13: tensor<16x2x8xf32> {te.param = "params.MultiHeadDotProductAttention_0.key.kernel"}, %arg14: tensor<16xf32> {te.param = "params.MultiHeadDotProductAttention_0.out.bias"}, %arg15: tensor<2x8x16xf32> {te.param = "params.MultiHeadDotProductAttention_0.out.kernel"}, %arg16: tensor<2x8xf32> {te.param = "params.MultiHeadDotProductAttention_0.query.bias"}, %arg17: tensor<16x2x8xf32> {te.param = "params.MultiHeadDotProductAttention_0.query.kernel"}, %arg18: tensor<2x8xf32> {te.param = "params.MultiHeadDotProductAttention_0.value.bias"}, %arg19: tensor<16x2x8xf32> {te.param = "params.MultiHeadDotProductAttention_0.value.kernel"}, %arg20: tensor<8x16xf32> {te.param = "params.positions"}, %arg21: tensor<48x16xf32> {te.param = "params.tokens.embedding"}, %arg22: tensor<2x16xf32> {te.param = "params.types.embedding"}, %arg23: tensor<2x8xi32> {te.input = "ids"}, %arg24: tensor<2x8xi32> {te.input = "attention_mask"}) -> (tensor<2x8x48xf32> {te.output = "logits"}) {
    %cst = arith.constant 2.82842708 : f32
    %cst_0 = arith.constant 1.12837911 : f32
    %cst_1 = arith.constant -0.37612626 : f32
    %cst_2 = arith.constant 0.112835854 : f32
    %cst_3 = arith.constant -0.0268538129 : f32
    %cst_4 = arith.constant 0.00518832775 : f32
    %cst_5 = arith.constant -8.0101937E-4 : f32
    %cst_6 = arith.constant 7.85386146E-5 : f32
    %cst_7 = arith.constant -88.7228394 : f32
    %cst_8 = arith.constant 0.564189494 : f32
    %cst_9 = arith.constant -0.282076746 : f32
    %cst_10 = arith.constant 0.42184633 : f32
    %cst_11 = arith.constant -1.01526523 : f32
    %cst_12 = arith.constant 2.92101908 : f32
    %cst_13 = arith.constant -7.49551868 : f32
    %cst_14 = arith.constant 1.297720e+01 : f32
    %cst_15 = arith.constant -10.477664 : f32
    %cst_16 = arith.constant 0.563825965 : f32
    %cst_17 = arith.constant -0.274112701 : f32
    %cst_18 = arith.constant 3.404880e-01 : f32
    %cst_19 = arith.constant -0.494451523 : f32
    %cst_20 = arith.constant 0.621000468 : f32
    %cst_21 = arith.constant -0.582473278 : f32
    %cst_22 = arith.constant 0.368742466 : f32
    %cst_23 = arith.constant -0.138703942 : f32
    %cst_24 = arith.constant 2.326820e-02 : f32
    %cst_25 = arith.constant 2.000000e+00 : f32
    %cst_26 = arith.constant 1.000000e+00 : f32
    %cst_27 = arith.constant 0.707106769 : f32
    %cst_28 = arith.constant 5.000000e-01 : f32
    %cst_29 = arith.constant 0xFF800000 : f32
    %cst_30 = arith.constant -3.40282347E+38 : f32
    %cst_31 = arith.constant 9.99999996E-13 : f32
    %cst_32 = arith.constant 1.600000e+01 : f32
    %cst_33 = arith.constant 0.000000e+00 : f32
    %cst_34 = arith.constant 0x7FC00000 : f32
    %true = arith.constant true
    %c47_i32 = arith.constant 47 : i32
    %c48_i32 = arith.constant 48 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_35 = arith.constant dense<0> : tensor<2x8x1xi32>
    %0 = tensor.empty() : tensor<2x8xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg23 : tensor<2x8xi32>) outs(%0 : tensor<2x8xi1>) {
    ^bb0(%in: i32, %out: i1):
      %391 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %391 : i1
    } -> tensor<2x8xi1>
    %2 = tensor.empty() : tensor<2x8xi32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg23 : tensor<2x8xi32>) outs(%2 : tensor<2x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %391 = arith.addi %in, %c48_i32 : i32
      linalg.yield %391 : i32
    } -> tensor<2x8xi32>
    %4 = tensor.empty() : tensor<2x8xi32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg23 : tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) outs(%4 : tensor<2x8xi32>) {
    ^bb0(%in: i1, %in_75: i32, %in_76: i32, %out: i32):
      %391 = arith.select %in, %in_75, %in_76 : i32
      linalg.yield %391 : i32
    } -> tensor<2x8xi32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi32> into tensor<2x8x1xi32>
    %6 = tensor.empty() : tensor<2x8x1xi1>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%6 : tensor<2x8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %391 = arith.cmpi sge, %in, %c0_i32 : i32
      linalg.yield %391 : i1
    } -> tensor<2x8x1xi1>
    %8 = tensor.empty() : tensor<2x8x1xi1>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%8 : tensor<2x8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %391 = arith.cmpi sle, %in, %c47_i32 : i32
      linalg.yield %391 : i1
    } -> tensor<2x8x1xi1>
    %10 = tensor.empty() : tensor<2x8x1xi1>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %9 : tensor<2x8x1xi1>, tensor<2x8x1xi1>) outs(%10 : tensor<2x8x1xi1>) {
    ^bb0(%in: i1, %in_75: i1, %out: i1):
      %391 = arith.andi %in, %in_75 : i1
      linalg.yield %391 : i1
    } -> tensor<2x8x1xi1>
    %12 = tensor.empty() : tensor<2x8xi1>
    %13 = linalg.fill ins(%true : i1) outs(%12 : tensor<2x8xi1>) -> tensor<2x8xi1>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x8x1xi1>) outs(%13 : tensor<2x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %391 = arith.andi %out, %in : i1
      linalg.yield %391 : i1
    } -> tensor<2x8xi1>
    %15 = tensor.empty() : tensor<2x8x1x16xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%15 : tensor<2x8x1x16xf32>) {
    ^bb0(%in: i32, %out: f32):
      %391 = arith.index_cast %in : i32 to index
      %392 = linalg.index 3 : index
      %extracted = tensor.extract %arg21[%391, %392] : tensor<48x16xf32>
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
    ^bb0(%in: i1, %in_75: f32, %out: f32):
      %391 = arith.select %in, %in_75, %cst_34 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %21 = tensor.empty() : tensor<2x8x16xf32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg20 : tensor<8x16xf32>) outs(%21 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %23 = tensor.empty() : tensor<2x8x16xf32>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %22 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%23 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %25 = tensor.empty() : tensor<2x8x1xi1>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%25 : tensor<2x8x1xi1>) {
    ^bb0(%out: i1):
      linalg.yield %true : i1
    } -> tensor<2x8x1xi1>
    %27 = tensor.empty() : tensor<2x8xi1>
    %28 = linalg.fill ins(%true : i1) outs(%27 : tensor<2x8xi1>) -> tensor<2x8xi1>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<2x8x1xi1>) outs(%28 : tensor<2x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %391 = arith.andi %out, %in : i1
      linalg.yield %391 : i1
    } -> tensor<2x8xi1>
    %30 = tensor.empty() : tensor<2x8x1x16xf32>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_35 : tensor<2x8x1xi32>) outs(%30 : tensor<2x8x1x16xf32>) {
    ^bb0(%in: i32, %out: f32):
      %391 = arith.index_cast %in : i32 to index
      %392 = linalg.index 3 : index
      %extracted = tensor.extract %arg22[%391, %392] : tensor<2x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x1x16xf32>
    %collapsed_36 = tensor.collapse_shape %31 [[0], [1], [2, 3]] : tensor<2x8x1x16xf32> into tensor<2x8x16xf32>
    %32 = tensor.empty() : tensor<2x8x16xi1>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x8xi1>) outs(%32 : tensor<2x8x16xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x8x16xi1>
    %34 = tensor.empty() : tensor<2x8x16xf32>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %collapsed_36 : tensor<2x8x16xi1>, tensor<2x8x16xf32>) outs(%34 : tensor<2x8x16xf32>) {
    ^bb0(%in: i1, %in_75: f32, %out: f32):
      %391 = arith.select %in, %in_75, %cst_34 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %36 = tensor.empty() : tensor<2x8x16xf32>
    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %35 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%36 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %38 = tensor.empty() : tensor<2x8x16xf32>
    %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<2x8x16xf32>) outs(%38 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %40 = tensor.empty() : tensor<2x8xf32>
    %41 = linalg.fill ins(%cst_33 : f32) outs(%40 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37 : tensor<2x8x16xf32>) outs(%41 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %43 = tensor.empty() : tensor<2x8xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<2x8xf32>) outs(%43 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %in, %cst_32 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %45 = tensor.empty() : tensor<2x8xf32>
    %46 = linalg.fill ins(%cst_33 : f32) outs(%45 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<2x8x16xf32>) outs(%46 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %48 = tensor.empty() : tensor<2x8xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<2x8xf32>) outs(%48 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %in, %cst_32 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %50 = tensor.empty() : tensor<2x8xf32>
    %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<2x8xf32>) outs(%50 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %52 = tensor.empty() : tensor<2x8xf32>
    %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%49, %51 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%52 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.subf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %54 = tensor.empty() : tensor<2x8xf32>
    %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<2x8xf32>) outs(%54 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.maximumf %in, %cst_33 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %expanded_37 = tensor.expand_shape %55 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %56 = tensor.empty() : tensor<2x8x16xf32>
    %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<2x8xf32>) outs(%56 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %58 = tensor.empty() : tensor<2x8x16xf32>
    %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %57 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%58 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.subf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %60 = tensor.empty() : tensor<2x8x1xf32>
    %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<2x8x1xf32>) outs(%60 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_31 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x1xf32>
    %62 = tensor.empty() : tensor<2x8x1xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<2x8x1xf32>) outs(%62 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = math.rsqrt %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x1xf32>
    %expanded_38 = tensor.expand_shape %arg7 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %64 = tensor.empty() : tensor<2x8x16xf32>
    %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x8x1xf32>) outs(%64 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %66 = tensor.empty() : tensor<2x8x16xf32>
    %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38 : tensor<1x1x16xf32>) outs(%66 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %68 = tensor.empty() : tensor<2x8x16xf32>
    %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %67 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%68 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %70 = tensor.empty() : tensor<2x8x16xf32>
    %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %69 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%70 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %expanded_39 = tensor.expand_shape %arg6 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %72 = tensor.empty() : tensor<2x8x16xf32>
    %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x1x16xf32>) outs(%72 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %74 = tensor.empty() : tensor<2x8x16xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %73 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%74 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %76 = tensor.empty() : tensor<2x8xi1>
    %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg24 : tensor<2x8xi32>) outs(%76 : tensor<2x8xi1>) {
    ^bb0(%in: i32, %out: i1):
      %391 = arith.cmpi sgt, %in, %c0_i32 : i32
      linalg.yield %391 : i1
    } -> tensor<2x8xi1>
    %78 = tensor.empty() : tensor<2x8x8xi1>
    %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x8xi1>) outs(%78 : tensor<2x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x8x8xi1>
    %80 = tensor.empty() : tensor<2x8x8xi1>
    %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x8xi1>) outs(%80 : tensor<2x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x8x8xi1>
    %82 = tensor.empty() : tensor<2x8x8xi1>
    %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %81 : tensor<2x8x8xi1>, tensor<2x8x8xi1>) outs(%82 : tensor<2x8x8xi1>) {
    ^bb0(%in: i1, %in_75: i1, %out: i1):
      %391 = arith.andi %in, %in_75 : i1
      linalg.yield %391 : i1
    } -> tensor<2x8x8xi1>
    %84 = tensor.empty() : tensor<2x8x8xf32>
    %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x8x8xi1>) outs(%84 : tensor<2x8x8xf32>) {
    ^bb0(%in: i1, %out: f32):
      %391 = arith.uitofp %in : i1 to f32
      linalg.yield %391 : f32
    } -> tensor<2x8x8xf32>
    %86 = tensor.empty() : tensor<2x1x8x8xf32>
    %87 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<2x8x8xf32>) outs(%86 : tensor<2x1x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x8x8xf32>
    %collapsed_40 = tensor.collapse_shape %75 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %collapsed_41 = tensor.collapse_shape %arg17 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %88 = tensor.empty() : tensor<16x16xf32>
    %89 = linalg.fill ins(%cst_33 : f32) outs(%88 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %90 = linalg.matmul ins(%collapsed_40, %collapsed_41 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%89 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_42 = tensor.expand_shape %90 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_43 = tensor.expand_shape %arg16 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %91 = tensor.empty() : tensor<2x8x2x8xf32>
    %92 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<1x1x2x8xf32>) outs(%91 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %93 = tensor.empty() : tensor<2x8x2x8xf32>
    %94 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_42, %92 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%93 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_44 = tensor.collapse_shape %arg13 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %95 = tensor.empty() : tensor<16x16xf32>
    %96 = linalg.fill ins(%cst_33 : f32) outs(%95 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %97 = linalg.matmul ins(%collapsed_40, %collapsed_44 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%96 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_45 = tensor.expand_shape %97 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_46 = tensor.expand_shape %arg12 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %98 = tensor.empty() : tensor<2x8x2x8xf32>
    %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_46 : tensor<1x1x2x8xf32>) outs(%98 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %100 = tensor.empty() : tensor<2x8x2x8xf32>
    %101 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_45, %99 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%100 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_47 = tensor.collapse_shape %arg19 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %102 = tensor.empty() : tensor<16x16xf32>
    %103 = linalg.fill ins(%cst_33 : f32) outs(%102 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %104 = linalg.matmul ins(%collapsed_40, %collapsed_47 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%103 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_48 = tensor.expand_shape %104 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_49 = tensor.expand_shape %arg18 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %105 = tensor.empty() : tensor<2x8x2x8xf32>
    %106 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_49 : tensor<1x1x2x8xf32>) outs(%105 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %107 = tensor.empty() : tensor<2x8x2x8xf32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_48, %106 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%107 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x2x8xf32>
    %109 = tensor.empty() : tensor<f32>
    %110 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%109 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %111 = tensor.empty() : tensor<2x8x2x8xf32>
    %112 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110 : tensor<f32>) outs(%111 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %113 = tensor.empty() : tensor<2x8x2x8xf32>
    %114 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %112 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%113 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.divf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x2x8xf32>
    %115 = tensor.empty() : tensor<2x2x8x8xf32>
    %116 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114 : tensor<2x8x2x8xf32>) outs(%115 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %117 = tensor.empty() : tensor<2x2x8x8xf32>
    %118 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<2x8x2x8xf32>) outs(%117 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_50 = tensor.collapse_shape %116 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_51 = tensor.collapse_shape %118 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %119 = tensor.empty() : tensor<4x8x8xf32>
    %120 = linalg.fill ins(%cst_33 : f32) outs(%119 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %121 = linalg.batch_matmul ins(%collapsed_50, %collapsed_51 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%120 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_52 = tensor.expand_shape %121 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %122 = tensor.empty() : tensor<2x1x8x8xi1>
    %123 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<2x1x8x8xf32>) outs(%122 : tensor<2x1x8x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %391 = arith.cmpf une, %in, %cst_33 : f32
      linalg.yield %391 : i1
    } -> tensor<2x1x8x8xi1>
    %124 = tensor.empty() : tensor<2x2x8x8xi1>
    %125 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123 : tensor<2x1x8x8xi1>) outs(%124 : tensor<2x2x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x8x8xi1>
    %126 = tensor.empty() : tensor<2x2x8x8xf32>
    %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125, %expanded_52 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>) outs(%126 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: i1, %in_75: f32, %out: f32):
      %391 = arith.select %in, %in_75, %cst_30 : f32
      linalg.yield %391 : f32
    } -> tensor<2x2x8x8xf32>
    %128 = tensor.empty() : tensor<2x2x8xf32>
    %129 = linalg.fill ins(%cst_29 : f32) outs(%128 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %130 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%127 : tensor<2x2x8x8xf32>) outs(%129 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.maximumf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x2x8xf32>
    %131 = tensor.empty() : tensor<2x2x8x8xf32>
    %132 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<2x2x8xf32>) outs(%131 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %133 = tensor.empty() : tensor<2x2x8x8xf32>
    %134 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %132 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%133 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.subf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x2x8x8xf32>
    %135 = tensor.empty() : tensor<2x2x8x8xf32>
    %136 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<2x2x8x8xf32>) outs(%135 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = math.exp %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x2x8x8xf32>
    %137 = tensor.empty() : tensor<2x2x8xf32>
    %138 = linalg.fill ins(%cst_33 : f32) outs(%137 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %139 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%136 : tensor<2x2x8x8xf32>) outs(%138 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x2x8xf32>
    %140 = tensor.empty() : tensor<2x2x8x8xf32>
    %141 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139 : tensor<2x2x8xf32>) outs(%140 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %142 = tensor.empty() : tensor<2x2x8x8xf32>
    %143 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136, %141 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%142 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.divf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x2x8x8xf32>
    %144 = tensor.empty() : tensor<2x2x8x8xf32>
    %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108 : tensor<2x8x2x8xf32>) outs(%144 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %146 = tensor.empty() : tensor<2x2x8x8xf32>
    %147 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143 : tensor<2x2x8x8xf32>) outs(%146 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_53 = tensor.collapse_shape %145 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_54 = tensor.collapse_shape %147 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %148 = tensor.empty() : tensor<4x8x8xf32>
    %149 = linalg.fill ins(%cst_33 : f32) outs(%148 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %150 = linalg.batch_matmul ins(%collapsed_53, %collapsed_54 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%149 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_55 = tensor.expand_shape %150 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %151 = tensor.empty() : tensor<2x8x2x8xf32>
    %152 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<2x2x8x8xf32>) outs(%151 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_56 = tensor.collapse_shape %152 [[0, 1], [2, 3]] : tensor<2x8x2x8xf32> into tensor<16x16xf32>
    %collapsed_57 = tensor.collapse_shape %arg15 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %153 = tensor.empty() : tensor<16x16xf32>
    %154 = linalg.fill ins(%cst_33 : f32) outs(%153 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %155 = linalg.matmul ins(%collapsed_56, %collapsed_57 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%154 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_58 = tensor.expand_shape %155 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %expanded_59 = tensor.expand_shape %arg14 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %156 = tensor.empty() : tensor<2x8x16xf32>
    %157 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_59 : tensor<1x1x16xf32>) outs(%156 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %158 = tensor.empty() : tensor<2x8x16xf32>
    %159 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_58, %157 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%158 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %160 = tensor.empty() : tensor<2x8x16xf32>
    %161 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %159 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%160 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %162 = tensor.empty() : tensor<2x8x16xf32>
    %163 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x8x16xf32>) outs(%162 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %164 = tensor.empty() : tensor<2x8xf32>
    %165 = linalg.fill ins(%cst_33 : f32) outs(%164 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %166 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%161 : tensor<2x8x16xf32>) outs(%165 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %167 = tensor.empty() : tensor<2x8xf32>
    %168 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%166 : tensor<2x8xf32>) outs(%167 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %in, %cst_32 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %169 = tensor.empty() : tensor<2x8xf32>
    %170 = linalg.fill ins(%cst_33 : f32) outs(%169 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %171 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%163 : tensor<2x8x16xf32>) outs(%170 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %172 = tensor.empty() : tensor<2x8xf32>
    %173 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%171 : tensor<2x8xf32>) outs(%172 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %in, %cst_32 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %174 = tensor.empty() : tensor<2x8xf32>
    %175 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%168 : tensor<2x8xf32>) outs(%174 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %176 = tensor.empty() : tensor<2x8xf32>
    %177 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%173, %175 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%176 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.subf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %178 = tensor.empty() : tensor<2x8xf32>
    %179 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%177 : tensor<2x8xf32>) outs(%178 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.maximumf %in, %cst_33 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %expanded_60 = tensor.expand_shape %179 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %180 = tensor.empty() : tensor<2x8x16xf32>
    %181 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<2x8xf32>) outs(%180 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %182 = tensor.empty() : tensor<2x8x16xf32>
    %183 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %181 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%182 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.subf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %184 = tensor.empty() : tensor<2x8x1xf32>
    %185 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_60 : tensor<2x8x1xf32>) outs(%184 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_31 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x1xf32>
    %186 = tensor.empty() : tensor<2x8x1xf32>
    %187 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<2x8x1xf32>) outs(%186 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = math.rsqrt %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x1xf32>
    %expanded_61 = tensor.expand_shape %arg9 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %188 = tensor.empty() : tensor<2x8x16xf32>
    %189 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<2x8x1xf32>) outs(%188 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %190 = tensor.empty() : tensor<2x8x16xf32>
    %191 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<1x1x16xf32>) outs(%190 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %192 = tensor.empty() : tensor<2x8x16xf32>
    %193 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %191 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%192 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %194 = tensor.empty() : tensor<2x8x16xf32>
    %195 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183, %193 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%194 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %expanded_62 = tensor.expand_shape %arg8 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %196 = tensor.empty() : tensor<2x8x16xf32>
    %197 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_62 : tensor<1x1x16xf32>) outs(%196 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %198 = tensor.empty() : tensor<2x8x16xf32>
    %199 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195, %197 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%198 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_63 = tensor.collapse_shape %199 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %200 = tensor.empty() : tensor<16x32xf32>
    %201 = linalg.fill ins(%cst_33 : f32) outs(%200 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %202 = linalg.matmul ins(%collapsed_63, %arg1 : tensor<16x16xf32>, tensor<16x32xf32>) outs(%201 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_64 = tensor.expand_shape %202 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %expanded_65 = tensor.expand_shape %arg0 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xf32> into tensor<1x1x32xf32>
    %203 = tensor.empty() : tensor<2x8x32xf32>
    %204 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<1x1x32xf32>) outs(%203 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %205 = tensor.empty() : tensor<2x8x32xf32>
    %206 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_64, %204 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%205 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %207 = tensor.empty() : tensor<2x8x32xf32>
    %208 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<2x8x32xf32>) outs(%207 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %cst_28 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %209 = tensor.empty() : tensor<2x8x32xf32>
    %210 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<2x8x32xf32>) outs(%209 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.negf %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %211 = tensor.empty() : tensor<2x8x32xf32>
    %212 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<2x8x32xf32>) outs(%211 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %cst_27 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %213 = tensor.empty() : tensor<2x8x32xf32>
    %214 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<2x8x32xf32>) outs(%213 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %215 = tensor.empty() : tensor<2x8x32xf32>
    %216 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<2x8x32xf32>) outs(%215 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.negf %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %217 = tensor.empty() : tensor<2x8x32xf32>
    %218 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<2x8x32xf32>) outs(%217 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = math.absf %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %219 = tensor.empty() : tensor<2x8x32xf32>
    %220 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<2x8x32xf32>) outs(%219 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %cst_26, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %221 = tensor.empty() : tensor<2x8x32xf32>
    %222 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<2x8x32xf32>) outs(%221 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = math.exp %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %223 = tensor.empty() : tensor<2x8x32xf32>
    %224 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<2x8x32xf32>) outs(%223 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %cst_26, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %225 = tensor.empty() : tensor<2x8x32xf32>
    %226 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%222, %224 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%225 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %227 = tensor.empty() : tensor<2x8x32xi1>
    %228 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<2x8x32xf32>) outs(%227 : tensor<2x8x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %391 = arith.cmpf olt, %in, %cst_25 : f32
      linalg.yield %391 : i1
    } -> tensor<2x8x32xi1>
    %229 = tensor.empty() : tensor<2x8x32xf32>
    %230 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<2x8x32xf32>) outs(%229 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %cst_24 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %231 = tensor.empty() : tensor<2x8x32xf32>
    %232 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%230 : tensor<2x8x32xf32>) outs(%231 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_23 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %233 = tensor.empty() : tensor<2x8x32xf32>
    %234 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%232, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%233 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %235 = tensor.empty() : tensor<2x8x32xf32>
    %236 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%234 : tensor<2x8x32xf32>) outs(%235 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_22 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %237 = tensor.empty() : tensor<2x8x32xf32>
    %238 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%236, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%237 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %239 = tensor.empty() : tensor<2x8x32xf32>
    %240 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%238 : tensor<2x8x32xf32>) outs(%239 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_21 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %241 = tensor.empty() : tensor<2x8x32xf32>
    %242 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%241 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %243 = tensor.empty() : tensor<2x8x32xf32>
    %244 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%242 : tensor<2x8x32xf32>) outs(%243 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_20 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %245 = tensor.empty() : tensor<2x8x32xf32>
    %246 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%245 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %247 = tensor.empty() : tensor<2x8x32xf32>
    %248 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246 : tensor<2x8x32xf32>) outs(%247 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_19 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %249 = tensor.empty() : tensor<2x8x32xf32>
    %250 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%248, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%249 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %251 = tensor.empty() : tensor<2x8x32xf32>
    %252 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%250 : tensor<2x8x32xf32>) outs(%251 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_18 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %253 = tensor.empty() : tensor<2x8x32xf32>
    %254 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%253 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %255 = tensor.empty() : tensor<2x8x32xf32>
    %256 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%254 : tensor<2x8x32xf32>) outs(%255 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_17 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %257 = tensor.empty() : tensor<2x8x32xf32>
    %258 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%256, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%257 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %259 = tensor.empty() : tensor<2x8x32xf32>
    %260 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258 : tensor<2x8x32xf32>) outs(%259 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_16 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %261 = tensor.empty() : tensor<2x8x32xf32>
    %262 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<2x8x32xf32>) outs(%261 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %cst_15 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %263 = tensor.empty() : tensor<2x8x32xf32>
    %264 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%262 : tensor<2x8x32xf32>) outs(%263 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_14 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %265 = tensor.empty() : tensor<2x8x32xf32>
    %266 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%264, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%265 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %267 = tensor.empty() : tensor<2x8x32xf32>
    %268 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%266 : tensor<2x8x32xf32>) outs(%267 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_13 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %269 = tensor.empty() : tensor<2x8x32xf32>
    %270 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%268, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%269 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %271 = tensor.empty() : tensor<2x8x32xf32>
    %272 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%270 : tensor<2x8x32xf32>) outs(%271 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_12 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %273 = tensor.empty() : tensor<2x8x32xf32>
    %274 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%272, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%273 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %275 = tensor.empty() : tensor<2x8x32xf32>
    %276 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%274 : tensor<2x8x32xf32>) outs(%275 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_11 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %277 = tensor.empty() : tensor<2x8x32xf32>
    %278 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%276, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%277 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %279 = tensor.empty() : tensor<2x8x32xf32>
    %280 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%278 : tensor<2x8x32xf32>) outs(%279 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_10 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %281 = tensor.empty() : tensor<2x8x32xf32>
    %282 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%280, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%281 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %283 = tensor.empty() : tensor<2x8x32xf32>
    %284 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%282 : tensor<2x8x32xf32>) outs(%283 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_9 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %285 = tensor.empty() : tensor<2x8x32xf32>
    %286 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%284, %220 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%285 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %287 = tensor.empty() : tensor<2x8x32xf32>
    %288 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286 : tensor<2x8x32xf32>) outs(%287 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_8 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %289 = tensor.empty() : tensor<2x8x32xf32>
    %290 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%228, %260, %288 : tensor<2x8x32xi1>, tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%289 : tensor<2x8x32xf32>) {
    ^bb0(%in: i1, %in_75: f32, %in_76: f32, %out: f32):
      %391 = arith.select %in, %in_75, %in_76 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %291 = tensor.empty() : tensor<2x8x32xf32>
    %292 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%226, %290 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%291 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %293 = tensor.empty() : tensor<2x8x32xi1>
    %294 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<2x8x32xf32>) outs(%293 : tensor<2x8x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %391 = arith.cmpf olt, %in, %cst_7 : f32
      linalg.yield %391 : i1
    } -> tensor<2x8x32xi1>
    %295 = tensor.empty() : tensor<2x8x32xf32>
    %296 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%294, %292 : tensor<2x8x32xi1>, tensor<2x8x32xf32>) outs(%295 : tensor<2x8x32xf32>) {
    ^bb0(%in: i1, %in_75: f32, %out: f32):
      %391 = arith.select %in, %cst_33, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %297 = tensor.empty() : tensor<2x8x32xi1>
    %298 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<2x8x32xf32>) outs(%297 : tensor<2x8x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %391 = arith.cmpf olt, %in, %cst_33 : f32
      linalg.yield %391 : i1
    } -> tensor<2x8x32xi1>
    %299 = tensor.empty() : tensor<2x8x32xf32>
    %300 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%296 : tensor<2x8x32xf32>) outs(%299 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.subf %cst_25, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %301 = tensor.empty() : tensor<2x8x32xf32>
    %302 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%298, %300, %296 : tensor<2x8x32xi1>, tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%301 : tensor<2x8x32xf32>) {
    ^bb0(%in: i1, %in_75: f32, %in_76: f32, %out: f32):
      %391 = arith.select %in, %in_75, %in_76 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %303 = tensor.empty() : tensor<2x8x32xf32>
    %304 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<2x8x32xf32>) outs(%303 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %cst_6 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %305 = tensor.empty() : tensor<2x8x32xf32>
    %306 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%304 : tensor<2x8x32xf32>) outs(%305 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_5 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %307 = tensor.empty() : tensor<2x8x32xf32>
    %308 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%306, %214 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%307 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %309 = tensor.empty() : tensor<2x8x32xf32>
    %310 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%308 : tensor<2x8x32xf32>) outs(%309 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_4 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %311 = tensor.empty() : tensor<2x8x32xf32>
    %312 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%310, %214 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%311 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %313 = tensor.empty() : tensor<2x8x32xf32>
    %314 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%312 : tensor<2x8x32xf32>) outs(%313 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_3 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %315 = tensor.empty() : tensor<2x8x32xf32>
    %316 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%314, %214 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%315 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %317 = tensor.empty() : tensor<2x8x32xf32>
    %318 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%316 : tensor<2x8x32xf32>) outs(%317 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_2 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %319 = tensor.empty() : tensor<2x8x32xf32>
    %320 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%318, %214 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%319 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %321 = tensor.empty() : tensor<2x8x32xf32>
    %322 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%320 : tensor<2x8x32xf32>) outs(%321 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_1 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %323 = tensor.empty() : tensor<2x8x32xf32>
    %324 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%322, %214 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%323 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %325 = tensor.empty() : tensor<2x8x32xf32>
    %326 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%324 : tensor<2x8x32xf32>) outs(%325 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_0 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %327 = tensor.empty() : tensor<2x8x32xf32>
    %328 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212, %326 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%327 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %329 = tensor.empty() : tensor<2x8x32xf32>
    %330 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%328 : tensor<2x8x32xf32>) outs(%329 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.subf %cst_26, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %331 = tensor.empty() : tensor<2x8x32xi1>
    %332 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<2x8x32xf32>) outs(%331 : tensor<2x8x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %391 = arith.cmpf olt, %in, %cst_26 : f32
      linalg.yield %391 : i1
    } -> tensor<2x8x32xi1>
    %333 = tensor.empty() : tensor<2x8x32xf32>
    %334 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%332, %330, %302 : tensor<2x8x32xi1>, tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%333 : tensor<2x8x32xf32>) {
    ^bb0(%in: i1, %in_75: f32, %in_76: f32, %out: f32):
      %391 = arith.select %in, %in_75, %in_76 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %335 = tensor.empty() : tensor<2x8x32xf32>
    %336 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%208, %334 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%335 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_66 = tensor.collapse_shape %336 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %337 = tensor.empty() : tensor<16x16xf32>
    %338 = linalg.fill ins(%cst_33 : f32) outs(%337 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %339 = linalg.matmul ins(%collapsed_66, %arg3 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%338 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_67 = tensor.expand_shape %339 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %expanded_68 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %340 = tensor.empty() : tensor<2x8x16xf32>
    %341 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_68 : tensor<1x1x16xf32>) outs(%340 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %342 = tensor.empty() : tensor<2x8x16xf32>
    %343 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_67, %341 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%342 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %344 = tensor.empty() : tensor<2x8x16xf32>
    %345 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%199, %343 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%344 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %346 = tensor.empty() : tensor<2x8x16xf32>
    %347 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%345 : tensor<2x8x16xf32>) outs(%346 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %348 = tensor.empty() : tensor<2x8xf32>
    %349 = linalg.fill ins(%cst_33 : f32) outs(%348 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %350 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%345 : tensor<2x8x16xf32>) outs(%349 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %351 = tensor.empty() : tensor<2x8xf32>
    %352 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%350 : tensor<2x8xf32>) outs(%351 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %in, %cst_32 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %353 = tensor.empty() : tensor<2x8xf32>
    %354 = linalg.fill ins(%cst_33 : f32) outs(%353 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %355 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%347 : tensor<2x8x16xf32>) outs(%354 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %out, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %356 = tensor.empty() : tensor<2x8xf32>
    %357 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%355 : tensor<2x8xf32>) outs(%356 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.divf %in, %cst_32 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %358 = tensor.empty() : tensor<2x8xf32>
    %359 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%352 : tensor<2x8xf32>) outs(%358 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.mulf %in, %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %360 = tensor.empty() : tensor<2x8xf32>
    %361 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%357, %359 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%360 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.subf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %362 = tensor.empty() : tensor<2x8xf32>
    %363 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%361 : tensor<2x8xf32>) outs(%362 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.maximumf %in, %cst_33 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8xf32>
    %expanded_69 = tensor.expand_shape %363 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %364 = tensor.empty() : tensor<2x8x16xf32>
    %365 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%352 : tensor<2x8xf32>) outs(%364 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %366 = tensor.empty() : tensor<2x8x16xf32>
    %367 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%345, %365 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%366 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.subf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %368 = tensor.empty() : tensor<2x8x1xf32>
    %369 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_69 : tensor<2x8x1xf32>) outs(%368 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = arith.addf %in, %cst_31 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x1xf32>
    %370 = tensor.empty() : tensor<2x8x1xf32>
    %371 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%369 : tensor<2x8x1xf32>) outs(%370 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %391 = math.rsqrt %in : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x1xf32>
    %expanded_70 = tensor.expand_shape %arg11 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %372 = tensor.empty() : tensor<2x8x16xf32>
    %373 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%371 : tensor<2x8x1xf32>) outs(%372 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %374 = tensor.empty() : tensor<2x8x16xf32>
    %375 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_70 : tensor<1x1x16xf32>) outs(%374 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %376 = tensor.empty() : tensor<2x8x16xf32>
    %377 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%373, %375 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%376 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %378 = tensor.empty() : tensor<2x8x16xf32>
    %379 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%367, %377 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%378 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.mulf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %expanded_71 = tensor.expand_shape %arg10 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %380 = tensor.empty() : tensor<2x8x16xf32>
    %381 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_71 : tensor<1x1x16xf32>) outs(%380 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %382 = tensor.empty() : tensor<2x8x16xf32>
    %383 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%379, %381 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%382 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_72 = tensor.collapse_shape %383 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %384 = tensor.empty() : tensor<16x48xf32>
    %385 = linalg.fill ins(%cst_33 : f32) outs(%384 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %386 = linalg.matmul ins(%collapsed_72, %arg5 : tensor<16x16xf32>, tensor<16x48xf32>) outs(%385 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %expanded_73 = tensor.expand_shape %386 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
    %expanded_74 = tensor.expand_shape %arg4 [[0, 1, 2]] output_shape [1, 1, 48] : tensor<48xf32> into tensor<1x1x48xf32>
    %387 = tensor.empty() : tensor<2x8x48xf32>
    %388 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_74 : tensor<1x1x48xf32>) outs(%387 : tensor<2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x48xf32>
    %389 = tensor.empty() : tensor<2x8x48xf32>
    %390 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_73, %388 : tensor<2x8x48xf32>, tensor<2x8x48xf32>) outs(%389 : tensor<2x8x48xf32>) {
    ^bb0(%in: f32, %in_75: f32, %out: f32):
      %391 = arith.addf %in, %in_75 : f32
      linalg.yield %391 : f32
    } -> tensor<2x8x48xf32>
    func.return %390 : tensor<2x8x48xf32>
  }
}