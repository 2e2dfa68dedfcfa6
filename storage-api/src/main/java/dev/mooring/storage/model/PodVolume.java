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
        return claim().map(PersistentVolumeClaimSource::claimName);
    }

    /** Whether the reference to the claim asks for read-only. */
    public boolean claimReadOnly() {
        return claim().filter(PersistentVolumeClaimSource::readOnly).isPresent();
    }

    private Optional<PersistentVolumeClaimSource> claim() {
        return source.flatMap(PersistentVolumeClaimSource::of);
    }

    /** Whether its claim is made for the pod. */
    public boolean isEphemeral() {
        return source.flatMap(EphemeralSource::of).isPresent();
    }

    /** The claim that it uses: the one it names, or for an ephemeral volume {@code <pod>-<volume>} (semantics/binder §3.4). */
    public Optional<String> claimName(String podName) {
        return isEphemeral() ? Optional.of(podName + "-" + name) : persistentVolumeClaimName();
    }
}
