// Prints what Apache Kafka's own classes do with every message in every version, a JSON object a line, for dohle_golden.
//
//   java -cp 'LIBS/*' GoldenVectors.java LIBS SEED      vectors
//   java -cp 'LIBS/*' GoldenVectors.java LIBS tables    error codes, API keys and header versions
//
// Values come from a fixed seed: the default instance, random instances that fit the version (nulls, empty and extreme
// values, unknown tags), "wild" ones that may not fit it, and damaged bytes for the reader.
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.MemoryRecords;

public class GoldenVectors {
    static final int FITTING = 6;
    static final int WILD = 4;
    static final int DAMAGED = 6;
    static final ObjectMapper JSON = new ObjectMapper().enable(JsonParser.Feature.ALLOW_COMMENTS);
    static final HexFormat HEX = HexFormat.of();
    // Jars whose messages a broker writes or reads; kafka-streams has one that only clients know.
    static final List<String> JARS = List.of("kafka-clients", "kafka-metadata", "kafka-group-coordinator",
        "kafka-transaction-coordinator", "kafka-share-coordinator", "kafka-raft", "kafka-storage");

    static PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 20), false, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        if (args[1].equals("tables")) {
            tables();
        } else {
            long seed = Long.parseLong(args[1]);
            for (Spec spec : specs(Path.of(args[0])).values()) new Vectors(spec, seed).print();
        }
        out.flush();
    }

    static void tables() {
        for (Errors error : Errors.values()) {
            out.printf("error\t%d\t%s\t%s\t%s%n", error.code(), error.name(),
                error.exception() instanceof RetriableException, error.message());
        }
        for (ApiKeys api : ApiKeys.values()) {
            boolean live = api.hasValidVersion();
            out.printf("api\t%d\t%s\t%d\t%d\t%s%n", api.id, api.name,
                api.inScope(ApiMessageType.ListenerType.BROKER) ? 1 : 0,
                api.inScope(ApiMessageType.ListenerType.CONTROLLER) ? 1 : 0,
                live ? api.oldestVersion() + "\t" + api.latestVersion(true) + "\t" + api.latestVersion(false) : "");
            for (int version = api.oldestVersion(); live && version <= api.latestVersion(true) + 2; version++) {
                out.printf("header\t%d\t%d\t%d\t%d%n", api.id, version, api.requestHeaderVersion((short) version),
                    api.responseHeaderVersion((short) version));
            }
        }
    }

    record Range(int first, int last) {
        static Range parse(String text) {
            if (text == null || text.isEmpty() || text.equals("none")) return new Range(1, 0);
            if (text.endsWith("+")) return new Range(Integer.parseInt(text.substring(0, text.length() - 1)), 32767);
            String[] ends = text.split("-");
            return new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
        }

        boolean contains(int version) {
            return first <= version && version <= last;
        }

        Range intersect(Range other) {
            return new Range(Math.max(first, other.first), Math.min(last, other.last));
        }

        boolean isEmpty() {
            return first > last;
        }
    }

    static class Spec {
        String name;
        JsonNode json;
        Class<?> type;
        Range versions;
        Range flexible;
        Map<String, JsonNode> commonStructs = new HashMap<>();
        Map<String, Class<?>> nested = new HashMap<>();
    }

    static TreeMap<String, Spec> specs(Path libs) throws Exception {
        TreeMap<String, Spec> specs = new TreeMap<>();
        Map<String, List<String>> classes = new HashMap<>();
        try (var files = Files.list(libs)) {
            for (Path jar : files.filter(p -> JARS.stream().anyMatch(j -> p.getFileName().toString().matches(j + "-[0-9.]+\\.jar"))).toList()) {
                try (ZipFile zip = new ZipFile(jar.toFile())) {
                    for (ZipEntry entry : java.util.Collections.list(zip.entries())) {
                        String path = entry.getName();
                        String last = path.substring(path.lastIndexOf('/') + 1);
                        if (path.matches("(common/)?(message|metadata)/[A-Za-z]+\\.json")) {
                            Spec spec = new Spec();
                            spec.json = JSON.readTree(zip.getInputStream(entry).readAllBytes());
                            spec.name = spec.json.get("name").asText();
                            specs.put(spec.name, spec);
                        } else if (last.endsWith(".class")) {
                            classes.computeIfAbsent(last.substring(0, last.length() - 6), k -> new ArrayList<>())
                                .add(path.substring(0, path.length() - 6).replace('/', '.'));
                        }
                    }
                }
            }
        }
        specs.values().removeIf(spec -> spec.json.get("validVersions").asText().equals("none"));
        for (Spec spec : specs.values()) complete(spec, classes);
        return specs;
    }

    static void complete(Spec spec, Map<String, List<String>> classes) throws Exception {
        String kind = spec.json.get("type").asText();
        boolean hasSuffix = List.of("request", "response", "header").contains(kind);
        for (String name : classes.getOrDefault(spec.name + (hasSuffix ? "Data" : ""), List.of())) {
            Class<?> type = Class.forName(name);
            if (Message.class.isAssignableFrom(type)) spec.type = type;
        }
        if (spec.type == null) throw new IllegalStateException("no class for " + spec.name);
        spec.versions = Range.parse(spec.json.get("validVersions").asText());
        spec.flexible = spec.json.has("flexibleVersions") ? Range.parse(spec.json.get("flexibleVersions").asText()) : new Range(1, 0);
        for (JsonNode struct : spec.json.path("commonStructs")) spec.commonStructs.put(struct.get("name").asText(), struct);
        for (Class<?> nested : spec.type.getDeclaredClasses()) spec.nested.put(nested.getSimpleName(), nested);
    }

    /** The vectors of one message. */
    static class Vectors {
        final Spec spec;
        final long seed;
        Random random;
        short version;
        boolean wild;

        Vectors(Spec spec, long seed) {
            this.spec = spec;
            this.seed = seed;
        }

        void print() throws Exception {
            for (int v = spec.versions.first; v <= spec.versions.last; v++) {
                version = (short) v;
                random = new Random(seed * 1000003 + spec.name.hashCode() * 31L + v);
                wild = false;
                vector((Message) spec.type.getConstructor().newInstance(), JSON.createObjectNode());
                for (int i = 0; i < FITTING; i++) instance();
                wild = true;
                for (int i = 0; i < WILD; i++) instance();
            }
        }

        void instance() throws Exception {
            Message message = (Message) spec.type.getConstructor().newInstance();
            ObjectNode value = JSON.createObjectNode();
            fill(message, spec.json.get("fields"), value, spec.versions);
            byte[] bytes = vector(message, value);
            if (bytes == null || wild) return;
            for (int i = 0; i < DAMAGED / FITTING; i++) damaged(bytes);
        }

        byte[] vector(Message message, ObjectNode value) throws Exception {
            ObjectNode line = JSON.createObjectNode();
            line.put("message", spec.name).put("version", version).set("value", value);
            byte[] bytes = null;
            try {
                bytes = write(message);
                line.put("bytes", HEX.formatHex(bytes));
                JsonNode json = kafkaJson(message);
                if (json != null) line.set("json", json);
            } catch (RuntimeException refused) {
                line.put("refused", refused.toString());
            }
            out.println(JSON.writeValueAsString(line));
            return bytes;
        }

        byte[] write(Message message) {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
            message.write(new ByteBufferAccessor(buffer), cache, version);
            if (buffer.hasRemaining()) throw new IllegalStateException("size() and write() disagree");
            return buffer.array();
        }

        JsonNode kafkaJson(Message message) throws Exception {
            try {
                Class<?> converter = Class.forName(spec.type.getName() + "JsonConverter");
                return (JsonNode) converter.getMethod("write", spec.type, short.class, boolean.class)
                    .invoke(null, message, version, false);
            } catch (ClassNotFoundException none) {
                return null;
            }
        }

        /** Cut, flipped, or extended bytes: what does Kafka's reader say? */
        void damaged(byte[] bytes) throws Exception {
            byte[] bad = bytes.clone();
            int kind = random.nextInt(3);
            if (kind == 0 && bad.length > 0) bad = java.util.Arrays.copyOf(bad, random.nextInt(bad.length));
            for (int i = 0; kind > 0 && i < kind && bad.length > 0; i++) {
                bad[random.nextInt(bad.length)] = (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextBoolean() ? 0xff : 0x7f);
            }
            ObjectNode line = JSON.createObjectNode();
            line.put("message", spec.name).put("version", version).put("garbage", HEX.formatHex(bad));
            ByteBuffer buffer = ByteBuffer.wrap(bad);
            try {
                Message message = (Message) spec.type.getConstructor().newInstance();
                message.read(new ByteBufferAccessor(buffer), version);
                line.put("accepted", true).put("left", buffer.remaining());
                rewritten(message, line);
            } catch (RuntimeException refused) {
                line.put("accepted", false);
            }
            out.println(JSON.writeValueAsString(line));
        }

        /** Java replaces text that is not UTF-8 when it reads, and it grows: such a message says nothing about our writer. */
        void rewritten(Message message, ObjectNode line) {
            try {
                String again = HEX.formatHex(write(message));
                if (!again.contains("efbfbd")) line.put("rewritten", again);
            } catch (RuntimeException refused) {
                if (!refused.getMessage().endsWith("too long to be serialized")) line.put("refused", refused.toString());
            }
        }

        void fill(Message message, JsonNode fields, ObjectNode value, Range parent) throws Exception {
            for (JsonNode field : fields) {
                Range live = versions(field).intersect(spec.versions).intersect(parent);
                if (live.isEmpty()) continue;
                boolean present = live.contains(version);
                boolean set = present ? random.nextInt(8) != 0 : wild && random.nextInt(6) == 0;
                if (set) set(message, field, value, live, present);
            }
            if (!spec.flexible.intersect(spec.versions).isEmpty()) unknownTags(message, value);
        }

        static Range versions(JsonNode field) {
            return Range.parse(field.path(field.has("versions") ? "versions" : "taggedVersions").asText());
        }

        void set(Message message, JsonNode field, ObjectNode value, Range live, boolean present) throws Exception {
            String name = field.get("name").asText();
            String camel = Character.toLowerCase(name.charAt(0)) + name.substring(1);
            Field member = message.getClass().getDeclaredField(camel);
            member.setAccessible(true);
            Range nullable = Range.parse(field.path("nullableVersions").asText()).intersect(live);
            boolean mayBeNull = nullable.contains(version) || (wild && !nullable.isEmpty());
            if (mayBeNull && random.nextInt(3) == 0) {
                member.set(message, null);
                value.putNull(camel);
                return;
            }
            String type = field.get("type").asText();
            if (type.startsWith("[]")) {
                ArrayNode items = value.putArray(camel);
                Collection<Object> list = collection(member.getType());
                for (int i = random.nextInt(4); i > 0; i--) {
                    ObjectNode holder = JSON.createObjectNode();
                    list.add(element(type.substring(2), field, holder, live));
                    items.add(holder.get("it"));
                }
                member.set(message, list);
            } else {
                ObjectNode holder = JSON.createObjectNode();
                Object made = element(type, field, holder, live);
                if (member.getType() == ByteBuffer.class) made = ByteBuffer.wrap((byte[]) made);
                member.set(message, made);
                value.set(camel, holder.get("it"));
            }
        }

        @SuppressWarnings("unchecked")
        static Collection<Object> collection(Class<?> type) throws Exception {
            return type == List.class ? new ArrayList<>() : (Collection<Object>) type.getConstructor().newInstance();
        }

        Object element(String type, JsonNode field, ObjectNode holder, Range live) throws Exception {
            switch (type) {
                case "bool": { boolean b = random.nextBoolean(); holder.put("it", b); return b; }
                case "int8": { byte n = (byte) number(8); holder.put("it", n); return n; }
                case "int16": { short n = (short) number(16); holder.put("it", n); return n; }
                case "uint16": { int n = (int) number(16) & 0xffff; holder.put("it", n); return n; }
                case "int32": { int n = (int) number(32); holder.put("it", n); return n; }
                case "uint32": { long n = number(32) & 0xffffffffL; holder.put("it", n); return n; }
                case "int64": { long n = number(64); holder.put("it", n); return n; }
                case "float64": { double d = real(); holder.put("it", d); return d; }
                case "uuid": { Uuid id = uuid(); holder.put("it", id.toString()); return id; }
                case "string": { String s = text(); holder.put("it", s); return s; }
                case "bytes":
                case "records": {
                    byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(200)];
                    random.nextBytes(bytes);
                    holder.put("it", Base64.getEncoder().encodeToString(bytes));
                    return type.equals("bytes") ? bytes : MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
                }
                default: {
                    Message struct = (Message) spec.nested.get(type).getConstructor().newInstance();
                    JsonNode shared = spec.commonStructs.get(type);
                    JsonNode fields = shared != null ? shared.get("fields") : field.get("fields");
                    Range range = shared != null ? Range.parse(shared.get("versions").asText()) : live;
                    fill(struct, fields, holder.putObject("it"), range);
                    return struct;
                }
            }
        }

        long number(int bits) {
            long max = (1L << (bits - 1)) - 1;
            switch (random.nextInt(6)) {
                case 0: return 0;
                case 1: return -1;
                case 2: return max;
                case 3: return -max - 1;
                case 4: return random.nextInt(100);
                default: return random.nextLong() >> (64 - bits);
            }
        }

        double real() {
            double[] choices = {0, 1, -1.5, 12345.25, 1e15, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
            return choices[random.nextInt(choices.length)];
        }

        Uuid uuid() {
            return random.nextInt(3) == 0 ? Uuid.ZERO_UUID : new Uuid(random.nextLong(), random.nextLong());
        }

        String text() {
            String[] choices = {"", "a", "topic-1", "\u00e4\u20ac", "\ud83d\udc26 bird", "quote\"back\\slash\n\t\u0001", "\u0000", "x".repeat(130)};
            return random.nextInt(2000) == 0 ? "y".repeat(0x7fff) : choices[random.nextInt(choices.length)];
        }

        void unknownTags(Message message, ObjectNode value) {
            boolean flexible = spec.flexible.contains(version);
            int odds = flexible ? 4 : wild ? 30 : 0;
            if (odds == 0 || random.nextInt(odds) != 0) return;
            ArrayNode tags = value.putArray("unknownTags");
            int tag = 20;
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                tag += wild ? random.nextInt(40) - 10 : 1 + random.nextInt(1000000000);
                byte[] bytes = new byte[random.nextInt(5)];
                random.nextBytes(bytes);
                message.unknownTaggedFields().add(new RawTaggedField(tag, bytes));
                tags.addObject().put("tag", tag).put("bytes", Base64.getEncoder().encodeToString(bytes));
            }
        }
    }
}
