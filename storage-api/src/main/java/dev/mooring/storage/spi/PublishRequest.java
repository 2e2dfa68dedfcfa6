// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * A volume to be shown to one pod.
 *
 * @param volume the volume
 * @param pod the pod
 * @param target the path chosen by the host; its parent exists
 * @param stagingPath where {@link Staging} prepared the volume; absent if the plugin does not stage
 * @param readOnly whether the pod may not write
 * @param occasion why the call is made
 * @param bidirectional whether a container of the pod wants what it mounts below the volume to appear on the host too
 *     ({@code mountPropagation: Bidirectional})
 * @param group the pod's {@code fsGroup}, for a plugin that gives the files to it itself ({@link Publishing#givesToGroup}); empty for none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PublishRequest(
        VolumeSpec volume,
        PodRef pod,
        Path target,
        Optional<Path> stagingPath,
        boolean readOnly,
        Occasion occasion,
        boolean bidirectional,
        OptionalInt group)
        implements PublishRequestBuilder.With {
    /** A request of a pod without a group, in which no container wants its mounts to appear on the host. */
    public PublishRequest(
            VolumeSpec volume,
            PodRef pod,
            Path target,
            Optional<Path> stagingPath,
            boolean readOnly,
            Occasion occasion) {
        this(volume, pod, target, stagingPath, readOnly, occasion, false, OptionalInt.empty());
    }

    /** The same, made for another reason. */
    public PublishRequest on(Occasion reason) {
        return new PublishRequest(volume, pod, target, stagingPath, readOnly, reason, bidirectional, group);
    }

    /** Why a volume is published. */
    public enum Occasion {
        /** For the first time. */
        INITIAL,
        /** Again, to refresh what it shows. */
        REPUBLISH,
        /** Again, since it is not known whether an earlier call had its effect. */
        RECOVERY,
        /**
         * Again, in another boot of the node or after its shutdown was begun, where {@link Publishing#outlivesBoot}: what is there is the
         * pod's and stays as it is.
         */
        RESUME
    }
}
