// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Differentiation/ContractionVjp.h"
#include "Differentiation/ScalarAdjoint.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Support/ScalarBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::te;

/// Sum of x · y over the loops that `like`'s map does not have, float32, in the
/// shape of `like`.
static Value contract(OpBuilder &builder, Location loc, Value x, AffineMap xMap,
                      Value y, AffineMap yMap, Value like, AffineMap map) {
  Type f32 = builder.getF32Type();
  auto type = cast<RankedTensorType>(like.getType()).clone(f32);
  SmallVector<utils::IteratorType> loops(map.getNumDims(),
                                         utils::IteratorType::reduction);
  for (AffineExpr expr : map.getResults())
    loops[cast<AffineDimExpr>(expr).getPosition()] =
        utils::IteratorType::parallel;
  bool isSum = llvm::is_contained(loops, utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{x, y},
             createZeros(builder, loc, type), {xMap, yMap, map}, loops,
             [&](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value product = arith::MulFOp::create(
                   inside, loc, convertScalar(inside, loc, arguments[0], f32),
                   convertScalar(inside, loc, arguments[1], f32));
               if (isSum)
                 product =
                     arith::AddFOp::create(inside, loc, arguments[2], product);
               linalg::YieldOp::create(inside, loc, product);
             })
      .getResult(0);
}

void mlir::te::buildContractionVjp(linalg::LinalgOp op,
                                   const Contraction &contraction,
                                   OpBuilder &builder, Value cotangent,
                                   const llvm::BitVector &needed,
                                   MutableArrayRef<Value> operandCotangents) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (needed[0])
    operandCotangents[0] =
        contract(builder, op.getLoc(), cotangent, maps[2], contraction.b(),
                 maps[1], contraction.a(), maps[0]);
  if (needed[1])
    operandCotangents[1] =
        contract(builder, op.getLoc(), contraction.a(), maps[0], cotangent,
                 maps[2], contraction.b(), maps[1]);
  // The initial values of the sums pass their cotangent through.
  if (needed[2])
    operandCotangents[2] = cotangent;
}
