// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that update parameters, one or several: which of them are one call
// (UpdateCallOpInterface), and whether lists of several fit together.

#include "te/Dialect/TERT/IR/TERT.h"

#include <array>

using namespace mlir;
using namespace mlir::te::tert;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

namespace {

/// What the parameters of a joined call have in common, as its lists have it.
struct UpdateLists {
  SmallVector<Value> gradients, params, scales, rowwise, columnwise, amaxes;
  SmallVector<int32_t> decays, copies;

  template <typename Op> void add(Op call) {
    gradients.push_back(call.getGradient());
    params.push_back(call.getParam());
    decays.push_back(call.getDecay());
    int32_t has = 0;
    auto addIf = [&](SmallVector<Value> &list, Value value, int32_t part) {
      if (!value)
        return;
      list.push_back(value);
      has |= part;
    };
    addIf(rowwise, call.getRowwise(), Rowwise);
    addIf(columnwise, call.getColumnwise(), Columnwise);
    addIf(amaxes, call.getAmax(), Amax);
    // A call without copies has no use for a scale.
    if (has & (Rowwise | Columnwise))
      scales.push_back(call.getScale());
    copies.push_back(has);
  }
};

struct ListSize {
  StringRef name;
  size_t size, wanted;
};

} // namespace

/// Checks the lists that calls of several updates share, and `states`.
template <typename Op>
static LogicalResult verifyLists(Op op, ArrayRef<ListSize> states) {
  size_t count = op.getGradients().size();
  SmallVector<ListSize> lists = {{"params", op.getParams().size(), count}};
  llvm::append_range(lists, states);
  lists.push_back({"decays", op.getDecays().size(), count});
  lists.push_back({"copies", op.getCopies().size(), count});
  for (const ListSize &list : lists)
    if (list.size != list.wanted)
      return op.emitOpError()
             << "has " << list.size << " entries in '" << list.name << "' for "
             << list.wanted << " gradients";
  auto countOf = [&](int32_t wanted) -> size_t {
    return llvm::count_if(op.getCopies(),
                          [&](int32_t copies) { return copies & wanted; });
  };
  for (const ListSize &list :
       {ListSize{"scales", op.getScales().size(),
                 countOf(Rowwise | Columnwise)},
        ListSize{"rowwise", op.getRowwise().size(), countOf(Rowwise)},
        ListSize{"columnwise", op.getColumnwise().size(), countOf(Columnwise)},
        ListSize{"amaxes", op.getAmaxes().size(), countOf(Amax)}})
    if (list.size != list.wanted)
      return op.emitOpError()
             << "has " << list.size << " tensors in '" << list.name
             << "', but 'copies' asks for " << list.wanted;
  return success();
}

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

static std::array<Value, 7> getScalars(AdamWOp op) {
  return {op.getCoefficient(), op.getLr(),  op.getBeta1(),
          op.getBeta2(),       op.getEps(), op.getWeightDecay(),
          op.getStep()};
}

bool AdamWOp::isAlike(Operation *other) {
  auto call = dyn_cast<AdamWOp>(other);
  return call && getScalars(*this) == getScalars(call);
}

void AdamWOp::join(OpBuilder &builder, Location loc,
                   ArrayRef<Operation *> calls) {
  UpdateLists lists;
  SmallVector<Value> expAvgs, expAvgSqs;
  for (Operation *op : calls) {
    auto call = cast<AdamWOp>(op);
    lists.add(call);
    expAvgs.push_back(call.getExpAvg());
    expAvgSqs.push_back(call.getExpAvgSq());
  }
  MultiAdamWOp::create(
      builder, loc, TypeRange(), lists.gradients, getCoefficient(), getLr(),
      getBeta1(), getBeta2(), getEps(), getWeightDecay(), getStep(),
      lists.scales, lists.params, expAvgs, expAvgSqs, lists.rowwise,
      lists.columnwise, lists.amaxes, lists.decays, lists.copies);
}

LogicalResult MultiAdamWOp::verify() {
  size_t count = getGradients().size();
  return verifyLists(*this, {{"exp_avgs", getExpAvgs().size(), count},
                             {"exp_avg_sqs", getExpAvgSqs().size(), count}});
}

//===----------------------------------------------------------------------===//
// Gradient descent
//===----------------------------------------------------------------------===//

static std::array<Value, 6> getScalars(SgdOp op) {
  return {op.getCoefficient(), op.getLr(),          op.getMomentum(),
          op.getDampening(),   op.getWeightDecay(), op.getStep()};
}

bool SgdOp::isAlike(Operation *other) {
  auto call = dyn_cast<SgdOp>(other);
  return call && getScalars(*this) == getScalars(call) &&
         getNesterov() == call.getNesterov();
}

void SgdOp::join(OpBuilder &builder, Location loc,
                 ArrayRef<Operation *> calls) {
  UpdateLists lists;
  SmallVector<Value> buffers;
  for (Operation *op : calls) {
    auto call = cast<SgdOp>(op);
    lists.add(call);
    if (Value buffer = call.getMomentumBuffer())
      buffers.push_back(buffer);
  }
  MultiSgdOp::create(builder, loc, TypeRange(), lists.gradients,
                     getCoefficient(), getLr(), getMomentum(), getDampening(),
                     getWeightDecay(), getStep(), lists.scales, lists.params,
                     buffers, lists.rowwise, lists.columnwise, lists.amaxes,
                     getNesterov(), lists.decays, lists.copies);
}

LogicalResult MultiSgdOp::verify() {
  if (!getMomentum() && !getMomentumBuffers().empty())
    return emitOpError() << "has 'momentum_buffers' without a 'momentum'";
  return verifyLists(*this,
                     {{"momentum_buffers", getMomentumBuffers().size(),
                       getMomentum() ? getGradients().size() : size_t(0)}});
}
