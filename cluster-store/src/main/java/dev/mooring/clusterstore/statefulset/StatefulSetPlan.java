// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done for a StatefulSet now, by the rules of kube-controller-manager's StatefulSet controller. Pure: the same objects and the
 * same time give the same plan. A plan goes as far as nothing depends on what it does, and not beyond {@link #MOST_ACTS}; the next one, of what
 * then is, goes on. What a plan costs depends on the objects that there are, not on the replicas that are wanted.
 *
 * @param acts in their order, no more than {@link #MOST_ACTS}; empty if everything is as it should be, or has to be waited for
 * @param set with the status that the objects show; the same document if it shows that already
 * @param wake when time alone makes another plan; empty for never
 */
record StatefulSetPlan(List<SetAct> acts, Document set, Optional<Instant> wake) {
    static final int MOST_ACTS = 500;

    StatefulSetPlan {
        acts = acts.stream().limit(MOST_ACTS).toList();
    }

    /** Whether there may be more to do than the acts, whatever becomes of them. */
    boolean isCut() {
        return acts.size() == MOST_ACTS;
    }

    static StatefulSetPlan of(SetObjects objects, Instant now) {
        SetSpec set = new SetSpec(objects.set());
        if (set.isDeleting()) {
            return nothing(objects.set()); // what it owns goes with it by garbage collection
        }
        List<SetAct> acts = ownership(set, objects);
        if (!acts.isEmpty()) {
            return new StatefulSetPlan(acts, objects.set(), Optional.empty());
        }
        SetRevisions revisions = SetRevisions.of(set, owned(set, objects.revisions()));
        Optional<SetAct> revision = revisions.act();
        if (revision.isPresent()) {
            return new StatefulSetPlan(List.of(revision.get()), objects.set(), Optional.empty());
        }
        List<Document> pods = owned(set, objects.pods());
        Replicas replicas = new Replicas(set, revisions, objects, pods, now);
        List<SetAct> all = new ArrayList<>(replicas.acts());
        all.addAll(revisions.forgotten(pods));
        return new StatefulSetPlan(all, SetStatus.shown(set, revisions, pods, now), replicas.wake());
    }

    private static StatefulSetPlan nothing(Document set) {
        return new StatefulSetPlan(List.of(), set, Optional.empty());
    }

    private static List<Document> owned(SetSpec set, List<Document> objects) {
        return objects.stream()
                .filter(object -> OwnerReferences.controller(object)
                        .filter(set.uid()::equals)
                        .isPresent())
                .toList();
    }

    /** Adopts what the set selects and has no controller, and lets go of pods that the set selects no more. */
    private static List<SetAct> ownership(SetSpec set, SetObjects objects) {
        List<SetAct> acts = new ArrayList<>();
        for (Document pod : objects.pods()) {
            Optional<String> controller = OwnerReferences.controller(pod);
            if (controller.isEmpty() && set.selects(pod) && !Fields.isDeleting(pod)) {
                acts.add(new SetAct.Adopt(Kinds.POD, adopted(set, pod)));
            } else if (controller.filter(set.uid()::equals).isPresent() && !set.selects(pod)) {
                acts.add(new SetAct.Replace(
                        Kinds.POD,
                        OwnerReferences.without(pod, reference -> OwnerReferences.hasUid(reference, set.set()))));
            }
        }
        for (Document revision : objects.revisions()) {
            if (OwnerReferences.controller(revision).isEmpty()
                    && set.selects(revision)
                    && !Fields.isDeleting(revision)) {
                acts.add(new SetAct.Adopt(StoredKinds.CONTROLLER_REVISION, adopted(set, revision)));
            }
        }
        return acts;
    }

    private static Document adopted(SetSpec set, Document object) {
        Document bare = OwnerReferences.without(object, reference -> OwnerReferences.hasUid(reference, set.set()));
        return OwnerReferences.withController(bare, StoredKinds.STATEFUL_SET, set.set());
    }
}
