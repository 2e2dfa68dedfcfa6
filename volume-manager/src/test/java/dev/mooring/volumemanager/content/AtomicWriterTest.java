// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static dev.mooring.volumemanager.machine.Playground.modeAndGroup;
import static dev.mooring.volumemanager.machine.Playground.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.volumemanager.machine.CrashingHost;
import dev.mooring.volumemanager.machine.CrashingHost.Crash;
import dev.mooring.volumemanager.machine.Playground;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AtomicWriterTest {
    private static final Map<String, String> OLD =
            Map.of("kept", "old kept", "gone", "old gone", "below/kept", "old below", "goneBelow/deep/file", "old");
    private static final Map<String, String> NEW =
            Map.of("kept", "new kept", "added", "new", "below/kept", "new below", "addedBelow/deep/file", "new");

    private Playground machine;
    private Path volume;

    @BeforeEach
    void makesAVolume() {
        machine = new Playground(HostFeature.ROOT, HostFeature.RESOLVE_RULES);
        volume = machine.directory("volume");
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    /** Neither do attempts eat the room that is made for them, nor what a process left that died in the middle. */
    @Test
    void onAFullDiskAttemptsTakeNoRoom() throws IOException {
        Playground.tool("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", volume.toString());
        Path disk = volume;
        try {
            volume = Files.createDirectory(disk.resolve("config"));
            write(filesOf("x"));
            Path died = Files.createDirectory(volume.resolve("..2020_01_01_00_00_00.0"));
            Files.write(died.resolve("f0"), new byte[100_000]);
            Path filler = Files.write(disk.resolve("filler"), new byte[1_200_000]);

            for (int i = 0; i < 3; i++) {
                assertThat(write(filesOf("y"), OptionalInt.empty()).isDone()).isFalse();
                assertThat(names().stream().filter(name -> name.matches("\\.\\.[0-9].*")))
                        .hasSize(1);
            }
            assertThat(volume.resolve("f4")).content().startsWith("x");

            try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 200_000);
            }
            write(filesOf("y"));
            assertThat(volume.resolve("f4")).content().startsWith("y");
        } finally {
            Playground.tool("umount", disk.toString());
            volume = disk;
        }
    }

    private static Map<String, String> filesOf(String letter) {
        Map<String, String> files = new TreeMap<>();
        for (int i = 0; i < 5; i++) {
            files.put("f" + i, letter.repeat(100_000));
        }
        return files;
    }

    private static Payload payload(Map<String, String> files) {
        Payload.Builder builder = new Payload.Builder();
        files.forEach((path, text) -> assertThat(builder.add(path, text.getBytes(StandardCharsets.UTF_8), 0640))
                .isEmpty());
        return builder.build();
    }

    private dev.mooring.storage.spi.Outcome<?> write(Map<String, String> files, OptionalInt group) {
        try (PinnedPath root = machine.open(volume)) {
            return new AtomicWriter(machine.context(), root, group).write(payload(files));
        }
    }

    private void write(Map<String, String> files) {
        value(write(files, OptionalInt.empty()));
    }

    /** What a reader sees through the links that are there. */
    private Map<String, String> shown() throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (String name : names()) {
            if (!name.startsWith("..") && Files.exists(volume.resolve(name))) {
                Path real = volume.resolve(name).toRealPath();
                try (Stream<Path> below = Files.walk(real)) {
                    for (Path file : below.filter(Files::isRegularFile).toList()) {
                        String inside = real.relativize(file).toString();
                        files.put(inside.isEmpty() ? name : name + "/" + inside, Files.readString(file));
                    }
                }
            }
        }
        return files;
    }

    /** What stands behind {@code ..data}, whole. */
    private Map<String, String> version() throws IOException {
        Map<String, String> files = new TreeMap<>();
        Path data = volume.resolve("..data").toRealPath();
        try (Stream<Path> below = Files.walk(data)) {
            for (Path file : below.filter(Files::isRegularFile).toList()) {
                files.put(data.relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> names = Files.list(volume)) {
            return names.map(name -> name.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void showsTheFilesAndThenOthers() throws IOException {
        write(OLD);
        assertThat(shown()).isEqualTo(new TreeMap<>(OLD));
        write(NEW);
        assertThat(shown()).isEqualTo(new TreeMap<>(NEW));
        assertThat(names()).hasSize(6).contains("..data", "added", "addedBelow", "below", "kept");
        assertThat(modeAndGroup(volume.resolve("kept").toRealPath())).startsWith("640 ");
        write(Map.of());
        assertThat(names()).hasSize(2).contains("..data");
    }

    @Test
    void writesNothingThatIsThereAlready() throws IOException {
        write(OLD);
        List<String> before = names();
        write(OLD);
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void aChangedModeOrGroupIsAChange() throws IOException {
        write(OLD);
        value(write(OLD, OptionalInt.of(4711)));
        assertThat(modeAndGroup(volume.resolve("kept").toRealPath())).isEqualTo("640 4711");
        assertThat(modeAndGroup(volume.resolve("below").toRealPath())).isEqualTo("2755 4711");
        Files.setAttribute(volume.resolve("kept").toRealPath(), "unix:mode", 0600);
        value(write(OLD, OptionalInt.of(4711)));
        assertThat(modeAndGroup(volume.resolve("kept").toRealPath())).isEqualTo("640 4711");
    }

    @Test
    void repairsLinksThatAreMissingOrBent() throws IOException {
        write(OLD);
        Path data = volume.resolve("..data").toRealPath();
        Files.delete(volume.resolve("kept"));
        Files.delete(volume.resolve("gone"));
        Files.createSymbolicLink(volume.resolve("gone"), Path.of("/etc/passwd"));
        write(OLD);
        assertThat(shown()).isEqualTo(new TreeMap<>(OLD));
        assertThat(volume.resolve("..data").toRealPath()).isEqualTo(data);
    }

    @Test
    void touchesNothingOfOthers() throws IOException {
        Files.writeString(volume.resolve("foreign"), "x");
        Files.createDirectory(volume.resolve("..foreign"));
        Files.createSymbolicLink(volume.resolve("link"), Path.of("..data/other"));
        write(OLD);
        write(NEW);
        assertThat(names()).contains("foreign", "..foreign", "link");
        Files.writeString(volume.resolve("taken"), "x");
        assertThat(kindOf(write(Map.of("taken", "y"), OptionalInt.empty()))).isEqualTo("INCOMPATIBLE");
        assertThat(Files.readString(volume.resolve("taken"))).isEqualTo("x");
    }

    @Test
    void isNotLedAwayByDataThatWasTamperedWith() throws IOException {
        Path outside = machine.file("outside/kept", "secret").getParent();
        Files.createSymbolicLink(volume.resolve("..data"), outside);
        write(OLD);
        assertThat(shown()).isEqualTo(new TreeMap<>(OLD));
        assertThat(outside.resolve("kept")).hasContent("secret");
    }

    @Test
    void aReaderWithAnOpenFileKeepsItsVersion() throws IOException {
        write(OLD);
        try (var open = Files.newInputStream(volume.resolve("kept"))) {
            write(NEW);
            assertThat(new String(open.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("old kept");
        }
    }

    @Test
    void e1_afterACrashAtAnyStepAReaderSeesOneWholeVersionAndTheNextRunEndsTheWork() throws IOException {
        int steps = 0;
        boolean finished = false;
        while (!finished) {
            volume = machine.directory("volume" + steps);
            write(OLD);
            finished = !crashes(NEW, steps);
            assertThat(version()).as("after step " + steps).isIn(new TreeMap<>(OLD), new TreeMap<>(NEW));
            for (Map.Entry<String, String> file : shown().entrySet()) {
                assertThat(version()).contains(file);
            }
            List<Map<String, String>> next = new ArrayList<>(List.of(NEW, OLD, Map.of("other", "x")));
            Map<String, String> wanted = next.get(steps % next.size());
            write(wanted);
            assertThat(shown()).isEqualTo(new TreeMap<>(wanted));
            assertThat(names().stream().filter(name -> name.startsWith(".."))).hasSize(2);
            steps++;
        }
        assertThat(steps).as("steps of one change").isGreaterThan(12);
    }

    @Test
    void aCrashOfTheFirstWriteLeavesNothingThatHinders() throws IOException {
        boolean crashed = true;
        for (int steps = 0; crashed; steps++) {
            volume = machine.directory("first" + steps);
            crashed = crashes(OLD, steps);
            if (Files.exists(volume.resolve("..data"), LinkOption.NOFOLLOW_LINKS)) {
                assertThat(version()).isEqualTo(new TreeMap<>(OLD));
            }
            write(OLD);
            assertThat(shown()).isEqualTo(new TreeMap<>(OLD));
        }
    }

    private boolean crashes(Map<String, String> files, int steps) {
        CrashingHost host = new CrashingHost(machine.host, steps);
        try (PinnedPath root = host.wrap(machine.open(volume))) {
            value(new AtomicWriter(machine.context().with(host), root, OptionalInt.empty()).write(payload(files)));
            return false;
        } catch (Crash end) {
            return true;
        }
    }
}
