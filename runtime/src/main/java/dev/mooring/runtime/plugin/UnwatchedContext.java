// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The context of a call on a node that no control loop asked for: it is made once, is not ended before its deadline, and does not report
 * how far it is.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface UnwatchedContext extends OperationContext {
    /** The node on which the call is made. */
    NodeRef here();

    @Override
    default Optional<NodeRef> node() {
        return Optional.of(here());
    }

    @Override
    default boolean cancelled() {
        return false;
    }

    @Override
    default void onCancel(Runnable action) {
        // it never is
    }

    @Override
    default int attempt() {
        return 1;
    }

    @Override
    default Secrets secrets() {
        return Secrets.NONE;
    }

    @Override
    default void report(Notice notice) {
        // no listener
    }
}
