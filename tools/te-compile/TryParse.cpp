// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TryParse.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::te;

/// What the child does. It returns 0 whatever the parser says, if it survives.
static int parse(llvm::MemoryBufferRef buffer, MLIRContext &context) {
  // A crash is expected here: no core, no report of a defect.
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    std::signal(number, SIG_DFL);
  const rlimit none = {0, 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
  int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0)
    for (int stream : {STDOUT_FILENO, STDERR_FILENO})
      ::dup2(nowhere, stream);
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  context.allowUnregisteredDialects();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(buffer),
                             llvm::SMLoc());
  // Nothing of it is freed, as the process ends.
  (void)parseSourceFile<ModuleOp>(sources, &context).release();
  return 0;
}

LogicalResult mlir::te::tryParse(llvm::MemoryBufferRef buffer,
                                 MLIRContext &context) {
  const pid_t child = ::fork();
  // Without a child there is no message for a crash, and no more to lose.
  if (child < 0)
    return success();
  if (child == 0)
    ::_exit(parse(buffer, context));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return success();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return success();
  return emitError(UnknownLoc::get(&context))
         << "cannot read '" << buffer.getBufferIdentifier()
         << "': it is malformed, in a way that MLIR's parser or verifier does "
            "not survive; te-opt on it shows where";
}
