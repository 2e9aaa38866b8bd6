// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/CheckpointFit.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

using namespace tert::session;

static std::string formatOf(const SlotDescription &slot) {
  return slot.format == TERT_F8E5M2 ? "e5m2" : "e4m3";
}

std::string tert::session::slotList(const Description &description) {
  std::string text;
  for (const SlotDescription &slot : description.slots)
    text += slot.name + ":" + formatOf(slot) + "\n";
  return text;
}

Error CheckpointFit::findSlots(const std::string &slots,
                               const Description &description,
                               CheckpointCoverage part) {
  std::map<std::string, size_t> inFile; // "name:format" to column.
  std::istringstream lines(slots);
  for (std::string line; std::getline(lines, line);)
    inFile.emplace(line, slotsInFile++);
  auto failure = [&](const std::string &what) {
    return Error("its FP8 slots are others than this model's (another "
                 "precision, recipe or policy): " +
                 what);
  };
  for (const SlotDescription &slot : description.slots) {
    auto column = inFile.find(slot.name + ":" + formatOf(slot));
    if (column == inFile.end())
      return failure("it has no slot '" + slot.name + "' in " + formatOf(slot));
    columns.push_back(column->second);
    inFile.erase(column);
  }
  if (part != CheckpointCoverage::Needed && !inFile.empty())
    return failure("this program has no slot '" + inFile.begin()->first + "'");
  return Error::success();
}

static bool isFp8(DType dtype) {
  return dtype == DType::F8E4M3 || dtype == DType::F8E5M2;
}

/// For an FP8 copy of a matrix, the name of its counterpart in the other
/// layout; empty for other states. Both share a slot's scale, so they are
/// transposes of each other.
static std::string counterpartOf(const StateDescription &state) {
  constexpr std::string_view ends[] = {".rowwise", ".columnwise"};
  const bool isCopy = state.kind == "fp8_weight" &&
                      isFp8(toFileDType(state.type.dtype)) &&
                      state.globalShape().size() == 2;
  for (int i = 0; i < 2 && isCopy; ++i)
    if (size_t at = state.name.rfind(ends[i]);
        at != std::string::npos && at + ends[i].size() == state.name.size())
      return state.name.substr(0, at) + std::string(ends[1 - i]);
  return {};
}

/// The name of the scales of an FP8 state of a checkpoint; empty for others.
static std::string findScales(const TensorFiles &file, const std::string &name,
                              const StoredTensor &tensor) {
  if (!isFp8(tensor.dtype()) || tensor.shape().size() < 2)
    return {};
  return scaleNameOf(name, [&](const std::string &scales) {
    const StoredTensor *found = file.find(scales);
    return found && found->dtype() == DType::F32 &&
           found->shape() == scaleShapeOf(tensor.shape());
  });
}

/// The FP8 state of the program that has `scales`; null if there is none.
static const StateDescription *stateOfScales(const Description &description,
                                             const std::string &scales) {
  for (const StateDescription &state : description.states)
    if (state.kind == "optimizer" && isFp8(toFileDType(state.type.dtype)) &&
        !scaleNameOf(state.name, [&](const std::string &name) {
           return name == scales;
         }).empty())
      return &state;
  return nullptr;
}

/// A state whose dtype or scales differ from those of the checkpoint; without a
/// conversion if none is possible.
CheckpointFit::Source
CheckpointFit::findConverted(const TensorFiles &file,
                             const Description &description,
                             const StateDescription &state) const {
  if (state.kind != "optimizer" && !state.isParameter())
    return {nullptr};
  const StateDescription *scaled = &state;
  std::optional<DType> scalesFor;
  if (!file.find(state.name)) {
    scaled = stateOfScales(description, state.name);
    if (!scaled)
      return {nullptr};
    scalesFor = toFileDType(scaled->type.dtype);
  }
  const StoredTensor *tensor = file.find(scaled->name);
  if (!tensor || !isFloat(tensor->dtype()) ||
      tensor->shape() != scaled->globalShape())
    return {nullptr};
  const std::string scales = findScales(file, scaled->name, *tensor);
  const bool isReadable = !scales.empty() || !isFp8(tensor->dtype());
  const DType to = toFileDType(scaled->type.dtype);
  const bool isWritable =
      to == DType::F32 || to == DType::BF16 ||
      (isFp8(to) && state.kind == "optimizer" && tensor->shape().size() >= 2);
  if (!isReadable || !isWritable)
    return {nullptr};
  return {tensor, false, StateConversion(*tensor, file.find(scales)), scalesFor,
          scales};
}

Error CheckpointFit::findTensors(const TensorFiles &file,
                                 const Description &description,
                                 CheckpointCoverage part) {
  for (const StateDescription &state : description.states) {
    if (state.isTemporary() || (isFp8New && state.isOfFp8())) {
      tensors.push_back({nullptr});
      continue;
    }
    // The parameter itself is among the states.
    if (std::string_view name = state.copiedParameter(); !name.empty()) {
      tensors.push_back({file.find(std::string(name))});
      continue;
    }
    Source source = {file.find(state.name)};
    if (part == CheckpointCoverage::Continued &&
        (!source.tensor ||
         source.tensor->dtype() != toFileDType(state.type.dtype)))
      if (Source converted = findConverted(file, description, state);
          converted.conversion) {
        tensors.push_back(converted);
        continue;
      }
    if (!source.tensor)
      source = {file.find(counterpartOf(state)), true};
    const StoredTensor *tensor = source.tensor;
    if (!tensor)
      return Error("it has no state '" + state.name + "'");
    Shape shape = state.globalShape();
    if (source.isTransposed)
      std::reverse(shape.begin(), shape.end());
    if (state.isPerSlot() &&
        static_cast<size_t>(shape.back()) == columns.size())
      shape.back() = static_cast<int64_t>(slotsInFile);
    if (tensor->shape() != shape ||
        tensor->dtype() != toFileDType(state.type.dtype))
      return Error("its state '" + state.name + "' is " +
                   std::string(nameOf(tensor->dtype())) + " " +
                   toString(tensor->shape()) + ", this model's is " +
                   toString(state.globalType()));
    tensors.push_back(source);
  }
  if (part == CheckpointCoverage::Needed)
    return Error::success();
  std::set<std::string> scales;
  for (const Source &source : tensors)
    scales.insert(source.scales);
  for (const auto &[name, tensor] : file.tensors())
    // The program may lack an FP8 copy of a parameter.
    if (!isFp8(tensor.dtype()) && !(isFp8New && name.rfind("fp8.", 0) == 0) &&
        !scales.count(name) &&
        std::none_of(description.states.begin(), description.states.end(),
                     [&, &name = name](const auto &state) {
                       return state.name == name;
                     }))
      return Error("this program has no state '" + name + "'");
  return Error::success();
}

/// Files without a mesh are of one rank, or of an older version.
static bool isOfAnotherMesh(const TensorFiles &files,
                            const Description &description) {
  for (size_t i = 0; i < files.numFiles(); ++i) {
    const auto &notes = files.file(i).metadata();
    if (auto mesh = notes.find("mesh"); mesh != notes.end())
      return mesh->second != description.mesh.text();
  }
  return description.mesh.ranks() > 1;
}

Expected<CheckpointFit> CheckpointFit::find(const TensorFiles &file,
                                            const std::string &slots,
                                            const Description &description,
                                            CheckpointCoverage part) {
  CheckpointFit fit;
  Error error = fit.findSlots(slots, description, part);
  if (!error)
    error = fit.findTensors(file, description, part);
  if (error && part == CheckpointCoverage::Continued) {
    if (!isOfAnotherMesh(file, description))
      fit.difference = error.message();
    fit.isFp8New = true;
    fit.tensors.clear();
    // Fails if more than FP8 states differs.
    error = fit.findTensors(file, description, part);
  }
  if (error)
    return error;
  return fit;
}

/// All bytes of a tensor.
static std::string bytesOf(const StoredTensor &tensor) {
  std::string all(
      static_cast<size_t>(tensor.elements()) * sizeOf(tensor.dtype()), '\0');
  tensor.read(0, tensor.elements(), all.data());
  return all;
}

std::string CheckpointFit::columnsOf(const StoredTensor &tensor) const {
  size_t element = sizeOf(tensor.dtype());
  size_t row = slotsInFile * element;
  const std::string all = bytesOf(tensor);
  std::string bytes;
  for (size_t at = 0; row && at < all.size(); at += row)
    for (size_t column : columns)
      bytes.append(all, at + column * element, element);
  return bytes;
}

/// Writes a state from the transpose of a matrix of bytes.
static Error writeTransposed(ProgramStates &program, size_t index,
                             const StoredTensor &tensor) {
  const std::string all = bytesOf(tensor);
  const int64_t columns = tensor.shape()[0], rows = tensor.shape()[1];
  return program.fillState(index, [&](const ShardRange &range, char *to) {
    for (int64_t i = 0; i < range.count; ++i) {
      const int64_t element = range.global + i;
      to[i] = all[static_cast<size_t>(element % columns * rows +
                                      element / columns)];
    }
    return Error::success();
  });
}

/// Writes a bf16 copy of a parameter, followed by zeros.
static Error writeCopy(ProgramStates &program, size_t index,
                       const StoredTensor &tensor) {
  std::vector<float> values;
  return program.fillState(index, [&](const ShardRange &range, char *to) {
    const int64_t count =
        std::clamp<int64_t>(tensor.elements() - range.global, 0, range.count);
    values.assign(static_cast<size_t>(range.count), 0.0f);
    if (count)
      if (Error error = tensor.readAs(DType::F32, range.global, count,
                                      reinterpret_cast<char *>(values.data())))
        return error;
    for (float value : values) {
      const uint16_t bits = floatToBF16(value);
      std::memcpy(to, &bits, sizeof(bits));
      to += sizeof(bits);
    }
    return Error::success();
  });
}

Error CheckpointFit::write(ProgramStates &program) const {
  const std::vector<StateDescription> &states = program.description().states;
  for (size_t index = 0; index < states.size(); ++index) {
    Error error = Error::success();
    const StoredTensor *tensor = tensors[index].tensor;
    if (isFp8New && states[index].isOfFp8())
      continue;
    if (const auto &conversion = tensors[index].conversion) {
      error = tensors[index].scalesFor
                  ? conversion->writeScales(program, index,
                                            *tensors[index].scalesFor)
                  : conversion->write(program, index);
    } else if (!tensor) {
      error = program.clearState(index);
    } else if (!states[index].copiedParameter().empty()) {
      error = writeCopy(program, index, *tensor);
    } else if (tensors[index].isTransposed) {
      error = writeTransposed(program, index, *tensor);
    } else if (states[index].isPerSlot()) {
      std::string bytes = columnsOf(*tensor);
      error = program.writeState(index, bytes.data(), bytes.size());
    } else {
      error = program.fillState(index, [&](const ShardRange &range, char *to) {
        tensor->read(range.global, range.count, to);
        return Error::success();
      });
    }
    if (error)
      return error;
  }
  return Error::success();
}
