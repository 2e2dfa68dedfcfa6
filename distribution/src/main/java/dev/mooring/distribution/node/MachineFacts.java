// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.storage.model.NodeSystemInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What {@code /proc} tells of this machine. What cannot be read is left out: a process without the right to look sees less.
 *
 * @param proc where it is
 */
record MachineFacts(Path proc) {
    /** Programs that are or contain a kubelet. */
    private static final Set<String> KUBELETS = Set.of("kubelet", "kubelite", "k3s-agent", "k3s-server", "rke2", "k0s");

    private static final String KUBELET_PODS = "/var/lib/kubelet/pods/";
    private static final int MOUNT_POINT = 4;

    /** Kubelets that see the same mounts as this process: those in containers manage machines of their own. */
    List<String> kubelets() {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                String name = text(process.resolve("comm"));
                if (KUBELETS.contains(name) && namespace(process).equals(namespace(proc.resolve("self")))) {
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

    /** How many mounts there are where a kubelet makes them for pods. */
    long kubeletMounts() {
        // Bytes as they are: names of mounts need not be text in any encoding.
        try (Stream<String> mounts = Files.lines(proc.resolve("self/mountinfo"), StandardCharsets.ISO_8859_1)) {
            return mounts.map(line -> line.split(" "))
                    .filter(fields -> fields.length > MOUNT_POINT && fields[MOUNT_POINT].startsWith(KUBELET_PODS))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Names the running boot; never empty. */
    String bootId() throws IOException {
        return Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
    }

    /** What the Node says of this machine. */
    NodeSystemInfo info(String agent) throws IOException {
        return new NodeSystemInfo(
                agent,
                bootId(),
                text(proc.resolve("sys/kernel/osrelease")),
                System.getProperty("os.name", ""),
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT),
                architecture());
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
