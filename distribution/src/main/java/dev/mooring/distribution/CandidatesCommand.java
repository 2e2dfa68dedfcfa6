// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.cluster.ObjectNames;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code mooring __complete}: for the script of {@code generate-completion} alone. Without an answer it prints nothing. */
@Command(
        name = "__complete",
        hidden = true,
        description = "Prints what completes the last of some words, for the script of generate-completion.")
final class CandidatesCommand implements Runnable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Bash makes three words of {@code --option=value}. */
    private static final String SPLIT = "=";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The command line so far, of which the last word is to be completed: its options are none of this command. */
    @Unmatched
    private List<String> line = new ArrayList<>();

    @Override
    public void run() {
        if (line.size() < 2) {
            return;
        }
        String command = line.get(0);
        String word = line.get(line.size() - 1);
        List<String> before = line.subList(1, line.size() - 1);
        if (isValue(command, before)) {
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        if (command.equals("explain") && !word.contains("/")) {
            ObjectNames.KINDS.keySet().stream()
                    .filter(kind -> kind.startsWith(word))
                    .sorted()
                    .forEach(kind -> out.println(kind + "/"));
            out.flush();
            return;
        }
        Connection connection;
        try {
            connection = Connection.choose(after(before, "--kubeconfig").map(Path::of), System.getenv());
        } catch (ConnectionException | IllegalArgumentException e) {
            return;
        }
        KubernetesOptions limits =
                KubernetesOptions.DEFAULT.withUserAgent("mooring").withRequestTimeout(PATIENCE);
        String namespace =
                after(before, "-n").or(() -> after(before, "--namespace")).orElse("default");
        try (KubernetesStore store = KubernetesStore.open(connection, limits)) {
            new ObjectNames(store).of(command, word, namespace).forEach(out::println);
            out.flush();
        }
    }

    /** Whether the word belongs to an option: it names no object. */
    private boolean isValue(String command, List<String> before) {
        int last = before.size() - 1;
        int option = last >= 0 && before.get(last).equals(SPLIT) ? last - 1 : last;
        return option >= 0
                && Optional.ofNullable(spec.root().subcommands().get(command))
                        .map(known -> known.getCommandSpec().findOption(before.get(option)))
                        .filter(known -> known.arity().max() > 0)
                        .isPresent();
    }

    private static Optional<String> after(List<String> words, String option) {
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).equals(option) && at + 1 < words.size()) {
                boolean split = words.get(at + 1).equals(SPLIT) && at + 2 < words.size();
                return Optional.of(words.get(split ? at + 2 : at + 1));
            }
            if (words.get(at).startsWith(option + "=")) {
                return Optional.of(words.get(at).substring(option.length() + 1));
            }
        }
        return Optional.empty();
    }
}
