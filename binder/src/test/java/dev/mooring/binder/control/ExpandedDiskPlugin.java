// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Serves the volumes of a CSI driver that can be expanded and modified, in name only: the cluster's back-end answers the calls.
 *
 * @param grows whether the controllers can make storage larger; else only nodes have something to do
 */
record ExpandedDiskPlugin(boolean grows) implements StoragePlugin, ControllerExpanding, NodeExpanding, Modifying {
    static final String NAME = "disk.example.com";
    static final String CLASS = "gold";

    /** A volume with this annotation is an administrator's, who makes its storage larger himself. */
    static final String FOREIGN = NAME + "/foreign";

    /** A cluster in which the claim {@code data} has a volume {@code pv} of 1Gi that may grow. */
    static Cluster cluster(long seed) {
        return cluster(seed, new ExpandedDiskPlugin(true));
    }

    /** The same with another plugin. */
    static Cluster cluster(long seed, ExpandedDiskPlugin plugin) {
        StorageClass gold = BinderObjects.storageClass(CLASS, "far.example.com", VolumeBindingMode.IMMEDIATE)
                .withAllowVolumeExpansion(Optional.of(true));
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(plugin)), seed)
                .load(gold, volume("pv"), BinderObjects.ofClass(BinderObjects.data(), CLASS))
                .settle();
        if (cluster.claim("data").status().phase() != ClaimPhase.BOUND) {
            throw new AssertionError("not bound: " + cluster.claim("data"));
        }
        cluster.writes.clear();
        cluster.news.clear();
        return cluster.countingFromOne();
    }

    private static PersistentVolume volume(String name) {
        PersistentVolume volume = BinderObjects.volume(name, "1Gi");
        VolumeSource source = new CsiSource(NAME, name, "", false, Map.of()).toSource();
        return volume.withSpec(volume.spec().withSource(Optional.of(source)).withStorageClassName(Optional.of(CLASS)));
    }

    static Cluster request(Cluster cluster, String size) {
        return cluster.editClaim("data", c -> c.withSpec(c.spec().withRequestedStorage(Quantity.parse(size))));
    }

    static Cluster want(Cluster cluster, String attributesClass) {
        return cluster.editClaim(
                "data", c -> c.withSpec(c.spec().withVolumeAttributesClassName(Optional.of(attributesClass))));
    }

    /** What the claim and its volume show, without times and versions. */
    static List<Object> shown(Cluster cluster) {
        PersistentVolumeClaim claim = cluster.claim("data");
        PersistentVolume volume = cluster.volume("pv");
        List<Condition> conditions = claim.status().conditions().stream()
                .map(condition -> condition.withLastTransitionTime(Optional.empty()))
                .toList();
        return List.of(
                claim.spec(),
                claim.metadata().annotations(),
                claim.status().withConditions(conditions),
                volume.spec().capacity(),
                volume.spec().volumeAttributesClassName(),
                volume.metadata().annotations());
    }

    static List<String> conditions(Cluster cluster) {
        return cluster.claim("data").status().conditions().stream()
                .map(Condition::type)
                .toList();
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(new PluginName(NAME), List.of(), Place.CONTROLLER)
                .withSupportsMountOptions(true);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(describe().name(), source.attributes().toString());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    @Override
    public <C extends Capability> Optional<C> capability(Class<C> type) {
        return type == ControllerExpanding.class && !grows ? Optional.empty() : StoragePlugin.super.capability(type);
    }

    @Override
    public boolean expands(VolumeSpec volume) {
        return !volume.annotations().containsKey(FOREIGN);
    }

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return Outcome.done(wanted);
    }

    @Override
    public Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted) {
        return Outcome.done(new Expansion(wanted, false));
    }

    @Override
    public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
        return Outcome.done();
    }
}
