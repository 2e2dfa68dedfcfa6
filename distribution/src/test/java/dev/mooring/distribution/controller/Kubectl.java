// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The real kubectl, against one server. */
final class Kubectl {
    private static final long PATIENCE_NANOS = 240_000_000_000L;

    private final Path kubeconfig;
    private final Path home;

    /**
     * Runs nothing yet.
     *
     * @param kubeconfig which server
     * @param home a directory of its own, for what kubectl remembers of a server
     */
    Kubectl(Path kubeconfig, Path home) {
        this.kubeconfig = kubeconfig;
        this.home = home;
    }

    /**
     * What a run printed, on both streams, and whether it succeeded.
     *
     * @param succeeded whether its exit status was 0
     * @param said what it printed
     */
    record Said(boolean succeeded, String said) {}

    Said run(String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        try {
            Path in = Files.writeString(home.resolve("input"), input);
            Process process = builder.redirectInput(in.toFile()).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Said(process.waitFor() == 0, said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A run that must succeed. */
    String ok(String... arguments) {
        return okWith("", arguments);
    }

    String okWith(String input, String... arguments) {
        Said said = run(input, arguments);
        if (!said.succeeded()) {
            throw new AssertionError(kubeconfig + ": " + String.join(" ", arguments) + ": " + said.said());
        }
        return said.said();
    }

    Document json(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-o", "json"));
        return KubernetesJson.standard().read(ok(all.toArray(String[]::new)), String.join(" ", arguments));
    }

    /** Looks until what it prints is so. */
    void until(Predicate<Said> wanted, String... arguments) {
        long begin = System.nanoTime();
        Said last = run("", arguments);
        while (!wanted.test(last)) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError(kubeconfig + ": " + String.join(" ", arguments) + ": " + last);
            }
            ClusterFixture.pause();
            last = run("", arguments);
        }
    }

    void untilPhase(String object, String phase) {
        until(said -> said.said().equals(phase), "get", object, "-o", "jsonpath={.status.phase}");
    }

    void untilGone(String object) {
        until(said -> !said.succeeded() && said.said().contains("NotFound"), "get", object);
    }
}
