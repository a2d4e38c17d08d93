"""Record batches (magic 2) byte by byte, good and bad, without any client library."""

import struct
import zlib

CODEC_IDS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}
HEADER_BYTES = 61
CRC_START = 21


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def unsigned_varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def varint(value):
    return unsigned_varint(((value << 1) ^ (value >> 63)) & 0xFFFFFFFFFFFFFFFF)


def read_varint(data, at):
    shift = raw = 0
    while True:
        byte = data[at]
        at += 1
        raw |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return (raw >> 1) ^ -(raw & 1), at


def _field(data):
    return varint(-1) if data is None else varint(len(data)) + data


def record(offset_delta, key, value, headers=(), timestamp_delta=0):
    body = b"\0" + varint(timestamp_delta) + varint(offset_delta) + _field(key) + _field(value) + varint(len(headers))
    for name, content in headers:
        body += _field(name.encode()) + _field(content)
    return varint(len(body)) + body


def literal_snappy(data):
    """Raw snappy (no xerial header, as librdkafka and franz-go write it) made of literals only."""
    out = bytearray(unsigned_varint(len(data)))
    for at in range(0, len(data), 1 << 16):
        part = data[at : at + (1 << 16)]
        out += b"\xf4" + struct.pack("<H", len(part) - 1) + part
    return bytes(out)


def gzip_stream(data):
    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    return stream.compress(data) + stream.flush()


def zstd_frame(blocks, content=None):
    """A zstd frame; each block is ("raw", bytes) or ("rle", byte, count). With `content` its size is in the header."""
    out = bytearray(struct.pack("<I", 0xFD2FB528))
    out += b"\x00\x58" if content is None else b"\xa0" + struct.pack("<I", content)
    for index, block in enumerate(blocks):
        last = 1 if index == len(blocks) - 1 else 0
        if block[0] == "raw":
            out += struct.pack("<I", last | 0 << 1 | len(block[1]) << 3)[:3] + block[1]
        else:
            out += struct.pack("<I", last | 1 << 1 | block[2] << 3)[:3] + block[1]
    return bytes(out)


def raw_zstd(data):
    return zstd_frame([("raw", data[at : at + (1 << 16)]) for at in range(0, len(data), 1 << 16)])


def batch(records, count=None, codec="none", attributes=0, last_offset_delta=None, timestamp=1_700_000_000_000, max_timestamp=None,
          producer=(-1, -1, -1), base_offset=0, leader_epoch=-1, magic=2, crc=None, length=None):
    """A batch around `records` (a list, or the bytes of the records section as they are); every field can be made wrong."""
    if isinstance(records, list):
        count = len(records) if count is None else count
        records = b"".join(records)
    last_offset_delta = count - 1 if last_offset_delta is None else last_offset_delta
    max_timestamp = timestamp if max_timestamp is None else max_timestamp
    tail = struct.pack(">hiqqqhii", attributes | CODEC_IDS[codec], last_offset_delta, timestamp, max_timestamp, *producer, count)
    tail += records
    crc = crc32c(tail) if crc is None else crc
    length = 9 + len(tail) if length is None else length
    return struct.pack(">qiibI", base_offset, length, leader_epoch, magic, crc) + tail


def split(data):
    """The whole batches in `data` (a log file or the records of a fetch answer)."""
    at = 0
    while at + 12 <= len(data):
        size = 12 + struct.unpack_from(">i", data, at + 8)[0]
        if at + size > len(data):
            return
        yield data[at : at + size]
        at += size


def base_offset(data):
    return struct.unpack_from(">q", data)[0]


def last_offset(data):
    return base_offset(data) + struct.unpack_from(">i", data, 23)[0]


def is_control(data):
    return bool(struct.unpack_from(">h", data, 21)[0] & 0x20)


def codec_of(data):
    return struct.unpack_from(">h", data, 21)[0] & 7


def records_of(data, inflate=None):
    """(offset, key, value) of the records of one batch; `inflate` is given the section if it is compressed."""
    section = data[HEADER_BYTES:]
    if codec_of(data) != 0:
        section = inflate(section)
    base, at = base_offset(data), 0
    for _ in range(struct.unpack_from(">i", data, 57)[0]):
        size, at = read_varint(section, at)
        end = at + size
        _, at = read_varint(section, at + 1)
        delta, at = read_varint(section, at)
        fields = []
        for _ in range(2):
            size, at = read_varint(section, at)
            fields.append(None if size < 0 else bytes(section[at : at + size]))
            at += max(size, 0)
        at = end
        yield base + delta, *fields
