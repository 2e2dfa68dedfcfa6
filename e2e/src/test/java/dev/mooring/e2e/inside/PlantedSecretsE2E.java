// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * CHAP secrets with an unmistakable beginning, both ways: nothing that the control plane says or writes contains them but the Secret
 * itself and, while there is a session, the initiator's own database, which only root reads.
 */
public class PlantedSecretsE2E {
    /** The same 15 bytes begin every secret, so that their encoding is the same too. */
    private static final List<String> NEEDLES = List.of(
            Backends.PLANTED.substring(0, 15),
            Base64.getEncoder().encodeToString(Backends.PLANTED.getBytes(StandardCharsets.UTF_8)));

    private static final Path NOTED = Path.of("/root/noted");

    /** What is in its place notes its arguments and environment, which sampling would mostly miss, and becomes it. */
    private static final String NOTING = """
            #!/bin/bash
            { tr '\\0' ' ' </proc/$$/cmdline; tr '\\0' ' ' </proc/$$/environ; echo; } >>%s
            exec -a "$0" %s.real "$@"
            """;

    private static final List<String> TOOLS = List.of("iscsiadm", "sg_persist", "mkfs.ext4", "blkid");

    private final Set<String> arguments = ConcurrentHashMap.newKeySet();
    private volatile boolean sampling = true;

    @Test
    void areNowhereButInTheSecret() throws IOException, InterruptedException {
        Backend backend = Backends.named("iscsi-chap-mutual");
        backend.start();
        Path base = GuestWorld.temporary();
        backend.make(base.resolve("data"));
        for (String tool : TOOLS) {
            noting(Path.of(MachineView.run("which", tool)));
        }
        PrintStream usual = System.out;
        PrintStream usualErrors = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Thread sampler = new Thread(this::sample, "sampler");
        sampler.start();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            live(backend, base);
        } finally {
            System.setOut(usual);
            System.setErr(usualErrors);
            sampling = false;
            sampler.join();
        }
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(text).as("the refusal was told").contains("FailedMount");
        assertThat(tells(text)).as("output").isFalse();
        arguments.addAll(Files.readAllLines(NOTED));
        for (String tool : TOOLS) {
            assertThat(arguments).as("arguments of " + tool).anyMatch(line -> line.contains(tool + " -"));
        }
        assertThat(arguments).as("arguments and environments").noneMatch(PlantedSecretsE2E::tells);
        searchFiles(List.of(base, Path.of("/etc"), Path.of("/run"), Path.of("/var")), Set.of("/etc/target"));
        searchJournal(base.resolve("journal"));
        backend.remove(base.resolve("data"));
    }

    private static void noting(Path tool) throws IOException {
        MachineView.run("mv", tool.toString(), tool + ".real");
        Files.writeString(tool, NOTING.formatted(NOTED, tool));
        MachineView.run("chmod", "755", tool.toString());
    }

    private static void live(Backend backend, Path base) throws IOException {
        try (GuestWorld world = new GuestWorld(base, Boundaries.none(), MachineView.traces())) {
            world.create(Backends.wrongSecret());
            world.create(Life.volume(backend, base));
            world.claim("data", Life.VOLUME, "Filesystem", "ReadWriteOnce");
            world.start("user", "data");
            world.awaitReason("user", "FailedMount");
            searchFiles(List.of(base), Set.of());
            world.delete(Kinds.SECRET, "chap");
            world.create(backend.objects());
            Path shown = world.mounted(world.running("user"), backend.plugin(), Life.VOLUME);
            Files.writeString(shown.resolve("file"), "kept");
            searchFiles(List.of(base), Set.of());
            onlyRootReads(Path.of("/etc/iscsi/nodes"));
            world.delete(Kinds.POD, "user");
            world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
            world.awaitVolume(Life.VOLUME, PersistentVolumePhase.RELEASED);
            world.delete(Kinds.PERSISTENT_VOLUME, Life.VOLUME);
            world.end();
        }
    }

    private static boolean tells(String text) {
        return NEEDLES.stream().anyMatch(text::contains);
    }

    private void sample() {
        while (sampling) {
            for (String process : MachineView.tree(Path.of("/proc"), 1)) {
                if (process.matches("\\d+")) {
                    arguments.add(readIfThere(Path.of("/proc", process, "cmdline"))
                            + readIfThere(Path.of("/proc", process, "environ")));
                }
            }
        }
    }

    private static String readIfThere(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Everything but disks, the journal of the store, and the target's own directory. */
    private static void searchFiles(List<Path> directories, Set<String> but) throws IOException {
        for (Path directory : directories) {
            try (Stream<Path> files = Files.walk(directory)) {
                List<Path> regular = files.filter(Files::isRegularFile)
                        .filter(file -> but.stream().noneMatch(other -> file.startsWith(other)))
                        .filter(file -> !file.endsWith("image") && !file.endsWith("journal"))
                        .toList();
                assertThat(regular).noneMatch(file -> tells(readIfThere(file)));
                assertThat(regular).noneMatch(file -> tells(file.toString()));
            }
        }
    }

    /** Every version of every object but the Secret. */
    private static void searchJournal(Path journal) throws IOException {
        List<String> others = Files.readAllLines(journal).stream()
                .filter(line -> !line.contains("\"kind\":\"Secret\""))
                .toList();
        assertThat(others).anyMatch(line -> line.contains("\"Event\"")).noneMatch(PlantedSecretsE2E::tells);
        assertThat(Files.readString(journal)).as("what is looked for").contains(NEEDLES.get(1));
    }

    private static void onlyRootReads(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> telling = files.filter(Files::isRegularFile)
                    .filter(file -> tells(readIfThere(file)))
                    .toList();
            assertThat(telling).as("where the initiator keeps them").isNotEmpty();
            for (Path file : telling) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            }
        }
    }
}
