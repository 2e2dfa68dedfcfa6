// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.host.MemoryHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the example plugin cannot do is checked too, and each mistake in it is named by its rule. */
@Tag("long")
class BrokenDisksTest {
    private static final AtomicReference<DiskMistake> MISTAKE = new AtomicReference<>(DiskMistake.NONE);

    static Stream<DiskMistake> slice() {
        return Slice.of(List.copyOf(EnumSet.complementOf(EnumSet.of(DiskMistake.NONE))));
    }

    private static Kit.Report run(DiskMistake mistake) {
        MISTAKE.set(mistake);
        try {
            return Kit.run(Subject.class);
        } finally {
            MISTAKE.set(DiskMistake.NONE);
        }
    }

    @ParameterizedTest
    @MethodSource("slice")
    void namesTheRuleThatIsBroken(DiskMistake mistake) {
        Kit.Report report = run(mistake);

        assertThat(report.broken()).as(report::messages).contains(mistake.broken());
        assertThat(report.messages())
                .contains(mistake.broken().id() + " " + mistake.broken().text())
                .contains(mistake.broken().why())
                .contains(mistake.broken().remedy());
    }

    @Test
    void findsNothingInWhatIsRight() {
        Kit.Report report = run(DiskMistake.NONE);

        assertThat(report.failures()).as(report::messages).isEmpty();
        assertThat(report.passed()).isGreaterThan(60);
    }

    /** The test class of the plugin's author; run only by the tests above, since no engine looks for nested ones of this name. */
    static final class Subject implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return new DiskPlugin(disks(machine), MISTAKE.get());
        }

        private static Path disks(Machine machine) {
            return machine.directory().resolve("disks");
        }

        @Override
        public VolumeSource existing(Machine machine, int number) {
            String name = "disk-" + number;
            Path disk = disks(machine).resolve(name);
            make(machine, disk.resolve("data"), FileKind.DIRECTORY);
            make(machine, disk.resolve(DiskPlugin.FENCED), FileKind.DIRECTORY);
            make(machine, disk.resolve("image"), FileKind.FILE);
            return DiskPlugin.source(name);
        }

        private static void make(Machine machine, Path path, FileKind kind) {
            machine.host()
                    .files()
                    .openOrMake(path, LinkRule.REFUSE, kind, 0700)
                    .result()
                    .ifPresent(made -> made.path().close());
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(DiskPlugin.source("../etc"));
        }

        @Override
        public Optional<Boolean> mayWrite(Machine machine, VolumeId volume, NodeRef node) {
            Path fenced = disks(machine).resolve(volume.backend()).resolve(DiskPlugin.FENCED);
            return Optional.of(read(machine, fenced, node.name()).isEmpty());
        }

        @Override
        public List<Map<String, String>> modifications() {
            return List.of(Map.of("speed", "low", "tier", "old"), Map.of("speed", "high", "tier", "new"));
        }

        @Override
        public List<String> backendInventory(Machine machine) {
            List<String> lines = new ArrayList<>(((MemoryHost) machine.host()).devices());
            Path first = disks(machine).resolve("disk-1");
            DiskPlugin.ATTRIBUTES.forEach(attribute -> lines.add(attribute + " " + read(machine, first, attribute)));
            return lines;
        }

        private static Optional<String> read(Machine machine, Path directory, String name) {
            return machine.host()
                    .files()
                    .open(directory, LinkRule.REFUSE)
                    .then(opened -> {
                        try (PinnedPath held = opened) {
                            return held.readFile(name, 64);
                        }
                    })
                    .result()
                    .flatMap(content -> content)
                    .map(content -> new String(content, StandardCharsets.UTF_8));
        }
    }
}
