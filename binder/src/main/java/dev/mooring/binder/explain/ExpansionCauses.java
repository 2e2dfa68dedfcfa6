// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** A bound claim: nothing is wrong with it, but it may want more than it has (semantics/binder §3.5). */
final class ExpansionCauses {
    private static final String STORAGE = "storage";
    private static final List<String> FAILURES = List.of("ControllerResizeError", "NodeResizeError");

    private final Snapshot snapshot;
    private final ExplanationFindings findings;

    ExpansionCauses(Snapshot snapshot, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.findings = findings;
    }

    void of(PersistentVolumeClaim claim) {
        Quantity wanted = claim.spec().resources().requests().getOrDefault(STORAGE, Quantity.ZERO);
        Quantity has = claim.status().capacity().getOrDefault(STORAGE, wanted);
        if (wanted.compareTo(has) <= 0) {
            findings.cause(
                    CauseCode.NOTHING_WRONG,
                    "The claim is bound to volume " + claim.spec().volumeName() + ".");
            return;
        }
        Optional<Condition> failure = claim.status().conditions().stream()
                .filter(condition -> FAILURES.contains(condition.type()) && condition.status() == ConditionStatus.TRUE)
                .findFirst();
        Optional<String> told = snapshot.lastMessage(claim, "VolumeResizeFailed");
        if (failure.isPresent() || told.isPresent()) {
            findings.cause(
                            CauseCode.EXPANSION_FAILED,
                            "The claim has " + has + " and requests " + wanted + ", but the expansion failed: "
                                    + failure.map(Condition::message)
                                            .or(() -> told)
                                            .orElse("") + ".")
                    .awaits("resizer of " + resizer(claim), "another try", Optional.empty())
                    .remedy(
                            RemedyKind.ASK_FOR_LESS,
                            "Or ask for less than what was refused, but for more than " + has + ", for example "
                                    + between(has, wanted) + ".",
                            new RemedyAction.Patch(
                                    Kinds.PERSISTENT_VOLUME_CLAIM,
                                    ObjectKey.of(claim),
                                    Document.empty()
                                            .with(
                                                    between(has, wanted).toString(),
                                                    "spec",
                                                    "resources",
                                                    "requests",
                                                    STORAGE)));
            return;
        }
        findings.cause(
                        CauseCode.EXPANDING,
                        "The claim has " + has + " and requests " + wanted + "; the volume has to be expanded"
                                + state(claim) + ".")
                .awaits(
                        "resizer of " + resizer(claim),
                        "the volume to be expanded",
                        snapshot.firstTold(claim, "ExternalExpanding").or(() -> snapshot.firstTold(claim, "Resizing")));
    }

    private String resizer(PersistentVolumeClaim claim) {
        return StorageClasses.nameOf(claim)
                .flatMap(name -> snapshot.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)))
                .map(StorageClass::provisioner)
                .orElse("the program that made the volume");
    }

    private static Quantity between(Quantity has, Quantity wanted) {
        BigInteger middle = has.valueRoundedUp()
                .add(wanted.valueRoundedUp())
                .add(BigInteger.ONE)
                .shiftRight(1);
        return Quantity.parse(middle.toString());
    }

    private static String state(PersistentVolumeClaim claim) {
        boolean node = claim.status().conditions().stream()
                .anyMatch(condition -> condition.type().equals("FileSystemResizePending")
                        && condition.status() == ConditionStatus.TRUE);
        return node ? ", which the node does when a pod uses it" : "";
    }
}
