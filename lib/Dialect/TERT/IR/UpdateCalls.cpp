// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that update parameters: which of them can be one call
// (UpdateCallOpInterface), and whether their lists fit together.

#include "te/Dialect/TERT/IR/TERT.h"

#include <array>

using namespace mlir;
using namespace mlir::te::tert;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

namespace {

/// What updates of all optimizers have lists of.
struct UpdateLists {
  SmallVector<Value> gradients, params, scales, rowwise, columnwise, amaxes;
  SmallVector<int32_t> decays, copies;

  template <typename Op> void append(Op call) {
    llvm::append_range(gradients, call.getGradients());
    llvm::append_range(params, call.getParams());
    llvm::append_range(scales, call.getScales());
    llvm::append_range(rowwise, call.getRowwise());
    llvm::append_range(columnwise, call.getColumnwise());
    llvm::append_range(amaxes, call.getAmaxes());
    llvm::append_range(decays, call.getDecays());
    llvm::append_range(copies, call.getCopies());
  }
};

struct ListSize {
  StringRef name;
  size_t size, wanted;
};

} // namespace

/// Checks the lists that updates of all optimizers have, and `states`.
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
    lists.append(call);
    llvm::append_range(expAvgs, call.getExpAvgs());
    llvm::append_range(expAvgSqs, call.getExpAvgSqs());
  }
  AdamWOp::create(builder, loc, TypeRange(), lists.gradients, getCoefficient(),
                  getLr(), getBeta1(), getBeta2(), getEps(), getWeightDecay(),
                  getStep(), lists.scales, lists.params, expAvgs, expAvgSqs,
                  lists.rowwise, lists.columnwise, lists.amaxes, lists.decays,
                  lists.copies);
}

LogicalResult AdamWOp::verify() {
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
    lists.append(call);
    llvm::append_range(buffers, call.getMomentumBuffers());
  }
  SgdOp::create(builder, loc, TypeRange(), lists.gradients, getCoefficient(),
                getLr(), getMomentum(), getDampening(), getWeightDecay(),
                getStep(), lists.scales, lists.params, buffers, lists.rowwise,
                lists.columnwise, lists.amaxes, getNesterov(), lists.decays,
                lists.copies);
}

LogicalResult SgdOp::verify() {
  if (!getMomentum() && !getMomentumBuffers().empty())
    return emitOpError() << "has 'momentum_buffers' without a 'momentum'";
  return verifyLists(*this,
                     {{"momentum_buffers", getMomentumBuffers().size(),
                       getMomentum() ? getGradients().size() : size_t(0)}});
}
