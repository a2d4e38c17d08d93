import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.kafka.common.utils.internals.Exit;

/**
 * Runs many command-line tools in one JVM. A line of JSON on the standard input is one call:
 * {"main": class, "args": [...], "stdin": file or null, "stdout": file, "stderr": file}; the answer is {"exit": code}.
 * The tools leave through Kafka's Exit, which is trapped here; their shutdown hooks run when the call is over.
 */
public class ToolRunner {
    private static final class ExitCalled extends Error {
        ExitCalled() {
            super("exit", null, false, false);
        }
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ObjectMapper json = new ObjectMapper();
        answers.println("ready");
        answers.flush();
        for (String line = calls.readLine(); line != null; line = calls.readLine()) {
            Map<?, ?> call = json.readValue(line, Map.class);
            answers.println(json.writeValueAsString(Map.of("exit", run(call))));
            answers.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private static int run(Map<?, ?> call) throws Exception {
        int[] code = {0};
        boolean[] exited = {false};
        List<Runnable> hooks = new ArrayList<>();
        // Tools catch Throwable and call exit again: the first code is the one that a process would have ended with.
        Exit.Procedure trap = (status, message) -> {
            if (!exited[0]) {
                exited[0] = true;
                code[0] = status;
            }
            throw new ExitCalled();
        };
        Exit.setExitProcedure(trap);
        Exit.setHaltProcedure(trap);
        Exit.setShutdownHookAdder((name, hook) -> hooks.add(hook));
        List<String> args = new ArrayList<>();
        for (Object argument : (List<?>) call.get("args")) args.add((String) argument);
        Object stdin = call.get("stdin");
        try (InputStream in = stdin == null ? new ByteArrayInputStream(new byte[0]) : new FileInputStream((String) stdin);
             PrintStream out = file(call.get("stdout"));
             PrintStream err = file(call.get("stderr"))) {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
            try {
                Class<?> tool = Class.forName((String) call.get("main"));
                tool.getMethod("main", String[].class).invoke(null, (Object) args.toArray(new String[0]));
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof ExitCalled)) {
                    e.getCause().printStackTrace();
                    if (!exited[0]) code[0] = 1;
                }
            }
            for (Runnable hook : hooks) hook.run();
        }
        return code[0];
    }

    private static PrintStream file(Object path) throws Exception {
        return new PrintStream(new BufferedOutputStream(new FileOutputStream((String) path), 1 << 16), false, StandardCharsets.UTF_8);
    }
}
