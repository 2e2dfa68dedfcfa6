// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.node.DevicePublisher;
import dev.mooring.plugin.csi.node.KubeletVolumes;
import dev.mooring.plugin.csi.node.NodeGrowth;
import dev.mooring.plugin.csi.node.NodePaths;
import dev.mooring.plugin.csi.node.NodePublisher;
import dev.mooring.plugin.csi.node.NodeStager;
import dev.mooring.plugin.csi.node.PodContext;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.runtime.plugin.DriverTokens;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.ClusterStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The volumes of all CSI drivers on one node, under the name and in the directories that Kubernetes has for them, so that drivers'
 * manifests fit as they are (semantics/csi §6.2, §6.5). What a driver can do is found out when it is called: a step that it does not have
 * is done without a call.
 */
final class CsiVolumes
        implements StoragePlugin,
                Attaching,
                Staging,
                Publishing,
                BlockMapping,
                NodeExpanding,
                Statistics,
                Reconstructing {
    /** The plugin's name, which stands in paths and in what a Node reports. */
    public static final PluginName NAME = new PluginName("kubernetes.io/csi");

    private static final String DEVICES = "volumeDevices";

    private final NodeStager stager;
    private final NodePublisher publisher;
    private final DevicePublisher devices;
    private final NodeGrowth growth;
    private final NodePaths paths;

    /**
     * The volumes of a node.
     *
     * @param drivers the drivers that are on the node, which may come and go
     * @param store the cluster, read live: VolumeAttachments, CSIDrivers, pods
     * @param node the node's name
     * @param root below it volumes are mounted for pods
     * @param tokens makes the tokens of service accounts that drivers ask for
     */
    CsiVolumes(Drivers drivers, ClusterStore store, String node, Path root, DriverTokens tokens) {
        PodContext pods = new PodContext(store, node, tokens);
        paths = new NodePaths(root.resolve("plugins").resolve(NAME.value()));
        stager = new NodeStager(drivers);
        publisher = new NodePublisher(drivers, pods);
        devices = new DevicePublisher(publisher, paths);
        growth = new NodeGrowth(drivers);
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of("csi"), Place.CONTROLLER)
                .withSupportsMountOptions(true)
                .withManagesOwnership(true);
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return CsiVolumeSource.problems(source);
    }

    /** As Kubernetes names it: a driver's name has no {@code ^}. */
    @Override
    public VolumeId identify(VolumeSource source) {
        CsiVolumeSource csi = CsiVolumeSource.of(source);
        return new VolumeId(NAME, csi.driver() + "^" + csi.handle());
    }

    /** A driver that hangs holds up its own volumes alone. */
    @Override
    public String bulkhead(VolumeId volume) {
        return NAME + "/" + NodePaths.driver(volume);
    }

    // ---- attaching: what a node has to know of it ----

    /** Unless the driver's CSIDriver says otherwise, which the host looks at. */
    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return Outcome.refused(Refusal.UNSUPPORTED, "the controllers attach volumes, not a node");
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return Outcome.refused(Refusal.UNSUPPORTED, "the controllers detach volumes, not a node");
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return Map.of();
    }

    // ---- staging ----

    /** A file system's directory is Kubernetes'. A device is staged once for each volume, not once for each PersistentVolume. */
    @Override
    public Path stagingDirectory(VolumeSpec volume, VolumeId id) {
        CsiVolumeSource csi = CsiVolumeSource.of(volume);
        return volume.mode() == VolumeMode.BLOCK
                ? Path.of(DEVICES, "staging", Sha256.hex(id.backend()))
                : Path.of(csi.driver(), Sha256.hex(csi.handle()), "globalmount");
    }

    @Override
    public boolean showsMounts(PluginState state) {
        return NodeStager.isStaged(state);
    }

    @Override
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        return stager.stage(context, request);
    }

    @Override
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        return stager.unstage(context, volume, stagingPath, state).then(done -> devices.forget(context, stagingPath));
    }

    /** If the driver's CSIDriver says so, which the host looks at. */
    @Override
    public boolean takesSELinuxContext(VolumeSpec volume) {
        return true;
    }

    // ---- publishing ----

    @Override
    public Path shownAt() {
        return Path.of("mount");
    }

    @Override
    public boolean givesToGroup(PluginState state) {
        return NodePublisher.givesToGroup(state);
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return publisher.publish(context, request);
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return publisher.unpublish(context, volume, target);
    }

    // ---- block devices ----

    @Override
    public Outcome<Path> map(OperationContext context, PublishRequest request) {
        return devices.map(context, identify(request.volume().source()), request);
    }

    @Override
    public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
        return devices.unmap(context, volume, pod);
    }

    @Override
    public Path mapDirectory(VolumeSpec volume, VolumeId id) {
        return Path.of(DEVICES, Sha256.hex(id.backend()), "dev");
    }

    // ---- what others have mounted ----

    @Override
    public Outcome<Adopted> reconstruct(OperationContext context, Path path) {
        return KubeletVolumes.at(context, path, paths.devices());
    }

    // ---- growth and use ----

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return growth.expand(context, volume, path, wanted);
    }

    @Override
    public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
        return growth.usage(context, volume, path);
    }

    @Override
    public boolean tellsCondition() {
        return true;
    }

    @Override
    public Outcome<Condition> condition(OperationContext context, VolumeId volume, Path path) {
        return growth.condition(context, volume, path);
    }
}
