// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** A context with something added. */
interface AroundContext extends OperationContext {
    /** What it adds to. */
    OperationContext call();

    @Override
    default Instant deadline() {
        return call().deadline();
    }

    @Override
    default boolean cancelled() {
        return call().cancelled();
    }

    @Override
    default void onCancel(Runnable action) {
        call().onCancel(action);
    }

    @Override
    default int attempt() {
        return call().attempt();
    }

    @Override
    default String idempotencyKey() {
        return call().idempotencyKey();
    }

    @Override
    default InstantSource clock() {
        return call().clock();
    }

    @Override
    default Optional<NodeRef> node() {
        return call().node();
    }

    @Override
    default HostServices host() {
        return call().host();
    }

    @Override
    default Secrets secrets() {
        return call().secrets();
    }

    @Override
    default void report(Notice notice) {
        call().report(notice);
    }
}
