// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A volume of a pod.
 *
 * @param name its name in the pod
 * @param source where it comes from; its type is the key in the document
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PodVolume(String name, Optional<VolumeSource> source) implements PodVolumeBuilder.With {
    /** The claim that it names directly. */
    public Optional<String> persistentVolumeClaimName() {
        return source.filter(s -> s.type().equals("persistentVolumeClaim"))
                .flatMap(s -> s.attributes().text("claimName"));
    }

    /** Whether the reference to the claim asks for read-only. */
    public boolean claimReadOnly() {
        return source.filter(s -> s.type().equals("persistentVolumeClaim"))
                .flatMap(s -> s.attributes().at("readOnly"))
                .filter(Boolean.TRUE::equals)
                .isPresent();
    }

    /** The claim that it uses: the one it names, or for an ephemeral volume {@code <pod>-<volume>} (semantics/binder §3.4). */
    public Optional<String> claimName(String podName) {
        boolean ephemeral = source.filter(s -> s.type().equals("ephemeral")).isPresent();
        return ephemeral ? Optional.of(podName + "-" + name) : persistentVolumeClaimName();
    }
}
