// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSystemInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Why a Node seems to belong to a kubelet or another agent. A kubelet's volume manager cannot be switched off, and two managers of the same
 * volumes undo each other's work. Pure.
 */
final class KubeletEvidence {
    /** A kubelet reports its status at least every five minutes, and this is not the time to be exact. */
    private static final Duration REPORTS_WITHIN = Duration.ofMinutes(6);

    private static final Duration USUAL_LEASE = Duration.ofSeconds(40);

    /** Where a kubelet mounts by default. */
    private static final Path KUBELET = Path.of("/var/lib/kubelet");

    private KubeletEvidence() {}

    /**
     * What in the cluster speaks for another manager.
     *
     * @param holder under which name we hold the lease
     * @param now by this machine's clock
     * @return one sentence each; empty if nothing does
     */
    static List<String> inCluster(Optional<Node> node, Optional<Lease> lease, String holder, Instant now) {
        List<String> evidence = new ArrayList<>();
        lease.filter(there -> isForeign(there, holder) && isFresh(there.spec(), now))
                .ifPresent(there -> evidence.add("the lease kube-node-lease/"
                        + there.metadata().name() + " is renewed by "
                        + there.spec().holderIdentity() + ", last at "
                        + there.spec().renewTime().map(Instant::toString).orElse("?")));
        node.ifPresent(there -> reported(there, now).ifPresent(evidence::add));
        return evidence;
    }

    /**
     * What on this machine does.
     *
     * @param mounts where this process mounts, and what of it is its own
     */
    static List<String> onMachine(MachineFacts machine, MountsOfNode mounts) {
        List<String> evidence = new ArrayList<>();
        machine.kubelets().forEach(name -> evidence.add("on this machine runs " + name));
        Set<Path> directories = new TreeSet<>(List.of(machine.real(KUBELET), mounts.kubelet()));
        for (Path directory : directories) {
            boolean own = directory.equals(mounts.kubelet());
            if (own) {
                evidence.addAll(machine.usersOf(directory));
            }
            long strange = machine.mountsForPods(directory).stream()
                    .filter(place -> !own || !mounts.explains(place))
                    .count();
            if (strange > 0) {
                evidence.add("there are " + strange + " mounts below " + directory.resolve("pods")
                        + (own ? " of which no record tells; with --adopt-kubelet they are taken over" : ""));
            }
        }
        return evidence;
    }

    /** Whether another holder had the lease last, also if it is not renewed any more. */
    static boolean isForeign(Lease lease, String holder) {
        String other = lease.spec().holderIdentity();
        return !other.isEmpty() && !other.equals(holder);
    }

    /** A time ahead of our clock is fresh as well: the clocks differ. */
    private static boolean isFresh(LeaseSpec lease, Instant now) {
        Duration duration =
                lease.leaseDurationSeconds().map(Duration::ofSeconds).orElse(USUAL_LEASE);
        return lease.renewTime()
                .filter(renewed -> renewed.isAfter(now.minus(duration)))
                .isPresent();
    }

    private static Optional<String> reported(Node node, Instant now) {
        String agent =
                node.status().nodeInfo().map(NodeSystemInfo::kubeletVersion).orElse("");
        if (agent.isEmpty() || agent.startsWith(NodeRegistration.AGENT)) {
            return Optional.empty();
        }
        return node.readyCondition()
                .flatMap(Condition::lastHeartbeatTime)
                .filter(beat -> beat.isAfter(now.minus(REPORTS_WITHIN)))
                .map(beat -> "kubelet " + agent + " reported the Node's status at " + beat);
    }
}
