// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.nio.file.Path;
import org.apiguardian.api.API;

/** Shows storage to one pod at a path. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Publishing extends Capability {
    /**
     * Makes the volume appear at the target. Repeating the call is {@link Outcome.Done}. A read-only request never gives a
     * writable mount, not even for an instant.
     *
     * @return what {@link #unpublish} will need
     */
    Outcome<PluginState> publish(OperationContext context, PublishRequest request);

    /**
     * Makes the target disappear, from what was recorded alone. A target that is not there is {@link Outcome.Done}.
     *
     * @param state what {@link #publish} answered; {@link PluginState#NONE} if its answer was lost
     */
    Outcome<Nothing> unpublish(OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state);

    /**
     * Whether what is published is a mount at the target, so that a target which is none has surely been unmounted by another program
     * (semantics/plugins §2.7); pure.
     */
    default boolean showsMounts() {
        return true;
    }

    /**
     * Where a volume is shown below its directory in the pod's (semantics/attach-and-mount §3.8); pure. By default it is that directory;
     * volumes of CSI drivers are shown at {@code mount} in it, beside the file in which stock tools look.
     *
     * @return a relative path without {@code ..}; empty for the directory itself
     */
    default Path shownAt() {
        return Path.of("");
    }

    /**
     * Whether what was published is there after a reboot of the node, with what the pod has written: it is no mount, and lives as long as
     * its pod (semantics/plugins §1.9). A shutdown or another boot does not unpublish it then; it is published again, with {@link
     * PublishRequest.Occasion#RESUME}. Pure.
     *
     * @param state what {@link #publish} answered; {@link PluginState#NONE} if its answer was lost
     */
    default boolean outlivesBoot(PluginState state) {
        return false;
    }

    /**
     * Whether the files are given to the group of the first pod on the node only, and a later pod finds them as they are: for storage
     * that pods of different owners share (semantics/attach-and-mount §3.9); pure.
     */
    default boolean ownedByFirstPod() {
        return false;
    }

    /**
     * Whether the plugin has given the files to the {@linkplain PublishRequest#group() group} itself: then the host changes no ownership,
     * whatever {@link PluginDescriptor#managesOwnership} and a CSIDriver say (semantics/csi §6.8). Pure.
     *
     * @param state what {@link #publish} answered; of {@link PluginState#NONE}, before any call, it says whether all volumes are given
     */
    default boolean givesToGroup(PluginState state) {
        return false;
    }
}
