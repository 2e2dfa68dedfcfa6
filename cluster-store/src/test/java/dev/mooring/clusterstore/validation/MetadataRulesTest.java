// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.CLAIM;
import static dev.mooring.clusterstore.validation.Rows.VOLUME;
import static dev.mooring.clusterstore.validation.Rows.change;
import static dev.mooring.clusterstore.validation.Rows.claim;
import static dev.mooring.clusterstore.validation.Rows.owner;
import static dev.mooring.clusterstore.validation.Rows.pv;

import dev.mooring.clusterstore.validation.Rows.Row;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** One row per rule of metadata. */
class MetadataRulesTest extends RulesTable {
    static Stream<Named<Row>> objects() {
        return Stream.of(
                pv(
                        "no name",
                        VOLUME.without("metadata", "name"),
                        "metadata.name: Required value: name or generateName"),
                pv(
                        "capitals",
                        VOLUME.with("A", "metadata", "name"),
                        "metadata.name: Invalid value: \"A\": a lowercase RFC 1123"),
                pv("a name too long", VOLUME.with("a".repeat(254), "metadata", "name"), "metadata.name: Invalid value"),
                pv(
                        "a namespace",
                        VOLUME.with("x", "metadata", "namespace"),
                        "metadata.namespace: Forbidden: not allowed on"),
                claim("no namespace", CLAIM.without("metadata", "namespace"), "metadata.namespace: Required value"),
                claim(
                        "a namespace with a dot",
                        CLAIM.with("x.y", "metadata", "namespace"),
                        "metadata.namespace: Invalid value"),
                pv(
                        "a label key",
                        VOLUME.with("1", "metadata", "labels", "/x"),
                        "metadata.labels: Invalid value: \"/x\": prefix"),
                pv(
                        "a label value",
                        VOLUME.with("a b", "metadata", "labels", "x"),
                        "metadata.labels: Invalid value: \"a b\": a valid"),
                pv(
                        "an annotation key",
                        VOLUME.with("1", "metadata", "annotations", "a b"),
                        "metadata.annotations: Invalid value"),
                pv(
                        "big annotations",
                        VOLUME.with("x".repeat(256 * 1024), "metadata", "annotations", "x"),
                        "metadata.annotations: Too long"),
                pv(
                        "a finalizer without domain",
                        VOLUME.with(List.of("mine"), "metadata", "finalizers"),
                        "metadata.finalizers[0]: Invalid value: \"mine\": name is neither a standard finalizer name nor"),
                pv(
                        "a malformed finalizer",
                        VOLUME.with(List.of("a b/c"), "metadata", "finalizers"),
                        "metadata.finalizers[0]: Invalid value"),
                pv(
                        "orphan and foreground",
                        VOLUME.with(List.of("orphan", "foregroundDeletion"), "metadata", "finalizers"),
                        "metadata.finalizers: Invalid value"),
                pv(
                        "an owner without uid",
                        VOLUME.with(
                                List.of(Map.of("apiVersion", "v1", "kind", "Pod", "name", "p")),
                                "metadata",
                                "ownerReferences"),
                        "metadata.ownerReferences.uid: Invalid value: \"\": uid must not be empty"),
                pv(
                        "an event as owner",
                        VOLUME.with(
                                List.of(Map.of("apiVersion", "v1", "kind", "Event", "name", "e", "uid", "u")),
                                "metadata",
                                "ownerReferences"),
                        "metadata.ownerReferences: Invalid value: {"),
                pv(
                        "a prefix of no name",
                        VOLUME.with("Ab_", "metadata", "generateName"),
                        "metadata.generateName: Invalid value: \"Ab_\": a lowercase RFC 1123 subdomain"),
                pv(
                        "two controllers",
                        VOLUME.with(List.of(owner("u1"), owner("u2")), "metadata", "ownerReferences"),
                        "metadata.ownerReferences: Invalid value"));
    }

    static Stream<Named<Row>> changes() {
        Document deleting = VOLUME.with("2000-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        return Stream.of(
                change(
                        "the uid",
                        VOLUME,
                        VOLUME.with("u2", "metadata", "uid"),
                        "metadata.uid: Invalid value: \"u2\": field is"),
                change(
                        "a finalizer while deleting",
                        deleting,
                        deleting.with(List.of("a.b/c"), "metadata", "finalizers"),
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new"
                                + " finalizers []string{\"a.b/c\"}"));
    }

    static Stream<Named<Row>> allowedChanges() {
        return Stream.of(
                change("a prefix", VOLUME, VOLUME.with("a-", "metadata", "generateName"), ""),
                change("a label", VOLUME, VOLUME.with("b", "metadata", "labels", "a"), ""),
                change("an annotation", VOLUME, VOLUME.with("b", "metadata", "annotations", "a"), ""),
                change("a finalizer", VOLUME, VOLUME.with(List.of("example.com/a"), "metadata", "finalizers"), ""));
    }
}
