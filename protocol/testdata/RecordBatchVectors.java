// Writes record_batch_vectors.txt: batches as MemoryRecordsBuilder of Kafka builds them. The tests build the same ones.
//
//   java -cp 'LIBS/*' protocol/testdata/RecordBatchVectors.java > protocol/testdata/record_batch_vectors.txt
//
// where LIBS holds the jars of Apache Kafka 4.4.0. Lines: NAME HEX.
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.*;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.internals.*;

public class RecordBatchVectors {
  static byte[] b(String text) { return text == null ? null : text.getBytes(StandardCharsets.UTF_8); }

  static void out(String name, ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    System.out.println(name + " " + HexFormat.of().formatHex(bytes));
  }

  static MemoryRecordsBuilder builder(Compression compression, TimestampType type, long baseOffset, long appendTime,
      long producerId, int epoch, int sequence, boolean transactional, boolean control, int leaderEpoch, long horizon) {
    return new MemoryRecordsBuilder(new ByteBufferOutputStream(4096), (byte) 2, compression, type, baseOffset, appendTime,
        producerId, (short) epoch, sequence, transactional, control, leaderEpoch, 4096, horizon);
  }

  static MemoryRecordsBuilder plain(Compression compression) {
    return builder(compression, TimestampType.CREATE_TIME, 0, -1, -1, -1, -1, false, false, -1, -1);
  }

  static void fill(MemoryRecordsBuilder builder) {
    builder.append(1700000000000L, b("key"), b("value"));
    builder.append(1700000000005L, null, b("no key"));
    builder.append(1699999999999L, b("tombstone"), null);
    builder.append(1700000000001L, b(""), b(""), new Header[] {
        new RecordHeader("h1", b("x")), new RecordHeader("", null), new RecordHeader("\u00e9", b(""))});
  }

  public static void main(String[] args) throws Exception {
    MemoryRecordsBuilder builder = plain(Compression.NONE);
    fill(builder);
    out("plain", builder.build().buffer());

    for (String codec : new String[] {"gzip", "snappy", "lz4", "zstd"}) {
      builder = plain(Compression.of(codec).build());
      fill(builder);
      out(codec, builder.build().buffer());
    }

    builder = builder(Compression.NONE, TimestampType.LOG_APPEND_TIME, 1000, 1800000000000L, -1, -1, -1, false, false, 7, -1);
    fill(builder);
    out("log-append-time", builder.build().buffer());

    builder = builder(Compression.NONE, TimestampType.CREATE_TIME, 5, -1, 4711, 3, Integer.MAX_VALUE - 1, true, false, 0, -1);
    fill(builder);
    out("transactional", builder.build().buffer());

    builder = builder(Compression.NONE, TimestampType.CREATE_TIME, 100, -1, -1, -1, -1, false, false, 2, 1650000000000L);
    builder.appendWithOffset(103, 1700000000000L, b("a"), b("b"));
    builder.appendWithOffset(300, 1600000000000L, b("c"), null);
    builder.overrideLastOffset(400);
    out("delete-horizon-with-holes", builder.build().buffer());

    builder = plain(Compression.NONE);
    builder.append(-1, b("k"), b("v"));
    out("no-timestamp", builder.build().buffer());

    byte[] large = new byte[300];
    Arrays.fill(large, (byte) 'z');
    builder = plain(Compression.NONE);
    builder.append(0, large, large);
    builder.append(Long.MAX_VALUE, b("k"), large);
    out("wide-varints", builder.build().buffer());

    out("commit", MemoryRecords.withEndTransactionMarker(42, 1700000000000L, 9, 4711, (short) 3,
        new EndTransactionMarker(ControlRecordType.COMMIT, 17)).buffer());
    out("abort", MemoryRecords.withEndTransactionMarker(43, 1700000000001L, 9, 4711, (short) 4,
        new EndTransactionMarker(ControlRecordType.ABORT, -2)).buffer());

    builder = builder(Compression.NONE, TimestampType.CREATE_TIME, 0, 1700000000000L, -1, -1, -1, false, true, 1, -1);
    builder.appendSnapshotFooterMessage(1700000000000L, new SnapshotFooterRecord());
    out("snapshot-footer", builder.build().buffer());

    ByteBuffer empty = ByteBuffer.allocate(61);
    DefaultRecordBatch.writeEmptyHeader(empty, (byte) 2, 4711, (short) 3, 8, 20, 29, 6, TimestampType.CREATE_TIME,
        1700000000000L, true, false);
    empty.flip();
    out("empty", empty);

    for (byte magic = 0; magic < 2; magic++) {
      TimestampType type = magic == 0 ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME;
      builder = new MemoryRecordsBuilder(new ByteBufferOutputStream(4096), magic, Compression.NONE, type, 10, -1, -1,
          (short) -1, -1, false, false, -1, 4096, -1);
      builder.append(1500000000000L, b("k"), b("v"));
      builder.append(1500000000001L, b("k2"), b("v2"));
      out("magic-" + magic, builder.build().buffer());
    }
    builder = new MemoryRecordsBuilder(new ByteBufferOutputStream(4096), (byte) 1, Compression.gzip().build(),
        TimestampType.LOG_APPEND_TIME, 10, 1500000000009L, -1, (short) -1, -1, false, false, -1, 4096, -1);
    builder.append(1500000000000L, b("k"), b("v"));
    builder.append(1500000000001L, b("k2"), b("v2"));
    out("magic-1-gzip", builder.build().buffer());
  }
}
