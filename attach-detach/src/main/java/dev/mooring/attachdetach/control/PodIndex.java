// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which pods a change of a claim, a node or a driver may concern. Confined to the decider. */
final class PodIndex {
    private final Multimap<ObjectKey, ObjectKey> byClaim = new Multimap<>();
    private final Multimap<String, ObjectKey> byNode = new Multimap<>();
    private final Multimap<String, ObjectKey> byDriver = new Multimap<>();

    void update(Optional<Pod> before, Optional<Pod> after) {
        before.ifPresent(pod -> {
            ObjectKey key = ObjectKey.of(pod);
            byNode.remove(pod.spec().nodeName(), key);
            claimsOf(pod).forEach(claim -> byClaim.remove(claim, key));
        });
        after.filter(pod -> !pod.spec().nodeName().isEmpty()).ifPresent(pod -> {
            ObjectKey key = ObjectKey.of(pod);
            byNode.add(pod.spec().nodeName(), key);
            claimsOf(pod).forEach(claim -> byClaim.add(claim, key));
        });
    }

    private static Set<ObjectKey> claimsOf(Pod pod) {
        Set<ObjectKey> claims = new TreeSet<>();
        pod.spec()
                .volumes()
                .forEach(volume -> volume.claimName(pod.metadata().name())
                        .ifPresent(
                                name -> claims.add(ObjectKey.of(pod.metadata().namespace(), name))));
        return claims;
    }

    void updateDrivers(ObjectKey pod, Set<String> before, Set<String> after) {
        before.forEach(driver -> byDriver.remove(driver, pod));
        after.forEach(driver -> byDriver.add(driver, pod));
    }

    /** The scheduled pods that name a claim. */
    Set<ObjectKey> naming(ObjectKey claim) {
        return byClaim.copyOf(claim);
    }

    /** The pods on a node. */
    Set<ObjectKey> on(String node) {
        return byNode.copyOf(node);
    }

    /** The pods with a volume of a CSI driver. */
    Set<ObjectKey> using(String driver) {
        return byDriver.copyOf(driver);
    }
}
