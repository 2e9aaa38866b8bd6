// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TELOSSATTRS_TD
#define TE_DIALECT_TE_IR_TELOSSATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "te/Dialect/TE/IR/LossInterfaces.td"
include "te/Dialect/TE/IR/TEDialect.td"
include "te/Dialect/TE/IR/TEEnums.td"
include "te/Dialect/TE/IR/TEOptimizerAttrs.td"

class TE_LossAttr<string name, string attrMnemonic, string lossName>
    : AttrDef<TE_Dialect, name,
              [DeclareAttrInterfaceMethods<TE_LossAttrInterface>]> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  string nameMethod = [{
    ::llvm::StringRef $cppClass::getLossName() const { return "}] # lossName # [{"; }
  }];
  let extraClassDefinition = nameMethod;
}

def TE_LossReduction
    : DefaultValuedParameter<"Reduction", "Reduction::Mean",
                             "how the loss joins its terms">;

// A cross-entropy of rows of logits with one label each (te.cross_entropy).
class TE_LogitsLossAttr<string name, string attrMnemonic, string lossName>
    : TE_LossAttr<name, attrMnemonic, lossName> {
  let parameters = (ins
    TE_LossReduction:$reduction,
    DefaultValuedParameter<"int64_t", "-100",
                           "label of rows that do not count">:$ignore_index,
    TE_Number<"0.0", "what all classes share of a row's target, 0 to 1">:$label_smoothing,
    TE_Number<"0.0", "factor of the squared log of the sum of exponentials">:$z_loss);
  let genVerifyDecl = 1;
  let extraClassDefinition = nameMethod # [{
    ::llvm::LogicalResult $cppClass::verify(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        Reduction, int64_t, ::mlir::FloatAttr labelSmoothing,
        ::mlir::FloatAttr zLoss) {
      return ::mlir::te::verifyLossTerms(emitError,
                                         labelSmoothing.getValueAsDouble(),
                                         zLoss.getValueAsDouble());
    }
  }];
}

def TE_CausalLMLossAttr
    : TE_LogitsLossAttr<"CausalLMLoss", "causal_lm", "causal-lm"> {
  let summary = "Cross-entropy of every token with the one behind it";
  let description = [{
    The labels are the model's own ids, shifted by one position. Positions must
    not see the tokens that they predict: an attention without a causal mask
    between the ids and the logits, whose keys or values are made of the ids, is
    an error unless the module has `te.allow_lookahead`.

    ```mlir
    #te.causal_lm<label_smoothing = 0.1, z_loss = 1.0e-4>
    ```
  }];
}

def TE_MaskedLMLossAttr
    : TE_LogitsLossAttr<"MaskedLMLoss", "masked_lm", "masked-lm"> {
  let summary = "Cross-entropy of tokens with the labels at their own positions";
  let description = [{
    The labels are an input of integers, one for each row of the logits, in the
    shape of the ids where that fits: the tokens that a mask hides in the ids,
    and `ignore_index` at all other positions.
  }];
}

def TE_CrossEntropyLossAttr
    : TE_LogitsLossAttr<"CrossEntropyLoss", "cross_entropy", "cross-entropy"> {
  let summary = "Cross-entropy with labels that are given";
  let description = [{
    The labels are an input of integers, one for each row of the logits, in the
    shape of the ids where that fits. A stream of tokens fills them with the
    next tokens.
  }];
}

def TE_ClassificationLossAttr
    : TE_LogitsLossAttr<"ClassificationLoss", "classification", "classification"> {
  let summary = "Cross-entropy of sequences or tokens with their classes";
  let description = [{
    Logits [N,C] take labels [N], one for each sequence; logits [N,S,C] take
    labels [N,S], one for each token. A model with a single class is an error.
  }];
}

def TE_MeanSquaredErrorLossAttr
    : TE_LossAttr<"MeanSquaredErrorLoss", "mse", "mse"> {
  let summary = "Squared distance from targets: regression";
  let description = [{
    The labels are an input of float32 of the output's shape. The loss is the
    mean, or the sum, of the squared differences of all elements.

    ```mlir
    #te.mse<reduction = sum>
    ```
  }];
  let parameters = (ins TE_LossReduction:$reduction);
}

def TE_OutputLossAttr : TE_LossAttr<"OutputLoss", "output", "output"> {
  let summary = "A loss that the model computes itself";
  let description = [{
    The output of that name, of floating point and one element: models of
    PyTorch that were exported with their `labels` have one.

    ```mlir
    #te.output<"loss">
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the output">:$output);
  let assemblyFormat = "`<` $output `>`";
}

#endif // TE_DIALECT_TE_IR_TELOSSATTRS_TD
