// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.csi;

import static dev.mooring.distribution.csi.ManifestParts.all;
import static dev.mooring.distribution.csi.ManifestParts.fieldOfPod;
import static dev.mooring.distribution.csi.ManifestParts.hostDirectory;
import static dev.mooring.distribution.csi.ManifestParts.map;
import static dev.mooring.distribution.csi.ManifestParts.mount;
import static dev.mooring.distribution.csi.ManifestParts.object;
import static dev.mooring.distribution.csi.ManifestParts.onlyIf;
import static dev.mooring.distribution.csi.ManifestParts.sharedMount;
import static dev.mooring.distribution.csi.ManifestParts.with;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The pods of a driver: one for the cluster, and one on each node. Pure. */
final class DriverPods {
    private static final String SOCKET_DIRECTORY = "/csi";
    private static final String SOCKET = SOCKET_DIRECTORY + "/csi.sock";
    private static final String ADDRESS = "--csi-address=" + SOCKET;
    private static final String RECORDS = "/var/lib/mooring/csi";
    private static final String DEVICES = "/dev";
    private static final String NODE_NAME = "NODE_NAME";

    private final DriverDeployment deployment;

    DriverPods(DriverDeployment deployment) {
        this.deployment = deployment;
    }

    /** One pod at a time makes and attaches volumes: its records are for one. */
    Map<String, Object> controller() {
        String name = deployment.named("controller");
        List<Map<String, Object>> containers = deployment.hasOwnSidecar()
                ? List.of(driver(List.of("--controller")), ownSidecarOfCluster())
                : controllerWithStockSidecars();
        Map<String, Object> pod =
                pod(name, "system-cluster-critical", containers, List.of(map("name", "socket", "emptyDir", map())));
        Map<String, Object> spec = map("replicas", 1L, "strategy", map("type", "Recreate"));
        spec.putAll(of(name, pod));
        return with(
                object("apps/v1", "Deployment", map("name", name, "namespace", deployment.namespace())), "spec", spec);
    }

    private List<Map<String, Object>> controllerWithStockSidecars() {
        var abilities = deployment.abilities();
        return all(
                List.of(driver(List.of("--controller"))),
                onlyIf(
                        abilities.makes(),
                        List.of(sidecar(
                                DriverDeployment.PROVISIONER,
                                List.of(ADDRESS, "--leader-election", "--extra-create-metadata")))),
                onlyIf(
                        abilities.attaches(),
                        List.of(sidecar(DriverDeployment.ATTACHER, List.of(ADDRESS, "--leader-election")))),
                onlyIf(
                        abilities.expands(),
                        List.of(sidecar(DriverDeployment.RESIZER, List.of(ADDRESS, "--leader-election")))),
                List.of(probe(deployment.healthPort())));
    }

    Map<String, Object> node() {
        String name = deployment.named("node");
        String plugins = deployment.kubeletDirectory() + "/plugins/" + deployment.driver();
        boolean makes = deployment.makesOnNodes();
        List<Map<String, Object>> containers = all(
                List.of(driver(makes ? List.of() : List.of("--node"))),
                deployment.hasOwnSidecar() ? List.of(ownSidecarOfNode(plugins)) : nodeStockSidecars(plugins));
        List<Map<String, Object>> volumes = List.of(
                hostDirectory("socket", plugins, "DirectoryOrCreate"),
                hostDirectory("registration", deployment.kubeletDirectory() + "/plugins_registry", "Directory"));
        Map<String, Object> spec = map("updateStrategy", map("type", "RollingUpdate"));
        spec.putAll(of(name, pod(name, "system-node-critical", containers, volumes)));
        return with(
                object("apps/v1", "DaemonSet", map("name", name, "namespace", deployment.namespace())), "spec", spec);
    }

    private List<Map<String, Object>> nodeStockSidecars(String plugins) {
        return all(
                List.of(registrar(plugins)),
                onlyIf(deployment.makesOnNodes(), List.of(provisionerOfNode())),
                List.of(probe(deployment.healthPort() + 1)));
    }

    // ---- Mooring's side-car ----

    private Map<String, Object> ownSidecarOfCluster() {
        return ownSidecar(
                List.of("--leader-election", "--extra-create-metadata"),
                deployment.healthPort(),
                List.of(mount("socket", SOCKET_DIRECTORY)));
    }

    /** On a node that makes its volumes it is their provisioner too, else it only tells the kubelet of the driver. */
    private Map<String, Object> ownSidecarOfNode(String plugins) {
        List<String> arguments =
                new ArrayList<>(List.of("--kubelet-registration-path=" + plugins + "/csi.sock"));
        if (deployment.makesOnNodes()) {
            arguments.addAll(ofNode());
            if (deployment.abilities().measuresCapacity()) {
                arguments.add("--enable-capacity");
            }
        } else {
            arguments.add("--node");
        }
        return ownSidecar(
                arguments,
                deployment.healthPort() + 1,
                List.of(mount("socket", SOCKET_DIRECTORY), mount("registration", "/registration")));
    }

    private Map<String, Object> ownSidecar(List<String> role, int port, List<Map<String, Object>> mounts) {
        List<String> arguments = new ArrayList<>(List.of("csi", "sidecar", ADDRESS));
        arguments.addAll(role);
        arguments.add("--http-endpoint=127.0.0.1:" + port);
        return map(
                "name",
                "sidecar",
                "image",
                deployment.image(),
                "args",
                arguments,
                "env",
                namesOfPod(),
                "volumeMounts",
                mounts);
    }

    private static List<Map<String, Object>> namesOfPod() {
        return List.of(
                fieldOfPod(NODE_NAME, "spec.nodeName"),
                fieldOfPod("NAMESPACE", "metadata.namespace"),
                fieldOfPod("POD_NAME", "metadata.name"));
    }

    private static List<String> ofNode() {
        return List.of("--node-deployment", "--strict-topology", "--immediate-topology=false", "--extra-create-metadata");
    }

    private static Map<String, Object> of(String name, Map<String, Object> pod) {
        Map<String, Object> labels = map("app", name);
        return map(
                "selector",
                map("matchLabels", labels),
                "template",
                map("metadata", map("labels", labels), "spec", pod));
    }

    private Map<String, Object> pod(
            String account, String priority, List<Map<String, Object>> containers, List<Map<String, Object>> volumes) {
        Map<String, Object> pod = map(
                "serviceAccountName",
                account,
                "priorityClassName",
                priority,
                // A mount of NFS and a session of iSCSI are of the network in which they were made, and outlive this
                // pod.
                "hostNetwork",
                true,
                "dnsPolicy",
                "ClusterFirstWithHostNet",
                "nodeSelector",
                map("kubernetes.io/os", "linux"));
        if (!deployment.tolerations().isEmpty()) {
            pod.put("tolerations", deployment.tolerations());
        }
        pod.put("containers", containers);
        pod.put("volumes", all(volumes, machine()));
        return pod;
    }

    /** What the driver sees of the machine. */
    private List<Map<String, Object>> machine() {
        List<Map<String, Object>> volumes = new ArrayList<>(List.of(
                hostDirectory("kubelet", deployment.kubeletDirectory(), "Directory"),
                hostDirectory("records", RECORDS, "DirectoryOrCreate"),
                hostDirectory("devices", DEVICES, "Directory")));
        for (int i = 0; i < deployment.hostDirectories().size(); i++) {
            volumes.add(hostDirectory("host-" + i, deployment.hostDirectories().get(i), "DirectoryOrCreate"));
        }
        return volumes;
    }

    private Map<String, Object> driver(List<String> role) {
        List<String> arguments = new ArrayList<>(List.of("csi", "serve", "--plugin", deployment.plugin()));
        arguments.addAll(role);
        arguments.addAll(List.of("--driver-name", deployment.driver()));
        deployment.settings().forEach(setting -> arguments.addAll(List.of("--plugin-setting", setting)));
        arguments.addAll(List.of("--endpoint", "unix://" + SOCKET, "--node-id", "$(" + NODE_NAME + ")"));
        arguments.addAll(List.of("--data-dir", RECORDS));
        List<Map<String, Object>> mounts = new ArrayList<>(List.of(
                mount("socket", SOCKET_DIRECTORY),
                sharedMount("kubelet", deployment.kubeletDirectory()),
                sharedMount("records", RECORDS),
                mount("devices", DEVICES)));
        for (int i = 0; i < deployment.hostDirectories().size(); i++) {
            mounts.add(sharedMount("host-" + i, deployment.hostDirectories().get(i)));
        }
        return map(
                "name",
                "driver",
                "image",
                deployment.image(),
                "args",
                arguments,
                "env",
                List.of(fieldOfPod(NODE_NAME, "spec.nodeName")),
                "securityContext",
                map("privileged", true, "runAsUser", 0L),
                "livenessProbe",
                map(
                        "httpGet",
                        map("host", "127.0.0.1", "path", "/healthz", "port", (long)
                                (role.contains("--controller")
                                        ? deployment.healthPort()
                                        : deployment.healthPort() + 1)),
                        "initialDelaySeconds",
                        30L,
                        "periodSeconds",
                        30L,
                        "timeoutSeconds",
                        10L,
                        "failureThreshold",
                        5L),
                "volumeMounts",
                mounts);
    }

    private Map<String, Object> sidecar(String name, List<String> arguments) {
        return map(
                "name",
                name,
                "image",
                String.valueOf(deployment.sidecars().get(name)),
                "args",
                arguments,
                "volumeMounts",
                List.of(mount("socket", SOCKET_DIRECTORY)));
    }

    private Map<String, Object> probe(int port) {
        return sidecar(DriverDeployment.PROBE, List.of(ADDRESS, "--http-endpoint=127.0.0.1:" + port));
    }

    private Map<String, Object> registrar(String plugins) {
        return with(
                sidecar(
                        DriverDeployment.REGISTRAR,
                        List.of(ADDRESS, "--kubelet-registration-path=" + plugins + "/csi.sock")),
                "volumeMounts",
                List.of(mount("socket", SOCKET_DIRECTORY), mount("registration", "/registration")));
    }

    /** Each node makes the volumes of its own pods, and tells how much space it has. */
    private Map<String, Object> provisionerOfNode() {
        List<String> arguments = new ArrayList<>(List.of(ADDRESS));
        arguments.addAll(ofNode());
        if (deployment.abilities().measuresCapacity()) {
            arguments.addAll(List.of("--enable-capacity", "--capacity-ownerref-level=1"));
        }
        return with(sidecar(DriverDeployment.PROVISIONER, arguments), "env", namesOfPod());
    }
}
