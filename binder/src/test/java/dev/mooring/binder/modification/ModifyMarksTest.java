// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ModifyVolumeStatus;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a claim shows of the class that is gone for, and of what went wrong with it. */
class ModifyMarksTest {
    private static final String ERROR = "ModifyVolumeError";
    private static final String MODIFYING = "ModifyingVolume";

    /** Class fast was asked for, and the answer was lost. */
    private static PersistentVolumeClaim failed() {
        PersistentVolumeClaim begun =
                showing(ModifyMarks.inProgress(BinderObjects.boundTo("pv"), "fast", Instant.EPOCH));
        return showing(ModifyMarks.failed(begun, "fast", false, "Unknown", "lost", Instant.EPOCH));
    }

    private static PersistentVolumeClaim showing(PersistentVolumeClaimStatus status) {
        return BinderObjects.boundTo("pv").withStatus(status);
    }

    private static List<String> conditions(PersistentVolumeClaimStatus status) {
        return status.conditions().stream().map(Condition::type).toList();
    }

    @Test
    void askingAgainForTheSameClassLeavesTheErrorToBeSeen() {
        assertThat(conditions(ModifyMarks.inProgress(failed(), "fast", Instant.EPOCH)))
                .containsExactly(MODIFYING, ERROR);
    }

    @Test
    void anotherClassBeginsWithoutError() {
        PersistentVolumeClaimStatus status = ModifyMarks.inProgress(failed(), "slow", Instant.EPOCH);
        assertThat(conditions(status)).containsExactly(MODIFYING);
        assertThat(status.modifyVolumeStatus()).contains(new ModifyVolumeStatus("slow", "InProgress"));
    }

    @Test
    void onlyARefusedClassIsShownAsInfeasible() {
        assertThat(failed().status().modifyVolumeStatus()).contains(new ModifyVolumeStatus("fast", "InProgress"));
        assertThat(ModifyMarks.failed(failed(), "fast", true, "InvalidArgument", "no", Instant.EPOCH)
                        .modifyVolumeStatus())
                .contains(new ModifyVolumeStatus("fast", "Infeasible"));
    }

    @Test
    void theEndLeavesTheClassAndNothingElse() {
        PersistentVolumeClaimStatus status = ModifyMarks.finished(failed(), "fast");
        assertThat(conditions(status)).isEmpty();
        assertThat(status.modifyVolumeStatus()).isEmpty();
        assertThat(status.currentVolumeAttributesClassName()).isEqualTo(Optional.of("fast"));
    }
}
