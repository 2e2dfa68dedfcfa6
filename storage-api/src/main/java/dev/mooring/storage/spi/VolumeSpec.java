// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A volume as a call sees it: a PersistentVolume, or a source written inline in a pod.
 *
 * @param name the PersistentVolume's name, or the volume's name in the pod
 * @param uid the PersistentVolume's uid; empty for an inline source
 * @param source what the plugin serves
 * @param accessModes the volume's modes; empty for an inline source
 * @param mode file system or block device
 * @param capacity the size; zero if none is known
 * @param mountOptions the volume's options in the user's order, already checked
 * @param annotations the PersistentVolume's annotations; empty for an inline source
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeSpec(
        String name,
        String uid,
        VolumeSource source,
        List<AccessMode> accessModes,
        VolumeMode mode,
        Quantity capacity,
        List<String> mountOptions,
        Map<String, String> annotations)
        implements VolumeSpecBuilder.With {
    private static final String SECRET = "secretRef";
    private static final String NAMESPACE = "namespace";

    /** Copies the lists and, in its order, the map. */
    public VolumeSpec {
        accessModes = List.copyOf(accessModes);
        mountOptions = List.copyOf(mountOptions);
        annotations = Ordered.copy(annotations);
    }

    /** A PersistentVolume; empty if it has no source. A secret of which it does not say where it is, is beside the volume's claim. */
    public static Optional<VolumeSpec> of(PersistentVolume volume) {
        return volume.spec()
                .source()
                .map(source -> new VolumeSpec(
                        volume.metadata().name(),
                        volume.metadata().uid(),
                        volume.spec()
                                .claimRef()
                                .filter(claim -> source.attributes()
                                        .text(SECRET, NAMESPACE)
                                        .orElse("")
                                        .isEmpty())
                                .map(claim -> withSecretIn(claim.namespace(), source))
                                .orElse(source),
                        volume.spec().accessModes(),
                        volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM),
                        volume.spec().storage(),
                        mountOptions(volume),
                        volume.metadata().annotations()));
    }

    /**
     * A source written in a pod. Whatever it says, its secret is one of the pod's namespace: who may write pods in one namespace may not
     * read the secrets of another.
     *
     * @param name the volume's name in the pod
     * @param namespace the pod's
     */
    public static VolumeSpec inline(String name, String namespace, VolumeSource source) {
        return new VolumeSpec(
                name,
                "",
                withSecretIn(namespace, source),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.ZERO,
                List.of(),
                Map.of());
    }

    /** The same volume under another identity. */
    public VolumeSpec withSource(VolumeSource other, List<AccessMode> modes) {
        return new VolumeSpec(name, uid, other, modes, mode, capacity, mountOptions, annotations);
    }

    private static VolumeSource withSecretIn(String namespace, VolumeSource source) {
        return source.attributes().object(SECRET).isEmpty()
                ? source
                : new VolumeSource(source.type(), source.attributes().with(namespace, SECRET, NAMESPACE));
    }

    /** The older annotation wins over the field (semantics/attach-and-mount §3.9). */
    private static List<String> mountOptions(PersistentVolume volume) {
        return volume.metadata()
                .annotation(Annotations.BETA_MOUNT_OPTIONS)
                .map(text -> Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .filter(option -> !option.isEmpty())
                        .toList())
                .orElse(volume.spec().mountOptions());
    }
}
