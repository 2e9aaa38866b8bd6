// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinDimensions.h"

#include "te/Dialect/TERT/IR/ViewOps.h"

#include "tert/types.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::te;

bool mlir::te::hasManyDimensions(Value memref) {
  return cast<MemRefType>(memref.getType()).getRank() > TERT_MAX_RANK;
}

SmallVector<Value> mlir::te::joinDimensions(OpBuilder &builder, Location loc,
                                            ValueRange memrefs) {
  struct Layout {
    int64_t offset;
    SmallVector<int64_t> strides, joined;
  };
  SmallVector<Layout> layouts(memrefs.size());
  for (auto [layout, memref] : llvm::zip(layouts, memrefs))
    (void)tert::getStridesAndOffset(cast<MemRefType>(memref.getType()),
                                    layout.strides, layout.offset);

  ArrayRef<int64_t> shape =
      cast<MemRefType>(memrefs.front().getType()).getShape();
  SmallVector<unsigned> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return layouts.back().strides[a] > layouts.back().strides[b];
  });
  SmallVector<int64_t> sizes;
  for (unsigned dim : order) {
    if (shape[dim] == 1)
      continue;
    bool joins =
        !sizes.empty() && llvm::all_of(layouts, [&](const Layout &layout) {
          return layout.joined.back() == layout.strides[dim] * shape[dim];
        });
    if (joins)
      sizes.back() *= shape[dim];
    else
      sizes.push_back(shape[dim]);
    for (Layout &layout : layouts) {
      if (joins)
        layout.joined.pop_back();
      layout.joined.push_back(layout.strides[dim]);
    }
  }

  SmallVector<Value> views;
  for (auto [layout, memref] : llvm::zip(layouts, memrefs)) {
    auto type = MemRefType::get(
        sizes, cast<MemRefType>(memref.getType()).getElementType(),
        StridedLayoutAttr::get(builder.getContext(), layout.offset,
                               layout.joined));
    views.push_back(memref::ReinterpretCastOp::create(
        builder, loc, type, memref, layout.offset, sizes, layout.joined));
  }
  return views;
}
