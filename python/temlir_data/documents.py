# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documents in files: JSON lines, Parquet, text."""

import glob
import gzip
import json
import os

_SUFFIXES = (".jsonl", ".json", ".ndjson", ".parquet", ".txt")


class DataError(RuntimeError):
    """Data that cannot be read. The message says where, and what to do."""


def _suffix(path):
    """The ending that says what a file is, without that of its compression."""
    name = path[:-3] if path.endswith(".gz") else path
    return os.path.splitext(name)[1].lower()


def find_files(names):
    """The files that names stand for: files, folders with all that is in them and
    has a known ending, and globs. Raises DataError for a name without a file."""
    files = []
    for name in names:
        if os.path.isdir(name):
            found = sorted(
                os.path.join(folder, file)
                for folder, _, inside in os.walk(name)
                for file in inside
                if _suffix(file) in _SUFFIXES and not file.startswith(".")
            )
        elif os.path.exists(name):
            found = [name]
        else:
            found = sorted(glob.glob(name))
        if not found:
            raise DataError(
                f"'{name}' is no file, and no folder or glob with files that end in "
                + ", ".join(_SUFFIXES)
            )
        files += found
    return files


def _json_lines(path, stream, key):
    for number, line in enumerate(stream, 1):
        where = f"line {number} of '{path}'"
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            if not text.strip():
                continue
            record = json.loads(text)
        except UnicodeDecodeError as error:
            raise DataError(f"{where} is not UTF-8: {error.reason}") from error
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"{where} is no JSON ({error}); each line is a record, such as "
                f'{{"{key}": "..."}}'
            ) from error
        if isinstance(record, str):
            yield record
            continue
        if not isinstance(record, dict) or not isinstance(record.get(key), str):
            has = (
                "its keys are " + ", ".join(sorted(record))
                if isinstance(record, dict)
                else "it is no object"
            )
            raise DataError(f"{where} has no text called '{key}' (--key); {has}")
        yield record[key]


def _parquet(path, key):
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise DataError(
            f"'{path}' is a Parquet file, which needs pyarrow: pip install pyarrow"
        ) from error
    try:
        file = pyarrow.parquet.ParquetFile(path)
        if key not in file.schema_arrow.names:
            raise DataError(
                f"'{path}' has no column '{key}' (--key); its columns are "
                + ", ".join(file.schema_arrow.names)
            )
        for batch in file.iter_batches(columns=[key]):
            for text in batch.column(0).to_pylist():
                if text is None:
                    continue
                if not isinstance(text, str):
                    raise DataError(f"the column '{key}' of '{path}' is no text")
                yield text
    except pyarrow.ArrowException as error:
        raise DataError(f"cannot read '{path}': {error}") from error


def read_documents(path, key):
    """Yields the texts of a file: the strings called `key` in the records of JSON
    lines or of Parquet, or the whole of any other file. Raises DataError, with the
    place, for what cannot be read."""
    if _suffix(path) == ".parquet":
        yield from _parquet(path, key)
        return
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
            if _suffix(path) in (".jsonl", ".json", ".ndjson"):
                yield from _json_lines(path, stream, key)
                return
            data = stream.read()
    except (OSError, EOFError) as error:
        raise DataError(f"cannot read '{path}': {error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"'{path}' is not UTF-8 at byte {error.start}: convert it with iconv"
        ) from error
    if text:
        yield text
