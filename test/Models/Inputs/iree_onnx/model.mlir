"builtin.module"() ({
  "util.func"() <{function_type = (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view, inlining_policy = #util.inline.never, sym_name = "main_graph$async"}> ({
  ^bb0(%arg17: !hal.buffer_view, %arg18: !hal.buffer_view, %arg19: !hal.buffer_view, %arg20: !hal.buffer_view, %arg21: !hal.buffer_view, %arg22: !hal.buffer_view, %arg23: !hal.buffer_view, %arg24: !hal.buffer_view, %arg25: !hal.buffer_view, %arg26: !hal.buffer_view, %arg27: !hal.buffer_view, %arg28: !hal.buffer_view, %arg29: !hal.buffer_view, %arg30: !hal.buffer_view, %arg31: !hal.buffer_view, %arg32: !hal.buffer_view, %arg33: !hal.buffer_view, %arg34: !hal.fence, %arg35: !hal.fence):
    %7 = "arith.constant"() <{value = 48 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %11 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %12 = "arith.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %13 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "arith.constant"() <{value = dense<1.41421354> : tensor<f32>}> : () -> tensor<f32>
    %15 = "arith.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %16 = "arith.constant"() <{value = dense<[[0.000000e+00, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0xFF800000, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<8x8xf32>}> : () -> tensor<8x8xf32>
    %17 = "arith.constant"() <{value = 1.600000e+01 : f32}> : () -> f32
    %18 = "arith.constant"() <{value = 9.99999974E-6 : f32}> : () -> f32
    %19 = "hal.tensor.import"(%arg17, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<2x8xi64>}> : (!hal.buffer_view, !hal.fence) -> tensor<2x8xi64>
    %20 = "hal.tensor.import"(%arg18, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<8x16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<8x16xf32>
    %21 = "hal.tensor.import"(%arg19, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<48x16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<48x16xf32>
    %22 = "hal.tensor.import"(%arg20, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16xf32>
    %23 = "hal.tensor.import"(%arg21, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16xf32>
    %24 = "hal.tensor.import"(%arg22, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<48x16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<48x16xf32>
    %25 = "hal.tensor.import"(%arg23, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<48xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<48xf32>
    %26 = "hal.tensor.import"(%arg24, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16x16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16x16xf32>
    %27 = "hal.tensor.import"(%arg25, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16xf32>
    %28 = "hal.tensor.import"(%arg26, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16xf32>
    %29 = "hal.tensor.import"(%arg27, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16xf32>
    %30 = "hal.tensor.import"(%arg28, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<64x16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<64x16xf32>
    %31 = "hal.tensor.import"(%arg29, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<64xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<64xf32>
    %32 = "hal.tensor.import"(%arg30, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<64x16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<64x16xf32>
    %33 = "hal.tensor.import"(%arg31, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16x64xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16x64xf32>
    %34 = "hal.tensor.import"(%arg32, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<16xf32>
    %35 = "hal.tensor.import"(%arg33, %arg34) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, target_encoding = tensor<48x16xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<48x16xf32>
    %36 = "tensor.empty"() : () -> tensor<2x8xi1>
    %37 = "linalg.generic"(%19, %36) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg235: i64, %arg236: i1):
      %231 = "arith.cmpi"(%arg235, %8) <{predicate = 2 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%231) : (i1) -> ()
    }) : (tensor<2x8xi64>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %38 = "tensor.empty"() : () -> tensor<2x8xi64>
    %39 = "linalg.generic"(%19, %38) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg233: i64, %arg234: i64):
      %230 = "arith.addi"(%arg233, %7) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%230) : (i64) -> ()
    }) : (tensor<2x8xi64>, tensor<2x8xi64>) -> tensor<2x8xi64>
    %40 = "linalg.generic"(%37, %39, %19, %38) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg229: i1, %arg230: i64, %arg231: i64, %arg232: i64):
      %229 = "arith.select"(%arg229, %arg230, %arg231) : (i1, i64, i64) -> i64
      "linalg.yield"(%229) : (i64) -> ()
    }) : (tensor<2x8xi1>, tensor<2x8xi64>, tensor<2x8xi64>, tensor<2x8xi64>) -> tensor<2x8xi64>
    %41 = "tensor.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (tensor<2x8xi64>) -> tensor<16xi64>
    %42 = "tensor.empty"() : () -> tensor<16x16xf32>
    %43 = "linalg.generic"(%41, %42) <{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg227: i64, %arg228: f32):
      %226 = "arith.index_cast"(%arg227) : (i64) -> index
      %227 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %228 = "tensor.extract"(%21, %226, %227) : (tensor<48x16xf32>, index, index) -> f32
      "linalg.yield"(%228) : (f32) -> ()
    }) : (tensor<16xi64>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %44 = "tensor.expand_shape"(%43) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 8, 16>}> : (tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %45 = "tensor.empty"() : () -> tensor<2x8x16xf32>
    %46 = "linalg.generic"(%44, %20, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg224: f32, %arg225: f32, %arg226: f32):
      %225 = "arith.addf"(%arg224, %arg225) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%225) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %47 = "tensor.empty"() : () -> tensor<2x8x1xf32>
    %48 = "linalg.fill"(%9, %47) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg222: f32, %arg223: f32):
      "linalg.yield"(%arg222) : (f32) -> ()
    }) : (f32, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %49 = "linalg.generic"(%46, %48) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg220: f32, %arg221: f32):
      %224 = "arith.addf"(%arg220, %arg221) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%224) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %50 = "linalg.generic"(%49, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg218: f32, %arg219: f32):
      %223 = "arith.divf"(%arg218, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%223) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %51 = "tensor.collapse_shape"(%50) <{reassociation = [[0], [1, 2]]}> : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %52 = "linalg.generic"(%51, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg216: f32, %arg217: f32):
      "linalg.yield"(%arg216) : (f32) -> ()
    }) : (tensor<2x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %53 = "linalg.generic"(%46, %52, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg213: f32, %arg214: f32, %arg215: f32):
      %222 = "arith.subf"(%arg213, %arg214) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%222) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %54 = "linalg.generic"(%53, %53, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg210: f32, %arg211: f32, %arg212: f32):
      %221 = "arith.mulf"(%arg210, %arg211) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%221) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %55 = "linalg.generic"(%54, %48) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg208: f32, %arg209: f32):
      %220 = "arith.addf"(%arg208, %arg209) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%220) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %56 = "linalg.generic"(%55, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg206: f32, %arg207: f32):
      %219 = "arith.divf"(%arg206, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%219) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %57 = "linalg.generic"(%56, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg204: f32, %arg205: f32):
      %218 = "arith.addf"(%arg204, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%218) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %58 = "linalg.generic"(%57, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg202: f32, %arg203: f32):
      %217 = "math.rsqrt"(%arg202) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%217) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %59 = "tensor.collapse_shape"(%58) <{reassociation = [[0], [1, 2]]}> : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %60 = "linalg.generic"(%59, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg200: f32, %arg201: f32):
      "linalg.yield"(%arg200) : (f32) -> ()
    }) : (tensor<2x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %61 = "linalg.generic"(%53, %60, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg197: f32, %arg198: f32, %arg199: f32):
      %216 = "arith.mulf"(%arg197, %arg198) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%216) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %62 = "linalg.generic"(%61, %22, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg194: f32, %arg195: f32, %arg196: f32):
      %215 = "arith.mulf"(%arg194, %arg195) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%215) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %63 = "linalg.generic"(%62, %23, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg191: f32, %arg192: f32, %arg193: f32):
      %214 = "arith.addf"(%arg191, %arg192) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%214) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %64 = "tensor.empty"() : () -> tensor<16x48xf32>
    %65 = "linalg.transpose"(%24, %64) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg189: f32, %arg190: f32):
      "linalg.yield"(%arg189) : (f32) -> ()
    }) : (tensor<48x16xf32>, tensor<16x48xf32>) -> tensor<16x48xf32>
    %66 = "tensor.empty"() : () -> tensor<2x16x48xf32>
    %67 = "linalg.generic"(%65, %66) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg187: f32, %arg188: f32):
      "linalg.yield"(%arg187) : (f32) -> ()
    }) : (tensor<16x48xf32>, tensor<2x16x48xf32>) -> tensor<2x16x48xf32>
    %68 = "tensor.empty"() : () -> tensor<2x8x48xf32>
    %69 = "linalg.fill"(%9, %68) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg185: f32, %arg186: f32):
      "linalg.yield"(%arg185) : (f32) -> ()
    }) : (f32, tensor<2x8x48xf32>) -> tensor<2x8x48xf32>
    %70 = "linalg.batch_matmul"(%63, %67, %69) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg182: f32, %arg183: f32, %arg184: f32):
      %212 = "arith.mulf"(%arg182, %arg183) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %213 = "arith.addf"(%arg184, %212) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%213) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x16x48xf32>, tensor<2x8x48xf32>) -> tensor<2x8x48xf32>
    %71 = "linalg.generic"(%70, %25, %68) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg179: f32, %arg180: f32, %arg181: f32):
      %211 = "arith.addf"(%arg179, %arg180) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%211) : (f32) -> ()
    }) : (tensor<2x8x48xf32>, tensor<48xf32>, tensor<2x8x48xf32>) -> tensor<2x8x48xf32>
    %72 = "tensor.expand_shape"(%71) <{reassociation = [[0], [1], [2, 3, 4]], static_output_shape = array<i64: 2, 8, 3, 2, 8>}> : (tensor<2x8x48xf32>) -> tensor<2x8x3x2x8xf32>
    %73 = "tensor.empty"() : () -> tensor<3x2x2x8x8xf32>
    %74 = "linalg.transpose"(%72, %73) <{permutation = array<i64: 2, 0, 3, 1, 4>}> ({
    ^bb0(%arg177: f32, %arg178: f32):
      "linalg.yield"(%arg177) : (f32) -> ()
    }) : (tensor<2x8x3x2x8xf32>, tensor<3x2x2x8x8xf32>) -> tensor<3x2x2x8x8xf32>
    %75 = "tensor.extract_slice"(%74) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0, 0>, static_sizes = array<i64: 1, 2, 2, 8, 8>, static_strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<3x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %76 = "tensor.extract_slice"(%74) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 0, 0, 0, 0>, static_sizes = array<i64: 1, 2, 2, 8, 8>, static_strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<3x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %77 = "tensor.collapse_shape"(%76) <{reassociation = [[0, 1], [2], [3], [4]]}> : (tensor<1x2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %78 = "tensor.extract_slice"(%74) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2, 0, 0, 0, 0>, static_sizes = array<i64: 1, 2, 2, 8, 8>, static_strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<3x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %79 = "tensor.empty"() : () -> tensor<2x2x8x8xf32>
    %80 = "linalg.transpose"(%77, %79) <{permutation = array<i64: 0, 1, 3, 2>}> ({
    ^bb0(%arg175: f32, %arg176: f32):
      "linalg.yield"(%arg175) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %81 = "tensor.collapse_shape"(%75) <{reassociation = [[0, 1, 2], [3], [4]]}> : (tensor<1x2x2x8x8xf32>) -> tensor<4x8x8xf32>
    %82 = "tensor.collapse_shape"(%80) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x8x8xf32>) -> tensor<4x8x8xf32>
    %83 = "tensor.empty"() : () -> tensor<4x8x8xf32>
    %84 = "linalg.fill"(%9, %83) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg173: f32, %arg174: f32):
      "linalg.yield"(%arg173) : (f32) -> ()
    }) : (f32, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %85 = "linalg.batch_matmul"(%81, %82, %84) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg170: f32, %arg171: f32, %arg172: f32):
      %209 = "arith.mulf"(%arg170, %arg171) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %210 = "arith.addf"(%arg172, %209) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%210) : (f32) -> ()
    }) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %86 = "tensor.expand_shape"(%85) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 2, 8, 8>}> : (tensor<4x8x8xf32>) -> tensor<2x2x8x8xf32>
    %87 = "linalg.generic"(%86, %15, %79) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg167: f32, %arg168: f32, %arg169: f32):
      %208 = "arith.mulf"(%arg167, %arg168) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%208) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<f32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %88 = "linalg.generic"(%87, %16, %79) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg164: f32, %arg165: f32, %arg166: f32):
      %207 = "arith.addf"(%arg164, %arg165) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%207) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %89 = "tensor.empty"() : () -> tensor<2x2x8xi64>
    %90 = "linalg.fill"(%8, %89) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg162: i64, %arg163: i64):
      "linalg.yield"(%arg162) : (i64) -> ()
    }) : (i64, tensor<2x2x8xi64>) -> tensor<2x2x8xi64>
    %91 = "tensor.empty"() : () -> tensor<2x2x8xf32>
    %92 = "linalg.fill"(%10, %91) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg160: f32, %arg161: f32):
      "linalg.yield"(%arg160) : (f32) -> ()
    }) : (f32, tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %93:2 = "linalg.generic"(%88, %92, %90) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg157: f32, %arg158: f32, %arg159: i64):
      %202 = "linalg.index"() <{dim = 3 : i64}> : () -> index
      %203 = "arith.index_cast"(%202) : (index) -> i64
      %204 = "arith.maximumf"(%arg157, %arg158) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %205 = "arith.cmpf"(%arg157, %arg158) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      %206 = "arith.select"(%205, %203, %arg159) : (i1, i64, i64) -> i64
      "linalg.yield"(%204, %206) : (f32, i64) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xi64>) -> (tensor<2x2x8xf32>, tensor<2x2x8xi64>)
    %94 = "tensor.expand_shape"(%93#0) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 2, 2, 8, 1>}> : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %95 = "linalg.generic"(%88, %94, %79) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg154: f32, %arg155: f32, %arg156: f32):
      %201 = "arith.subf"(%arg154, %arg155) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%201) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<2x2x8x1xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %96 = "linalg.generic"(%95, %79) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg152: f32, %arg153: f32):
      %200 = "math.exp"(%arg152) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%200) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %97 = "tensor.empty"() : () -> tensor<2x2x8x1xf32>
    %98 = "linalg.fill"(%9, %97) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg150: f32, %arg151: f32):
      "linalg.yield"(%arg150) : (f32) -> ()
    }) : (f32, tensor<2x2x8x1xf32>) -> tensor<2x2x8x1xf32>
    %99 = "linalg.generic"(%96, %98) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg148: f32, %arg149: f32):
      %199 = "arith.addf"(%arg148, %arg149) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%199) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<2x2x8x1xf32>) -> tensor<2x2x8x1xf32>
    %100 = "linalg.generic"(%96, %99, %79) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg145: f32, %arg146: f32, %arg147: f32):
      %198 = "arith.divf"(%arg145, %arg146) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%198) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<2x2x8x1xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %101 = "tensor.collapse_shape"(%100) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x8x8xf32>) -> tensor<4x8x8xf32>
    %102 = "tensor.collapse_shape"(%78) <{reassociation = [[0, 1, 2], [3], [4]]}> : (tensor<1x2x2x8x8xf32>) -> tensor<4x8x8xf32>
    %103 = "linalg.batch_matmul"(%101, %102, %84) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg142: f32, %arg143: f32, %arg144: f32):
      %196 = "arith.mulf"(%arg142, %arg143) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %197 = "arith.addf"(%arg144, %196) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%197) : (f32) -> ()
    }) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %104 = "tensor.expand_shape"(%103) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 2, 8, 8>}> : (tensor<4x8x8xf32>) -> tensor<2x2x8x8xf32>
    %105 = "tensor.empty"() : () -> tensor<2x8x2x8xf32>
    %106 = "linalg.transpose"(%104, %105) <{permutation = array<i64: 0, 2, 1, 3>}> ({
    ^bb0(%arg140: f32, %arg141: f32):
      "linalg.yield"(%arg140) : (f32) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %107 = "tensor.collapse_shape"(%106) <{reassociation = [[0], [1], [2, 3]]}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %108 = "linalg.transpose"(%26, %42) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg138: f32, %arg139: f32):
      "linalg.yield"(%arg138) : (f32) -> ()
    }) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %109 = "tensor.empty"() : () -> tensor<2x16x16xf32>
    %110 = "linalg.generic"(%108, %109) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg136: f32, %arg137: f32):
      "linalg.yield"(%arg136) : (f32) -> ()
    }) : (tensor<16x16xf32>, tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
    %111 = "linalg.fill"(%9, %45) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg134: f32, %arg135: f32):
      "linalg.yield"(%arg134) : (f32) -> ()
    }) : (f32, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %112 = "linalg.batch_matmul"(%107, %110, %111) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg131: f32, %arg132: f32, %arg133: f32):
      %194 = "arith.mulf"(%arg131, %arg132) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %195 = "arith.addf"(%arg133, %194) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%195) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x16x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %113 = "linalg.generic"(%112, %27, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg128: f32, %arg129: f32, %arg130: f32):
      %193 = "arith.addf"(%arg128, %arg129) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%193) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %114 = "linalg.generic"(%46, %113, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg125: f32, %arg126: f32, %arg127: f32):
      %192 = "arith.addf"(%arg125, %arg126) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%192) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %115 = "linalg.generic"(%114, %48) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg123: f32, %arg124: f32):
      %191 = "arith.addf"(%arg123, %arg124) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%191) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %116 = "linalg.generic"(%115, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg121: f32, %arg122: f32):
      %190 = "arith.divf"(%arg121, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%190) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %117 = "tensor.collapse_shape"(%116) <{reassociation = [[0], [1, 2]]}> : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %118 = "linalg.generic"(%117, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg119: f32, %arg120: f32):
      "linalg.yield"(%arg119) : (f32) -> ()
    }) : (tensor<2x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %119 = "linalg.generic"(%114, %118, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg116: f32, %arg117: f32, %arg118: f32):
      %189 = "arith.subf"(%arg116, %arg117) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%189) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %120 = "linalg.generic"(%119, %119, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg113: f32, %arg114: f32, %arg115: f32):
      %188 = "arith.mulf"(%arg113, %arg114) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%188) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %121 = "linalg.generic"(%120, %48) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg111: f32, %arg112: f32):
      %187 = "arith.addf"(%arg111, %arg112) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%187) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %122 = "linalg.generic"(%121, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg109: f32, %arg110: f32):
      %186 = "arith.divf"(%arg109, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%186) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %123 = "linalg.generic"(%122, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg107: f32, %arg108: f32):
      %185 = "arith.addf"(%arg107, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%185) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %124 = "linalg.generic"(%123, %47) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg105: f32, %arg106: f32):
      %184 = "math.rsqrt"(%arg105) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%184) : (f32) -> ()
    }) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %125 = "tensor.collapse_shape"(%124) <{reassociation = [[0], [1, 2]]}> : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %126 = "linalg.generic"(%125, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg103: f32, %arg104: f32):
      "linalg.yield"(%arg103) : (f32) -> ()
    }) : (tensor<2x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %127 = "linalg.generic"(%119, %126, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg100: f32, %arg101: f32, %arg102: f32):
      %183 = "arith.mulf"(%arg100, %arg101) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%183) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %128 = "linalg.generic"(%127, %28, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg97: f32, %arg98: f32, %arg99: f32):
      %182 = "arith.mulf"(%arg97, %arg98) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%182) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %129 = "linalg.generic"(%128, %29, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg94: f32, %arg95: f32, %arg96: f32):
      %181 = "arith.addf"(%arg94, %arg95) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%181) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %130 = "tensor.empty"() : () -> tensor<16x64xf32>
    %131 = "linalg.transpose"(%30, %130) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg92: f32, %arg93: f32):
      "linalg.yield"(%arg92) : (f32) -> ()
    }) : (tensor<64x16xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    %132 = "tensor.empty"() : () -> tensor<2x16x64xf32>
    %133 = "linalg.generic"(%131, %132) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg90: f32, %arg91: f32):
      "linalg.yield"(%arg90) : (f32) -> ()
    }) : (tensor<16x64xf32>, tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
    %134 = "tensor.empty"() : () -> tensor<2x8x64xf32>
    %135 = "linalg.fill"(%9, %134) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg88: f32, %arg89: f32):
      "linalg.yield"(%arg88) : (f32) -> ()
    }) : (f32, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %136 = "linalg.batch_matmul"(%129, %133, %135) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg85: f32, %arg86: f32, %arg87: f32):
      %179 = "arith.mulf"(%arg85, %arg86) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %180 = "arith.addf"(%arg87, %179) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%180) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x16x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %137 = "linalg.generic"(%136, %31, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg82: f32, %arg83: f32, %arg84: f32):
      %178 = "arith.addf"(%arg82, %arg83) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%178) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %138 = "linalg.generic"(%137, %14, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg79: f32, %arg80: f32, %arg81: f32):
      %177 = "arith.divf"(%arg79, %arg80) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%177) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<f32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %139 = "linalg.generic"(%138, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg77: f32, %arg78: f32):
      %176 = "math.erf"(%arg77) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%176) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %140 = "linalg.generic"(%139, %13, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg74: f32, %arg75: f32, %arg76: f32):
      %175 = "arith.addf"(%arg74, %arg75) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%175) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<f32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %141 = "linalg.generic"(%12, %140, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg71: f32, %arg72: f32, %arg73: f32):
      %174 = "arith.mulf"(%arg71, %arg72) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%174) : (f32) -> ()
    }) : (tensor<f32>, tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %142 = "linalg.generic"(%137, %141, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg68: f32, %arg69: f32, %arg70: f32):
      %173 = "arith.mulf"(%arg68, %arg69) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%173) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %143 = "linalg.transpose"(%32, %130) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg66: f32, %arg67: f32):
      "linalg.yield"(%arg66) : (f32) -> ()
    }) : (tensor<64x16xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    %144 = "linalg.generic"(%143, %132) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg64: f32, %arg65: f32):
      "linalg.yield"(%arg64) : (f32) -> ()
    }) : (tensor<16x64xf32>, tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
    %145 = "linalg.batch_matmul"(%129, %144, %135) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg61: f32, %arg62: f32, %arg63: f32):
      %171 = "arith.mulf"(%arg61, %arg62) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %172 = "arith.addf"(%arg63, %171) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%172) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x16x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %146 = "linalg.generic"(%145, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg59: f32, %arg60: f32):
      %167 = "arith.negf"(%arg59) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %168 = "math.exp"(%167) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %169 = "arith.addf"(%168, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %170 = "arith.divf"(%11, %169) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%170) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %147 = "linalg.generic"(%142, %146, %134) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg56: f32, %arg57: f32, %arg58: f32):
      %166 = "arith.mulf"(%arg56, %arg57) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%166) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
    %148 = "tensor.empty"() : () -> tensor<64x16xf32>
    %149 = "linalg.transpose"(%33, %148) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg54: f32, %arg55: f32):
      "linalg.yield"(%arg54) : (f32) -> ()
    }) : (tensor<16x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %150 = "tensor.empty"() : () -> tensor<2x64x16xf32>
    %151 = "linalg.generic"(%149, %150) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg52: f32, %arg53: f32):
      "linalg.yield"(%arg52) : (f32) -> ()
    }) : (tensor<64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
    %152 = "linalg.batch_matmul"(%147, %151, %111) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg49: f32, %arg50: f32, %arg51: f32):
      %164 = "arith.mulf"(%arg49, %arg50) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %165 = "arith.addf"(%arg51, %164) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%165) : (f32) -> ()
    }) : (tensor<2x8x64xf32>, tensor<2x64x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %153 = "linalg.generic"(%152, %34, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg46: f32, %arg47: f32, %arg48: f32):
      %163 = "arith.addf"(%arg46, %arg47) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%163) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %154 = "linalg.generic"(%114, %153, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg43: f32, %arg44: f32, %arg45: f32):
      %162 = "arith.addf"(%arg43, %arg44) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%162) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %155 = "linalg.transpose"(%35, %64) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg41: f32, %arg42: f32):
      "linalg.yield"(%arg41) : (f32) -> ()
    }) : (tensor<48x16xf32>, tensor<16x48xf32>) -> tensor<16x48xf32>
    %156 = "linalg.generic"(%155, %66) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg39: f32, %arg40: f32):
      "linalg.yield"(%arg39) : (f32) -> ()
    }) : (tensor<16x48xf32>, tensor<2x16x48xf32>) -> tensor<2x16x48xf32>
    %157 = "linalg.batch_matmul"(%154, %156, %69) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg36: f32, %arg37: f32, %arg38: f32):
      %160 = "arith.mulf"(%arg36, %arg37) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %161 = "arith.addf"(%arg38, %160) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%161) : (f32) -> ()
    }) : (tensor<2x8x16xf32>, tensor<2x16x48xf32>, tensor<2x8x48xf32>) -> tensor<2x8x48xf32>
    %158 = "hal.tensor.barrier"(%157, %arg35) : (tensor<2x8x48xf32>, !hal.fence) -> tensor<2x8x48xf32>
    %159 = "hal.tensor.export"(%158) <{source_encoding = tensor<2x8x48xf32>}> : (tensor<2x8x48xf32>) -> !hal.buffer_view
    "util.return"(%159) : (!hal.buffer_view) -> ()
  }) {iree.abi.model = "coarse-fences", iree.abi.stub} : () -> ()
  "util.func"() <{function_type = (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view, sym_name = "main_graph"}> ({
  ^bb0(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.buffer_view, %arg4: !hal.buffer_view, %arg5: !hal.buffer_view, %arg6: !hal.buffer_view, %arg7: !hal.buffer_view, %arg8: !hal.buffer_view, %arg9: !hal.buffer_view, %arg10: !hal.buffer_view, %arg11: !hal.buffer_view, %arg12: !hal.buffer_view, %arg13: !hal.buffer_view, %arg14: !hal.buffer_view, %arg15: !hal.buffer_view, %arg16: !hal.buffer_view):
    %0 = "util.null"() : () -> !hal.fence
    %1 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "hal.devices.get"(%2) : (index) -> !hal.device
    %4 = "hal.fence.create"(%3) <{flags = 0 : i64}> : (!hal.device) -> !hal.fence
    %5 = "util.call"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %0, %4) <{callee = @main_graph$async}> : (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
    %6 = "hal.fence.await"(%1, %4) <{flags = 0 : i64}> : (i32, !hal.fence) -> i32
    "util.return"(%5) : (!hal.buffer_view) -> ()
  }) {iree.abi.stub} : () -> ()
}) : () -> ()