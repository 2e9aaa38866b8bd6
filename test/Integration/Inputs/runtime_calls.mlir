// Every op of the tert dialect once, with all of its tensors, each an argument
// of its function. LayoutTest.cpp calls them on memory of zeros.

func.func @matmul(%a: memref<16x32xf32>, %b: memref<48x32xf32>, %bias: memref<48xf32>, %d: memref<16x48xf32>) {
  tert.matmul a(%a : memref<16x32xf32>) b(%b : memref<48x32xf32>) bias(%bias : memref<48xf32>) -> d(%d : memref<16x48xf32>) {transpose_b}
  return
}

func.func @scaled_matmul(%a: memref<16x32xf8E4M3FN>, %b: memref<48x32xf8E5M2>, %as: memref<f32>, %bs: memref<f32>,
                         %bias: memref<48xf32>, %d: memref<16x48xbf16>) {
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%as : memref<f32>) b(%b : memref<48x32xf8E5M2>) b_scale_inv(%bs : memref<f32>)
    bias(%bias : memref<48xf32>) -> d(%d : memref<16x48xbf16>) {accumulate = #te.accumulate<split>}
  return
}

func.func @group_rows(%e: memref<16xi32>, %s: memref<40xi32>, %p: memref<16xi32>, %g: memref<40xi32>) {
  tert.group_rows experts(%e : memref<16xi32>) -> source(%s : memref<40xi32>) slot(%p : memref<16xi32>) groups(%g : memref<40xi32>)
    {count = 3 : i64, alignment = 8 : i64, ranks = 1 : i64}
  return
}

func.func @expert_matmul(%a: memref<16x32xbf16>, %b: memref<96x48xf32>, %g: memref<16xi32>, %d: memref<16x48xf32>) {
  tert.expert_matmul a(%a : memref<16x32xbf16>) b(%b : memref<96x48xf32>) groups(%g : memref<16xi32>) -> d(%d : memref<16x48xf32>)
    {alignment = 8 : i64}
  return
}

func.func @scaled_expert_matmul(%a: memref<32x16xf8E4M3FN>, %as: memref<3xf32>, %b: memref<48x16xf8E5M2>, %bs: memref<f32>,
                                %g: memref<16xi32>, %d: memref<96x48xbf16>) {
  tert.scaled_expert_matmul a(%a : memref<32x16xf8E4M3FN>) a_scale_inv(%as : memref<3xf32>) b(%b : memref<48x16xf8E5M2>) b_scale_inv(%bs : memref<f32>)
    groups(%g : memref<16xi32>) -> d(%d : memref<96x48xbf16>) {wgrad, alignment = 1 : i64, accumulate = #te.accumulate<split>}
  return
}

func.func @permute(%x: memref<8x32xbf16>, %s: memref<48xi32>, %w: memref<16xf32>, %y: memref<48x32xf32>, %i: memref<f32>, %q: memref<48x32xf8E5M2>,
                   %qt: memref<32x48xf8E5M2>, %amax: memref<f32>) {
  tert.permute x(%x : memref<8x32xbf16>) source(%s : memref<48xi32>) weights(%w : memref<16xf32>) scale(%i : memref<f32>)
    -> y(%y : memref<48x32xf32>) rowwise(%q : memref<48x32xf8E5M2>) columnwise(%qt : memref<32x48xf8E5M2>) amax(%amax : memref<f32>) {repeat = 2 : i64}
  return
}

func.func @take_rows(%x: memref<16x32xf8E4M3FN>, %s: memref<48xi32>, %y: memref<48x32xf8E4M3FN>) {
  tert.take_rows x(%x : memref<16x32xf8E4M3FN>) source(%s : memref<48xi32>) -> y(%y : memref<48x32xf8E4M3FN>)
  return
}

func.func @unpermute(%x: memref<40x32xbf16>, %s: memref<16xi32>, %w: memref<16xf32>, %y: memref<8x32xf32>) {
  tert.unpermute x(%x : memref<40x32xbf16>) slot(%s : memref<16xi32>) weights(%w : memref<16xf32>) -> y(%y : memref<8x32xf32>) {repeat = 2 : i64}
  return
}

func.func @permute_weights_grad(%x: memref<40x32xbf16>, %s: memref<16xi32>, %t: memref<8x32xf32>, %d: memref<16xf32>) {
  tert.permute_weights_grad permuted(%x : memref<40x32xbf16>) slot(%s : memref<16xi32>) tokens(%t : memref<8x32xf32>) -> dweights(%d : memref<16xf32>) {repeat = 2 : i64}
  return
}

func.func @quantize(%x: memref<16x32xf32>, %s: memref<f32>, %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>,
                    %amax: memref<f32>, %db: memref<32xf32>) {
  tert.quantize x(%x : memref<16x32xf32>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amax(%amax : memref<f32>) dbias(%db : memref<32xf32>)
  return
}

func.func @quantize_joined(%x0: memref<16x32xf32>, %x1: memref<48x32xf32>, %s: memref<f32>, %q: memref<64x32xf8E4M3FN>, %qt: memref<32x64xf8E4M3FN>,
                           %amax: memref<f32>) {
  tert.quantize_joined x(%x0, %x1 : memref<16x32xf32>, memref<48x32xf32>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<64x32xf8E4M3FN>) columnwise(%qt : memref<32x64xf8E4M3FN>) amax(%amax : memref<f32>)
  return
}

func.func @dequantize(%x: memref<16x32xf8E4M3FN>, %s: memref<f32>, %y: memref<16x32xbf16>) {
  tert.dequantize x(%x : memref<16x32xf8E4M3FN>) x_scale_inv(%s : memref<f32>) -> y(%y : memref<16x32xbf16>)
  return
}

func.func @amax(%x: memref<16x32xf32>, %amax: memref<f32>) {
  tert.amax x(%x : memref<16x32xf32>) -> amax(%amax : memref<f32>)
  return
}

func.func @compute_scale(%amax: memref<f32>, %s: memref<f32>, %si: memref<f32>) {
  tert.compute_scale amax(%amax : memref<f32>) -> scale(%s : memref<f32>) scale_inv(%si : memref<f32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32}
  return
}

func.func @quantize_blocks(%x: memref<16x256xf32>, %q: memref<16x256xf8E4M3FN>, %qsi: memref<16x2xf32, strided<[1, 16]>>,
                           %qt: memref<256x16xf8E4M3FN>, %qtsi: memref<256x1xf32>, %amax: memref<f32>, %dbias: memref<256xf32>) {
  tert.quantize_blocks x(%x : memref<16x256xf32>)
    -> rowwise(%q : memref<16x256xf8E4M3FN>) rowwise_scale_inv(%qsi : memref<16x2xf32, strided<[1, 16]>>)
       columnwise(%qt : memref<256x16xf8E4M3FN>) columnwise_scale_inv(%qtsi : memref<256x1xf32>) amax(%amax : memref<f32>)
       dbias(%dbias : memref<256xf32>) {epsilon = 0.0 : f32, power_of_two}
  return
}

func.func @update_scales(%a0: memref<f32>, %a1: memref<f32>, %s: memref<2xf32>, %si: memref<2xf32>, %h: memref<4x2xf32>, %n: memref<2xi64>) {
  tert.update_scales amaxes(%a0, %a1 : memref<f32>, memref<f32>)
    -> scales(%s : memref<2xf32>) scale_invs(%si : memref<2xf32>) history(%h : memref<4x2xf32>) nonfinite(%n : memref<2xi64>)
    {algo = #te.amax_algo<max>, formats = [f8E4M3FN, f8E5M2], margin = 0 : i32}
  return
}

func.func @record_amaxes(%a0: memref<f32>, %a1: memref<f32>, %h: memref<4x2xf32>) {
  tert.record_amaxes amaxes(%a0, %a1 : memref<f32>, memref<f32>) -> history(%h : memref<4x2xf32>)
  return
}

func.func @layer_norm(%x: memref<16x32xf32>, %g: memref<32xf32>, %b: memref<32xf32>, %s: memref<f32>, %y: memref<16x32xbf16>,
                      %mean: memref<16xf32>, %rstd: memref<16xf32>, %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>) {
  tert.layer_norm x(%x : memref<16x32xf32>) gamma(%g : memref<32xf32>) beta(%b : memref<32xf32>) scale(%s : memref<f32>)
    -> y(%y : memref<16x32xbf16>) mean(%mean : memref<16xf32>) rstd(%rstd : memref<16xf32>)
       rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amax(%amax : memref<f32>) {eps = 1.0e-5 : f32}
  return
}

func.func @layer_norm_grad(%dy: memref<16x32xf32>, %x: memref<16x32xf32>, %g: memref<32xf32>, %mean: memref<16xf32>, %rstd: memref<16xf32>,
                           %r: memref<16x32xf32>, %dx: memref<16x32xf32>, %dg: memref<32xf32>, %db: memref<32xf32>) {
  tert.layer_norm_grad dy(%dy : memref<16x32xf32>) x(%x : memref<16x32xf32>) gamma(%g : memref<32xf32>) mean(%mean : memref<16xf32>)
    rstd(%rstd : memref<16xf32>) residual(%r : memref<16x32xf32>)
    -> dx(%dx : memref<16x32xf32>) dgamma(%dg : memref<32xf32>) dbeta(%db : memref<32xf32>)
  return
}

func.func @rms_norm(%x: memref<16x32xf32>, %g: memref<32xf32>, %s: memref<f32>, %y: memref<16x32xbf16>,
                    %rstd: memref<16xf32>, %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>) {
  tert.rms_norm x(%x : memref<16x32xf32>) gamma(%g : memref<32xf32>) scale(%s : memref<f32>)
    -> y(%y : memref<16x32xbf16>) rstd(%rstd : memref<16xf32>)
       rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amax(%amax : memref<f32>) {eps = 1.0e-5 : f32}
  return
}

func.func @rms_norm_grad(%dy: memref<16x32xf32>, %x: memref<16x32xf32>, %g: memref<32xf32>, %rstd: memref<16xf32>, %r: memref<16x32xf32>, %s: memref<f32>,
                         %dx: memref<16x32xf32>, %dg: memref<32xf32>, %q: memref<16x32xf8E5M2>, %qt: memref<32x16xf8E5M2>, %amax: memref<f32>) {
  tert.rms_norm_grad dy(%dy : memref<16x32xf32>) x(%x : memref<16x32xf32>) gamma(%g : memref<32xf32>)
    rstd(%rstd : memref<16xf32>) residual(%r : memref<16x32xf32>) scale(%s : memref<f32>)
    -> dx(%dx : memref<16x32xf32>) dgamma(%dg : memref<32xf32>)
       rowwise(%q : memref<16x32xf8E5M2>) columnwise(%qt : memref<32x16xf8E5M2>) amax(%amax : memref<f32>)
  return
}

func.func @rms_norm_grad_recompute(%dy: memref<16x32xf32>, %x: memref<16x32xf32>, %g: memref<32xf32>, %rstd: memref<16xf32>, %ys: memref<f32>, %r: memref<16x32xf32>, %s: memref<f32>,
                                   %dx: memref<16x32xf32>, %dg: memref<32xf32>, %q: memref<16x32xf8E5M2>, %qt: memref<32x16xf8E5M2>, %amax: memref<f32>, %yt: memref<32x16xf8E4M3FN>) {
  tert.rms_norm_grad_recompute dy(%dy : memref<16x32xf32>) x(%x : memref<16x32xf32>) gamma(%g : memref<32xf32>)
    rstd(%rstd : memref<16xf32>) y_scale(%ys : memref<f32>) residual(%r : memref<16x32xf32>) scale(%s : memref<f32>)
    -> dx(%dx : memref<16x32xf32>) dgamma(%dg : memref<32xf32>)
       rowwise(%q : memref<16x32xf8E5M2>) columnwise(%qt : memref<32x16xf8E5M2>) amax(%amax : memref<f32>) y_columnwise(%yt : memref<32x16xf8E4M3FN>)
  return
}

func.func @gated_activation(%x: memref<16x64xf32>, %s: memref<f32>, %y: memref<16x32xf32>, %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>,
                            %gate: memref<16x32xf32>, %up: memref<16x32xf32>, %z: memref<16x32xf32>) {
  tert.gated_activation x(%x : memref<16x64xf32>) scale(%s : memref<f32>) -> y(%y : memref<16x32xf32>)
    rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amax(%amax : memref<f32>) {kind = #te<activation_kind silu>}
  tert.gated_activation x(%gate : memref<16x32xf32>) up(%up : memref<16x32xf32>) -> y(%z : memref<16x32xf32>) {kind = #te<activation_kind silu>}
  return
}

func.func @gated_activation_grad(%dy: memref<16x32xf32>, %x: memref<16x64xf32>, %s: memref<f32>, %dx: memref<16x64xf32>,
                                 %q: memref<16x64xf8E5M2>, %qt: memref<64x16xf8E5M2>, %amax: memref<f32>, %db: memref<64xf32>,
                                 %gate: memref<16x32xf32>, %up: memref<16x32xf32>, %dgate: memref<16x32xf32>, %dup: memref<16x32xf32>) {
  tert.gated_activation_grad dy(%dy : memref<16x32xf32>) x(%x : memref<16x64xf32>) scale(%s : memref<f32>) -> dx(%dx : memref<16x64xf32>)
    rowwise(%q : memref<16x64xf8E5M2>) columnwise(%qt : memref<64x16xf8E5M2>) amax(%amax : memref<f32>) dbias(%db : memref<64xf32>) {kind = #te<activation_kind silu>}
  tert.gated_activation_grad dy(%dy : memref<16x32xf32>) x(%gate : memref<16x32xf32>) up(%up : memref<16x32xf32>)
    -> dx(%dgate : memref<16x32xf32>) dup(%dup : memref<16x32xf32>) {kind = #te<activation_kind silu>}
  return
}

func.func @gated_activation_grad_recompute(%dy: memref<16x32xf32>, %x: memref<16x64xf32>, %ys: memref<f32>, %s: memref<f32>, %dx: memref<16x64xf32>,
                                           %q: memref<16x64xf8E5M2>, %qt: memref<64x16xf8E5M2>, %amax: memref<f32>, %db: memref<64xf32>,
                                           %yt: memref<32x16xf8E4M3FN>) {
  tert.gated_activation_grad_recompute dy(%dy : memref<16x32xf32>) x(%x : memref<16x64xf32>) y_scale(%ys : memref<f32>) scale(%s : memref<f32>) -> dx(%dx : memref<16x64xf32>)
    rowwise(%q : memref<16x64xf8E5M2>) columnwise(%qt : memref<64x16xf8E5M2>) amax(%amax : memref<f32>) dbias(%db : memref<64xf32>) y_columnwise(%yt : memref<32x16xf8E4M3FN>)
    {kind = #te<activation_kind silu>}
  return
}

func.func @rope(%x: memref<2x8x4x16xf32>, %cos: memref<8x8xf32>, %sin: memref<8x8xf32>, %y: memref<2x8x4x16xf32>) {
  tert.rope x(%x : memref<2x8x4x16xf32>) cos(%cos : memref<8x8xf32>) sin(%sin : memref<8x8xf32>)
    -> y(%y : memref<2x8x4x16xf32>) {layout = #te.attention_layout<bshd>}
  return
}

func.func @causal_conv(%x: memref<2x8x6xbf16>, %w: memref<4x6xf32>, %b: memref<6xf32>, %y: memref<2x8x6xbf16>) {
  tert.causal_conv x(%x : memref<2x8x6xbf16>) weight(%w : memref<4x6xf32>) bias(%b : memref<6xf32>) -> y(%y : memref<2x8x6xbf16>) {silu}
  return
}

func.func @causal_conv_grad(%dy: memref<2x8x6xbf16>, %x: memref<2x8x6xbf16>, %w: memref<4x6xf32>, %b: memref<6xf32>,
                            %dx: memref<2x8x6xbf16>, %dw: memref<4x6xf32>, %db: memref<6xf32>) {
  tert.causal_conv_grad dy(%dy : memref<2x8x6xbf16>) x(%x : memref<2x8x6xbf16>) weight(%w : memref<4x6xf32>) bias(%b : memref<6xf32>)
    -> dx(%dx : memref<2x8x6xbf16>) dweight(%dw : memref<4x6xf32>) dbias(%db : memref<6xf32>) {silu}
  return
}

func.func @scan(%d: memref<2x8x6xbf16>, %x: memref<2x8x6xbf16>, %r: memref<6x4xf32>, %k: memref<2x8x4xbf16>, %q: memref<2x8x4xbf16>, %i: memref<2x6x4xf32>,
                %y: memref<2x8x6xbf16>, %s: memref<2x2x6x4xf32>, %f: memref<2x6x4xf32>) {
  tert.scan decay(%d : memref<2x8x6xbf16>) x(%x : memref<2x8x6xbf16>) rates(%r : memref<6x4xf32>) keys(%k : memref<2x8x4xbf16>) queries(%q : memref<2x8x4xbf16>)
    initial(%i : memref<2x6x4xf32>) -> y(%y : memref<2x8x6xbf16>) states(%s : memref<2x2x6x4xf32>) final(%f : memref<2x6x4xf32>) {chunk = 4 : i64}
  return
}

func.func @scan_grad(%dy: memref<2x8x6xbf16>, %d: memref<2x8x6xbf16>, %x: memref<2x8x6xbf16>, %s: memref<2x2x6x4xf32>, %r: memref<6x4xf32>, %k: memref<2x8x4xbf16>,
                     %q: memref<2x8x4xbf16>, %df: memref<2x6x4xf32>, %dd: memref<2x8x6xbf16>, %dx: memref<2x8x6xbf16>, %dr: memref<6x4xf32>, %dk: memref<2x8x4xbf16>,
                     %dq: memref<2x8x4xbf16>, %di: memref<2x6x4xf32>) {
  tert.scan_grad dy(%dy : memref<2x8x6xbf16>) decay(%d : memref<2x8x6xbf16>) x(%x : memref<2x8x6xbf16>) states(%s : memref<2x2x6x4xf32>) rates(%r : memref<6x4xf32>)
    keys(%k : memref<2x8x4xbf16>) queries(%q : memref<2x8x4xbf16>) dfinal(%df : memref<2x6x4xf32>) -> ddecay(%dd : memref<2x8x6xbf16>) dx(%dx : memref<2x8x6xbf16>)
    drates(%dr : memref<6x4xf32>) dkeys(%dk : memref<2x8x4xbf16>) dqueries(%dq : memref<2x8x4xbf16>) dinitial(%di : memref<2x6x4xf32>) {chunk = 4 : i64}
  return
}

func.func @activation(%x: memref<16x32xf32>, %s: memref<f32>, %y: memref<16x32xf32>, %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>) {
  tert.activation x(%x : memref<16x32xf32>) scale(%s : memref<f32>) -> y(%y : memref<16x32xf32>)
    rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amax(%amax : memref<f32>) {kind = #te<activation_kind silu>}
  return
}

func.func @activation_grad(%dy: memref<16x32xf32>, %x: memref<16x32xf32>, %s: memref<f32>, %dx: memref<16x32xf32>,
                           %q: memref<16x32xf8E5M2>, %qt: memref<32x16xf8E5M2>, %amax: memref<f32>, %db: memref<32xf32>) {
  tert.activation_grad dy(%dy : memref<16x32xf32>) x(%x : memref<16x32xf32>) scale(%s : memref<f32>) -> dx(%dx : memref<16x32xf32>)
    rowwise(%q : memref<16x32xf8E5M2>) columnwise(%qt : memref<32x16xf8E5M2>) amax(%amax : memref<f32>) dbias(%db : memref<32xf32>) {kind = #te<activation_kind silu>}
  return
}

func.func @attention(%q: memref<2x8x4x16xf32>, %k: memref<2x8x2x16xf32>, %v: memref<2x8x2x16xf32>, %o: memref<2x8x4x16xf32>, %lse: memref<2x4x8xf32>) {
  tert.attention q(%q : memref<2x8x4x16xf32>) k(%k : memref<2x8x2x16xf32>) v(%v : memref<2x8x2x16xf32>)
    -> o(%o : memref<2x8x4x16xf32>) lse(%lse : memref<2x4x8xf32>) {causal, layout = #te.attention_layout<bshd>, scale = 0.25 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64}
  return
}

func.func @attention_grad(%do: memref<2x8x4x16xf32>, %q: memref<2x8x4x16xf32>, %k: memref<2x8x2x16xf32>, %v: memref<2x8x2x16xf32>,
                          %o: memref<2x8x4x16xf32>, %lse: memref<2x4x8xf32>, %dq: memref<2x8x4x16xf32>, %dk: memref<2x8x2x16xf32>, %dv: memref<2x8x2x16xf32>) {
  tert.attention_grad d_o(%do : memref<2x8x4x16xf32>) q(%q : memref<2x8x4x16xf32>) k(%k : memref<2x8x2x16xf32>) v(%v : memref<2x8x2x16xf32>)
    o(%o : memref<2x8x4x16xf32>) lse(%lse : memref<2x4x8xf32>)
    -> dq(%dq : memref<2x8x4x16xf32>) dk(%dk : memref<2x8x2x16xf32>) dv(%dv : memref<2x8x2x16xf32>) {causal, layout = #te.attention_layout<bshd>, scale = 0.25 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64}
  return
}

func.func @attention_scores(%q: memref<2x8x4x16xf32>, %k: memref<2x8x2x16xf32>, %v: memref<2x8x2x16xf32>, %b: memref<1x4x8x8xf32>,
                            %l: memref<2xi64>, %s: memref<4xf32>, %o: memref<2x8x4x16xf32>, %lse: memref<2x4x8xf32>) {
  tert.attention q(%q : memref<2x8x4x16xf32>) k(%k : memref<2x8x2x16xf32>) v(%v : memref<2x8x2x16xf32>)
    bias(%b : memref<1x4x8x8xf32>) lengths(%l : memref<2xi64>) sinks(%s : memref<4xf32>)
    -> o(%o : memref<2x8x4x16xf32>) lse(%lse : memref<2x4x8xf32>) {layout = #te.attention_layout<bshd>, scale = 0.25 : f32, softcap = 2.0 : f32, window = 3 : i64}
  return
}

func.func @attention_scores_grad(%do: memref<2x8x4x16xf32>, %q: memref<2x8x4x16xf32>, %k: memref<2x8x2x16xf32>, %v: memref<2x8x2x16xf32>,
                                 %o: memref<2x8x4x16xf32>, %lse: memref<2x4x8xf32>, %b: memref<1x4x8x8xf32>, %l: memref<2xi64>, %s: memref<4xf32>,
                                 %dq: memref<2x8x4x16xf32>, %dk: memref<2x8x2x16xf32>, %dv: memref<2x8x2x16xf32>, %db: memref<1x4x8x8xf32>, %ds: memref<4xf32>) {
  tert.attention_grad d_o(%do : memref<2x8x4x16xf32>) q(%q : memref<2x8x4x16xf32>) k(%k : memref<2x8x2x16xf32>) v(%v : memref<2x8x2x16xf32>)
    o(%o : memref<2x8x4x16xf32>) lse(%lse : memref<2x4x8xf32>) bias(%b : memref<1x4x8x8xf32>) lengths(%l : memref<2xi64>) sinks(%s : memref<4xf32>)
    -> dq(%dq : memref<2x8x4x16xf32>) dk(%dk : memref<2x8x2x16xf32>) dv(%dv : memref<2x8x2x16xf32>) dbias(%db : memref<1x4x8x8xf32>) dsinks(%ds : memref<4xf32>)
    {layout = #te.attention_layout<bshd>, scale = 0.25 : f32, softcap = 2.0 : f32, window = 3 : i64}
  return
}

func.func @attention_part(%q: memref<2x8x4x16xf32>, %k: memref<2x8x2x16xf32>, %v: memref<2x8x2x16xf32>, %b: memref<1x4x8x8xf32>,
                          %l: memref<2xi64>, %s: memref<4xf32>, %o: memref<2x8x4x16xf32>, %lse: memref<2x4x8xf32>) {
  tert.attention_part q(%q : memref<2x8x4x16xf32>) k(%k : memref<2x8x2x16xf32>) v(%v : memref<2x8x2x16xf32>)
    bias(%b : memref<1x4x8x8xf32>) lengths(%l : memref<2xi64>) sinks(%s : memref<4xf32>)
    -> o(%o : memref<2x8x4x16xf32>) lse(%lse : memref<2x4x8xf32>)
    {balanced, causal, layout = #te.attention_layout<bshd>, query_axes = 1 : i32, scale = 0.25 : f32, softcap = 2.0 : f32, window = 3 : i64}
  return
}

func.func @attention_part_grad(%do: memref<2x8x4x16xf32>, %q: memref<2x8x4x16xf32>, %k: memref<2x8x2x16xf32>, %v: memref<2x8x2x16xf32>,
                               %o: memref<2x8x4x16xf32>, %lse: memref<2x4x8xf32>, %b: memref<1x4x8x8xf32>, %l: memref<2xi64>, %s: memref<4xf32>,
                               %dq: memref<2x8x4x16xf32>, %dk: memref<2x8x2x16xf32>, %dv: memref<2x8x2x16xf32>, %db: memref<1x4x8x8xf32>, %ds: memref<4xf32>,
                               %t: memref<2304xi8>) {
  tert.attention_part_grad d_o(%do : memref<2x8x4x16xf32>) q(%q : memref<2x8x4x16xf32>) k(%k : memref<2x8x2x16xf32>) v(%v : memref<2x8x2x16xf32>)
    o(%o : memref<2x8x4x16xf32>) lse(%lse : memref<2x4x8xf32>) bias(%b : memref<1x4x8x8xf32>) lengths(%l : memref<2xi64>) sinks(%s : memref<4xf32>)
    -> dq(%dq : memref<2x8x4x16xf32>) dk(%dk : memref<2x8x2x16xf32>) dv(%dv : memref<2x8x2x16xf32>) dbias(%db : memref<1x4x8x8xf32>) dsinks(%ds : memref<4xf32>)
       temporary(%t : memref<2304xi8>)
    {balanced, causal, layout = #te.attention_layout<bshd>, query_axes = 1 : i32, scale = 0.25 : f32, softcap = 2.0 : f32, window = 3 : i64}
  return
}

func.func @embedding(%ids: memref<16xi64>, %table: memref<24x32xf32>, %y: memref<16x32xf32>) {
  tert.embedding ids(%ids : memref<16xi64>) table(%table : memref<24x32xf32>) -> y(%y : memref<16x32xf32>)
  return
}

func.func @embedding_grad(%ids: memref<16xi64>, %dy: memref<16x32xf32>, %dtable: memref<24x32xf32>) {
  tert.embedding_grad ids(%ids : memref<16xi64>) dy(%dy : memref<16x32xf32>) -> dtable(%dtable : memref<24x32xf32>)
  return
}

func.func @add_embedding_grad(%ids: memref<16xi64>, %dy: memref<16x32xf32>, %dtable: memref<24x32xf32>) {
  tert.add_embedding_grad ids(%ids : memref<16xi64>) dy(%dy : memref<16x32xf32>) -> dtable(%dtable : memref<24x32xf32>)
  return
}

func.func @embedding_part(%ids: memref<16xi64>, %table: memref<24x32xf32>, %y: memref<16x32xf32>) {
  tert.embedding_part ids(%ids : memref<16xi64>) table(%table : memref<24x32xf32>) -> y(%y : memref<16x32xf32>) {axes = 1 : i32, num_rows = 24 : i64}
  return
}

func.func @add_embedding_grad_part(%ids: memref<16xi64>, %dy: memref<16x32xf32>, %dtable: memref<24x32xf32>) {
  tert.add_embedding_grad_part ids(%ids : memref<16xi64>) dy(%dy : memref<16x32xf32>) -> dtable(%dtable : memref<24x32xf32>) {axes = 1 : i32, num_rows = 24 : i64}
  return
}

func.func @shift_labels(%ids: memref<4x16xi64>, %labels: memref<4x16xi64>) {
  tert.shift_labels ids(%ids : memref<4x16xi64>) -> labels(%labels : memref<4x16xi64>) {ignore_index = -100 : i64}
  return
}

func.func @count_labels(%labels: memref<16xi64>, %count: memref<f32>) {
  tert.count_labels labels(%labels : memref<16xi64>) -> count(%count : memref<f32>) {classes = 32 : i64, ignore_index = -100 : i64}
  return
}

func.func @cross_entropy(%logits: memref<16x32xf32>, %labels: memref<16xi64>, %loss: memref<f32>, %lse: memref<16xf32>, %count: memref<f32>) {
  tert.cross_entropy logits(%logits : memref<16x32xf32>) labels(%labels : memref<16xi64>)
    -> loss(%loss : memref<f32>) lse(%lse : memref<16xf32>) count(%count : memref<f32>) {ignore_index = -100 : i64, reduction = #te.reduction<mean>, label_smoothing = 0.25 : f32, z_loss = 0.5 : f32}
  return
}

func.func @cross_entropy_grad(%dloss: memref<f32>, %logits: memref<16x32xf32>, %labels: memref<16xi64>, %lse: memref<16xf32>, %count: memref<f32>, %dlogits: memref<16x32xf32>) {
  tert.cross_entropy_grad dloss(%dloss : memref<f32>) logits(%logits : memref<16x32xf32>) labels(%labels : memref<16xi64>) lse(%lse : memref<16xf32>) count(%count : memref<f32>)
    -> dlogits(%dlogits : memref<16x32xf32>) {ignore_index = -100 : i64, reduction = #te.reduction<sum>, label_smoothing = 0.25 : f32, z_loss = 0.5 : f32}
  return
}

func.func @cross_entropy_with_grad(%dloss: memref<f32>, %labels: memref<16xi64>, %count: memref<f32>, %logits: memref<16x32xf32>, %loss: memref<f32>) {
  tert.cross_entropy_with_grad dloss(%dloss : memref<f32>) labels(%labels : memref<16xi64>) count(%count : memref<f32>)
    -> logits(%logits : memref<16x32xf32>) loss(%loss : memref<f32>) {ignore_index = -100 : i64, reduction = #te.reduction<sum>, label_smoothing = 0.25 : f32, z_loss = 0.5 : f32}
  return
}

func.func @squared_error(%x: memref<16x32xf32>, %target: memref<16x32xf32>, %loss: memref<f32>) {
  tert.squared_error x(%x : memref<16x32xf32>) target(%target : memref<16x32xf32>) -> loss(%loss : memref<f32>) {reduction = #te.reduction<mean>}
  return
}

func.func @squared_error_grad(%dloss: memref<f32>, %x: memref<16x32xf32>, %target: memref<16x32xf32>, %dx: memref<16x32xf32>) {
  tert.squared_error_grad dloss(%dloss : memref<f32>) x(%x : memref<16x32xf32>) target(%target : memref<16x32xf32>)
    -> dx(%dx : memref<16x32xf32>) {reduction = #te.reduction<sum>}
  return
}

func.func @add(%a: memref<4x16x32xf32>, %b: memref<16x32xf32>, %y: memref<4x16x32xf32>) {
  tert.add a(%a : memref<4x16x32xf32>) b(%b : memref<16x32xf32>) -> y(%y : memref<4x16x32xf32>)
  return
}

func.func @column_sum(%x: memref<16x32xf32>, %y: memref<32xf32>) {
  tert.column_sum x(%x : memref<16x32xf32>) -> y(%y : memref<32xf32>)
  return
}

func.func @copy(%x: memref<16x32xf32>, %y: memref<16x32xbf16>) {
  tert.copy x(%x : memref<16x32xf32>) -> y(%y : memref<16x32xbf16>)
  return
}

func.func @multi_copy(%x: memref<16x32xf32>, %y: memref<16x32xbf16>) {
  tert.multi_copy x(%x : memref<16x32xf32>) -> y(%y : memref<16x32xbf16>)
  return
}

func.func @fill(%y: memref<16x32xf32>) {
  tert.fill -> y(%y : memref<16x32xf32>) {value = 1.0 : f64}
  return
}

func.func @multi_fill(%y: memref<16x32xf32>) {
  tert.multi_fill -> y(%y : memref<16x32xf32>) {value = 1.0 : f64}
  return
}

// Only the kernel knows the strides: it is made for them.
func.func @launch(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
  tert.launch inputs(%x : memref<16x32xf32>) -> outputs(%y : memref<16x32xf32>) {kernel = @tert_kernels::@nothing}
  return
}
module @tert_kernels {
  func.func @nothing(%x: memref<16x32xf32>, %y: memref<16x32xf32>) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<16x32xf32>) outs(%y : memref<16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}

func.func @global_norm(%g0: memref<16x32xf32>, %g1: memref<32xbf16>, %norm: memref<f32>) {
  tert.global_norm gradients(%g0, %g1 : memref<16x32xf32>, memref<32xbf16>) -> norm(%norm : memref<f32>)
  return
}

func.func @clip_coefficient(%norm: memref<f32>, %max: memref<f32>, %a0: memref<f32>, %a1: memref<f32>, %c: memref<f32>) {
  tert.clip_coefficient norm(%norm : memref<f32>) max_norm(%max : memref<f32>) amaxes(%a0, %a1 : memref<f32>, memref<f32>) -> coefficient(%c : memref<f32>)
  return
}

func.func @advance_step(%c: memref<f32>, %step: memref<i64>) {
  tert.advance_step coefficient(%c : memref<f32>) -> step(%step : memref<i64>)
  return
}

func.func @adamw(%g: memref<16x32xf32>, %c: memref<f32>, %lr: memref<f32>, %b1: memref<f32>, %b2: memref<f32>, %eps: memref<f32>, %wd: memref<f32>,
                 %step: memref<i64>, %s: memref<f32>, %p: memref<16x32xf32>, %m: memref<16x32xf32>, %v: memref<16x32xf32>,
                 %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>) {
  tert.update gradients(%g : memref<16x32xf32>) coefficient(%c : memref<f32>) scalars(%lr, %b1, %b2, %eps, %wd : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%s : memref<f32>)
    -> params(%p : memref<16x32xf32>) states(%m, %v : memref<16x32xf32>, memref<16x32xf32>)
       rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amaxes(%amax : memref<f32>) {copies = array<i32: 7>, decays = array<i32: 1>, rule = "adamw"}
  return
}

func.func @multi_adamw(%g: memref<16x32xf32>, %c: memref<f32>, %lr: memref<f32>, %b1: memref<f32>, %b2: memref<f32>, %eps: memref<f32>, %wd: memref<f32>,
                       %step: memref<i64>, %s: memref<f32>, %p: memref<16x32xf32>, %m: memref<16x32xf32>, %v: memref<16x32xf32>,
                       %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>) {
  tert.update gradients(%g : memref<16x32xf32>) coefficient(%c : memref<f32>) scalars(%lr, %b1, %b2, %eps, %wd : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%s : memref<f32>)
    -> params(%p : memref<16x32xf32>) states(%m, %v : memref<16x32xf32>, memref<16x32xf32>)
       rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amaxes(%amax : memref<f32>) {copies = array<i32: 7>, decays = array<i32: 1>, rule = "adamw"}
  return
}

func.func @sgd(%g: memref<16x32xf32>, %c: memref<f32>, %lr: memref<f32>, %m: memref<f32>, %damp: memref<f32>, %wd: memref<f32>,
               %step: memref<i64>, %s: memref<f32>, %p: memref<16x32xf32>, %b: memref<16x32xf32>,
               %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>) {
  tert.update gradients(%g : memref<16x32xf32>) coefficient(%c : memref<f32>) scalars(%lr, %wd, %m, %damp : memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%s : memref<f32>)
    -> params(%p : memref<16x32xf32>) states(%b : memref<16x32xf32>)
       rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amaxes(%amax : memref<f32>) {copies = array<i32: 7>, decays = array<i32: 1>, rule = "sgd_momentum"}
  return
}

func.func @multi_sgd(%g: memref<16x32xf32>, %c: memref<f32>, %lr: memref<f32>, %m: memref<f32>, %damp: memref<f32>, %wd: memref<f32>,
                     %step: memref<i64>, %s: memref<f32>, %p: memref<16x32xf32>, %b: memref<16x32xf32>,
                     %q: memref<16x32xf8E4M3FN>, %qt: memref<32x16xf8E4M3FN>, %amax: memref<f32>) {
  tert.update gradients(%g : memref<16x32xf32>) coefficient(%c : memref<f32>) scalars(%lr, %wd, %m, %damp : memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%s : memref<f32>)
    -> params(%p : memref<16x32xf32>) states(%b : memref<16x32xf32>)
       rowwise(%q : memref<16x32xf8E4M3FN>) columnwise(%qt : memref<32x16xf8E4M3FN>) amaxes(%amax : memref<f32>) {copies = array<i32: 7>, decays = array<i32: 1>, rule = "sgd_momentum"}
  return
}

func.func @dropout(%x: memref<16x32xf32>, %seed: memref<i64>, %y: memref<16x32xbf16>) {
  tert.dropout x(%x : memref<16x32xf32>) seed(%seed : memref<i64>) -> y(%y : memref<16x32xbf16>) {ratio = 2.5e-01 : f32, stream = 3 : i64}
  return
}

// Exchanges: a rank that is alone has the sums.

func.func @all_reduce(%a: memref<16x32xf32>, %b: memref<8xbf16>) {
  tert.collective all_reduce -> y(%a, %b : memref<16x32xf32>, memref<8xbf16>) {axes = 1 : i32}
  return
}

func.func @start_all_reduce(%a: memref<16x32xf32>, %b: memref<8xbf16>) {
  tert.collective all_reduce async -> y(%a, %b : memref<16x32xf32>, memref<8xbf16>) {axes = 1 : i32}
  return
}

func.func @await(%a: memref<16x32xf32>, %b: memref<8xbf16>) {
  tert.await -> tensors(%a, %b : memref<16x32xf32>, memref<8xbf16>)
  return
}

func.func @reduce_scatter(%x: memref<16x32xf32>, %y: memref<512xf32>) {
  tert.collective reduce_scatter x(%x : memref<16x32xf32>) -> y(%y : memref<512xf32>) {axes = 1 : i32}
  return
}

func.func @all_gather(%x: memref<16x32xf8E4M3FN>, %y: memref<16x32xf8E4M3FN>) {
  tert.collective all_gather x(%x : memref<16x32xf8E4M3FN>) -> y(%y : memref<16x32xf8E4M3FN>) {axes = 1 : i32}
  return
}

func.func @all_slice(%x: memref<16x32xi64>, %y: memref<16x32xi64>) {
  tert.all_slice x(%x : memref<16x32xi64>) -> y(%y : memref<16x32xi64>) {axes = 1 : i32}
  return
}

func.func @start_reduce_scatter(%x: memref<16x32xf32>, %y: memref<512xf32>) {
  tert.collective reduce_scatter async x(%x : memref<16x32xf32>) -> y(%y : memref<512xf32>) {axes = 1 : i32}
  return
}

func.func @start_all_gather(%x: memref<16x32xf8E4M3FN>, %y: memref<16x32xf8E4M3FN>) {
  tert.collective all_gather async x(%x : memref<16x32xf8E4M3FN>) -> y(%y : memref<16x32xf8E4M3FN>) {axes = 1 : i32}
  return
}

func.func @all_gather_sequence(%x: memref<2x8xi64>, %y: memref<2x8xi64>) {
  tert.collective_sequence all_gather x(%x : memref<2x8xi64>) -> y(%y : memref<2x8xi64>) {axes = 1 : i32, balanced, dim = 1 : i32}
  return
}

func.func @start_all_gather_sequence(%x: memref<2x8xbf16>, %y: memref<2x8xbf16>) {
  tert.collective_sequence all_gather async x(%x : memref<2x8xbf16>) -> y(%y : memref<2x8xbf16>) {axes = 1 : i32, balanced, dim = 1 : i32}
  return
}

func.func @reduce_scatter_sequence(%x: memref<2x8xbf16>, %y: memref<2x8xbf16>) {
  tert.collective_sequence reduce_scatter x(%x : memref<2x8xbf16>) -> y(%y : memref<2x8xbf16>) {axes = 1 : i32, dim = 1 : i32}
  return
}

func.func @start_reduce_scatter_sequence(%x: memref<2x8xf32>, %y: memref<2x8xf32>) {
  tert.collective_sequence reduce_scatter async x(%x : memref<2x8xf32>) -> y(%y : memref<2x8xf32>) {axes = 1 : i32, balanced, dim = 1 : i32}
  return
}

func.func @all_slice_sequence(%x: memref<2x8xi64>, %y: memref<2x8xi64>) {
  tert.all_slice_sequence x(%x : memref<2x8xi64>) -> y(%y : memref<2x8xi64>) {axes = 1 : i32, balanced, dim = 1 : i32}
  return
}

func.func @reduce_norm(%a: memref<16x32xf32>, %b: memref<8xbf16>, %norm: memref<f32>) {
  tert.reduce_norm gradients(%a, %b : memref<16x32xf32>, memref<8xbf16>) -> norm(%norm : memref<f32>) {axes = 1 : i32, is_part = array<i32: 1, 0>}
  return
}

func.func @reduce_scalars(%a: memref<f32>, %b: memref<f32>, %s: memref<f32>, %max: memref<2xf32>, %sum: memref<1xf32>) {
  tert.reduce_scalars maxima(%a, %b : memref<f32>, memref<f32>) sums(%s : memref<f32>) -> max(%max : memref<2xf32>) sum(%sum : memref<1xf32>) {axes = 1 : i32}
  return
}
