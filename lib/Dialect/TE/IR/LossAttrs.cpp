// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The losses: LossAttrInterface of the te attributes.

#include "MaskedKeys.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"

#include "mlir/Analysis/SliceAnalysis.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

LossSite::~LossSite() = default;

LogicalResult LossSite::errorWith(const Twine &what, StringRef list,
                                  ArrayRef<NamedTensor> candidates) {
  InFlightDiagnostic diag = error() << what << "; " << list;
  if (candidates.empty())
    return diag << " nothing";
  llvm::interleaveComma(candidates, diag << " ", [&](const NamedTensor &value) {
    diag << "'" << value.name << "' (" << value.type() << ")";
  });
  return diag;
}

LogicalResult
mlir::te::verifyLossTerms(llvm::function_ref<InFlightDiagnostic()> emitError,
                          double labelSmoothing, double zLoss) {
  if (!(labelSmoothing >= 0 && labelSmoothing <= 1))
    return emitError() << "expects label_smoothing in [0, 1], got "
                       << labelSmoothing;
  if (!(zLoss >= 0) || !std::isfinite(static_cast<float>(zLoss)))
    return emitError() << "expects z_loss to be finite and not negative, got "
                       << zLoss;
  return success();
}

static Value createScalar(LossSite &site, double value) {
  OpBuilder &builder = site.getBuilder();
  auto type = RankedTensorType::get({}, builder.getF32Type());
  return arith::ConstantOp::create(
      builder, site.getLoc(),
      DenseElementsAttr::get(type, static_cast<float>(value)));
}

//===----------------------------------------------------------------------===//
// Cross-entropies
//===----------------------------------------------------------------------===//

/// Without the terms that are 0, as in the descriptions of programs that know
/// none.
template <typename LossAttr>
static NamedAttrList describeCrossEntropy(LossAttr loss) {
  Builder builder(loss.getContext());
  NamedAttrList settings;
  settings.set("reduction",
               builder.getStringAttr(stringifyReduction(loss.getReduction())));
  settings.set("ignore_index",
               builder.getI64IntegerAttr(loss.getIgnoreIndex()));
  auto setTerm = [&](StringRef name, FloatAttr term) {
    if (term.getValueAsDouble() != 0)
      settings.set(name, term);
  };
  setTerm("label_smoothing", loss.getLabelSmoothing());
  setTerm("z_loss", loss.getZLoss());
  return settings;
}

/// The settings of a loss whose labels no stream of tokens holds.
static DictionaryAttr annotated(NamedAttrList settings, MLIRContext *context) {
  settings.set("labels", StringAttr::get(context, "annotated"));
  return settings.getDictionary(context);
}

/// The loss of `logits` [..., V] with integer `labels` of as many elements as
/// logits has rows.
template <typename LossAttr>
static FailureOr<BuiltLoss> buildCrossEntropy(LossSite &site, LossAttr loss,
                                              Value logits, Value labels) {
  OpBuilder &builder = site.getBuilder();
  Location loc = site.getLoc();
  auto logitsType = cast<RankedTensorType>(logits.getType());
  auto labelsType = cast<RankedTensorType>(labels.getType());
  if (logitsType.getRank() < 2)
    return emitError(loc) << "the logits are " << logitsType
                          << "; a cross-entropy needs [..., classes]";
  int64_t rows = logitsType.getNumElements() /
                 std::max<int64_t>(logitsType.getShape().back(), 1);
  if (labelsType.getNumElements() != rows)
    return emitError(loc) << "the logits " << logitsType << " have " << rows
                          << " rows, but there are "
                          << labelsType.getNumElements() << " labels ("
                          << labelsType << ")";
  Value matrix = collapseToMatrix(builder, loc, logits);
  if (labelsType.getRank() != 1) {
    ReassociationIndices all =
        llvm::to_vector(llvm::seq<int64_t>(0, labelsType.getRank()));
    labels = tensor::CollapseShapeOp::create(
        builder, loc, labelsType.clone({rows}), labels,
        ArrayRef<ReassociationIndices>{all});
  }
  auto op = CrossEntropyOp::create(
      builder, loc, matrix, labels, loss.getIgnoreIndex(), loss.getReduction(),
      static_cast<float>(loss.getLabelSmoothing().getValueAsDouble()),
      static_cast<float>(loss.getZLoss().getValueAsDouble()));
  return BuiltLoss{op.getLoss(), op.getCount(), {}};
}

/// One label per row of logits, in the shape of the ids where it fits.
static FailureOr<Value> addRowLabels(LossSite &site,
                                     const NamedTensor &scores) {
  ArrayRef<int64_t> shape = scores.type().getShape();
  if (shape.empty())
    return site.error() << "has scalar logits '" << scores.name << "'";
  auto type =
      RankedTensorType::get(shape.drop_back(), site.getBuilder().getI64Type());
  for (const NamedTensor &input : site.getInputs())
    if (type.getRank() == 1 && input.type().getElementType().isInteger() &&
        input.type().getRank() == 2 &&
        input.type().getNumElements() == type.getNumElements())
      type = type.clone(input.type().getShape());
  return site.addInput("labels", type);
}

template <typename LossAttr>
static FailureOr<BuiltLoss> buildWithRowLabels(LossSite &site, LossAttr loss) {
  FailureOr<NamedTensor> scores = site.findScores();
  if (failed(scores))
    return failure();
  FailureOr<Value> labels = addRowLabels(site, *scores);
  if (failed(labels))
    return failure();
  return buildCrossEntropy(site, loss, scores->value, *labels);
}

DictionaryAttr CrossEntropyLossAttr::getSettings() const {
  return describeCrossEntropy(*this).getDictionary(getContext());
}

FailureOr<BuiltLoss> CrossEntropyLossAttr::buildLoss(LossSite &site) const {
  return buildWithRowLabels(site, *this);
}

DictionaryAttr MaskedLMLossAttr::getSettings() const {
  return annotated(describeCrossEntropy(*this), getContext());
}

FailureOr<BuiltLoss> MaskedLMLossAttr::buildLoss(LossSite &site) const {
  return buildWithRowLabels(site, *this);
}

DictionaryAttr ClassificationLossAttr::getSettings() const {
  return annotated(describeCrossEntropy(*this), getContext());
}

FailureOr<BuiltLoss> ClassificationLossAttr::buildLoss(LossSite &site) const {
  FailureOr<NamedTensor> scores = site.findScores();
  if (failed(scores))
    return failure();
  ArrayRef<int64_t> shape = scores->type().getShape();
  if (shape.size() < 2 || shape.back() < 2)
    return site.error()
           << "has the output '" << scores->name << "' (" << scores->type()
           << "), which is no classification: the loss needs [batch, classes] "
              "or [batch, sequence, classes], of two classes or more. For "
              "numbers use the loss mse";
  Value labels = site.addInput(
      "labels",
      RankedTensorType::get(shape.drop_back(), site.getBuilder().getI64Type()));
  return buildCrossEntropy(site, *this, scores->value, labels);
}

//===----------------------------------------------------------------------===//
// causal-lm
//===----------------------------------------------------------------------===//

/// Which loss fits an output that causal-lm does not fit.
static StringRef suggestLoss(RankedTensorType scores) {
  if (scores.getRank() < 2 || scores.getShape().back() < 2)
    return "for numbers use --loss=mse";
  return "use --loss=classification if they are scores of classes, one label "
         "for each row, or --loss=mse if they are numbers";
}

static FailureOr<NamedTensor> findIds(LossSite &site,
                                      const NamedTensor &scores) {
  SmallVector<NamedTensor> candidates;
  SmallVector<NamedTensor> all = site.getInputs();
  for (const NamedTensor &input : all)
    if (input.type().getElementType().isInteger() &&
        input.type().getRank() == 2)
      candidates.push_back(input);
  // Masks and token types are integers as well; ids have one name everywhere.
  if (candidates.size() > 1)
    for (const NamedTensor &input : candidates)
      if (input.name == "input_ids")
        return input;
  if (candidates.size() == 1)
    return candidates.front();
  return site.errorWith("needs one integer input [batch, sequence] to take the "
                        "causal loss's labels from (with other labels for the "
                        "output '" +
                            scores.name + "': " + suggestLoss(scores.type()) +
                            ")",
                        "its inputs are", all);
}

/// A classifier or a regressor has an output for each sequence, not for each of
/// its tokens.
static LogicalResult checkIsPerToken(LossSite &site, const NamedTensor &scores,
                                     const NamedTensor &ids) {
  ArrayRef<int64_t> shape = scores.type().getShape();
  const int64_t tokens = ids.type().getNumElements();
  if (shape.size() >= 2 && shape.back() >= 2 &&
      ShapedType::getNumElements(shape.drop_back()) == tokens)
    return success();
  return site.error() << "has the output '" << scores.name << "' ("
                      << scores.type()
                      << "), which is not one row of scores for each of the "
                      << tokens << " tokens of '" << ids.name
                      << "', as the loss causal-lm needs them; "
                      << suggestLoss(scores.type());
}

/// Fails where positions of `scores` see later tokens of `ids`: an attention
/// without a causal mask, of its own or in its bias, between the two, over keys
/// or values that are made of them. Such a model learns to read its labels.
static LogicalResult checkLookahead(LossSite &site, Value scores, Value ids) {
  if (site.getModule()->hasAttr(kAllowLookaheadAttr))
    return success();
  SetVector<Operation *> before, behind;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  (void)getBackwardSlice(scores, &before, options);
  getForwardSlice(ids, &behind);
  for (Operation *op : before) {
    auto attention = dyn_cast<AttentionOp>(op);
    if (!attention || attention.getCausal() ||
        (attention.getBias() && masksLaterKeys(attention.getBias())))
      continue;
    auto isOfIds = [&](Value value) {
      return behind.contains(value.getDefiningOp());
    };
    if (!isOfIds(attention.getK()) && !isOfIds(attention.getV()))
      continue;
    return attention.emitError()
           << "every position sees all tokens here, also the later ones that "
              "the loss causal-lm has it predict: training would teach the "
              "model to read the answer. Make the attention causal, give "
              "labels of your own with the loss cross-entropy, or insist with "
              "--allow-lookahead (in a module, the attribute '"
           << kAllowLookaheadAttr << "')";
  }
  return success();
}

DictionaryAttr CausalLMLossAttr::getSettings() const {
  return describeCrossEntropy(*this).getDictionary(getContext());
}

FailureOr<BuiltLoss> CausalLMLossAttr::buildLoss(LossSite &site) const {
  FailureOr<NamedTensor> scores = site.findScores();
  if (failed(scores))
    return failure();
  FailureOr<NamedTensor> ids = findIds(site, *scores);
  if (failed(ids) || failed(checkIsPerToken(site, *scores, *ids)) ||
      failed(checkLookahead(site, scores->value, ids->value)))
    return failure();
  Value labels =
      ShiftLabelsOp::create(site.getBuilder(), site.getLoc(), ids->type(),
                            ids->value, getIgnoreIndex());
  return buildCrossEntropy(site, *this, scores->value, labels);
}

//===----------------------------------------------------------------------===//
// mse
//===----------------------------------------------------------------------===//

DictionaryAttr MeanSquaredErrorLossAttr::getSettings() const {
  Builder builder(getContext());
  NamedAttrList settings;
  settings.set("reduction",
               builder.getStringAttr(stringifyReduction(getReduction())));
  settings.set("counts", builder.getStringAttr("values"));
  return annotated(std::move(settings), getContext());
}

FailureOr<BuiltLoss> MeanSquaredErrorLossAttr::buildLoss(LossSite &site) const {
  FailureOr<NamedTensor> scores = site.findScores();
  if (failed(scores))
    return failure();
  OpBuilder &builder = site.getBuilder();
  Location loc = site.getLoc();
  Value labels =
      site.addInput("labels", scores->type().clone(builder.getF32Type()));
  Value count = createScalar(site, double(scores->type().getNumElements()));
  Value loss = SquaredErrorOp::create(
      builder, loc, count.getType(),
      collapseToMatrix(builder, loc, scores->value),
      collapseToMatrix(builder, loc, labels), getReduction());
  return BuiltLoss{loss, count, {}};
}

//===----------------------------------------------------------------------===//
// output
//===----------------------------------------------------------------------===//

DictionaryAttr OutputLossAttr::getSettings() const {
  Builder builder(getContext());
  NamedAttrList settings;
  settings.set("output", builder.getStringAttr(getOutput()));
  settings.set("counts", builder.getStringAttr("batches"));
  return annotated(std::move(settings), getContext());
}

FailureOr<BuiltLoss> OutputLossAttr::buildLoss(LossSite &site) const {
  SmallVector<NamedTensor> outputs = site.getOutputs();
  const auto *found = llvm::find_if(outputs, [&](const NamedTensor &output) {
    return output.name == getOutput();
  });
  if (found == outputs.end())
    return site.errorWith("has no output '" + getOutput() + "' to be the loss",
                          "there is", outputs);
  RankedTensorType type = found->type();
  if (!isa<FloatType>(type.getElementType()) || type.getNumElements() != 1)
    return site.error() << "has the output '" << getOutput() << "' (" << type
                        << "), which cannot be the loss: that is one number of "
                           "floating point";
  OpBuilder &builder = site.getBuilder();
  Value loss = found->value;
  if (type.getRank() > 0)
    loss = tensor::CollapseShapeOp::create(
        builder, site.getLoc(),
        RankedTensorType::get({}, type.getElementType()), loss,
        ArrayRef<ReassociationIndices>{});
  loss = convertElementType(builder, site.getLoc(), loss, builder.getF32Type());
  return BuiltLoss{loss, createScalar(site, 1.0), getOutput().str()};
}
