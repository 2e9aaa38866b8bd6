// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DataFlags.h"

#include "Choice.h"

using namespace tert;
using training::DataFormat;

CLI::Option *run::addDataFlag(CLI::App &command, const std::string &flag,
                              training::DataNames &names) {
  return command
      .add_option(flag, static_cast<std::vector<std::string> &>(names),
                  "Text, a token stream (.bin), or batches (.safetensors); "
                  "text is read as bytes, batches are tensors named after the "
                  "inputs, batches along the first dimension. A file, a "
                  "folder, or a glob in quotes; may be repeated, with :WEIGHT "
                  "behind each for its share of the rows (wiki.bin:0.7)")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

CLI::Option *run::addFormatFlag(CLI::App &command, const std::string &flag,
                                const std::string &data, DataFormat &format) {
  return addChoice<DataFormat>(command, flag, format,
                               {{"bytes", DataFormat::Bytes},
                                {"u16", DataFormat::U16},
                                {"u32", DataFormat::U32},
                                {"safetensors", DataFormat::Safetensors}},
                               "How to read " + data +
                                   "; without it by the file's name, .bin as "
                                   "u16, text as bytes");
}

CLI::Option *run::addDocumentFlag(CLI::App &command,
                                  std::vector<training::DataNames *> data) {
  return command
      .add_option_function<uint64_t>(
          "--document-end",
          [data = std::move(data)](uint64_t token) {
            for (training::DataNames *names : data)
              names->documentEnd = token;
          },
          "The token that ends a document, for programs with the input "
          "position_ids: positions begin anew behind it, so that attention "
          "stays within documents; data of Megatron needs none, its .idx says "
          "where documents begin")
      ->type_name("UINT");
}
