// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Program.h"

#include "session/UseTuning.h"
#include "tuning/TuningDatabase.h"

#include <filesystem>

using namespace tert::session;

Expected<std::unique_ptr<Session>>
tert::session::openProgram(const ProgramOptions &options,
                           std::vector<std::string> &warnings) {
  Expected<Artifact> opened = Artifact::open(options.artifact);
  if (!opened)
    return opened.takeError();
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*opened), options.device);
  if (!session || options.untuned)
    return session;
  std::error_code code;
  std::string path = options.tuning.empty()
                         ? defaultTuningPath(options.artifact)
                         : options.tuning;
  if (!std::filesystem::exists(path, code)) {
    if (options.tuning.empty())
      return session;
    return Error("there is no tuning database '" + path +
                 "'; 'te-run tune' makes one");
  }
  std::string warning;
  if (Error error = useTuning(**session, path, &warning))
    return error;
  if (!warning.empty())
    warnings.push_back(std::move(warning));
  return session;
}

std::vector<std::string> tert::session::noticesOf(const Session &session) {
  std::vector<std::string> notices;
  tert_tuning_usage usage = {};
  if (tert_tuning_read_usage(session.context(), &usage) == TERT_OK &&
      usage.refused)
    notices.push_back("the GPU's library refused " +
                      std::to_string(usage.refused) +
                      " of the tuning database's plans and chose by itself; "
                      "'te-run tune' searches new ones");
  const char *notice = nullptr;
  for (size_t i = 0;
       tert_read_notice(session.context(), i, &notice) == TERT_OK && notice;
       ++i)
    notices.push_back(notice);
  return notices;
}
