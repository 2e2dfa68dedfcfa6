// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.InstantSource;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The context of a call in a test of your own: a first attempt of a controller, never cancelled, by the wall clock, without a host, secrets
 * or a record; notices are dropped. Override what the test is about. Thread-safe as far as it is not overridden.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface PlainCall extends OperationContext {
    @Override
    default boolean cancelled() {
        return false;
    }

    @Override
    default void onCancel(Runnable action) {}

    @Override
    default int attempt() {
        return 1;
    }

    @Override
    default String idempotencyKey() {
        return "test";
    }

    @Override
    default InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    default Optional<NodeRef> node() {
        return Optional.empty();
    }

    @Override
    default HostServices host() {
        return HostServices.none();
    }

    @Override
    default Secrets secrets() {
        return Secrets.NONE;
    }

    @Override
    default void report(Notice notice) {}
}
