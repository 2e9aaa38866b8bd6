// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/LayerTimes.h"

#include "Fusion/FusedWork.h"
#include "Fusion/LossWork.h"
#include "Precision/Layers.h"
#include "Precision/QuantizeStates.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/ElementTypes.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "te-partition"

using namespace mlir;
using namespace mlir::te;

using Time = std::optional<Cost>;

/// The time of both; not known if one is not.
static void add(Time &sum, const Time &other) {
  if (sum && other)
    *sum += *other;
  else
    sum.reset();
}

/// `other` seconds less. Figures of both are in the difference.
static void subtract(Time &from, const Time &other) {
  if (from && other) {
    const double seconds = from->seconds - other->seconds;
    *from += *other;
    from->seconds = seconds;
  } else {
    from.reset();
  }
}

static bool isShorter(const Time &one, const Time &other) {
  return one && other && one->seconds < other->seconds;
}

//===----------------------------------------------------------------------===//
// What the plan has
//===----------------------------------------------------------------------===//

LayerTimes::LayerTimes(ModuleOp module, QuantizePlan quantizePlan,
                       RecipeAttrInterface recipe, double memoryPrice,
                       llvm::function_ref<bool(func::FuncOp)> isTimed)
    : model(module), plan(std::move(quantizePlan)), recipe(recipe),
      memoryPrice(memoryPrice), scratch(std::make_unique<Block>()) {
  for (const RecipeState &state : recipe.getStates(plan.slots.size()))
    states.push_back(scratch->addArgument(state.type, module.getLoc()));
  for (auto [index, function] : llvm::enumerate(plan.functions)) {
    timed.push_back(isTimed(function.func));
    addFunction(function, index);
  }
  addWeights();
}

unsigned LayerTimes::getLayer(StringAttr name) {
  auto [it, isNew] = layerByName.try_emplace(name, layers.size());
  if (isNew)
    layers.emplace_back().name = name;
  return it->second;
}

/// The sum with a residual, say, that may be left to the product that computes
/// one of its terms.
static AddOp findSum(Operation *product) {
  Value term = product->getResult(0);
  auto sum =
      term.hasOneUse() ? dyn_cast<AddOp>(*term.getUsers().begin()) : AddOp();
  if (!sum || sum.getA().getType() != sum.getB().getType() ||
      sum.getA().getType() != sum.getY().getType())
    return AddOp();
  // Of two products the later one adds what the other computed.
  Value other = sum.getA() == term ? sum.getB() : sum.getA();
  auto second = other.getDefiningOp<Fp8OpInterface>();
  return second && other.hasOneUse() &&
                 second->getBlock() == product->getBlock() &&
                 product->isBeforeInBlock(second)
             ? AddOp()
             : sum;
}

/// The time of a product of the head in high precision over the classes that
/// te-fuse-loss pads them to.
Time LayerTimes::getPaddedTime(MatmulOp product, RankedTensorType logits) {
  const int64_t classes = logits.getDimSize(1);
  const int64_t multiple = TEFuseLossOptions().classMultiple;
  return getTime(getPartWork(product, classes, logits.getDimSize(0),
                             llvm::alignTo(classes, multiple),
                             /*addsToLastPart=*/false));
}

/// The kernels of a cast: te-fuse casts parts of joined weights one by one.
static SmallVector<Work> getCastWork(arith::TruncFOp cast) {
  Work whole = *getWork(cast);
  auto concat = cast.getIn().getDefiningOp<tensor::ConcatOp>();
  if (!concat)
    return {whole};
  SmallVector<Work> kernels;
  for (Value part : concat.getInputs()) {
    auto type = mlir::cast<RankedTensorType>(part.getType());
    whole.bytes = getBytes(type) +
                  getBytes(type.clone(getElementTypeOrSelf(cast.getType())));
    kernels.push_back(whole);
  }
  return kernels;
}

/// Whether an op that is no product behind `first` reads a value, or what has
/// its elements in their order.
static bool isReadBehind(Value value, Operation *first,
                         llvm::function_ref<bool(Operation *)> isProduct) {
  for (Operation *user : value.getUsers()) {
    Operation *op = first->getBlock()->findAncestorOpInBlock(*user);
    if (!isProduct(user) && op && first->isBeforeInBlock(op))
      return true;
  }
  auto view = value.getDefiningOp<DataMovementOpInterface>();
  return view && view.keepsOrder() &&
         isReadBehind(view->getOperand(view.getMovedOperands().front()), first,
                      [&](Operation *user) { return user == view; });
}

/// The products of a function, the tensors that it quantizes for them, and the
/// casts that they read otherwise.
void LayerTimes::addFunction(const FunctionPlan &function, unsigned index) {
  const unsigned firstTensor = tensors.size();
  llvm::DenseMap<Operation *, unsigned> castByOp;
  const auto heads = findHeadProducts(function.func);
  for (const QuantizedTensor &tensor : function.tensors)
    tensors.push_back({tensor.source, &tensor, index, {}});
  for (const QuantizedOp &quantized : function.ops) {
    Fp8OpInterface op = quantized.op;
    const unsigned product = products.size(),
                   layer = getLayer(op.getLayerAttr());
    std::optional<Work> work = getWork(op);
    Time high = work ? getTime(*work) : Time();
    if (auto head = heads.find(op); head != heads.end())
      if (Time padded = getPaddedTime(cast<MatmulOp>(*op), head->second);
          isShorter(padded, high))
        high = padded;
    if (AddOp sum = findSum(op); sum && !isa<AccumulatingOpInterface>(*op))
      add(high, getTime(*getWork(sum)));
    products.push_back(
        {op, layer, index, getFp8Time(quantized, function), high});
    productByOp[op] = product;
    layers[layer].products.push_back(product);
    for (auto [operand, tensor] :
         llvm::zip_equal(op.getFp8Operands(), quantized.tensors)) {
      // A weight whose copies are states is not quantized here.
      if (!plan.weights.contains(function.tensors[tensor].param)) {
        tensors[firstTensor + tensor].readers.push_back(
            {product, operand.columnwise});
        layers[layer].tensors.insert(firstTensor + tensor);
      }
      auto cast = op->getOperand(operand.operandNumber)
                      .getDefiningOp<arith::TruncFOp>();
      if (!cast || getRoundingProblem(cast))
        continue;
      auto [it, isNew] = castByOp.try_emplace(cast, casts.size());
      if (isNew)
        casts.push_back({cast, index, getTime(getCastWork(cast))});
      layers[layer].casts.insert(it->second);
    }
  }
  // The backward pass begins with the first product of it.
  auto first = llvm::find_if(function.ops, [](const QuantizedOp &quantized) {
    return getProduct(quantized.op) != MatmulRole::Fprop;
  });
  if (first == function.ops.end())
    return;
  for (Tensor &tensor : MutableArrayRef(tensors).drop_front(firstTensor))
    tensor.isKept =
        isReadBehind(tensor.source, Fp8OpInterface(first->op),
                     [&](Operation *user) { return productByOp.count(user); });
}

/// Weights are quantized where they are updated, into the copies that any
/// function reads.
void LayerTimes::addWeights() {
  for (auto &[param, weight] : plan.weights) {
    if (weight.isFrozen)
      continue;
    for (auto [index, function] : llvm::enumerate(plan.functions)) {
      std::optional<unsigned> result = findParamResult(function.func, param);
      if (!result)
        continue;
      Operation *end = function.func.getBody().front().getTerminator();
      Tensor updated{end->getOperand(*result), nullptr, unsigned(index), {}};
      for (const FunctionPlan &reader : plan.functions)
        for (const QuantizedOp &quantized : reader.ops)
          for (auto [operand, number] :
               llvm::zip_equal(Fp8OpInterface(quantized.op).getFp8Operands(),
                               quantized.tensors))
            if (const QuantizedTensor &tensor = reader.tensors[number];
                tensor.param == param) {
              updated.planned = &tensor;
              updated.readers.push_back(
                  {productByOp[quantized.op], operand.columnwise});
            }
      for (auto [product, columnwise] : updated.readers)
        layers[products[product].layer].tensors.insert(tensors.size());
      tensors.push_back(std::move(updated));
    }
  }
}

//===----------------------------------------------------------------------===//
// Times of kernels
//===----------------------------------------------------------------------===//

Time LayerTimes::getTime(ArrayRef<Work> kernels) {
  Time sum = Cost();
  for (const Work &work : kernels) {
    std::string key;
    llvm::raw_string_ostream text(key);
    text << work.getName() << " " << work.bytes << " " << work.flops;
    if (const std::optional<MatrixProduct> &product = work.product)
      text << " " << product->m << "x" << product->n << "x" << product->k << " "
           << product->a << product->b << product->d << product->transposeA
           << product->transposeB << product->fastAccumulate << product->hasBias
           << product->addToD;
    auto [it, isNew] = times.try_emplace(key);
    if (isNew)
      it->second = model.getCost(work);
    add(sum, it->second);
  }
  return sum;
}

OpBuilder LayerTimes::getBuilder() {
  OpBuilder builder(recipe.getContext());
  builder.setInsertionPointToEnd(scratch.get());
  return builder;
}

/// The kernels of the ops that were built in the scratch block, which loses
/// them.
SmallVector<Work> LayerTimes::takeWork() {
  SmallVector<Work> kernels;
  for (Operation &op : *scratch)
    if (std::optional<Work> work = getWork(&op))
      kernels.push_back(std::move(*work));
  scratch->clear();
  return kernels;
}

/// The op's FP8 form on copies of its operands.
Time LayerTimes::getFp8Time(const QuantizedOp &quantized,
                            const FunctionPlan &function) {
  Fp8OpInterface op = quantized.op;
  const unsigned count = scratch->getNumArguments();
  SmallVector<QuantizedValue> operands;
  for (auto [operand, number] :
       llvm::zip_equal(op.getFp8Operands(), quantized.tensors)) {
    const QuantizedTensor &tensor = function.tensors[number];
    RankedTensorType type =
        getCopyType(tensor.source.getType(), plan.slots[tensor.slot].format,
                    operand.columnwise);
    auto scale = RankedTensorType::get(
        recipe.getScaleShape(operand.role, type.getShape()),
        Float32Type::get(op.getContext()));
    operands.push_back({scratch->addArgument(type, op.getLoc()),
                        scratch->addArgument(scale, op.getLoc())});
  }
  OpBuilder builder = getBuilder();
  Value result = op.buildFp8Form(builder, operands);
  const bool canAdd =
      isa_and_present<AccumulatingOpInterface>(result.getDefiningOp());
  SmallVector<Work> kernels = takeWork();
  scratch->eraseArguments(count, scratch->getNumArguments() - count);
  // Of an op from elsewhere nothing may be known.
  if (kernels.empty())
    return std::nullopt;
  Time apart = getTime(kernels);
  AddOp sum = isa<AccumulatingOpInterface>(*op) ? AddOp() : findSum(op);
  if (!sum)
    return apart;
  add(apart, getTime(*getWork(sum)));
  kernels.back().bytes += getBytes(sum.getY().getType());
  Time together = canAdd ? getTime(kernels) : apart;
  return isShorter(apart, together) ? apart : together;
}

/// Whether a tensor's copies have scales of their own blocks.
bool LayerTimes::hasBlocks(const QuantizedTensor &tensor) const {
  auto type = cast<RankedTensorType>(tensor.source.getType());
  return !recipe.getScaleShape(tensor.role, type.getShape()).empty();
}

/// The kernels that quantize `source` into copies, the quantization last, and
/// before it those that its scale needs.
SmallVector<Work> LayerTimes::getQuantization(const QuantizedTensor &tensor,
                                              Value source, bool rowwise,
                                              bool columnwise) {
  auto type = cast<RankedTensorType>(source.getType());
  FloatType format = plan.slots[tensor.slot].format;
  OpBuilder builder = getBuilder();
  auto build = [&](bool writesRows, bool writesColumns) {
    RankedTensorType rows = getCopyType(type, format, false),
                     columns = getCopyType(type, format, true);
    Value scale = recipe.buildScale(
        builder, source.getLoc(), source, format,
        recipe.getScaleShape(tensor.role,
                             (writesRows ? rows : columns).getShape()),
        /*transposed=*/!writesRows, states, tensor.slot);
    QuantizeOp::create(
        builder, source.getLoc(), writesRows ? rows : RankedTensorType(),
        writesColumns ? columns : RankedTensorType(),
        getScalarType(builder.getContext()), /*dbias=*/Type(), source, scale);
  };
  if (rowwise && columnwise && hasBlocks(tensor)) {
    build(true, false);
    build(false, true);
  } else {
    build(rowwise, columnwise);
  }
  return takeWork();
}

/// What a quantization takes more than the rest of the step without it:
/// te-fuse leaves it to what computes the value, or to a kernel that also sums
/// the value's rows.
Time LayerTimes::getTime(const Tensor &tensor) {
  bool rowwise = false, columnwise = false;
  for (auto [product, readsColumns] : tensor.readers)
    if (layers[products[product].layer].isFp8)
      (readsColumns ? columnwise : rowwise) = true;
  if (!rowwise && !columnwise)
    return Cost();
  auto isFp8 = [&](Operation *user) {
    auto it = productByOp.find(user);
    return it != productByOp.end() && layers[products[it->second].layer].isFp8;
  };
  RowSumOpInterface sum;
  bool isKept = false;
  auto look = [&](Value value, Operation *except) {
    for (Operation *user : value.getUsers())
      if (auto sumsRows = dyn_cast<RowSumOpInterface>(user);
          sumsRows && sumsRows.getSummedMatrix() == value)
        sum = sumsRows;
      else if (user != except && !isFp8(user))
        isKept = true;
  };
  Value source = tensor.source;
  look(source, nullptr);
  // The value before it was rounded, if nobody else reads the rounded one.
  if (auto rounded = source.getDefiningOp<arith::TruncFOp>();
      rounded && !isKept && !getRoundingProblem(rounded)) {
    source = rounded.getIn();
    look(source, rounded);
  }

  SmallVector<Work> kernels =
      getQuantization(*tensor.planned, source, rowwise, columnwise);
  Time apart = getTime(kernels);
  Operation *owner = source.getDefiningOp();
  auto summing = dyn_cast_if_present<RowSummingOpInterface>(owner);
  const bool isSummedByOwner =
      sum && summing && summing.getSummableMatrix() == source;
  if (sum && !isSummedByOwner) {
    std::optional<Work> summation = getWork(sum);
    if (!summation)
      return std::nullopt;
    Time before = getTime(*summation), fused = apart;
    add(fused, before);
    kernels.back() = fuseRowSum(kernels.back(), sum.getColumnSums().getType());
    if (Time both = getTime(kernels); isShorter(both, fused))
      fused = both;
    subtract(fused, before);
    return fused;
  }
  auto producer = dyn_cast_if_present<QuantizingProducerOpInterface>(owner);
  std::optional<Work> work = producer ? getWork(owner) : std::nullopt;
  if (!work || hasBlocks(*tensor.planned) ||
      !producer.canQuantizeResult(cast<OpResult>(source).getResultNumber()))
    return apart;
  // A scale that is made of the value itself is known after its producer, which
  // te-fuse lets compute the value twice.
  if (kernels.size() > 1) {
    if (isKept || !isWorthRepeating(owner, source))
      return apart;
    kernels.front() = *work;
    kernels.front().bytes -= getBytes(source.getType());
  }
  if (isSummedByOwner)
    work = fuseRowSum(*work, sum.getColumnSums().getType());
  kernels.back() =
      fuseQuantization(*work, kernels.back(), source.getType(), isKept);
  Time fused = getTime(kernels);
  subtract(fused, getTime(*work));
  return isShorter(apart, fused) ? apart : fused;
}

/// A cast is there as long as something reads it that is not FP8.
Time LayerTimes::getTime(const Cast &cast) const {
  for (Operation *user : cast.op->getUsers())
    if (auto it = productByOp.find(user);
        it == productByOp.end() ? !isa<RowSumOpInterface>(user)
                                : !layers[products[it->second].layer].isFp8)
      return cast.time;
  return Cost();
}

/// What is kept of a layer's input from the forward to the backward pass: its
/// columnwise copy, or itself, or both.
int64_t LayerTimes::getKeptBytes(const Tensor &tensor) const {
  if (!tensor.planned || tensor.planned->role != TensorRole::Input)
    return 0;
  bool isKept = tensor.isKept, isCopyKept = false;
  for (auto [number, readsColumns] : tensor.readers) {
    const Product &product = products[number];
    if (getProduct(Fp8OpInterface(product.op)) == MatmulRole::Wgrad)
      (layers[product.layer].isFp8 ? isCopyKept : isKept) = true;
  }
  auto type = cast<RankedTensorType>(tensor.source.getType());
  return (isKept ? getBytes(type) : 0) +
         (isCopyKept ? type.getNumElements() : 0);
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// All that depends on whether a layer is FP8, in a function or in those that
/// decide.
Time LayerTimes::getTime(const Layer &layer, std::optional<unsigned> function) {
  auto counts = [&](unsigned index) {
    return function ? index == *function : bool(timed[index]);
  };
  Time sum = Cost();
  for (unsigned index : layer.products)
    if (const Product &product = products[index]; counts(product.function))
      add(sum, layer.isFp8 ? product.fp8 : product.high);
  for (unsigned index : layer.tensors)
    if (counts(tensors[index].function)) {
      add(sum, getTime(tensors[index]));
      if (sum)
        sum->seconds += memoryPrice * double(getKeptBytes(tensors[index]));
    }
  for (unsigned index : layer.casts)
    if (counts(casts[index].function))
      add(sum, getTime(casts[index]));
  return sum;
}

/// What the step takes less with a layer in FP8, the others as they are.
Time LayerTimes::getGain(Layer &layer, std::optional<unsigned> function) {
  const bool isFp8 = layer.isFp8;
  layer.isFp8 = true;
  Time inFp8 = getTime(layer, function);
  layer.isFp8 = false;
  Time gain = getTime(layer, function);
  layer.isFp8 = isFp8;
  subtract(gain, inFp8);
  return gain;
}

/// Takes layers out of FP8 one after the other. Returns what they gained
/// together.
double LayerTimes::takeOut(ArrayRef<unsigned> group) {
  double gain = 0;
  for (unsigned index : group) {
    if (Time alone = getGain(layers[index], std::nullopt))
      gain += alone->seconds;
    layers[index].isFp8 = false;
  }
  return gain;
}

/// The layers that are FP8 and not fixed, those that share a tensor or a cast
/// together; not those that share one with a layer that is fixed.
SmallVector<SmallVector<unsigned>> LayerTimes::getGroups() const {
  llvm::IntEqClasses classes(layers.size());
  auto joinReaders = [&](const auto &lists, unsigned count) {
    SmallVector<int> first(count, -1);
    for (auto [index, layer] : llvm::enumerate(layers))
      for (unsigned number : layer.*lists) {
        if (first[number] >= 0)
          classes.join(first[number], index);
        first[number] = index;
      }
  };
  joinReaders(&Layer::tensors, tensors.size());
  joinReaders(&Layer::casts, casts.size());
  classes.compress();
  SmallVector<SmallVector<unsigned>> groups(classes.getNumClasses());
  llvm::BitVector fixed(classes.getNumClasses());
  for (auto [index, layer] : llvm::enumerate(layers)) {
    if (layer.isFixed)
      fixed.set(classes[index]);
    if (layer.isFp8)
      groups[classes[index]].push_back(index);
  }
  SmallVector<SmallVector<unsigned>> free;
  for (auto [index, group] : llvm::enumerate(groups))
    if (!fixed.test(index))
      free.push_back(std::move(group));
  return free;
}

/// The update of the scales, which no layer needs alone.
Time LayerTimes::getScalingTime() {
  if (states.empty())
    return Cost();
  OpBuilder builder = getBuilder();
  const unsigned count = scratch->getNumArguments();
  SmallVector<Value> amaxes;
  SmallVector<Attribute> formats;
  Location loc = UnknownLoc::get(recipe.getContext());
  for (const Slot &slot : plan.slots) {
    amaxes.push_back(
        scratch->addArgument(getScalarType(recipe.getContext()), loc));
    formats.push_back(TypeAttr::get(slot.format));
  }
  recipe.buildUpdate(builder, loc, states, amaxes,
                     builder.getArrayAttr(formats));
  SmallVector<Work> kernels = takeWork();
  scratch->eraseArguments(count, scratch->getNumArguments() - count);
  return getTime(kernels);
}

void LayerTimes::choose(llvm::function_ref<bool(StringAttr)> isFixed,
                        bool updatesScales) {
  for (Layer &layer : layers)
    layer.isFixed =
        isFixed(layer.name) || !getGain(layer, std::nullopt).has_value();
  // Each alone, as long as that leaves others that no longer pay.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Layer &layer : layers) {
      if (!layer.isFp8 || layer.isFixed)
        continue;
      Time gain = getGain(layer, std::nullopt);
      if (!gain || gain->seconds >= 0)
        continue;
      LDBG() << "takes longer in FP8: " << layer.name;
      layer.isFp8 = isDone = false;
    }
  }
  // Together, where none pays for the quantization of what they share, and all
  // of them, if they do not pay for the scales.
  auto putBack = [&](ArrayRef<unsigned> group) {
    for (unsigned index : group)
      layers[index].isFp8 = true;
  };
  double all = 0;
  SmallVector<unsigned> chosen;
  for (ArrayRef<unsigned> group : getGroups()) {
    const double gain = takeOut(group);
    if (gain < 0)
      continue;
    all += gain;
    putBack(group);
    chosen.append(group.begin(), group.end());
  }
  const bool hasFixed =
      llvm::any_of(layers, [](const Layer &layer) { return layer.isFixed; });
  if (hasFixed || !updatesScales)
    return;
  if (Time scaling = getScalingTime(); scaling && all < scaling->seconds)
    takeOut(chosen);
}

bool LayerTimes::isFp8(StringAttr layer) const {
  auto it = layerByName.find(layer);
  return it == layerByName.end() || layers[it->second].isFp8;
}

std::optional<double> LayerTimes::getGain(StringAttr layer) {
  auto it = layerByName.find(layer);
  Time gain = it == layerByName.end()
                  ? Time()
                  : getGain(layers[it->second], std::nullopt);
  return gain ? std::optional(gain->seconds) : std::nullopt;
}

CostComparison LayerTimes::compare(func::FuncOp func, StringAttr name) {
  auto it = layerByName.find(name);
  const auto *function = llvm::find_if(
      plan.functions, [&](const auto &each) { return each.func == func; });
  const unsigned index = function - plan.functions.begin();
  if (it == layerByName.end() || function == plan.functions.end() ||
      !timed[index])
    return {};
  Layer &layer = layers[it->second];
  Time high = Cost();
  for (unsigned product : layer.products)
    if (products[product].function == index)
      add(high, products[product].high);
  for (unsigned cast : layer.casts)
    if (casts[cast].function == index)
      add(high, casts[cast].time);
  // Of time alone.
  const double price = std::exchange(memoryPrice, 0);
  Time fp8 = high;
  subtract(fp8, getGain(layer, index));
  memoryPrice = price;
  return CostComparison(fp8, high).named("FP8", "High");
}
