// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a plugin passes on to a back-end that remembers answers is another text when a volume comes back to a node. */
class AttachOccasionsTest {
    private static final PluginName PLUGIN = new PluginName("disks.example.com");
    private static final VolumeSpec SPEC = VolumeSpec.inline("v", "ns", new VolumeSource("disk", Document.empty()));
    private static final VolumeId ID = new VolumeId(PLUGIN, "v");

    private static List<Call> calls(NodeRef node, String attachment) {
        return List.of(
                new AttachCall(PLUGIN, "pv", SPEC, node, attachment),
                new DetachCall("pv", ID, node, attachment),
                new FenceCall("pv", ID, node, attachment),
                new UnfenceCall("pv", ID, node, attachment));
    }

    @Test
    void anAttachmentMadeAnewOrForAnotherNodeOfThatNameIsAnotherOne() {
        NodeRef node = new NodeRef("n1", "node 1");
        assertThat(calls(node, "first")).extracting(Call::occasion).containsOnly("node 1/first");
        assertThat(calls(node, "second")).extracting(Call::occasion).containsOnly("node 1/second");
        assertThat(calls(new NodeRef("n1", "node 2"), "first"))
                .extracting(Call::occasion)
                .containsOnly("node 2/first");
    }
}
