// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreNotes;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.HostCall;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import dev.mooring.volumemanager.calls.VerifyCall;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Mooring's volume manager on a part of this machine. Its log is in memory, and survives the agent. Confined to the world's thread, but for
 * {@link #shown}.
 */
final class RealNode implements SimulatedControlPlane.Agent {
    private static final Duration OWN_LIMIT = Duration.ofMinutes(2);

    private final NodeRef node;
    private final Path root;
    private final PluginRegistry plugins;
    private final RealBackEnds backEnds;
    private final RecordLog disk = new MemoryRecordLog();
    private CallHandler handler;
    private volatile boolean up;

    /**
     * A node on which no agent has started.
     *
     * @param root below it volumes are shown
     * @param plugins the simulated ones too
     */
    RealNode(NodeRef node, Path root, PluginRegistry plugins, RealBackEnds backEnds) {
        this.node = node;
        this.root = root;
        this.plugins = plugins;
        this.backEnds = backEnds;
        this.handler = newHandler();
    }

    private CallHandler newHandler() {
        return new NodeCallHandler(node, root, plugins, disk, backEnds.machine().host(), backEnds.secrets())
                .withNotes(volume -> StoreNotes.of(backEnds.store(), volume));
    }

    @Override
    public List<Controller> controllers(String bootId) {
        up = true;
        handler = newHandler(); // an agent that has died remembers nothing
        NodeConfig config = NodeConfig.standalone(node, bootId, root)
                .withSELinux(backEnds.machine().host().capabilities().has(HostFeature.SELINUX));
        return VolumeManager.controllers(config, plugins, disk.replay());
    }

    /** The machine is down: nothing is mounted there. */
    void down() {
        up = false;
    }

    CallHandler handler() {
        return handler;
    }

    @Override
    public Optional<Outcome<?>> ownCall(Call call) {
        if (call instanceof RecordCall append) {
            return Optional.of(append.appendTo(disk));
        }
        if (call instanceof VerifyCall && !backEnds.has(call.plugin().value())) {
            return Optional.of(Outcome.done(true)); // nothing is mounted for a simulated volume
        }
        if (!(call instanceof HostCall)) {
            return Optional.empty();
        }
        InstantSource clock = InstantSource.system();
        UncancelledTicket ticket =
                new UncancelledTicket(clock, clock.instant().plus(OWN_LIMIT), 1, call.operation(), notice -> {});
        return Optional.of(backEnds.calls().perform(handler, call, ticket));
    }

    /** Where a pod sees a volume of a real plugin now. */
    Optional<Path> shown(String podUid, String podVolume) {
        RecordEntry entry = RecordLog.standing(disk.replay()).get(RecordEntry.Publish.key(podUid, podVolume));
        return Optional.ofNullable(entry)
                .filter(known -> up
                        && known.phase() == RecordPhase.DONE
                        && backEnds.has(known.volumeId().plugin().value()))
                .flatMap(known -> known.match(publish -> Optional.of(publish.target()), stage -> Optional.empty()));
    }
}
