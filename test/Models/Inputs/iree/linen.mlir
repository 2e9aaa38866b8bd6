module @jit_flat {
  func.func public @main(%arg0: tensor<48x16xf32> {te.param = "params.Embed_0.embedding"}, %arg1: tensor<8x16xf32> {te.param = "params.Embed_1.embedding"}, %arg2: tensor<16xf32> {te.param = "params.LayerNorm_0.bias"}, %arg3: tensor<16xf32> {te.param = "params.LayerNorm_0.scale"}, %arg4: tensor<16xf32> {te.param = "params.LinenBlock_0.LayerNorm_0.bias"}, %arg5: tensor<16xf32> {te.param = "params.LinenBlock_0.LayerNorm_0.scale"}, %arg6: tensor<16xf32> {te.param = "params.LinenBlock_0.LayerNorm_1.bias"}, %arg7: tensor<16xf32> {te.param = "params.LinenBlock_0.LayerNorm_1.scale"}, %arg8: tensor<32xf32> {te.param = "params.LinenBlock_0.fc1.bias"}, %arg9: tensor<16x32xf32> {te.param = "params.LinenBlock_0.fc1.kernel"}, %arg10: tensor<16xf32> {te.param = "params.LinenBlock_0.fc2.bias"}, %arg11: tensor<32x16xf32> {te.param = "params.LinenBlock_0.fc2.kernel"}, %arg12: tensor<2x8xf32> {te.param = "params.LinenBlock_0.k.bias"}, %arg13: tensor<16x2x8xf32> {te.param = "params.LinenBlock_0.k.kernel"}, %arg14: tensor<2x8x16xf32> {te.param = "params.LinenBlock_0.out"}, %arg15: tensor<2x8xf32> {te.param = "params.LinenBlock_0.q.bias"}, %arg16: tensor<16x2x8xf32> {te.param = "params.LinenBlock_0.q.kernel"}, %arg17: tensor<2x8xf32> {te.param = "params.LinenBlock_0.v.bias"}, %arg18: tensor<16x2x8xf32> {te.param = "params.LinenBlock_0.v.kernel"}, %arg19: tensor<16xf32> {te.param = "params.LinenBlock_1.LayerNorm_0.bias"}, %arg20: tensor<16xf32> {te.param = "params.LinenBlock_1.LayerNorm_0.scale"}, %arg21: tensor<16xf32> {te.param = "params.LinenBlock_1.LayerNorm_1.bias"}, %arg22: tensor<16xf32> {te.param = "params.LinenBlock_1.LayerNorm_1.scale"}, %arg23: tensor<32xf32> {te.param = "params.LinenBlock_1.fc1.bias"}, %arg24: tensor<16x32xf32> {te.param = "params.LinenBlock_1.fc1.kernel"}, %arg25: tensor<16xf32> {te.param = "params.LinenBlock_1.fc2.bias"}, %arg26: tensor<32x16xf32> {te.param = "params.LinenBlock_1.fc2.kernel"}, %arg27: tensor<2x8xf32> {te.param = "params.LinenBlock_1.k.bias"}, %arg28: tensor<16x2x8xf32> {te.param = "params.LinenBlock_1.k.kernel"}, %arg29: tensor<2x8x16xf32> {te.param = "params.LinenBlock_1.out"}, %arg30: tensor<2x8xf32> {te.param = "params.LinenBlock_1.q.bias"}, %arg31: tensor<16x2x8xf32> {te.param = "params.LinenBlock_1.q.kernel"}, %arg32: tensor<2x8xf32> {te.param = "params.LinenBlock_1.v.bias"}, %arg33: tensor<16x2x8xf32> {te.param = "params.LinenBlock_1.v.kernel"}, %arg34: tensor<2x8xi32> {te.input = "ids"}) -> (tensor<2x8x48xf32> {te.output = "logits"}) {
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.797884583 : f32
    %cst_2 = arith.constant 4.471500e-02 : f32
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant -1.000000e+09 : f32
    %cst_5 = arith.constant 2.82842708 : f32
    %cst_6 = arith.constant 9.99999997E-7 : f32
    %cst_7 = arith.constant 1.600000e+01 : f32
    %cst_8 = arith.constant 0.000000e+00 : f32
    %c7_i32 = arith.constant 7 : i32
    %c8_i32 = arith.constant 8 : i32
    %cst_9 = arith.constant 0x7FC00000 : f32
    %true = arith.constant true
    %c47_i32 = arith.constant 47 : i32
    %c48_i32 = arith.constant 48 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<2x8xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg34 : tensor<2x8xi32>) outs(%0 : tensor<2x8xi1>) {
    ^bb0(%in: i32, %out: i1):
      %455 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %455 : i1
    } -> tensor<2x8xi1>
    %2 = tensor.empty() : tensor<2x8xi32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg34 : tensor<2x8xi32>) outs(%2 : tensor<2x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %455 = arith.addi %in, %c48_i32 : i32
      linalg.yield %455 : i32
    } -> tensor<2x8xi32>
    %4 = tensor.empty() : tensor<2x8xi32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %arg34 : tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) outs(%4 : tensor<2x8xi32>) {
    ^bb0(%in: i1, %in_79: i32, %in_80: i32, %out: i32):
      %455 = arith.select %in, %in_79, %in_80 : i32
      linalg.yield %455 : i32
    } -> tensor<2x8xi32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xi32> into tensor<2x8x1xi32>
    %6 = tensor.empty() : tensor<2x8x1xi1>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%6 : tensor<2x8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %455 = arith.cmpi sge, %in, %c0_i32 : i32
      linalg.yield %455 : i1
    } -> tensor<2x8x1xi1>
    %8 = tensor.empty() : tensor<2x8x1xi1>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%8 : tensor<2x8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %455 = arith.cmpi sle, %in, %c47_i32 : i32
      linalg.yield %455 : i1
    } -> tensor<2x8x1xi1>
    %10 = tensor.empty() : tensor<2x8x1xi1>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %9 : tensor<2x8x1xi1>, tensor<2x8x1xi1>) outs(%10 : tensor<2x8x1xi1>) {
    ^bb0(%in: i1, %in_79: i1, %out: i1):
      %455 = arith.andi %in, %in_79 : i1
      linalg.yield %455 : i1
    } -> tensor<2x8x1xi1>
    %12 = tensor.empty() : tensor<2x8xi1>
    %13 = linalg.fill ins(%true : i1) outs(%12 : tensor<2x8xi1>) -> tensor<2x8xi1>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x8x1xi1>) outs(%13 : tensor<2x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %455 = arith.andi %out, %in : i1
      linalg.yield %455 : i1
    } -> tensor<2x8xi1>
    %15 = tensor.empty() : tensor<2x8x1x16xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x8x1xi32>) outs(%15 : tensor<2x8x1x16xf32>) {
    ^bb0(%in: i32, %out: f32):
      %455 = arith.index_cast %in : i32 to index
      %456 = linalg.index 3 : index
      %extracted = tensor.extract %arg0[%455, %456] : tensor<48x16xf32>
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
    ^bb0(%in: i1, %in_79: f32, %out: f32):
      %455 = arith.select %in, %in_79, %cst_9 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %21 = tensor.empty() : tensor<8xi32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%21 : tensor<8xi32>) {
    ^bb0(%out: i32):
      %455 = linalg.index 0 : index
      %456 = arith.index_cast %455 : index to i32
      linalg.yield %456 : i32
    } -> tensor<8xi32>
    %23 = tensor.empty() : tensor<8xi1>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%22 : tensor<8xi32>) outs(%23 : tensor<8xi1>) {
    ^bb0(%in: i32, %out: i1):
      %455 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %455 : i1
    } -> tensor<8xi1>
    %25 = tensor.empty() : tensor<8xi32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%22 : tensor<8xi32>) outs(%25 : tensor<8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %455 = arith.addi %in, %c8_i32 : i32
      linalg.yield %455 : i32
    } -> tensor<8xi32>
    %27 = tensor.empty() : tensor<8xi32>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%24, %26, %22 : tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) outs(%27 : tensor<8xi32>) {
    ^bb0(%in: i1, %in_79: i32, %in_80: i32, %out: i32):
      %455 = arith.select %in, %in_79, %in_80 : i32
      linalg.yield %455 : i32
    } -> tensor<8xi32>
    %expanded_10 = tensor.expand_shape %28 [[0, 1]] output_shape [8, 1] : tensor<8xi32> into tensor<8x1xi32>
    %29 = tensor.empty() : tensor<8x1xi1>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_10 : tensor<8x1xi32>) outs(%29 : tensor<8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %455 = arith.cmpi sge, %in, %c0_i32 : i32
      linalg.yield %455 : i1
    } -> tensor<8x1xi1>
    %31 = tensor.empty() : tensor<8x1xi1>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%expanded_10 : tensor<8x1xi32>) outs(%31 : tensor<8x1xi1>) {
    ^bb0(%in: i32, %out: i1):
      %455 = arith.cmpi sle, %in, %c7_i32 : i32
      linalg.yield %455 : i1
    } -> tensor<8x1xi1>
    %33 = tensor.empty() : tensor<8x1xi1>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%30, %32 : tensor<8x1xi1>, tensor<8x1xi1>) outs(%33 : tensor<8x1xi1>) {
    ^bb0(%in: i1, %in_79: i1, %out: i1):
      %455 = arith.andi %in, %in_79 : i1
      linalg.yield %455 : i1
    } -> tensor<8x1xi1>
    %35 = tensor.empty() : tensor<8xi1>
    %36 = linalg.fill ins(%true : i1) outs(%35 : tensor<8xi1>) -> tensor<8xi1>
    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%34 : tensor<8x1xi1>) outs(%36 : tensor<8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %455 = arith.andi %out, %in : i1
      linalg.yield %455 : i1
    } -> tensor<8xi1>
    %38 = tensor.empty() : tensor<8x1x16xf32>
    %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<8x1xi32>) outs(%38 : tensor<8x1x16xf32>) {
    ^bb0(%in: i32, %out: f32):
      %455 = arith.index_cast %in : i32 to index
      %456 = linalg.index 2 : index
      %extracted = tensor.extract %arg1[%455, %456] : tensor<8x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<8x1x16xf32>
    %collapsed_11 = tensor.collapse_shape %39 [[0], [1, 2]] : tensor<8x1x16xf32> into tensor<8x16xf32>
    %40 = tensor.empty() : tensor<8x16xi1>
    %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<8xi1>) outs(%40 : tensor<8x16xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<8x16xi1>
    %42 = tensor.empty() : tensor<8x16xf32>
    %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%41, %collapsed_11 : tensor<8x16xi1>, tensor<8x16xf32>) outs(%42 : tensor<8x16xf32>) {
    ^bb0(%in: i1, %in_79: f32, %out: f32):
      %455 = arith.select %in, %in_79, %cst_9 : f32
      linalg.yield %455 : f32
    } -> tensor<8x16xf32>
    %44 = tensor.empty() : tensor<2x8x16xf32>
    %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<8x16xf32>) outs(%44 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %46 = tensor.empty() : tensor<2x8x16xf32>
    %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %45 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%46 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %48 = tensor.empty() : tensor<2x8x16xf32>
    %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<2x8x16xf32>) outs(%48 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %50 = tensor.empty() : tensor<2x8xf32>
    %51 = linalg.fill ins(%cst_8 : f32) outs(%50 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47 : tensor<2x8x16xf32>) outs(%51 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %53 = tensor.empty() : tensor<2x8xf32>
    %54 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<2x8xf32>) outs(%53 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %55 = tensor.empty() : tensor<2x8xf32>
    %56 = linalg.fill ins(%cst_8 : f32) outs(%55 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%49 : tensor<2x8x16xf32>) outs(%56 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %58 = tensor.empty() : tensor<2x8xf32>
    %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<2x8xf32>) outs(%58 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %60 = tensor.empty() : tensor<2x8xf32>
    %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<2x8xf32>) outs(%60 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %62 = tensor.empty() : tensor<2x8xf32>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%59, %61 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%62 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %64 = tensor.empty() : tensor<2x8xf32>
    %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<2x8xf32>) outs(%64 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.maximumf %in, %cst_8 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %expanded_12 = tensor.expand_shape %65 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %66 = tensor.empty() : tensor<2x8x16xf32>
    %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x8xf32>) outs(%66 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %68 = tensor.empty() : tensor<2x8x16xf32>
    %69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %67 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%68 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %70 = tensor.empty() : tensor<2x8x1xf32>
    %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<2x8x1xf32>) outs(%70 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %in, %cst_6 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %72 = tensor.empty() : tensor<2x8x1xf32>
    %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x8x1xf32>) outs(%72 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.rsqrt %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %expanded_13 = tensor.expand_shape %arg20 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %74 = tensor.empty() : tensor<2x8x16xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<2x8x1xf32>) outs(%74 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %76 = tensor.empty() : tensor<2x8x16xf32>
    %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x1x16xf32>) outs(%76 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %78 = tensor.empty() : tensor<2x8x16xf32>
    %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %77 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%78 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %80 = tensor.empty() : tensor<2x8x16xf32>
    %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %79 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%80 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %expanded_14 = tensor.expand_shape %arg19 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %82 = tensor.empty() : tensor<2x8x16xf32>
    %83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x1x16xf32>) outs(%82 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %84 = tensor.empty() : tensor<2x8x16xf32>
    %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %83 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%84 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_15 = tensor.collapse_shape %85 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %collapsed_16 = tensor.collapse_shape %arg31 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %86 = tensor.empty() : tensor<16x16xf32>
    %87 = linalg.fill ins(%cst_8 : f32) outs(%86 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %88 = linalg.matmul ins(%collapsed_15, %collapsed_16 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%87 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_17 = tensor.expand_shape %88 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_18 = tensor.expand_shape %arg30 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %89 = tensor.empty() : tensor<2x8x2x8xf32>
    %90 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x1x2x8xf32>) outs(%89 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %91 = tensor.empty() : tensor<2x8x2x8xf32>
    %92 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17, %90 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%91 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_19 = tensor.collapse_shape %arg28 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %93 = tensor.empty() : tensor<16x16xf32>
    %94 = linalg.fill ins(%cst_8 : f32) outs(%93 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %95 = linalg.matmul ins(%collapsed_15, %collapsed_19 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%94 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_20 = tensor.expand_shape %95 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_21 = tensor.expand_shape %arg27 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %96 = tensor.empty() : tensor<2x8x2x8xf32>
    %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x1x2x8xf32>) outs(%96 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %98 = tensor.empty() : tensor<2x8x2x8xf32>
    %99 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20, %97 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%98 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_22 = tensor.collapse_shape %arg33 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %100 = tensor.empty() : tensor<16x16xf32>
    %101 = linalg.fill ins(%cst_8 : f32) outs(%100 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %102 = linalg.matmul ins(%collapsed_15, %collapsed_22 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%101 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_23 = tensor.expand_shape %102 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_24 = tensor.expand_shape %arg32 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %103 = tensor.empty() : tensor<2x8x2x8xf32>
    %104 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<1x1x2x8xf32>) outs(%103 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %105 = tensor.empty() : tensor<2x8x2x8xf32>
    %106 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23, %104 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%105 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x2x8xf32>
    %107 = tensor.empty() : tensor<2x2x8x8xf32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92 : tensor<2x8x2x8xf32>) outs(%107 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %109 = tensor.empty() : tensor<2x2x8x8xf32>
    %110 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<2x8x2x8xf32>) outs(%109 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_25 = tensor.collapse_shape %108 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_26 = tensor.collapse_shape %110 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %111 = tensor.empty() : tensor<4x8x8xf32>
    %112 = linalg.fill ins(%cst_8 : f32) outs(%111 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %113 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%112 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_27 = tensor.expand_shape %113 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %114 = tensor.empty() : tensor<2x2x8x8xf32>
    %115 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<2x2x8x8xf32>) outs(%114 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_5 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %116 = tensor.empty() : tensor<8x8xi32>
    %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%116 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %455 = linalg.index 0 : index
      %456 = arith.index_cast %455 : index to i32
      linalg.yield %456 : i32
    } -> tensor<8x8xi32>
    %118 = tensor.empty() : tensor<8x8xi32>
    %119 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%118 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %455 = linalg.index 1 : index
      %456 = arith.index_cast %455 : index to i32
      linalg.yield %456 : i32
    } -> tensor<8x8xi32>
    %120 = tensor.empty() : tensor<8x8xi1>
    %121 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%117, %119 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%120 : tensor<8x8xi1>) {
    ^bb0(%in: i32, %in_79: i32, %out: i1):
      %455 = arith.cmpi sge, %in, %in_79 : i32
      linalg.yield %455 : i1
    } -> tensor<8x8xi1>
    %122 = tensor.empty() : tensor<2x2x8x8xi1>
    %123 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121 : tensor<8x8xi1>) outs(%122 : tensor<2x2x8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x8x8xi1>
    %124 = tensor.empty() : tensor<2x2x8x8xf32>
    %125 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %115 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>) outs(%124 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: i1, %in_79: f32, %out: f32):
      %455 = arith.select %in, %in_79, %cst_4 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %126 = tensor.empty() : tensor<2x2x8xf32>
    %127 = linalg.fill ins(%cst_3 : f32) outs(%126 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %128 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%125 : tensor<2x2x8x8xf32>) outs(%127 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.maximumf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8xf32>
    %129 = tensor.empty() : tensor<2x2x8x8xf32>
    %130 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128 : tensor<2x2x8xf32>) outs(%129 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %131 = tensor.empty() : tensor<2x2x8x8xf32>
    %132 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125, %130 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%131 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %133 = tensor.empty() : tensor<2x2x8x8xf32>
    %134 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132 : tensor<2x2x8x8xf32>) outs(%133 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.exp %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %135 = tensor.empty() : tensor<2x2x8xf32>
    %136 = linalg.fill ins(%cst_8 : f32) outs(%135 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %137 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%134 : tensor<2x2x8x8xf32>) outs(%136 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8xf32>
    %138 = tensor.empty() : tensor<2x2x8x8xf32>
    %139 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137 : tensor<2x2x8xf32>) outs(%138 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %140 = tensor.empty() : tensor<2x2x8x8xf32>
    %141 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134, %139 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%140 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.divf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %142 = tensor.empty() : tensor<2x2x8x8xf32>
    %143 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%106 : tensor<2x8x2x8xf32>) outs(%142 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %144 = tensor.empty() : tensor<2x2x8x8xf32>
    %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141 : tensor<2x2x8x8xf32>) outs(%144 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_28 = tensor.collapse_shape %143 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_29 = tensor.collapse_shape %145 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %146 = tensor.empty() : tensor<4x8x8xf32>
    %147 = linalg.fill ins(%cst_8 : f32) outs(%146 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %148 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%147 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_30 = tensor.expand_shape %148 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %149 = tensor.empty() : tensor<8x2x2x8xf32>
    %150 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<2x2x8x8xf32>) outs(%149 : tensor<8x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x2x8xf32>
    %151 = tensor.empty() : tensor<16x8x2xf32>
    %152 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg29 : tensor<2x8x16xf32>) outs(%151 : tensor<16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x2xf32>
    %collapsed_31 = tensor.collapse_shape %152 [[0], [1, 2]] : tensor<16x8x2xf32> into tensor<16x16xf32>
    %153 = tensor.empty() : tensor<8x2x8x2xf32>
    %154 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3, d1, d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<8x2x2x8xf32>) outs(%153 : tensor<8x2x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x8x2xf32>
    %collapsed_32 = tensor.collapse_shape %154 [[0, 1], [2, 3]] : tensor<8x2x8x2xf32> into tensor<16x16xf32>
    %155 = tensor.empty() : tensor<16x16xf32>
    %156 = linalg.fill ins(%cst_8 : f32) outs(%155 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %157 = linalg.matmul ins(%collapsed_31, %collapsed_32 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%156 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_33 = tensor.expand_shape %157 [[0], [1, 2]] output_shape [16, 8, 2] : tensor<16x16xf32> into tensor<16x8x2xf32>
    %158 = tensor.empty() : tensor<2x8x16xf32>
    %159 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<16x8x2xf32>) outs(%158 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %160 = tensor.empty() : tensor<2x8x16xf32>
    %161 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %159 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%160 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %162 = tensor.empty() : tensor<2x8x16xf32>
    %163 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x8x16xf32>) outs(%162 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %164 = tensor.empty() : tensor<2x8xf32>
    %165 = linalg.fill ins(%cst_8 : f32) outs(%164 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %166 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%161 : tensor<2x8x16xf32>) outs(%165 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %167 = tensor.empty() : tensor<2x8xf32>
    %168 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%166 : tensor<2x8xf32>) outs(%167 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %169 = tensor.empty() : tensor<2x8xf32>
    %170 = linalg.fill ins(%cst_8 : f32) outs(%169 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %171 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%163 : tensor<2x8x16xf32>) outs(%170 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %172 = tensor.empty() : tensor<2x8xf32>
    %173 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%171 : tensor<2x8xf32>) outs(%172 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %174 = tensor.empty() : tensor<2x8xf32>
    %175 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%168 : tensor<2x8xf32>) outs(%174 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %176 = tensor.empty() : tensor<2x8xf32>
    %177 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%173, %175 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%176 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %178 = tensor.empty() : tensor<2x8xf32>
    %179 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%177 : tensor<2x8xf32>) outs(%178 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.maximumf %in, %cst_8 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %expanded_34 = tensor.expand_shape %179 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %180 = tensor.empty() : tensor<2x8x16xf32>
    %181 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<2x8xf32>) outs(%180 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %182 = tensor.empty() : tensor<2x8x16xf32>
    %183 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %181 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%182 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %184 = tensor.empty() : tensor<2x8x1xf32>
    %185 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<2x8x1xf32>) outs(%184 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %in, %cst_6 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %186 = tensor.empty() : tensor<2x8x1xf32>
    %187 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%185 : tensor<2x8x1xf32>) outs(%186 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.rsqrt %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %expanded_35 = tensor.expand_shape %arg22 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %188 = tensor.empty() : tensor<2x8x16xf32>
    %189 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<2x8x1xf32>) outs(%188 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %190 = tensor.empty() : tensor<2x8x16xf32>
    %191 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<1x1x16xf32>) outs(%190 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %192 = tensor.empty() : tensor<2x8x16xf32>
    %193 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%189, %191 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%192 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %194 = tensor.empty() : tensor<2x8x16xf32>
    %195 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%183, %193 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%194 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %expanded_36 = tensor.expand_shape %arg21 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %196 = tensor.empty() : tensor<2x8x16xf32>
    %197 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_36 : tensor<1x1x16xf32>) outs(%196 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %198 = tensor.empty() : tensor<2x8x16xf32>
    %199 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%195, %197 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%198 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_37 = tensor.collapse_shape %199 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %200 = tensor.empty() : tensor<16x32xf32>
    %201 = linalg.fill ins(%cst_8 : f32) outs(%200 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %202 = linalg.matmul ins(%collapsed_37, %arg24 : tensor<16x16xf32>, tensor<16x32xf32>) outs(%201 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_38 = tensor.expand_shape %202 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %expanded_39 = tensor.expand_shape %arg23 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xf32> into tensor<1x1x32xf32>
    %203 = tensor.empty() : tensor<2x8x32xf32>
    %204 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x1x32xf32>) outs(%203 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %205 = tensor.empty() : tensor<2x8x32xf32>
    %206 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38, %204 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%205 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %207 = tensor.empty() : tensor<2x8x32xf32>
    %208 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<2x8x32xf32>) outs(%207 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %209 = tensor.empty() : tensor<2x8x32xf32>
    %210 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%208, %206 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%209 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %211 = tensor.empty() : tensor<2x8x32xf32>
    %212 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<2x8x32xf32>) outs(%211 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %cst_2 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %213 = tensor.empty() : tensor<2x8x32xf32>
    %214 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %212 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%213 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %215 = tensor.empty() : tensor<2x8x32xf32>
    %216 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<2x8x32xf32>) outs(%215 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %cst_1 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %217 = tensor.empty() : tensor<2x8x32xf32>
    %218 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<2x8x32xf32>) outs(%217 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.tanh %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %219 = tensor.empty() : tensor<2x8x32xf32>
    %220 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<2x8x32xf32>) outs(%219 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %in, %cst_0 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %221 = tensor.empty() : tensor<2x8x32xf32>
    %222 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220 : tensor<2x8x32xf32>) outs(%221 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %cst : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %223 = tensor.empty() : tensor<2x8x32xf32>
    %224 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206, %222 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%223 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_40 = tensor.collapse_shape %224 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %225 = tensor.empty() : tensor<16x16xf32>
    %226 = linalg.fill ins(%cst_8 : f32) outs(%225 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %227 = linalg.matmul ins(%collapsed_40, %arg26 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%226 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_41 = tensor.expand_shape %227 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %expanded_42 = tensor.expand_shape %arg25 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %228 = tensor.empty() : tensor<2x8x16xf32>
    %229 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42 : tensor<1x1x16xf32>) outs(%228 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %230 = tensor.empty() : tensor<2x8x16xf32>
    %231 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_41, %229 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%230 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %232 = tensor.empty() : tensor<2x8x16xf32>
    %233 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %231 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%232 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %234 = tensor.empty() : tensor<2x8x16xf32>
    %235 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233 : tensor<2x8x16xf32>) outs(%234 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %236 = tensor.empty() : tensor<2x8xf32>
    %237 = linalg.fill ins(%cst_8 : f32) outs(%236 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %238 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%233 : tensor<2x8x16xf32>) outs(%237 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %239 = tensor.empty() : tensor<2x8xf32>
    %240 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%238 : tensor<2x8xf32>) outs(%239 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %241 = tensor.empty() : tensor<2x8xf32>
    %242 = linalg.fill ins(%cst_8 : f32) outs(%241 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %243 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%235 : tensor<2x8x16xf32>) outs(%242 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %244 = tensor.empty() : tensor<2x8xf32>
    %245 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%243 : tensor<2x8xf32>) outs(%244 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %246 = tensor.empty() : tensor<2x8xf32>
    %247 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%240 : tensor<2x8xf32>) outs(%246 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %248 = tensor.empty() : tensor<2x8xf32>
    %249 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%245, %247 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%248 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %250 = tensor.empty() : tensor<2x8xf32>
    %251 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%249 : tensor<2x8xf32>) outs(%250 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.maximumf %in, %cst_8 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %expanded_43 = tensor.expand_shape %251 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %252 = tensor.empty() : tensor<2x8x16xf32>
    %253 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%240 : tensor<2x8xf32>) outs(%252 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %254 = tensor.empty() : tensor<2x8x16xf32>
    %255 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233, %253 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%254 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %256 = tensor.empty() : tensor<2x8x1xf32>
    %257 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<2x8x1xf32>) outs(%256 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %in, %cst_6 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %258 = tensor.empty() : tensor<2x8x1xf32>
    %259 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%257 : tensor<2x8x1xf32>) outs(%258 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.rsqrt %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %expanded_44 = tensor.expand_shape %arg5 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %260 = tensor.empty() : tensor<2x8x16xf32>
    %261 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%259 : tensor<2x8x1xf32>) outs(%260 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %262 = tensor.empty() : tensor<2x8x16xf32>
    %263 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<1x1x16xf32>) outs(%262 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %264 = tensor.empty() : tensor<2x8x16xf32>
    %265 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%261, %263 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%264 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %266 = tensor.empty() : tensor<2x8x16xf32>
    %267 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%255, %265 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%266 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %expanded_45 = tensor.expand_shape %arg4 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %268 = tensor.empty() : tensor<2x8x16xf32>
    %269 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<1x1x16xf32>) outs(%268 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %270 = tensor.empty() : tensor<2x8x16xf32>
    %271 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%267, %269 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%270 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_46 = tensor.collapse_shape %271 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %collapsed_47 = tensor.collapse_shape %arg16 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %272 = tensor.empty() : tensor<16x16xf32>
    %273 = linalg.fill ins(%cst_8 : f32) outs(%272 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %274 = linalg.matmul ins(%collapsed_46, %collapsed_47 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%273 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_48 = tensor.expand_shape %274 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_49 = tensor.expand_shape %arg15 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %275 = tensor.empty() : tensor<2x8x2x8xf32>
    %276 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_49 : tensor<1x1x2x8xf32>) outs(%275 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %277 = tensor.empty() : tensor<2x8x2x8xf32>
    %278 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_48, %276 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%277 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_50 = tensor.collapse_shape %arg13 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %279 = tensor.empty() : tensor<16x16xf32>
    %280 = linalg.fill ins(%cst_8 : f32) outs(%279 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %281 = linalg.matmul ins(%collapsed_46, %collapsed_50 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%280 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_51 = tensor.expand_shape %281 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_52 = tensor.expand_shape %arg12 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %282 = tensor.empty() : tensor<2x8x2x8xf32>
    %283 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_52 : tensor<1x1x2x8xf32>) outs(%282 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %284 = tensor.empty() : tensor<2x8x2x8xf32>
    %285 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_51, %283 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%284 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x2x8xf32>
    %collapsed_53 = tensor.collapse_shape %arg18 [[0], [1, 2]] : tensor<16x2x8xf32> into tensor<16x16xf32>
    %286 = tensor.empty() : tensor<16x16xf32>
    %287 = linalg.fill ins(%cst_8 : f32) outs(%286 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %288 = linalg.matmul ins(%collapsed_46, %collapsed_53 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%287 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_54 = tensor.expand_shape %288 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
    %expanded_55 = tensor.expand_shape %arg17 [[0, 1, 2], [3]] output_shape [1, 1, 2, 8] : tensor<2x8xf32> into tensor<1x1x2x8xf32>
    %289 = tensor.empty() : tensor<2x8x2x8xf32>
    %290 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<1x1x2x8xf32>) outs(%289 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x2x8xf32>
    %291 = tensor.empty() : tensor<2x8x2x8xf32>
    %292 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_54, %290 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) outs(%291 : tensor<2x8x2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x2x8xf32>
    %293 = tensor.empty() : tensor<2x2x8x8xf32>
    %294 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%278 : tensor<2x8x2x8xf32>) outs(%293 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %295 = tensor.empty() : tensor<2x2x8x8xf32>
    %296 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%285 : tensor<2x8x2x8xf32>) outs(%295 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_56 = tensor.collapse_shape %294 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_57 = tensor.collapse_shape %296 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %297 = tensor.empty() : tensor<4x8x8xf32>
    %298 = linalg.fill ins(%cst_8 : f32) outs(%297 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %299 = linalg.batch_matmul ins(%collapsed_56, %collapsed_57 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%298 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_58 = tensor.expand_shape %299 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %300 = tensor.empty() : tensor<2x2x8x8xf32>
    %301 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_58 : tensor<2x2x8x8xf32>) outs(%300 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_5 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %302 = tensor.empty() : tensor<2x2x8x8xf32>
    %303 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %301 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>) outs(%302 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: i1, %in_79: f32, %out: f32):
      %455 = arith.select %in, %in_79, %cst_4 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %304 = tensor.empty() : tensor<2x2x8xf32>
    %305 = linalg.fill ins(%cst_3 : f32) outs(%304 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %306 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%303 : tensor<2x2x8x8xf32>) outs(%305 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.maximumf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8xf32>
    %307 = tensor.empty() : tensor<2x2x8x8xf32>
    %308 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%306 : tensor<2x2x8xf32>) outs(%307 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %309 = tensor.empty() : tensor<2x2x8x8xf32>
    %310 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%303, %308 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%309 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %311 = tensor.empty() : tensor<2x2x8x8xf32>
    %312 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%310 : tensor<2x2x8x8xf32>) outs(%311 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.exp %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %313 = tensor.empty() : tensor<2x2x8xf32>
    %314 = linalg.fill ins(%cst_8 : f32) outs(%313 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %315 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%312 : tensor<2x2x8x8xf32>) outs(%314 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8xf32>
    %316 = tensor.empty() : tensor<2x2x8x8xf32>
    %317 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%315 : tensor<2x2x8xf32>) outs(%316 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %318 = tensor.empty() : tensor<2x2x8x8xf32>
    %319 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%312, %317 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%318 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.divf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x2x8x8xf32>
    %320 = tensor.empty() : tensor<2x2x8x8xf32>
    %321 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%292 : tensor<2x8x2x8xf32>) outs(%320 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %322 = tensor.empty() : tensor<2x2x8x8xf32>
    %323 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%319 : tensor<2x2x8x8xf32>) outs(%322 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x8x8xf32>
    %collapsed_59 = tensor.collapse_shape %321 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %collapsed_60 = tensor.collapse_shape %323 [[0, 1], [2], [3]] : tensor<2x2x8x8xf32> into tensor<4x8x8xf32>
    %324 = tensor.empty() : tensor<4x8x8xf32>
    %325 = linalg.fill ins(%cst_8 : f32) outs(%324 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %326 = linalg.batch_matmul ins(%collapsed_59, %collapsed_60 : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%325 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %expanded_61 = tensor.expand_shape %326 [[0, 1], [2], [3]] output_shape [2, 2, 8, 8] : tensor<4x8x8xf32> into tensor<2x2x8x8xf32>
    %327 = tensor.empty() : tensor<8x2x2x8xf32>
    %328 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<2x2x8x8xf32>) outs(%327 : tensor<8x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x2x8xf32>
    %329 = tensor.empty() : tensor<16x8x2xf32>
    %330 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14 : tensor<2x8x16xf32>) outs(%329 : tensor<16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8x2xf32>
    %collapsed_62 = tensor.collapse_shape %330 [[0], [1, 2]] : tensor<16x8x2xf32> into tensor<16x16xf32>
    %331 = tensor.empty() : tensor<8x2x8x2xf32>
    %332 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3, d1, d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%328 : tensor<8x2x2x8xf32>) outs(%331 : tensor<8x2x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x2x8x2xf32>
    %collapsed_63 = tensor.collapse_shape %332 [[0, 1], [2, 3]] : tensor<8x2x8x2xf32> into tensor<16x16xf32>
    %333 = tensor.empty() : tensor<16x16xf32>
    %334 = linalg.fill ins(%cst_8 : f32) outs(%333 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %335 = linalg.matmul ins(%collapsed_62, %collapsed_63 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%334 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_64 = tensor.expand_shape %335 [[0], [1, 2]] output_shape [16, 8, 2] : tensor<16x16xf32> into tensor<16x8x2xf32>
    %336 = tensor.empty() : tensor<2x8x16xf32>
    %337 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_64 : tensor<16x8x2xf32>) outs(%336 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %338 = tensor.empty() : tensor<2x8x16xf32>
    %339 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%233, %337 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%338 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %340 = tensor.empty() : tensor<2x8x16xf32>
    %341 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%339 : tensor<2x8x16xf32>) outs(%340 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %342 = tensor.empty() : tensor<2x8xf32>
    %343 = linalg.fill ins(%cst_8 : f32) outs(%342 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %344 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%339 : tensor<2x8x16xf32>) outs(%343 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %345 = tensor.empty() : tensor<2x8xf32>
    %346 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%344 : tensor<2x8xf32>) outs(%345 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %347 = tensor.empty() : tensor<2x8xf32>
    %348 = linalg.fill ins(%cst_8 : f32) outs(%347 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %349 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%341 : tensor<2x8x16xf32>) outs(%348 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %350 = tensor.empty() : tensor<2x8xf32>
    %351 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%349 : tensor<2x8xf32>) outs(%350 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %352 = tensor.empty() : tensor<2x8xf32>
    %353 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%346 : tensor<2x8xf32>) outs(%352 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %354 = tensor.empty() : tensor<2x8xf32>
    %355 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%351, %353 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%354 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %356 = tensor.empty() : tensor<2x8xf32>
    %357 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%355 : tensor<2x8xf32>) outs(%356 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.maximumf %in, %cst_8 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %expanded_65 = tensor.expand_shape %357 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %358 = tensor.empty() : tensor<2x8x16xf32>
    %359 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%346 : tensor<2x8xf32>) outs(%358 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %360 = tensor.empty() : tensor<2x8x16xf32>
    %361 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%339, %359 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%360 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %362 = tensor.empty() : tensor<2x8x1xf32>
    %363 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<2x8x1xf32>) outs(%362 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %in, %cst_6 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %364 = tensor.empty() : tensor<2x8x1xf32>
    %365 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%363 : tensor<2x8x1xf32>) outs(%364 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.rsqrt %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %expanded_66 = tensor.expand_shape %arg7 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %366 = tensor.empty() : tensor<2x8x16xf32>
    %367 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%365 : tensor<2x8x1xf32>) outs(%366 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %368 = tensor.empty() : tensor<2x8x16xf32>
    %369 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_66 : tensor<1x1x16xf32>) outs(%368 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %370 = tensor.empty() : tensor<2x8x16xf32>
    %371 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%367, %369 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%370 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %372 = tensor.empty() : tensor<2x8x16xf32>
    %373 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%361, %371 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%372 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %expanded_67 = tensor.expand_shape %arg6 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %374 = tensor.empty() : tensor<2x8x16xf32>
    %375 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_67 : tensor<1x1x16xf32>) outs(%374 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %376 = tensor.empty() : tensor<2x8x16xf32>
    %377 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%373, %375 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%376 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %collapsed_68 = tensor.collapse_shape %377 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %378 = tensor.empty() : tensor<16x32xf32>
    %379 = linalg.fill ins(%cst_8 : f32) outs(%378 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %380 = linalg.matmul ins(%collapsed_68, %arg9 : tensor<16x16xf32>, tensor<16x32xf32>) outs(%379 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %expanded_69 = tensor.expand_shape %380 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
    %expanded_70 = tensor.expand_shape %arg8 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xf32> into tensor<1x1x32xf32>
    %381 = tensor.empty() : tensor<2x8x32xf32>
    %382 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_70 : tensor<1x1x32xf32>) outs(%381 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x32xf32>
    %383 = tensor.empty() : tensor<2x8x32xf32>
    %384 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_69, %382 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%383 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %385 = tensor.empty() : tensor<2x8x32xf32>
    %386 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%384 : tensor<2x8x32xf32>) outs(%385 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %387 = tensor.empty() : tensor<2x8x32xf32>
    %388 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%386, %384 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%387 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %389 = tensor.empty() : tensor<2x8x32xf32>
    %390 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%388 : tensor<2x8x32xf32>) outs(%389 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %cst_2 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %391 = tensor.empty() : tensor<2x8x32xf32>
    %392 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%384, %390 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%391 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %393 = tensor.empty() : tensor<2x8x32xf32>
    %394 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%392 : tensor<2x8x32xf32>) outs(%393 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %cst_1 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %395 = tensor.empty() : tensor<2x8x32xf32>
    %396 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%394 : tensor<2x8x32xf32>) outs(%395 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.tanh %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %397 = tensor.empty() : tensor<2x8x32xf32>
    %398 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%396 : tensor<2x8x32xf32>) outs(%397 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %in, %cst_0 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %399 = tensor.empty() : tensor<2x8x32xf32>
    %400 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%398 : tensor<2x8x32xf32>) outs(%399 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %cst : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %401 = tensor.empty() : tensor<2x8x32xf32>
    %402 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%384, %400 : tensor<2x8x32xf32>, tensor<2x8x32xf32>) outs(%401 : tensor<2x8x32xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x32xf32>
    %collapsed_71 = tensor.collapse_shape %402 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
    %403 = tensor.empty() : tensor<16x16xf32>
    %404 = linalg.fill ins(%cst_8 : f32) outs(%403 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %405 = linalg.matmul ins(%collapsed_71, %arg11 : tensor<16x32xf32>, tensor<32x16xf32>) outs(%404 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %expanded_72 = tensor.expand_shape %405 [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
    %expanded_73 = tensor.expand_shape %arg10 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %406 = tensor.empty() : tensor<2x8x16xf32>
    %407 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_73 : tensor<1x1x16xf32>) outs(%406 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %408 = tensor.empty() : tensor<2x8x16xf32>
    %409 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_72, %407 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%408 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %410 = tensor.empty() : tensor<2x8x16xf32>
    %411 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%339, %409 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%410 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %412 = tensor.empty() : tensor<2x8x16xf32>
    %413 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%411 : tensor<2x8x16xf32>) outs(%412 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %414 = tensor.empty() : tensor<2x8xf32>
    %415 = linalg.fill ins(%cst_8 : f32) outs(%414 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %416 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%411 : tensor<2x8x16xf32>) outs(%415 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %417 = tensor.empty() : tensor<2x8xf32>
    %418 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%416 : tensor<2x8xf32>) outs(%417 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %419 = tensor.empty() : tensor<2x8xf32>
    %420 = linalg.fill ins(%cst_8 : f32) outs(%419 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %421 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%413 : tensor<2x8x16xf32>) outs(%420 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %out, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %422 = tensor.empty() : tensor<2x8xf32>
    %423 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%421 : tensor<2x8xf32>) outs(%422 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.divf %in, %cst_7 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %424 = tensor.empty() : tensor<2x8xf32>
    %425 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%418 : tensor<2x8xf32>) outs(%424 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.mulf %in, %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %426 = tensor.empty() : tensor<2x8xf32>
    %427 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%423, %425 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%426 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %428 = tensor.empty() : tensor<2x8xf32>
    %429 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%427 : tensor<2x8xf32>) outs(%428 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.maximumf %in, %cst_8 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8xf32>
    %expanded_74 = tensor.expand_shape %429 [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
    %430 = tensor.empty() : tensor<2x8x16xf32>
    %431 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%418 : tensor<2x8xf32>) outs(%430 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %432 = tensor.empty() : tensor<2x8x16xf32>
    %433 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%411, %431 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%432 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.subf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %434 = tensor.empty() : tensor<2x8x1xf32>
    %435 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_74 : tensor<2x8x1xf32>) outs(%434 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = arith.addf %in, %cst_6 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %436 = tensor.empty() : tensor<2x8x1xf32>
    %437 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%435 : tensor<2x8x1xf32>) outs(%436 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %455 = math.rsqrt %in : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x1xf32>
    %expanded_75 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %438 = tensor.empty() : tensor<2x8x16xf32>
    %439 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%437 : tensor<2x8x1xf32>) outs(%438 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %440 = tensor.empty() : tensor<2x8x16xf32>
    %441 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_75 : tensor<1x1x16xf32>) outs(%440 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %442 = tensor.empty() : tensor<2x8x16xf32>
    %443 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%439, %441 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%442 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %444 = tensor.empty() : tensor<2x8x16xf32>
    %445 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%433, %443 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%444 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.mulf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %expanded_76 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [1, 1, 16] : tensor<16xf32> into tensor<1x1x16xf32>
    %446 = tensor.empty() : tensor<2x8x16xf32>
    %447 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_76 : tensor<1x1x16xf32>) outs(%446 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x16xf32>
    %448 = tensor.empty() : tensor<2x8x16xf32>
    %449 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%445, %447 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%448 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_79: f32, %out: f32):
      %455 = arith.addf %in, %in_79 : f32
      linalg.yield %455 : f32
    } -> tensor<2x8x16xf32>
    %450 = tensor.empty() : tensor<16x48xf32>
    %451 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<48x16xf32>) outs(%450 : tensor<16x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x48xf32>
    %collapsed_77 = tensor.collapse_shape %449 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
    %452 = tensor.empty() : tensor<16x48xf32>
    %453 = linalg.fill ins(%cst_8 : f32) outs(%452 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %454 = linalg.matmul ins(%collapsed_77, %451 : tensor<16x16xf32>, tensor<16x48xf32>) outs(%453 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %expanded_78 = tensor.expand_shape %454 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
    func.return %expanded_78 : tensor<2x8x48xf32>
  }
}