// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A stand-in for the external resizer of CSI drivers (semantics/binder §3.5): it makes the storage of claims larger that ask for more
 * than they have, in the order status, back-end, volume, status. What is under way stands in the claim's status.
 */
public final class ExternalResizer implements Controller {
    private static final String CLAIM = "claim";

    private final Set<String> drivers;

    /**
     * Makes a resizer that remembers nothing.
     *
     * @param drivers the names of the drivers whose volumes it makes larger
     */
    public ExternalResizer(Set<String> drivers) {
        this.drivers = Set.copyOf(drivers);
    }

    @Override
    public String name() {
        return Sidecars.RESIZER;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            mailbox.inputChanged(new Key(CLAIM, change.key()));
        } else {
            change.as(Kinds.PERSISTENT_VOLUME)
                    .latest()
                    .spec()
                    .claimRef()
                    .ifPresent(ref -> mailbox.inputChanged(new Key(CLAIM, ObjectKey.of(ref.namespace(), ref.name()))));
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        return situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME_CLAIM, key.object())
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .flatMap(claim -> situation
                        .caches()
                        .get(
                                Kinds.PERSISTENT_VOLUME,
                                ObjectKey.cluster(claim.spec().volumeName()))
                        .filter(this::serves)
                        .filter(volume -> volume.spec()
                                .claimRef()
                                .filter(ref -> ref.uid().equals(claim.metadata().uid()))
                                .isPresent())
                        .map(volume -> new OutsideGrowth(claim, volume, situation).decide(state)))
                .orElse(Decision.nothing());
    }

    private boolean serves(PersistentVolume volume) {
        return volume.spec()
                .source()
                .flatMap(CsiSource::of)
                .filter(csi -> drivers.contains(csi.driver()))
                .isPresent();
    }
}
