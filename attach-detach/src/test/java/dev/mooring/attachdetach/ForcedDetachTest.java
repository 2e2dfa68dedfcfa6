// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForcedDetachTest {
    private static final String WORD = "ann: the rack burned down";

    @Test
    void aWordAboutANodeThatDoesNotAnswerIsWrittenOnTheAttachment() {
        ForcedDetach forced = ForcedDetach.of(attachment(), node(ConditionStatus.UNKNOWN), List.of(), WORD);

        assertThat(forced.objections()).isEmpty();
        assertThat(forced.change().orElseThrow().edited().metadata().annotation("mooring.dev/force-detach"))
                .contains(WORD);
        assertThat(forced.consequences())
                .containsExactly(
                        "volume disk is detached from node n1 although the node has not let go of it",
                        "another node may then write to it: if a process on node n1 still writes, data is lost. Nothing undoes"
                                + " that");
    }

    @Test
    void podsThatCountAsEndedAreNamed() {
        Pod stays = Pod.of("default", "stays", PodSpec.EMPTY);
        Pod going = Pod.of("default", "going", PodSpec.EMPTY);
        going = going.withMetadata(going.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)));

        assertThat(ForcedDetach.of(attachment(), Optional.empty(), List.of(stays, going), WORD)
                        .consequences())
                .contains(
                        "pod default/stays on that node keeps the volume attached until it is deleted",
                        "pod default/going counts as ended, although the node has not said so");
    }

    @Test
    void isRefusedWithTheReason() {
        assertThat(refusal(attachment(), node(ConditionStatus.TRUE), WORD)).contains("node n1 is ready");
        assertThat(refusal(attachment(), Optional.empty(), " ")).contains("say by what you know");
        VolumeAttachment told = attachment();
        told = told.withMetadata(told.metadata().withAnnotation("mooring.dev/force-detach", WORD));
        assertThat(refusal(told, Optional.empty(), WORD)).contains("is told already");
        VolumeAttachment foreign = attachment().withMetadata(ObjectMeta.named("va"));
        assertThat(refusal(foreign, Optional.empty(), WORD)).contains("not looked after by Mooring");
    }

    private static String refusal(VolumeAttachment attachment, Optional<Node> node, String word) {
        ForcedDetach forced = ForcedDetach.of(attachment, node, List.of(), word);
        assertThat(forced.change()).isEmpty();
        assertThat(forced.objections()).hasSize(1);
        return forced.objections().get(0);
    }

    private static VolumeAttachment attachment() {
        VolumeAttachmentSource source = new VolumeAttachmentSource(Optional.of("disk"), Optional.empty());
        return new VolumeAttachment(
                ObjectMeta.named("va").withAnnotation("mooring.dev/reported-name", "iscsi/disk"),
                new VolumeAttachmentSpec("iscsi", "n1", source),
                VolumeAttachmentStatus.EMPTY);
    }

    private static Optional<Node> node(ConditionStatus ready) {
        Node node = Node.of("n1");
        return Optional.of(node.withStatus(node.status()
                .withConditions(List.of(
                        new Condition("Ready", ready, "", "", Optional.empty(), Optional.empty(), Optional.empty())))));
    }
}
