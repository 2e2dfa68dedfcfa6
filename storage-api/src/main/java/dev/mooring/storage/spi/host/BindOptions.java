// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * How something is shown at a second place. Restrictions of the original are kept in any case.
 *
 * @param readOnly nothing can be written through the new mount
 * @param noSetuid set-uid bits have no effect
 * @param noDevices device nodes cannot be opened
 * @param noExecution nothing can be executed
 * @param recursive mounts below the original are shown too, under the same restrictions
 * @param followsOriginal mounts that appear below the original later, appear here too
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record BindOptions(
        boolean readOnly,
        boolean noSetuid,
        boolean noDevices,
        boolean noExecution,
        boolean recursive,
        boolean followsOriginal)
        implements BindOptionsBuilder.With {
    /** Only the thing itself, with what the original allows. */
    public static final BindOptions PLAIN = new BindOptions(false, false, false, false, false, false);

    /** The thing with all that is and will be mounted below it, as it is for hostPath volumes. */
    public static final BindOptions TREE = new BindOptions(false, false, false, false, true, true);

    /** The same, read-only or not. */
    public BindOptions readOnly(boolean wanted) {
        return new BindOptions(wanted, noSetuid, noDevices, noExecution, recursive, followsOriginal);
    }
}
