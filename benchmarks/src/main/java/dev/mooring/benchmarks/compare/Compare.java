// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import dev.mooring.benchmarks.binding.BindingRuns;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** {@code ./benchmarks/compare [--quick] [-o json]}: everything that {@code docs/performance.md} says, measured here and now. */
public final class Compare {
    private static final int BAD_ARGUMENTS = 2;
    private static final String USAGE = """
            usage: ./benchmarks/compare [--quick] [-o table|json]

            Measures the volume index against what it is compared with, and whole bindings in memory.
              --quick    fewer and shorter repetitions: within five minutes on two cores
              -o json    one JSON object on stdout instead of a table
            Progress goes to stderr.
            """;

    private final boolean quick;
    private final Path directory;

    private Compare(boolean quick, Path directory) {
        this.quick = quick;
        this.directory = directory;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, RunnerException, InterruptedException {
        boolean quick = false;
        boolean json = false;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            if (argument.equals("--quick")) {
                quick = true;
            } else if (argument.equals("-h") || argument.equals("--help")) {
                System.out.print(USAGE);
                return;
            } else if (argument.equals("-o") && (value.equals("json") || value.equals("table"))) {
                json = value.equals("json");
                i++;
            } else {
                System.err.print("compare: what is \"" + argument + "\"?\n" + USAGE);
                System.exit(BAD_ARGUMENTS);
            }
        }
        // Nothing but the result may come out there, whoever else prints.
        PrintStream out = System.out;
        System.setOut(System.err);
        Findings findings = new Compare(quick, Files.createTempDirectory("mooring-compare")).run();
        out.print(json ? findings.toJson(machine(quick)) + "\n" : Table.of(findings, machine(quick)));
        out.flush();
    }

    private Findings run() throws IOException, RunnerException, InterruptedException {
        Findings findings = new Findings();
        System.err.println("compare: the index (details in " + directory + ")");
        new MatchRuns(findings, quick, directory.resolve("jmh.log")).run();
        IndexMemory.measure(findings);
        System.err.println("compare: whole bindings");
        findings.load(bindings());
        return findings;
    }

    private Path bindings() throws IOException, InterruptedException {
        Path result = directory.resolve("bindings.properties");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A fixed heap, touched beforehand, that a hundred thousand pairs fit into; one collector thread, so
                // that time is what one processor does.
                "-Xms6g",
                "-Xmx6g",
                "-Xmn4g",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BindingRuns.class.getName(),
                result.toString()));
        if (quick) {
            command.add("--quick");
        }
        Process process = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("bindings.log").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the bindings failed, see above");
        }
        return result;
    }

    private static Map<String, String> machine(boolean quick) {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        machine.put("processor", processor());
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        machine.put("command", "./benchmarks/compare" + (quick ? " --quick" : ""));
        return machine;
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
