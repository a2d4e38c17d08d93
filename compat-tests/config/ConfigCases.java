// Runs cases through Kafka's and Java's own classes and prints what comes out.
//
//   ConfigCases.java properties CASES   each line is the text of a properties file, with \n, \r, \t, \f, \\ and \xNN
//   ConfigCases.java start BASE CASES   each line changes BASE: "key=value;;-key"; the answer is KafkaConfig's
//   ConfigCases.java doubles CASES      each line is a text for Double.parseDouble and Double.toString
//   ConfigCases.java durations CASES    each line is a text for Duration.parse: negative or not, or none
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;

public class ConfigCases {
  static byte[] unescape(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        if (c == 'x') {
          c = (char) Integer.parseInt(text.substring(i + 1, i + 3), 16);
          i += 2;
        } else if (c != '\\') {
          c = "\n\r\t\f".charAt("nrtf".indexOf(c));
        }
      }
      out.write(c);
    }
    return out.toByteArray();
  }

  static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r").replace("\f", "\\f");
  }

  static String properties(String text) {
    try {
      Properties properties = new Properties();
      properties.load(new ByteArrayInputStream(unescape(text)));
      StringBuilder out = new StringBuilder();
      for (var entry : new TreeMap<>(properties).entrySet())
        out.append("\t[").append(escape((String) entry.getKey())).append("]=[").append(escape((String) entry.getValue())).append("]");
      return out.toString();
    } catch (Exception e) {
      return "\t! " + e.getMessage();
    }
  }

  static String start(Properties base, String changes) {
    Properties properties = new Properties();
    properties.putAll(base);
    for (String change : changes.split(";;")) {
      int sign = change.indexOf('=');
      if (change.startsWith("-")) properties.remove(change.substring(1));
      else if (sign >= 0) properties.put(change.substring(0, sign), change.substring(sign + 1));
    }
    try {
      kafka.server.KafkaConfig.fromProps(properties, false);
      return "\t<ok>";
    } catch (Throwable e) {
      return "\t" + escape("" + e.getMessage());
    }
  }

  static String number(String text) {
    try {
      return "\t" + Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return "\t<none>";
    }
  }

  static String duration(String text) {
    try {
      return "\t" + (Duration.parse(text).isNegative() ? "negative" : "positive");
    } catch (Exception e) {
      return "\t<none>";
    }
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Properties base = new Properties();
    if (args[0].equals("start")) try (InputStream in = Files.newInputStream(Path.of(args[1]))) { base.load(in); }
    for (String line : Files.readAllLines(Path.of(args[args.length - 1]))) {
      if (line.startsWith("# ")) { out.println(line); continue; }
      String text = line.split("\t")[0];
      out.println(text + switch (args[0]) {
        case "properties" -> properties(text);
        case "start" -> start(base, text);
        case "doubles" -> number(text);
        default -> duration(text);
      });
    }
  }
}
