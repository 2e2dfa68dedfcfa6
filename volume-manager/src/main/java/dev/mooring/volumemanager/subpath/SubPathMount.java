// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.subpath;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.downward.ContainerEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A part of a volume that one container sees.
 *
 * @param container the container's name
 * @param index which of the container's mounts it is, from 0
 * @param subPath the path within the volume
 * @param readOnly whether the container may not write
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SubPathMount(String container, int index, String subPath, boolean readOnly) {
    /**
     * The sub-paths of a volume that a pod's containers use; variables have their values. What has a {@link #problem} is left out. Pure.
     *
     * @param volumes the names that the volume has in the pod
     */
    public static List<SubPathMount> of(Pod pod, Set<String> volumes) {
        List<SubPathMount> found = new ArrayList<>();
        containers(pod).forEach(container -> {
            for (int i = 0; i < container.volumeMounts().size(); i++) {
                VolumeMount mount = container.volumeMounts().get(i);
                String path = volumes.contains(mount.name())
                        ? pathOf(pod, container, mount).result().orElse("")
                        : "";
                if (!path.isEmpty()) {
                    found.add(new SubPathMount(container.name(), i, path, mount.readOnly()));
                }
            }
        });
        return List.copyOf(found);
    }

    /**
     * Why the sub-paths of a volume cannot be shown. Pure.
     *
     * @param volumes the names that the volume has in the pod
     * @return for people; empty if they can
     */
    public static Optional<String> problem(Pod pod, Set<String> volumes) {
        return containers(pod)
                .flatMap(container -> container.volumeMounts().stream()
                        .filter(mount -> volumes.contains(mount.name()))
                        .flatMap(mount -> problem(pod, container, mount).stream()
                                .map(problem -> "container \"" + container.name() + "\": " + problem)))
                .findFirst();
    }

    /** The path within the volume; empty for the whole volume. */
    private static Outcome<String> pathOf(Pod pod, Container container, VolumeMount mount) {
        return mount.subPathExpr().isEmpty()
                ? Outcome.done(mount.subPath())
                : ContainerEnvironment.of(pod, container).expandPath(mount.subPathExpr());
    }

    private static Optional<String> problem(Pod pod, Container container, VolumeMount mount) {
        Outcome<String> path = pathOf(pod, container, mount);
        String what = mount.subPathExpr().isEmpty() ? "subPath" : "subPathExpr '" + mount.subPathExpr() + "'";
        return path.result().isPresent()
                ? problem(what, path.result().get())
                : Optional.of(what + ": " + path.message());
    }

    private static Optional<String> problem(String what, String path) {
        if (path.startsWith("/")) {
            return Optional.of(what + ": '" + path + "' must be relative");
        }
        if (path.indexOf('\0') >= 0) {
            return Optional.of(what + ": must not contain NUL");
        }
        return Stream.of(path.split("/", -1)).anyMatch(".."::equals)
                ? Optional.of(what + ": '" + path + "' must not contain '..'")
                : Optional.empty();
    }

    private static Stream<Container> containers(Pod pod) {
        return pod.spec().allContainers().stream();
    }
}
