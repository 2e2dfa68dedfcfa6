// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The places that a claim's first call named, kept on the claim until the driver gives a final answer. A call that is repeated names the same
 * places although a node has gone since: with others a driver takes it for another volume, and the first one leaks
 * (sig-storage-lib-external-provisioner#152). It survives a restart. Thread-safe.
 */
public final class FirstRequests {
    /** The annotation of the claim: a TopologyRequirement, in protocol buffers and base64. */
    static final String PLACES = "mooring.dev/csi-places";

    private static final int TRIES = 5;

    private final ClusterStore store;

    /** Keeps requests on the claims of a store. */
    public FirstRequests(ClusterStore store) {
        this.store = store;
    }

    /** From where the claim's new volume has to be reachable: as its first call said, else as it is said now, which is noted first. */
    Outcome<TopologyRequirement> topology(String driver, ProvisionRequest request) {
        return claim(request)
                .then(claim -> claim.flatMap(found -> found.metadata().annotation(PLACES))
                        .flatMap(FirstRequests::decoded)
                        .map(Outcome::done)
                        .orElseGet(() -> computed(driver, request)
                                .then(places -> noted(request, Optional.of(encoded(places)))
                                        .map(done -> places))));
    }

    private Outcome<TopologyRequirement> computed(String driver, ProvisionRequest request) {
        return all(Kinds.NODE)
                .then(nodes -> all(Kinds.CSI_NODE)
                        .then(drivers -> allowed(request)
                                .then(allowed -> new VolumePlaces(driver, nodes, drivers)
                                        .requirement(
                                                request.claim().name(),
                                                request.selectedNode().map(NodeRef::name),
                                                allowed))));
    }

    private Outcome<List<Document>> allowed(ProvisionRequest request) {
        return found(Kinds.STORAGE_CLASS, ObjectKey.cluster(request.className()))
                .map(found -> found.map(StorageClass::allowedTopologies).orElse(List.of()));
    }

    /** The driver has given a final answer: the next try begins anew. */
    Outcome<Nothing> ended(ProvisionRequest request) {
        return noted(request, Optional.empty());
    }

    private Outcome<Nothing> noted(ProvisionRequest request, Optional<String> places) {
        for (int i = 0; i < TRIES; i++) {
            Outcome<Optional<PersistentVolumeClaim>> read = claim(request);
            Optional<PersistentVolumeClaim> claim = read.result().flatMap(found -> found);
            if (claim.isEmpty()) {
                return read.map(gone -> Nothing.NOTHING);
            }
            ObjectMeta metadata = claim.get().metadata();
            if (metadata.annotation(PLACES).equals(places)) {
                return Outcome.done();
            }
            ObjectMeta edited = places.map(text -> metadata.withAnnotation(PLACES, text))
                    .orElseGet(() -> metadata.withoutAnnotation(PLACES));
            Optional<Outcome<Nothing>> written = store.update(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            new Change<>(claim.get(), claim.get().withMetadata(edited)))
                    .match(
                            done -> Optional.of(Outcome.done()),
                            failed -> failed.reason() == Failure.CONFLICT
                                    ? Optional.empty()
                                    : Optional.of(Outcome.deferred(failed.message())));
            if (written.isPresent()) {
                return written.get();
            }
        }
        return Outcome.deferred("claim " + request.claim() + " is being changed by others");
    }

    private Outcome<Optional<PersistentVolumeClaim>> claim(ProvisionRequest request) {
        return found(Kinds.PERSISTENT_VOLUME_CLAIM, request.claim())
                .map(found -> found.filter(claim -> claim.metadata().uid().equals(request.claimUid())));
    }

    private <T extends KubernetesObject> Outcome<Optional<T>> found(Kind<T> kind, ObjectKey key) {
        return store.get(kind, key)
                .match(
                        found -> Outcome.done(Optional.of(found)),
                        failed -> failed.reason() == Failure.NOT_FOUND
                                ? Outcome.done(Optional.empty())
                                : Outcome.deferred(failed.message()));
    }

    private <T extends KubernetesObject> Outcome<List<T>> all(Kind<T> kind) {
        return store.list(kind, ListOptions.ALL)
                .match(found -> Outcome.done(found.items()), failed -> Outcome.deferred(failed.message()));
    }

    private static String encoded(TopologyRequirement places) {
        return Base64.getEncoder().encodeToString(places.toByteArray());
    }

    /** What somebody has damaged is as good as none. */
    private static Optional<TopologyRequirement> decoded(String text) {
        try {
            return Optional.of(TopologyRequirement.parseFrom(Base64.getDecoder().decode(text)));
        } catch (InvalidProtocolBufferException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }
}
