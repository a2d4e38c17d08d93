// Fills a broker's topics with every kind of batch that the log has to read. Run by make_kafka_logs.py.
import java.util.*;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;

public class ProduceLogs {
    static final long START_MS = 1_700_000_000_000L;
    static String servers;

    static KafkaProducer<byte[], byte[]> producer(String codec, String transactionalId, boolean idempotent) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", servers);
        config.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        config.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        config.put("compression.type", codec);
        config.put("enable.idempotence", idempotent);
        config.put("linger.ms", 5);
        config.put("batch.size", 4000);
        if (transactionalId != null) config.put("transactional.id", transactionalId);
        return new KafkaProducer<>(config);
    }

    // One batch of `count` records, the first at `timestamp`, the next ones a millisecond later each.
    static void batch(KafkaProducer<byte[], byte[]> producer, String topic, long timestamp, int count) throws Exception {
        List<java.util.concurrent.Future<RecordMetadata>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] value = ("value " + i + " of " + topic + " at " + timestamp + " ........................").getBytes();
            futures.add(producer.send(new ProducerRecord<>(topic, 0, timestamp + i, ("key " + i).getBytes(), value)));
        }
        producer.flush();
        for (var future : futures) future.get(30, TimeUnit.SECONDS);
    }

    static NewTopic topic(String name, Map<String, String> more) {
        Map<String, String> configs = new HashMap<>(more);
        configs.putIfAbsent("index.interval.bytes", "200");
        configs.putIfAbsent("retention.ms", "-1");
        return new NewTopic(name, 1, (short) 1).configs(configs);
    }

    public static void main(String[] arguments) throws Exception {
        servers = arguments[0];
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            if (arguments.length > 1 && arguments[1].equals("trim")) {
                var before = RecordsToDelete.beforeOffset(50);
                admin.deleteRecords(Map.of(new TopicPartition("trimmed", 0), before)).all().get();
                return;
            }
            admin.createTopics(List.of(
                topic("plain", Map.of("segment.ms", "60000")),
                topic("codecs", Map.of()),
                topic("appendtime", Map.of("message.timestamp.type", "LogAppendTime")),
                topic("transactions", Map.of("segment.ms", "60000")),
                topic("trimmed", Map.of("segment.ms", "60000")),
                topic("empty", Map.of()))).all().get();
            for (String name : List.of("plain", "trimmed"))
                try (var p = producer("none", null, false)) {
                    // Timestamps that go back now and then; a segment lasts a minute.
                    for (int i = 0; i < 40; i++)
                        batch(p, name, START_MS + i * 10_000L - (i % 7 == 3 ? 15_000 : 0), 1 + i % 5);
                }
            for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd"))
                try (var p = producer(codec, null, true)) {
                    for (int i = 0; i < 6; i++) batch(p, "codecs", START_MS + i * 1000L, 3 + i);
                }
            try (var p = producer("lz4", null, true)) {
                for (int i = 0; i < 5; i++) batch(p, "appendtime", START_MS, 2);
            }
            var open = producer("none", "stays-open", true);
            open.initTransactions();
            try (var a = producer("none", "a", true); var b = producer("gzip", "b", true)) {
                a.initTransactions();
                b.initTransactions();
                for (int i = 0; i < 12; i++) {
                    a.beginTransaction();
                    batch(a, "transactions", START_MS + i * 20_000L, 2);
                    b.beginTransaction();
                    batch(b, "transactions", START_MS + i * 20_000L + 5000, 3);
                    if (i % 3 == 1) a.abortTransaction(); else a.commitTransaction();
                    if (i % 4 == 2) b.abortTransaction(); else b.commitTransaction();
                }
            }
            open.beginTransaction();
            batch(open, "transactions", START_MS + 300_000L, 2);
            try (var p = producer("none", null, true)) {
                batch(p, "transactions", START_MS + 301_000L, 2);
            }
            System.out.println("produced");
            System.out.flush();
            // The open transaction stays open: no close, which would abort it.
            Runtime.getRuntime().halt(0);
        }
    }
}
