// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plugin that cannot do what all checks need: one check says so, the others are skipped by name, and the kit ends. */
@Tag("long")
class UselessPluginsTest {
    private static final String PLUGIN = "ShelfPlugin.java";
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** Ignores interrupts, as a call into a kernel does that waits for a server. */
    private static final String HANG =
            "for (;;) { java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000L); if (context == null) break; } ";

    @TempDir
    private Path directory;

    private Kit.Report run(String right, String wrong) throws IOException {
        Variant variant = Variant.of(Rule.DEADLINE_OBEYED, "it hangs", PLUGIN, right, wrong);
        return Kit.run(ExamplePlugin.compile(variant, directory), SHORT);
    }

    @Test
    void aCallThatNeverEndsIsNamedWithItsStackAndTheOtherRulesHaveResults() throws IOException {
        String publish = "public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {";

        Kit.Report report = run(publish, publish + HANG);

        assertThat(report.broken()).as(report::messages).containsExactly(Rule.DEADLINE_OBEYED);
        assertThat(report.messages()).contains("'publish' did not end within 4000 ms", "ShelfPlugin.publish");
        assertThat(report.passed()).isGreaterThan(30);
        assertThat(report.skipped())
                .isNotEmpty()
                .allSatisfy(skipped -> assertThat(skipped).contains("publish"));
    }

    @Test
    void anUndoingThatNeverEndsIsNamedWithItsStack() throws IOException {
        String delete = "public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {";

        Kit.Report report = run(delete, delete + HANG);

        assertThat(report.broken()).as(report::messages).containsExactly(Rule.DEADLINE_OBEYED);
        assertThat(report.messages()).contains("'delete' did not end", "ShelfPlugin.delete");
        assertThat(report.passed()).isGreaterThan(10);
    }

    @Test
    void aDescriptionThatNeverEndsEndsTheKit() throws IOException {
        String validate = "public List<FieldProblem> validate(VolumeSource source) {";

        Kit.Report report = run(
                validate,
                validate + " for (;;) { java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000L);"
                        + " if (source == null) break; }");

        assertThat(report.broken()).as(report::messages).contains(Rule.DEADLINE_OBEYED);
        assertThat(report.messages()).contains("ShelfPlugin.validate");
    }

    @Test
    void whatAllChecksNeedFailsOnceAndTheOthersAreSkippedByName() throws IOException {
        String publish = "public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {";

        Kit.Report report = run(
                publish,
                publish + " if (context != null) { return Outcome.refused(Refusal.UNSUPPORTED, \"no screws\"); }");

        assertThat(report.broken()).as(report::messages).containsExactly(Rule.ORDINARY_VOLUME_WORKS);
        assertThat(report.failures()).hasSize(1);
        assertThat(report.messages()).contains("publish of an ordinary volume was answered with Refused", "no screws");
        assertThat(report.skipped())
                .hasSizeGreaterThan(20)
                .allSatisfy(skipped -> assertThat(skipped).contains("no screws"));
    }

    @Test
    void aToolThatTheMachineInMemoryLacksIsNamedWithTheWayToGiveIt() throws IOException {
        String publish = "public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {";

        Kit.Report report = run(
                publish,
                publish + " if (context != null) { return context.host().processes()"
                        + ".run(context, dev.mooring.storage.spi.host.Command.query(\"mount.screws\"))"
                        + ".map(result -> PluginState.NONE); }");

        assertThat(report.broken()).as(report::messages).containsExactly(Rule.ORDINARY_VOLUME_WORKS);
        assertThat(report.messages()).contains("cannot run mount.screws", "Override machine()");
    }

    @Test
    void whereThereAreNoVolumesOneCheckSaysHowToGiveThem() {
        Kit.Report report = Kit.run(WithoutVolumes.class);

        assertThat(report.failures()).as(report::messages).hasSize(1);
        assertThat(report.messages()).contains("override existing()");
    }

    /** A plugin that cannot provision, of an author who gives no volumes. */
    static final class WithoutVolumes implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return new RawPlugin(machine.directory(), false);
        }
    }
}
