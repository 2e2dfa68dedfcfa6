// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.storage.model.NodeAddress;
import dev.mooring.storage.model.NodeSystemInfo;
import dev.mooring.storage.model.NodeSystemInfoBuilder;
import dev.mooring.storage.model.Quantity;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the files of this machine tell of it. What cannot be read is left out: a process without the right to look sees less.
 *
 * @param root the machine's root directory, {@code /}
 */
record MachineFacts(Path root) {
    /** Programs that are or contain a kubelet. */
    private static final Set<String> KUBELETS = Set.of("kubelet", "kubelite", "k3s-agent", "k3s-server", "rke2", "k0s");

    /** Sockets that a kubelet listens on, below its directory. */
    private static final List<String> KUBELET_SOCKETS =
            List.of("device-plugins/kubelet.sock", "pod-resources/kubelet.sock");

    private static final Set<String> LOCKS = Set.of("/run/lock/kubelet.lock", "/var/run/lock/kubelet.lock");
    private static final int SOCKET_FLAGS = 3;
    private static final int SOCKET_PATH = 7;
    private static final String LISTENS = "00010000";
    private static final int MOUNT_POINT = 4;

    /** How many pods a kubelet takes by default. */
    private static final long PODS = 110;

    private static final Pattern TOTAL_MEMORY = Pattern.compile("(?m)^MemTotal:\\s*(\\d+) kB$");

    /** This machine. */
    static MachineFacts ofThisMachine() {
        return new MachineFacts(Path.of("/"));
    }

    private Path proc() {
        return root.resolve("proc");
    }

    /** Kubelets that see the same mounts as this process: those in containers manage machines of their own. */
    List<String> kubelets() {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc(), "[0-9]*")) {
            for (Path process : processes) {
                String name = text(process.resolve("comm"));
                if (KUBELETS.contains(name) && namespace(process).equals(namespace(proc().resolve("self")))) {
                    found.add(name + " (process " + process.getFileName() + ")");
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return found;
        }
        found.sort(null);
        return found;
    }

    private static String namespace(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("ns/mnt")).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** A directory without symbolic links, as the kernel names it; as it is if there is none. */
    Path real(Path directory) {
        Path top = Path.of("/");
        try {
            Path seen = root.resolve(top.relativize(directory)).toRealPath();
            return top.resolve(root.toRealPath().relativize(seen));
        } catch (IOException e) {
            return directory;
        }
    }

    /**
     * Where something is mounted for pods below the directory of a kubelet; a place is named once for each mount there. The places are bytes
     * as they are, one a character: names of mounts need not be text in any encoding.
     *
     * @param kubelet without symbolic links
     */
    List<String> mountsForPods(Path kubelet) {
        String pods = kubelet + "/pods/";
        try (Stream<String> mounts = Files.lines(proc().resolve("self/mountinfo"), StandardCharsets.ISO_8859_1)) {
            return mounts.map(line -> line.split(" "))
                    .filter(fields -> fields.length > MOUNT_POINT && fields[MOUNT_POINT].startsWith(pods))
                    .map(fields -> fields[MOUNT_POINT])
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Evidence that a process works as a kubelet with a directory, whatever its name: one sentence each.
     *
     * @param kubelet without symbolic links
     */
    List<String> usersOf(Path kubelet) {
        List<String> found = new ArrayList<>();
        for (String socket : KUBELET_SOCKETS) {
            if (isListenedOn(kubelet, socket)) {
                found.add("a process listens on " + kubelet.resolve(socket));
            }
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc(), "[0-9]*")) {
            for (Path process : processes) {
                boolean another = !text(process.resolve("comm")).isEmpty()
                        && namespace(process).equals(namespace(proc().resolve("self")))
                        && !process.getFileName().toString().equals(ownId());
                if (another) {
                    opened(process, kubelet)
                            .ifPresent(
                                    file -> found.add("process " + process.getFileName() + " has " + file + " open"));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return found;
        }
        found.sort(null);
        return found;
    }

    private static String ownId() {
        return Long.toString(ProcessHandle.current().pid());
    }

    /** A socket has the name that its process gave it, which may lead over symbolic links. */
    private boolean isListenedOn(Path kubelet, String socket) {
        String end = "/" + socket;
        try (Stream<String> sockets = Files.lines(proc().resolve("net/unix"), StandardCharsets.ISO_8859_1)) {
            return sockets.map(line -> line.trim().split(" +"))
                    .filter(fields -> fields.length > SOCKET_PATH && fields[SOCKET_FLAGS].equals(LISTENS))
                    .map(fields -> fields[SOCKET_PATH])
                    .filter(name -> name.startsWith("/") && name.endsWith(end))
                    .anyMatch(name -> isReal(name.substring(0, name.length() - end.length()), kubelet));
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isReal(String name, Path directory) {
        try {
            return real(Path.of(name)).equals(directory);
        } catch (InvalidPathException e) {
            return false; // no text in the encoding of this process
        }
    }

    /** A file that lies right in the directory, such as a checkpoint, or is a kubelet's lock. */
    private static Optional<Path> opened(Path process, Path kubelet) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                Optional<Path> file = target(descriptor)
                        .filter(found -> kubelet.equals(found.getParent()) || LOCKS.contains(found.toString()));
                if (file.isPresent()) {
                    return file;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** What a descriptor stands for; empty if it was closed meanwhile. */
    private static Optional<Path> target(Path descriptor) {
        try {
            return Optional.of(Files.readSymbolicLink(descriptor));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Names the running boot; never empty. */
    String bootId() throws IOException {
        return Files.readString(proc().resolve("sys/kernel/random/boot_id")).strip();
    }

    /**
     * What the Node says of this machine.
     *
     * @param node the Node's name
     * @param agent the agent and its version
     */
    NodeDescription described(String node, String agent) throws IOException {
        String system = System.getProperty("os.name", "");
        String machineId = text(root.resolve("etc/machine-id"));
        String hardware = text(root.resolve("sys/class/dmi/id/product_uuid"));
        NodeSystemInfo info = NodeSystemInfoBuilder.builder()
                .kubeletVersion(agent)
                .bootID(bootId())
                .kernelVersion(text(proc().resolve("sys/kernel/osrelease")))
                .osImage(system)
                .operatingSystem(system.toLowerCase(Locale.ROOT))
                .architecture(architecture())
                .machineID(machineId)
                .systemUUID(hardware.isEmpty() ? machineId : hardware)
                .build();
        return new NodeDescription(info, capacity(), addresses(node));
    }

    private Map<String, Quantity> capacity() {
        Map<String, Quantity> capacity = new TreeMap<>();
        capacity.put("cpu", Quantity.parse(Integer.toString(Runtime.getRuntime().availableProcessors())));
        capacity.put("pods", Quantity.parse(Long.toString(PODS)));
        Matcher memory = TOTAL_MEMORY.matcher(text(proc().resolve("meminfo")));
        if (memory.find()) {
            capacity.put("memory", Quantity.parse(memory.group(1) + "Ki"));
        }
        return capacity;
    }

    /** The first address that other machines may reach, IPv4 before IPv6, as a kubelet chooses; that of the loopback if there is none. */
    private static List<NodeAddress> addresses(String node) throws SocketException {
        InetAddress address = NetworkInterface.networkInterfaces()
                .filter(each -> !each.isVirtual())
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .min(Comparator.comparing(each -> !(each instanceof Inet4Address)))
                .orElse(InetAddress.getLoopbackAddress());
        return List.of(
                new NodeAddress(NodeAddress.INTERNAL_IP, address.getHostAddress()),
                new NodeAddress(NodeAddress.HOSTNAME, node));
    }

    /** In Go's words, which Kubernetes uses. */
    static String architecture() {
        String name = System.getProperty("os.arch", "");
        return name.equals("aarch64") ? "arm64" : name;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
