// The changes whose records the samples hold. Usage: java MakeSteps.java <bootstrap> ; prints what the cluster says after.
import java.util.*;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.*;
import org.apache.kafka.common.resource.*;

public class MakeSteps {
  static void say(String what, Callable<KafkaFuture<?>> f) {
    try { System.out.println(what + ": ok " + f.call().get()); }
    catch (Exception e) {
      Throwable t = e.getCause() == null ? e : e.getCause();
      System.out.println(what + ": " + t.getClass().getSimpleName() + ": " + t.getMessage());
    }
  }
  static void create(Admin a, NewTopic t) { say("create " + t, () -> a.createTopics(List.of(t)).all()); }
  static void alter(Admin a, ConfigResource r, AlterConfigOp... ops) {
    say("alter " + r + " " + Arrays.toString(ops), () -> a.incrementalAlterConfigs(Map.of(r, List.of(ops))).all());
  }
  static AlterConfigOp op(String k, String v, AlterConfigOp.OpType t) { return new AlterConfigOp(new ConfigEntry(k, v), t); }
  public static void main(String[] args) throws Exception {
    var p = new Properties(); p.put("bootstrap.servers", args[0]);
    try (Admin a = Admin.create(p)) {
      create(a, new NewTopic("plain", 3, (short) 1));
      create(a, new NewTopic("defaults", Optional.empty(), Optional.empty()));
      create(a, new NewTopic("configured", 1, (short) 1).configs(new TreeMap<>(Map.of("cleanup.policy", "compact", "segment.bytes", "2097152"))));
      create(a, new NewTopic("assigned", Map.of(0, List.of(1), 1, List.of(1))));
      create(a, new NewTopic("doomed", 2, (short) 1));
      // Refusals: the exact words.
      create(a, new NewTopic("plain", 3, (short) 1));
      create(a, new NewTopic("bad name", 1, (short) 1));
      create(a, new NewTopic("", 1, (short) 1));
      create(a, new NewTopic("..", 1, (short) 1));
      create(a, new NewTopic("x".repeat(250), 1, (short) 1));
      create(a, new NewTopic("a.b", 1, (short) 1));
      create(a, new NewTopic("a_b", 1, (short) 1));
      create(a, new NewTopic("n0", 0, (short) 1));
      create(a, new NewTopic("n-2", -2, (short) 1));
      create(a, new NewTopic("r0", 1, (short) 0));
      create(a, new NewTopic("r3", 1, (short) 3));
      create(a, new NewTopic("many", 10001, (short) 1));
      create(a, new NewTopic("m1", Map.of(1, List.of(1))));
      create(a, new NewTopic("m2", Map.of(0, List.of(1, 1))));
      create(a, new NewTopic("m3", Map.of(0, List.of(7))));
      create(a, new NewTopic("m4", Map.of(0, List.of())));
      create(a, new NewTopic("m5", Map.of(0, List.of(-1))));
      create(a, new NewTopic("m6", Map.of()));
      create(a, new NewTopic("m7", Map.of(0, List.of(1), 2, List.of(1))));
      create(a, new NewTopic("c1", 1, (short) 1).configs(Map.of("no.such", "1")));
      create(a, new NewTopic("c2", 1, (short) 1).configs(Map.of("segment.bytes", "x")));
      create(a, new NewTopic("c3", 1, (short) 1).configs(Map.of("segment.bytes", "1")));
      var nulls = new HashMap<String, String>(); nulls.put("segment.bytes", null);
      create(a, new NewTopic("c4", 1, (short) 1).configs(nulls));
      create(a, new NewTopic("__cluster_metadata", 1, (short) 1));
      say("validate only", () -> a.createTopics(List.of(new NewTopic("vo", 2, (short) 1)), new CreateTopicsOptions().validateOnly(true)).all());
      say("grow plain 5", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(5))).all());
      say("grow plain 5 again", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(5))).all());
      say("grow plain 4", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(4))).all());
      say("grow nosuch", () -> a.createPartitions(Map.of("nosuch", NewPartitions.increaseTo(4))).all());
      say("grow plain 6 with 2", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(6, List.of(List.of(1), List.of(1))))).all());
      say("grow plain 6 with 7", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(6, List.of(List.of(7))))).all());
      say("grow plain 7 with none", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(7, List.of(List.of(), List.of())))).all());
      say("grow plain 7 with rf", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(7, List.of(List.of(1, 7), List.of(1))))).all());
      say("grow plain 20000", () -> a.createPartitions(Map.of("plain", NewPartitions.increaseTo(20000))).all());
      say("delete doomed", () -> a.deleteTopics(List.of("doomed")).all());
      say("delete nosuch", () -> a.deleteTopics(List.of("nosuch")).all());
      say("delete id", () -> a.deleteTopics(TopicCollection.ofTopicIds(List.of(Uuid.fromString("MkU3OEVBNTcwNTJENDM2Qg")))).all());
      var topic = new ConfigResource(ConfigResource.Type.TOPIC, "configured");
      alter(a, topic, op("retention.ms", "3600000", AlterConfigOp.OpType.SET), op("segment.bytes", null, AlterConfigOp.OpType.DELETE));
      alter(a, topic, op("cleanup.policy", "delete", AlterConfigOp.OpType.APPEND));
      alter(a, topic, op("cleanup.policy", "compact", AlterConfigOp.OpType.SUBTRACT));
      alter(a, topic, op("retention.ms", "1", AlterConfigOp.OpType.APPEND));
      alter(a, topic, op("no.such", "1", AlterConfigOp.OpType.SET));
      alter(a, topic, op("retention.ms", "x", AlterConfigOp.OpType.SET));
      alter(a, topic, op("retention.ms", null, AlterConfigOp.OpType.SET));
      alter(a, topic, op("retention.ms", "1", AlterConfigOp.OpType.SET), op("retention.ms", "2", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.TOPIC, "nosuch"), op("retention.ms", "1", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.TOPIC, ""), op("retention.ms", "1", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.BROKER, ""), op("log.cleaner.threads", "2", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.BROKER, "1"), op("log.retention.ms", "7200000", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.BROKER, "1"), op("node.id", "2", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.BROKER, ""), op("min.insync.replicas", null, AlterConfigOp.OpType.DELETE));
      alter(a, new ConfigResource(ConfigResource.Type.BROKER, "1"), op("min.insync.replicas", "1", AlterConfigOp.OpType.SET));
      alter(a, topic, op("min.insync.replicas", "2", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.GROUP, "g"), op("consumer.session.timeout.ms", "50000", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.GROUP, ""), op("consumer.session.timeout.ms", "50000", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "m"), op("interval.ms", "1000", AlterConfigOp.OpType.SET));
      alter(a, new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "m"), op("interval.ms", "1", AlterConfigOp.OpType.SET));
      say("quota", () -> a.alterClientQuotas(List.of(new ClientQuotaAlteration(new ClientQuotaEntity(Map.of("user", "u")), List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1e6))))).all());
      say("scram", () -> a.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("alice", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "secret".getBytes(), "salt".getBytes()))).all());
      say("feature down", () -> a.updateFeatures(Map.of("streams.version", new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)), new UpdateFeaturesOptions()).all());
      say("feature up", () -> a.updateFeatures(Map.of("streams.version", new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE)), new UpdateFeaturesOptions()).all());
      say("feature up same", () -> a.updateFeatures(Map.of("streams.version", new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE)), new UpdateFeaturesOptions()).all());
      say("feature far", () -> a.updateFeatures(Map.of("streams.version", new FeatureUpdate((short) 9, FeatureUpdate.UpgradeType.UPGRADE)), new UpdateFeaturesOptions()).all());
      say("feature unknown", () -> a.updateFeatures(Map.of("no.such", new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE)), new UpdateFeaturesOptions()).all());
      say("feature down as up", () -> a.updateFeatures(Map.of("streams.version", new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.UPGRADE)), new UpdateFeaturesOptions()).all());
      say("feature mv 34", () -> a.updateFeatures(Map.of("metadata.version", new FeatureUpdate((short) 34, FeatureUpdate.UpgradeType.UPGRADE)), new UpdateFeaturesOptions()).all());
      say("feature mv down", () -> a.updateFeatures(Map.of("metadata.version", new FeatureUpdate((short) 29, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)), new UpdateFeaturesOptions()).all());
      say("feature mv down unsafe", () -> a.updateFeatures(Map.of("metadata.version", new FeatureUpdate((short) 29, FeatureUpdate.UpgradeType.UNSAFE_DOWNGRADE)), new UpdateFeaturesOptions()).all());
      say("feature elr 0", () -> a.updateFeatures(Map.of("eligible.leader.replicas.version", new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)), new UpdateFeaturesOptions().validateOnly(true)).all());
      say("elect", () -> a.electLeaders(ElectionType.PREFERRED, Set.of(new TopicPartition("plain", 0))).all());
      say("elect partitions", () -> a.electLeaders(ElectionType.PREFERRED, Set.of(new TopicPartition("plain", 0), new TopicPartition("plain", 99), new TopicPartition("nosuch", 0))).partitions());
      say("elect unclean", () -> a.electLeaders(ElectionType.UNCLEAN, Set.of(new TopicPartition("plain", 0), new TopicPartition("plain", 99), new TopicPartition("nosuch", 0))).partitions());
      say("elect all", () -> a.electLeaders(ElectionType.PREFERRED, null).partitions());
      say("reassign cancel", () -> a.alterPartitionReassignments(Map.of(new TopicPartition("plain", 0), Optional.empty())).all());
      say("reassign same", () -> a.alterPartitionReassignments(Map.of(new TopicPartition("plain", 0), Optional.of(new NewPartitionReassignment(List.of(1))))).all());
      say("reassign 7", () -> a.alterPartitionReassignments(Map.of(new TopicPartition("plain", 0), Optional.of(new NewPartitionReassignment(List.of(7))))).all());
      say("reassign nosuch", () -> a.alterPartitionReassignments(Map.of(new TopicPartition("nosuch", 0), Optional.of(new NewPartitionReassignment(List.of(1))))).all());
      say("reassign list", () -> a.listPartitionReassignments().reassignments());
      say("quorum", () -> a.describeMetadataQuorum().quorumInfo());
      say("features", () -> a.describeFeatures().featureMetadata());
      say("nodes", () -> a.describeCluster().nodes());
      p.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
      p.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
      try (var producer = new KafkaProducer<String, String>(p)) {
        System.out.println("produced " + producer.send(new ProducerRecord<>("plain", 0, "k", "v")).get());
      }
      say("describe", () -> a.describeTopics(a.listTopics().names().get()).allTopicNames());
    }
  }
}
