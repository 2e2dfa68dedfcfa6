// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.SELinuxOptions;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Which label the files of a volume are to have, so that the containers of a pod may use them (semantics/attach-and-mount §3.12). Pure. */
final class SELinuxLabels {
    /** What files of containers are called on every distribution that has SELinux; only user and level are the pod's to choose. */
    private static final String USER = "system_u";

    private static final String ROLE_AND_TYPE = "object_r:container_file_t";
    /** A label stands between quotes in an option of a mount. */
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9_.:,-]+");

    private SELinuxLabels() {}

    /**
     * The label for a volume that is mounted for one pod.
     *
     * @param volumes the names that the volume has in the pod
     * @return empty if the pod wants its files labelled one by one, or no container that mounts the volume says at which level it runs;
     *     INVALID if they want several labels, or one that cannot stand in an option
     */
    static Outcome<Optional<String>> of(Pod pod, Set<String> volumes) {
        Optional<PodSecurityContext> whole = pod.spec().securityContext();
        if (whole.flatMap(PodSecurityContext::seLinuxChangePolicy)
                .filter("Recursive"::equals)
                .isPresent()) {
            return Outcome.done(Optional.empty());
        }
        Set<String> labels = new TreeSet<>();
        for (Container container : using(pod, volumes)) {
            Optional<SELinuxOptions> options = container
                    .securityContext()
                    .flatMap(own -> own.seLinuxOptions())
                    .or(() -> whole.flatMap(PodSecurityContext::seLinuxOptions));
            Optional<String> label = options.filter(known -> !known.level().isEmpty())
                    .map(known ->
                            (known.user().isEmpty() ? USER : known.user()) + ":" + ROLE_AND_TYPE + ":" + known.level());
            if (label.filter(written -> !PART.matcher(written).matches()).isPresent()) {
                return Outcome.refused(
                        Refusal.INVALID,
                        "container \"" + container.name() + "\": its seLinuxOptions are no label of SELinux");
            }
            label.ifPresent(labels::add);
        }
        return labels.size() <= 1
                ? Outcome.done(labels.stream().findFirst())
                : Outcome.refused(
                        Refusal.INVALID,
                        "the containers that mount the volume request different SELinux labels: "
                                + String.join(", ", labels));
    }

    private static List<Container> using(Pod pod, Set<String> volumes) {
        return pod.spec().allContainers().stream()
                .filter(container ->
                        container.volumeMounts().stream().anyMatch(mount -> volumes.contains(mount.name())))
                .toList();
    }
}
