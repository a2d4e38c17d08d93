// Prints every configuration key of the Kafka on the class path, one a line, in the order of its definition.
// Columns: scope, name, type, default, validator, importance, internal, update mode, broker synonyms.
import java.util.*;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.server.config.*;
import org.apache.kafka.server.metrics.ClientMetricsConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;

public class ConfigKeys {
  static String synonyms(String scope, String name) {
    if (scope.equals("group")) return GroupConfig.brokerSynonym(name).orElse("");
    if (!scope.equals("topic")) return "";
    return ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.getOrDefault(name, List.of()).stream()
        .map(s -> s.name() + (s.converter().apply("1").equals("1") ? "" : "*" + s.converter().apply("1")))
        .collect(Collectors.joining(","));
  }

  static void print(String scope, ConfigDef definition) {
    Map<String, String> modes = DynamicBrokerConfig.dynamicConfigUpdateModes();
    for (ConfigDef.ConfigKey key : definition.configKeys().values()) {
      String value = key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : "<required>";
      String mode = scope.startsWith("broker") ? modes.getOrDefault(key.name, "read-only") : "";
      System.out.println(String.join("\t", scope, key.name, key.type.toString(), value == null ? "<null>" : value,
          key.validator == null ? "" : key.validator.toString(), key.importance.toString(), "" + key.internalConfig,
          mode, synonyms(scope, key.name)));
    }
  }

  public static void main(String[] args) {
    print("broker", AbstractKafkaConfig.CONFIG_DEF);
    print("topic", LogConfig.configDefCopy());
    print("group", GroupConfig.CONFIG_DEF);
    print("client-metrics", ClientMetricsConfigs.configDef());
    print("broker-dynamic", QuotaConfig.brokerQuotaConfigs());
  }
}
