// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Sees what side-cars write of drivers that are served here: a volume that bears external-provisioner's mark, and an attachment that gets
 * external-attacher's finalizer. Decides nothing.
 */
final class OtherWriters implements Controller {
    private static final String NAME = "other-writers";
    private static final String PROVISIONER = "storage.kubernetes.io/csiProvisionerIdentity";

    private final ServedLeases leases;

    OtherWriters(ServedLeases leases) {
        this.leases = leases;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME, Kinds.VOLUME_ATTACHMENT);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            change.as(Kinds.PERSISTENT_VOLUME).after().ifPresent(this::observeVolume);
        } else {
            change.as(Kinds.VOLUME_ATTACHMENT).after().ifPresent(this::observeAttachment);
        }
    }

    private void observeVolume(PersistentVolume volume) {
        Optional<CsiSource> csi = volume.spec().source().flatMap(CsiSource::of);
        Optional<String> writer = csi.map(CsiSource::volumeAttributes).map(all -> all.get(PROVISIONER));
        if (writer.isPresent() && isNew(csi.get().driver(), volume.metadata())) {
            leases.another(
                    csi.get().driver(),
                    "PersistentVolume " + volume.metadata().name() + " was made by external-provisioner ("
                            + writer.get() + ")");
        }
    }

    private void observeAttachment(VolumeAttachment attachment) {
        String driver = attachment.spec().attacher();
        boolean taken = attachment.metadata().finalizers().stream()
                .anyMatch(finalizer -> finalizer.startsWith(Finalizers.EXTERNAL_ATTACHER));
        if (taken && isNew(driver, attachment.metadata())) {
            leases.another(
                    driver,
                    "VolumeAttachment " + attachment.metadata().name()
                            + " has the finalizer of external-attacher");
        }
    }

    /** What is older may be of side-cars that were removed. */
    private boolean isNew(String driver, ObjectMeta metadata) {
        Optional<Instant> since = leases.since(driver);
        return since.isPresent()
                && metadata.creationTimestamp()
                        .filter(made -> made.isAfter(since.get()))
                        .isPresent();
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        return Decision.nothing();
    }
}
