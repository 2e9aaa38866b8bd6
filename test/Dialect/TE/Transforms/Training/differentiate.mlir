// RUN: te-opt %S/../Inputs/gpt.mlir --te-differentiate --mlir-print-local-scope | FileCheck %s --check-prefix=TRAIN
// RUN: te-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=grad,forward loss={cross-entropy<reduction = sum, ignore_index = -1>}" | FileCheck %s --check-prefix=GRAD
// RUN: te-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=eval loss=cross-entropy" | FileCheck %s --check-prefix=EVAL
// RUN: te-opt %S/../Inputs/gpt.mlir --te-graph-pipeline="entries=train,eval fp8-eval=true" | FileCheck %s --check-prefix=SHARED
// RUN: te-opt %S/../Inputs/gpt.mlir --te-differentiate="optimizer=#te.adamw<decay_biases=true,decay_embeddings=true,learning_rate=0.01> max-grad-norm=0" | FileCheck %s --check-prefix=DECAY
// RUN: te-opt %S/../Inputs/gpt.mlir --te-differentiate="optimizer=adamw<decay_norms=true,decay_biases=true,decay_embeddings=true>" | FileCheck %s --check-prefix=DECAYALL
// RUN: te-opt %S/../Inputs/gpt.mlir --te-differentiate --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: te-test-opt %S/../Inputs/gpt.mlir --te-differentiate --test-te-print-entry-interface -o /dev/null | FileCheck %s --check-prefix=BOUNDARY

// The boundary of the training step: inputs, scalars, parameters, states, outputs.
// BOUNDARY: entry 'train'
// BOUNDARY-NEXT: input 'input_ids' tensor<2x8xi64> arg 0{{$}}
// BOUNDARY-NEXT: scalar 'learning_rate' tensor<f32> arg 1 default 1.000000e-03 : f64
// BOUNDARY-NEXT: scalar 'beta1' tensor<f32> arg 2 default 9.000000e-01 : f64
// BOUNDARY-NEXT: scalar 'beta2' tensor<f32> arg 3 default 0.99899999999999999 : f64
// BOUNDARY-NEXT: scalar 'eps' tensor<f32> arg 4 default 1.000000e-08 : f64
// BOUNDARY-NEXT: scalar 'weight_decay' tensor<f32> arg 5 default 1.000000e-02 : f64
// BOUNDARY-NEXT: scalar 'max_grad_norm' tensor<f32> arg 6 default 1.000000e+00 : f64
// BOUNDARY-NEXT: param 'wte.weight' tensor<24x16xf32> arg 7 result 2 kind parameter init "normal:0,0.02"
// BOUNDARY-NEXT: param 'wpe.weight' tensor<12x16xf32> arg 8 result 3 kind parameter init "normal:0,0.02"
// BOUNDARY: param 'ln_f.bias' tensor<16xf32> arg 34 result 29 kind parameter init 0.000000e+00 : f32
// BOUNDARY-NEXT: state 'adamw.exp_avg.wte.weight' tensor<24x16xf32> arg 35 result 30 kind optimizer init 0.000000e+00 : f32
// BOUNDARY-NEXT: state 'adamw.exp_avg_sq.wte.weight' tensor<24x16xf32> arg 36 result 31 kind optimizer init 0.000000e+00 : f32
// BOUNDARY: state 'step' tensor<i64> arg 91 result 86 kind counter init 0 : i64
// BOUNDARY-NEXT: output 'loss' tensor<f32> result 0
// BOUNDARY-NEXT: output 'grad_norm' tensor<f32> result 1
// BOUNDARY-NOT: {{.}}

// TRAIN-LABEL: func.func @train(%arg0: tensor<2x8xi64>
// TRAIN: %[[IDS:[^ ,]*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1]]
// TRAIN: te.embedding %[[IDS]], %arg7
// The LM head's product is not reshaped on its way into the loss.
// TRAIN: %[[LOGITS:[^ ,]*]] = te.matmul %[[F:[^ ,]*]], %arg7 {layer = "lm_head", transpose_b} : tensor<16x16xf32>, tensor<24x16xf32> -> tensor<16x24xf32>
// TRAIN-NEXT: %[[SHIFTED:[^ ,]*]] = te.shift_labels %arg0 : tensor<2x8xi64>
// TRAIN-NEXT: %[[LABELS:[^ ,]*]] = tensor.collapse_shape %[[SHIFTED]] {{\[\[}}0, 1]]
// TRAIN-NEXT: %[[LOSS:[^ ,]*]], %[[LSE:[^ ,]*]], %[[COUNT:[^ ,]*]] = te.cross_entropy %[[LOGITS]], %[[LABELS]] : tensor
// TRAIN-NEXT: %[[ONE:[^ ,]*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// TRAIN-NEXT: %[[DL:[^ ,]*]] = te.cross_entropy_grad %[[ONE]], %[[LOGITS]], %[[LABELS]], %[[LSE]], %[[COUNT]] : tensor
// TRAIN-NEXT: %[[DF:[^ ,]*]] = te.matmul %[[DL]], %arg7 {layer = "lm_head", role = #te.role<dgrad>}
// TRAIN-NEXT: %[[DHEAD:[^ ,]*]] = te.matmul %[[DL]], %[[F]] {layer = "lm_head", role = #te.role<wgrad>, transpose_a} : tensor<16x24xf32>, tensor<16x16xf32> -> tensor<24x16xf32>
// TRAIN-NEXT: %[[DH2:[^ ,]*]], %[[DG:[^ ,]*]], %[[DB:[^ ,]*]] = te.layer_norm_grad %[[DF]], {{.*}}, %arg33, {{.*}} : tensor
// Every other norm takes the residual branch in.
// TRAIN: te.layer_norm_grad {{.*}} residual(%[[DH2]] : tensor<16x16xf32>)
// TRAIN-COUNT-2: te.layer_norm_grad {{.*}} residual(
// TRAIN: %[[DH0:[^ ,]*]], {{.*}} = te.layer_norm_grad {{.*}}, %arg9, {{.*}} residual(
// TRAIN: te.column_sum %{{.*}} : tensor<2x128xf32> -> tensor<128xf32>
// TRAIN: %[[DWPE:[^ ,]*]] = tensor.concat dim(0) {{.*}} : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<12x16xf32>
// The tied table: the head's gradient and the gather's.
// TRAIN: %[[DTABLE:[^ ,]*]] = te.embedding_grad %[[IDS]], %[[DH0]] :
// TRAIN: %[[DWTE:[^ ,]*]] = te.add %[[DHEAD]], %[[DTABLE]]
// TRAIN-NEXT: %[[NORM:[^ ,]*]] = te.global_norm %[[DWTE]], %[[DWPE]], {{.*}}, %[[DG]], %[[DB]] :
// TRAIN-NEXT: %[[C:[^ ,]*]] = te.clip_coefficient %[[NORM]], %arg6
// TRAIN-NEXT: %[[STEP:[^ ,]*]] = te.advance_step %arg91 if_finite %[[C]]
// TRAIN-NEXT: %[[WTE:[^ ,]*]], %[[M:[^ ,:]*]]:2 = te.update #te.adamw %arg7 states(%arg35, %arg36) gradient(%[[DWTE]]) coefficient(%[[C]]) scalars(%arg1, %arg2, %arg3, %arg4, %arg5) step(%[[STEP]]) : tensor<24x16xf32>, tensor<24x16xf32>
// TRAIN-NEXT: te.update #te.adamw %arg8 states({{.*}} step(%[[STEP]]) : tensor<12x16xf32>
// TRAIN-NEXT: te.update #te.adamw %arg9 states({{.*}} step(%[[STEP]]) : tensor<16xf32>
// TRAIN-NEXT: te.update #te.adamw %arg10 states({{.*}} step(%[[STEP]]) : tensor<16xf32>
// TRAIN-NEXT: te.update #te.adamw %arg11 states({{.*}} step(%[[STEP]]) {decay} : tensor<16x48xf32>
// TRAIN-NEXT: te.update #te.adamw %arg12 states({{.*}} step(%[[STEP]]) : tensor<48xf32>
// TRAIN: return %[[LOSS]], %[[NORM]], %[[WTE]], {{.*}}, %[[M]]#0, %[[M]]#1, {{.*}}, %[[STEP]] :
// TRAIN-NOT: func.func

// Labels as an input; the model's outputs stay.
// GRAD-LABEL: func.func @forward
// GRAD-SAME: attributes {te.entry = "forward"}
// GRAD-LABEL: func.func @grad(%arg0: tensor<2x8xi64> {te.input = "input_ids"}, %arg1: tensor<2x8xi64> {te.input = "labels"}, %arg2: tensor<24x16xf32>
// GRAD-SAME: -> (tensor<2x8x24xf32> {te.output = "logits"}, tensor<f32> {te.output = "loss"}, tensor<24x16xf32> {te.gradient = "wte.weight", te.output = "grad.wte.weight"}
// GRAD-SAME: tensor<16xf32> {te.gradient = "ln_f.bias", te.output = "grad.ln_f.bias"}) attributes {te.entry = "grad"}
// GRAD-NOT: te.shift_labels
// GRAD: %[[L:[^ ,]*]] = tensor.collapse_shape %arg1
// GRAD: te.cross_entropy %{{.*}}, %[[L]] {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
// GRAD: te.cross_entropy_grad {{.*}} {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
// GRAD-NOT: te.update #te.adamw

// The loss and what it counts, and nothing that a gradient would need.
// EVAL-LABEL: func.func @eval(%arg0: tensor<2x8xi64> {te.input = "input_ids"}, %arg1: tensor<2x8xi64> {te.input = "labels"}, %arg2: tensor<24x16xf32>
// EVAL-SAME: -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"}) attributes {te.entry = "eval"}
// EVAL: %[[LOSS:[^ ,]*]], %{{.*}}, %[[COUNT:[^ ,]*]] = te.cross_entropy
// EVAL-NEXT: return %[[LOSS]], %[[COUNT]]
// EVAL-NOT: func.func

// Beside a training step the evaluation reads its FP8 weights and scales and
// leaves all of them as they are.
// SHARED-LABEL: func.func @train(
// SHARED: te.update_scales
// SHARED-LABEL: func.func @eval(
// SHARED-SAME: te.state = "fp8.scales"}
// SHARED-SAME: te.state = "fp8.weight.h.0.mlp.c_fc.weight.columnwise"}
// SHARED-SAME: -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"}) attributes {te.entry = "eval"}
// SHARED-NOT: te.update_scales
// SHARED: te.scaled_matmul
// SHARED-LABEL: func.func @init(

// DECAY: te.default = 1.000000e-02 : f64, te.scalar = "learning_rate"
// DECAY: te.default = 0.000000e+00 : f64, te.scalar = "max_grad_norm"
// DECAY: te.update #te.adamw %arg7 states({{.*}} {decay} : tensor<24x16xf32>
// DECAY-NEXT: te.update #te.adamw %arg8 states({{.*}} {decay} : tensor<12x16xf32>
// DECAY-NEXT: te.update #te.adamw %arg9 states({{.*}}) : tensor<16xf32>
// DECAY-NEXT: te.update #te.adamw %arg10 states({{.*}}) : tensor<16xf32>
// DECAY-NEXT: te.update #te.adamw %arg11 states({{.*}} {decay} : tensor<16x48xf32>
// DECAY-NEXT: te.update #te.adamw %arg12 states({{.*}} {decay} : tensor<48xf32>

// DECAYALL-COUNT-28: te.update #te.adamw {{.*}} {decay}
// DECAYALL-NOT: te.update #te.adamw

// Gradients are where their forward ops are.
// LOC: te.cross_entropy {{.*}} loc("loss"
// LOC: te.cross_entropy_grad {{.*}} loc("loss"
// LOC: te.matmul {{.*}}dgrad{{.*}} loc("lm_head")
// LOC: te.layer_norm_grad {{.*}} loc("ln_f")
// LOC: te.matmul {{.*}}dgrad{{.*}} loc("h.1.mlp.c_proj")
// LOC: te.matmul {{.*}}wgrad{{.*}} loc("h.1.mlp.c_proj")
// LOC: te.activation_grad {{.*}} loc("h.1.mlp.act")
// LOC: tensor.concat {{.*}} loc("h.1.attn")
// LOC: te.embedding_grad {{.*}} loc("wte")
// LOC: te.global_norm {{.*}} loc("optimizer"
