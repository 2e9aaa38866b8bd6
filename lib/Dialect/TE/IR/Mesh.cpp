// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Mesh.h"

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

/// Far more than there are, and few enough for their product to be a number.
static constexpr int64_t kMostRanks = 1 << 20;

FailureOr<SmallVector<MeshAxis>> mlir::te::parseMesh(StringRef text,
                                                     Location loc) {
  auto error = [&] {
    return emitError(loc) << "'" << text << "' is no mesh: ";
  };
  SmallVector<MeshAxis> axes;
  int64_t ranks = 1;
  for (StringRef part : llvm::split(text, ',')) {
    auto [name, number] = part.trim().split('=');
    int64_t size = 0;
    if (!hasOwnBatches(name) && name != kTensorAxis && name != kContextAxis)
      return error() << "there is no axis '" << name << "'; write dp=R for R "
                     << "data parallel ranks, ep=R for R expert parallel ones, "
                     << "cp=R for R context parallel ones, tp=R for R tensor "
                     << "parallel ones, or several of them with commas "
                     << "between them";
    if (number.getAsInteger(10, size) || size < 1 || size > kMostRanks / ranks)
      return error() << "the axis '" << name << "' needs a number of ranks "
                     << "between 1 and " << kMostRanks << " in all, not '"
                     << number << "'";
    if (llvm::any_of(axes, [name = name](const MeshAxis &axis) {
          return axis.name == name;
        }))
      return error() << "the axis '" << name << "' is there twice";
    ranks *= size;
    axes.push_back({name.str(), size});
  }
  return axes;
}

FailureOr<std::optional<Mesh>> Mesh::get(ModuleOp module) {
  std::optional<Mesh> mesh;
  for (auto grid : module.getOps<shard::GridOp>()) {
    auto names = grid->getAttrOfType<ArrayAttr>(kAxesAttr);
    if (!names)
      continue;
    if (mesh)
      return grid.emitError()
             << "is a second grid with 'te.axes'; a module has "
                "one mesh";
    if (names.size() != grid.getShape().size() ||
        !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return grid.emitError() << "expects 'te.axes' to be " << grid.getRank()
                              << " strings, one for each axis";
    SmallVector<MeshAxis> axes;
    for (auto [name, size] :
         llvm::zip_equal(names.getAsRange<StringAttr>(), grid.getShape())) {
      if (ShapedType::isDynamic(size) || size < 1)
        return grid.emitError() << "expects every axis to have a number of "
                                   "ranks; programs are compiled for one mesh";
      axes.push_back({name.str(), size});
    }
    mesh = Mesh(grid, axes);
  }
  return mesh;
}

Mesh Mesh::create(ModuleOp module, ArrayRef<MeshAxis> axes) {
  OpBuilder builder(module.getBodyRegion());
  SmallVector<int64_t> shape;
  SmallVector<Attribute> names;
  for (const MeshAxis &axis : axes) {
    shape.push_back(axis.size);
    names.push_back(builder.getStringAttr(axis.name));
  }
  // A model may have a function of that name.
  std::string name = "mesh";
  for (unsigned i = 0; module.lookupSymbol(name); ++i)
    name = "mesh_" + std::to_string(i);
  auto grid = shard::GridOp::create(builder, module.getLoc(),
                                    builder.getStringAttr(name),
                                    builder.getDenseI64ArrayAttr(shape));
  grid->setAttr(kAxesAttr, builder.getArrayAttr(names));
  return Mesh(grid, axes);
}

int64_t Mesh::getNumRanks() const {
  int64_t ranks = 1;
  for (const MeshAxis &axis : axes)
    ranks *= axis.size;
  return ranks;
}

std::optional<shard::GridAxis> Mesh::findAxis(StringRef name) const {
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis.name == name)
      return shard::GridAxis(i);
  return std::nullopt;
}

bool mlir::te::refersToMesh(Operation *op) {
  return llvm::any_of(op->getAttrs(), [&](NamedAttribute attr) {
    auto name = dyn_cast<FlatSymbolRefAttr>(attr.getValue());
    return name &&
           SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, name);
  });
}
