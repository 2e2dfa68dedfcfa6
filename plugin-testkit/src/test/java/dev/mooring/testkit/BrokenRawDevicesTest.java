// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plugin that publishes nothing is checked as well. */
@Tag("long")
class BrokenRawDevicesTest {
    private static final AtomicBoolean HALVES = new AtomicBoolean();

    private static Kit.Report run(boolean halves) {
        HALVES.set(halves);
        try {
            return Kit.run(Subject.class);
        } finally {
            HALVES.set(false);
        }
    }

    @Test
    void growingOnTheNodeIsTriedWithoutPublishing() {
        assertThat(run(true).broken()).contains(Rule.GROWTH_NEVER_SHRINKS);
    }

    @Test
    void findsNothingInWhatIsRight() {
        Kit.Report report = run(false);

        assertThat(report.failures()).as(report::messages).isEmpty();
    }

    /** The test class of the plugin's author; run only by the tests above, since no engine looks for nested ones of this name. */
    static final class Subject implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return new RawPlugin(images(machine), HALVES.get());
        }

        private static Path images(Machine machine) {
            return machine.directory().resolve("images");
        }

        @Override
        public VolumeSource existing(Machine machine, int number) {
            String name = "raw-" + number;
            make(machine, images(machine), FileKind.DIRECTORY);
            make(machine, images(machine).resolve(name), FileKind.FILE);
            return RawPlugin.source(name);
        }

        private static void make(Machine machine, Path path, FileKind kind) {
            machine.host()
                    .files()
                    .openOrMake(path, LinkRule.REFUSE, kind, 0700)
                    .result()
                    .ifPresent(made -> made.path().close());
        }
    }
}
