// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/** Prepares storage on a node, once for all pods there: log in, find the device, make and mount the file system. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Staging extends Capability {
    /**
     * Prepares the volume at the staging path.
     *
     * @return what {@link #unstage} will need
     */
    Outcome<PluginState> stage(OperationContext context, StageRequest request);

    /**
     * Undoes {@link #stage}, from what was recorded alone. A volume that is not staged is {@link Outcome.Done}.
     *
     * @param context its {@link OperationContext#notes} are those of the volume's object, if that is still there
     * @param state what {@link #stage} answered; {@link PluginState#NONE} if its answer was lost
     */
    Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state);

    /**
     * Whether what is prepared with a file system is a mount at the staging path, so that a path where nothing is mounted has surely been
     * unmounted by another program; pure.
     *
     * @param state what {@link #stage} or {@link #complete} answered
     */
    default boolean showsMounts(PluginState state) {
        return true;
    }

    /**
     * What a staged volume could have and does not, such as portals that did not answer; pure. The host writes an event, and asks again by
     * {@link #complete} while the volume is staged and used.
     *
     * @param state what {@link #stage} or {@link #complete} answered
     * @return for people, names what is missing, holds no secret; empty if nothing is
     */
    default Optional<String> missing(PluginState state) {
        return Optional.empty();
    }

    /**
     * Adds what was {@link #missing} when the volume was staged, while pods use it: changes nothing of what they have. Called never at the
     * same time as {@link #stage} or {@link #unstage}, and only while the volume is attached to the node.
     *
     * @param request as {@link #stage} would be given it now
     * @param state what {@link #stage} or {@link #complete} answered
     * @return the state that takes the other one's place, once nothing is missing any more; {@link Outcome.Deferred} while something is.
     *     What was added until then has to be {@linkplain OperationContext#remember remembered}
     */
    default Outcome<PluginState> complete(OperationContext context, StageRequest request, PluginState state) {
        return Outcome.done(state);
    }

    /**
     * Where the host lets the volume be prepared, below its directory {@code plugins/<name of the plugin>} (semantics/attach-and-mount
     * §3.8); pure. The host refuses a path that leads elsewhere.
     *
     * @param volume a volume that {@link StoragePlugin#validate} found no fault with
     * @param id its identity
     * @return a relative path without {@code ..}, another one for every volume and mode; by default the SHA-256 of the back-end's name,
     *     then {@code globalmount}, or for a raw device {@code volumeDevices/staging} and that SHA-256
     */
    default Path stagingDirectory(VolumeSpec volume, VolumeId id) {
        return DefaultDirectories.staging(volume, id);
    }

    /**
     * Whether the volume may be mounted with a label for SELinux; pure. Then the host adds {@code context="<label>"} to the mount options
     * of the volume that is to be prepared, and never prepares it for two labels at a time (semantics/attach-and-mount §3.12). A
     * volume of a CSI driver has the option when it is shown, too, and only if its CSIDriver says {@code seLinuxMount}.
     *
     * @return by default no: a container runtime labels the files one by one
     */
    default boolean takesSELinuxContext(VolumeSpec volume) {
        return false;
    }
}
