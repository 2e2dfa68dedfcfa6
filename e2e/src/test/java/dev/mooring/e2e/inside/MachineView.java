// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The machine as it is seen from beside the control plane: tools are run, and what could leak is listed. */
final class MachineView {
    private MachineView() {}

    /** Runs a command of the guest's and answers what it said; it has to succeed. */
    static String run(String... command) {
        Said said = said(command);
        if (said.status() != 0) {
            throw new IllegalStateException(
                    String.join(" ", command) + ": exit status " + said.status() + ": " + said.text());
        }
        return said.text();
    }

    /** Runs a command and answers what it said, whether it succeeded or not. */
    static String tryRun(String... command) {
        return said(command).text();
    }

    private record Said(int status, String text) {}

    private static Said said(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Said(process.waitFor(), said.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a function of the kit's {@code services}. Its output is not read: the daemons that it starts keep it open. */
    static void service(String... command) {
        String[] all = Stream.concat(Stream.of("services"), Stream.of(command)).toArray(String[]::new);
        try {
            int status = new ProcessBuilder(all).inheritIO().start().waitFor();
            if (status != 0) {
                throw new IllegalStateException(String.join(" ", all) + ": exit status " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** This boot. */
    static String bootId() {
        return read(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }

    /** Everything that a control plane could leave behind, one line each. */
    static List<String> traces() {
        TreeSet<String> traces = new TreeSet<>();
        // Peer groups and parents get other numbers: mount point, type and source say what is mounted.
        read(Path.of("/proc/self/mounts")).lines().forEach(line -> traces.add("mount " + line));
        names(Path.of("/sys/class/iscsi_session")).forEach(name -> traces.add("session " + name));
        names(Path.of("/etc/iscsi/nodes")).forEach(name -> traces.add("iscsi node " + name));
        names(Path.of("/etc/iscsi/send_targets")).forEach(name -> traces.add("iscsi discovery " + name));
        for (String name : names(Path.of("/sys/block"))) {
            Path backing = Path.of("/sys/block", name, "loop/backing_file");
            if (name.startsWith("loop") && Files.exists(backing)) {
                traces.add(
                        "loop " + name + " " + readIfThere(backing).orElse("").strip());
            } else if (name.startsWith("sd") || name.startsWith("dm-")) {
                traces.add("device " + name);
            }
        }
        processes().forEach(process -> traces.add("process " + process));
        return List.copyOf(traces);
    }

    /**
     * What runs on this machine, below any parent: the tools of a process that was killed become those of process 1. Left out are threads
     * of the kernel and what has ended, which have no words, and what the kernel or udev starts for a moment.
     */
    private static List<String> processes() {
        List<String> running = new ArrayList<>();
        for (String pid : names(Path.of("/proc"))) {
            if (!pid.matches("[0-9]+")) {
                continue;
            }
            // Whatever has ended meanwhile is none.
            Optional<String> words = readIfThere(Path.of("/proc", pid, "cmdline"))
                    .map(text -> text.replace('\0', ' ').strip())
                    .filter(text -> !text.isEmpty());
            Optional<String> parent = parentOf(pid);
            if (words.isPresent() && parent.isPresent() && !startsForAMoment(parent.get())) {
                running.add(pid + ": " + words.get());
            }
        }
        return running;
    }

    private static boolean startsForAMoment(String pid) {
        return !pid.equals("0")
                && readIfThere(Path.of("/proc", pid, "cmdline"))
                        .filter(words -> words.isEmpty() || words.contains("udevd") || words.contains("(udev-worker)"))
                        .isPresent();
    }

    private static Optional<String> parentOf(String pid) {
        return readIfThere(Path.of("/proc", pid, "status"))
                .flatMap(status -> status.lines()
                        .filter(line -> line.startsWith("PPid:"))
                        .map(line -> line.substring("PPid:".length()).strip())
                        .findFirst());
    }

    /** Where something is mounted below a directory, once for each mount. */
    static List<String> mountPointsBelow(Path directory) {
        return read(Path.of("/proc/self/mounts"))
                .lines()
                .map(line -> line.split(" ", -1)[1])
                .filter(point -> point.startsWith(directory + "/"))
                .toList();
    }

    /** Everything below a directory, relative to it. */
    static List<String> tree(Path directory) {
        return tree(directory, Integer.MAX_VALUE);
    }

    /** The same, not deeper than told. */
    static List<String> tree(Path directory, int depth) {
        try (Stream<Path> files = Files.walk(directory, depth)) {
            return files.filter(file -> !file.equals(directory))
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> readIfThere(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The names in a directory; none if it is not there. */
    static List<String> names(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
