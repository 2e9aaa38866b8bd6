// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/CheckpointFit.h"

#include <algorithm>
#include <cstring>
#include <map>
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

Error CheckpointFit::findTensors(const TensorFiles &file,
                                 const Description &description,
                                 CheckpointCoverage part) {
  for (const StateDescription &state : description.states) {
    if (state.isTemporary() || (isFp8New && state.isOfFp8())) {
      tensors.push_back({nullptr, false});
      continue;
    }
    // The parameter itself is among the states.
    if (std::string_view name = state.copiedParameter(); !name.empty()) {
      tensors.push_back({file.find(std::string(name)), false});
      continue;
    }
    Source source = {file.find(state.name), false};
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
  for (const auto &[name, tensor] : file.tensors())
    // The program may lack an FP8 copy of a parameter.
    if (!isFp8(tensor.dtype()) && !(isFp8New && name.rfind("fp8.", 0) == 0) &&
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

/// Writes a bf16 copy of an f32 parameter, followed by zeros.
static Error writeCopy(ProgramStates &program, size_t index,
                       const StoredTensor &tensor) {
  std::vector<float> values;
  return program.fillState(index, [&](const ShardRange &range, char *to) {
    const int64_t count =
        std::clamp<int64_t>(tensor.elements() - range.global, 0, range.count);
    values.assign(static_cast<size_t>(range.count), 0.0f);
    if (count)
      tensor.read(range.global, count, reinterpret_cast<char *>(values.data()));
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
    if (!tensor) {
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
