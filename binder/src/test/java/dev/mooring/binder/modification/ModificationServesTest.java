// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose volumes are modified: those of CSI drivers (semantics/binder §1.12) whose plugin in this process can do it. */
class ModificationServesTest {
    private static final String NAME = "disk.example.com";
    private static final VolumeSource CSI = new CsiSource(NAME, "pv", "", false, Map.of()).toSource();
    private static final VolumeSource NFS = new VolumeSource("nfs", Document.of(Map.of("server", "s", "path", "/")));

    /** Serves volumes of its driver, and those of type NFS. */
    private record Server(boolean modifies) implements StoragePlugin, Modifying {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(new PluginName(NAME), List.of("nfs"), Place.CONTROLLER)
                    .withSupportsMountOptions(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(describe().name(), source.attributes().toString());
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public <C extends Capability> Optional<C> capability(Class<C> type) {
            return modifies ? StoragePlugin.super.capability(type) : Optional.empty();
        }

        @Override
        public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
            return Outcome.done();
        }
    }

    private static Decision decide(boolean modifies, VolumeSource source) {
        ModificationController controller =
                new ModificationController(new PluginRegistry(List.of(new Server(modifies))));
        PersistentVolumeClaim claim = BinderObjects.boundTo("pv");
        PersistentVolume volume = BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID);
        Caches caches = new Caches(controller.kinds(), change -> {});
        caches.of(Kinds.PERSISTENT_VOLUME_CLAIM)
                .put(claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.of("fast"))), Origin.WATCH);
        caches.of(Kinds.PERSISTENT_VOLUME)
                .put(volume.withSpec(volume.spec().withSource(Optional.of(source))), Origin.WATCH);
        caches.of(Kinds.VOLUME_ATTRIBUTES_CLASS)
                .put(new VolumeAttributesClass(ObjectMeta.named("fast"), NAME, Map.of()), Origin.WATCH);
        return controller.decide(
                new Key("claim", ObjectKey.of(claim)),
                Optional.empty(),
                new Situation(caches, new Time(Instant.EPOCH, 0), Map.of(), List.of()));
    }

    @Test
    void aDriversVolumeIsModifiedByItsPlugin() {
        assertThat(decide(true, CSI).effects()).isNotEmpty();
    }

    @Test
    void aPluginThatCannotModifyLeavesItToAnotherProgram() {
        assertThat(decide(false, CSI).effects()).isEmpty();
    }

    @Test
    void aVolumeOfNoDriverHasNoClassOfAttributes() {
        assertThat(decide(true, NFS).effects()).isEmpty();
    }
}
