// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.csi.CsiModules;
import dev.mooring.distribution.csi.DriverDeployment;
import dev.mooring.distribution.csi.DriverManifests;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mooring csi manifests}: what Kubernetes needs to run a plugin as a CSI driver. */
@Command(
        name = "manifests",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Prints the objects that deploy a plugin as a CSI driver on a stock Kubernetes: CSIDriver, rights, a controller's Deployment,",
            "the nodes' DaemonSet and classes, with Mooring's side-car or Kubernetes' own. Apply them with kubectl.",
            "Exit status: 2 the arguments are malformed."
        })
final class CsiManifestsCommand implements Callable<Integer> {
    private static final int HIGHEST_PORT = 65_534;
    /** Where open-iscsi and multipath keep what a container has to share with the machine's daemons. */
    private static final Map<String, List<String>> NEEDED_BY_SOURCE =
            Map.of("iscsi", List.of("/etc/iscsi", "/etc/multipath", "/run/lock", "/run/udev"));

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ServedPlugin served = new ServedPlugin();

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            required = true,
            description = "An image whose entry point is mooring, with the tools that the plugin calls.")
    private String image = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "kube-system",
            description = "Where the pods run (${DEFAULT-VALUE}).")
    private String namespace = "";

    @Option(
            names = "--kubelet-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/kubelet",
            description = "The directory of the kubelets (${DEFAULT-VALUE}).")
    private Path kubelet = Path.of("");

    @Option(
            names = "--host-dir",
            paramLabel = "DIR",
            description =
                    "A directory of the machines that the plugin has to see, such as that of local disks. May be repeated.")
    private List<Path> hostDirectories = List.of();

    @Option(
            names = "--toleration",
            paramLabel = "KEY[=VALUE][:EFFECT]",
            description = "A taint that the pods tolerate; * for all of them. May be repeated.")
    private List<String> tolerations = List.of();

    @Option(
            names = "--class-parameter",
            paramLabel = "NAME=VALUE",
            description = "A parameter of the StorageClass. May be repeated.")
    private Map<String, String> classParameters = new LinkedHashMap<>();

    @Option(
            names = "--snapshot-class",
            description =
                    "Adds a VolumeSnapshotClass, and the rights for snapshots. The cluster has to have the definitions of snapshots.")
    private boolean snapshots;

    @Option(
            names = "--stock-sidecars",
            description = "Uses Kubernetes' own side-cars in place of \"mooring csi sidecar\".")
    private boolean stock;

    @Option(
            names = "--sidecar-image",
            paramLabel = "NAME=IMAGE",
            description =
                    "With --stock-sidecars: another image of a side-car: csi-provisioner, csi-attacher, csi-resizer, csi-node-driver-registrar or"
                            + " livenessprobe. May be repeated.")
    private Map<String, String> sidecarImages = new LinkedHashMap<>();

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            defaultValue = "29652",
            description =
                    "The liveness probe of the controller listens at this port of its node, on the loopback, and that of the"
                            + " node at the next one (${DEFAULT-VALUE}).")
    private int healthPort;

    @Override
    public Integer call() {
        try {
            StoragePlugin plugin = served.find();
            DriverDeployment deployment = new DriverDeployment(
                    plugin.describe().name().value(),
                    served.driverName(plugin),
                    CsiModules.find(PluginServer.class).abilities(plugin),
                    image,
                    sidecars(),
                    namespace,
                    absolute("--kubelet-dir", kubelet),
                    List.copyOf(directories(plugin)),
                    tolerations.stream().map(CsiManifestsCommand::toleration).toList(),
                    served.settingsAsWritten(),
                    classParameters,
                    snapshots(plugin),
                    port());
            spec.commandLine().getOut().print(KubernetesYaml.standard().writeAll(DriverManifests.of(deployment)));
            spec.commandLine().getOut().flush();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        return CommandLine.ExitCode.OK;
    }

    private boolean snapshots(StoragePlugin plugin) {
        if (!snapshots) {
            return false;
        }
        PluginServer.Abilities abilities = CsiModules.find(PluginServer.class).abilities(plugin);
        String name = plugin.describe().name().value();
        if (plugin.capability(Snapshotting.class).isEmpty() || !abilities.makes()) {
            throw new IllegalArgumentException("--snapshot-class: plugin " + name + " takes no snapshots");
        } else if (abilities.boundToNode()) {
            throw new IllegalArgumentException("--snapshot-class: plugin " + name
                    + " takes snapshots on the node of their volume, and a side-car of a node serves none");
        } else if (stock) {
            throw new IllegalArgumentException(
                    "--snapshot-class is for Mooring's own side-car; --stock-sidecars deploys no csi-snapshotter");
        }
        return true;
    }

    private Set<String> directories(StoragePlugin plugin) {
        Set<String> all = new LinkedHashSet<>();
        plugin.keptDirectories().forEach(each -> all.add(each.toString()));
        plugin.describe().sourceTypes().forEach(type -> all.addAll(NEEDED_BY_SOURCE.getOrDefault(type, List.of())));
        hostDirectories.forEach(each -> all.add(absolute("--host-dir", each)));
        return all;
    }

    private static String absolute(String option, Path directory) {
        if (!directory.isAbsolute() || !directory.equals(directory.normalize()) || directory.getNameCount() == 0) {
            throw new IllegalArgumentException(
                    option + " '" + directory + "': it has to be an absolute path, and not /");
        }
        return directory.toString();
    }

    private SortedMap<String, String> sidecars() {
        if (!stock && !sidecarImages.isEmpty()) {
            throw new IllegalArgumentException("--sidecar-image is for --stock-sidecars");
        } else if (!stock) {
            return new TreeMap<>();
        }
        SortedMap<String, String> all = new TreeMap<>(DriverDeployment.SIDECARS);
        sidecarImages.forEach((name, other) -> {
            if (!all.containsKey(name)) {
                throw new IllegalArgumentException("--sidecar-image: there is no side-car '" + name + "'. There are: "
                        + String.join(", ", all.keySet()));
            }
            all.put(name, other);
        });
        return all;
    }

    private int port() {
        if (healthPort < 1 || healthPort > HIGHEST_PORT) {
            throw new IllegalArgumentException(
                    "--health-port has to be from 1 to " + HIGHEST_PORT + ", not " + healthPort);
        }
        return healthPort;
    }

    /** As {@code kubectl taint} writes taints. */
    private static Map<String, Object> toleration(String text) {
        Map<String, Object> toleration = new LinkedHashMap<>();
        if (text.equals("*")) {
            toleration.put("operator", "Exists");
            return toleration;
        }
        int colon = text.lastIndexOf(':');
        String taint = colon < 0 ? text : text.substring(0, colon);
        String[] parts = taint.split("=", 2);
        if (parts[0].isEmpty()) {
            throw new IllegalArgumentException("--toleration '" + text + "': it has to be KEY[=VALUE][:EFFECT], or *");
        }
        toleration.put("key", parts[0]);
        toleration.put("operator", parts.length == 2 ? "Equal" : "Exists");
        if (parts.length == 2) {
            toleration.put("value", parts[1]);
        }
        if (colon >= 0) {
            toleration.put("effect", text.substring(colon + 1));
        }
        return toleration;
    }
}
