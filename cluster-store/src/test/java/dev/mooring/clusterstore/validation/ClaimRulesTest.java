// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import static dev.mooring.clusterstore.validation.Rows.BOUND;
import static dev.mooring.clusterstore.validation.Rows.CLAIM;
import static dev.mooring.clusterstore.validation.Rows.claim;
import static dev.mooring.clusterstore.validation.Rows.claimChange;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.validation.Rows.Row;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;

/** One row per rule of semantics/binder §1.12 about claims. */
class ClaimRulesTest extends RulesTable {
    static Stream<Named<Row>> objects() {
        return Stream.of(
                claim(
                        "no access mode",
                        CLAIM.with(List.of(), "spec", "accessModes"),
                        "spec.accessModes: Required value: at least 1 access mode is required"),
                claim(
                        "RWOP and another",
                        CLAIM.with(List.of("ReadWriteOncePod", "ReadWriteOnce"), "spec", "accessModes"),
                        "spec.accessModes: Forbidden"),
                claim("no request", CLAIM.without("spec", "resources"), "spec.resources[storage]: Required value"),
                claim(
                        "a request of nothing",
                        CLAIM.with("0", "spec", "resources", "requests", "storage"),
                        "spec.resources[storage]: Invalid value: \"0\": must be greater than zero"),
                claim(
                        "an unknown mode",
                        CLAIM.with("Tape", "spec", "volumeMode"),
                        "spec.volumeMode: Unsupported value"),
                claim(
                        "a class name",
                        CLAIM.with("A", "spec", "storageClassName"),
                        "spec.storageClassName: Invalid value"),
                claim(
                        "a selector",
                        CLAIM.with(
                                List.of(Map.of("key", "a", "operator", "Like")),
                                "spec",
                                "selector",
                                "matchExpressions"),
                        "spec.selector.matchExpressions[0].operator: Invalid value: \"Like\""),
                claim(
                        "a source without name",
                        CLAIM.with(Map.of("kind", "PersistentVolumeClaim"), "spec", "dataSource"),
                        "spec.dataSource.name: Required value"),
                claim(
                        "a source of no group",
                        CLAIM.with(Map.of("kind", "Pod", "name", "p"), "spec", "dataSourceRef"),
                        "spec.dataSourceRef: Invalid value: \"Pod\": must be 'PersistentVolumeClaim' when referencing the"),
                claim(
                        "two sources",
                        CLAIM.with(Map.of("kind", "PersistentVolumeClaim", "name", "p"), "spec", "dataSourceRef")
                                .with(Map.of("kind", "PersistentVolumeClaim", "name", "q"), "spec", "dataSource"),
                        "spec.dataSource: Invalid value"));
    }

    static Stream<Named<Row>> changes() {
        String fixed =
                "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName"
                        + " for bound claims";
        String[] request = {"spec", "resources", "requests", "storage"};
        Document used = BOUND.with("fast", "spec", "volumeAttributesClassName")
                .with("fast", "status", "currentVolumeAttributesClassName");
        Document annotated = CLAIM.with("old", "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        Document classed = CLAIM.with("gold", "spec", "storageClassName");
        return Stream.of(
                claimChange(
                        "the access modes", CLAIM, CLAIM.with(List.of("ReadOnlyMany"), "spec", "accessModes"), fixed),
                claimChange("the mode", CLAIM, CLAIM.with("Block", "spec", "volumeMode"), fixed),
                claimChange("the selector", CLAIM, CLAIM.with("b", "spec", "selector", "matchLabels", "a"), fixed),
                claimChange(
                        "the data source",
                        CLAIM,
                        CLAIM.with(Map.of("kind", "PersistentVolumeClaim", "name", "q"), "spec", "dataSourceRef"),
                        fixed),
                claimChange("the volume, again", BOUND, BOUND.with("pv2", "spec", "volumeName"), fixed),
                claimChange("the volume, away", BOUND, BOUND.without("spec", "volumeName"), fixed),
                claimChange("the class, again", classed, classed.with("silver", "spec", "storageClassName"), fixed),
                claimChange("the class, away", classed, classed.without("spec", "storageClassName"), fixed),
                claimChange(
                        "another class than annotated",
                        annotated,
                        annotated.with("new", "spec", "storageClassName"),
                        fixed),
                claimChange("a request before binding", CLAIM, CLAIM.with("3Gi", request), fixed),
                claimChange(
                        "attributes before binding",
                        CLAIM,
                        CLAIM.with("v", "spec", "volumeAttributesClassName"),
                        fixed),
                claimChange(
                        "less than there is",
                        BOUND,
                        BOUND.with("512Mi", request),
                        "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"),
                claimChange(
                        "no attributes class any longer",
                        used,
                        used.without("spec", "volumeAttributesClassName"),
                        "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden"),
                claimChange(
                        "an empty attributes class",
                        used,
                        used.with("", "spec", "volumeAttributesClassName"),
                        "spec.volumeAttributesClassName: Forbidden: update from non-nil value to an empty string"),
                claimChange(
                        "the class annotation",
                        annotated,
                        annotated.with("new", "metadata", "annotations", "volume.beta.kubernetes.io/storage-class"),
                        "metadata.annotations[volume.beta.kubernetes.io/storage-class]: Invalid value: \"new\": field is"));
    }

    static Stream<Named<Row>> allowedChanges() {
        String[] request = {"spec", "resources", "requests", "storage"};
        Document annotated = CLAIM.with("old", "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        Document moved = CLAIM.with("old", "spec", "storageClassName");
        return Stream.of(
                claimChange("a first volume", CLAIM, CLAIM.with("pv1", "spec", "volumeName"), ""),
                claimChange("a first class", CLAIM, CLAIM.with("gold", "spec", "storageClassName"), ""),
                claimChange("the annotated class as field", annotated, moved, ""),
                claimChange("growing", BOUND, BOUND.with("3Gi", request), ""),
                claimChange("shrinking to what there is", BOUND, BOUND.with("1Gi", request), ""),
                claimChange("the same amount in other words", CLAIM, CLAIM.with("2048Mi", request), ""),
                claimChange(
                        "attributes once bound", BOUND, BOUND.with("fast", "spec", "volumeAttributesClassName"), ""));
    }

    @Test
    void theStateOfAResizeIsAKnownOne() {
        String[] state = {"status", "allocatedResourceStatuses", "storage"};
        Document pending = BOUND.with("NodeResizePending", state);

        assertThat(Rows.VALIDATION.onStatusUpdate(Kinds.PERSISTENT_VOLUME_CLAIM, BOUND, pending))
                .isEmpty();
        assertThat(Rows.VALIDATION.onStatusUpdate(Kinds.PERSISTENT_VOLUME_CLAIM, pending, BOUND.with("Odd", state)))
                .singleElement()
                .asString()
                .startsWith("status.allocatedResourceStatus: Unsupported value: \"Odd\"");
    }
}
