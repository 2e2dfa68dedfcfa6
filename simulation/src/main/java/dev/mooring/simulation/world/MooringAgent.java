// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.CleanPodsCall;
import dev.mooring.volumemanager.calls.ExpandOnNodeCall;
import dev.mooring.volumemanager.calls.MeasureCall;
import dev.mooring.volumemanager.calls.ProvisionOnNodeCall;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.ReclaimOnNodeCall;
import dev.mooring.volumemanager.calls.StageCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import dev.mooring.volumemanager.calls.UnstageCall;
import dev.mooring.volumemanager.calls.VerifyCall;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Mooring's volume manager on a simulated machine, whose disk is the record log. Confined to the world's thread. */
final class MooringAgent implements SimulatedControlPlane.Agent {
    /** Where volumes are shown to pods; only ever a name here. */
    private static final Path ROOT = Path.of("/var/lib/kubelet");

    private final NodeRef node;
    private final PluginRegistry plugins;
    private final RecordLog disk = new MemoryRecordLog();

    MooringAgent(NodeRef node, PluginRegistry plugins) {
        this.node = node;
        this.plugins = plugins;
    }

    @Override
    public List<Controller> controllers(String bootId) {
        return VolumeManager.controllers(NodeConfig.standalone(node, bootId, ROOT), plugins, disk.replay());
    }

    @Override
    public Optional<Outcome<?>> ownCall(Call call) {
        if (call instanceof RecordCall append) {
            return Optional.of(append.appendTo(disk));
        } else if (call instanceof VerifyCall) {
            return Optional.of(Outcome.done(true)); // nothing unmounts behind the agent's back
        } else if (call instanceof MeasureCall) {
            MeasureCall.Answer nothing = new MeasureCall.Answer(0, Instant.EPOCH, Duration.ZERO);
            return Optional.of(Outcome.done(nothing)); // there are no files here
        }
        return call instanceof CleanPodsCall ? Optional.of(Outcome.done(CleanPodsCall.Answer.CLEAN)) : Optional.empty();
    }

    /** What a call of an agent answers that did what it asked for. */
    static Optional<Outcome<?>> success(Call call) {
        if (call instanceof PublishCall || call instanceof StageCall) {
            return Optional.of(Outcome.done(PluginState.NONE));
        } else if (call instanceof ExpandOnNodeCall expand) {
            return Optional.of(Outcome.done(expand.wanted()));
        } else if (call instanceof ProvisionOnNodeCall provision) {
            return Optional.of(Outcome.done(provision.plan()));
        } else if (call instanceof UnpublishCall || call instanceof UnstageCall || call instanceof ReclaimOnNodeCall) {
            return Optional.of(Outcome.done());
        }
        return Optional.empty();
    }
}
