// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clones, snapshots and free space are checked too, and each mistake in them is named by its rule. */
@Tag("long")
class BrokenVaultsTest {
    private static final AtomicReference<VaultMistake> MISTAKE = new AtomicReference<>(VaultMistake.NONE);

    static Stream<VaultMistake> slice() {
        return Slice.of(List.copyOf(EnumSet.complementOf(EnumSet.of(VaultMistake.NONE))));
    }

    private static Kit.Report run(VaultMistake mistake) {
        MISTAKE.set(mistake);
        try {
            return Kit.run(Subject.class);
        } finally {
            MISTAKE.set(VaultMistake.NONE);
        }
    }

    @ParameterizedTest
    @MethodSource("slice")
    void namesTheRuleThatIsBroken(VaultMistake mistake) {
        Kit.Report report = run(mistake);

        assertThat(report.broken()).as(report::messages).contains(mistake.broken());
    }

    @Test
    void findsNothingInWhatIsRight() {
        Kit.Report report = run(VaultMistake.NONE);

        assertThat(report.failures()).as(report::messages).isEmpty();
        assertThat(report.skipped()).isEmpty();
        assertThat(report.passed()).isGreaterThan(60);
    }

    /** The test class of the plugin's author; run only by the tests above, since no engine looks for nested ones of this name. */
    static final class Subject implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            Path vault = machine.directory().resolve("vault");
            for (String room : VaultPlugin.ROOMS) {
                machine.host()
                        .files()
                        .openOrMake(vault.resolve(room), LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
                        .result()
                        .ifPresent(made -> made.path().close());
            }
            return new VaultPlugin(vault, MISTAKE.get());
        }

        @Override
        public int points() {
            return 4;
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(new CsiSource(VaultPlugin.NAME.value(), "../etc", "", false, Map.of()).toSource());
        }
    }
}
