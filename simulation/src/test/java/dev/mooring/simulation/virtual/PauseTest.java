// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A process that stands still for a while, as a lease lets it and others go on. */
class PauseTest {
    private final VirtualClock clock = new VirtualClock();
    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), clock, IdSource.random(new Random(0))));
    private final VirtualWorld world = new VirtualWorld(clock, 0, new WorldObserver() {});
    private final List<String> calls = new ArrayList<>();

    private static final Fences NONE = new Fences() {
        @Override
        public ClusterStore store(ClusterStore store, Tenure tenure) {
            return store;
        }

        @Override
        public CallHandler calls(CallHandler calls, Tenure tenure) {
            return calls;
        }
    };

    /** A process that has called for one of two, and has decided to call for the other. */
    private VirtualProcess halfDone(Fences fences) {
        VirtualProcess process = world.add(
                new ProcessSpec("p", () -> List.of(new Toy("toy", Toy.Work.CALL_FIRST)), store, this::call, fences));
        process.restart();
        create("a");
        create("b");
        world.work(1);
        assertThat(calls).hasSize(1);
        return process;
    }

    private CallAnswer call(Call call, CallTicket ticket) {
        boolean late = world.process("p").orElseThrow().actsOutOfTerm();
        calls.add("term " + ticket.term().orElse(0) + " at " + Durations.format(clock.elapsed())
                + (late ? ", late" : ""));
        return CallAnswer.of(Outcome.done());
    }

    @Test
    void whoIsBackInTimeGoesOnAsIfNothingHadBeen() {
        VirtualProcess process = halfDone(Fences.STANDARD);
        world.pause(process, Duration.ofSeconds(9));
        assertThat(process.running()).isFalse();
        world.advance(Duration.ofMinutes(1));
        assertThat(calls).containsExactly("term 1 at 0s", "term 1 at 9s");
        assertThat(process.epoch()).isEqualTo(1);
    }

    @Test
    void anotherLeadsWhenTheLeaseHasRunOutAndTheOldOneBeginsNothing() {
        VirtualProcess process = halfDone(Fences.STANDARD);
        world.pause(process, Duration.ofSeconds(20));
        world.advance(Duration.ofSeconds(14));
        assertThat(calls).hasSize(1);
        world.advance(Duration.ofMinutes(1));
        assertThat(calls)
                .startsWith("term 1 at 0s")
                .filteredOn(call -> call.startsWith("term 1"))
                .hasSize(1);
        assertThat(calls).contains("term 2 at 15s");
        assertThat(process.epoch()).isEqualTo(2);
        assertThat(labelled("a") && labelled("b")).isTrue();
    }

    @Test
    void aProcessThatWakesWhenItsLeaseIsOverDoesNothingUntilAnotherLeads() {
        VirtualProcess process = halfDone(Fences.STANDARD);
        world.pause(process, Duration.ofSeconds(11));
        world.advance(Duration.ofSeconds(14));
        assertThat(calls).hasSize(1);
        world.advance(Duration.ofMinutes(1));
        assertThat(calls).contains("term 2 at 15s");
        assertThat(process.running()).isTrue();
        assertThat(labelled("a") && labelled("b")).isTrue();
    }

    /** The counterpart: without this test the tests above do not prove that the fences hold it back. */
    @Test
    void withoutFencesTheOldOneGoesOnInAnothersTerm() {
        VirtualProcess process = halfDone(NONE);
        world.pause(process, Duration.ofSeconds(20));
        world.advance(Duration.ofMinutes(1));
        assertThat(calls).contains("term 0 at 20s, late");
    }

    @Test
    void aPauseEndsWithItsProcess() {
        VirtualProcess process = halfDone(Fences.STANDARD);
        world.pause(process, Duration.ofSeconds(20));
        process.kill();
        world.advance(Duration.ofMinutes(1));
        assertThat(process.running()).isFalse();
        assertThat(calls).hasSize(1);
    }

    private void create(String name) {
        store.createDocument(
                        Kinds.CONFIG_MAP,
                        Document.of(Map.of(
                                "apiVersion", "v1",
                                "kind", "ConfigMap",
                                "metadata", Map.of("name", name, "namespace", "default"))))
                .orThrow();
    }

    private boolean labelled(String name) {
        return store.get(Kinds.CONFIG_MAP, ObjectKey.of("default", name))
                .orThrow()
                .metadata()
                .labels()
                .containsKey(Toy.LABEL);
    }
}
