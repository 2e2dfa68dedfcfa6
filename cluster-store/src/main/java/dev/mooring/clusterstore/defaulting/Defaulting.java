// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.clusterstore.customresources.DefinitionStatus;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * What the API server fills in (semantics/binder §1.11, §1.12). All functions are pure; a field that is given keeps its meaning,
 * but for data sources of claims that Kubernetes drops.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Defaulting {
    private static final long GRACE_SECONDS = 30;
    private static final String NAMESPACE_FINALIZER = "kubernetes";
    private static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";
    private static final String[] TRANSITION = {"status", "lastPhaseTransitionTime"};
    private static final String[] PHASE = {"status", "phase"};

    private Defaulting() {}

    /**
     * Fills in the fields of a new object and its first status.
     *
     * @param object without a status if the kind has a status sub-resource; never null
     * @param now when it is created
     */
    public static Document onCreate(Kind<?> kind, Document object, Instant now) {
        return onCreate(kind, object, onUpdate(kind, object), now);
    }

    /**
     * The same of an object whose fields were filled in before.
     *
     * @param meant what {@link #onUpdate} makes of the object; never null
     */
    public static Document onCreate(Kind<?> kind, Document object, Document meant, Instant now) {
        Document kept = kind == Kinds.PERSISTENT_VOLUME_CLAIM ? DataSources.compatible(object) : object;
        Document filled = isSame(kept, object) ? meant : onUpdate(kind, kept);
        if (kind == Kinds.PERSISTENT_VOLUME) {
            return filled.with("Pending", PHASE).with(Fields.timeText(now), TRANSITION);
        } else if (kind == Kinds.PERSISTENT_VOLUME_CLAIM) {
            return filled.with("Pending", PHASE);
        } else if (kind == Kinds.POD) {
            return filled.with("Pending", PHASE).with(QualityOfService.of(filled), "status", "qosClass");
        } else if (kind == Kinds.NAMESPACE) {
            return namespace(filled);
        } else if (kind == CustomResourceDefinition.KIND) {
            return DefinitionStatus.created(filled);
        }
        return filled;
    }

    @SuppressWarnings("ReferenceEquality") // what is unchanged is the same object
    private static boolean isSame(Document one, Document other) {
        return one == other;
    }

    /** The controller that empties the namespace removes the finalizer. */
    private static Document namespace(Document object) {
        List<Object> finalizers = new ArrayList<>(Fields.list(object, "spec", "finalizers"));
        if (!finalizers.contains(NAMESPACE_FINALIZER)) {
            finalizers.add(NAMESPACE_FINALIZER);
        }
        return object.with("Active", PHASE).with(finalizers, "spec", "finalizers");
    }

    /** Selectors count on this label, so it is put back whatever an update makes of it. */
    private static Document labelled(Document namespace) {
        String name = Fields.name(namespace);
        boolean wrong = namespace
                .at("metadata", "labels")
                .filter(labels -> !(labels instanceof Map))
                .isPresent();
        return wrong || name.isEmpty() ? namespace : namespace.with(name, "metadata", "labels", NAMESPACE_LABEL);
    }

    /** Fills in the fields of an object that exists: what is missing means the default. Amounts are given their canonical form. */
    public static Document onUpdate(Kind<?> kind, Document object) {
        return CanonicalAmounts.canonical(kind, filled(kind, object));
    }

    private static Document filled(Kind<?> kind, Document object) {
        if (kind == Kinds.PERSISTENT_VOLUME) {
            return ifMissing(
                    ifMissing(VolumeSources.ofVolume(object), "Filesystem", "spec", "volumeMode"),
                    "Retain",
                    "spec",
                    "persistentVolumeReclaimPolicy");
        } else if (kind == Kinds.PERSISTENT_VOLUME_CLAIM) {
            return DataSources.normalised(ifMissing(object, "Filesystem", "spec", "volumeMode"));
        } else if (kind == Kinds.STORAGE_CLASS) {
            return ifMissing(ifMissing(object, "Delete", "reclaimPolicy"), "Immediate", "volumeBindingMode");
        } else if (kind == Kinds.CSI_DRIVER) {
            return driver(object);
        } else if (kind == Kinds.POD) {
            return pod(VolumeSources.ofPod(withAccount(object)));
        } else if (kind == Kinds.SECRET) {
            return ifMissing(object, "Opaque", "type");
        } else if (kind == Kinds.NAMESPACE) {
            return labelled(object);
        } else if (kind == CustomResourceDefinition.KIND) {
            return DefinitionStatus.changed(DefinitionStatus.defaulted(object));
        }
        return WorkloadDefaults.filled(kind, object);
    }

    /**
     * Fills in what a change of the status leaves to the server: when the phase of a volume changed (semantics/binder §1.11), and the
     * label with a namespace's name.
     *
     * @param now when it is changed
     */
    public static Document onStatusUpdate(Kind<?> kind, Document before, Document after, Instant now) {
        Document filled = kind == Kinds.NAMESPACE ? labelled(after) : CanonicalAmounts.canonical(kind, after);
        return transition(kind, before, filled, now);
    }

    private static Document transition(Kind<?> kind, Document before, Document after, Instant now) {
        if (kind != Kinds.PERSISTENT_VOLUME) {
            return after;
        }
        boolean samePhase = before.at(PHASE).equals(after.at(PHASE));
        if (samePhase) {
            return Fields.isSet(after, TRANSITION)
                    ? after
                    : before.at(TRANSITION)
                            .map(time -> after.with(time, TRANSITION))
                            .orElse(after);
        }
        boolean left = !Fields.isSet(after, TRANSITION) || before.at(TRANSITION).equals(after.at(TRANSITION));
        return left ? after.with(Fields.timeText(now), TRANSITION) : after;
    }

    private static Document driver(Document object) {
        Document filled = ifMissing(object, true, "spec", "attachRequired");
        for (String field : List.of("podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount")) {
            filled = ifMissing(filled, false, "spec", field);
        }
        filled = ifMissing(filled, "ReadWriteOnceWithFSType", "spec", "fsGroupPolicy");
        return Fields.list(filled, "spec", "volumeLifecycleModes").isEmpty()
                ? filled.with(List.of("Persistent"), "spec", "volumeLifecycleModes")
                : filled;
    }

    private static Document pod(Document object) {
        Document filled = ifMissing(object, "Always", "spec", "restartPolicy");
        filled = ifMissing(filled, GRACE_SECONDS, "spec", "terminationGracePeriodSeconds");
        // Schedulers look at the pods that name them, and at no others.
        return ifMissing(filled, "default-scheduler", "spec", "schedulerName");
    }

    /** A pod's account may be given by the old name of the field. */
    private static Document withAccount(Document pod) {
        boolean named = !Fields.text(pod, "spec", "serviceAccountName").isEmpty();
        String account = named ? "" : Fields.text(pod, "spec", "serviceAccount");
        return account.isEmpty() ? pod : pod.with(account, "spec", "serviceAccountName");
    }

    private static Document ifMissing(Document object, Object value, String... path) {
        boolean wrongParent = path.length > 1
                && object.at(path[0]).filter(parent -> !(parent instanceof Map)).isPresent();
        return wrongParent || Fields.isSet(object, path) ? object : object.with(value, path);
    }
}
