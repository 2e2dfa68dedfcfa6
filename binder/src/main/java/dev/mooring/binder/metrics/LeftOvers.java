// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.metrics;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Storage that costs money and is not used (semantics/binder §7 D16): volumes whose claims have gone, and claims without pods.
 *
 * @param volumes Released and Failed volumes, the oldest first
 * @param claims claims that are not being deleted and that no unfinished pod names, the oldest first
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeftOvers(List<Volume> volumes, List<Claim> claims) {
    /** Copies the lists. */
    public LeftOvers {
        volumes = List.copyOf(volumes);
        claims = List.copyOf(claims);
    }

    /**
     * A volume whose claim has gone.
     *
     * @param name its name
     * @param phase Released or Failed
     * @param message why it failed; empty if it did not say
     * @param storageClass its class; empty for none
     * @param reclaimPolicy what should become of it, in Kubernetes' word
     * @param claim the claim that it was bound to
     * @param age for how long it has been in its phase; since its creation if it does not say
     * @param size its capacity; zero if it has none
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Volume(
            String name,
            PersistentVolumePhase phase,
            String message,
            String storageClass,
            String reclaimPolicy,
            Optional<ObjectKey> claim,
            Duration age,
            Quantity size) {}

    /**
     * A claim that no pod uses.
     *
     * @param key its name
     * @param storageClass its class; empty for none
     * @param volume its volume; empty if it has none
     * @param age since its creation: no object says since when no pod uses it
     * @param size what it has if it is bound, else what it asks for
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Claim(ObjectKey key, String storageClass, String volume, Duration age, Quantity size) {}

    /**
     * Looks for what is left over.
     *
     * @param caches the caches of a loop with the binder's controllers; never null. Called on the decider's thread
     * @param now never null
     */
    public static LeftOvers in(Caches caches, Instant now) {
        List<Volume> volumes = new ArrayList<>();
        for (PersistentVolume volume : caches.of(Kinds.PERSISTENT_VOLUME).all()) {
            if (BinderGauges.isLeftOver(volume)) {
                volumes.add(leftOver(volume, now));
            }
        }
        volumes.sort(Comparator.comparing(Volume::age).reversed().thenComparing(Volume::name));
        Set<ObjectKey> used = new HashSet<>();
        caches.of(Kinds.POD).all().forEach(pod -> addClaims(pod, used));
        List<Claim> claims = new ArrayList<>();
        for (PersistentVolumeClaim claim :
                caches.of(Kinds.PERSISTENT_VOLUME_CLAIM).all()) {
            if (!claim.metadata().isDeleting() && !used.contains(ObjectKey.of(claim))) {
                claims.add(leftOver(claim, now));
            }
        }
        claims.sort(Comparator.comparing(Claim::age).reversed().thenComparing(Claim::key));
        return new LeftOvers(volumes, claims);
    }

    private static void addClaims(Pod pod, Set<ObjectKey> used) {
        if (pod.status().phase().isTerminal()) {
            return;
        }
        String namespace = pod.metadata().namespace();
        pod.spec()
                .volumes()
                .forEach(volume -> volume.claimName(pod.metadata().name())
                        .ifPresent(name -> used.add(ObjectKey.of(namespace, name))));
    }

    private static Volume leftOver(PersistentVolume volume, Instant now) {
        return new Volume(
                volume.metadata().name(),
                volume.status().phase(),
                volume.status().message(),
                StorageClasses.nameOf(volume).orElse(""),
                BinderGauges.policyOf(volume),
                volume.spec().claimRef().map(claim -> ObjectKey.of(claim.namespace(), claim.name())),
                BinderGauges.ageOf(volume, now),
                volume.spec().capacity().getOrDefault("storage", Quantity.ZERO));
    }

    private static Claim leftOver(PersistentVolumeClaim claim, Instant now) {
        Instant created = claim.metadata().creationTimestamp().orElse(now);
        Quantity size = Optional.ofNullable(claim.status().capacity().get("storage"))
                .or(() ->
                        Optional.ofNullable(claim.spec().resources().requests().get("storage")))
                .orElse(Quantity.ZERO);
        return new Claim(
                ObjectKey.of(claim),
                StorageClasses.nameOf(claim).orElse(""),
                claim.spec().volumeName(),
                created.isAfter(now) ? Duration.ZERO : Duration.between(created, now),
                size);
    }
}
