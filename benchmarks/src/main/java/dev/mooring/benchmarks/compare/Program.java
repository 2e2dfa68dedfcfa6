// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A program that measures: {@code NAME [--quick|--once] [-o table|json]}. Its findings, and nothing else, go to stdout.
 *
 * @param name as it is called
 * @param usage what it does, in the words of its help
 * @param rows the ratios that the table shows
 */
public record Program(String name, String usage, List<RatioTable.Row> rows) {
    private static final int BAD_ARGUMENTS = 2;

    /** What is measured. */
    @FunctionalInterface
    public interface Measurement {
        /** Measures. Progress goes to stderr. */
        ComparisonFindings run(Effort effort) throws Exception;
    }

    /** Copies the list. */
    public Program {
        rows = List.copyOf(rows);
    }

    /** Runs it, and exits with 2 if an argument is none. */
    public void run(String[] arguments, Measurement measurement) throws Exception {
        Effort effort = Effort.FULL;
        boolean json = false;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            if (argument.equals(Effort.QUICK.argument()) || argument.equals(Effort.ONCE.argument())) {
                effort = argument.equals(Effort.QUICK.argument()) ? Effort.QUICK : Effort.ONCE;
            } else if (argument.equals("-h") || argument.equals("--help")) {
                System.out.print(usage);
                return;
            } else if (argument.equals("-o") && (value.equals("json") || value.equals("table"))) {
                json = value.equals("json");
                i++;
            } else {
                System.err.print(name + ": what is \"" + argument + "\"?\n" + usage);
                System.exit(BAD_ARGUMENTS);
            }
        }
        // Nothing but the result may come out there, also if other code prints.
        PrintStream out = System.out;
        System.setOut(System.err);
        ComparisonFindings findings = measurement.run(effort);
        Map<String, String> machine = machine(effort);
        out.print(json ? findings.toJson(machine) + "\n" : RatioTable.of(rows, findings, machine));
        out.flush();
    }

    private Map<String, String> machine(Effort effort) {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        machine.put("processor", processor());
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        machine.put("command", ("./benchmarks/" + name + " " + effort.argument()).strip());
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
