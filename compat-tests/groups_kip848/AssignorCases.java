// Prints random groups and what Kafka's server-side assignors make of them, for `server/groups/assignor_cases_test.cc`:
//   java -cp 'libs/*' AssignorCases.java SEED CASES
// Every group goes on for a few rounds: members come and go, subscriptions and topics change, and what the assignor said
// last is what the members have, read back as from a record.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMemberValue;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;
import org.apache.kafka.coordinator.group.modern.TopicIds;

public class AssignorCases {
    static class Topic {
        Uuid id;
        int partitions;
        Set<String> racks = new HashSet<>();
    }

    static class Member {
        String instance;
        String rack;
        List<String> names;
        Map<Uuid, List<Integer>> assigned = new LinkedHashMap<>();
    }

    static Random random;
    static Map<String, Topic> topics;
    static Map<String, Member> members;

    static Uuid uuid() {
        return new Uuid(random.nextLong(), random.nextLong());
    }

    static String text(Map<Uuid, ? extends Iterable<Integer>> partitions) {
        if (partitions.isEmpty()) return "-";
        StringJoiner all = new StringJoiner(";");
        partitions.forEach((id, set) -> {
            StringJoiner one = new StringJoiner(",", id + ":", "");
            set.forEach(p -> one.add(Integer.toString(p)));
            all.add(one.toString());
        });
        return all.toString();
    }

    static List<String> subscription(boolean same) {
        List<String> all = new ArrayList<>(topics.keySet());
        if (same && !members.isEmpty()) return members.values().iterator().next().names;
        List<String> names = new ArrayList<>();
        for (String name : all) if (random.nextInt(3) > 0) names.add(name);
        if (random.nextInt(10) == 0) names.add("absent-" + random.nextInt(3));
        return names;
    }

    static void join(boolean same, boolean racks) {
        Member member = new Member();
        member.instance = random.nextInt(4) == 0 ? "instance-" + random.nextInt(1000000) : null;
        member.rack = racks ? "rack-" + random.nextInt(3) : null;
        member.names = subscription(same);
        members.put(uuid().toString(), member);
    }

    static void round(ConsumerGroupPartitionAssignor assignor) {
        boolean same = members.values().stream().map(m -> new HashSet<>(m.names)).distinct().count() <= 1;
        TopicIds.TopicResolver resolver = new TopicIds.TopicResolver() {
            public CoordinatorMetadataImage image() { return null; }
            public Uuid id(String name) { return topics.containsKey(name) ? topics.get(name).id : null; }
            public String name(Uuid id) {
                for (var e : topics.entrySet()) if (e.getValue().id.equals(id)) return e.getKey();
                return null;
            }
            public void clear() { }
        };
        SubscribedTopicDescriber describer = new SubscribedTopicDescriber() {
            public int numPartitions(Uuid id) {
                String name = resolver.name(id);
                return name == null ? -1 : topics.get(name).partitions;
            }
            public Set<String> racksForPartition(Uuid id, int partition) {
                return topics.get(resolver.name(id)).racks;
            }
        };
        System.out.println("case " + assignor.name() + " " + (same ? "same" : "different"));
        topics.forEach((name, t) -> System.out.println("topic " + name + " " + t.id + " " + t.partitions));
        Map<String, MemberSubscriptionAndAssignmentImpl> specs = new HashMap<>();
        Map<Uuid, Map<Integer, String>> inverted = new HashMap<>();
        members.forEach((id, m) -> {
            System.out.println("member " + id + " " + (m.instance == null ? "-" : m.instance) + " "
                + (m.rack == null ? "-" : m.rack) + " " + (m.names.isEmpty() ? "-" : String.join(",", m.names)) + " "
                + text(m.assigned));
            ConsumerGroupTargetAssignmentMemberValue record = new ConsumerGroupTargetAssignmentMemberValue();
            m.assigned.forEach((topic, list) -> {
                record.topicPartitions().add(new ConsumerGroupTargetAssignmentMemberValue.TopicPartition()
                    .setTopicId(topic).setPartitions(list));
                list.forEach(p -> inverted.computeIfAbsent(topic, t -> new HashMap<>()).put(p, id));
            });
            specs.put(id, new MemberSubscriptionAndAssignmentImpl(Optional.ofNullable(m.rack),
                Optional.ofNullable(m.instance), new TopicIds(new HashSet<>(m.names), resolver),
                Assignment.fromRecord(record)));
        });
        GroupAssignment result = assignor.assign(new GroupSpecImpl(specs,
            same ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS, inverted), describer);
        for (String id : specs.keySet()) {
            MemberAssignment assignment = result.members().get(id);
            Map<Uuid, Set<Integer>> partitions = assignment == null ? Map.of() : assignment.partitions();
            System.out.println("expect " + id + " " + text(partitions));
            Member member = members.get(id);
            member.assigned = new LinkedHashMap<>();
            partitions.forEach((topic, set) -> member.assigned.put(topic, new ArrayList<>(set)));
        }
        System.out.println("end");
    }

    static void change(boolean same, boolean racks) {
        Iterator<Map.Entry<String, Member>> it = members.entrySet().iterator();
        while (it.hasNext()) {
            it.next();
            if (members.size() > 1 && random.nextInt(5) == 0) it.remove();
        }
        for (int i = random.nextInt(4); i > 0; i--) join(same, racks);
        if (random.nextInt(3) == 0) topics.values().iterator().next().partitions += 1 + random.nextInt(5);
        if (random.nextInt(3) == 0) {
            List<String> names = subscription(false);
            if (same) {
                members.values().forEach(m -> m.names = names);
            } else {
                members.values().iterator().next().names = names;
            }
        }
    }

    public static void main(String[] args) {
        random = new Random(Long.parseLong(args[0]));
        int left = Integer.parseInt(args[1]);
        while (left > 0) {
            boolean same = random.nextBoolean();
            boolean racks = random.nextBoolean();
            ConsumerGroupPartitionAssignor assignor =
                random.nextInt(3) == 0 ? new RangeAssignor() : new UniformAssignor();
            topics = new LinkedHashMap<>();
            members = new LinkedHashMap<>();
            for (int i = 1 + random.nextInt(random.nextInt(10) == 0 ? 30 : 8); i > 0; i--) {
                Topic topic = new Topic();
                topic.id = uuid();
                topic.partitions = 1 + random.nextInt(random.nextInt(10) == 0 ? 100 : 20);
                if (racks) topic.racks.add("rack-" + random.nextInt(3));
                topics.put("topic-" + random.nextInt(100000), topic);
            }
            for (int i = 1 + random.nextInt(random.nextInt(10) == 0 ? 60 : 12); i > 0; i--) join(same, racks);
            for (int i = 1 + random.nextInt(5); i > 0 && left > 0; i--, left--) {
                round(assignor);
                change(same, racks);
            }
        }
    }
}
