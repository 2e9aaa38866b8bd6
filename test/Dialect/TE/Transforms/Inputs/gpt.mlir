// A GPT of two layers with a tied LM head: batch 2, sequence 8, width 16, 2 heads,
// vocabulary 24, a position table of 12 rows. Linear weights are stored [in, out].
func.func @forward(
    %ids: tensor<2x8xi64> {te.input = "input_ids"},
    %wte_weight: tensor<24x16xf32> {te.param = "wte.weight", te.init = "normal:0,0.02"},
    %wpe_weight: tensor<12x16xf32> {te.param = "wpe.weight", te.init = "normal:0,0.02"},
    %h_0_ln_1_weight: tensor<16xf32> {te.param = "h.0.ln_1.weight", te.init = 1.0 : f32},
    %h_0_ln_1_bias: tensor<16xf32> {te.param = "h.0.ln_1.bias", te.init = 0.0 : f32},
    %h_0_attn_c_attn_weight: tensor<16x48xf32> {te.param = "h.0.attn.c_attn.weight", te.init = "normal:0,0.02"},
    %h_0_attn_c_attn_bias: tensor<48xf32> {te.param = "h.0.attn.c_attn.bias", te.init = 0.0 : f32},
    %h_0_attn_c_proj_weight: tensor<16x16xf32> {te.param = "h.0.attn.c_proj.weight", te.init = "normal:0,0.02"},
    %h_0_attn_c_proj_bias: tensor<16xf32> {te.param = "h.0.attn.c_proj.bias", te.init = 0.0 : f32},
    %h_0_ln_2_weight: tensor<16xf32> {te.param = "h.0.ln_2.weight", te.init = 1.0 : f32},
    %h_0_ln_2_bias: tensor<16xf32> {te.param = "h.0.ln_2.bias", te.init = 0.0 : f32},
    %h_0_mlp_c_fc_weight: tensor<16x32xf32> {te.param = "h.0.mlp.c_fc.weight", te.init = "normal:0,0.02"},
    %h_0_mlp_c_fc_bias: tensor<32xf32> {te.param = "h.0.mlp.c_fc.bias", te.init = 0.0 : f32},
    %h_0_mlp_c_proj_weight: tensor<32x16xf32> {te.param = "h.0.mlp.c_proj.weight", te.init = "normal:0,0.02"},
    %h_0_mlp_c_proj_bias: tensor<16xf32> {te.param = "h.0.mlp.c_proj.bias", te.init = 0.0 : f32},
    %h_1_ln_1_weight: tensor<16xf32> {te.param = "h.1.ln_1.weight", te.init = 1.0 : f32},
    %h_1_ln_1_bias: tensor<16xf32> {te.param = "h.1.ln_1.bias", te.init = 0.0 : f32},
    %h_1_attn_c_attn_weight: tensor<16x48xf32> {te.param = "h.1.attn.c_attn.weight", te.init = "normal:0,0.02"},
    %h_1_attn_c_attn_bias: tensor<48xf32> {te.param = "h.1.attn.c_attn.bias", te.init = 0.0 : f32},
    %h_1_attn_c_proj_weight: tensor<16x16xf32> {te.param = "h.1.attn.c_proj.weight", te.init = "normal:0,0.02"},
    %h_1_attn_c_proj_bias: tensor<16xf32> {te.param = "h.1.attn.c_proj.bias", te.init = 0.0 : f32},
    %h_1_ln_2_weight: tensor<16xf32> {te.param = "h.1.ln_2.weight", te.init = 1.0 : f32},
    %h_1_ln_2_bias: tensor<16xf32> {te.param = "h.1.ln_2.bias", te.init = 0.0 : f32},
    %h_1_mlp_c_fc_weight: tensor<16x32xf32> {te.param = "h.1.mlp.c_fc.weight", te.init = "normal:0,0.02"},
    %h_1_mlp_c_fc_bias: tensor<32xf32> {te.param = "h.1.mlp.c_fc.bias", te.init = 0.0 : f32},
    %h_1_mlp_c_proj_weight: tensor<32x16xf32> {te.param = "h.1.mlp.c_proj.weight", te.init = "normal:0,0.02"},
    %h_1_mlp_c_proj_bias: tensor<16xf32> {te.param = "h.1.mlp.c_proj.bias", te.init = 0.0 : f32},
    %ln_f_weight: tensor<16xf32> {te.param = "ln_f.weight", te.init = 1.0 : f32},
    %ln_f_bias: tensor<16xf32> {te.param = "ln_f.bias", te.init = 0.0 : f32})
    -> (tensor<2x8x24xf32> {te.output = "logits"}) {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<2x8xi64> into tensor<16xi64>
  %tok = te.embedding %flat, %wte_weight : tensor<16xi64>, tensor<24x16xf32> -> tensor<16x16xf32> loc("wte")
  %pos = tensor.extract_slice %wpe_weight[0, 0] [8, 16] [1, 1] : tensor<12x16xf32> to tensor<8x16xf32> loc("wpe")
  %h0 = te.add %tok, %pos : tensor<16x16xf32>, tensor<8x16xf32> -> tensor<16x16xf32> loc("wpe")
  %a_0, %a_0_mean, %a_0_rstd = te.layer_norm %h0, %h_0_ln_1_weight, %h_0_ln_1_bias {eps = 1.0e-5 : f32}
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<16x16xf32> stats tensor<16xf32>, tensor<16xf32> loc("h.0.ln_1")
  %qkv_0 = te.matmul %a_0, %h_0_attn_c_attn_weight bias(%h_0_attn_c_attn_bias : tensor<48xf32>) : tensor<16x16xf32>, tensor<16x48xf32> -> tensor<16x48xf32> loc("h.0.attn.c_attn")
  %q_0, %k_0, %v_0 = te.split %qkv_0 axis 1 : tensor<16x48xf32> -> tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> loc("h.0.attn")
  %q4_0 = tensor.expand_shape %q_0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32> loc("h.0.attn")
  %k4_0 = tensor.expand_shape %k_0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32> loc("h.0.attn")
  %v4_0 = tensor.expand_shape %v_0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32> loc("h.0.attn")
  %o4_0, %lse_0 = te.attention %q4_0, %k4_0, %v4_0 {causal, scale = 0.353553385 : f32}
    : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32> -> tensor<2x8x2x8xf32>, tensor<2x2x8xf32> loc("h.0.attn")
  %o_0 = tensor.collapse_shape %o4_0 [[0, 1], [2, 3]] : tensor<2x8x2x8xf32> into tensor<16x16xf32> loc("h.0.attn")
  %proj_0 = te.matmul %o_0, %h_0_attn_c_proj_weight bias(%h_0_attn_c_proj_bias : tensor<16xf32>) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("h.0.attn.c_proj")
  %r_0 = te.add %h0, %proj_0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("h.0")
  %m_0, %m_0_mean, %m_0_rstd = te.layer_norm %r_0, %h_0_ln_2_weight, %h_0_ln_2_bias {eps = 1.0e-5 : f32}
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<16x16xf32> stats tensor<16xf32>, tensor<16xf32> loc("h.0.ln_2")
  %u_0 = te.matmul %m_0, %h_0_mlp_c_fc_weight bias(%h_0_mlp_c_fc_bias : tensor<32xf32>) : tensor<16x16xf32>, tensor<16x32xf32> -> tensor<16x32xf32> loc("h.0.mlp.c_fc")
  %g_0 = te.activation gelu_tanh %u_0 : tensor<16x32xf32> -> y tensor<16x32xf32> loc("h.0.mlp.act")
  %d_0 = te.matmul %g_0, %h_0_mlp_c_proj_weight bias(%h_0_mlp_c_proj_bias : tensor<16xf32>) : tensor<16x32xf32>, tensor<32x16xf32> -> tensor<16x16xf32> loc("h.0.mlp.c_proj")
  %h1 = te.add %r_0, %d_0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("h.0")
  %a_1, %a_1_mean, %a_1_rstd = te.layer_norm %h1, %h_1_ln_1_weight, %h_1_ln_1_bias {eps = 1.0e-5 : f32}
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<16x16xf32> stats tensor<16xf32>, tensor<16xf32> loc("h.1.ln_1")
  %qkv_1 = te.matmul %a_1, %h_1_attn_c_attn_weight bias(%h_1_attn_c_attn_bias : tensor<48xf32>) : tensor<16x16xf32>, tensor<16x48xf32> -> tensor<16x48xf32> loc("h.1.attn.c_attn")
  %q_1, %k_1, %v_1 = te.split %qkv_1 axis 1 : tensor<16x48xf32> -> tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32> loc("h.1.attn")
  %q4_1 = tensor.expand_shape %q_1 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32> loc("h.1.attn")
  %k4_1 = tensor.expand_shape %k_1 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32> loc("h.1.attn")
  %v4_1 = tensor.expand_shape %v_1 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32> loc("h.1.attn")
  %o4_1, %lse_1 = te.attention %q4_1, %k4_1, %v4_1 {causal, scale = 0.353553385 : f32}
    : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32> -> tensor<2x8x2x8xf32>, tensor<2x2x8xf32> loc("h.1.attn")
  %o_1 = tensor.collapse_shape %o4_1 [[0, 1], [2, 3]] : tensor<2x8x2x8xf32> into tensor<16x16xf32> loc("h.1.attn")
  %proj_1 = te.matmul %o_1, %h_1_attn_c_proj_weight bias(%h_1_attn_c_proj_bias : tensor<16xf32>) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("h.1.attn.c_proj")
  %r_1 = te.add %h1, %proj_1 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("h.1")
  %m_1, %m_1_mean, %m_1_rstd = te.layer_norm %r_1, %h_1_ln_2_weight, %h_1_ln_2_bias {eps = 1.0e-5 : f32}
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<16x16xf32> stats tensor<16xf32>, tensor<16xf32> loc("h.1.ln_2")
  %u_1 = te.matmul %m_1, %h_1_mlp_c_fc_weight bias(%h_1_mlp_c_fc_bias : tensor<32xf32>) : tensor<16x16xf32>, tensor<16x32xf32> -> tensor<16x32xf32> loc("h.1.mlp.c_fc")
  %g_1 = te.activation gelu_tanh %u_1 : tensor<16x32xf32> -> y tensor<16x32xf32> loc("h.1.mlp.act")
  %d_1 = te.matmul %g_1, %h_1_mlp_c_proj_weight bias(%h_1_mlp_c_proj_bias : tensor<16xf32>) : tensor<16x32xf32>, tensor<32x16xf32> -> tensor<16x16xf32> loc("h.1.mlp.c_proj")
  %h2 = te.add %r_1, %d_1 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("h.1")
  %f, %f_mean, %f_rstd = te.layer_norm %h2, %ln_f_weight, %ln_f_bias {eps = 1.0e-5 : f32}
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<16x16xf32> stats tensor<16xf32>, tensor<16xf32> loc("ln_f")
  %l2 = te.matmul %f, %wte_weight {transpose_b} : tensor<16x16xf32>, tensor<24x16xf32> -> tensor<16x24xf32> loc("lm_head")
  %logits = tensor.expand_shape %l2 [[0, 1], [2]] output_shape [2, 8, 24] : tensor<16x24xf32> into tensor<2x8x24xf32> loc("lm_head")
  return %logits : tensor<2x8x24xf32>
}
