// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Volumes of a driver that says so are published again every minute. */
class RepublishingLoopTest {
    private static final String DRIVER = "secrets.example.com";

    private final NodeWorld world = new NodeWorld(new Driver());
    private final List<Occasion> published = new ArrayList<>();
    private boolean fails;
    private int unpublished;

    /** Serves CSI sources that name it as driver. */
    private static final class Driver extends FakePlugin {
        private static final PluginName NAMED = new PluginName(DRIVER);

        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAMED, List.of(), super.describe().reclaimPlace())
                    .withManagesOwnership(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(
                    NAMED, CsiSource.of(source).map(CsiSource::volumeHandle).orElseThrow());
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }
    }

    @BeforeEach
    void listen() {
        world.faults = call -> {
            if (call instanceof UnpublishCall) {
                unpublished++;
            }
            if (!(call instanceof PublishCall publish)) {
                return Optional.empty();
            }
            published.add(publish.request().occasion());
            return fails && publish.request().occasion() == Occasion.REPUBLISH
                    ? Optional.of(Outcome.refused(Refusal.DENIED, "the vault is sealed"))
                    : Optional.empty();
        };
        world.store.put(Kinds.NODE, SmallCluster.node());
    }

    private void driver(boolean requiresRepublish) {
        CSIDriverSpec spec = CSIDriverSpec.EMPTY
                .withVolumeLifecycleModes(List.of("Ephemeral"))
                .withRequiresRepublish(Optional.of(requiresRepublish));
        world.store.put(Kinds.CSI_DRIVER, new CSIDriver(ObjectMeta.named(DRIVER), spec));
    }

    private void pod() {
        VolumeSource source = new CsiSource(DRIVER, "", "", false, Map.of()).toSource();
        world.store.put(Kinds.POD, SmallCluster.pod("web", new PodVolume("v", Optional.of(source))));
    }

    private long refreshes() {
        return published.stream().filter(Occasion.REPUBLISH::equals).count();
    }

    @Test
    void aVolumeIsPublishedAgainEveryMinute() {
        driver(true);
        pod();
        world.run(59);
        assertThat(published).containsExactly(Occasion.INITIAL);

        world.run(600);

        assertThat(refreshes()).isEqualTo(10);
        assertThat(unpublished).isZero();
    }

    @Test
    void itBeginsAndEndsWithTheWordOfTheDriver() {
        driver(false);
        pod();
        world.run(600);
        assertThat(published).containsExactly(Occasion.INITIAL);

        driver(true);
        world.run(121);
        assertThat(refreshes()).isEqualTo(2);

        driver(false);
        world.run(600);
        assertThat(refreshes()).isEqualTo(2);
    }

    @Test
    void aRefreshThatFailsIsToldAndTakesNothingAway() {
        driver(true);
        pod();
        fails = true;
        world.run(300);

        assertThat(world.eventReasons()).contains("FailedMount: the vault is sealed");
        assertThat(refreshes()).isPositive();
        assertThat(unpublished).isZero();

        fails = false;
        long tries = refreshes();
        world.run(600);
        assertThat(refreshes()).isBetween(tries + 4, tries + 11);
        assertThat(unpublished).isZero();
    }

    @Test
    void aPodThatHasGoneIsLeftAlone() {
        driver(true);
        pod();
        world.run(120);
        world.store.remove(Kinds.POD, ObjectKey.of("ns", "web"));
        world.run(600);

        assertThat(unpublished).isOne();
        assertThat(refreshes()).isLessThanOrEqualTo(2);
    }

    @Test
    void itGoesOnOnceAVolumeIsWholeAgain() {
        driver(true);
        PersistentVolume volume = SmallCluster.volume("pv", "data");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withSpec(volume.spec()
                        .withSource(Optional.of(new CsiSource(DRIVER, "handle", "", false, Map.of()).toSource()))));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.run(121);
        long before = refreshes();
        assertThat(before).isPositive();

        world.store.remove(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("ns", "data"));
        world.run(300);
        assertThat(refreshes()).isEqualTo(before);
        assertThat(world.eventReasons()).anyMatch(told -> told.contains("persistentvolumeclaim \"data\" not found"));

        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv"));
        world.run(300);
        assertThat(refreshes()).isGreaterThanOrEqualTo(before + 4);
        assertThat(unpublished).isZero();
    }
}
