// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The pods and claims that a set makes, as whole documents: a template may have fields that Mooring does not read. Pure functions. */
final class PodMaking {
    static final String REVISION = "controller-revision-hash";
    private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
    private static final String POD_INDEX = "apps.kubernetes.io/pod-index";
    private static final String[] LABELS = {"metadata", "labels"};
    private static final List<String> TAKEN_ALONG = List.of("labels", "annotations", "finalizers");

    private PodMaking() {}

    /**
     * A new pod.
     *
     * @param template the pod template of a revision
     * @param revision the name of that revision
     */
    static Document pod(SetSpec set, Document template, String revision, long ordinal) {
        Document pod = withIdentity(set, taken(template, "spec"), ordinal)
                .with(set.podName(ordinal), "metadata", "name")
                .with(set.name() + "-", "metadata", "generateName")
                .with(set.namespace(), "metadata", "namespace")
                .with(revision, "metadata", "labels", REVISION)
                .with(set.podName(ordinal), "spec", "hostname");
        String service = Fields.text(set.set(), "spec", "serviceName");
        Document named = service.isEmpty() ? pod : pod.with(service, "spec", "subdomain");
        return OwnerReferences.withController(withVolumes(set, named, ordinal), StoredKinds.STATEFUL_SET, set.set());
    }

    /** The metadata that a template gives to what is made of it, and one more part of it. */
    private static Document taken(Document template, String part) {
        Document made = Document.empty();
        for (String field : TAKEN_ALONG) {
            Document from = made;
            made = template.at("metadata", field)
                    .map(value -> from.with(value, "metadata", field))
                    .orElse(made);
        }
        return made.with(Fields.object(template, part).asMap(), part);
    }

    /** A pod with the labels by which it is found among its set's. */
    static Document withIdentity(SetSpec set, Document pod, long ordinal) {
        Map<String, Object> labels = new LinkedHashMap<>(Fields.textMap(pod, LABELS));
        labels.put(POD_NAME, set.podName(ordinal));
        labels.put(POD_INDEX, Long.toString(ordinal));
        return pod.with(labels, LABELS);
    }

    /** A volume of a claim's name is that claim, whatever the template says of it. */
    private static Document withVolumes(SetSpec set, Document pod, long ordinal) {
        List<Object> volumes = new ArrayList<>();
        Set<String> claimed = new LinkedHashSet<>();
        for (Document claimTemplate : set.claimTemplates()) {
            String volume = Fields.name(claimTemplate);
            claimed.add(volume);
            volumes.add(Map.of(
                    "name",
                    volume,
                    "persistentVolumeClaim",
                    Map.of("claimName", set.claimName(claimTemplate, ordinal))));
        }
        for (Document volume : Fields.objects(pod, "spec", "volumes")) {
            if (!claimed.contains(Fields.text(volume, "name"))) {
                volumes.add(volume.asMap());
            }
        }
        return volumes.isEmpty() ? pod : pod.with(volumes, "spec", "volumes");
    }

    /** A new claim of a pod, with the labels that the set selects. */
    static Document claim(SetSpec set, Document claimTemplate, long ordinal) {
        Document claim = taken(claimTemplate, "spec");
        Map<String, Object> labels = new LinkedHashMap<>(Fields.textMap(claim, LABELS));
        labels.putAll(set.selector().matchLabels());
        Document labelled = labels.isEmpty() ? claim : claim.with(labels, LABELS);
        return ClaimRetention.ofNew(
                set,
                labelled.with(set.claimName(claimTemplate, ordinal), "metadata", "name")
                        .with(set.namespace(), "metadata", "namespace"));
    }
}
