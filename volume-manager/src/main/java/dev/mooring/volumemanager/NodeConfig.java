// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.storage.spi.NodeRef;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * The node that a volume manager serves, and what it does there besides mounting. Immutable.
 *
 * @param node name and uid of the Node object; pods with this {@code spec.nodeName} are served
 * @param bootId names the running boot of the machine, as {@code /proc/sys/kernel/random/boot_id} does; never empty. Mounts recorded
 *     under another boot id are known to be gone
 * @param root the directory below which volumes are shown to pods, such as {@code /var/lib/kubelet} (semantics/attach-and-mount §3.8);
 *     absolute
 * @param podLifecycle whether this process moves pods from Pending to Running and lets deleted pods go, since no other program runs their
 *     containers; where a kubelet runs, it does
 * @param nodeStatus whether this process reports the Node's Ready condition when it starts, and the volumes in use
 * @param seLinux whether the machine labels files by SELinux, so that volumes are mounted with the label of their pod where that is
 *     possible (semantics/attach-and-mount §3.12)
 * @param snapshots whether the store serves {@code Kinds.OF_SNAPSHOTS}, and volumes are made from snapshots
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeConfig(
        NodeRef node,
        String bootId,
        Path root,
        boolean podLifecycle,
        boolean nodeStatus,
        boolean seLinux,
        boolean snapshots) {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if the node has no name, the boot id is empty or the root is not absolute; the message names it
     */
    public NodeConfig {
        if (node.name().isEmpty()) {
            throw new IllegalArgumentException("node: a name is required");
        }
        if (bootId.isEmpty()) {
            throw new IllegalArgumentException("bootId: must not be empty");
        }
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException("root: must be an absolute path: " + root);
        }
    }

    /** A node without SELinux. */
    public NodeConfig(NodeRef node, String bootId, Path root, boolean podLifecycle, boolean nodeStatus) {
        this(node, bootId, root, podLifecycle, nodeStatus, false, false);
    }

    /** A node on which no other program runs pods or reports the node: standalone and simulated worlds. */
    public static NodeConfig standalone(NodeRef node, String bootId, Path root) {
        return new NodeConfig(node, bootId, root, true, true);
    }

    /** The same with pods whose containers another program runs. */
    public NodeConfig withoutPodLifecycle() {
        return new NodeConfig(node, bootId, root, false, nodeStatus, seLinux, snapshots);
    }

    /** The same with a Node that another program reports. */
    public NodeConfig withoutNodeStatus() {
        return new NodeConfig(node, bootId, root, podLifecycle, false, seLinux, snapshots);
    }

    /** The same on a machine that labels files by SELinux, or does not. */
    public NodeConfig withSELinux(boolean labelled) {
        return new NodeConfig(node, bootId, root, podLifecycle, nodeStatus, labelled, snapshots);
    }

    /** The same with a store that serves snapshots, so that volumes are made from them here, or with one that does not. */
    public NodeConfig withSnapshots(boolean served) {
        return new NodeConfig(node, bootId, root, podLifecycle, nodeStatus, seLinux, served);
    }
}
