// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fieldmanagement.Applied.Conflict;
import dev.mooring.clusterstore.fieldmanagement.ManagedFields.Share;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Keeps track of who manages which field of the objects of a kind, as Kubernetes does since 1.22 (its page <em>Server-Side Apply</em>, and
 * structured-merge-diff). A writer that changes a field is its only manager from then on. A client that applies manages all fields that it
 * applies, and others may manage them too. A field that it no longer applies is removed if it has no other manager. Immutable; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FieldManagement {
    private static final String[] MANAGED = {"metadata", "managedFields"};

    /** What is there before the first apply to an object without managers. */
    private static final String BEFORE = "before-first-apply";

    /** More updaters than this are not distinguished. */
    private static final int MOST_UPDATERS = 10;

    private static final String OLD_UPDATES = "ancient-changes";

    private final Structure type;
    private final String apiVersion;
    private final String subresource;
    private final FieldSet unreached;

    private FieldManagement(Structure type, Kind<?> kind, String subresource) {
        this.type = type;
        this.apiVersion = kind.apiVersion();
        this.subresource = subresource;
        this.unreached = IgnoredFields.unreached(kind, subresource);
    }

    /**
     * That of writes to a kind's objects; empty if the kind's fields are not known.
     *
     * @param kind never null
     * @param subresource through which is written; empty for the object itself
     */
    public static Optional<FieldManagement> of(Kind<?> kind, String subresource) {
        return Schema.standard().type(kind).map(type -> of(type, kind, subresource));
    }

    /**
     * That of writes to objects of a kind with a type that is known otherwise.
     *
     * @param type what is known of the objects' fields; never null
     * @param kind never null
     * @param subresource through which is written; empty for the object itself
     */
    public static FieldManagement of(Structure type, Kind<?> kind, String subresource) {
        return new FieldManagement(type, kind, subresource);
    }

    /** Whether an object names the manager of any field. */
    public static boolean isTracked(Document object) {
        return !Fields.list(object, MANAGED).isEmpty();
    }

    /** Whether two objects have the same managers of the same fields, whenever they got them. */
    public static boolean hasSameManagers(Document one, Document other) {
        List<Object> first = Fields.list(one, MANAGED);
        List<Object> second = Fields.list(other, MANAGED);
        return first.equals(second)
                || ManagedFields.decode(first)
                        .flatMap(a -> ManagedFields.decode(second).map(a::hasSameFields))
                        .orElse(false);
    }

    /**
     * The managers after an object was created or updated, as a value of {@code managedFields}; empty if no managers are kept.
     *
     * @param before the object before; empty if it is new
     * @param after the object after, with all that it means by default, and with the managers that its writer has given it
     * @param manager who writes
     * @param now when
     */
    public List<Object> afterUpdate(Document before, Document after, String manager, Instant now) {
        ManagedFields live = ManagedFields.decode(Fields.list(before, MANAGED)).orElse(ManagedFields.NONE);
        ManagedFields known = known(live, after);
        if (known.isEmpty() && !before.isEmpty()) {
            return List.of(); // an object without managers gets them with the first apply only
        }
        if (known.isEmpty() && subresource.isEmpty()) {
            return ofCreation(after, manager, now);
        }
        ManagedFields updated = updated(known, before, after, manager, now);
        return updated.hasSameFields(live) ? Fields.list(before, MANAGED) : updated.encode();
    }

    private List<Object> ofCreation(Document object, String name, Instant now) {
        Map<String, Object> fields =
                CreatedFields.encode(node(object), node(Document.empty()), IgnoredFields.STRIPPED, unreached);
        return fields.isEmpty()
                ? List.of()
                : List.of(ManagedFields.entry(
                        FieldManager.updater(name, apiVersion, ""), apiVersion, Fields.timeText(now), fields));
    }

    private ManagedFields known(ManagedFields live, Document after) {
        if (!subresource.isEmpty()) {
            return live;
        } else if (isReset(after)) {
            return ManagedFields.NONE;
        }
        // A client that does not know them does not mean to remove them.
        return ManagedFields.decode(Fields.list(after, MANAGED))
                .filter(given -> !given.isEmpty())
                .orElse(live);
    }

    private static boolean isReset(Document given) {
        return given.at(MANAGED)
                .filter(value -> value.equals(List.of()) || value.equals(List.of(Map.of())))
                .isPresent();
    }

    private ManagedFields updated(ManagedFields given, Document before, Document after, String name, Instant now) {
        FieldManager manager = FieldManager.updater(name, apiVersion, subresource);
        ManagedFields known = given.mapped(node(before)::reconciled);
        FieldComparison comparison =
                FieldComparison.of(node(before), node(after)).outside(unreached);
        FieldSet written = comparison.written();
        FieldSet old = known.fieldsOf(manager);
        FieldSet own = old.difference(comparison.removed()).union(written).difference(IgnoredFields.STRIPPED);
        ManagedFields others = known.withoutFields(written.union(comparison.removed()), manager);
        if (own.equals(old)) {
            return others;
        }
        return capped(others.with(manager, new Share(own, apiVersion, Fields.timeText(now))));
    }

    private FieldNode node(Document object) {
        return FieldNode.root(type, object.without(MANAGED));
    }

    private static ManagedFields capped(ManagedFields all) {
        List<FieldManager> updaters = all.updatersOldestFirst();
        Map<String, FieldManager> firstOfVersion = new HashMap<>();
        ManagedFields capped = all;
        int count = updaters.size();
        for (FieldManager each : updaters) {
            if (count <= MOST_UPDATERS) {
                return capped;
            }
            Share share = all.shares().get(each);
            FieldManager first = firstOfVersion.putIfAbsent(each.apiVersion(), each);
            if (first == null || share == null) {
                continue;
            }
            FieldManager bucket = FieldManager.updater(OLD_UPDATES, each.apiVersion(), "");
            FieldManager start = capped.fieldsOf(bucket).isEmpty() ? first : bucket;
            FieldSet fields = capped.fieldsOf(start).union(share.fields());
            capped = capped.without(start)
                    .without(each)
                    .with(bucket, new Share(fields, share.apiVersion(), share.time()));
            count--;
        }
        return capped;
    }

    /**
     * Why a configuration cannot be applied; empty if all is well.
     *
     * @param configuration what is applied
     */
    public Optional<String> problem(Document configuration) {
        return FieldNode.root(type, configuration).problem();
    }

    /**
     * Applies a configuration.
     *
     * @param live the object as it is; empty if there is none
     * @param configuration the fields that the manager wants
     * @param manager who applies
     * @param force whether the manager takes over what others manage
     * @param now when
     */
    public Applied apply(Document live, Document configuration, String manager, boolean force, Instant now) {
        Applied applied = applied(live, configuration, manager, force, now);
        if (!manager.equals(LastApplied.KUBECTL)) {
            return applied;
        }
        Applied upgraded = upgraded(applied, live, configuration, now);
        return upgraded.conflicts().isEmpty() && LastApplied.isIn(live)
                ? new Applied(LastApplied.with(upgraded.object(), configuration), List.of())
                : upgraded;
    }

    /** Kubectl may take over what it has applied by itself before. */
    private Applied upgraded(Applied applied, Document live, Document configuration, Instant now) {
        Optional<Document> last = LastApplied.of(live);
        if (applied.conflicts().isEmpty() || last.isEmpty()) {
            return applied;
        }
        FieldNode before = node(last.get());
        FieldComparison since = FieldComparison.of(before, node(live));
        List<String> allowed = before.fields()
                .difference(since.written())
                .difference(since.removed())
                .paths();
        List<Conflict> left = applied.conflicts().stream()
                .filter(each -> !allowed.contains(each.field()))
                .toList();
        return left.isEmpty() ? applied(live, configuration, LastApplied.KUBECTL, true, now) : new Applied(live, left);
    }

    private Applied applied(Document live, Document configuration, String name, boolean force, Instant now) {
        FieldManager manager = FieldManager.applier(name, subresource);
        ManagedFields known = ManagedFields.decode(Fields.list(live, MANAGED)).orElse(ManagedFields.NONE);
        if (known.isEmpty()) {
            known = updated(known, Document.empty(), live, BEFORE, now);
        }
        FieldNode before = node(live);
        known = known.mapped(before::reconciled);
        FieldNode wanted = node(configuration);
        FieldNode merged = before.with(Merging.merged(before, wanted));
        FieldSet old = known.fieldsOf(manager);
        FieldSet own = wanted.fields().outside(unreached);
        Share share = known.shares().get(manager);
        ManagedFields claimed = known.with(manager, new Share(own, apiVersion, share == null ? "" : share.time()));
        FieldNode pruned = merged.with(pruned(merged, old, claimed.all()));
        FieldComparison comparison = FieldComparison.of(before, pruned).outside(unreached);
        List<Conflict> conflicts = force ? List.of() : conflicts(claimed, comparison.written(), manager);
        if (!conflicts.isEmpty()) {
            return new Applied(live, conflicts);
        }
        ManagedFields settled = claimed.withoutFields(comparison.written().union(comparison.removed()), manager);
        FieldSet kept = own.difference(IgnoredFields.STRIPPED);
        String time = share != null && share.fields().equals(kept) ? share.time() : Fields.timeText(now);
        ManagedFields managers = settled.with(manager, new Share(kept, apiVersion, time));
        Document object = Document.of(FieldNode.asMap(pruned.value()));
        return new Applied(managers.isEmpty() ? object : object.with(managers.encode(), MANAGED), List.of());
    }

    private static List<Conflict> conflicts(ManagedFields managers, FieldSet written, FieldManager applier) {
        List<Conflict> conflicts = new ArrayList<>();
        managers.shares().forEach((manager, share) -> {
            if (!manager.equals(applier)) {
                share.fields()
                        .intersection(written)
                        .paths()
                        .forEach(field -> conflicts.add(new Conflict(manager, field)));
            }
        });
        return conflicts;
    }

    /**
     * The merged object without fields that its manager applied before and that have no manager now. An object around such a field goes with
     * it, and with all its fields without a manager.
     */
    private Object pruned(FieldNode merged, FieldSet old, FieldSet managed) {
        if (old.isEmpty()) {
            return merged.value();
        }
        FieldSet last = withObjects(old);
        FieldSet all = withObjects(merged.fields());
        FieldSet untouched = withObjects(merged.with(merged.without(last)).fields());
        FieldSet kept = untouched.union(withObjects(managed));
        FieldSet left =
                withObjects(merged.with(merged.without(all.difference(kept))).fields());
        return merged.without(all.difference(left).intersection(last));
    }

    private FieldSet withObjects(FieldSet set) {
        return FieldNode.withObjects(set, type);
    }
}
