// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEOPTIMIZERATTRS_TD
#define TE_DIALECT_TE_IR_TEOPTIMIZERATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "te/Dialect/TE/IR/OptimizerInterfaces.td"
include "te/Dialect/TE/IR/TEDialect.td"

// A number with a default.
class TE_Number<string value, string desc>
    : DefaultValuedParameter<"::mlir::FloatAttr",
                             "$_builder.getF64FloatAttr(" # value # ")", desc> {
  let parser = "::mlir::te::parseNumber($_parser)";
  let printer = "::mlir::te::printNumber($_printer, $_self)";
}

class TE_Flag<string desc> : DefaultValuedParameter<"bool", "false", desc>;

// An optimizer: `parameters` of its own, and which kinds of parameters decay.
class TE_OptimizerAttr<string name, string attrMnemonic, dag parameters_,
                       list<Trait> interfaces = [DeclareAttrInterfaceMethods<TE_OptimizerAttrInterface>]>
    : AttrDef<TE_Dialect, name, interfaces> {
  let mnemonic = attrMnemonic;
  let parameters = !con(parameters_, (ins
    TE_Flag<"weight decay applies to scales and shifts of normalizations">:$decay_norms,
    TE_Flag<"weight decay applies to other vectors">:$decay_biases,
    TE_Flag<"weight decay applies to tables of embeddings and positions, tied LM heads among them">:$decay_embeddings));
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
  string definition = [{
    ::llvm::StringRef $cppClass::getOptimizerName() const {
      return getMnemonic();
    }
  }];
  let extraClassDefinition = definition;
}

// One that updates element by element. Its file defines getScalars, getSettings,
// the methods of ElementwiseOptimizerAttrInterface, and getFormula.
class TE_ElementwiseOptimizerAttr<string name, string attrMnemonic, dag parameters_,
                                  list<string> overridden = [],
                                  list<string> overriddenOfAll = []>
    : TE_OptimizerAttr<name, attrMnemonic, parameters_, [
        DeclareAttrInterfaceMethods<TE_OptimizerAttrInterface, overriddenOfAll>,
        DeclareAttrInterfaceMethods<TE_ElementwiseOptimizerAttrInterface, overridden>]> {
  // Of its own.
  string declaration = "";
  let extraClassDeclaration = [{
    /// The optimizer without what te.update has as operands: the defaults of
    /// scalars, and which parameters decay.
    }] # name # [{Attr getFormula() const;
  }] # declaration;
  let extraClassDefinition = definition # [{
    ::llvm::SmallVector<::mlir::te::OptimizerState>
    $cppClass::getStates(const ::mlir::te::OptimizedParameter &param) const {
      return ::mlir::te::getElementwiseStates(*this, param);
    }
    ::llvm::SmallVector<::mlir::Value>
    $cppClass::buildUpdate(::mlir::OpBuilder &builder, ::mlir::Location loc,
                           const ::mlir::te::ParameterUpdate &update) const {
      return ::mlir::te::buildElementwiseUpdate(
          builder, loc, getFormula(), update,
          ::mlir::te::DecayPolicy::of(*this).decays(update));
    }
  }];
}

def TE_AdamWAttr : TE_ElementwiseOptimizerAttr<"AdamW", "adamw", (ins
    TE_Number<"1e-3", "default of the scalar learning_rate">:$learning_rate,
    TE_Number<"0.9", "default of the scalar beta1">:$beta1,
    TE_Number<"0.999", "default of the scalar beta2">:$beta2,
    TE_Number<"1e-8", "default of the scalar eps">:$eps,
    TE_Number<"0.01", "default of the scalar weight_decay">:$weight_decay,
    DefaultValuedParameter<"MomentType", "MomentType::F32",
        "how the averages are kept: f32, bf16 or fp8">:$moments),
    ["getNumFactors", "buildFactors", "getStateElements"], ["updatesShards"]> {
  let summary = "AdamW with decoupled weight decay, as torch.optim.AdamW computes it";
  let description = [{
    Loshchilov and Hutter, "Decoupled weight decay regularization", 2019. With g the
    gradient:

    - `param *= 1 - learning_rate * weight_decay` (where it decays);
    - `exp_avg = beta1 * exp_avg + (1 - beta1) * g`;
    - `exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * g²`;
    - `param -= learning_rate / (1 - beta1^step) * exp_avg / (sqrt(exp_avg_sq / (1 - beta2^step)) + eps)`.

    Its numbers are the defaults of scalar arguments of the training step. States
    of a parameter: `adamw.exp_avg` and `adamw.exp_avg_sq`.

    `moments` says how these are kept between steps; each step is computed in
    float32. With `bf16` the states of tensors of rank 2 and more that have at
    least 4096 elements are bf16; with `fp8` those of tensors of such a size
    whose rows have at least 128 elements are f8E4M3FN and f8E5M2, with scales of
    128 elements each, `adamw.exp_avg_scale` and `adamw.exp_avg_sq_scale`. Those
    of all others stay f32. They are rounded stochastically (te.update).

    ```mlir
    #te.adamw<beta2 = 0.95, weight_decay = 0.1>
    #te.adamw<moments = fp8>
    ```
  }];
}

def TE_LionAttr : TE_ElementwiseOptimizerAttr<"Lion", "lion", (ins
    TE_Number<"1e-4", "default of the scalar learning_rate">:$learning_rate,
    TE_Number<"0.9", "default of the scalar beta1">:$beta1,
    TE_Number<"0.99", "default of the scalar beta2">:$beta2,
    TE_Number<"0.0", "default of the scalar weight_decay">:$weight_decay)> {
  let summary = "Lion: steps of one size along the sign of a momentum";
  let description = [{
    Chen et al., "Symbolic discovery of optimization algorithms", 2023. With g the
    gradient:

    - `param *= 1 - learning_rate * weight_decay` (where it decays);
    - `param -= learning_rate * sign(beta1 * exp_avg + (1 - beta1) * g)`, where the
      sign of 0 is 0;
    - `exp_avg = beta2 * exp_avg + (1 - beta2) * g`.

    Its numbers are the defaults of scalar arguments of the training step. State of
    a parameter: `lion.exp_avg`. The usual learning rate is 3 to 10 times smaller
    than AdamW's, and the weight decay as many times larger.

    ```mlir
    #te.lion<learning_rate = 3.0e-5, weight_decay = 1.0>
    ```
  }];
}

def TE_SgdAttr : TE_ElementwiseOptimizerAttr<"Sgd", "sgd", (ins
    TE_Number<"1e-3", "default of the scalar learning_rate">:$learning_rate,
    TE_Number<"0.9", "default of the scalar momentum; 0 for none">:$momentum,
    TE_Number<"0.0", "default of the scalar dampening">:$dampening,
    TE_Flag<"the step looks ahead along the momentum">:$nesterov,
    TE_Number<"0.0", "default of the scalar weight_decay">:$weight_decay)> {
  let summary = "Gradient descent with momentum, as torch.optim.SGD computes it";
  let description = [{
    With g the gradient:

    - `g += weight_decay * param` (where it decays);
    - with a momentum, `momentum_buffer = momentum * momentum_buffer + (1 -
      dampening) * g`; in step 1, `momentum_buffer = g`;
    - `param -= learning_rate * d`, where d is `g` without momentum, `g + momentum *
      momentum_buffer` with `nesterov`, else `momentum_buffer`.

    Its numbers are the defaults of scalar arguments of the training step. With
    momentum a parameter has the state `sgd.momentum_buffer`; without, there is
    neither the state nor the scalars `momentum` and `dampening`. Nesterov's
    momentum takes no dampening.

    ```mlir
    #te.sgd<momentum = 0.95, nesterov = true, weight_decay = 1.0e-4>
    ```
  }];
  let declaration = "bool hasMomentum() const;";
}

def TE_MuonAttr : TE_OptimizerAttr<"Muon", "muon", (ins
    TE_Number<"1e-3", "default of the scalar learning_rate">:$learning_rate,
    TE_Number<"0.95", "default of the scalar momentum">:$momentum,
    TE_Number<"0.9", "default of the scalar beta1">:$beta1,
    TE_Number<"0.95", "default of the scalar beta2">:$beta2,
    TE_Number<"1e-8", "default of the scalar eps">:$eps,
    TE_Number<"0.1", "default of the scalar weight_decay">:$weight_decay,
    DefaultValuedParameter<"unsigned", "5", "steps of the iteration">:$iterations),
    [DeclareAttrInterfaceMethods<TE_OptimizerAttrInterface, ["updatesShards"]>]> {
  let summary = "Muon for hidden matrices, AdamW for all other parameters";
  let description = [{
    Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024,
    with the step size of Liu et al., "Muon is scalable for LLM training", 2025
    (torch.optim.Muon with `adjust_lr_fn="match_rms_adamw"`), so that one learning
    rate and one weight decay serve both kinds of parameters. A hidden matrix is
    one that linear layers read as their weight, no embedding reads, and that makes
    no logits. With G its gradient:

    - `momentum_buffer = momentum * momentum_buffer + (1 - momentum) * G`;
    - `X = (1 - momentum) * G + momentum * momentum_buffer`, divided by its norm;
    - `iterations` times: `A = X Xᵀ; X = 3.4445 X + (-4.775 A + 2.0315 A²) X`, of Xᵀ
      where X has more rows than columns;
    - `param *= 1 - learning_rate * weight_decay` (where it decays);
    - `param -= learning_rate * 0.2 * sqrt(max(rows, columns)) * X`.

    The products are te.matmul, which follow the compute type (bf16) and are not
    FP8. Its numbers are the defaults of scalar arguments of the training step.
    State of a hidden matrix: `muon.momentum_buffer`; those of the others are
    AdamW's.

    ```mlir
    #te.muon<learning_rate = 6.0e-4, momentum = 0.95>
    ```
  }];
}

def TE_AdafactorAttr : TE_OptimizerAttr<"Adafactor", "adafactor", (ins
    TE_Number<"1e-2", "default of the scalar learning_rate">:$learning_rate,
    TE_Number<"-0.8", "default of the scalar beta2_decay">:$beta2_decay,
    TE_Number<"1e-3", "default of the scalar eps">:$eps,
    TE_Number<"1.0", "largest root mean square of a step's direction">:$clip,
    TE_Number<"0.0", "default of the scalar weight_decay">:$weight_decay),
    [DeclareAttrInterfaceMethods<TE_OptimizerAttrInterface, ["updatesShards"]>]> {
  let summary = "Adafactor: second moments of a matrix as a row and a column";
  let description = [{
    Shazeer and Stern, "Adafactor: adaptive learning rates with sublinear memory
    cost", 2018, without momentum, as torch.optim.Adafactor computes it. With G the
    gradient of a matrix [M, N], `s = step^beta2_decay`, and `rms(x)` the root of
    the mean of x²:

    - `row_var = row_var + s * (mean of G² over a row - row_var)`, [M];
    - `col_var = col_var + s * (mean of G² over a column - col_var)`, [N];
    - `V = row_var col_varᵀ / max(mean of row_var, 2^-23)`, at least 2^-46;
    - `U = G / sqrt(V)`;
    - `param *= 1 - learning_rate * weight_decay` (where it decays);
    - `param -= max(eps, rms(param)) * min(learning_rate, 1 / sqrt(step)) * U /
      max(1, rms(U) / clip)`, where the parameter is that before the step.

    Parameters of another rank keep `variance`, of their shape, in place of the two
    vectors: `variance = variance + s * (G² - variance)`, V in the formula.

    States of a matrix: `adafactor.row_var` and `adafactor.col_var`; of others:
    `adafactor.variance`. Ranks do not share updates: with a mesh along dp
    everything stays replicated, and shards along tp are refused.

    ```mlir
    #te.adafactor<learning_rate = 1.0e-2, weight_decay = 0.1>
    ```
  }];
}

def TE_EmaAttr : AttrDef<TE_Dialect, "Ema", [
    DeclareAttrInterfaceMethods<TE_OptimizerAttrInterface>,
    DeclareAttrInterfaceMethods<TE_ElementwiseOptimizerAttrInterface>]> {
  let summary = "Exponential moving average, as a rule of te.update";
  let description = [{
    What te-average-parameters updates averages by; no optimizer of parameters.
    With g the value that is averaged, and `ema_decay` its only scalar:

    - in step 1, `param = g`;
    - later, `param = ema_decay * param + (1 - ema_decay) * g`.

    ```mlir
    %ema1 = te.update #te.ema %ema gradient(%w) coefficient(%c) scalars(%decay) step(%s)
      : tensor<512x128xf32>, tensor<512x128xf32>
    ```
  }];
  let mnemonic = "ema";
  let parameters = (ins);
}

#endif // TE_DIALECT_TE_IR_TEOPTIMIZERATTRS_TD
