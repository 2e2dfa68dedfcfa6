// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume that is attached, and mounted for pods only: nothing but their mounts shows that it is in use (S5). */
class AttachedAdoptionLoopTest extends AdoptionFixture<FakePlugin.Attached> {
    private static final String BACKEND = "/data/pv1";
    private static final String NAME = "example.com/fake/" + BACKEND;
    private static final Path VOLUME = SmallCluster.ROOT
            .resolve("pods/web-uid/volumes")
            .resolve(FakePlugin.NAME.escaped())
            .resolve("pv1");

    AttachedAdoptionLoopTest() {
        super(new FakePlugin.Attached());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itStaysInUseUntilItIsUnpublishedAlsoIfItsPodIsGone(boolean gone) {
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
        world.attach(BACKEND);
        world.run();
        assertThat(world.calls).containsExactly("publish pv1");
        mounted(VOLUME, "0:40");
        if (gone) {
            world.store.remove(Kinds.POD, ObjectKey.of("ns", "web"));
        }

        world.faults =
                call -> call.operation().equals("unpublish") ? Optional.of(Outcome.deferred("busy")) : Optional.empty();
        restartWithoutRecords();
        world.run();
        assertThat(inUse()).containsExactly(NAME);

        world.store.remove(Kinds.POD, ObjectKey.of("ns", "web"));
        world.faults = call -> Optional.empty();
        world.run();
        assertThat(world.calls).endsWith("unpublish pv1");
        assertThat(world.standing()).isEmpty();
        assertThat(inUse()).isEmpty();
        assertThat(world.violations).isEmpty();
    }
}
