// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * A context that answers as another one does, except for what it overrides: for a part of a call that may take less time, say. As
 * thread-safe as the other context.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ForwardingContext extends OperationContext {
    /** The context that answers what is not overridden; always the same, never null. */
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
    default OptionalLong term() {
        return call().term();
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

    @Override
    default Outcome<Nothing> remember(PluginState state) {
        return call().remember(state);
    }

    @Override
    default PluginState remembered() {
        return call().remembered();
    }

    @Override
    default VolumeNotes notes() {
        return call().notes();
    }
}
