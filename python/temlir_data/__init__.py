# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens of text, for `te-run train --data` and `te-run generate`.

Python's own library is enough for the tokenizer "bytes"; others need the package
tokenizers, and Parquet files pyarrow.
"""

from .documents import DataError, find_files, read_documents
from .prompts import decode_lines, encode_prompts
from .tokenize import TokenWriter, load_tokenizer, tokenize

__all__ = [
    "DataError",
    "TokenWriter",
    "decode_lines",
    "encode_prompts",
    "find_files",
    "load_tokenizer",
    "read_documents",
    "tokenize",
]
