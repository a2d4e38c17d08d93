import java.io.BufferedWriter;
import java.io.FileWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A worker of the exactly-once history over the Java client: a transactional producer to the topic "input", and a
 * consume-transform-produce loop from it. Both write what they do to a history (harness/eos_checker.py says how it reads)
 * before they do it, so that a kill -9 loses nothing that counts. Ends when the standard input closes.
 */
public class EosWorker {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int COMMIT_TRIES_MAX = 20;
    private static volatile boolean stopped;

    private final Map<String, String> options;
    private final String id;
    private final BufferedWriter history;
    private final Random chance = new Random();
    private final int abortPercent;
    private int number;

    private EosWorker(Map<String, String> options, String role) throws IOException {
        this.options = options;
        this.id = options.get("--name") + role;
        this.history = new BufferedWriter(
            new FileWriter(options.get("--history") + "-" + role + ".jsonl", StandardCharsets.UTF_8, true));
        this.abortPercent = Integer.parseInt(options.get("--abort-percent"));
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) options.put(args[i], args[i + 1]);
        List<Thread> threads = new ArrayList<>();
        for (String role : options.get("--roles").split(",")) {
            EosWorker worker = new EosWorker(options, role);
            Thread thread = new Thread(() -> worker.runAll(role));
            thread.start();
            threads.add(thread);
        }
        while (System.in.read() >= 0) { }
        stopped = true;
        for (Thread thread : threads) thread.join();
    }

    private void runAll(String role) {
        while (!stopped) {
            try (KafkaProducer<String, String> producer = producer()) {
                try {
                    begin(producer);
                    if (role.equals("p")) produce(producer);
                    else transform(producer);
                } catch (KafkaException | IllegalStateException failure) {
                    System.err.println(id + " begins anew: " + failure);
                    producer.close(Duration.ZERO);
                }
            } catch (KafkaException failure) {
                System.err.println(id + ": " + failure);
            } catch (Exception failure) {
                failure.printStackTrace();
                System.exit(1);
            }
        }
    }

    private KafkaProducer<String, String> producer() {
        Map<String, Object> config = new HashMap<>(connection());
        config.put("transactional.id", id);
        config.put("transaction.timeout.ms", 15000);
        config.put("delivery.timeout.ms", 12000);
        config.put("request.timeout.ms", 4000);
        config.put("max.block.ms", 5000);
        config.put("linger.ms", 0);
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private Map<String, Object> connection() {
        return Map.of("bootstrap.servers", options.get("--bootstrap"), "reconnect.backoff.ms", 20,
            "reconnect.backoff.max.ms", 200, "retry.backoff.ms", 20, "retry.backoff.max.ms", 200);
    }

    private void begin(KafkaProducer<String, String> producer) {
        while (true) {
            try {
                producer.initTransactions();
                return;
            } catch (TimeoutException failure) {
                if (stopped) throw failure;
            }
        }
    }

    // -- the history ---------------------------------------------------------------------------------------------------

    private void note(Object... pairs) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) line.put((String) pairs[i], pairs[i + 1]);
        history.write(JSON.writeValueAsString(line));
        history.newLine();
        history.flush();
    }

    // -- transactions --------------------------------------------------------------------------------------------------

    private record Output(int partition, String value) { }

    private interface Offsets {
        void send();
    }

    /** Tells whether it was committed. Throws if the producer is of no use any more. */
    private boolean transaction(KafkaProducer<String, String> producer, String topic, List<Output> outputs, Offsets offsets)
        throws Exception {
        String name = id + "." + options.get("--incarnation") + "." + number++;
        List<List<Object>> sent = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            sent.add(List.of(outputs.get(i).partition(), name + "." + i + outputs.get(i).value()));
        }
        boolean commits = chance.nextInt(100) >= abortPercent;
        note("event", "begin", "txn", name, "topic", topic, "records", sent);
        boolean asked = false;
        try {
            producer.beginTransaction();
            List<Future<RecordMetadata>> answers = new ArrayList<>();
            for (List<Object> each : sent) {
                answers.add(producer.send(new ProducerRecord<>(topic, (Integer) each.get(0), null, (String) each.get(1))));
            }
            if (offsets != null) offsets.send();
            if (!commits) {
                abort(producer);
                note("event", "aborted", "txn", name);
                return false;
            }
            note("event", "committing", "txn", name);
            asked = true;
            commit(producer);
            List<Long> positions = new ArrayList<>();
            for (Future<RecordMetadata> answer : answers) positions.add(answer.get().offset());
            note("event", "committed", "txn", name, "offsets", positions);
            return true;
        } catch (KafkaException failure) {
            note("event", "failed", "txn", name, "why", failure.toString());
            // Allowed only if nothing was committed; else it throws.
            abort(producer);
            note("event", "aborted", "txn", name, "asked", asked);
            return false;
        }
    }

    /**
     * Flushes first. Without that, kafka-clients 4.4.0 may keep a record of the aborted transaction in its accumulator, and
     * send it in one batch with a record of the next: the sender asks for incomplete batches, then the application sends
     * and aborts, and then the sender takes the end out of its queue with the old answer
     * (Sender.maybeSendAndPollTransactionalRequest).
     */
    private static void abort(KafkaProducer<String, String> producer) {
        producer.flush();
        producer.abortTransaction();
    }

    private void commit(KafkaProducer<String, String> producer) {
        for (int tries = 1; ; tries++) {
            try {
                producer.commitTransaction();
                return;
            } catch (TimeoutException failure) {
                if (tries == COMMIT_TRIES_MAX) throw new IllegalStateException("the commit has no answer", failure);
            }
        }
    }

    private void produce(KafkaProducer<String, String> producer) throws Exception {
        int partitions = Integer.parseInt(options.get("--partitions"));
        long pause = 1_000_000_000L / Integer.parseInt(options.get("--rate"));
        long next = System.nanoTime();
        while (!stopped) {
            List<Output> outputs = new ArrayList<>();
            for (int i = 1 + chance.nextInt(3); i > 0; i--) outputs.add(new Output(chance.nextInt(partitions), ""));
            transaction(producer, "input", outputs, null);
            next = Math.max(next + pause, System.nanoTime() - 10 * pause);
            sleep((next - System.nanoTime()) / 1_000_000);
        }
    }

    private void transform(KafkaProducer<String, String> producer) throws Exception {
        Map<String, Object> config = new HashMap<>(connection());
        config.put("group.id", options.get("--group"));
        config.put("group.protocol", options.get("--group-protocol"));
        if (options.get("--group-protocol").equals("classic")) {
            config.put("session.timeout.ms", 3000);
            config.put("heartbeat.interval.ms", 500);
        }
        config.put("isolation.level", "read_committed");
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        config.put("max.poll.records", 30);
        config.put("default.api.timeout.ms", 15000);
        config.put("request.timeout.ms", 4000);
        try (KafkaConsumer<String, String> consumer =
                 new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("input"));
            while (!stopped) {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(200));
                if (records.isEmpty()) continue;
                List<Output> outputs = new ArrayList<>();
                Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                for (ConsumerRecord<String, String> record : records) {
                    outputs.add(new Output(record.partition(),
                        "|" + record.partition() + "|" + record.offset() + "|" + record.value()));
                    offsets.put(new TopicPartition(record.topic(), record.partition()),
                        new OffsetAndMetadata(record.offset() + 1));
                }
                boolean committed = transaction(producer, options.get("--output"), outputs,
                    () -> producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata()));
                if (!committed) rewind(consumer);
                sleep(10);
            }
        }
    }

    private static void rewind(KafkaConsumer<String, String> consumer) {
        while (true) {
            try {
                for (Map.Entry<TopicPartition, OffsetAndMetadata> each : consumer.committed(consumer.assignment()).entrySet()) {
                    if (each.getValue() == null) consumer.seekToBeginning(List.of(each.getKey()));
                    else consumer.seek(each.getKey(), each.getValue().offset());
                }
                return;
            } catch (TimeoutException failure) {
                if (stopped) throw failure;
            }
        }
    }

    private static void sleep(long milliseconds) throws InterruptedException {
        if (milliseconds > 0) Thread.sleep(milliseconds);
    }
}
