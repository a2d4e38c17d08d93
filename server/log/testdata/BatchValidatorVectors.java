// Writes batch_validator_vectors.txt: what a leader of Kafka answers to one partition's bytes in a Produce request, and
// what it stores. Every case goes through ProduceRequest.validateRecords and a real UnifiedLog.
//
//   java -cp 'LIBS/*' server/log/testdata/BatchValidatorVectors.java > server/log/testdata/batch_validator_vectors.txt
//
// where LIBS holds the jars of Apache Kafka 4.4.0. Tab-separated:
//   NAME VERSION ORIGIN CONFIG HEX stored HEX APPEND-TIME
//   NAME VERSION ORIGIN CONFIG HEX failed CODE AT MESSAGE [INDEX MESSAGE]...
// CONFIG is key=value,...; AT is "request" when the log was not reached; MESSAGE is what the response carries, or "-".
// The clock stands at `now`; the log is empty, its leader epoch is 5.
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.function.Consumer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse.RecordError;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.*;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.*;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

public class BatchValidatorVectors {
  static final long now = 1700000000000L;
  static final Compression none = Compression.NONE, gzip = Compression.gzip().build(), snappy = Compression.snappy().build(),
                           lz4 = Compression.lz4().build(), zstd = Compression.zstd().build();

  static class StoppedTime implements Time {
    public long milliseconds() { return now; }
    public long nanoseconds() { return System.nanoTime(); }
    public void sleep(long ms) {}
    public void waitObject(Object o, java.util.function.Supplier<Boolean> c, long d) {}
  }

  static KafkaScheduler scheduler = new KafkaScheduler(1);
  static BrokerTopicStats stats = new BrokerTopicStats();
  static int directories = 0;
  static Path root;

  static String hex(byte[] bytes) { return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes); }

  static void run(String name, int version, AppendOrigin origin, String config, byte[] input) throws Exception {
    StringBuilder line = new StringBuilder(String.join("\t", name, "" + version, origin.name().toLowerCase(),
        config.isEmpty() ? "-" : config, hex(input)));
    MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(input.clone()));
    Throwable error = null;
    List<RecordError> recordErrors = List.of();
    String at = "request", message = "-";
    try {
      if (origin == AppendOrigin.CLIENT) ProduceRequest.validateRecords((short) version, records);
    } catch (Throwable t) {
      error = t;
    }
    if (error == null) {
      at = "log";
      Properties properties = new Properties();
      if (!config.isEmpty()) for (String pair : config.split(",")) {
        properties.setProperty(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
      }
      File dir = root.resolve("topic-" + directories++).toFile();
      UnifiedLog log = UnifiedLog.create(dir, new LogConfig(properties), 0, 0, scheduler, stats, new StoppedTime(), 900000,
          new ProducerStateManagerConfig(86400000, false), 600000, new LogDirFailureChannel(1), true, Optional.empty());
      try {
        LogAppendInfo info = log.appendAsLeader(records, 5, origin, RequestLocal.noCaching(), VerificationGuard.SENTINEL, (short) 0);
        log.flush(false);
        line.append("\tstored\t").append(hex(Files.readAllBytes(dir.toPath().resolve("00000000000000000000.log"))))
            .append("\t").append(info.logAppendTime());
      } catch (RecordValidationException e) {
        error = e.invalidException();
        message = error.getMessage();
        recordErrors = e.recordErrors();
      } catch (Throwable t) {
        error = t;
      }
      log.close();
    }
    if (error != null) {
      line.append("\tfailed\t").append(Errors.forException(error).code()).append("\t").append(at).append("\t").append(message);
      for (RecordError e : recordErrors) line.append("\t").append(e.batchIndex).append("\t").append(e.message);
      System.err.println(name + ": " + error);
    }
    // The topic's name differs from case to case only because each has a directory of its own.
    System.out.println(line.toString().replaceAll("topic-[0-9]+", "topic-0"));
  }

  static void run(String name, String config, byte[] input) throws Exception { run(name, 13, AppendOrigin.CLIENT, config, input); }

  // --- Batches ------------------------------------------------------------------------------------------------------
  static class Batch {
    Compression compression = none;
    TimestampType type = TimestampType.CREATE_TIME;
    long baseOffset = 0, baseTimestamp = now, maxTimestamp = now, producerId = -1;
    int epoch = -1, sequence = -1, leaderEpoch = -1;
    boolean transactional = false, control = false, horizon = false;
    Integer count, lastDelta;
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int records = 0;

    Batch compression(Compression value) { compression = value; return this; }
    Batch set(Consumer<Batch> change) { change.accept(this); return this; }

    Batch raw(String hex) { body.writeBytes(HexFormat.of().parseHex(hex)); records++; return this; }

    Batch record(long timestamp, int delta, String key, String value, Header... headers) throws Exception {
      DefaultRecord.writeTo(new DataOutputStream(body), delta, timestamp - baseTimestamp, bytes(key), bytes(value), headers);
      maxTimestamp = Math.max(maxTimestamp, timestamp);
      records++;
      return this;
    }

    byte[] build() throws Exception {
      ByteBufferOutputStream buffer = new ByteBufferOutputStream(512);
      buffer.position(61);
      OutputStream out = compression.wrapForOutput(buffer, (byte) 2);
      out.write(body.toByteArray());
      out.close();
      ByteBuffer bytes = buffer.buffer();
      int size = bytes.position();
      bytes.position(0);
      DefaultRecordBatch.writeHeader(bytes, baseOffset, lastDelta != null ? lastDelta : records - 1, size, (byte) 2,
          compression.type(), type, baseTimestamp, maxTimestamp, producerId, (short) epoch, sequence, transactional, control,
          horizon, leaderEpoch, count != null ? count : records);
      byte[] built = new byte[size];
      bytes.position(0);
      bytes.get(built);
      return built;
    }
  }

  static ByteBuffer bytes(String text) { return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)); }

  static Batch batch(Compression compression) { return new Batch().compression(compression); }

  static Batch good(Compression compression) throws Exception {
    return batch(compression).record(now, 0, "k0", "value zero").record(now - 5, 1, "k1", "value one",
        new RecordHeader("h", new byte[] {1}), new RecordHeader("n", (byte[]) null)).record(now - 1, 2, "k2", null);
  }

  /** Changes bytes, and then makes the checksum right. */
  static byte[] patch(byte[] in, int at, String hex) {
    byte[] out = in.clone();
    byte[] with = HexFormat.of().parseHex(hex);
    System.arraycopy(with, 0, out, at < 0 ? out.length + at : at, with.length);
    return fix(out);
  }

  static byte[] fix(byte[] out) {
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(out, 21, out.length - 21);
    ByteBuffer.wrap(out).putInt(17, (int) crc.getValue());
    return out;
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) out.writeBytes(part);
    return out.toByteArray();
  }

  /** Another end of the payload, with the length in the header to match. */
  static byte[] resize(byte[] in, int size, String tail) {
    byte[] out = join(Arrays.copyOf(in, size), HexFormat.of().parseHex(tail));
    ByteBuffer.wrap(out).putInt(8, out.length - 12);
    return fix(out);
  }

  static Compression[] all = {none, gzip, snappy, lz4, zstd};

  static void accepted() throws Exception {
    for (Compression c : all) {
      run("good-" + c.type(), "", good(c).build());
      run("good-append-time-" + c.type(), "message.timestamp.type=LogAppendTime", good(c).build());
      run("wrong-max-" + c.type(), "", good(c).set(b -> b.maxTimestamp = 12).build());
      run("no-timestamps-" + c.type(), "", batch(c).set(b -> b.baseTimestamp = b.maxTimestamp = -1)
          .record(-1, 0, "a", "b").record(-1, 1, "c", "d").build());
      run("idempotent-" + c.type(), "", good(c).set(b -> { b.producerId = 7; b.epoch = 0; b.sequence = 0; }).build());
    }
    run("unused-attribute-bits-kept", "", patch(good(none).build(), 21, "ff"));
    run("unused-attribute-bits-dropped", "message.timestamp.type=LogAppendTime", patch(good(none).build(), 21, "ff"));
    run("delete-horizon-kept", "", good(none).set(b -> b.horizon = true).build());
    run("leader-epoch-replaced", "", good(none).set(b -> b.leaderEpoch = 99).build());
    run("garbage-after-is-cut", "", join(good(none).build(), HexFormat.of().parseHex("0102030405")));
    run("half-batch-after-is-cut", "", join(good(none).build(), Arrays.copyOf(good(none).build(), 70)));
    run("deltas-not-consecutive-in-place", "", batch(none).record(now, 5, "a", "b").record(now, 3, "c", "d").build());
    run("record-attributes-kept", "", batch(none).raw("0cff0000010100").build());
    run("append-time-batch-with-timestamp-on-create-time", "", good(none).set(b -> b.type = TimestampType.LOG_APPEND_TIME).build());
    run("append-time-batch-on-create-time-lz4", "", good(lz4).set(b -> b.type = TimestampType.LOG_APPEND_TIME).build());
    run("timestamp-below-minus-one", "", batch(none).record(-5, 0, "a", "b").build());
    run("lz4-length-not-compared", "", batch(lz4).raw("0e000000010100").set(b -> b.count = 1).build());
    run("zstd-version-7", 7, AppendOrigin.CLIENT, "", good(zstd).build());
    run("timestamps-at-the-edges", "message.timestamp.before.max.ms=1000,message.timestamp.after.max.ms=1000",
        batch(none).record(now - 1000, 0, "a", "b").record(now + 1000, 1, "c", "d").build());
  }

  static void rebuilt() throws Exception {
    for (Compression from : all) {
      for (String to : new String[] {"uncompressed", "gzip", "snappy", "lz4", "zstd"}) {
        run("rebuilt-" + from.type() + "-" + to, "compression.type=" + to, good(from).build());
      }
    }
    run("rebuilt-gzip-level", "compression.type=gzip,compression.gzip.level=1", good(none).build());
    run("rebuilt-same-codec-other-level", "compression.type=gzip,compression.gzip.level=1", good(gzip).build());
    run("rebuilt-append-time", "compression.type=uncompressed,message.timestamp.type=LogAppendTime", good(gzip).build());
    run("rebuilt-append-time-batch", "compression.type=uncompressed", good(gzip).set(b -> b.type = TimestampType.LOG_APPEND_TIME).build());
    run("rebuilt-transactional-fields", "compression.type=uncompressed",
        good(gzip).set(b -> { b.producerId = 7; b.epoch = 1; b.sequence = 0; b.transactional = true; }).build());
    run("rebuilt-deltas-and-base", "compression.type=uncompressed", batch(gzip).set(b -> b.baseTimestamp = 1000)
        .record(now, 4, "a", "b").record(now + 7, 9, "c", "d").build());
    run("rebuilt-horizon-dropped", "compression.type=uncompressed", good(gzip).set(b -> b.horizon = true).build());
    run("rebuilt-record-attributes-dropped", "compression.type=uncompressed", batch(gzip).raw("0cff0000010100").build());
    run("rebuilt-negative-timestamp", "compression.type=uncompressed", batch(gzip).record(-5, 0, "a", "b").build());
    run("rebuilt-negative-producer", "compression.type=uncompressed", good(gzip).set(b -> b.producerId = -9).build());
    run("rebuilt-transaction-without-producer", "compression.type=uncompressed", good(gzip).set(b -> b.transactional = true).build());
    run("rebuilt-too-large", "compression.type=uncompressed,max.message.bytes=400", batch(gzip).record(now, 0, "k", "x".repeat(900)).build());
    run("rebuilt-wrong-length", "compression.type=uncompressed", batch(gzip).raw("10000000010100").build());
    run("deltas-not-consecutive-gzip", "", batch(gzip).record(now, 5, "a", "b").record(now, 3, "c", "d").build());
    run("deltas-not-consecutive-other-codec", "compression.type=lz4", batch(gzip).record(now, 5, "a", "b").record(now, 3, "c", "d").build());
  }

  static void refused() throws Exception {
    byte[] plain = good(none).build();
    run("nothing", "", new byte[0]);
    run("cut", "", Arrays.copyOf(plain, plain.length - 1));
    run("two-batches", "", join(plain, plain));
    run("batch-and-corrupt", "", join(plain, new byte[20]));
    run("length-negative", "", patch(plain, 8, "ffffffff"));
    run("length-13", "", patch(plain, 8, "0000000d"));
    run("magic-3", "", patch(plain, 16, "03"));
    run("magic-1", "", patch(plain, 16, "01"));
    for (int size : new int[] {26, 27, 60, 61}) {
      byte[] small = Arrays.copyOf(plain, size);
      ByteBuffer.wrap(small).putInt(8, size - 12);
      run("size-" + size, "", size == 61 ? fix(small) : small);
    }
    run("bad-crc", "", join(Arrays.copyOf(plain, plain.length - 1), new byte[] {9}));
    run("base-offset-1", "", good(none).set(b -> b.baseOffset = 1).build());
    run("base-offset-before-size-and-crc", "max.message.bytes=10", patch(good(none).set(b -> b.baseOffset = 1).build(), 17, "00"));
    run("too-large", "max.message.bytes=" + (plain.length - 1), plain);
    run("just-fits", "max.message.bytes=" + plain.length, plain);
    run("too-large-before-crc", "max.message.bytes=10", join(Arrays.copyOf(plain, plain.length - 1), new byte[] {9}));
    run("larger-than-segment", "internal.segment.bytes=" + (plain.length - 1), plain);
    run("zstd-version-6", 6, AppendOrigin.CLIENT, "", good(zstd).build());
    for (int id = 5; id < 8; id++) run("compression-" + id, "", patch(plain, 22, "0" + id));
    run("compression-5-bad-crc", "", join(Arrays.copyOf(patch(plain, 22, "05"), plain.length - 1), new byte[] {9}));
    run("count-zero", "", good(none).set(b -> { b.count = 0; b.lastDelta = 0; }).build());
    run("count-negative", "", good(none).set(b -> { b.count = -3; }).build());
    run("count-too-small", "", good(none).set(b -> { b.count = 2; }).build());
    run("count-and-delta-too-small", "", good(none).set(b -> { b.count = 2; b.lastDelta = 1; }).build());
    run("count-and-delta-too-large", "", good(none).set(b -> { b.count = 4; b.lastDelta = 3; }).build());
    run("delta-negative", "", good(none).set(b -> { b.lastDelta = -1; b.count = 0; }).build());
    run("delta-largest", "", good(none).set(b -> { b.lastDelta = Integer.MAX_VALUE; b.count = Integer.MIN_VALUE; }).build());
    run("control", "", good(none).set(b -> b.control = true).build());
    run("no-sequence", "", good(none).set(b -> { b.producerId = 7; b.epoch = 0; }).build());
    for (Compression c : all) {
      String n = c.type().toString();
      run("null-keys-compacted-" + n, "cleanup.policy=compact", batch(c).record(now, 0, null, "a").record(now, 1, "k", "b").record(now, 2, null, "c").build());
      run("null-keys-compact-delete-" + n, "cleanup.policy=[compact,delete]".replace("[compact,delete]", "compact"), batch(c).record(now, 0, null, "a").build());
      run("many-null-keys-" + n, "cleanup.policy=compact", many(c));
      run("future-" + n, "", batch(c).record(now + 3600001, 0, "k", "a").record(now + 3600000, 1, "k", "b").build());
      run("past-" + n, "message.timestamp.before.max.ms=1000", batch(c).record(now - 1001, 0, "k", "a").build());
      run("future-and-null-" + n, "cleanup.policy=compact", batch(c).record(now, 0, null, "a").record(now + 4000000, 1, "k", "b").build());
      run("append-time-batch-" + n, "message.timestamp.type=LogAppendTime", good(c).set(b -> b.type = TimestampType.LOG_APPEND_TIME).build());
      run("append-time-batch-no-timestamp-" + n, "", good(c).set(b -> { b.type = TimestampType.LOG_APPEND_TIME; b.maxTimestamp = -1; }).build());
      run("one-record-missing-" + n, "", good(c).set(b -> { b.count = 4; b.lastDelta = 3; }).build());
      run("one-record-too-many-" + n, "", good(c).set(b -> { b.count = 2; b.lastDelta = 1; }).build());
      run("length-without-end-" + n, "", batch(c).raw("ffffffffff").build());
      run("length-cut-" + n, "", batch(c).raw("ff").build());
      run("length-too-large-" + n, "", batch(c).raw("10000000010100").build());
      run("length-negative-" + n, "", batch(c).raw("0b000000010100").build());
      run("timestamp-without-end-" + n, "", batch(c).raw("1800ffffffffffffffffffff00").build());
      run("headers-negative-" + n, "", batch(c).raw("0c000000010101").build());
      run("headers-many-" + n, "", batch(c).raw("1400000001" + "01feffffff0f").build());
      run("header-key-null-" + n, "", batch(c).raw("10000000010102" + "0101").build());
      run("value-beyond-end-" + n, "", batch(c).raw("0c000000013200").build());
      run("null-key-then-broken-" + n, "cleanup.policy=compact", batch(c).record(now, 0, null, "a").raw("ff").build());
      run("no-records-inside-" + n, "", batch(c).set(b -> { b.count = 1; b.lastDelta = 0; }).build());
      run("record-too-long-" + n, "max.decompressed.message.bytes=17", good(c).build());
      run("record-too-long-other-codec-" + n, "compression.type=uncompressed,max.decompressed.message.bytes=17", good(c).build());
      run("record-just-fits-" + n, "max.decompressed.message.bytes=24", good(c).build());
      run("records-of-no-such-length-" + n, "max.decompressed.message.bytes=1000", batch(c).raw("feffffff0f00000001" + "0100").build());
      if (c == none) continue;
      byte[] packed = good(c).build();
      run("payload-cut-" + n, "", resize(packed, packed.length - 3, ""));
      run("payload-empty-" + n, "", resize(packed, 61, ""));
      run("payload-garbage-" + n, "", resize(packed, 61, "0102030405060708090a0b0c0d0e0f101112"));
      run("payload-garbage-after-" + n, "", resize(packed, packed.length, "0102030405060708090a0b0c0d0e0f10"));
    }
    run("null-keys-other-codec", "cleanup.policy=compact,compression.type=gzip", batch(lz4).record(now, 0, null, "a").build());
    run("append-time-batch-other-codec", "message.timestamp.type=LogAppendTime,compression.type=gzip", good(lz4).set(b -> b.type = TimestampType.LOG_APPEND_TIME).build());
    run("append-time-null-sizes", "message.timestamp.type=LogAppendTime", batch(lz4).set(b -> b.type = TimestampType.LOG_APPEND_TIME)
        .record(now, 0, null, null).record(now, 1, "", "").build());
    run("append-time-null-sizes-plain", "message.timestamp.type=LogAppendTime", batch(none).set(b -> b.type = TimestampType.LOG_APPEND_TIME)
        .record(now, 0, null, null).record(now, 1, "", "").build());
  }

  static byte[] many(Compression c) throws Exception {
    Batch batch = batch(c);
    for (int i = 0; i < 5; i++) batch.record(now, i, null, "v" + i);
    return batch.build();
  }

  static void coordinator() throws Exception {
    AppendOrigin origin = AppendOrigin.COORDINATOR;
    run("coordinator-good", 0, origin, "", good(none).build());
    run("coordinator-recompressed", 0, origin, "compression.type=gzip", good(none).build());
    run("coordinator-base-offset", 0, origin, "", good(none).set(b -> b.baseOffset = 17).build());
    byte[] marker = new Batch().set(b -> { b.control = b.transactional = true; b.producerId = 7; b.epoch = 3; })
        .record(now, 0, "\0\0\0\1", "\0\0\0\0\0\1").build();
    run("coordinator-marker", 0, origin, "", marker);
    run("coordinator-marker-not-recompressed", 0, origin, "compression.type=gzip", marker);
    run("coordinator-null-key-compacted", 0, origin, "cleanup.policy=compact", batch(none).record(now, 0, null, "a").build());
    run("coordinator-two-batches", 0, origin, "", join(good(none).build(), good(none).build()));
    run("coordinator-too-large", 0, origin, "max.message.bytes=10", good(none).build());
    run("coordinator-bad-crc", 0, origin, "", join(Arrays.copyOf(good(none).build(), good(none).build().length - 1), new byte[] {9}));
  }

  public static void main(String[] args) throws Exception {
    root = Files.createTempDirectory("vectors");
    scheduler.startup();
    accepted();
    rebuilt();
    refused();
    coordinator();
    scheduler.shutdown();
    System.exit(0);
  }
}
