// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A volume whose storage an external provisioner has to destroy (X7, X8). */
final class OutsideVolume {
    private static final String CONFIRM = "confirm-volume";
    private static final String DESTROY = "destroy";

    private final Set<String> drivers;
    private final PersistentVolume volume;
    private final Situation situation;

    OutsideVolume(Set<String> drivers, PersistentVolume volume, Situation situation) {
        this.drivers = drivers;
        this.volume = volume;
        this.situation = situation;
    }

    Decision decide(Optional<KeyState> state) {
        Optional<String> driver = volume.metadata()
                .annotation(Annotations.PROVISIONED_BY)
                .or(() -> volume.spec().source().flatMap(CsiSource::of).map(CsiSource::driver))
                .filter(drivers::contains);
        if (driver.isEmpty()) {
            return Decision.nothing();
        }
        boolean destroyed =
                situation.resultOf(DESTROY).filter(EffectResult::succeeded).isPresent()
                        || state.filter(new Destroyed(volume.metadata().uid())::equals)
                                .isPresent();
        if (destroyed) {
            return letGo();
        }
        boolean kept = volume.metadata().hasFinalizer(Finalizers.EXTERNAL_PROVISIONER);
        boolean deletes = volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
        boolean bound = volume.status().phase() == PersistentVolumePhase.BOUND;
        if (!kept && deletes && bound && !volume.metadata().isDeleting()) {
            return update("keep-volume", volume.metadata().withFinalizer(Finalizers.EXTERNAL_PROVISIONER)); // X8
        } else if (kept && !deletes) {
            return update("leave-volume", volume.metadata().withoutFinalizer(Finalizers.EXTERNAL_PROVISIONER)); // X8
        }
        boolean released = volume.status().phase() == PersistentVolumePhase.RELEASED
                && deletes
                && (kept || !volume.metadata().isDeleting());
        return released ? destroy(driver.get(), state) : Decision.nothing();
    }

    /** X7: what is still attached waits; what is to be destroyed is read once more. */
    private Decision destroy(String driver, Optional<KeyState> state) {
        Optional<String> name = Optional.of(volume.metadata().name());
        boolean attached = situation.caches().of(Kinds.VOLUME_ATTACHMENT).all().stream()
                .anyMatch(slot -> slot.spec().source().persistentVolumeName().equals(name));
        if (attached) {
            return Decision.nothing();
        }
        long now = situation.now().monotonicNanos();
        Due due = state.filter(Due.class::isInstance)
                .map(Due.class::cast)
                .orElseGet(() -> new Due(situation.now().monotonicNanosAfter(Sidecars.pace(name.get()))));
        long wait = Math.max(
                due.nanos - now,
                situation.backoff(DESTROY).map(Duration::toNanos).orElse(0L));
        if (wait > 0) {
            return Decision.remember(due).wakeAfter(Duration.ofNanos(wait));
        }
        Optional<VolumeSpec> spec = VolumeSpec.of(volume);
        if (spec.isEmpty()) {
            return Decision.nothing();
        }
        if (situation.resultOf(CONFIRM).filter(EffectResult::succeeded).isEmpty()) {
            return Decision.act(new Effect.Read<>(CONFIRM, Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name.get())))
                    .withState(due);
        }
        return Decision.act(new Effect.Perform(
                        DESTROY,
                        new OutsideCall(new DeleteCall(new PluginName(driver), spec.get())),
                        Optional.of(new Target(driver, name.get())),
                        Defaults.RECLAIM_TIME_LIMIT))
                .withState(due);
    }

    private Decision letGo() {
        Destroyed destroyed = new Destroyed(volume.metadata().uid());
        if (!volume.metadata().isDeleting()) {
            DeleteOptions only = DeleteOptions.ofUid(volume.metadata().uid());
            return Decision.act(
                            new Effect.Delete<>("delete-volume", Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume), only))
                    .withState(destroyed);
        }
        return volume.metadata().hasFinalizer(Finalizers.EXTERNAL_PROVISIONER)
                ? update("leave-volume", volume.metadata().withoutFinalizer(Finalizers.EXTERNAL_PROVISIONER))
                        .withState(destroyed)
                : Decision.remember(destroyed);
    }

    private Decision update(String operation, ObjectMeta metadata) {
        return Decision.act(new Effect.Update<>(
                operation, Kinds.PERSISTENT_VOLUME, new Change<>(volume, volume.withMetadata(metadata))));
    }

    /** When the back-end is asked. */
    private record Due(long nanos) implements KeyState {}

    /** The storage has gone; so has the object to. */
    private record Destroyed(String uid) implements KeyState {}
}
