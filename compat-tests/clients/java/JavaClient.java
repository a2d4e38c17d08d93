import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The client driver (README.md, "Client drivers") over the Java kafka-clients. */
public class JavaClient {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i + 1 < args.length; i += 2) options.put(args[i], args[i + 1]);
        if (args[0].equals("produce")) produce(options);
        else consume(options);
    }

    private static void produce(Map<String, String> options) throws Exception {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", options.get("--bootstrap"));
        config.put("compression.type", options.get("--codec"));
        config.put("acks", "all");
        config.put("linger.ms", 50);
        config.put("max.request.size", 12 << 20);
        config.put("buffer.memory", 64L << 20);
        config.put("delivery.timeout.ms", 60000);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer =
                 new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                JsonNode node = JSON.readTree(line);
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(options.get("--topic"),
                    Integer.parseInt(options.get("--partition")), bytes(node.get("key")), bytes(node.get("value")));
                for (JsonNode header : node.get("headers")) record.headers().add(header.get(0).asText(), bytes(header.get(1)));
                sent.add(producer.send(record));
            }
            List<Long> offsets = new ArrayList<>();
            for (Future<RecordMetadata> each : sent) offsets.add(each.get().offset());
            System.out.println(JSON.writeValueAsString(Map.of("offsets", offsets)));
        }
    }

    private static void consume(Map<String, String> options) throws Exception {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", options.get("--bootstrap"));
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        int count = Integer.parseInt(options.get("--count"));
        long deadline = System.currentTimeMillis() + 60000;
        TopicPartition partition = new TopicPartition(options.get("--topic"), Integer.parseInt(options.get("--partition")));
        try (KafkaConsumer<byte[], byte[]> consumer =
                 new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            int seen = 0;
            while (seen < count && System.currentTimeMillis() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
                    print(record);
                    seen++;
                }
            }
        }
    }

    private static void print(ConsumerRecord<byte[], byte[]> record) throws Exception {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("offset", record.offset());
        node.put("key", text(record.key()));
        node.put("value", text(record.value()));
        List<List<String>> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            List<String> pair = new ArrayList<>();
            pair.add(header.key());
            pair.add(text(header.value()));
            headers.add(pair);
        }
        node.put("headers", headers);
        System.out.println(JSON.writeValueAsString(node));
    }

    private static byte[] bytes(JsonNode node) {
        return node.isNull() ? null : Base64.getDecoder().decode(node.asText());
    }

    private static String text(byte[] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }
}
