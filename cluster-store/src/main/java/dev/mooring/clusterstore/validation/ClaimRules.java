// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Optional;

/** The rules of PersistentVolumeClaims (semantics/binder §1.12). */
final class ClaimRules implements KindRules {
    private static final String[] REQUEST = {"spec", "resources", "requests", "storage"};
    private static final List<String> RESIZE_STATES = List.of(
            "ControllerResizeInProgress",
            "ControllerResizeInfeasible",
            "NodeResizePending",
            "NodeResizeInProgress",
            "NodeResizeInfeasible");
    private static final String ATTRIBUTES_CLASS = "volumeAttributesClassName";
    private static final String IMMUTABLE = "spec is immutable after creation except resources.requests and"
            + " volumeAttributesClassName for bound claims";

    @Override
    public void state(Document object, Problems problems) {
        spec("spec", Fields.object(object, "spec"), problems);
    }

    /**
     * The rules of a claim's spec, also of one that stands in a pod.
     *
     * @param path where it stands
     */
    static void spec(String path, Document spec, Problems problems) {
        AccessModeRules.check(path, Fields.texts(spec, "accessModes"), "at least 1 access mode is required", problems);
        if (Fields.isSet(spec, "selector")) {
            SelectorRules.labelSelector(path + ".selector", Fields.object(spec, "selector"), problems);
        }
        Document requests = Fields.object(spec, "resources", "requests");
        if (!Fields.isSet(requests, "storage")) {
            problems.required(path + ".resources[storage]", "");
        }
        QuantityRules.positive(path + ".resources", requests, problems);
        for (String field : List.of("storageClassName", ATTRIBUTES_CLASS)) {
            String name = Fields.text(spec, field);
            if (!name.isEmpty()) {
                problems.syntax(path + "." + field, name, Syntax.subdomain(name));
            }
        }
        spec.text("volumeMode").ifPresent(mode -> problems.oneOf(path + ".volumeMode", mode, VolumeRules.VOLUME_MODES));
        dataSources(path, spec, problems);
    }

    private static void dataSources(String path, Document spec, Problems problems) {
        for (String field : List.of("dataSource", "dataSourceRef")) {
            spec.object(field).ifPresent(source -> dataSource(path + "." + field, source, problems));
        }
        if (!Fields.isSet(spec, "dataSource") || !Fields.isSet(spec, "dataSourceRef")) {
            return;
        }
        if (!Fields.text(spec, "dataSourceRef", "namespace").isEmpty()) {
            problems.invalid(
                    path + ".dataSource",
                    Fields.object(spec, "dataSource").asMap(),
                    "may not be specified when dataSourceRef.namespace is specified");
        } else if (!spec.at("dataSource").equals(spec.at("dataSourceRef"))) {
            problems.invalid(
                    path + ".dataSource", Fields.object(spec, "dataSource").asMap(), "must match dataSourceRef");
        }
    }

    private static void dataSource(String path, Document source, Problems problems) {
        problems.given(path + ".name", Fields.text(source, "name"));
        String kind = Fields.text(source, "kind");
        problems.given(path + ".kind", kind);
        String group = Fields.text(source, "apiGroup");
        if (group.isEmpty()) {
            if (!kind.isEmpty() && !kind.equals("PersistentVolumeClaim")) {
                problems.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
            }
        } else {
            problems.syntax(path + ".apiGroup", group, Syntax.subdomain(group));
        }
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        boolean bound = Fields.text(before, "status", "phase").equals("Bound");
        Document comparable = comparable(before, after, bound);
        if (!comparable.at("spec").equals(before.at("spec"))) {
            problems.forbidden("spec", IMMUTABLE);
        }
        classAnnotation(before, after, problems);
        shrink(before, after, problems);
        attributesClass(before, after, problems);
    }

    /** The object after the change, with everything that may change put back: what differs then may not. */
    private static Document comparable(Document before, Document after, boolean bound) {
        Document result = after;
        if (Fields.text(before, "spec", "volumeName").isEmpty()) {
            result = restored(result, before, "spec", "volumeName");
        }
        if (classMayChange(before, after)) {
            result = restored(result, before, "spec", "storageClassName");
        }
        boolean request = QuantityRules.at(before, REQUEST).equals(QuantityRules.at(after, REQUEST));
        if (bound || request) {
            result = restored(result, before, REQUEST);
        }
        return bound ? restored(result, before, "spec", ATTRIBUTES_CLASS) : result;
    }

    private static Document restored(Document object, Document before, String... path) {
        return before.at(path).map(value -> object.with(value, path)).orElse(object.without(path));
    }

    /** From no class to one, or from the annotation to the equal field. */
    private static boolean classMayChange(Document before, Document after) {
        Optional<String> annotated = Fields.annotation(before, Annotations.BETA_STORAGE_CLASS);
        Optional<String> wanted = after.text("spec", "storageClassName");
        return !Fields.isSet(before, "spec", "storageClassName")
                && wanted.isPresent()
                && (annotated.isEmpty() || annotated.equals(wanted));
    }

    private static void classAnnotation(Document before, Document after, Problems problems) {
        Optional<String> old = Fields.annotation(before, Annotations.BETA_STORAGE_CLASS);
        Optional<String> now = Fields.annotation(after, Annotations.BETA_STORAGE_CLASS);
        boolean moved = now.isEmpty() && old.equals(after.text("spec", "storageClassName"));
        if (!old.equals(now) && !moved) {
            problems.invalid(
                    "metadata.annotations[" + Annotations.BETA_STORAGE_CLASS + "]",
                    now.orElse(""),
                    "field is immutable");
        }
    }

    private static void shrink(Document before, Document after, Problems problems) {
        Optional<Quantity> old = QuantityRules.at(before, REQUEST);
        Optional<Quantity> now = QuantityRules.at(after, REQUEST);
        if (old.isEmpty() || now.isEmpty() || now.get().compareTo(old.get()) >= 0) {
            return;
        }
        Optional<Quantity> capacity = QuantityRules.at(before, "status", "capacity", "storage");
        // Kubernetes refuses what there is, too, so that an expansion could be lowered and never be taken back
        if (capacity.isEmpty() || now.get().compareTo(capacity.get()) < 0) {
            problems.forbidden("spec.resources.requests.storage", "field can not be less than status.capacity");
        }
    }

    private static void attributesClass(Document before, Document after, Problems problems) {
        boolean inUse = Fields.isSet(before, "status", "currentVolumeAttributesClassName");
        boolean had = !Fields.text(before, "spec", ATTRIBUTES_CLASS).isEmpty();
        if (!inUse || !had) {
            return;
        }
        if (!Fields.isSet(after, "spec", ATTRIBUTES_CLASS)) {
            problems.forbidden("spec." + ATTRIBUTES_CLASS, "update from non-nil value to nil is forbidden");
        } else if (Fields.text(after, "spec", ATTRIBUTES_CLASS).isEmpty()) {
            problems.forbidden("spec." + ATTRIBUTES_CLASS, "update from non-nil value to an empty string is forbidden");
        }
    }

    @Override
    public void statusChange(Document before, Document after, Problems problems) {
        after.text("status", "phase")
                .ifPresent(phase -> problems.oneOf("status.phase", phase, List.of("Pending", "Bound", "Lost")));
        QuantityRules.notNegative("status.capacity", Fields.object(after, "status", "capacity"), problems);
        QuantityRules.notNegative(
                "status.allocatedResources", Fields.object(after, "status", "allocatedResources"), problems);
        Fields.textMap(after, "status", "allocatedResourceStatuses")
                .values()
                .forEach(state -> problems.oneOf("status.allocatedResourceStatus", state, RESIZE_STATES));
    }
}
