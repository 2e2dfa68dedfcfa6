// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.Command.AtLimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which commands that change something run, in files, so that an agent that is started after a crash knows of those that its predecessor has
 * left behind (semantics/plugins §1.1 P4). A file is there before its process is, with the words by which it can be found; the number and
 * the start of the process follow. Nothing is flushed: what a loss of power takes away, it takes the processes away of, too.
 */
public final class ProcessLedger {
    private static final String TEMPORARY = ".new";
    private static final String OUTPUT = ".out";

    private final Path directory;
    private final String boot;
    /** What was found at the start and what was lost since, by what it changes, until it is seen to have ended. */
    private final Map<String, Entry> leftBehind = new ConcurrentHashMap<>();

    /**
     * A command.
     *
     * @param thing what it changes
     * @param end when its time is up
     * @param process which process it is; absent if the agent crashed before it was known
     * @param words its words, of which none is a secret
     */
    record Entry(String thing, AtLimit atLimit, Instant end, Optional<ProcessIdentity> process, List<String> words) {
        private static final int HEADER = 5;

        Entry {
            words = List.copyOf(words);
        }

        String text(String boot) {
            List<String> lines = new ArrayList<>(List.of(
                    boot,
                    thing,
                    atLimit.name(),
                    Long.toString(end.toEpochMilli()),
                    process.map(id -> id.pid() + " " + id.started()).orElse("")));
            lines.addAll(words);
            return String.join("\0", lines);
        }

        /** Empty for what is not of this boot, or of no ledger. */
        static Optional<Entry> parse(String text, String boot) {
            List<String> lines = List.of(text.split("\0", -1));
            if (lines.size() <= HEADER || !lines.get(0).equals(boot)) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Entry(
                        lines.get(1),
                        AtLimit.valueOf(lines.get(2)),
                        Instant.ofEpochMilli(Long.parseLong(lines.get(3))),
                        identity(lines.get(4)),
                        lines.subList(HEADER, lines.size())));
            } catch (IllegalArgumentException damaged) {
                return Optional.empty();
            }
        }

        private static Optional<ProcessIdentity> identity(String text) {
            String[] parts = text.split(" ", -1);
            return parts.length == 2
                    ? Optional.of(new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1])))
                    : Optional.empty();
        }

        Entry of(ProcessIdentity identity) {
            return new Entry(thing, atLimit, end, Optional.of(identity), words);
        }
    }

    /** Reads what is there. */
    public ProcessLedger(Path directory) {
        this.directory = directory;
        this.boot = ProcessIdentity.boot();
        dropOldBoots();
        for (Entry entry : stored()) {
            leftBehind.put(entry.thing(), entry);
        }
    }

    /** What is of an earlier boot is of processes that have ended with it. What is of this boot may be another agent's. */
    private void dropOldBoots() {
        if (boot.isEmpty()) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*{[0-9a-f]," + TEMPORARY + "}")) {
            for (Path file : files) {
                if (!Files.readString(file).startsWith(boot + "\0")) {
                    Files.deleteIfExists(file.resolveSibling(file.getFileName() + OUTPUT));
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException stay) {
            // no directory yet, or not writable: they are skipped each time
            return;
        }
    }

    private List<Entry> stored() {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*[0-9a-f]")) {
            for (Path file : files) {
                Entry.parse(Files.readString(file), boot).ifPresent(entries::add);
            }
        } catch (IOException | DirectoryIteratorException none) {
            // no directory yet, or not readable: then the first command cannot be noted either, and says so
            return entries;
        }
        return entries;
    }

    /** The process of an earlier agent, or one without an owner, that still changes a thing. */
    Optional<Entry> leftBehind(String thing) {
        Entry entry = leftBehind.get(thing);
        if (entry == null) {
            return Optional.empty();
        }
        Optional<ProcessIdentity> process = entry.process().or(() -> ProcessIdentity.withArguments(entry.words()));
        Optional<Entry> alive = process.filter(ProcessIdentity::isAlive).map(entry::of);
        if (alive.isEmpty()
                && leftBehind.remove(thing, entry)
                && entry.process().isPresent()) {
            ended(thing); // a command that is known by its words alone may still begin
        }
        return alive;
    }

    /** Notes a command that may have been started, though no agent has its process: it is looked for by its words from now on. */
    void leaveBehind(String thing, Command command, List<String> words, Instant end) {
        leftBehind.put(thing, new Entry(thing, command.atLimit(), end, Optional.empty(), words));
    }

    /** Notes a command that is about to be started. */
    void begin(String thing, Command command, List<String> words, Instant end) throws IOException {
        store(new Entry(thing, command.atLimit(), end, Optional.empty(), words));
    }

    /** Notes the process of a command. */
    void started(String thing, Command command, List<String> words, Instant end, long pid) {
        ProcessIdentity.of(pid).ifPresent(identity -> {
            try {
                store(new Entry(thing, command.atLimit(), end, Optional.of(identity), words));
            } catch (IOException full) {
                // it can still be found by its words
                return;
            }
        });
    }

    private void store(Entry entry) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        Path file = file(entry.thing());
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY);
        Files.writeString(temporary, entry.text(boot));
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Forgets a command that has ended. */
    void ended(String thing) {
        try {
            Files.deleteIfExists(output(thing));
            Files.deleteIfExists(file(thing));
        } catch (NoSuchFileException gone) {
            return;
        } catch (IOException stays) {
            // harmless: the process that it names has ended
            return;
        }
    }

    /** Where a command that may outlive the agent writes what it has to say. */
    Path output(String thing) {
        Path file = file(thing);
        return file.resolveSibling(file.getFileName() + OUTPUT);
    }

    private Path file(String thing) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(thing.getBytes(StandardCharsets.UTF_8));
            return directory.resolve(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
