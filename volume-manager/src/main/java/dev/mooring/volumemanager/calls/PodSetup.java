// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.volumemanager.subpath.SubPathMount;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What a pod wants done to a volume besides showing it (semantics/attach-and-mount §3.11, §3.15).
 *
 * @param group the group that the volume's files shall have ({@code fsGroup}); empty to leave them as they are
 * @param onlyIfRootDiffers whether files are left alone if the root looks right ({@code OnRootMismatch})
 * @param subPaths the parts of it that containers see
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSetup(OptionalInt group, boolean onlyIfRootDiffers, List<SubPathMount> subPaths) {
    /** Nothing. */
    public static final PodSetup NONE = new PodSetup(OptionalInt.empty(), false, List.of());

    /** Copies the list. */
    public PodSetup {
        subPaths = List.copyOf(subPaths);
    }

    /**
     * What a pod asks for. Pure.
     *
     * @param volumes the names that the volume has in the pod
     */
    public static PodSetup of(Pod pod, Set<String> volumes) {
        boolean rootOnly = pod.spec()
                .securityContext()
                .flatMap(PodSecurityContext::fsGroupChangePolicy)
                .filter("OnRootMismatch"::equals)
                .isPresent();
        return new PodSetup(groupOf(pod), rootOnly, SubPathMount.of(pod, volumes));
    }

    /** The group that a pod wants its volumes to belong to, whatever its volumes allow. Pure. */
    public static OptionalInt groupOf(Pod pod) {
        return pod.spec()
                .securityContext()
                .flatMap(PodSecurityContext::fsGroup)
                .filter(number -> number >= 0 && number <= Integer.MAX_VALUE)
                .map(number -> OptionalInt.of(number.intValue()))
                .orElseGet(OptionalInt::empty);
    }

    /** The same for a volume whose files keep their owners. */
    public PodSetup withoutGroup() {
        return new PodSetup(OptionalInt.empty(), onlyIfRootDiffers, subPaths);
    }
}
