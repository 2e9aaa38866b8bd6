// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TERT_IR_TERTBASE_TD
#define TE_DIALECT_TERT_IR_TERTBASE_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "te/Dialect/TE/IR/TEEnums.td"
include "te/Dialect/TERT/IR/TERTInterfaces.td"

def TERT_Dialect : Dialect {
  let name = "tert";
  let cppNamespace = "::mlir::te::tert";
  let summary = "Calls of the runtime";
  let description = [{
    One op per function of `runtime/include/tert/ops.h`, with the same tensors
    and constants in the same order; that header documents what each function
    computes.

    Ops are in destination-passing style, on tensors or on memrefs. Operands are
    labelled with the names of the C parameters; those after the arrow are
    written, and a missing optional one is a null pointer. The tensors of a C
    structure (`tert_scaled`, `tert_quantized`) are separate operands, so that
    each has its own liveness and can be dead by itself:

    ```mlir
    %y, %mean, %rstd = tert.layer_norm x(%x : tensor<64x128xbf16>) gamma(%g : tensor<128xf32>) beta(%b : tensor<128xf32>)
      -> y(%0 : tensor<64x128xbf16>) mean(%1 : tensor<64xf32>) rstd(%2 : tensor<64xf32>) {eps = 1.0e-5 : f32}
    tert.quantize x(%x : memref<64x128xbf16>) scale(%s : memref<f32>)
      -> rowwise(%q : memref<64x128xf8E4M3FN>) amax(%a : memref<f32>)
    ```

    An op only writes its destinations, except those that the runtime updates in
    place (parameters, moments, scaling state, the step counter).
  }];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

class TERT_Tensor<list<Type> elements, string summary>
    : ConfinedType<AnyTypeOf<[RankedTensorOf<elements>, MemRefOf<elements>]>,
                   [HasStaticShapePred], summary, "::mlir::ShapedType">;

def TERT_Float : TERT_Tensor<[F32, BF16], "tensor or memref of f32 or bf16">;
def TERT_F32 : TERT_Tensor<[F32], "tensor or memref of f32">;
def TERT_Scale : TERT_Tensor<[F32, F8E8M0FNU], "tensor or memref of f32 or f8E8M0FNU">;
def TERT_Fp8 : TERT_Tensor<[F8E4M3FN, F8E5M2],
                           "tensor or memref of f8E4M3FN or f8E5M2">;
def TERT_State : TERT_Tensor<[F32, BF16, F8E4M3FN, F8E5M2],
                             "tensor or memref of f32, bf16, f8E4M3FN or f8E5M2">;
def TERT_Int : TERT_Tensor<[I64, I32], "tensor or memref of i64 or i32">;
def TERT_I64 : TERT_Tensor<[I64], "tensor or memref of i64">;
def TERT_I32 : TERT_Tensor<[I32], "tensor or memref of i32">;
def TERT_Number : TERT_Tensor<[F32, BF16, I64, I32],
                              "tensor or memref of f32, bf16, i64 or i32">;
def TERT_Any : TERT_Tensor<[F32, BF16, F8E4M3FN, F8E5M2, F8E8M0FNU, I64, I32, I<8>, I1],
                           "tensor or memref of a type the runtime has">;

//===-- Structures --------------------------------------------------------===//

// A C parameter that is the address of a structure of tensors. In lists of
// inputs and outputs it stands for one operand per tensor.
class TERT_Structure<string summary> : TypeConstraint<CPred<"true">, summary>;

// tert_scaled: the operands NAME and NAME_scale_inv.
def TERT_Scaled : TERT_Structure<"an FP8 matrix and its scales">;

// tert_quantized, an output: the operands rowwise, columnwise and amax at its
// position, and the operand scale after all inputs. At most one per op.
class TERT_AnyQuantized<string summary> : TERT_Structure<summary>;
def TERT_Quantized : TERT_AnyQuantized<"destinations of a quantized result">;
def TERT_OptionalQuantized : TERT_AnyQuantized<"optional destinations of a quantized result">;

// tert_quantized, an output of an op that makes the scales of blocks itself: the
// operands rowwise, rowwise_scale_inv, columnwise, columnwise_scale_inv and amax.
def TERT_BlockQuantized : TERT_AnyQuantized<"destinations of a result quantized with scales of its own blocks">;

// A list of tert_quantized: lists of operands scales, rowwise, columnwise and
// amaxes, without entries for missing parts. The op's `copies`, an array of
// QuantizedParts, says which parts each element has.
def TERT_QuantizedList : TERT_AnyQuantized<"destinations of several quantized results">;

// The operands of one parameter.
class TERT_Operands<TypeConstraint type, string name> {
  list<TypeConstraint> types = !cond(
      !eq(type, TERT_Scaled) : [TERT_Fp8, TERT_Scale],
      !eq(type, TERT_QuantizedList) : [Variadic<TERT_Fp8>, Variadic<TERT_Fp8>, Variadic<TERT_F32>],
      !eq(type, TERT_BlockQuantized) : [Optional<TERT_Fp8>, Optional<TERT_Scale>, Optional<TERT_Fp8>,
                                        Optional<TERT_Scale>, Optional<TERT_F32>],
      !isa<TERT_AnyQuantized>(type) : [Optional<TERT_Fp8>, Optional<TERT_Fp8>, Optional<TERT_F32>],
      true : [type]);
  list<string> names = !cond(
      !eq(type, TERT_Scaled) : [name, name # "_scale_inv"],
      !eq(type, TERT_QuantizedList) : ["rowwise", "columnwise", "amaxes"],
      !eq(type, TERT_BlockQuantized) : ["rowwise", "rowwise_scale_inv", "columnwise",
                                        "columnwise_scale_inv", "amax"],
      !isa<TERT_AnyQuantized>(type) : ["rowwise", "columnwise", "amax"],
      true : [name]);
  // The operand that it adds to the inputs.
  list<TypeConstraint> scaleTypes = !cond(
      !eq(type, TERT_Quantized) : [TERT_F32],
      !eq(type, TERT_OptionalQuantized) : [Optional<TERT_F32>],
      !eq(type, TERT_QuantizedList) : [Variadic<TERT_F32>],
      true : []<TypeConstraint>);
  list<string> scaleNames = !cond(
      !eq(type, TERT_QuantizedList) : ["scales"],
      !eq(type, TERT_BlockQuantized) : []<string>,
      !isa<TERT_AnyQuantized>(type) : ["scale"],
      true : []<string>);
}

// The operands of a list of parameters.
class TERT_OperandList<dag parameters> {
  defvar all = !foreach(i, !range(!size(parameters)),
      TERT_Operands<!getdagarg<TypeConstraint>(parameters, i), !getdagname(parameters, i)>);
  list<TypeConstraint> types = !foldl([]<TypeConstraint>, all, sum, one, !listconcat(sum, one.types));
  list<string> names = !foldl([]<string>, all, sum, one, !listconcat(sum, one.names));
  list<TypeConstraint> scaleTypes = !foldl([]<TypeConstraint>, all, sum, one, !listconcat(sum, one.scaleTypes));
  list<string> scaleNames = !foldl([]<string>, all, sum, one, !listconcat(sum, one.scaleNames));
}

//===-- Signatures --------------------------------------------------------===//

// A parameter of the C function, and of the runtime's Backend: their types, as
// C and C++ text, and the name.
class TERT_CParameter<string c, string backend, string parameter> {
  string cType = c;
  string backendType = backend;
  string name = parameter;
}

class TERT_TensorSignature<TypeConstraint type, string name> {
  list<TERT_CParameter> parameters = !cond(
      !eq(type, TERT_Scaled) :
        [TERT_CParameter<"const tert_scaled *", "const tert_scaled &", name>],
      !eq(type, TERT_QuantizedList) :
        [TERT_CParameter<"int32_t", "int32_t", "num_" # name>,
         TERT_CParameter<"const tert_quantized *", "const tert_quantized *", name>],
      // A null pointer is equivalent to a structure of null pointers.
      !isa<TERT_AnyQuantized>(type) :
        [TERT_CParameter<"const tert_quantized *", "const tert_quantized &", name>],
      !isa<Variadic>(type) :
        [TERT_CParameter<"int32_t", "int32_t", "num_" # name>,
         TERT_CParameter<"const tert_tensor *", "const tert_tensor *", name>],
      !isa<Optional>(type) :
        [TERT_CParameter<"const tert_tensor *", "const tert_tensor *", name>],
      true :
        [TERT_CParameter<"const tert_tensor *", "const tert_tensor &", name>]);
}

class TERT_ConstantSignature<Attr type, string name> {
  TERT_CParameter parameter = !cond(
      !eq(type, UnitAttr) : TERT_CParameter<"int32_t", "bool", name>,
      !eq(type, F32Attr) : TERT_CParameter<"float", "float", name>,
      !eq(type, F64Attr) : TERT_CParameter<"double", "double", name>,
      !eq(type, I32Attr) : TERT_CParameter<"int32_t", "int32_t", name>,
      !eq(type, I64Attr) : TERT_CParameter<"int64_t", "int64_t", name>,
      !eq(type, TypeAttr) : TERT_CParameter<"int32_t", "tert_dtype", name>,
      !eq(type, TypeArrayAttr) : TERT_CParameter<"const int32_t *", "const int32_t *", name>,
      !eq(type, DenseI32ArrayAttr) : TERT_CParameter<"const int32_t *", "const int32_t *", name>,
      !eq(type, StrAttr) : TERT_CParameter<"const char *", "const char *", name>,
      !eq(type, SymbolRefAttr) : TERT_CParameter<"const tert_kernel *", "const tert_kernel &", name>,
      // tert_collective_kind.
      !isa<I32EnumAttr>(type) : TERT_CParameter<"int32_t", "int32_t", name>,
      // te's enumerations have counterparts of the same name in tert/types.h.
      !isa<EnumAttr>(type) : TERT_CParameter<"int32_t", "tert_" # !cast<EnumAttr>(type).mnemonic, name>);
}

//===-- Ops ---------------------------------------------------------------===//

// The part of the assembly format for one operand.
class TERT_OperandFormat<TypeConstraint type, string name> {
  defvar label = "`" # name # "` `(` ";
  defvar rest = " `:` type($" # name # ") `)`";
  string format = !if(!or(!isa<Optional>(type), !isa<Variadic>(type)),
                      "(" # label # "$" # name # "^" # rest # ")?",
                      label # "$" # name # rest);
}

// ODS requires operand segment sizes if several groups are variadic, and only
// then.
class TERT_SegmentTraits<list<TypeConstraint> types> {
  list<Trait> traits = !if(!gt(!foldl(0, types, count, type,
      !add(count, !or(!isa<Optional>(type), !isa<Variadic>(type)))), 1),
      [AttrSizedOperandSegments], []<Trait>);
}

// The index of a name in a list.
class TERT_IndexOf<list<string> names, string wanted> {
  int index = !foldl(-1, !range(!size(names)), found, i,
                     !if(!eq(names[i], wanted), i, found));
}

// The C++ expression of a TensorParameter, from all operands' names.
class TERT_ParameterCode<TypeConstraint type, string name, list<string> names> {
  defvar operands = TERT_Operands<type, name>;
  defvar groups = !interleave(!foreach(operand, !listconcat(operands.scaleNames, operands.names),
      "getODSOperands(" # TERT_IndexOf<names, operand>.index # ")"), ", ");
  string text = !cond(
      !eq(type, TERT_Scaled) : "getScaledParameter",
      !eq(type, TERT_Quantized) : "getQuantizedParameter",
      !eq(type, TERT_OptionalQuantized) : "getOptionalQuantizedParameter",
      !eq(type, TERT_QuantizedList) : "getQuantizedListParameter",
      !eq(type, TERT_BlockQuantized) : "getBlockQuantizedParameter",
      !isa<Variadic>(type) : "getListParameter",
      true : "getTensorParameter")
    # "(" # groups # !if(!eq(type, TERT_QuantizedList), ", getCopies()", "") # ")";
}

// An op of the runtime: a function of tert/ops.h or tert/collectives.h and, unless
// `hasBackendMethod` is 0, a method of Backend (runtime/program/Backend.h),
// both with the parameters that are given here. tert-signatures writes the
// headers, with `description` as the function's comment.
class TERT_Op<string mnemonic, list<Trait> moreTraits = []>
    : Op<TERT_Dialect, mnemonic> {
  // The header that declares the function, "ops" or "collectives", and the
  // heading.
  string header = "ops";
  string section = ?;

  // The C function's parameters, in this order.
  dag inputs = (ins);
  dag outputs = (ins);
  dag constants = (ins);
  // Attributes that are not passed to the C function.
  dag hidden = (ins);
  // Outputs that are read as well, and a flag among the constants (or a question
  // about one) that makes the op read all of them.
  list<string> updated = [];
  string updatesIf = "";
  // The assembly format before the operands.
  string prefix = "";
  bit hasBackendMethod = 1;
  // Tensors with arbitrary strides, contiguous ones, and those whose rows start
  // at multiples of 16 bytes. All others have an innermost stride of 1. The
  // checks in runtime/program and runtime/cuda require the same.
  list<string> anyStrides = [];
  list<string> denseRowsOrColumns = [];
  list<string> contiguous = [];
  list<string> alignedRows = [];
  // True if the function needs far more temporary memory than the size of its
  // tensors.
  bit workspace = 0;

  defvar written = TERT_OperandList<outputs>;
  defvar inputTypes = !listconcat(TERT_OperandList<inputs>.types, written.scaleTypes);
  defvar inputNames = !listconcat(TERT_OperandList<inputs>.names, written.scaleNames);
  defvar types = !listconcat(inputTypes, written.types);
  defvar names = !listconcat(inputNames, written.names);

  let traits = !listconcat(
      TERT_SegmentTraits<types>.traits,
      [DestinationStyleOpInterface,
       DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
       DeclareOpInterfaceMethods<TERT_RuntimeCallOpInterface>],
      moreTraits);
  let arguments = !con(!dag(ins, types, names), constants, hidden);
  let results = (outs Variadic<TERT_Any>:$results);

  defvar formats = !foreach(i, !range(!size(types)),
      TERT_OperandFormat<types[i], names[i]>.format);
  let assemblyFormat = prefix #
      !interleave(!foreach(i, !range(!size(inputTypes)), formats[i]), " ")
      # " `->` " #
      !interleave(!foreach(i, !range(!size(inputTypes), !size(types)), formats[i]), " ")
      # " attr-dict `` custom<TiedResults>(type($results), "
      # !interleave(!foreach(name, written.names, "ref(type($" # name # "))"), ", ") # ")";

  defvar parameters = !con(inputs, outputs);
  defvar signature = !listconcat(
      !foldl([]<TERT_CParameter>, !range(!size(parameters)), sum, i, !listconcat(sum,
          TERT_TensorSignature<!getdagarg<TypeConstraint>(parameters, i),
                               !getdagname(parameters, i)>.parameters)),
      !foreach(i, !range(!size(constants)),
          TERT_ConstantSignature<!getdagarg<Attr>(constants, i),
                                 !getdagname(constants, i)>.parameter));

  let extraClassDeclaration = [{
    /// Number of operand groups, and of the outputs among them that are updated
    /// rather than only written (they come first).
    static constexpr unsigned kNumOperandGroups = }] # !size(types) # [{;
    static constexpr unsigned kNumUpdatedOutputs = }] # !size(updated) # [{;

    /// The C function's parameters after context and site.
    static constexpr ::mlir::te::tert::SignatureParameter kSignature[] = {}] #
      !interleave(!foreach(parameter, signature,
        "{\"" # parameter.cType # "\", \"" # parameter.backendType # "\", \"" # parameter.name # "\"}"), ", ") # [{};
    /// Further data for tert-signatures.
    static constexpr ::llvm::StringLiteral kHeader = "}] # header # [{";
    static constexpr ::llvm::StringLiteral kSection = "}] # section # [{";
    static constexpr ::llvm::StringLiteral kDescription = R"text(}] # description # [{)text";
    static constexpr bool kHasBackendMethod = }] # !if(hasBackendMethod, "true", "false") # [{;

    ::mlir::MutableOperandRange getDpsInitsMutable() {
      unsigned first = getODSOperandIndexAndLength(}] # !size(inputTypes) # [{).first;
      return ::mlir::MutableOperandRange(*this, first,
                                         getOperation()->getNumOperands() - first);
    }
  }];
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getRuntimeSymbol() { return "tert_}] # mnemonic # [{"; }

    ::llvm::SmallVector<::mlir::te::tert::TensorParameter>
    $cppClass::getTensorParameters() {
      return {}] # !interleave(!foreach(i, !range(!size(parameters)),
          TERT_ParameterCode<!getdagarg<TypeConstraint>(parameters, i),
                             !getdagname(parameters, i), names>.text), ", ") # [{};
    }

    ::llvm::StringRef $cppClass::getOperandName(::mlir::OpOperand &operand) {
      static constexpr ::llvm::StringLiteral names[] = {}] #
          !interleave(!foreach(name, names, "\"" # name # "\""), ", ") # [{};
      return names[getOperandGroup(*this, operand)];
    }

    ::mlir::te::tert::LayoutRequirement
    $cppClass::getLayoutRequirement(::mlir::OpOperand &operand) {
      using Strides = ::mlir::te::tert::LayoutRequirement::Strides;
      static constexpr ::mlir::te::tert::LayoutRequirement layouts[] = {}] #
          !interleave(!foreach(name, names, "{Strides::" #
              !if(!foldl(false, anyStrides, found, other, !or(found, !eq(name, other))), "Any",
              !if(!foldl(false, denseRowsOrColumns, found, other, !or(found, !eq(name, other))), "UnitInEither",
              !if(!foldl(false, contiguous, found, other, !or(found, !eq(name, other))), "Contiguous",
                  "UnitInnermost"))) # ", " #
              !if(!foldl(false, alignedRows, found, other, !or(found, !eq(name, other))), 16, 1)
              # "}"), ", ") # [{};
      return layouts[getOperandGroup(*this, operand)];
    }

    bool $cppClass::wantsWorkspace() { return }] # !if(workspace, "true", "false") # [{; }

    ::llvm::SmallVector<::mlir::Attribute> $cppClass::getConstantParameters() {
      [[maybe_unused]] auto &properties = getProperties();
      [[maybe_unused]] ::mlir::Builder builder(getContext());
      return {}] # !interleave(!foreach(i, !range(!size(constants)),
          "constantParameter(builder, properties." # !getdagname(constants, i) # ")"), ", ") # [{};
    }

    bool $cppClass::readsInit(::mlir::OpOperand &init) {
      }] # !if(!empty(updatesIf), "",
               "if (getProperties()." # updatesIf # ") return true;") # [{
      static constexpr bool isUpdated[] = {}] # !interleave(!foreach(output, written.names,
          !foldl("false", updated, found, name,
                 !if(!eq(name, output), "true", found))), ", ") # [{};
      for (unsigned output = 0; output != }] # !size(written.names) # [{; ++output) {
        auto [first, length] =
            getODSOperandIndexAndLength(}] # !size(inputTypes) # [{ + output);
        if (init.getOperandNumber() - first < length)
          return isUpdated[output];
      }
      return false;
    }

    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<
            ::mlir::MemoryEffects::Effect>> &effects) {
      getRuntimeCallEffects(*this, effects);
    }
  }];
}

#endif // TE_DIALECT_TERT_IR_TERTBASE_TD
