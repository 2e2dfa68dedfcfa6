// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What others do to the volume {@code pv} and the claim {@code data} while they are being bound (semantics/binder §7.2). */
enum Disturbance {
    CLAIM_DELETED(cluster -> {
        if (cluster.findClaim("data").isPresent()) {
            cluster.deleteClaim("data");
        }
    }),
    VOLUME_DELETED(cluster -> {
        if (cluster.findVolume("pv").isPresent()) {
            cluster.deleteVolume("pv");
        }
    }),
    CLAIM_MADE_ANEW(cluster -> {
        CLAIM_DELETED.strikes(cluster);
        if (cluster.findClaim("data").isPresent()) {
            cluster.editClaim("data", c -> c.withMetadata(c.metadata().withFinalizers(List.of())));
        }
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data", "1Gi"))
                .orThrow();
    }),
    OTHER_CONTROLLER_TAKES_THE_VOLUME(cluster -> {
        if (cluster.findClaim("rival").isEmpty()) {
            cluster.load(BinderObjects.claim("rival", "1Gi"));
        }
        PersistentVolumeClaim rival = cluster.claim("rival");
        if (cluster.findVolume("pv").isPresent()) {
            cluster.editVolume("pv", v -> Transitions.claimed(v, rival));
        }
    }),
    OTHER_CONTROLLER_TAKES_THE_CLAIM(cluster -> {
        boolean free = cluster.findClaim("data")
                .filter(claim -> claim.spec().volumeName().isEmpty())
                .isPresent();
        if (free) {
            cluster.editClaim("data", c -> Transitions.naming(c, cluster.volume("other")));
        }
    }),
    SCHEDULER_RESERVES_ANOTHER_VOLUME(cluster -> cluster.findClaim("data")
            .filter(claim -> cluster.volume("other").spec().claimRef().isEmpty())
            .ifPresent(claim -> cluster.editVolume("other", v -> Transitions.claimed(v, claim)))),
    USER_EDITS_CLAIM_REF(cluster -> {
        if (cluster.findVolume("pv").isPresent()) {
            cluster.editVolume("pv", v -> v.withSpec(v.spec().withClaimRef(Optional.empty())));
        }
    }),
    USER_REMOVES_BIND_COMPLETED(cluster -> {
        if (cluster.findClaim("data").isPresent()) {
            cluster.editClaim("data", c -> c.withMetadata(c.metadata().withoutAnnotation(Annotations.BIND_COMPLETED)));
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
    private final Consumer<Cluster> act;

    Disturbance(Consumer<Cluster> act) {
        this.act = act;
    }

    void strikes(Cluster cluster) {
        act.accept(cluster);
    }
}
