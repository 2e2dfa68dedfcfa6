// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What becomes of a set's pods: first those that are wanted are made, from the lowest ordinal, then those that are too many end, from the
 * highest, then those of an old revision, from the highest. An ordered set does one thing at a time, and only while all others are well.
 */
final class Replicas {
    private final SetSpec set;
    private final SetRevisions revisions;
    private final SetObjects objects;
    private final Instant now;
    private final Set<String> names = new HashSet<>();
    private final TreeMap<Long, MemberState> wanted = new TreeMap<>();
    private final TreeMap<Long, MemberState> surplus = new TreeMap<>(Comparator.reverseOrder());
    private final List<SetAct> acts = new ArrayList<>();

    /**
     * Looks at a set.
     *
     * @param pods those of the objects that the set controls
     */
    Replicas(SetSpec set, SetRevisions revisions, SetObjects objects, List<Document> pods, Instant now) {
        this.set = set;
        this.revisions = revisions;
        this.objects = objects;
        this.now = now;
        objects.pods().forEach(pod -> names.add(Fields.name(pod)));
        for (Document pod : pods) {
            set.ordinal(pod)
                    .ifPresent(ordinal -> (set.wants(ordinal) ? wanted : surplus).put(ordinal, new MemberState(pod)));
        }
        decide();
    }

    List<SetAct> acts() {
        return acts;
    }

    /** When the next pod has been ready for long enough. */
    Optional<Instant> wake() {
        List<MemberState> all = new ArrayList<>(wanted.values());
        all.addAll(surplus.values());
        return all.stream()
                .flatMap(pod -> pod.availableAt(set.minReadySeconds()).stream())
                .filter(time -> time.isAfter(now))
                .min(Comparator.naturalOrder());
    }

    private void decide() {
        if (fill() && release() && shrink()) {
            update();
        }
    }

    /** Makes what is missing; answers whether the next step may come. */
    private boolean fill() {
        for (long ordinal = set.start(), end = set.end(); ordinal < end; ordinal++) {
            if (acts.size() >= StatefulSetPlan.MOST_ACTS) {
                return false;
            }
            MemberState pod = wanted.get(ordinal);
            boolean goesOn = pod == null ? make(ordinal) : keep(ordinal, pod);
            if (!goesOn && !set.isParallel()) {
                return false;
            }
        }
        return true;
    }

    private boolean make(long ordinal) {
        String name = set.podName(ordinal);
        for (String claim : set.claimNames(ordinal)) {
            Document there = objects.claims().get(claim);
            if (there != null && ClaimRetention.isStale(set, there, name, "")) {
                return false; // it goes with the pod that had it
            }
        }
        Document revision = ordinal < set.start() + set.partition() ? revisions.current() : revisions.update();
        Document pod = PodMaking.pod(set, SetRevisions.template(revision), Fields.name(revision), ordinal);
        acts.add(new SetAct.MakePod(pod, missingClaims(ordinal), obstacle(ordinal)));
        return false;
    }

    /** Why a pod cannot be made yet. */
    private Optional<String> obstacle(long ordinal) {
        for (String claim : set.claimNames(ordinal)) {
            Document there = objects.claims().get(claim);
            if (there != null && Fields.isDeleting(there)) {
                return Optional.of("pvc " + claim + " is being deleted");
            }
        }
        String name = set.podName(ordinal);
        return names.contains(name) ? Optional.of("pods \"" + name + "\" already exists") : Optional.empty();
    }

    private List<Document> missingClaims(long ordinal) {
        return set.claimTemplates().stream()
                .filter(template -> !objects.claims().containsKey(set.claimName(template, ordinal)))
                .map(template -> PodMaking.claim(set, template, ordinal))
                .toList();
    }

    private boolean keep(long ordinal, MemberState pod) {
        if (pod.isOver()) {
            if (!pod.isTerminating()) {
                acts.add(new SetAct.EndPod(pod.pod()));
            }
            return false;
        }
        List<Document> missing = pod.isPending() ? missingClaims(ordinal) : List.of();
        if (!missing.isEmpty()) {
            acts.add(new SetAct.MakeClaims(set.podName(ordinal), missing));
        }
        if (!pod.isTerminating() || set.isParallel()) {
            correct(ordinal, pod);
        }
        return !pod.isUnavailable(set.minReadySeconds(), now);
    }

    private void correct(long ordinal, MemberState pod) {
        Document identified = PodMaking.withIdentity(set, pod.pod(), ordinal);
        if (!identified.equals(pod.pod())) {
            acts.add(new SetAct.Replace(Kinds.POD, identified));
        }
        own(ordinal, pod, true);
    }

    private void own(long ordinal, MemberState pod, boolean isWanted) {
        for (String name : set.claimNames(ordinal)) {
            Document claim = objects.claims().get(name);
            if (claim == null) {
                continue;
            }
            Document owned = ClaimRetention.owned(set, claim, pod.pod(), isWanted);
            if (!owned.equals(claim)) {
                acts.add(new SetAct.Replace(Kinds.PERSISTENT_VOLUME_CLAIM, owned));
            }
        }
    }

    /** Claims get the owners that they are to go with before the pods go. */
    private boolean release() {
        int before = acts.size();
        surplus.forEach((ordinal, pod) -> own(ordinal, pod, false));
        return acts.size() == before;
    }

    private boolean shrink() {
        Optional<MemberState> firstUnavailable = firstUnavailable();
        for (MemberState pod : surplus.values()) {
            boolean held = !pod.isAvailable(set.minReadySeconds(), now)
                    && firstUnavailable.filter(pod::equals).isEmpty();
            if (!set.isParallel() && (pod.isTerminating() || held)) {
                return false;
            } else if (!pod.isTerminating()) {
                acts.add(new SetAct.EndPod(pod.pod()));
                if (!set.isParallel()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Among the wanted ones first, then among those that are too many; both from the lowest ordinal. */
    private Optional<MemberState> firstUnavailable() {
        for (Map<Long, MemberState> pods : List.of(wanted, surplus.descendingMap())) {
            for (MemberState pod : pods.values()) {
                if (pod.isUnavailable(set.minReadySeconds(), now)) {
                    return Optional.of(pod);
                }
            }
        }
        return Optional.empty();
    }

    private void update() {
        if (set.updatesOnDelete()) {
            return;
        }
        String revision = Fields.name(revisions.update());
        for (long ordinal = set.end() - 1, last = set.start() + set.partition(); ordinal >= last; ordinal--) {
            MemberState pod = wanted.get(ordinal);
            if (pod == null || (pod.isOver() && !pod.isTerminating())) {
                return; // it is being made, or made again
            } else if (!pod.isTerminating() && !pod.revision().equals(revision)) {
                acts.add(new SetAct.EndPod(pod.pod()));
                return;
            } else if (pod.isUnavailable(set.minReadySeconds(), now)) {
                return;
            }
        }
    }
}
