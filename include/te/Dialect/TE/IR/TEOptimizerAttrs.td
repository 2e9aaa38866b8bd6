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
class TE_OptimizerAttr<string name, string attrMnemonic, dag parameters_>
    : AttrDef<TE_Dialect, name,
              [DeclareAttrInterfaceMethods<TE_OptimizerAttrInterface>]> {
  let mnemonic = attrMnemonic;
  let parameters = !con(parameters_, (ins
    TE_Flag<"weight decay applies to scales and shifts of normalizations">:$decay_norms,
    TE_Flag<"weight decay applies to other vectors">:$decay_biases,
    TE_Flag<"weight decay applies to tables of embeddings and positions, tied LM heads among them">:$decay_embeddings));
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getOptimizerName() const {
      return getMnemonic();
    }
    bool $cppClass::isDecayed(
        ::llvm::ArrayRef<::mlir::te::ParameterRole> roles,
        ::mlir::RankedTensorType param) const {
      return ::mlir::te::DecayPolicy::of(*this).decays(roles, param);
    }
  }];
}

def TE_AdamWAttr : TE_OptimizerAttr<"AdamW", "adamw", (ins
    TE_Number<"1e-3", "default of the scalar learning_rate">:$learning_rate,
    TE_Number<"0.9", "default of the scalar beta1">:$beta1,
    TE_Number<"0.999", "default of the scalar beta2">:$beta2,
    TE_Number<"1e-8", "default of the scalar eps">:$eps,
    TE_Number<"0.01", "default of the scalar weight_decay">:$weight_decay)> {
  let summary = "AdamW with decoupled weight decay, as te.adamw computes it";
  let description = [{
    Its numbers are the defaults of scalar arguments of the training step. States
    of a parameter: `adamw.exp_avg` and `adamw.exp_avg_sq`.

    ```mlir
    #te.adamw<beta2 = 0.95, weight_decay = 0.1>
    ```
  }];
}

def TE_SgdAttr : TE_OptimizerAttr<"Sgd", "sgd", (ins
    TE_Number<"1e-3", "default of the scalar learning_rate">:$learning_rate,
    TE_Number<"0.9", "default of the scalar momentum; 0 for none">:$momentum,
    TE_Number<"0.0", "default of the scalar dampening">:$dampening,
    TE_Flag<"the step looks ahead along the momentum">:$nesterov,
    TE_Number<"0.0", "default of the scalar weight_decay">:$weight_decay)> {
  let summary = "Stochastic gradient descent with momentum, as te.sgd computes it";
  let description = [{
    Its numbers are the defaults of scalar arguments of the training step. With
    momentum a parameter has the state `sgd.momentum_buffer`; without, there is
    neither the state nor the scalars `momentum` and `dampening`. Nesterov's
    momentum takes no dampening.

    ```mlir
    #te.sgd<momentum = 0.95, nesterov = true, weight_decay = 1.0e-4>
    ```
  }];
  let extraClassDeclaration = [{
    /// Whether there is a buffer, and whether its gradients are dampened.
    bool hasMomentum() const;
    bool hasDampening() const;
  }];
}

#endif // TE_DIALECT_TE_IR_TEOPTIMIZERATTRS_TD
