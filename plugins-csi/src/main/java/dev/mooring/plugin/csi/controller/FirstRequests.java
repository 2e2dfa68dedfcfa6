// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.plugin.csi.driver.LiveObjects;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
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

    private final ClusterStore store;
    private final SidecarRules rules;
    private final LiveObjects objects;

    /**
     * Keeps requests on the claims of a store.
     *
     * @param rules which places a first call names
     */
    public FirstRequests(ClusterStore store, SidecarRules rules) {
        this.store = store;
        this.rules = rules;
        this.objects = new LiveObjects(store);
    }

    /** From where the claim's new volume has to be reachable, if anything is said of that: as its first call said, else as it is said now, which is noted first. */
    Outcome<TopologyRequirement> topology(String driver, ProvisionRequest request) {
        if (rules.ownPlace().isPresent()) {
            return Outcome.done(VolumePlaces.only(rules.ownPlace().get()));
        }
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
                                .then(allowed ->
                                        computed(request, new VolumePlaces(driver, nodes, drivers), allowed))));
    }

    private Outcome<TopologyRequirement> computed(
            ProvisionRequest request, VolumePlaces places, List<Document> allowed) {
        Optional<String> node = request.selectedNode().map(NodeRef::name);
        if (node.isEmpty() && allowed.isEmpty() && !rules.immediateTopology()) {
            return Outcome.done(TopologyRequirement.getDefaultInstance());
        }
        return node.isPresent() && rules.strictTopology()
                ? places.strictly(node.get(), allowed)
                : places.requirement(request.claim().name(), node, allowed);
    }

    private Outcome<List<Document>> allowed(ProvisionRequest request) {
        return objects.find(Kinds.STORAGE_CLASS, ObjectKey.cluster(request.className()))
                .map(found -> found.map(StorageClass::allowedTopologies).orElse(List.of()));
    }

    /** The driver has given a final answer: the next try begins from the start. */
    Outcome<Nothing> ended(ProvisionRequest request) {
        return noted(request, Optional.empty());
    }

    /** A claim that has gone needs no note. */
    private Outcome<Nothing> noted(ProvisionRequest request, Optional<String> places) {
        Outcome<Nothing> noted = objects.edit(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                () -> claim(request)
                        .then(claim -> claim.map(Outcome::done)
                                .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, "the claim has gone"))),
                claim -> Outcome.done(
                        claim.withMetadata(places.map(text -> claim.metadata().withAnnotation(PLACES, text))
                                .orElseGet(() -> claim.metadata().withoutAnnotation(PLACES)))),
                "claim " + request.claim() + " is being changed by others");
        return noted.isRefused(Refusal.NOT_FOUND) ? Outcome.done() : noted;
    }

    private Outcome<Optional<PersistentVolumeClaim>> claim(ProvisionRequest request) {
        return objects.find(Kinds.PERSISTENT_VOLUME_CLAIM, request.claim())
                .map(found -> found.filter(claim -> claim.metadata().uid().equals(request.claimUid())));
    }

    private <T extends KubernetesObject> Outcome<List<T>> all(Kind<T> kind) {
        return store.list(kind, ListOptions.ALL)
                .match(found -> Outcome.done(found.items()), failed -> Outcome.deferred(failed.message()));
    }

    private static String encoded(TopologyRequirement places) {
        return Base64.getEncoder().encodeToString(places.toByteArray());
    }

    /** What is damaged counts as none. */
    private static Optional<TopologyRequirement> decoded(String text) {
        try {
            return Optional.of(TopologyRequirement.parseFrom(Base64.getDecoder().decode(text)));
        } catch (InvalidProtocolBufferException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }
}
