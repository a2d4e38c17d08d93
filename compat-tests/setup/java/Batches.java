import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Prints one record batch as Kafka's own producer code writes it, in Base64. Arguments: codec, records, base timestamp. */
public class Batches {
    public static void main(String[] args) {
        CompressionType codec = CompressionType.forName(args[0]);
        int records = Integer.parseInt(args[1]);
        long time = Long.parseLong(args[2]);
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(1 << 16), RecordBatch.MAGIC_VALUE_V2,
            Compression.of(codec).build(), TimestampType.CREATE_TIME, 0L, time, -1L, (short) -1, -1, false,
            RecordBatch.NO_PARTITION_LEADER_EPOCH);
        for (int i = 0; i < records; i++) {
            byte[] value = ("the value of record " + i + ", " + "jackdaw ".repeat(i % 7)).getBytes(StandardCharsets.UTF_8);
            Header[] headers = {new RecordHeader("n", Integer.toString(i).getBytes(StandardCharsets.UTF_8))};
            builder.append(time + i, ("key " + i).getBytes(StandardCharsets.UTF_8), value, headers);
        }
        ByteBuffer bytes = builder.build().buffer();
        byte[] batch = new byte[bytes.remaining()];
        bytes.get(batch);
        System.out.println(Base64.getEncoder().encodeToString(batch));
    }
}
