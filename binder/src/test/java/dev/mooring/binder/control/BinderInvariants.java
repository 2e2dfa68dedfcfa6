// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What must hold of all objects once nothing is left to do, whatever happened before (semantics/binder §7.1). */
final class BinderInvariants {
    private BinderInvariants() {}

    static void check(Cluster cluster) {
        List<PersistentVolume> volumes = cluster.volumes();
        List<PersistentVolumeClaim> claims = cluster.claims();
        Map<String, PersistentVolume> byName = new HashMap<>();
        Map<String, PersistentVolumeClaim> byUid = new HashMap<>();
        volumes.forEach(volume -> byName.put(volume.metadata().name(), volume));
        claims.forEach(claim -> byUid.put(claim.metadata().uid(), claim));
        for (PersistentVolumeClaim claim : claims) {
            if (claim.status().phase() == ClaimPhase.BOUND) {
                PersistentVolume volume = byName.get(claim.spec().volumeName());
                assertThat(volume).as("the volume of " + claim).isNotNull();
                assertThat(uidOf(volume))
                        .as("I1 of " + volume)
                        .contains(claim.metadata().uid());
                assertThat(volume.status().phase()).as(volume.toString()).isEqualTo(PersistentVolumePhase.BOUND);
                assertThat(claim.metadata().annotation(Annotations.BIND_COMPLETED))
                        .isPresent();
            }
        }
        for (PersistentVolume volume : volumes) {
            Optional<PersistentVolumeClaim> owner = uidOf(volume).map(byUid::get);
            if (volume.status().phase() == PersistentVolumePhase.BOUND) {
                assertThat(owner.map(claim -> claim.spec().volumeName()))
                        .as("the claim of " + volume)
                        .contains(volume.metadata().name());
            }
            owner.ifPresent(claim -> assertThat(claim.spec().volumeName())
                    .as("I2: a volume follows the claim that it is claimed by: " + volume)
                    .isEqualTo(volume.metadata().name()));
        }
        nothingIsSharedBy(volumes, claims);
        noClaimWaitsForWhatIsThere(volumes, claims);
        everyoneWhoWaitsKnowsForWhat(cluster, claims);
        int writes = cluster.writes.size();
        cluster.restart();
        assertThat(cluster.settle().writes)
                .as("I5: nothing differs, nothing is written")
                .hasSize(writes);
        // until then people may have to be told what is waited for
        assertThat(cluster.advance(Defaults.LONG_WAIT).hasTimer()).isFalse();
    }

    private static void nothingIsSharedBy(List<PersistentVolume> volumes, List<PersistentVolumeClaim> claims) {
        assertThat(claims)
                .filteredOn(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .extracting(claim -> claim.spec().volumeName())
                .as("I1: two claims that are Bound name one volume")
                .doesNotHaveDuplicates();
        assertThat(volumes.stream().map(BinderInvariants::uidOf).flatMap(Optional::stream))
                .as("two volumes carry one claim's uid")
                .doesNotHaveDuplicates();
    }

    private static void everyoneWhoWaitsKnowsForWhat(Cluster cluster, List<PersistentVolumeClaim> claims) {
        assertThat(claims)
                .filteredOn(claim -> claim.status().phase() == ClaimPhase.PENDING
                        && !claim.metadata().isDeleting())
                .as("I6: a claim that waits, and no cause says for what")
                .allMatch(claim -> cluster.stateOf(claim)
                        .filter(state ->
                                state.awaited().isPresent() || !state.told().isEmpty())
                        .isPresent());
    }

    private static void noClaimWaitsForWhatIsThere(List<PersistentVolume> volumes, List<PersistentVolumeClaim> claims) {
        for (PersistentVolumeClaim claim : claims) {
            if (claim.status().phase() == ClaimPhase.PENDING
                    && claim.spec().volumeName().isEmpty()
                    && claim.metadata().annotation(Annotations.BIND_COMPLETED).isEmpty()
                    && !claim.metadata().isDeleting()) {
                assertThat(volumes)
                        .as("I6: nothing that is free fits " + claim)
                        .noneMatch(volume -> volume.spec().claimRef().isEmpty()
                                && PrebindCheck.problem(volume, claim).isEmpty());
            }
        }
    }

    private static Optional<String> uidOf(PersistentVolume volume) {
        return volume.spec().claimRef().map(ObjectReference::uid).filter(uid -> !uid.isEmpty());
    }
}
