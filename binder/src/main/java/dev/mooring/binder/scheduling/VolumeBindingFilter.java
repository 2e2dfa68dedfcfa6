// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.placement.Topologies;
import dev.mooring.binder.scheduling.Assumption.Pool;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.binder.scheduling.Assumption.StaticBinding;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which volumes a pod's claims would get on a node (semantics/binder §3.6, S1 to S4). A function of the view. */
final class VolumeBindingFilter {
    static final String PLUGIN = "VolumeBinding";
    static final String NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
    static final String VOLUME_GONE = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
    static final String BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind";
    static final String NO_SPACE = "node(s) did not have enough free storage";

    /** T6. */
    private static final Comparator<PersistentVolumeClaim> SMALLEST_FIRST = Comparator.comparing(
                    (PersistentVolumeClaim claim) -> claim.spec().requestedStorage())
            .thenComparing(claim -> claim.metadata().name());

    private final PodClaims claims;
    private final Node node;
    private final SchedulingView view;
    private final List<AffinityConflict> conflicts = new ArrayList<>();
    private final List<StaticBinding> bindings = new ArrayList<>();
    private final List<Provision> provisions = new ArrayList<>();
    private boolean nodeConflict;
    private boolean volumeGone;
    private boolean bindConflict;
    private boolean noSpace;

    private VolumeBindingFilter(PodClaims claims, Node node, SchedulingView view) {
        this.claims = claims;
        this.node = node;
        this.view = view;
    }

    /** What the claims would get on the node. */
    static NodePlan plan(PodClaims claims, Node node, SchedulingView view) {
        if (claims.rejection().isPresent()) {
            return new NodePlan(List.of(claims.rejection().get()), List.of(), List.of(), List.of());
        }
        VolumeBindingFilter filter = new VolumeBindingFilter(claims, node, view);
        filter.checkBound();
        filter.chooseForDelayed();
        return new NodePlan(filter.rejections(), filter.conflicts, filter.bindings, filter.provisions);
    }

    private List<Rejection> rejections() {
        List<Rejection> found = new ArrayList<>();
        add(found, nodeConflict, NODE_CONFLICT);
        add(found, bindConflict, BIND_CONFLICT);
        add(found, noSpace, NO_SPACE);
        add(found, volumeGone, VOLUME_GONE);
        return found;
    }

    private static void add(List<Rejection> found, boolean holds, String reason) {
        if (holds) {
            found.add(Rejection.unresolvable(PLUGIN, reason));
        }
    }

    private void checkBound() {
        for (PersistentVolumeClaim claim : claims.bound()) {
            Optional<PersistentVolume> volume = view.volume(claim.spec().volumeName());
            volumeGone |= volume.isEmpty();
            volume.ifPresent(found -> conflicts.addAll(AffinityConflict.between(ObjectKey.of(claim), found, node)));
            nodeConflict |= volume.filter(found -> !reaches(found)).isPresent();
        }
    }

    private boolean reaches(PersistentVolume volume) {
        return volume.spec()
                .nodeAffinity()
                .map(affinity -> affinity.matches(node.metadata().labels()))
                .orElse(true);
    }

    private void chooseForDelayed() {
        List<PersistentVolumeClaim> toProvision = new ArrayList<>();
        List<PersistentVolumeClaim> toMatch = new ArrayList<>();
        for (PersistentVolumeClaim claim : claims.delayed()) {
            Optional<String> selected = selectedNode(claim); // S1
            if (selected.isEmpty()) {
                toMatch.add(claim);
            } else if (selected.get().equals(node.metadata().name())) {
                toProvision.add(claim);
            } else {
                bindConflict = true;
                return;
            }
        }
        toProvision.addAll(matchStatically(toMatch));
        if (!bindConflict) {
            toProvision.forEach(this::provision);
        }
    }

    private Optional<String> selectedNode(PersistentVolumeClaim claim) {
        return claim.metadata()
                .annotation(Annotations.SELECTED_NODE)
                .filter(name -> !name.isEmpty())
                .or(() -> view.assumptions().selectedNode(claim));
    }

    /** S2; answers with the claims for which there is no volume. */
    private List<PersistentVolumeClaim> matchStatically(List<PersistentVolumeClaim> toMatch) {
        List<PersistentVolumeClaim> missed = new ArrayList<>();
        Set<String> chosen = new HashSet<>();
        toMatch.sort(SMALLEST_FIRST);
        for (PersistentVolumeClaim claim : toMatch) {
            StaticVolumes.Match match =
                    view.volumes().match(claim, node.metadata().labels(), chosen);
            if (match.volume().isPresent()) {
                PersistentVolume volume = match.volume().get();
                chosen.add(volume.metadata().name());
                bindings.add(binding(claim, volume));
            } else if (match.elsewhere()) {
                // Upstream would have a second volume made, which the binder never gives to a claim that has one.
                bindConflict = true;
            } else {
                missed.add(claim);
            }
        }
        return missed;
    }

    private static StaticBinding binding(PersistentVolumeClaim claim, PersistentVolume volume) {
        return new StaticBinding(
                ObjectKey.of(claim),
                claim.metadata().uid(),
                StorageClasses.nameOf(claim).orElse(""),
                claim.spec().requestedStorage(),
                volume.metadata().name(),
                volume.spec().storage());
    }

    /** S3, S4. */
    private void provision(PersistentVolumeClaim claim) {
        Optional<StorageClass> storageClass = view.classOf(claim);
        String provisioner = storageClass.map(StorageClass::provisioner).orElse("");
        if (provisioner.isEmpty()
                || provisioner.equals(Provisioners.NONE)
                || !Topologies.allow(storageClass.get(), node.metadata().labels())) {
            bindConflict = true;
            return;
        }
        if (!Capacities.areKept(provisioner, view)) {
            provisions.add(Provision.of(claim, Optional.empty()));
            return;
        }
        Optional<Pool> pool = Capacities.poolFor(claim, node, provisions, view);
        noSpace |= pool.isEmpty();
        pool.ifPresent(found -> provisions.add(Provision.of(claim, pool)));
    }
}
