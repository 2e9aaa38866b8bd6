import os
import sys

import lit.formats

config.name = "TE-MLIR"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Open", "corpus", "lib"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.build_root, "bin"),
        config.llvm_tools_dir,
        config.environment.get("PATH", os.environ["PATH"]),
    ]
)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"

config.substitutions.append(("%runtime", os.path.join(config.source_root, "runtime")))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Inputs")))
# libTEMLIR, which tools of MLIR load as a plugin.
config.substitutions.append(("%temlir", os.path.join(config.build_root, "lib", "libTEMLIR.so")))
# Options that load the dialect and the pass of test/lib/Foreign.
foreign = os.path.join(config.build_root, "lib", "te-foreign-plugin.so")
config.substitutions.append(("%foreign", f"--load-dialect-plugin={foreign} --load-pass-plugin={foreign}"))
# What programs that mlir-runner executes call.
_libraries = [
    os.path.join(config.llvm_library_dir, f"libmlir_{name}.so")
    for name in ("apfloat_wrappers", "c_runner_utils", "runner_utils")
]
config.substitutions.append(("%mlir_runner_libs", ",".join(_libraries)))
if all(map(os.path.exists, [*_libraries, os.path.join(config.llvm_tools_dir, "mlir-runner")])):
    config.available_features.add("mlir-runner")
# Logs of decisions (llvm/Support/DebugLog.h).
if config.build_type not in ("Release", "RelWithDebInfo", "MinSizeRel"):
    config.available_features.add("assertions")
# What a tool of others cannot load, because it is built without sanitizers.
if config.sanitizers:
    config.available_features.add("sanitized")
# NVIDIA's assembler, beside nvcc or on PATH.
if os.path.exists(config.ptxas):
    config.substitutions.append(("%ptxas", config.ptxas))
    config.available_features.add("ptxas")
