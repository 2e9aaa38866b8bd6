// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/LossWork.h"

#include "te/Analysis/CostModel.h"

using namespace mlir;
using namespace mlir::te;

llvm::DenseMap<Operation *, RankedTensorType>
mlir::te::findHeadProducts(func::FuncOp func) {
  llvm::DenseMap<Operation *, RankedTensorType> products;
  func.walk([&](RowwiseLossOpInterface loss) {
    Value logits =
        loss->getOperand(cast<LossOpInterface>(*loss).getLogitsOperand());
    auto fprop = logits.getDefiningOp<MatmulOp>();
    if (!fprop)
      return;
    SmallVector<Operation *> found = {fprop};
    for (Operation *user : logits.getUsers()) {
      if (user == loss)
        continue;
      std::string difference;
      Value dlogits = loss.matchGradient(user, difference);
      if (!dlogits)
        return;
      llvm::copy_if(dlogits.getUsers(), std::back_inserter(found),
                    llvm::IsaPred<MatmulOp>);
    }
    for (Operation *product : found)
      products[product] = cast<RankedTensorType>(logits.getType());
  });
  return products;
}

static MatmulRole getRole(Operation *product) {
  if (auto scaled = dyn_cast<ScaledProductOpInterface>(product))
    return scaled.getRole();
  return cast<MatmulOp>(product).getRole();
}

Work mlir::te::getPartWork(Operation *op, int64_t allClasses, int64_t rows,
                           int64_t classes, bool addsToLastPart) {
  const Work whole = *getWork(op);
  MatrixProduct product = *whole.product;
  switch (getRole(op)) {
  case MatmulRole::Fprop:
    product.m = rows;
    product.n = classes;
    break;
  case MatmulRole::Dgrad:
    product.m = rows;
    product.k = classes;
    break;
  case MatmulRole::Wgrad:
    product.k = rows;
    // As columns of the weight's gradient the classes are not padded.
    if (product.m == allClasses)
      product.m = classes;
    product.addToD |= addsToLastPart;
    break;
  case MatmulRole::Other:
    break;
  }
  return Work::ofProduct(whole.kernel, product);
}

SmallVector<Work> mlir::te::getHeadWork(RowwiseLossOpInterface loss,
                                        RankedTensorType logits,
                                        ArrayRef<Operation *> products,
                                        ArrayRef<int64_t> parts,
                                        int64_t paddedClasses) {
  int64_t classes = logits.getDimSize(1);
  SmallVector<Work> kernels;
  for (auto [index, rows] : llvm::enumerate(parts)) {
    for (Operation *product : products)
      if (product)
        kernels.push_back(
            getPartWork(product, classes, rows, paddedClasses, index > 0));
    kernels.push_back(loss.getPartWork(logits.clone({rows, classes})));
  }
  return kernels;
}
