// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FirstPodsTest {
    private final FirstPods pods = new FirstPods();
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final List<String> order = new CopyOnWriteArrayList<>();

    @AfterEach
    void ends() {
        threads.shutdownNow();
    }

    private static PublishCall call(String volume, String pod, String... holders) {
        PodRef ref = new PodRef("ns", pod, pod);
        Path target = Path.of("/pods", pod);
        Publish record = RecordEntryPublishBuilder.builder()
                .pod(ref)
                .podVolume("data")
                .volume("pv")
                .volumeId(new VolumeId(new PluginName("example.com/x"), volume))
                .state(PluginState.NONE)
                .target(target)
                .phase(RecordPhase.INTENT)
                .bootId("boot-1")
                .build();
        VolumeSpec spec = VolumeSpec.inline("data", "ns", new VolumeSource("x", Document.empty()));
        PublishRequest request =
                new PublishRequest(spec, ref, target, Optional.empty(), false, PublishRequest.Occasion.INITIAL);
        return new PublishCall(new NodeRef("n1", "uid"), record, request, PodSetup.NONE, Set.of(holders));
    }

    @Test
    void aPodHasAVolumeOnceItsTurnHasEndedWell() {
        PublishCall one = call("v", "one");
        PublishCall two = call("v", "two", "recorded");

        pods.inTurn(one, () -> Outcome.uncertain("cut off"));
        assertThat(pods.others(two)).containsExactly("recorded");

        pods.inTurn(one, Outcome::done);
        assertThat(pods.others(two)).containsExactlyInAnyOrder("recorded", "one");
        assertThat(pods.others(one)).isEmpty();
        assertThat(pods.others(call("other", "two"))).isEmpty();

        pods.left(one.record());
        assertThat(pods.others(two)).containsExactly("recorded");
    }

    @Test
    void podsThatComeAtOnceTakeTurnsAndThoseOfOtherVolumesDoNotWait() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<Outcome<Nothing>> one = threads.submit(() -> pods.inTurn(call("v", "one"), () -> {
            begun.countDown();
            await(go);
            order.add("one");
            return Outcome.done();
        }));
        await(begun);

        pods.inTurn(call("other", "three"), () -> noted("three"));
        Future<Outcome<Nothing>> two = threads.submit(() -> pods.inTurn(call("v", "two"), () -> noted("two")));
        go.countDown();

        assertThat(one.get().isDone()).isTrue();
        assertThat(two.get().isDone()).isTrue();
        assertThat(order).containsExactly("three", "one", "two");
    }

    /** Its thread is needed for other volumes. */
    @Test
    void whoWouldWaitLongComesAgainLater() {
        Outcome<Nothing> outer = pods.inTurn(call("v", "one"), () -> {
            Outcome<Nothing> inner = pods.inTurn(call("v", "two"), () -> noted("two"));
            assertThat(inner.message()).contains("another pod");
            assertThat(inner.isDone()).isFalse();
            return noted("one");
        });

        assertThat(outer.isDone()).isTrue();
        assertThat(order).containsExactly("one");
    }

    @Test
    void aTurnThatFailsWithADefectIsOver() {
        try {
            pods.inTurn(call("v", "one"), () -> {
                throw new IllegalStateException("defect");
            });
        } catch (IllegalStateException e) {
            order.add("threw");
        }
        assertThat(pods.inTurn(call("v", "two"), () -> noted("two")).isDone()).isTrue();
        assertThat(order).containsExactly("threw", "two");
    }

    private Outcome<Nothing> noted(String what) {
        order.add(what);
        return Outcome.done();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
