// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A stand-in for the external provisioner of CSI drivers (semantics/binder §1.10, X1–X8): it makes storage for claims that name it, and
 * the volume object for it; it destroys the storage of volumes that are shown Released, and keeps them by its finalizer until then. What
 * it has begun for a claim it remembers, and brings to an end though the claim goes; over its own death it forgets that, as the real one
 * does.
 */
public final class ExternalProvisioner implements Controller {
    private static final String STORAGE = "storage";
    private static final String VOLUME = "volume";

    private final Set<String> drivers;

    /**
     * Makes a provisioner that remembers nothing.
     *
     * @param drivers the names under which claims ask for it, and those of its volumes' drivers
     */
    public ExternalProvisioner(Set<String> drivers) {
        this.drivers = Set.copyOf(drivers);
    }

    @Override
    public String name() {
        return Sidecars.PROVISIONER;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(
                Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME, Kinds.STORAGE_CLASS, Kinds.VOLUME_ATTACHMENT);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            String uid =
                    change.as(Kinds.PERSISTENT_VOLUME_CLAIM).latest().metadata().uid();
            mailbox.inputChanged(new Key(STORAGE, ObjectKey.cluster(uid)));
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            mailbox.inputChanged(new Key(VOLUME, change.key()));
            if (change.after().isEmpty()) {
                // Its claim may still wait; the real one looks at all claims again every 15 minutes.
                mailbox.inputChanged(new Key(STORAGE, ObjectKey.cluster(OutsideStorage.uidIn(change.key()))));
            }
        } else if (change.concerns(Kinds.VOLUME_ATTACHMENT)) {
            change.as(Kinds.VOLUME_ATTACHMENT)
                    .latest()
                    .spec()
                    .source()
                    .persistentVolumeName()
                    .ifPresent(volume -> mailbox.inputChanged(new Key(VOLUME, ObjectKey.cluster(volume))));
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        return key.type().equals(VOLUME)
                ? situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME, key.object())
                        .map(volume -> new OutsideVolume(drivers, volume, situation).decide(state))
                        .orElse(Decision.nothing())
                : new OutsideStorage(drivers, key.object().name(), situation).decide(state);
    }
}
