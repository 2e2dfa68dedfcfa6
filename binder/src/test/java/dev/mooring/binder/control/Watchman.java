// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.calls.RecycleCall;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Stands beside the store and looks at every write of the binder and at every call to a plugin as it happens (semantics/binder §7.1, as
 * far as it speaks of single steps). It knows what the store holds at that moment, not what the binder believes.
 */
final class Watchman {
    final Set<String> storage = new TreeSet<>();
    private final Cluster cluster;
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, PersistentVolumeClaim> claimsByUid = new HashMap<>();
    private final Set<String> everTied = new HashSet<>();
    private final Set<String> marked = new HashSet<>();
    private final Set<String> intended = new HashSet<>();
    private final Set<String> destroyed = new HashSet<>();
    private final List<String> violations = new ArrayList<>();

    private Watchman(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Sets a watchman on a cluster without objects; plugins answer as told. */
    static Watchman over(Cluster cluster, Function<Call, Outcome<?>> backend) {
        Watchman watchman = new Watchman(cluster);
        watchman.watch(Kinds.PERSISTENT_VOLUME, watchman::volume);
        watchman.watch(Kinds.PERSISTENT_VOLUME_CLAIM, watchman::claim);
        cluster.backend = watchman.guarding(backend);
        cluster.afterEachStep = watchman::report;
        return watchman;
    }

    private void report() {
        assertThat(violations).isEmpty();
    }

    private void require(boolean holds, String rule, Object about) {
        if (!holds) {
            violations.add(rule + ": " + about);
        }
    }

    // ---- writes ----

    private void volume(WatchEvent<PersistentVolume> event, boolean ours) {
        PersistentVolume after = event.object();
        String name = after.metadata().name();
        Optional<PersistentVolume> before = Optional.ofNullable(volumes.get(name))
                .filter(v -> v.metadata().uid().equals(after.metadata().uid()));
        if (event.type() == WatchEvent.Type.DELETED) {
            volumes.remove(name);
            return;
        }
        if (ours && before.isPresent()) {
            claimRefBy(before.get(), after);
            marksAndFinalizers(before.get(), after);
            boolean newlyBound = after.status().phase() == PersistentVolumePhase.BOUND
                    && before.get().status().phase() != PersistentVolumePhase.BOUND;
            require(!newlyBound || !uidOf(after).isEmpty(), "§1.7 Bound before it is claimed", after);
        }
        volumes.put(name, after);
        everTied.add(name + " " + uidOf(after));
    }

    private void claimRefBy(PersistentVolume before, PersistentVolume after) {
        Optional<ObjectReference> was = before.spec().claimRef();
        Optional<ObjectReference> is = after.spec().claimRef();
        boolean byUser =
                before.metadata().annotation(Annotations.BOUND_BY_CONTROLLER).isEmpty();
        boolean sameName = was.isPresent()
                && is.isPresent()
                && was.get().name().equals(is.get().name())
                && was.get().namespace().equals(is.get().namespace());
        require(was.isEmpty() || !byUser || sameName, "I8 what a user wrote is taken away", after);
        require(was.isEmpty() || is.isEmpty() || sameName, "I10 a volume is taken from a claim", after);
        require(
                uidOf(before).isEmpty()
                        || uidOf(after).isEmpty()
                        || uidOf(before).equals(uidOf(after)),
                "I10 a volume is taken from a claim of that name",
                after);
        if (uidOf(before).isEmpty() && !uidOf(after).isEmpty()) {
            require(
                    before.metadata().annotation(Annotations.RECLAIMING).isEmpty(),
                    "D6 claimed while it is being reclaimed",
                    after);
            if (was.isEmpty()) {
                chosen(before, after);
            }
        }
    }

    /** I7, as far as one volume can tell: what we choose, fits. */
    private void chosen(PersistentVolume volume, PersistentVolume after) {
        PersistentVolumeClaim claim = claimsByUid.get(uidOf(after));
        if (claim == null
                || claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent()) {
            return; // it has gone meanwhile, or adopts what was its own (B3)
        }
        require(PrebindCheck.problem(volume, claim).isEmpty(), "I7 a volume that does not fit is chosen", after);
        require(
                claim.spec().volumeName().isEmpty()
                        || claim.spec().volumeName().equals(volume.metadata().name()),
                "§1.4 a claim that names another volume gets one",
                after);
    }

    private void marksAndFinalizers(PersistentVolume before, PersistentVolume after) {
        Optional<String> mark = after.metadata().annotation(Annotations.RECLAIMING);
        if (mark.isPresent()
                && before.metadata().annotation(Annotations.RECLAIMING).isEmpty()) {
            require(mark.get().equals(uidOf(after)), "D6 marked for another claim than it is claimed by", after);
            require(!isUsed(after, mark.get()), "I3 marked while its claim uses it", after);
            require(
                    after.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.RETAIN,
                    "I9 marked although it is to be kept",
                    after);
            marked.add(after.metadata().uid() + " " + mark.get());
        }
        boolean letGo = before.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)
                && !after.metadata().hasFinalizer(Finalizers.PV_CONTROLLER);
        require(
                !letGo
                        || after.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.DELETE
                        || destroyed.contains(after.metadata().uid()),
                "§1.13 let go before its storage was destroyed",
                after);
    }

    private void claim(WatchEvent<PersistentVolumeClaim> event, boolean ours) {
        PersistentVolumeClaim after = event.object();
        String uid = after.metadata().uid();
        PersistentVolumeClaim before = claimsByUid.get(uid);
        if (event.type() == WatchEvent.Type.DELETED) {
            claimsByUid.remove(uid);
            return;
        }
        if (ours && before != null) {
            String named = after.spec().volumeName();
            boolean tied = everTied.contains(named + " " + uid);
            boolean nowNames = !named.equals(before.spec().volumeName())
                    || (after.metadata().annotation(Annotations.BIND_COMPLETED).isPresent()
                            && before.metadata()
                                    .annotation(Annotations.BIND_COMPLETED)
                                    .isEmpty());
            require(!nowNames || tied, "§1.7 the claim names a volume that was never claimed for it", after);
            boolean nowBound = after.status().phase() == ClaimPhase.BOUND
                    && before.status().phase() != ClaimPhase.BOUND;
            require(
                    !nowBound
                            || (tied
                                    && after.metadata()
                                            .annotation(Annotations.BIND_COMPLETED)
                                            .isPresent()),
                    "§1.7 Bound is shown before it is true",
                    after);
        }
        claimsByUid.put(uid, after);
        if (after.metadata().hasFinalizer(Finalizers.PROVISIONING)) {
            intended.add(uid);
        }
    }

    // ---- calls ----

    private Function<Call, Outcome<?>> guarding(Function<Call, Outcome<?>> backend) {
        return call -> {
            if (call instanceof ProvisionCall provision) {
                require(
                        intended.contains(provision.request().claimUid()),
                        "D15 storage is made without an intent",
                        call);
                storage.add(call.volume());
            } else if (call instanceof DeleteCall delete) {
                if (delete.spec().uid().isEmpty()) { // what was made without a volume object (§1.10 PI)
                    require(
                            cluster.findVolume(delete.spec().name()).isEmpty(),
                            "#44372 storage is destroyed as if no volume stood for it",
                            call);
                } else {
                    touched(delete.spec().name(), delete.spec().uid(), ReclaimPolicy.DELETE);
                }
                storage.remove(call.volume());
                destroyed.add(delete.spec().uid());
            } else if (call instanceof RecycleCall recycle) {
                touched(recycle.spec().name(), recycle.spec().uid(), ReclaimPolicy.RECYCLE);
            }
            return backend.apply(call);
        };
    }

    private void touched(String name, String uid, ReclaimPolicy wanted) {
        require(
                marked.stream().anyMatch(mark -> mark.startsWith(uid + " ")),
                "D6 data is touched without a mark that was made while the volume was claimed so",
                name);
        PersistentVolume volume = volumes.get(name);
        if (volume == null || !volume.metadata().uid().equals(uid)) {
            return; // torn out meanwhile: what is left of it belongs to no volume
        }
        require(volume.spec().persistentVolumeReclaimPolicy() == wanted, "I9 the policy does not say so", volume);
        require(!isUsed(volume, uidOf(volume)), "I3 data is touched while its claim uses it", volume);
    }

    private boolean isUsed(PersistentVolume volume, String claimUid) {
        return Optional.ofNullable(claimsByUid.get(claimUid))
                .map(claim -> claim.spec().volumeName())
                .filter(named ->
                        named.isEmpty() || named.equals(volume.metadata().name()))
                .isPresent();
    }

    private static String uidOf(PersistentVolume volume) {
        return volume.spec().claimRef().map(ObjectReference::uid).orElse("");
    }

    private <T extends KubernetesObject> void watch(Kind<T> kind, BiConsumer<WatchEvent<T>, Boolean> look) {
        Revision now = cluster.store.list(kind, ListOptions.ALL).orThrow().revision();
        cluster.store.watch(kind, ListOptions.ALL, now, new WatchListener<T>() {
            @Override
            public void onEvent(WatchEvent<T> event) {
                look.accept(event, "controllers".equals(cluster.writers.get(event.revision())));
            }

            @Override
            public void onBookmark(Revision revision) {
                // nothing happened
            }

            @Override
            public void onEnd(StoreResult.Failure reason, String message) {
                violations.add("the watch ended: " + message);
            }
        });
    }
}
