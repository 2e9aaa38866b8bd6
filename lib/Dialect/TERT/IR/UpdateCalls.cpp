// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert.update: whether its lists fit together, and several calls as one
// (UpdateCallOpInterface).

#include "te/Dialect/TERT/IR/TERT.h"

using namespace mlir;
using namespace mlir::te::tert;

bool UpdateOp::isOfKind(Operation *other) {
  auto call = dyn_cast<UpdateOp>(other);
  // The scales of FP8 states are in the order of the parameters that have some.
  return call && getRule() == call.getRule();
}

bool UpdateOp::isAlike(Operation *other) {
  auto call = dyn_cast<UpdateOp>(other);
  return isOfKind(other) && getCoefficient() == call.getCoefficient() &&
         getStep() == call.getStep() && getScalars() == call.getScalars();
}

void UpdateOp::join(OpBuilder &builder, Location loc,
                    ArrayRef<Operation *> calls) {
  SmallVector<Value> gradients, params, states, stateScales, scales, rowwise,
      columnwise, amaxes;
  SmallVector<int32_t> decays, copies;
  for (Operation *op : calls) {
    auto call = cast<UpdateOp>(op);
    llvm::append_range(gradients, call.getGradients());
    llvm::append_range(params, call.getParams());
    llvm::append_range(states, call.getStates());
    llvm::append_range(stateScales, call.getStateScales());
    llvm::append_range(scales, call.getScales());
    llvm::append_range(rowwise, call.getRowwise());
    llvm::append_range(columnwise, call.getColumnwise());
    llvm::append_range(amaxes, call.getAmaxes());
    llvm::append_range(decays, call.getDecays());
    llvm::append_range(copies, call.getCopies());
  }
  UpdateOp::create(builder, loc, TypeRange(), gradients, getCoefficient(),
                   getScalars(), getStep(), scales, params, states, stateScales,
                   rowwise, columnwise, amaxes, getRule(), decays, copies);
}

LogicalResult UpdateOp::verify() {
  const size_t count = getGradients().size();
  for (auto [name, size] : {std::pair("params", getParams().size()),
                            {"decays", getDecays().size()},
                            {"copies", getCopies().size()}})
    if (size != count)
      return emitOpError() << "has " << size << " entries in '" << name
                           << "' for " << count << " gradients";
  // The runtime knows how many states the rule has.
  if (count ? getStates().size() % count : !getStates().empty())
    return emitOpError() << "has " << getStates().size()
                         << " tensors in 'states', which is no multiple of "
                         << count << " gradients";
  const size_t numFp8 = llvm::count_if(getStates().getTypes(), [](Type type) {
    return cast<ShapedType>(type).getElementTypeBitWidth() == 8;
  });
  if (getStateScales().size() != numFp8)
    return emitOpError() << "has " << getStateScales().size()
                         << " tensors in 'state_scales' for " << numFp8
                         << " states in FP8";
  auto countOf = [&](int32_t wanted) -> size_t {
    return llvm::count_if(getCopies(),
                          [&](int32_t copies) { return copies & wanted; });
  };
  struct List {
    StringRef name;
    size_t size, wanted;
  };
  for (const List &list :
       {List{"scales", getScales().size(), countOf(Rowwise | Columnwise)},
        List{"rowwise", getRowwise().size(), countOf(Rowwise)},
        List{"columnwise", getColumnwise().size(), countOf(Columnwise)},
        List{"amaxes", getAmaxes().size(), countOf(Amax)}})
    if (list.size != list.wanted)
      return emitOpError() << "has " << list.size << " tensors in '"
                           << list.name << "', but 'copies' asks for "
                           << list.wanted;
  return success();
}
