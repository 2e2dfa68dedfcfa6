// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.csi.server.CsiPluginServer;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What comes out of a {@link Circle}: a plugin with the capabilities of the one that is served, as far as CSI has calls for them. */
record CircledPlugin(Circle circle) implements StoragePlugin {
    private static final Set<Class<? extends Capability>> OF_NODE = Set.of(
            Staging.class,
            Publishing.class,
            BlockMapping.class,
            NodeExpanding.class,
            Statistics.class,
            Reconstructing.class);

    @Override
    public PluginDescriptor describe() {
        PluginDescriptor driver = circle.controllers.describe();
        return PluginDescriptor.of(
                        circle.node.describe().name(), circle.node.describe().sourceTypes(), driver.reclaimPlace())
                .withSupportsMountOptions(driver.supportsMountOptions())
                .withManagesOwnership(driver.managesOwnership());
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return circle.node.identify(source);
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return circle.node.validate(source);
    }

    @Override
    public <C extends Capability> Optional<C> capability(Class<C> type) {
        StoragePlugin served = circle.served.get();
        boolean declared = served.capability(type).isPresent()
                && (type != Deleting.class
                        || new CsiPluginServer().abilities(served).makes());
        boolean ofNode = OF_NODE.contains(type);
        Optional<C> called = (ofNode ? circle.node : circle.controllers).capability(type);
        return called.filter(found -> declared)
                .map(found -> type.cast(Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, new CircledCall(circle, found, ofNode))));
    }
}
