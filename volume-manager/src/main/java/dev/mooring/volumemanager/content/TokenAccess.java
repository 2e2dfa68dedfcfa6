// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.SecurityContext;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which users may read a token that a pod is shown. Kubernetes shows it to all users in the pod (0644) only if it cannot tell who needs it:
 * with an fsGroup to that group, and if all containers run as one user to that user (KEP-1205, "File Permission"). Pure.
 *
 * @param owner the user; empty for root
 * @param narrow whether only its owner and the volume's group may read it
 */
record TokenAccess(OptionalInt owner, boolean narrow) {
    private static final int OWNERS_ONLY = 0600;

    static TokenAccess of(Pod pod) {
        Optional<PodSecurityContext> context = pod.spec().securityContext();
        Set<Optional<Long>> users = pod.spec().allContainers().stream()
                .map(container -> user(container, context))
                .collect(Collectors.toSet());
        OptionalInt owner = users.size() == 1
                ? users.iterator().next().map(TokenAccess::uid).orElse(OptionalInt.empty())
                : OptionalInt.empty();
        boolean group = context.flatMap(PodSecurityContext::fsGroup).isPresent();
        return new TokenAccess(owner, group || owner.isPresent());
    }

    private static OptionalInt uid(long user) {
        return user >= 0 && user <= Integer.MAX_VALUE ? OptionalInt.of((int) user) : OptionalInt.empty();
    }

    private static Optional<Long> user(Container container, Optional<PodSecurityContext> context) {
        return container
                .securityContext()
                .flatMap(SecurityContext::runAsUser)
                .or(() -> context.flatMap(PodSecurityContext::runAsUser));
    }

    /** The permission bits of the file. */
    int mode(int asked) {
        return narrow ? OWNERS_ONLY : asked;
    }
}
