"""The rows of a Parquet file, read batch by batch with pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bpe_core.documents.contents import too_big
from bpe_core.documents.report import shown_name
from bpe_core.documents.rows import Cell, Row, Table
from bpe_core.errors import BpeError

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 65_536


def parquet_table(content: bytes, name: str, most_bytes: int) -> Table:
    """Return the table in a Parquet file; columns of strings (or of bytes, which must be UTF-8) hold text.

    Raises BpeError if it cannot be read or has no such column; its `rows` do if they unpack to more than `most_bytes`.
    """
    import pyarrow as pa  # here, because it takes a while and most readings do without
    import pyarrow.parquet

    try:
        schema = pyarrow.parquet.ParquetFile(pa.BufferReader(content)).schema_arrow
        columns = list(dict.fromkeys(schema.names))
        texts = tuple(
            column for column in columns if _is_text(schema.field(schema.get_all_field_indices(column)[0]).type)
        )
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise BpeError(
            f"{shown_name(name)} cannot be read as Parquet ({_first_line(error)}). Download or save it again."
        ) from None
    if not texts:
        types = ", ".join(f"{shown_name(field.name)} ({field.type})" for field in list(schema)[:10])
        raise BpeError(
            f"{shown_name(name)} has no column of text; its columns are: {types or 'none'}. Choose another file."
        )
    others = tuple(column for column in columns if column not in texts)
    return Table(texts, lambda wanted: _rows(content, name, wanted, most_bytes), others)


def _is_text(kind: pa.DataType) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    tests = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary, types.is_string_view)
    return any(test(kind) for test in tests)


def _rows(content: bytes, name: str, wanted: tuple[str, ...], most_bytes: int) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet

    # As dictionaries, so that a text that stands in a million rows is unpacked once.
    file = pyarrow.parquet.ParquetFile(pa.BufferReader(content), read_dictionary=list(wanted))
    if _unpacked_bytes(file.metadata, wanted) > most_bytes:
        raise too_big(name, most_bytes)
    first = 1
    for group in range(file.num_row_groups):  # one by one, so that a damaged one costs no other
        row, after = first, first + file.metadata.row_group(group).num_rows
        try:
            for batch in file.iter_batches(_BATCH, row_groups=[group], columns=list(wanted)):
                for cells in zip(*(_cells(_column(batch, column)) for column in wanted), strict=True):
                    yield Row(row, None, cells)
                    row += 1
        except (pa.ArrowException, OSError, UnicodeError) as error:
            damage = f"rows {row:,} to {after - 1:,} are damaged ({_first_line(error)})"
            yield Row(row, None, (), damage, max(1, after - row))
        first = after


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    return batch.column(batch.schema.get_all_field_indices(name)[0])


def _unpacked_bytes(metadata: pa.parquet.FileMetaData, wanted: tuple[str, ...]) -> int:
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    columns = (group.column(number) for group in groups for number in range(group.num_columns))
    return sum(column.total_uncompressed_size for column in columns if column.path_in_schema in wanted)


def _cells(array: pa.Array) -> list[Cell]:
    import pyarrow as pa

    if isinstance(array, pa.DictionaryArray):
        values = _cells(array.dictionary)
        return [None if at is None else values[at] for at in array.indices.to_pylist()]
    if _is_text(array.type):
        return array.cast(pa.large_binary()).to_pylist()
    return [None if value is None else str(value) for value in array.to_pylist()]


def _first_line(error: Exception) -> str:
    return shown_name(str(error).partition("\n")[0])
