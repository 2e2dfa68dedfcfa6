// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The binder as the provisioner beside another program that binds, as kube-controller-manager does. It makes storage for claims that are
 * annotated for a plugin of this process, and destroys what such a plugin made once that program has released it. It writes no phase and no
 * field by which claims and volumes are tied together (semantics/csi §8).
 *
 * @param namePrefix the name of a new volume begins with it, a dash follows
 * @param uidLength how many letters of the claim's uid, without its dashes, end the name; negative for the whole uid as it is
 * @param node the node whose claims and volumes alone are this process's; empty for those of all nodes
 * @param choosingWithin within which time after its creation a claim that may lie on any node is taken by such a process for its node; empty
 *     for never
 * @param capacity how this process tells how much storage is left; empty if it does not tell
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProvisionerRole(
        String namePrefix,
        int uidLength,
        Optional<String> node,
        Optional<Duration> choosingWithin,
        Optional<CapacityRole> capacity) {
    /** As external-provisioner is without options. */
    public static final ProvisionerRole DEFAULT =
            new ProvisionerRole("pvc", -1, Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * The name of the volume for a claim.
     *
     * @param uid the claim's
     * @return never null
     */
    public String volumeName(String uid) {
        if (uidLength < 0) {
            return namePrefix + "-" + uid;
        }
        String letters = uid.replace("-", "");
        return namePrefix + "-" + letters.substring(0, Math.min(uidLength, letters.length()));
    }

    /** The same, which tells of storage that is left. */
    public ProvisionerRole telling(CapacityRole of) {
        return new ProvisionerRole(namePrefix, uidLength, node, choosingWithin, Optional.of(of));
    }
}
