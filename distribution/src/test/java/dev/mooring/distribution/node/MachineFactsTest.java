// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.NodeAddress;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.Quantity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFactsTest {
    @TempDir
    private Path root;

    @Test
    void theNodeSaysWhatTheMachineIsAndHas() throws IOException {
        NodeDescription described = FakeProc.in(root).machine().described("n1", "mooring-1");
        assertThat(described.info().kubeletVersion()).isEqualTo("mooring-1");
        assertThat(described.info().kernelVersion()).isEqualTo("6.1.0");
        assertThat(described.info().machineID()).isEqualTo("machine-1");
        assertThat(described.info().systemUUID()).as("no firmware names it").isEqualTo("machine-1");
        assertThat(described.capacity())
                .containsEntry("memory", Quantity.parse("2Mi"))
                .containsKeys("cpu", "pods");
        assertThat(described.addresses())
                .extracting(NodeAddress::type)
                .containsExactly(NodeAddress.INTERNAL_IP, NodeAddress.HOSTNAME);
        assertThat(described.addresses()).contains(new NodeAddress(NodeAddress.HOSTNAME, "n1"));
    }

    @Test
    void whatOthersSayOfTheNodesResourcesStays() throws IOException {
        NodeDescription described = FakeProc.in(root).machine().described("n1", "mooring-1");
        NodeStatus status = NodeStatus.EMPTY.withAllocatable(
                Map.of("attachable-volumes-csi-x", Quantity.parse("5"), "memory", Quantity.parse("1Ki")));
        assertThat(described.in(status).allocatable())
                .containsEntry("attachable-volumes-csi-x", Quantity.parse("5"))
                .containsEntry("memory", Quantity.parse("2Mi"));
        assertThat(described.in(described.in(status))).isEqualTo(described.in(status));
    }
}
