// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.statistics;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.Statistics.Usage;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.volumemanager.look.BoundedLooks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apiguardian.api.API;

/**
 * Measures how full published volumes are, when asked. Nothing is measured by the caller's own thread, and of those volumes that depend on
 * one server or device only one is measured at a time: a server that does not answer costs one thread, and for its other volumes the
 * answer is at once that it is unknown (N9). Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VolumeStatistics {
    /** More measurements than this that do not come back are a broken machine. */
    private static final int MOST = 16;

    private final PluginRegistry plugins;
    private final NodeRef node;
    private final HostServices host;
    private final InstantSource clock;
    private final BoundedLooks looks;

    /**
     * Statistics of one node.
     *
     * @param plugins the plugins, with {@link dev.mooring.volumemanager.HostVolumes} where the node has them
     * @param threads runs measurements, at most 16 at a time, each of which may hang as long as its server does
     */
    public VolumeStatistics(
            PluginRegistry plugins, NodeRef node, HostServices host, InstantSource clock, Executor threads) {
        this.plugins = plugins;
        this.node = node;
        this.host = host;
        this.clock = clock;
        this.looks = new BoundedLooks(threads, MOST);
    }

    /**
     * Measures a volume by its plugin, or else the file system that a pod sees at its path.
     *
     * @param published the volume's record
     * @param patience how long the caller waits at most
     * @return deferred if it is not known in that time: the measurement goes on, and until it has come back no other one of the same server
     *     or device is begun; UNSUPPORTED for devices
     */
    public Outcome<Usage> usage(Publish published, Duration patience) {
        if (published.deviceMap().isPresent()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "a device has no file system to be measured");
        }
        return host.mounts().table().then(table -> {
            // without looking at the path: it may be on a dead server
            String dependency =
                    table.top(published.target()).map(BoundedLooks::dependency).orElse("the node's disk");
            return measure(dependency, published, patience);
        });
    }

    private Outcome<Usage> measure(String dependency, Publish published, Duration patience) {
        HostServices services = plugins.hostFor(published.volumeId().plugin(), host, List.of());
        OperationContext context =
                new MeasuringContext(node, services, clock, clock.instant().plus(patience));
        return looks.look(dependency, Duration.ZERO, () -> patience, wanted -> measure(context, published), late -> {});
    }

    private Outcome<Usage> measure(OperationContext context, Publish published) {
        Optional<Statistics> own = plugins.capability(published.volumeId().plugin(), Statistics.class);
        return own.isPresent()
                ? own.get().usage(context, published.volumeId(), published.target())
                : host.files().open(published.target(), LinkRule.FOLLOW).then(path -> {
                    try (path) {
                        return path.space().map(Usage::of);
                    }
                });
    }
}
