// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of PersistentVolumes (semantics/binder §1.12). */
final class VolumeRules implements KindRules {
    static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");

    private static final List<String> POLICIES = List.of("Delete", "Recycle", "Retain");
    private static final Set<String> NO_SOURCES = Set.of("capacity", "claimRef", "nodeAffinity");

    /** What Kubernetes asks about; it lets {@code nodeStageSecretRef} pass. */
    private static final List<String> CSI_SECRETS = List.of(
            "controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef");

    @Override
    public void state(Document object, Problems problems) {
        Document spec = Fields.object(object, "spec");
        AccessModeRules.check("spec", Fields.texts(spec, "accessModes"), "", problems);
        capacity(Fields.object(spec, "capacity"), problems);
        String policy = Fields.text(spec, "persistentVolumeReclaimPolicy");
        if (!policy.isEmpty()) {
            problems.oneOf("spec.persistentVolumeReclaimPolicy", policy, POLICIES);
        }
        affinity(spec, problems);
        source(spec, Fields.name(object), policy, problems);
        className(spec, problems);
        spec.text("volumeMode").ifPresent(mode -> problems.oneOf("spec.volumeMode", mode, VOLUME_MODES));
        attributesClass(spec, problems);
    }

    private static void capacity(Document capacity, Problems problems) {
        if (capacity.isEmpty()) {
            problems.required("spec.capacity", "");
        }
        if (!Fields.isSet(capacity, "storage") || capacity.asMap().size() > 1) {
            problems.notSupported("spec.capacity", capacity.asMap(), List.of("storage"));
        }
        QuantityRules.positive("spec.capacity", capacity, problems);
    }

    private static void affinity(Document spec, Problems problems) {
        boolean given = Fields.isSet(spec, "nodeAffinity", "required");
        if (given) {
            SelectorRules.nodeSelector(
                    "spec.nodeAffinity.required", Fields.object(spec, "nodeAffinity", "required"), problems);
        } else if (Fields.isSet(spec, "nodeAffinity")) {
            problems.required("spec.nodeAffinity.required", "must specify required node constraints");
        } else if (Fields.isSet(spec, "local")) {
            problems.required("spec.nodeAffinity", "Local volume requires node affinity");
        }
    }

    private static void source(Document spec, String name, String policy, Problems problems) {
        SourceRules.check("spec", SourceRules.of(spec, NO_SOURCES), problems);
        if (Fields.isSet(spec, "csi")) {
            problems.given("spec.csi.volumeHandle", Fields.text(spec, "csi", "volumeHandle"));
            for (String secret : CSI_SECRETS) {
                secretOf(Fields.object(spec, "csi"), secret, problems);
            }
        }
        if (Fields.isSet(spec, "iscsi")) {
            IscsiRules.checkOfVolume("spec.iscsi", name, Fields.object(spec, "iscsi"), problems);
        }
        boolean root = spec.text("hostPath", "path")
                .filter(path -> !path.isEmpty()
                        && path.replace("/", "").replace(".", "").isEmpty())
                .filter(path -> !path.contains(".."))
                .isPresent();
        if (root && policy.equals("Recycle")) {
            problems.forbidden(
                    "spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
        }
    }

    private static void secretOf(Document csi, String field, Problems problems) {
        if (!Fields.isSet(csi, field)) {
            return;
        }
        String path = "spec.csi." + field;
        problems.given(path + ".name", Fields.text(csi, field, "name"), Syntax::subdomain);
        problems.given(path + ".namespace", Fields.text(csi, field, "namespace"), Syntax::label);
    }

    private static void className(Document spec, Problems problems) {
        String name = Fields.text(spec, "storageClassName");
        if (!name.isEmpty()) {
            problems.syntax("spec.storageClassName", name, Syntax.subdomain(name));
        }
    }

    private static void attributesClass(Document spec, Problems problems) {
        Optional<String> name = spec.text("volumeAttributesClassName");
        if (name.isPresent()) {
            if (name.get().isEmpty()) {
                problems.required("spec.volumeAttributesClassName", "an empty string is disallowed");
            } else {
                problems.syntax("spec.volumeAttributesClassName", name.get(), Syntax.subdomain(name.get()));
            }
            if (!Fields.isSet(spec, "csi")) {
                problems.required("spec.csi", "has to be specified when using volumeAttributesClassName");
            }
        }
    }

    /** What may not change. A driver that learns to expand may be given the secret for that later. */
    private static Document sources(Document spec, Document before) {
        String[] secret = {"csi", "controllerExpandSecretRef"};
        Document sources = SourceRules.of(spec, NO_SOURCES);
        return Fields.isSet(before, secret) ? sources : sources.without(secret);
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        Document oldSpec = Fields.object(before, "spec");
        Document newSpec = Fields.object(after, "spec");
        if (!sources(oldSpec, oldSpec).equals(sources(newSpec, oldSpec))) {
            problems.forbidden(
                    "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
        }
        problems.immutable("volumeMode", oldSpec.at("volumeMode"), newSpec.at("volumeMode"));
        if (Fields.isSet(oldSpec, "nodeAffinity")) {
            StableLabels.change(
                    "spec.nodeAffinity",
                    Fields.object(oldSpec, "nodeAffinity"),
                    Fields.object(newSpec, "nodeAffinity"),
                    problems);
        }
        if (Fields.isSet(oldSpec, "volumeAttributesClassName") && !Fields.isSet(newSpec, "volumeAttributesClassName")) {
            problems.forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden");
        }
    }

    @Override
    public void statusChange(Document before, Document after, Problems problems) {
        after.text("status", "phase")
                .ifPresent(phase -> problems.oneOf(
                        "status.phase", phase, List.of("Pending", "Available", "Bound", "Released", "Failed")));
    }
}
