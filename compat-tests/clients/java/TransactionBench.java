import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How long a write takes, one after another: with idempotence until its acknowledgement, and as a transaction of its own
 * from its begin to the end of its commit.
 *
 * TransactionBench BOOTSTRAP TOPIC COUNT: a line of JSON, times in microseconds.
 */
public class TransactionBench {
    private static final int RECORD_BYTES = 100;

    private interface Step {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[2]);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(args[1], 0, null, new byte[RECORD_BYTES]);
        Map<String, Object> result = new LinkedHashMap<>();
        try (KafkaProducer<byte[], byte[]> plain = producer(args[0], null);
             KafkaProducer<byte[], byte[]> transactional = producer(args[0], "bench")) {
            transactional.initTransactions();
            Step write = () -> plain.send(record).get();
            Step transaction = () -> {
                transactional.beginTransaction();
                transactional.send(record);
                transactional.commitTransaction();
            };
            measure(write, count);
            measure(transaction, count);
            result.put("idempotent", measure(write, count));
            result.put("transactional", measure(transaction, count));
        }
        System.out.println(new ObjectMapper().writeValueAsString(result));
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap, String transactionalId) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrap);
        config.put("enable.idempotence", true);
        config.put("linger.ms", 0);
        if (transactionalId != null) config.put("transactional.id", transactionalId);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Map<String, Object> measure(Step step, int count) throws Exception {
        long[] times = new long[count];
        long began = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            step.run();
            times[i] = System.nanoTime() - start;
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        Arrays.sort(times);
        return Map.of("per_second", count / seconds, "p50", times[count / 2] / 1000, "p99", times[count * 99 / 100] / 1000);
    }
}
