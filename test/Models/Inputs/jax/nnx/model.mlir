"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "attention.key.bias"}, {te.param = "attention.key.kernel"}, {te.param = "attention.out.bias"}, {te.param = "attention.out.kernel"}, {te.param = "attention.query.bias"}, {te.param = "attention.query.kernel"}, {te.param = "attention.value.bias"}, {te.param = "attention.value.kernel"}, {te.param = "fc1.bias"}, {te.param = "fc1.kernel"}, {te.param = "fc2.bias"}, {te.param = "fc2.kernel"}, {te.param = "head.kernel"}, {te.param = "norm_1.bias"}, {te.param = "norm_1.scale"}, {te.param = "norm_2.scale"}, {te.param = "tokens.embedding"}, {te.input = "ids"}], function_type = (tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<16xf32>, tensor<2x8x16xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<2x8xf32>, tensor<16x2x8xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16xf32>, tensor<32x16xf32>, tensor<16x48xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<48x16xf32>, tensor<2x8xi32>) -> tensor<2x8x48xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<2x8xf32>, %arg12: tensor<16x2x8xf32>, %arg13: tensor<16xf32>, %arg14: tensor<2x8x16xf32>, %arg15: tensor<2x8xf32>, %arg16: tensor<16x2x8xf32>, %arg17: tensor<2x8xf32>, %arg18: tensor<16x2x8xf32>, %arg19: tensor<32xf32>, %arg20: tensor<16x32xf32>, %arg21: tensor<16xf32>, %arg22: tensor<32x16xf32>, %arg23: tensor<16x48xf32>, %arg24: tensor<16xf32>, %arg25: tensor<16xf32>, %arg26: tensor<16xf32>, %arg27: tensor<48x16xf32>, %arg28: tensor<2x8xi32>):
    %32 = "func.call"(%arg27, %arg28) <{callee = @_take}> : (tensor<48x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
    %33 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<2x8xi32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %36 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x8xi32>) -> tensor<2x1x8xi32>
    %37 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xi32>) -> tensor<2x8x8xi32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x8xi32>) -> tensor<2x8x8xi32>
    %39 = "stablehlo.compare"(%37, %38) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x8x8xi32>, tensor<2x8x8xi32>) -> tensor<2x8x8xi1>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x8x8xi1>) -> tensor<2x1x8x8xi1>
    %41 = "stablehlo.convert"(%40) : (tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xf32>
    %42 = "chlo.square"(%32) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.reduce"(%32, %43) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %163 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%163) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %45 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %47 = "stablehlo.divide"(%44, %46) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.reduce"(%42, %48) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %162 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%162) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %50 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %52 = "stablehlo.divide"(%49, %51) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %53 = "chlo.square"(%47) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %54 = "stablehlo.subtract"(%52, %53) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %57 = "stablehlo.maximum"(%56, %54) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %58 = "stablehlo.reshape"(%47) : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %59 = "stablehlo.reshape"(%57) : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %60 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %61 = "stablehlo.subtract"(%32, %60) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %62 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %64 = "stablehlo.add"(%59, %63) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %65 = "stablehlo.rsqrt"(%64) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %66 = "stablehlo.reshape"(%arg25) : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %67 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %68 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %69 = "stablehlo.multiply"(%67, %68) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %70 = "stablehlo.multiply"(%61, %69) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %71 = "stablehlo.reshape"(%arg24) : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %73 = "stablehlo.add"(%70, %72) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %74 = "stablehlo.dot_general"(%73, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x2x8xf32>) -> tensor<2x8x2x8xf32>
    %75 = "stablehlo.reshape"(%arg15) : (tensor<2x8xf32>) -> tensor<1x1x2x8xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %77 = "stablehlo.add"(%74, %76) : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %78 = "stablehlo.dot_general"(%73, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x2x8xf32>) -> tensor<2x8x2x8xf32>
    %79 = "stablehlo.reshape"(%arg11) : (tensor<2x8xf32>) -> tensor<1x1x2x8xf32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %81 = "stablehlo.add"(%78, %80) : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %82 = "stablehlo.dot_general"(%73, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x2x8xf32>) -> tensor<2x8x2x8xf32>
    %83 = "stablehlo.reshape"(%arg17) : (tensor<2x8xf32>) -> tensor<1x1x2x8xf32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %85 = "stablehlo.add"(%82, %84) : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %86 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x8x8xf32>
    %88 = "stablehlo.compare"(%41, %87) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x1x8x8xf32>, tensor<2x1x8x8xf32>) -> tensor<2x1x8x8xi1>
    %89 = "stablehlo.convert"(%88) : (tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xi1>
    %90 = "stablehlo.reshape"(%77) : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x1x8xf32>
    %91 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x1x8x8xi1>) -> tensor<2x1x1x8x8xi1>
    %92 = "stablehlo.dot_general"(%90, %81) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x1x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x1x8xf32>
    %93 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8x1x8xf32>
    %95 = "stablehlo.multiply"(%92, %94) : (tensor<2x2x8x1x8xf32>, tensor<2x2x8x1x8xf32>) -> tensor<2x2x8x1x8xf32>
    %96 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x8x8xi1>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x8x8xi1>) -> tensor<1x2x2x8x8xi1>
    %99 = "stablehlo.transpose"(%91) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x1x1x8x8xi1>) -> tensor<1x2x1x8x8xi1>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x1x8x8xi1>) -> tensor<1x2x2x8x8xi1>
    %101 = "stablehlo.and"(%98, %100) : (tensor<1x2x2x8x8xi1>, tensor<1x2x2x8x8xi1>) -> tensor<1x2x2x8x8xi1>
    %102 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %103 = "func.call"(%101, %95, %102) <{callee = @_where_0}> : (tensor<1x2x2x8x8xi1>, tensor<2x2x8x1x8xf32>, tensor<f32>) -> tensor<1x2x2x8x8xf32>
    %104 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.reduce"(%103, %104) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %161 = "stablehlo.maximum"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%161) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x8x8xf32>, tensor<f32>) -> tensor<1x2x2x8xf32>
    %106 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %108 = "stablehlo.maximum"(%107, %105) : (tensor<1x2x2x8xf32>, tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8x1xf32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x8x1xf32>) -> tensor<1x2x2x8x8xf32>
    %111 = "stablehlo.subtract"(%103, %110) : (tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %112 = "stablehlo.exponential"(%111) : (tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %113 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %114 = "stablehlo.reduce"(%112, %113) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %160 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%160) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x8x8xf32>, tensor<f32>) -> tensor<1x2x2x8xf32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8x1xf32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x8x1xf32>) -> tensor<1x2x2x8x8xf32>
    %117 = "stablehlo.divide"(%112, %116) : (tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %118 = "stablehlo.dot_general"(%85, %117) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<2x2x8x1x8xf32>
    %119 = "stablehlo.transpose"(%118) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x8x1x8xf32>) -> tensor<1x2x8x2x8xf32>
    %120 = "stablehlo.transpose"(%119) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x8x2x8xf32>) -> tensor<2x8x2x1x8xf32>
    %121 = "stablehlo.reshape"(%120) : (tensor<2x8x2x1x8xf32>) -> tensor<2x8x2x8xf32>
    %122 = "stablehlo.dot_general"(%121, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %123 = "stablehlo.reshape"(%arg13) : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %125 = "stablehlo.add"(%122, %124) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %126 = "stablehlo.add"(%32, %125) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %127 = "chlo.square"(%126) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %128 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %129 = "stablehlo.reduce"(%127, %128) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %159 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%159) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %130 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %132 = "stablehlo.divide"(%129, %131) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %133 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %135 = "stablehlo.reshape"(%134) : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %136 = "stablehlo.reshape"(%132) : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %137 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %138 = "stablehlo.subtract"(%126, %137) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %139 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %141 = "stablehlo.add"(%136, %140) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %142 = "stablehlo.rsqrt"(%141) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %143 = "stablehlo.reshape"(%arg26) : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %144 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %145 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %146 = "stablehlo.multiply"(%144, %145) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %147 = "stablehlo.multiply"(%138, %146) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %148 = "stablehlo.dot_general"(%147, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %149 = "stablehlo.reshape"(%arg19) : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x32xf32>) -> tensor<2x8x32xf32>
    %151 = "stablehlo.add"(%148, %150) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %152 = "func.call"(%151) <{callee = @relu}> : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %153 = "stablehlo.dot_general"(%152, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %154 = "stablehlo.reshape"(%arg21) : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %156 = "stablehlo.add"(%153, %155) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %157 = "stablehlo.add"(%126, %156) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %158 = "stablehlo.dot_general"(%157, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x48xf32>) -> tensor<2x8x48xf32>
    "func.return"(%158) : (tensor<2x8x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<48x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<48x16xf32>, %arg8: tensor<2x8xi32>):
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %10 = "stablehlo.compare"(%arg8, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %11 = "stablehlo.constant"() <{value = dense<48> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %13 = "stablehlo.add"(%arg8, %12) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %14 = "func.call"(%10, %13, %arg8) <{callee = @_where}> : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %16 = "stablehlo.constant"() <{value = dense<47> : tensor<1xi32>}> : () -> tensor<1xi32>
    %17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8x1xi32>
    %19 = "stablehlo.compare"(%15, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi1>
    %20 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<2x8x1xi32>
    %22 = "stablehlo.compare"(%15, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi1>
    %23 = "stablehlo.and"(%19, %22) : (tensor<2x8x1xi1>, tensor<2x8x1xi1>) -> tensor<2x8x1xi1>
    %24 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %25 = "stablehlo.reduce"(%23, %24) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg9: tensor<i1>, %arg10: tensor<i1>):
      %31 = "stablehlo.and"(%arg9, %arg10) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%31) : (tensor<i1>) -> ()
    }) : (tensor<2x8x1xi1>, tensor<i1>) -> tensor<2x8xi1>
    %26 = "stablehlo.gather"(%arg7, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi1>) -> tensor<2x8x16xi1>
    %28 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %30 = "stablehlo.select"(%27, %26, %29) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    "func.return"(%30) : (tensor<2x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x8xi1>, %arg5: tensor<2x8xi32>, %arg6: tensor<2x8xi32>):
    %7 = "stablehlo.select"(%arg4, %arg5, %arg6) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    "func.return"(%7) : (tensor<2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x2x2x8x8xi1>, tensor<2x2x8x1x8xf32>, tensor<f32>) -> tensor<1x2x2x8x8xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<1x2x2x8x8xi1>, %arg2: tensor<2x2x8x1x8xf32>, %arg3: tensor<f32>):
    %3 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %5 = "stablehlo.transpose"(%arg2) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x8x1x8xf32>) -> tensor<1x2x2x8x8xf32>
    %6 = "stablehlo.select"(%arg1, %5, %4) : (tensor<1x2x2x8x8xi1>, tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    "func.return"(%6) : (tensor<1x2x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>, res_attrs = [{}], sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8x32xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32xf32>
    %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    "func.return"(%2) : (tensor<2x8x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
