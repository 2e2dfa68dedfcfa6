// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** What is wrong with an object: the rules of metadata and those of its kind. Immutable and thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Validation {
    private static final String METADATA = "metadata";
    private static final Pattern PLACE = Pattern.compile("\\[[0-9]+]");

    private final Map<Kind<?>, KindRules> byKind;

    private Validation(Map<Kind<?>, KindRules> byKind) {
        this.byKind = byKind;
    }

    /** Kubernetes' rules of the kinds that persistent storage needs (semantics/binder §1.12). */
    public static Validation standard() {
        Map<Kind<?>, KindRules> rules = new LinkedHashMap<>();
        rules.put(Kinds.PERSISTENT_VOLUME, new VolumeRules());
        rules.put(Kinds.PERSISTENT_VOLUME_CLAIM, new ClaimRules());
        rules.put(Kinds.STORAGE_CLASS, ClassRules.storageClass());
        rules.put(Kinds.VOLUME_ATTRIBUTES_CLASS, ClassRules.attributesClass());
        rules.put(Kinds.VOLUME_ATTACHMENT, new AttachmentRules());
        rules.put(Kinds.CSI_DRIVER, DriverRules.driver());
        rules.put(Kinds.CSI_NODE, DriverRules.node());
        rules.put(Kinds.CSI_STORAGE_CAPACITY, DriverRules.capacity());
        rules.put(Kinds.POD, new PodRules());
        rules.put(Kinds.NODE, NodeEventLeaseRules.node());
        rules.put(Kinds.EVENT, NodeEventLeaseRules.event());
        rules.put(Kinds.LEASE, NodeEventLeaseRules.lease());
        rules.put(Kinds.SECRET, DataRules.secret());
        rules.put(Kinds.CONFIG_MAP, DataRules.configMap());
        return new Validation(rules);
    }

    /** Rules of metadata only. */
    public static Validation none() {
        return new Validation(Map.of());
    }

    /** The same with other rules for one kind. */
    public Validation with(Kind<?> kind, KindRules rules) {
        Map<Kind<?>, KindRules> more = new LinkedHashMap<>(byKind);
        more.put(kind, rules);
        return new Validation(more);
    }

    /**
     * Checks a new object.
     *
     * @param object the object with defaults filled in; never null
     * @return what is wrong, in a fixed order; empty if nothing is
     */
    public List<FieldError> onCreate(Kind<?> kind, Document object) {
        Problems problems = new Problems();
        MetadataRules.state(kind, object, problems);
        rules(kind).state(object, problems);
        return problems.found();
    }

    /**
     * Checks a change of everything but the status. What was wrong before in the same way is borne if only metadata changes, if the object
     * is being deleted, and with pods and nodes, which others than their authors bind and taint. A rule that came later must not block
     * that, nor labels or deletion of a stored object.
     *
     * @param before the object as it is, with defaults filled in; never null
     * @param after the object as it is wanted, with defaults filled in; never null
     */
    public List<FieldError> onUpdate(Kind<?> kind, Document before, Document after) {
        Problems changes = new Problems();
        MetadataRules.change(before, after, changes);
        List<FieldError> found = new ArrayList<>(changes.found());
        List<FieldError> states = onCreate(kind, after);
        found.addAll(states.isEmpty() || !bears(kind, before, after) ? states : fresh(onCreate(kind, before), states));
        Problems rest = new Problems();
        rules(kind).change(before, after, rest);
        found.addAll(rest.found());
        return List.copyOf(found);
    }

    private static boolean bears(Kind<?> kind, Document before, Document after) {
        return kind == Kinds.POD
                || kind == Kinds.NODE
                || Fields.isDeleting(before)
                || beyondMetadata(before).equals(beyondMetadata(after));
    }

    private static Document beyondMetadata(Document object) {
        return object.without(METADATA).without("status");
    }

    /** Checks a change of the status, and of the metadata that goes with it. What was wrong with them before in the same way is borne. */
    public List<FieldError> onStatusUpdate(Kind<?> kind, Document before, Document after) {
        List<FieldError> found = new ArrayList<>();
        if (!before.at(METADATA).equals(after.at(METADATA))) {
            Problems changes = new Problems();
            MetadataRules.change(before, after, changes);
            found.addAll(changes.found());
            found.addAll(fresh(metadata(kind, before), metadata(kind, after)));
        }
        List<FieldError> states = status(kind, before, after);
        found.addAll(states.isEmpty() ? states : fresh(status(kind, before, before), states));
        return List.copyOf(found);
    }

    private static List<FieldError> metadata(Kind<?> kind, Document object) {
        Problems problems = new Problems();
        MetadataRules.state(kind, object, problems);
        return problems.found();
    }

    private List<FieldError> status(Kind<?> kind, Document before, Document after) {
        Problems problems = new Problems();
        rules(kind).statusChange(before, after, problems);
        return problems.found();
    }

    /** Those of the problems that were not there before. What stands in a list may have moved up by what was taken out. */
    private static List<FieldError> fresh(List<FieldError> before, List<FieldError> after) {
        List<FieldError> borne =
                new ArrayList<>(before.stream().map(Validation::anywhere).toList());
        return after.stream()
                .filter(problem -> !borne.remove(anywhere(problem)))
                .toList();
    }

    private static FieldError anywhere(FieldError problem) {
        String path = PLACE.matcher(problem.path()).replaceAll("[]");
        return new FieldError(path, problem.problem(), problem.value(), problem.detail());
    }

    /** The rules of one kind; those that refuse nothing if there are none. */
    public KindRules rules(Kind<?> kind) {
        return Objects.requireNonNullElseGet(byKind.get(kind), NodeEventLeaseRules::none);
    }
}
