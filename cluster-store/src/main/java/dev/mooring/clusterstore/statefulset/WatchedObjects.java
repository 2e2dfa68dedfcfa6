// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.statefulset.SetSpec.Member;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The sets, and what may be theirs, as watches tell of them. What is not named like a pod, claim or revision of a set is not kept; until
 * there is a first set, nothing but sets is watched. Confined to one thread.
 */
final class WatchedObjects implements AutoCloseable {
    private final Consumer<ObjectKey> concerned;
    private final WatchedKind sets;
    private final WatchedKind pods;
    private final WatchedKind claims;
    private final WatchedKind revisions;
    private boolean anySet;

    /**
     * Makes an instance that watches nothing yet.
     *
     * @param concerned gets each set that an event concerns
     * @param wake called by any thread when an event has come
     */
    WatchedObjects(DocumentStore store, Consumer<ObjectKey> concerned, Runnable wake) {
        this.concerned = concerned;
        sets = new WatchedKind(store, StoredKinds.STATEFUL_SET, object -> true, wake);
        pods = new WatchedKind(store, Kinds.POD, WatchedObjects::isNumbered, wake);
        claims = new WatchedKind(store, Kinds.PERSISTENT_VOLUME_CLAIM, WatchedObjects::isNumbered, wake);
        revisions = new WatchedKind(store, StoredKinds.CONTROLLER_REVISION, object -> true, wake);
        sets.tell(this::ofSet);
        pods.tell(this::ofPod);
        claims.tell(this::ofClaim);
        revisions.tell(this::ofRevision);
    }

    private static boolean isNumbered(Document object) {
        return Member.of(Fields.name(object)).isPresent();
    }

    private List<WatchedKind> all() {
        return List.of(sets, pods, claims, revisions);
    }

    /** Watches what is not watched; answers whether everything is that has to be. */
    boolean follow() {
        return sets.follow() && (!anySet || (pods.follow() && claims.follow() && revisions.follow()));
    }

    /** Takes in the watches' events; answers whether there were any. */
    boolean takeNews() {
        boolean any = false;
        for (WatchedKind kind : all()) {
            any |= kind.takeNews();
        }
        return any;
    }

    private WatchedKind of(Kind<?> kind) {
        if (kind == Kinds.POD) {
            return pods;
        } else if (kind == Kinds.PERSISTENT_VOLUME_CLAIM) {
            return claims;
        }
        return kind == StoredKinds.STATEFUL_SET ? sets : revisions;
    }

    void put(Kind<?> kind, Document object) {
        of(kind).put(object);
    }

    void remove(Kind<?> kind, Document object) {
        of(kind).remove(object);
    }

    /** A set with its objects; empty if it is not there. They hold until events are taken in or an object is put or removed. */
    Optional<SetObjects> of(ObjectKey set) {
        return sets.get(set).map(found -> {
            SetSpec spec = new SetSpec(found);
            List<Document> members = new ArrayList<>();
            for (Document pod :
                    pods.startingWith(set.namespace(), set.name() + "-").values()) {
                if (spec.ordinal(pod).isPresent()) {
                    members.add(pod);
                }
            }
            return new SetObjects(found, members, claims.of(set.namespace()), revisions(set));
        });
    }

    private List<Document> revisions(ObjectKey set) {
        String prefix = SetRevisions.prefix(set.name()) + "-";
        Map<String, Document> theirs = new LinkedHashMap<>(revisions.startingWith(set.namespace(), prefix));
        // Those of a set whose name goes on from this one's.
        theirs.keySet().removeIf(name -> name.indexOf('-', prefix.length()) >= 0);
        return List.copyOf(theirs.values());
    }

    private void ofSet(Document set) {
        anySet = true;
        concerned.accept(ObjectKey.of(Fields.namespace(set), Fields.name(set)));
    }

    private void ofPod(Document pod) {
        Member.of(Fields.name(pod))
                .ifPresent(member -> concerned.accept(ObjectKey.of(Fields.namespace(pod), member.set())));
    }

    /** A claim is called after its template and its pod; where the one ends and the other begins, the sets that there are tell. */
    private void ofClaim(Document claim) {
        Member.of(Fields.name(claim)).ifPresent(member -> {
            String rest = member.set();
            for (int dash = rest.indexOf('-'); dash >= 0; dash = rest.indexOf('-', dash + 1)) {
                ObjectKey set = ObjectKey.of(Fields.namespace(claim), rest.substring(dash + 1));
                if (!set.name().isEmpty() && sets.get(set).isPresent()) {
                    concerned.accept(set);
                }
            }
        });
    }

    private void ofRevision(Document revision) {
        String name = Fields.name(revision);
        int end = name.lastIndexOf('-');
        if (end > 0) {
            concerned.accept(ObjectKey.of(Fields.namespace(revision), name.substring(0, end)));
        }
    }

    @Override
    public void close() {
        all().forEach(WatchedKind::close);
    }
}
