import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A group member that logs what happens to it (README.md, "Group members") over the Java kafka-clients. */
public class JavaMember implements ConsumerRebalanceListener {
    private static volatile boolean stopping = false;

    private final Writer out = new BufferedWriter(
        new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.US_ASCII), 1 << 16);
    private final Map<TopicPartition, OffsetAndMetadata> processed = new HashMap<>();
    private final KafkaConsumer<byte[], byte[]> consumer;

    private JavaMember(Map<String, String> options) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", options.get("--bootstrap"));
        config.put("group.id", options.get("--group"));
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        config.put("metadata.max.age.ms", 1000);
        config.put("group.protocol", options.get("--protocol"));
        if (options.get("--protocol").equals("classic")) {
            config.put("session.timeout.ms", 8000);
            config.put("heartbeat.interval.ms", 500);
            config.put("partition.assignment.strategy", options.get("--assignor").equals("cooperative")
                ? "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
                : "org.apache.kafka.clients.consumer.RangeAssignor");
        }
        consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        if (!options.get("--topic").startsWith("^")) consumer.subscribe(List.of(options.get("--topic")), this);
        else consumer.subscribe(new SubscriptionPattern(options.get("--topic")), this);
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) options.put(args[i], args[i + 1]);
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stopping = true;
            try {
                main.join(30000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        new JavaMember(options).run();
    }

    private void run() {
        while (!stopping) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
            for (ConsumerRecord<byte[], byte[]> record : records) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                emit("record", "\"at\": " + at(partition, record.offset()));
                processed.put(partition, new OffsetAndMetadata(record.offset() + 1));
            }
            if (!records.isEmpty()) commit(processed.keySet());
        }
        consumer.close();
        emit("closed", "\"at\": []");
        flush();
    }

    /** What was processed is in the log before the server is told of it. A rebalance under way refuses the commit. */
    private void commit(Collection<TopicPartition> partitions) {
        flush();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(processed);
        offsets.keySet().retainAll(partitions);
        if (offsets.isEmpty()) return;
        try {
            consumer.commitSync(offsets);
        } catch (RebalanceInProgressException | CommitFailedException e) {
            return;
        }
        emit("committed", "\"offsets\": " + offsets.entrySet().stream()
            .map(each -> at(each.getKey(), each.getValue().offset())).collect(Collectors.joining(", ", "[", "]")));
        flush();
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        emitPartitions("assigned", partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        commit(partitions);
        emitPartitions("revoked", partitions);
        processed.keySet().removeAll(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        emitPartitions("lost", partitions);
        processed.keySet().removeAll(partitions);
    }

    private void emitPartitions(String event, Collection<TopicPartition> partitions) {
        emit(event, "\"partitions\": " + partitions.stream()
            .map(each -> "[\"" + each.topic() + "\", " + each.partition() + "]").collect(Collectors.joining(", ", "[", "]")));
        flush();
    }

    private static String at(TopicPartition partition, long offset) {
        return "[\"" + partition.topic() + "\", " + partition.partition() + ", " + offset + "]";
    }

    private void emit(String event, String rest) {
        try {
            out.write("{\"t\": " + System.nanoTime() + ", \"event\": \"" + event + "\", " + rest + "}\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
