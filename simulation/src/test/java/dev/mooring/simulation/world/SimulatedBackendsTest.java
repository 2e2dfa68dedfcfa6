// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.binder.calls.ModifyCall;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.simulation.virtual.CallAnswer;
import dev.mooring.simulation.virtual.ProcessDeath;
import dev.mooring.simulation.world.Trace.CallEntry;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SimulatedBackendsTest {
    private static final String PLUGIN = "example.com/disk";

    private static final CallTicket TICKET =
            new UncancelledTicket(InstantSource.system(), Instant.EPOCH, 1, "key", notice -> {});

    private static final VolumeSpec VOLUME = new VolumeSpec(
            "v",
            "",
            new HostPathSource("/v", "").toSource(),
            List.of(),
            VolumeMode.FILESYSTEM,
            Quantity.ZERO,
            List.of(),
            Map.of());

    private final Trace trace = new Trace();
    private final SimulatedBackends backends = new SimulatedBackends(
            call -> call.operation().equals("dance") ? Optional.empty() : Optional.of(Outcome.done()),
            (call, ticket) -> Optional.empty(),
            trace,
            LinuxHost::fileSystems,
            InstantSource.system());

    @Test
    void repeatingAnOperationChangesNothing() {
        perform("publish", "n1");
        perform("publish", "n1");
        perform("publish", "n2");
        assertThat(state()).isEqualTo("exists, published on n1 n2");
        perform("unpublish", "n1");
        perform("unpublish", "n1");
        assertThat(state()).isEqualTo("exists, published on n2");
        perform("delete", "");
        perform("delete", "");
        assertThat(state()).isEqualTo("deleted, published on n2");
        assertThat(trace.calls()).hasSize(7).allMatch(call -> call.outcome().equals("done"));
    }

    @Test
    void aVolumeGrowsOnceAndNeverShrinks() {
        expand("2Gi");
        assertThat(state()).isEqualTo("exists, grown to 2Gi");
        expand("2Gi");
        expand("1Gi");
        assertThat(state()).isEqualTo("exists, grown to 2Gi");
        expand("3Gi");
        assertThat(state()).isEqualTo("exists, grown to 3Gi in 2 steps");
    }

    @Test
    void attributesThatAreNotNamedStay() {
        modify(Map.of("iops", "1", "tier", "slow"));
        modify(Map.of("iops", "9"));
        assertThat(state()).isEqualTo("exists, with {iops=9, tier=slow}");
    }

    @Test
    void aDeadMachineHoldsNothing() {
        perform("attach", "n1");
        perform("stage", "n1");
        perform("publish", "n1");
        backends.machineDied("n1");
        assertThat(state()).isEqualTo("exists, attached to n1");
    }

    @ParameterizedTest
    @EnumSource(
            value = CallFault.Outcome.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"HANG_APPLIED", "LIE", "TWICE", "CRASH_BEFORE", "CRASH_AFTER"})
    void aFaultStrikesSoManyTimes(CallFault.Outcome outcome) {
        declare("recycle", "", outcome, 2);
        perform("delete", "");
        String word = perform("recycle", "");
        assertThat(word).isEqualTo(outcome == CallFault.Outcome.UNCERTAIN_APPLIED ? "uncertain" : outcome.word());
        assertThat(perform("recycle", "")).isEqualTo(word);
        assertThat(perform("recycle", "")).isEqualTo("done");
        assertThat(state())
                .isEqualTo(
                        outcome == CallFault.Outcome.UNCERTAIN_APPLIED
                                ? "deleted, recycled 3 times"
                                : "deleted, recycled 1 time");
    }

    @Test
    void aLieIsSaidToBeDone() {
        declare("delete", "", CallFault.Outcome.LIE, 1);
        assertThat(perform("delete", "")).isEqualTo("done");
        assertThat(state()).isEqualTo("exists");
    }

    @Test
    void anAnswerThatArrivesTwiceIsOfOneCall() {
        declare("recycle", "", CallFault.Outcome.TWICE, 1);
        perform("delete", "");
        assertThat(perform("recycle", "")).isEqualTo("done");
        assertThat(state()).isEqualTo("deleted, recycled 1 time");
    }

    @ParameterizedTest
    @CsvSource({"CRASH_BEFORE,exists", "CRASH_AFTER,deleted"})
    void theCallerDiesBeforeOrAfter(CallFault.Outcome outcome, String state) {
        declare("delete", "", outcome, 1);
        assertThatThrownBy(() -> perform("delete", "")).isInstanceOf(ProcessDeath.class);
        assertThat(state()).isEqualTo(state);
    }

    @Test
    void aFaultOfANodeStrikesThereOnly() {
        declare("publish", "n1", CallFault.Outcome.REFUSED, CallFault.ALWAYS);
        assertThat(perform("publish", "n2")).isEqualTo("done");
        assertThat(perform("publish", "n1")).isEqualTo("refused");
        assertThat(perform("publish", "n1")).isEqualTo("refused");
    }

    @Test
    void theMessageIsTheBackEnds() {
        backends.declare(new CallFault(PLUGIN, "recycle", "", CallFault.Outcome.REFUSED, "no space", 1));
        CallAnswer answer = backends.perform(new TestCall("recycle", ""), TICKET);
        assertThat(answer.outcome().orElseThrow().message()).isEqualTo("no space");
    }

    @Test
    void whatNoBackEndDoesIsRefused() {
        assertThat(perform("dance", "")).isEqualTo("refused");
    }

    private void declare(String operation, String node, CallFault.Outcome outcome, long times) {
        backends.declare(new CallFault(PLUGIN, operation, node, outcome, "", times));
    }

    private String perform(String operation, String node) {
        backends.perform(new TestCall(operation, node), TICKET);
        CallEntry last = trace.calls().get(trace.calls().size() - 1);
        assertThat(last).isEqualTo(new CallEntry(PLUGIN, operation, "v", node, last.outcome()));
        return last.outcome();
    }

    private void expand(String size) {
        backends.perform(new ExpandCall(new PluginName(PLUGIN), VOLUME, Quantity.parse(size)), TICKET);
    }

    private void modify(Map<String, String> parameters) {
        backends.perform(new ModifyCall(new PluginName(PLUGIN), VOLUME, parameters), TICKET);
    }

    private String state() {
        return backends.volumes().describe(PLUGIN, "v");
    }

    private record TestCall(String operation, String node) implements Call {
        @Override
        public PluginName plugin() {
            return new PluginName(PLUGIN);
        }

        @Override
        public String volume() {
            return "v";
        }
    }
}
