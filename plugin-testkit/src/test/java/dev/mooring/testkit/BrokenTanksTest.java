// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.BrokenRule;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is attached, recycled, measured and grown is checked too, and each mistake in it is named by its rule. */
@Tag("long")
class BrokenTanksTest {
    private static final AtomicReference<TankMistake> MISTAKE = new AtomicReference<>(TankMistake.NONE);

    private static Kit.Report run(TankMistake mistake) {
        MISTAKE.set(mistake);
        try {
            return Kit.run(Subject.class);
        } finally {
            MISTAKE.set(TankMistake.NONE);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void namesTheRuleThatIsBroken(TankMistake mistake) {
        Kit.Report report = run(mistake);

        assertThat(report.broken()).as(report::messages).contains(mistake.broken());
    }

    /** Wherever it is called, the author learns which rule that breaks. */
    @Test
    void observingThatThrowsBreaksARuleInEveryTest() {
        Kit.Report report = run(TankMistake.OBSERVES_AND_THROWS);

        assertThat(report.failures())
                .hasSizeGreaterThan(1)
                .allSatisfy(failure -> assertThat(failure).isInstanceOf(BrokenRule.class));
    }

    @Test
    void findsNothingInWhatIsRight() {
        Kit.Report report = run(TankMistake.NONE);

        assertThat(report.failures()).as(report::messages).isEmpty();
        assertThat(report.passed()).isGreaterThan(60);
    }

    /** The test class of the plugin's author; run only by the tests above, since no engine looks for nested ones of this name. */
    static final class Subject implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return new TankPlugin(tanks(machine), MISTAKE.get());
        }

        private static Path tanks(Machine machine) {
            return machine.directory().resolve("tanks");
        }

        @Override
        public VolumeSource existing(Machine machine, int number) {
            String name = "tank-" + number;
            for (String part : List.of(TankPlugin.DATA, TankPlugin.ATTACHED)) {
                machine.host()
                        .files()
                        .openOrMake(
                                tanks(machine).resolve(name).resolve(part), LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
                        .result()
                        .ifPresent(made -> made.path().close());
            }
            return TankPlugin.source(name);
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(TankPlugin.source("../etc"));
        }
    }
}
