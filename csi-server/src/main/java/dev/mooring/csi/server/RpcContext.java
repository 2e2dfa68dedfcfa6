// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a plugin's call has from the rpc that it is made for: the caller's deadline, its cancellation, its secrets.
 *
 * @param rpc the rpc's context
 * @param key which effect is meant
 * @param deadline when the caller stops waiting
 * @param clock the time
 * @param here this node
 * @param host acts on this machine, for the plugin
 * @param memory what the plugin remembers; empty if nothing is recorded of the volume yet
 * @param secrets those of the request, whatever name the volume has for them
 */
record RpcContext(
        Context rpc,
        String key,
        Instant deadline,
        InstantSource clock,
        NodeRef here,
        HostServices host,
        Optional<CallMemory> memory,
        Secrets secrets)
        implements OperationContext {
    private static final Logger LOG = LoggerFactory.getLogger(RpcContext.class);
    /** As long as Kubernetes waits. */
    private static final Duration UNLIMITED = Duration.ofMinutes(2);

    static RpcContext of(
            String key,
            InstantSource clock,
            NodeRef here,
            HostServices host,
            Optional<CallMemory> memory,
            Map<String, String> secrets) {
        Context rpc = Context.current();
        Deadline deadline = rpc.getDeadline();
        Duration left = deadline == null
                ? UNLIMITED
                : Duration.ofNanos(Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS)));
        Map<String, SecretValue> values = SecretValue.all(secrets);
        Secrets found = secret -> lookUp(secret, values);
        return new RpcContext(rpc, key, clock.instant().plus(left), clock, here, host, memory, found);
    }

    private static Optional<Map<String, SecretValue>> lookUp(ObjectKey secret, Map<String, SecretValue> values) {
        return secret.name().isEmpty() || values.isEmpty() ? Optional.empty() : Optional.of(values);
    }

    @Override
    public boolean cancelled() {
        return rpc.isCancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        AtomicBoolean ran = new AtomicBoolean();
        rpc.addListener(
                gone -> {
                    if (ran.compareAndSet(false, true)) {
                        action.run();
                    }
                },
                Runnable::run);
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public String idempotencyKey() {
        return key;
    }

    @Override
    public Optional<NodeRef> node() {
        return Optional.of(here);
    }

    @Override
    public Outcome<Nothing> remember(PluginState state) {
        return memory.map(known -> known.remember(state)).orElseGet(() -> OperationContext.super.remember(state));
    }

    @Override
    public PluginState remembered() {
        return memory.map(CallMemory::remembered).orElse(PluginState.NONE);
    }

    @Override
    public VolumeNotes notes() {
        return memory.map(VolumeNotes.class::cast).orElse(VolumeNotes.NONE);
    }

    @Override
    public void report(Notice notice) {
        if (notice.warning()) {
            LOG.warn("{}: {}", key, notice);
        } else {
            LOG.info("{}: {}", key, notice);
        }
    }

    /** The record's own would show the secrets' holder. */
    @Override
    public String toString() {
        return key;
    }
}
