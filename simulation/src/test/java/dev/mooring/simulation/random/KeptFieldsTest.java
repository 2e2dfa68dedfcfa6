// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectName;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.simulation.virtual.Fences;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the caches leave out is missed by no controller: with whole objects everything happens in the same way. */
@Tag("long")
class KeptFieldsTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aControllerReadsNoFieldThatItDoesNotName(long seed) {
        WorldReport usual = RandomWorld.play(seed, WorldOptions.DEFAULT);
        WorldReport whole = RandomWorld.replay(
                seed, new WholePlane(WorldOptions.DEFAULT.plane()), WorldOptions.DEFAULT, usual.acts());
        assertThat(whole.acts()).isEqualTo(usual.acts());
        assertThat(whole.violations()).isEqualTo(usual.violations());
        assertThat(whole.hash()).isEqualTo(usual.hash());
    }

    /** A control plane whose controllers are shown whole objects. */
    private record WholePlane(SimulatedControlPlane real) implements SimulatedControlPlane {
        @Override
        public List<Controller> controllers() {
            return real.controllers().stream()
                    .<Controller>map(WholeController::new)
                    .toList();
        }

        @Override
        public Optional<Agent> agent(NodeRef node) {
            return real.agent(node);
        }

        @Override
        public Map<String, Supplier<List<Controller>>> sidecars() {
            return real.sidecars();
        }

        @Override
        public Optional<Outcome<?>> success(Call call) {
            return real.success(call);
        }

        @Override
        public FileSystems fileSystems(
                BlockDevices devices,
                Mounts mounts,
                ProcessRunner tools,
                Function<BlockDevice, Outcome<byte[]>> heads) {
            return real.fileSystems(devices, mounts, tools, heads);
        }

        @Override
        public Fences fences() {
            return real.fences();
        }
    }

    private record WholeController(Controller real) implements Controller {
        @Override
        public String name() {
            return real.name();
        }

        @Override
        public List<Kind<?>> kinds() {
            return real.kinds();
        }

        @Override
        public Interest interest(Kind<?> kind) {
            return real.interest(kind);
        }

        @Override
        public void missing(ObjectName object, Mailbox mailbox) {
            real.missing(object, mailbox);
        }

        @Override
        public FieldSelection reads(Kind<?> kind) {
            return FieldSelection.ALL;
        }

        @Override
        public void started(Mailbox mailbox) {
            real.started(mailbox);
        }

        @Override
        public void observe(ObjectChange<?> change, Mailbox mailbox) {
            real.observe(change, mailbox);
        }

        @Override
        public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
            return real.decide(key, state, situation);
        }

        @Override
        public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
            real.applied(key, before, after, mailbox);
        }

        @Override
        public List<Concern> concerns(Key key, Caches caches) {
            return real.concerns(key, caches);
        }

        @Override
        public Rank rank(Key key) {
            return real.rank(key);
        }
    }
}
