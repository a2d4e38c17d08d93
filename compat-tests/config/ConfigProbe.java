// Asks a server for configs, or to change them, with raw requests, and prints what it answers: codes, messages and the
// order of entries as they are on the wire.
//
//   ConfigProbe.java describe HOST:PORT TYPE NAME      one line per entry, one indented line per synonym
//   ConfigProbe.java alter HOST:PORT CASES             CASES with the answer's code and message in the last columns
//   ConfigProbe.java set HOST:PORT TYPE NAME ENTRIES   changes them for good
import java.io.*;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.util.*;
import org.apache.kafka.common.message.*;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.*;

public class ConfigProbe {
  static final Map<String, Byte> TYPES =
      Map.of("topic", (byte) 2, "broker", (byte) 4, "client-metrics", (byte) 16, "group", (byte) 32);

  static String address;

  static AbstractResponse send(ApiKeys key, short version, AbstractRequest request) throws IOException {
    String[] parts = address.split(":");
    try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
      RequestHeader header = new RequestHeader(key, version, "probe", 1);
      ByteBuffer bytes = request.serializeWithHeader(header);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(bytes.remaining());
      out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] answer = new byte[in.readInt()];
      in.readFully(answer);
      return AbstractResponse.parseResponse(new org.apache.kafka.common.protocol.ByteBufferAccessor(ByteBuffer.wrap(answer)).buffer(), header);
    }
  }

  static String text(String value) {
    return value == null ? "<null>" : value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  static void describe(String type, String name) throws IOException {
    DescribeConfigsRequestData data = new DescribeConfigsRequestData().setIncludeSynonyms(true).setIncludeDocumentation(false);
    data.resources().add(new DescribeConfigsRequestData.DescribeConfigsResource()
        .setResourceType(TYPES.get(type)).setResourceName(name).setConfigurationKeys(null));
    DescribeConfigsResponse response = (DescribeConfigsResponse) send(ApiKeys.DESCRIBE_CONFIGS, (short) 4,
        new DescribeConfigsRequest.Builder(data).build((short) 4));
    for (var result : response.data().results()) {
      if (result.errorCode() != 0) System.out.println("error\t" + result.errorCode() + "\t" + text(result.errorMessage()));
      for (var entry : result.configs()) {
        System.out.println(String.join("\t", entry.name(), text(entry.value()), "" + entry.configSource(),
            "" + entry.readOnly(), "" + entry.isSensitive(), "" + entry.configType()));
        for (var synonym : entry.synonyms())
          System.out.println(String.join("\t", "  " + synonym.name(), text(synonym.value()), "" + synonym.source()));
      }
    }
  }

  // "key=value" sets, "-key" removes, "+key=value" appends, "~key=value" subtracts; ";;" stands between two.
  static List<IncrementalAlterConfigsRequestData.AlterableConfig> entries(String text) {
    List<IncrementalAlterConfigsRequestData.AlterableConfig> list = new ArrayList<>();
    for (String part : text.split(";;")) {
      byte operation = (byte) ("+~".contains(part.substring(0, 1)) ? (part.startsWith("+") ? 2 : 3) : part.startsWith("-") ? 1 : 0);
      if (operation != 0) part = part.substring(1);
      int sign = part.indexOf('=');
      list.add(new IncrementalAlterConfigsRequestData.AlterableConfig().setConfigOperation(operation)
          .setName(sign < 0 ? part : part.substring(0, sign)).setValue(sign < 0 ? null : part.substring(sign + 1)));
    }
    return list;
  }

  static IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse alter(String type, String name, String text,
      boolean validateOnly) throws IOException {
    IncrementalAlterConfigsRequestData data = new IncrementalAlterConfigsRequestData().setValidateOnly(validateOnly);
    var resource = new IncrementalAlterConfigsRequestData.AlterConfigsResource().setResourceType(TYPES.get(type)).setResourceName(name);
    for (var entry : entries(text)) resource.configs().add(entry);
    data.resources().add(resource);
    IncrementalAlterConfigsResponse response = (IncrementalAlterConfigsResponse) send(ApiKeys.INCREMENTAL_ALTER_CONFIGS,
        (short) 1, new IncrementalAlterConfigsRequest.Builder(data).build((short) 1));
    return response.data().responses().get(0);
  }

  static void createTopic(String name) throws IOException {
    CreateTopicsRequestData data = new CreateTopicsRequestData().setTimeoutMs(10000);
    data.topics().add(new CreateTopicsRequestData.CreatableTopic().setName(name).setNumPartitions(1).setReplicationFactor((short) 1));
    send(ApiKeys.CREATE_TOPICS, (short) 7, new CreateTopicsRequest.Builder(data).build((short) 7));
  }

  public static void main(String[] args) throws Exception {
    address = args[1];
    switch (args[0]) {
      case "describe" -> describe(args[2], args[3]);
      case "create" -> createTopic(args[2]);
      case "set" -> {
        var answer = alter(args[2], args[3], args[4], false);
        System.out.println(answer.errorCode() + "\t" + text(answer.errorMessage()));
      }
      case "alter" -> {
        for (String line : Files.readAllLines(Path.of(args[2]))) {
          if (line.startsWith("#") || line.isBlank()) { System.out.println(line); continue; }
          String[] columns = line.split("\t");
          String name = columns[1].equals("<empty>") ? "" : columns[1];
          var answer = alter(columns[0], name, columns[2], true);
          System.out.println(String.join("\t", columns[0], columns[1], columns[2], "" + answer.errorCode(), text(answer.errorMessage())));
        }
      }
    }
  }
}
