// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Capabilities whose calls {@link SimulatedBackends} answers: only the pure half is ever asked here. Its volumes are those of a CSI
 * driver that is called like the provisioner.
 */
final class InertCapabilities
        implements Attaching,
                Staging,
                Provisioning,
                Deleting,
                Recycling,
                Publishing,
                BlockMapping,
                ControllerExpanding,
                NodeExpanding,
                Modifying {
    private final String driver;

    InertCapabilities(String driver) {
        this.driver = driver;
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        CsiSource source = new CsiSource(driver, request.volumeName(), "", false, Map.of());
        return Outcome.done(new VolumeTemplate(
                source.toSource(), request.requested(), request.accessModes(), Optional.empty(), Map.of()));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        return notHere();
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return notHere();
    }

    @Override
    public Outcome<Nothing> recycle(OperationContext context, VolumeSpec volume) {
        return notHere();
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return notHere();
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return notHere();
    }

    @Override
    public Outcome<Path> map(OperationContext context, PublishRequest request) {
        return notHere();
    }

    @Override
    public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
        return notHere();
    }

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return notHere();
    }

    @Override
    public Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted) {
        return notHere();
    }

    @Override
    public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
        return notHere();
    }

    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    /** As the real iSCSI: it lets every node in (semantics/plugins §3.4). */
    @Override
    public boolean exclusive(VolumeSpec volume) {
        return volume.source().type().equals(IscsiSource.TYPE);
    }

    @Override
    public String reportedName(VolumeSpec volume, VolumeId id) {
        return CsiSource.of(volume.source()).map(CsiSource::nameOnNodes).orElseGet(id::toString);
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return notHere();
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return notHere();
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        Map<VolumeId, State> states = new TreeMap<>(Comparator.comparing(VolumeId::toString));
        volumes.forEach(volume -> states.put(volume, State.UNKNOWN));
        return states;
    }

    @Override
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        return notHere();
    }

    @Override
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        return notHere();
    }

    private static <T> Outcome<T> notHere() {
        return Outcome.refused(Refusal.UNSUPPORTED, "a simulated back-end has nothing to act upon");
    }
}
