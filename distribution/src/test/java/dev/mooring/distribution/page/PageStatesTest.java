// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSpec;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeError;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What has to be looked at, and since when. */
class PageStatesTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private final PageStates states = new PageStates(NOW);

    /** Made or deleted so many seconds ago; not deleted if that is negative. */
    private static ObjectMeta meta(int age, int deleted) {
        return ObjectMeta.named("x")
                .withUid("u")
                .withCreationTimestamp(Optional.of(NOW.minusSeconds(age)))
                .withDeletionTimestamp(deleted < 0 ? Optional.empty() : Optional.of(NOW.minusSeconds(deleted)));
    }

    private static String told(PageRow row) {
        return row.state()
                + (row.attention() ? "!" : "")
                + row.since()
                        .map(at -> " " + (NOW.getEpochSecond() - at.getEpochSecond()))
                        .orElse("");
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING,5,-1,Pending! 5",
        "BOUND,500,-1,Bound",
        "LOST,500,-1,Lost!",
        "BOUND,500,30,Terminating 30",
        "BOUND,500,90,Terminating! 90"
    })
    void claims(ClaimPhase phase, int age, int deleted, String expected) {
        assertThat(told(states.of(new PersistentVolumeClaim(
                        meta(age, deleted),
                        PersistentVolumeClaimSpec.EMPTY,
                        PersistentVolumeClaimStatus.EMPTY.withPhase(phase)))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "AVAILABLE,-1,Available 7",
        "BOUND,-1,Bound 7",
        "RELEASED,-1,Released! 7",
        "FAILED,-1,Failed! 7",
        "PENDING,-1,Pending! 7",
        "RELEASED,61,Terminating! 61"
    })
    void volumes(PersistentVolumePhase phase, int deleted, String expected) {
        assertThat(told(states.of(new PersistentVolume(
                        meta(500, deleted),
                        PersistentVolumeSpec.EMPTY,
                        PersistentVolumeStatus.EMPTY
                                .withPhase(phase)
                                .withLastPhaseTransitionTime(Optional.of(NOW.minusSeconds(7)))))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "true,500,-1,'',Attached",
        "false,5,-1,'',Attaching 5",
        "false,90,-1,'',Attaching! 90",
        "false,5,-1,no such disk,Attaching! 5",
        "true,500,5,'',Detaching 5",
        "true,500,90,'',Detaching! 90"
    })
    void attachments(boolean attached, int age, int deleted, String error, String expected) {
        VolumeAttachmentStatus status = VolumeAttachmentStatus.EMPTY
                .withAttached(attached)
                .withAttachError(
                        error.isEmpty()
                                ? Optional.empty()
                                : Optional.of(new VolumeError(Optional.empty(), error, Optional.empty())));
        assertThat(told(states.of(new VolumeAttachment(meta(age, deleted), VolumeAttachmentSpec.EMPTY, status))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"PENDING,5,Pending 5", "PENDING,90,Pending! 90", "RUNNING,90,Running"})
    void pods(PodPhase phase, int age, String expected) {
        assertThat(told(states.of(new Pod(meta(age, -1), PodSpec.EMPTY, PodStatus.EMPTY.withPhase(phase)))))
                .isEqualTo(expected);
    }

    @Test
    void aNodeThatDoesNotSayThatItIsReadyIsLookedAt() {
        assertThat(told(states.of(new Node(meta(9, -1), NodeSpec.EMPTY, NodeStatus.EMPTY))))
                .isEqualTo("NotReady!");
    }
}
