func.func @main(%tokens: tensor<48x16xf32> {te.param = "tokens"},
                %norm_1: tensor<16xf32> {te.param = "norm_1"},
                %q: tensor<16x16xf32> {te.param = "q"},
                %k: tensor<16x16xf32> {te.param = "k"},
                %v: tensor<16x16xf32> {te.param = "v"},
                %o: tensor<16x16xf32> {te.param = "o"},
                %norm_2: tensor<16xf32> {te.param = "norm_2"},
                %gate: tensor<24x16xf32> {te.param = "gate"},
                %up: tensor<24x16xf32> {te.param = "up"},
                %down: tensor<16x24xf32> {te.param = "down"},
                %bias: tensor<16xf32> {te.param = "bias"},
                %norm: tensor<16xf32> {te.param = "norm"},
                %head: tensor<48x16xf32> {te.param = "head"},
                %ids: tensor<2x8xi32> {te.input = "ids"})
    -> (tensor<2x8x48xf32> {te.output = "logits"}) attributes {te.model} {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.reshape"(%ids, %1) : (tensor<2x8xi32>, !tosa.shape<2>) -> tensor<1x16xi32>
    %3 = "tosa.const_shape"() <{values = dense<[1, 48, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.reshape"(%tokens, %3) : (tensor<48x16xf32>, !tosa.shape<3>) -> tensor<1x48x16xf32>
    %5 = "tosa.gather"(%4, %2) : (tensor<1x48x16xf32>, tensor<1x16xi32>) -> tensor<1x16x16xf32>
    %6 = "tosa.const_shape"() <{values = dense<[2, 8, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x16x16xf32>, !tosa.shape<3>) -> tensor<2x8x16xf32>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%7, %7, %8) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %10 = "tosa.reduce_sum"(%9) <{axis = 2 : i32}> : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
    %11 = "tosa.const"() <{values = dense<[[[6.250000000e-02]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.mul"(%10, %11, %12) : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %14 = "tosa.const"() <{values = dense<[[[9.999999975e-07]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %15 = "tosa.add"(%13, %14) : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %16 = "tosa.rsqrt"(%15) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %17 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.mul"(%7, %16, %17) : (tensor<2x8x16xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %19 = "tosa.const_shape"() <{values = dense<[1, 1, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %20 = "tosa.reshape"(%norm_1, %19) : (tensor<16xf32>, !tosa.shape<3>) -> tensor<1x1x16xf32>
    %21 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.mul"(%18, %20, %21) : (tensor<2x8x16xf32>, tensor<1x1x16xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %23 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %24 = "tosa.reshape"(%22, %23) : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %25 = "tosa.transpose"(%q) <{perms = array<i32: 1, 0>}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %26 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %27 = "tosa.reshape"(%25, %26) : (tensor<16x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %28 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %29 = "tosa.matmul"(%24, %27, %28, %28) : (tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %30 = "tosa.const_shape"() <{values = dense<[2, 8, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %31 = "tosa.reshape"(%29, %30) : (tensor<1x16x16xf32>, !tosa.shape<3>) -> tensor<2x8x16xf32>
    %32 = "tosa.const_shape"() <{values = dense<[2, 8, 2, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %33 = "tosa.reshape"(%31, %32) : (tensor<2x8x16xf32>, !tosa.shape<4>) -> tensor<2x8x2x8xf32>
    %34 = "tosa.transpose"(%33) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %35 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %36 = "tosa.const_shape"() <{values = dense<[2, 2, 8, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %37 = "tosa.slice"(%34, %35, %36) : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %38 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %39 = "tosa.const_shape"() <{values = dense<[2, 2, 8, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %40 = "tosa.slice"(%34, %38, %39) : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %41 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %42 = "tosa.negate"(%40, %41, %41) : (tensor<2x2x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x2x8x4xf32>
    %43 = "tosa.concat"(%42, %37) <{axis = 3 : i32}> : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x8xf32>
    %44 = "tosa.const"() <{values = dense<[[[[1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00,
    1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00],
   [5.403022766e-01, 9.504152536e-01, 9.950041771e-01, 9.995000362e-01,
    5.403022766e-01, 9.504152536e-01, 9.950041771e-01, 9.995000362e-01],
   [-4.161468148e-01, 8.065783978e-01, 9.800665975e-01, 9.980006814e-01,
    -4.161468148e-01, 8.065783978e-01, 9.800665975e-01, 9.980006814e-01],
   [-9.899924994e-01, 5.827535987e-01, 9.553365111e-01, 9.955033660e-01,
    -9.899924994e-01, 5.827535987e-01, 9.553365111e-01, 9.955033660e-01],
   [-6.536436081e-01, 3.011374772e-01, 9.210609794e-01, 9.920106530e-01,
    -6.536436081e-01, 3.011374772e-01, 9.210609794e-01, 9.920106530e-01],
   [2.836621702e-01, -1.034233812e-02, 8.775825500e-01, 9.875259995e-01,
    2.836621702e-01, -1.034233812e-02, 8.775825500e-01, 9.875259995e-01],
   [9.601702690e-01, -3.207964897e-01, 8.253356218e-01, 9.820539355e-01,
    9.601702690e-01, -3.207964897e-01, 8.253356218e-01, 9.820539355e-01],
   [7.539022565e-01, -5.994374752e-01, 7.648422122e-01, 9.755998850e-01,
    7.539022565e-01, -5.994374752e-01, 7.648422122e-01, 9.755998850e-01]]]]> : tensor<1x1x8x8xf32>}> : () -> tensor<1x1x8x8xf32>
    %45 = "tosa.const"() <{values = dense<[[[[0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00,
    0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00],
   [8.414710164e-01, 3.109835982e-01, 9.983342141e-02, 3.161750361e-02,
    8.414710164e-01, 3.109835982e-01, 9.983342141e-02, 3.161750361e-02],
   [9.092974067e-01, 5.911270976e-01, 1.986693293e-01, 6.320339441e-02,
    9.092974067e-01, 5.911270976e-01, 1.986693293e-01, 6.320339441e-02],
   [1.411200017e-01, 8.126488924e-01, 2.955202162e-01, 9.472609311e-02,
    1.411200017e-01, 8.126488924e-01, 2.955202162e-01, 9.472609311e-02],
   [-7.568024993e-01, 9.535807371e-01, 3.894183338e-01, 1.261540651e-01,
    -7.568024993e-01, 9.535807371e-01, 3.894183338e-01, 1.261540651e-01],
   [-9.589242935e-01, 9.999465346e-01, 4.794255495e-01, 1.574558914e-01,
    -9.589242935e-01, 9.999465346e-01, 4.794255495e-01, 1.574558914e-01],
   [-2.794154882e-01, 9.471481442e-01, 5.646424890e-01, 1.886002868e-01,
    -2.794154882e-01, 9.471481442e-01, 5.646424890e-01, 1.886002868e-01],
   [6.569865942e-01, 8.004215956e-01, 6.442176700e-01, 2.195560932e-01,
    6.569865942e-01, 8.004215956e-01, 6.442176700e-01, 2.195560932e-01]]]]> : tensor<1x1x8x8xf32>}> : () -> tensor<1x1x8x8xf32>
    %46 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.mul"(%34, %44, %46) : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %48 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %49 = "tosa.mul"(%43, %45, %48) : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %50 = "tosa.add"(%47, %49) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %51 = "tosa.const_shape"() <{values = dense<[4, 8, 8]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %52 = "tosa.reshape"(%50, %51) : (tensor<2x2x8x8xf32>, !tosa.shape<3>) -> tensor<4x8x8xf32>
    %53 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %54 = "tosa.reshape"(%22, %53) : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %55 = "tosa.transpose"(%k) <{perms = array<i32: 1, 0>}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %56 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %57 = "tosa.reshape"(%55, %56) : (tensor<16x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %58 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %59 = "tosa.matmul"(%54, %57, %58, %58) : (tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %60 = "tosa.const_shape"() <{values = dense<[2, 8, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %61 = "tosa.reshape"(%59, %60) : (tensor<1x16x16xf32>, !tosa.shape<3>) -> tensor<2x8x16xf32>
    %62 = "tosa.const_shape"() <{values = dense<[2, 8, 2, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %63 = "tosa.reshape"(%61, %62) : (tensor<2x8x16xf32>, !tosa.shape<4>) -> tensor<2x8x2x8xf32>
    %64 = "tosa.transpose"(%63) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %65 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %66 = "tosa.const_shape"() <{values = dense<[2, 2, 8, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %67 = "tosa.slice"(%64, %65, %66) : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %68 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %69 = "tosa.const_shape"() <{values = dense<[2, 2, 8, 4]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %70 = "tosa.slice"(%64, %68, %69) : (tensor<2x2x8x8xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x8x4xf32>
    %71 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %72 = "tosa.negate"(%70, %71, %71) : (tensor<2x2x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x2x8x4xf32>
    %73 = "tosa.concat"(%72, %67) <{axis = 3 : i32}> : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x8xf32>
    %74 = "tosa.const"() <{values = dense<[[[[1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00,
    1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00],
   [5.403022766e-01, 9.504152536e-01, 9.950041771e-01, 9.995000362e-01,
    5.403022766e-01, 9.504152536e-01, 9.950041771e-01, 9.995000362e-01],
   [-4.161468148e-01, 8.065783978e-01, 9.800665975e-01, 9.980006814e-01,
    -4.161468148e-01, 8.065783978e-01, 9.800665975e-01, 9.980006814e-01],
   [-9.899924994e-01, 5.827535987e-01, 9.553365111e-01, 9.955033660e-01,
    -9.899924994e-01, 5.827535987e-01, 9.553365111e-01, 9.955033660e-01],
   [-6.536436081e-01, 3.011374772e-01, 9.210609794e-01, 9.920106530e-01,
    -6.536436081e-01, 3.011374772e-01, 9.210609794e-01, 9.920106530e-01],
   [2.836621702e-01, -1.034233812e-02, 8.775825500e-01, 9.875259995e-01,
    2.836621702e-01, -1.034233812e-02, 8.775825500e-01, 9.875259995e-01],
   [9.601702690e-01, -3.207964897e-01, 8.253356218e-01, 9.820539355e-01,
    9.601702690e-01, -3.207964897e-01, 8.253356218e-01, 9.820539355e-01],
   [7.539022565e-01, -5.994374752e-01, 7.648422122e-01, 9.755998850e-01,
    7.539022565e-01, -5.994374752e-01, 7.648422122e-01, 9.755998850e-01]]]]> : tensor<1x1x8x8xf32>}> : () -> tensor<1x1x8x8xf32>
    %75 = "tosa.const"() <{values = dense<[[[[0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00,
    0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00],
   [8.414710164e-01, 3.109835982e-01, 9.983342141e-02, 3.161750361e-02,
    8.414710164e-01, 3.109835982e-01, 9.983342141e-02, 3.161750361e-02],
   [9.092974067e-01, 5.911270976e-01, 1.986693293e-01, 6.320339441e-02,
    9.092974067e-01, 5.911270976e-01, 1.986693293e-01, 6.320339441e-02],
   [1.411200017e-01, 8.126488924e-01, 2.955202162e-01, 9.472609311e-02,
    1.411200017e-01, 8.126488924e-01, 2.955202162e-01, 9.472609311e-02],
   [-7.568024993e-01, 9.535807371e-01, 3.894183338e-01, 1.261540651e-01,
    -7.568024993e-01, 9.535807371e-01, 3.894183338e-01, 1.261540651e-01],
   [-9.589242935e-01, 9.999465346e-01, 4.794255495e-01, 1.574558914e-01,
    -9.589242935e-01, 9.999465346e-01, 4.794255495e-01, 1.574558914e-01],
   [-2.794154882e-01, 9.471481442e-01, 5.646424890e-01, 1.886002868e-01,
    -2.794154882e-01, 9.471481442e-01, 5.646424890e-01, 1.886002868e-01],
   [6.569865942e-01, 8.004215956e-01, 6.442176700e-01, 2.195560932e-01,
    6.569865942e-01, 8.004215956e-01, 6.442176700e-01, 2.195560932e-01]]]]> : tensor<1x1x8x8xf32>}> : () -> tensor<1x1x8x8xf32>
    %76 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %77 = "tosa.mul"(%64, %74, %76) : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %78 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %79 = "tosa.mul"(%73, %75, %78) : (tensor<2x2x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %80 = "tosa.add"(%77, %79) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %81 = "tosa.const_shape"() <{values = dense<[4, 8, 8]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %82 = "tosa.reshape"(%80, %81) : (tensor<2x2x8x8xf32>, !tosa.shape<3>) -> tensor<4x8x8xf32>
    %83 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %84 = "tosa.reshape"(%22, %83) : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %85 = "tosa.transpose"(%v) <{perms = array<i32: 1, 0>}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %86 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %87 = "tosa.reshape"(%85, %86) : (tensor<16x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %88 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %89 = "tosa.matmul"(%84, %87, %88, %88) : (tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %90 = "tosa.const_shape"() <{values = dense<[2, 8, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %91 = "tosa.reshape"(%89, %90) : (tensor<1x16x16xf32>, !tosa.shape<3>) -> tensor<2x8x16xf32>
    %92 = "tosa.const_shape"() <{values = dense<[2, 8, 2, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %93 = "tosa.reshape"(%91, %92) : (tensor<2x8x16xf32>, !tosa.shape<4>) -> tensor<2x8x2x8xf32>
    %94 = "tosa.transpose"(%93) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %95 = "tosa.const_shape"() <{values = dense<[4, 8, 8]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %96 = "tosa.reshape"(%94, %95) : (tensor<2x2x8x8xf32>, !tosa.shape<3>) -> tensor<4x8x8xf32>
    %97 = "tosa.transpose"(%82) <{perms = array<i32: 0, 2, 1>}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %98 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %99 = "tosa.matmul"(%52, %97, %98, %98) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8x8xf32>
    %100 = "tosa.const"() <{values = dense<[[[3.535533845e-01]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %101 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %102 = "tosa.mul"(%99, %100, %101) : (tensor<4x8x8xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x8x8xf32>
    %103 = "tosa.const"() <{values = dense<[[[0.000000000e+00, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000,
   0xFF800000, 0xFF800000, 0xFF800000],
  [0.000000000e+00, 0.000000000e+00, 0xFF800000, 0xFF800000, 0xFF800000,
   0xFF800000, 0xFF800000, 0xFF800000],
  [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0xFF800000,
   0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
  [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00,
   0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
  [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00,
   0.000000000e+00, 0xFF800000, 0xFF800000, 0xFF800000],
  [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00,
   0.000000000e+00, 0.000000000e+00, 0xFF800000, 0xFF800000],
  [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00,
   0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0xFF800000],
  [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00,
   0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]> : tensor<1x8x8xf32>}> : () -> tensor<1x8x8xf32>
    %104 = "tosa.add"(%102, %103) : (tensor<4x8x8xf32>, tensor<1x8x8xf32>) -> tensor<4x8x8xf32>
    %105 = "tosa.reduce_max"(%104) <{axis = 2 : i32}> : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
    %106 = "tosa.sub"(%104, %105) : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %107 = "tosa.exp"(%106) : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %108 = "tosa.reduce_sum"(%107) <{axis = 2 : i32}> : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
    %109 = "tosa.reciprocal"(%108) : (tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %110 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %111 = "tosa.mul"(%107, %109, %110) : (tensor<4x8x8xf32>, tensor<4x8x1xf32>, tensor<1xi8>) -> tensor<4x8x8xf32>
    %112 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %113 = "tosa.matmul"(%111, %96, %112, %112) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8x8xf32>
    %114 = "tosa.const_shape"() <{values = dense<[2, 2, 8, 8]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %115 = "tosa.reshape"(%113, %114) : (tensor<4x8x8xf32>, !tosa.shape<4>) -> tensor<2x2x8x8xf32>
    %116 = "tosa.transpose"(%115) <{perms = array<i32: 0, 2, 1, 3>}> : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %117 = "tosa.const_shape"() <{values = dense<[2, 8, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %118 = "tosa.reshape"(%116, %117) : (tensor<2x8x2x8xf32>, !tosa.shape<3>) -> tensor<2x8x16xf32>
    %119 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %120 = "tosa.reshape"(%118, %119) : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %121 = "tosa.transpose"(%o) <{perms = array<i32: 1, 0>}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %122 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %123 = "tosa.reshape"(%121, %122) : (tensor<16x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %124 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %125 = "tosa.matmul"(%120, %123, %124, %124) : (tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %126 = "tosa.const_shape"() <{values = dense<[2, 8, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %127 = "tosa.reshape"(%125, %126) : (tensor<1x16x16xf32>, !tosa.shape<3>) -> tensor<2x8x16xf32>
    %128 = "tosa.add"(%7, %127) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %129 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %130 = "tosa.mul"(%128, %128, %129) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %131 = "tosa.reduce_sum"(%130) <{axis = 2 : i32}> : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
    %132 = "tosa.const"() <{values = dense<[[[6.250000000e-02]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %133 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %134 = "tosa.mul"(%131, %132, %133) : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %135 = "tosa.const"() <{values = dense<[[[9.999999975e-07]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %136 = "tosa.add"(%134, %135) : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %137 = "tosa.rsqrt"(%136) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %138 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %139 = "tosa.mul"(%128, %137, %138) : (tensor<2x8x16xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %140 = "tosa.const_shape"() <{values = dense<[1, 1, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %141 = "tosa.reshape"(%norm_2, %140) : (tensor<16xf32>, !tosa.shape<3>) -> tensor<1x1x16xf32>
    %142 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %143 = "tosa.mul"(%139, %141, %142) : (tensor<2x8x16xf32>, tensor<1x1x16xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %144 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %145 = "tosa.reshape"(%143, %144) : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %146 = "tosa.transpose"(%gate) <{perms = array<i32: 1, 0>}> : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %147 = "tosa.const_shape"() <{values = dense<[1, 16, 24]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %148 = "tosa.reshape"(%146, %147) : (tensor<16x24xf32>, !tosa.shape<3>) -> tensor<1x16x24xf32>
    %149 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %150 = "tosa.matmul"(%145, %148, %149, %149) : (tensor<1x16x16xf32>, tensor<1x16x24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x24xf32>
    %151 = "tosa.const_shape"() <{values = dense<[2, 8, 24]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %152 = "tosa.reshape"(%150, %151) : (tensor<1x16x24xf32>, !tosa.shape<3>) -> tensor<2x8x24xf32>
    %153 = "tosa.sigmoid"(%152) : (tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %154 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %155 = "tosa.mul"(%152, %153, %154) : (tensor<2x8x24xf32>, tensor<2x8x24xf32>, tensor<1xi8>) -> tensor<2x8x24xf32>
    %156 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %157 = "tosa.reshape"(%143, %156) : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %158 = "tosa.transpose"(%up) <{perms = array<i32: 1, 0>}> : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %159 = "tosa.const_shape"() <{values = dense<[1, 16, 24]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %160 = "tosa.reshape"(%158, %159) : (tensor<16x24xf32>, !tosa.shape<3>) -> tensor<1x16x24xf32>
    %161 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %162 = "tosa.matmul"(%157, %160, %161, %161) : (tensor<1x16x16xf32>, tensor<1x16x24xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x24xf32>
    %163 = "tosa.const_shape"() <{values = dense<[2, 8, 24]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %164 = "tosa.reshape"(%162, %163) : (tensor<1x16x24xf32>, !tosa.shape<3>) -> tensor<2x8x24xf32>
    %165 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %166 = "tosa.mul"(%155, %164, %165) : (tensor<2x8x24xf32>, tensor<2x8x24xf32>, tensor<1xi8>) -> tensor<2x8x24xf32>
    %167 = "tosa.const_shape"() <{values = dense<[1, 16, 24]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %168 = "tosa.reshape"(%166, %167) : (tensor<2x8x24xf32>, !tosa.shape<3>) -> tensor<1x16x24xf32>
    %169 = "tosa.transpose"(%down) <{perms = array<i32: 1, 0>}> : (tensor<16x24xf32>) -> tensor<24x16xf32>
    %170 = "tosa.const_shape"() <{values = dense<[1, 24, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %171 = "tosa.reshape"(%169, %170) : (tensor<24x16xf32>, !tosa.shape<3>) -> tensor<1x24x16xf32>
    %172 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %173 = "tosa.matmul"(%168, %171, %172, %172) : (tensor<1x16x24xf32>, tensor<1x24x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16xf32>
    %174 = "tosa.const_shape"() <{values = dense<[2, 8, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %175 = "tosa.reshape"(%173, %174) : (tensor<1x16x16xf32>, !tosa.shape<3>) -> tensor<2x8x16xf32>
    %176 = "tosa.add"(%128, %175) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %177 = "tosa.const_shape"() <{values = dense<[1, 1, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %178 = "tosa.reshape"(%bias, %177) : (tensor<16xf32>, !tosa.shape<3>) -> tensor<1x1x16xf32>
    %179 = "tosa.add"(%176, %178) : (tensor<2x8x16xf32>, tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %180 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %181 = "tosa.mul"(%179, %179, %180) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %182 = "tosa.reduce_sum"(%181) <{axis = 2 : i32}> : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
    %183 = "tosa.const"() <{values = dense<[[[6.250000000e-02]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %184 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %185 = "tosa.mul"(%182, %183, %184) : (tensor<2x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x1xf32>
    %186 = "tosa.const"() <{values = dense<[[[9.999999975e-07]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %187 = "tosa.add"(%185, %186) : (tensor<2x8x1xf32>, tensor<1x1x1xf32>) -> tensor<2x8x1xf32>
    %188 = "tosa.rsqrt"(%187) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %189 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %190 = "tosa.mul"(%179, %188, %189) : (tensor<2x8x16xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %191 = "tosa.const_shape"() <{values = dense<[1, 1, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %192 = "tosa.reshape"(%norm, %191) : (tensor<16xf32>, !tosa.shape<3>) -> tensor<1x1x16xf32>
    %193 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %194 = "tosa.mul"(%190, %192, %193) : (tensor<2x8x16xf32>, tensor<1x1x16xf32>, tensor<1xi8>) -> tensor<2x8x16xf32>
    %195 = "tosa.const_shape"() <{values = dense<[1, 16, 16]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %196 = "tosa.reshape"(%194, %195) : (tensor<2x8x16xf32>, !tosa.shape<3>) -> tensor<1x16x16xf32>
    %197 = "tosa.transpose"(%head) <{perms = array<i32: 1, 0>}> : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %198 = "tosa.const_shape"() <{values = dense<[1, 16, 48]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %199 = "tosa.reshape"(%197, %198) : (tensor<16x48xf32>, !tosa.shape<3>) -> tensor<1x16x48xf32>
    %200 = "tosa.const"() <{values = dense<[0.000000000e+00]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %201 = "tosa.matmul"(%196, %199, %200, %200) : (tensor<1x16x16xf32>, tensor<1x16x48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x48xf32>
    %202 = "tosa.const_shape"() <{values = dense<[2, 8, 48]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %203 = "tosa.reshape"(%201, %202) : (tensor<1x16x48xf32>, !tosa.shape<3>) -> tensor<2x8x48xf32>
    return %203 : tensor<2x8x48xf32>
}
