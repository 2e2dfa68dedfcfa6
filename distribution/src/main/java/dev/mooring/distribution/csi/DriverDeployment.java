// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.csi;

import dev.mooring.runtime.plugin.PluginServer;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a plugin is deployed as a CSI driver.
 *
 * @param plugin the plugin's name
 * @param driver the driver's name
 * @param abilities what it can do
 * @param image the image with Mooring and with the tools that the plugin calls
 * @param sidecars images of Kubernetes' side-cars, by their names; empty to use Mooring's own, which the image has
 * @param namespace where it runs
 * @param kubeletDirectory the directory of the kubelets
 * @param hostDirectories what else of the machine the plugin has to see, at the same paths
 * @param tolerations of the pods, as in a pod
 * @param settings of the plugin, as arguments of {@code --plugin-setting}
 * @param classParameters of the storage class
 * @param snapshots whether there is a class of snapshots, and the side-car may serve them
 * @param healthPort the port of a node at which the controller's liveness probe listens; the node's listens at the next one
 */
public record DriverDeployment(
        String plugin,
        String driver,
        PluginServer.Abilities abilities,
        String image,
        SortedMap<String, String> sidecars,
        String namespace,
        String kubeletDirectory,
        List<String> hostDirectories,
        List<Map<String, Object>> tolerations,
        List<String> settings,
        Map<String, String> classParameters,
        boolean snapshots,
        int healthPort) {
    static final String PROVISIONER = "csi-provisioner";
    static final String ATTACHER = "csi-attacher";
    static final String RESIZER = "csi-resizer";
    static final String REGISTRAR = "csi-node-driver-registrar";
    static final String PROBE = "livenessprobe";

    private static final String REGISTRY = "registry.k8s.io/sig-storage/";

    /** The side-cars with the versions against which the arguments were written. */
    public static final Map<String, String> SIDECARS = Map.of(
            PROVISIONER, REGISTRY + PROVISIONER + ":v5.3.0",
            ATTACHER, REGISTRY + ATTACHER + ":v4.9.0",
            RESIZER, REGISTRY + RESIZER + ":v1.14.0",
            REGISTRAR, REGISTRY + REGISTRAR + ":v2.14.0",
            PROBE, REGISTRY + PROBE + ":v2.16.0");

    /** Copies lists and maps. */
    public DriverDeployment {
        sidecars = new TreeMap<>(sidecars);
        hostDirectories = List.copyOf(hostDirectories);
        tolerations = List.copyOf(tolerations);
        settings = List.copyOf(settings);
        classParameters = new TreeMap<>(classParameters);
    }

    /** Whether {@code mooring csi sidecar} stands beside the driver, and not Kubernetes' side-cars. */
    boolean hasOwnSidecar() {
        return sidecars.isEmpty();
    }

    /** The name of an object of the driver, which other drivers in the cluster do not have. */
    String named(String part) {
        return driver.replace('.', '-') + (part.isEmpty() ? "" : "-" + part);
    }

    /** The first word of the driver's name. */
    String shortName() {
        return driver.split("[.]", 2)[0];
    }

    /** Whether volumes are made and attached by one pod for the cluster. Where storage is the node's, each node does it. */
    boolean hasController() {
        return !abilities.boundToNode() && (abilities.makes() || abilities.attaches() || abilities.expands());
    }

    /** Whether each node makes its volumes. */
    boolean makesOnNodes() {
        return abilities.boundToNode() && abilities.makes();
    }
}
