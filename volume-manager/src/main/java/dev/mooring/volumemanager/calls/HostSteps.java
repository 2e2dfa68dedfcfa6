// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import org.apiguardian.api.API;

/**
 * What the host itself does to a volume that a plugin shows to a pod: ownership, parts of it shown elsewhere. Every step may be repeated
 * after any interruption. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface HostSteps {
    /** The host does nothing. */
    HostSteps NONE = new HostSteps() {};

    /**
     * After the plugin has published: the pod gets the volume only once this is done too.
     *
     * @param context the context of the call that published
     * @param call what was published; its target is there
     * @return done, or why the publish has not succeeded; it is repeated then, with the plugin's part
     */
    default Outcome<Nothing> afterPublish(OperationContext context, PublishCall call) {
        return Outcome.done();
    }

    /**
     * Before the plugin unpublishes, from what was recorded alone.
     *
     * @param context the context of the call that unpublishes
     * @param record what was published
     * @return done if nothing of the steps is left; otherwise the plugin's part is not begun
     */
    default Outcome<Nothing> beforeUnpublish(OperationContext context, RecordEntry.Publish record) {
        return Outcome.done();
    }
}
