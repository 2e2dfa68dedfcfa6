// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.store.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Planted bugs of attaching. */
final class AttachingMutants {
    private static final String ATTACH = "attach-detach";

    private AttachingMutants() {}

    static List<Mutant> attaching() {
        return List.of(
                Mutant.skipped(ATTACH, "create-attachment"),
                Mutant.effect(
                        ATTACH, "waits for nodes that wait", "create-attachment", AttachingMutants::ifNoOtherNodeUses),
                Mutant.edited(
                        ATTACH, "creates slots without a finalizer", "create-attachment", AttachingMutants::unfinished),
                Mutant.uncertainIsDone(ATTACH, "attach", Map.of()),
                Mutant.uncertainIsDone(ATTACH, "detach", Nothing.NOTHING),
                Mutant.refusedIsDone(ATTACH, "detach"),
                Mutant.fromCache(ATTACH, "prove-unused"),
                Mutant.skipped(ATTACH, "begin-detach"),
                Mutant.skipped(ATTACH, "request-detach"),
                Mutant.effect(
                        ATTACH, "lists what was listed for ever", "report-attached", AttachingMutants::listedForEver),
                Mutant.skipped(ATTACH, "report-attached"),
                Mutant.unversioned(ATTACH, "report-attached"),
                Mutant.skipped(ATTACH, "show-attached"),
                Mutant.edited(
                        ATTACH,
                        "lets go of a slot when it begins to detach",
                        "begin-detach",
                        AttachingMutants::unfinished),
                Mutant.skipped(ATTACH, "release-attachment"),
                Mutant.skipped(ATTACH, "forget-attachment"),
                Mutant.deaf(
                        ATTACH,
                        "does not notice nodes",
                        change -> change.concerns(Kinds.NODE) && change.before().isPresent()),
                Mutant.deaf(
                        ATTACH,
                        "does not hear that a machine is off",
                        change -> change.concerns(Kinds.NODE)
                                && !change.as(Kinds.NODE)
                                        .latest()
                                        .spec()
                                        .taints()
                                        .isEmpty()),
                Mutant.deaf(ATTACH, "does not notice that pods go", change -> Mutant.isGone(change, Kinds.POD)),
                Mutant.deaf(
                        ATTACH,
                        "does not notice that slots go",
                        change -> Mutant.isGone(change, Kinds.VOLUME_ATTACHMENT)),
                Mutant.mistaken(ATTACH, "shares what is for one node", "", AttachingMutants::forMany),
                Mutant.mistaken(ATTACH, "believes a taint on a node that is ready", "", AttachingMutants::off),
                Mutant.deaf(
                        ATTACH,
                        "does not notice that claims go",
                        change -> Mutant.isGone(change, Kinds.PERSISTENT_VOLUME_CLAIM)),
                waitsForTheErrorsOfOthers(),
                Mutant.unapplied(ATTACH));
    }

    /** Upstream's loop of before: nothing else is attached as long as something cannot be. */
    private static Mutant waitsForTheErrorsOfOthers() {
        return new Mutant(ATTACH, "waits for the errors of others") {
            @Override
            boolean postpones(Key key, Situation situation) {
                return key.type().equals("attachment")
                        && situation
                                .caches()
                                .get(Kinds.VOLUME_ATTACHMENT, key.object())
                                .filter(AttachingMutants::fails)
                                .isEmpty()
                        && situation.caches().of(Kinds.VOLUME_ATTACHMENT).all().stream()
                                .anyMatch(AttachingMutants::fails);
            }
        };
    }

    private static boolean fails(VolumeAttachment slot) {
        return slot.status().attachError().isPresent();
    }

    // ---- what is done instead ----

    /** As if a node that lists a volume as in use always had it. */
    private static List<Effect> ifNoOtherNodeUses(Effect effect, Situation situation) {
        VolumeAttachment slot = (VolumeAttachment) ((Effect.Create<?>) effect).value();
        String reported =
                slot.metadata().annotation("mooring.dev/reported-name").orElse("");
        boolean listed = situation.caches().of(Kinds.NODE).all().stream()
                .filter(node -> !node.metadata().name().equals(slot.spec().nodeName()))
                .anyMatch(node -> node.status().volumesInUse().contains(reported));
        return listed ? List.of() : List.of(effect);
    }

    /** What this process has ever listed on a node stays listed. */
    private static List<Effect> listedForEver(Effect effect, Situation situation) {
        UnaryOperator<Change<KubernetesObject>> union = change -> {
            Node before = (Node) change.base();
            Node after = (Node) change.edited();
            List<AttachedVolume> all = new ArrayList<>(before.status().volumesAttached());
            after.status().volumesAttached().stream()
                    .filter(each -> !all.contains(each))
                    .forEach(all::add);
            return new Change<>(before, after.withStatus(after.status().withVolumesAttached(all)));
        };
        return List.of(Mutant.rewritten(effect, union));
    }

    private static KubernetesObject forMany(KubernetesObject object) {
        return object instanceof PersistentVolume volume
                ? volume.withSpec(volume.spec().withAccessModes(List.of(AccessMode.READ_WRITE_MANY)))
                : object;
    }

    /** The taint alone counts, as in Kubernetes. */
    private static KubernetesObject off(KubernetesObject object) {
        return object instanceof Node node && node.hasOutOfServiceTaint()
                ? node.withStatus(node.status()
                        .withConditions(List.of(new Condition(
                                "Ready",
                                ConditionStatus.FALSE,
                                "",
                                "",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()))))
                : object;
    }

    private static KubernetesObject unfinished(KubernetesObject object) {
        return Mutant.withMetadata(object, meta -> meta.withoutFinalizer(Finalizers.ATTACHMENT));
    }
}
