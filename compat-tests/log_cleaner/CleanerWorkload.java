import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What compaction is compared with: `write BOOTSTRAP TOPIC...` and `read BOOTSTRAP TOPIC...`; a topic is named after its codec. */
public class CleanerWorkload {
    private static final long START_MS = System.currentTimeMillis() - 3_600_000;
    private static long clock = START_MS;

    public static void main(String[] args) throws Exception {
        for (int i = 2; i < args.length; i++) {
            if (args[0].equals("write")) write(args[1], args[i]);
            else for (String isolation : List.of("read_uncommitted", "read_committed")) read(args[1], args[i], isolation);
        }
    }

    private static KafkaProducer<String, String> producer(String bootstrap, String topic, String transaction, boolean idempotent) {
        Map<String, Object> config = new HashMap<>(Map.of("bootstrap.servers", bootstrap, "acks", "all", "linger.ms", 1000,
            "compression.type", topic.substring(topic.indexOf('-') + 1), "enable.idempotence", idempotent));
        if (transaction != null) config.put("transactional.id", topic + transaction);
        KafkaProducer<String, String> made = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
        if (transaction != null) made.initTransactions();
        return made;
    }

    private static void send(KafkaProducer<String, String> to, String topic, String key, String value) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, 0, ++clock, key, value);
        if (clock % 3 == 0) record.headers().add("h" + clock, ("of " + clock).getBytes(StandardCharsets.UTF_8));
        to.send(record, (done, error) -> { if (error != null) throw new IllegalStateException(error); });
    }

    private static void write(String bootstrap, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of("cleanup.policy", "compact",
                "internal.segment.bytes", "4096", "index.interval.bytes", "500", "min.cleanable.dirty.ratio", "0.0",
                "delete.retention.ms", "3000")))).all().get();
        }
        Random random = new Random(7);
        KafkaProducer<String, String> plain = producer(bootstrap, topic, null, false);
        KafkaProducer<String, String> idempotent = producer(bootstrap, topic, null, true);
        KafkaProducer<String, String> a = producer(bootstrap, topic, "a", true);
        KafkaProducer<String, String> b = producer(bootstrap, topic, "b", true);
        for (int round = 0; round < 30; round++) {
            List<KafkaProducer<String, String>> all = List.of(plain, idempotent, a, b);
            if (round % 3 == 0) { a.beginTransaction(); b.beginTransaction(); }
            for (KafkaProducer<String, String> each : all) {
                for (int i = 0; i < 1 + random.nextInt(6); i++) {
                    String key = "key " + random.nextInt(40);
                    // Some transactions have keys that nobody else has: when they are aborted, a whole batch goes.
                    if (each == b && round % 2 == 0) key = "own " + random.nextInt(5);
                    send(each, topic, key, random.nextInt(6) == 0 ? null : "value " + round + "x".repeat(random.nextInt(120)));
                }
                each.flush();
            }
            if (round % 3 == 2) {
                if (round % 2 == 0) a.commitTransaction(); else a.abortTransaction();
                if (round % 4 == 0) b.commitTransaction(); else b.abortTransaction();
            }
        }
        // A producer whose only trace is a marker, and keys that come once and are deleted at once.
        KafkaProducer<String, String> empty = producer(bootstrap, topic, "empty", true);
        empty.beginTransaction();
        send(empty, topic, "key 1", "aborted");
        empty.flush();
        empty.abortTransaction();
        send(idempotent, topic, "gone", null);
        idempotent.flush();
        // Its last batch will be emptied, and has to stay for its sequence.
        send(idempotent, topic, "filler 1", "soon overwritten");
        idempotent.flush();
        for (int i = 0; i < 40; i++) { send(plain, topic, "filler " + i % 3, "y".repeat(150)); plain.flush(); }
        for (KafkaProducer<String, String> each : List.of(plain, idempotent, a, b, empty)) each.close();
    }

    private static void read(String bootstrap, String topic, String isolation) {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrap, "isolation.level", isolation);
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            System.out.println(topic + " " + isolation + " begins at " + consumer.beginningOffsets(List.of(partition)) + " ends at " + end);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(10))) {
                    List<String> headers = new ArrayList<>();
                    for (Header header : record.headers()) headers.add(header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8));
                    System.out.println(record.offset() + " " + record.timestamp() + " " + record.leaderEpoch() + " " + record.key() + " "
                        + record.value() + " " + headers);
                }
            }
        }
    }
}
