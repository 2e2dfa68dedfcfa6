// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeAddress;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.NodeSystemInfo;
import dev.mooring.storage.model.NodeSystemInfoBuilder;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects that a world begins with. */
final class FirstObjects {
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    private static final Map<String, Quantity> CAPACITY = Map.of(
            "cpu", Quantity.parse("8"),
            "memory", Quantity.parse("32Gi"),
            "ephemeral-storage", Quantity.parse("100Gi"),
            "pods", Quantity.parse("110"));

    private FirstObjects() {}

    /**
     * A node without a condition: its machine boots at once.
     *
     * @param number from 1
     */
    static Node node(int number) {
        String name = "node-" + number;
        NodeSystemInfo info = NodeSystemInfoBuilder.builder()
                .kubeletVersion("mooring-simulated")
                .bootID("boot-1-of-" + name)
                .kernelVersion("0.0")
                .osImage("simulated")
                .operatingSystem("linux")
                .architecture("amd64")
                .machineID(name)
                .systemUUID(name)
                .build();
        Node node = Node.of(name);
        return node.withMetadata(node.metadata()
                        .withLabels(Map.of(
                                "kubernetes.io/hostname",
                                name,
                                "kubernetes.io/os",
                                "linux",
                                "kubernetes.io/arch",
                                "amd64")))
                .withStatus(NodeStatus.EMPTY
                        .withCapacity(CAPACITY)
                        .withAllocatable(CAPACITY)
                        .withAddresses(List.of(
                                new NodeAddress("InternalIP", "10.0.0." + number), new NodeAddress("Hostname", name)))
                        .withNodeInfo(Optional.of(info)));
    }

    /**
     * A class of volumes that a plugin makes, where pods are if it makes them on nodes, and that grow if it can make them larger.
     *
     * @param isDefault whether claims that name no class get it
     */
    static StorageClass storageClass(String name, StoragePlugin provisioner, boolean isDefault) {
        PluginDescriptor made = provisioner.describe();
        boolean grows = provisioner.capability(ControllerExpanding.class).isPresent()
                || provisioner.capability(NodeExpanding.class).isPresent();
        StorageClass of = StorageClass.of(name, made.name().value())
                .withAllowVolumeExpansion(Optional.of(grows))
                .withVolumeBindingMode(Optional.of(
                        made.reclaimPlace() == Place.NODE
                                ? VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER
                                : VolumeBindingMode.IMMEDIATE));
        return isDefault ? of.withMetadata(of.metadata().withAnnotations(Map.of(DEFAULT_CLASS, "true"))) : of;
    }
}
