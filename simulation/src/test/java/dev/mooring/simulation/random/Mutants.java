// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.store.Change;
import dev.mooring.volumemanager.calls.PublishCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The planted bugs. */
final class Mutants {
    private static final String BINDER = "binder";
    private static final String ATTACH = "attach-detach";
    private static final String NODE = "node";
    private static final String LEADER = "leader";

    private Mutants() {}

    static List<Mutant> all() {
        return Stream.of(binding(), reclaiming(), protecting(), attaching(), mounting(), formatting(), leading())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Mutant> binding() {
        return List.of(
                Mutant.unversioned(BINDER, "claim-volume"),
                Mutant.skipped(BINDER, "claim-volume"),
                Mutant.skipped(BINDER, "name-volume"),
                Mutant.skipped(BINDER, "show-claim-phase"),
                Mutant.skipped(BINDER, "show-volume-phase"),
                Mutant.effect(BINDER, "names the volume before it is claimed", "claim-volume", Mutants::namedFirst),
                Mutant.effect(BINDER, "shows Bound before it is", "claim-volume", Mutants::shownFirst),
                Mutant.effect(BINDER, "takes any free volume", "claim-volume", Mutants::anyVolume),
                Mutant.deaf(BINDER, "does not notice new volumes", change -> isNew(change, Kinds.PERSISTENT_VOLUME)),
                Mutant.deaf(
                        BINDER,
                        "does not notice that claims go",
                        change -> isGone(change, Kinds.PERSISTENT_VOLUME_CLAIM)),
                Mutant.deaf(
                        BINDER,
                        "does not notice changes of volumes",
                        change -> change.concerns(Kinds.PERSISTENT_VOLUME)
                                && change.before().isPresent()),
                Mutant.unapplied(BINDER),
                Mutant.edited(BINDER, "forgets the intent to provision", "ask-provisioner", Mutants::withoutIntent),
                Mutant.result(BINDER, "an uncertain provisioning is refused", "provision", Mutants::refusedIfUncertain),
                Mutant.skipped(BINDER, "create-volume"),
                Mutant.skipped(BINDER, "close-intent"),
                Mutant.effect(BINDER, "binds no volume that was kept", "claim-volume", Mutants::notKept),
                forgetsWhoChose());
    }

    private static List<Mutant> reclaiming() {
        return List.of(
                Mutant.skipped(BINDER, "mark-reclaiming"),
                Mutant.effect(BINDER, "destroys before it marks", "mark-reclaiming", Mutants::destroyed),
                Mutant.uncertainIsDone(BINDER, "delete", dev.mooring.storage.spi.Nothing.NOTHING),
                Mutant.refusedIsDone(BINDER, "delete"),
                Mutant.refusedIsDone(BINDER, "recycle"),
                Mutant.uncertainIsDone(BINDER, "recycle", dev.mooring.storage.spi.Nothing.NOTHING),
                Mutant.effect(BINDER, "destroys nothing", "mark-reclaiming", (effect, situation) -> List.of()),
                Mutant.fromCache(BINDER, "confirm-claim"),
                Mutant.skipped(BINDER, "finish-delete"),
                Mutant.skipped(BINDER, "delete-volume"),
                Mutant.skipped(BINDER, "set-finalizers"),
                Mutant.effect(BINDER, "frees a volume that was used", "show-volume-phase", Mutants::freed),
                Mutant.skipped(BINDER, "unbind"));
    }

    private static List<Mutant> protecting() {
        return List.of(
                Mutant.skipped("pvc-protection", "release"),
                Mutant.fromCache("pvc-protection", "list-pods"),
                Mutant.deaf("pvc-protection", "does not notice that pods go", change -> isGone(change, Kinds.POD)),
                Mutant.deaf(
                        "ephemeral",
                        "does not notice that claims go",
                        change -> isGone(change, Kinds.PERSISTENT_VOLUME_CLAIM)),
                Mutant.skipped("pv-protection", "release"),
                Mutant.fromCache("pv-protection", "confirm-claim"),
                goesByThePhase());
    }

    /** Kubernetes' rule: what is not shown Bound is not used (semantics/binder §7, D9). */
    private static Mutant goesByThePhase() {
        return new Mutant("pv-protection", "goes by the phase") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                return situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME, key.object())
                        .filter(volume -> volume.metadata().isDeleting()
                                && volume.metadata().hasFinalizer(Finalizers.PV_PROTECTION)
                                && volume.status().phase() != PersistentVolumePhase.BOUND)
                        .map(volume -> Decision.act(new Effect.Update<>(
                                "release",
                                Kinds.PERSISTENT_VOLUME,
                                new Change<>(
                                        volume,
                                        volume.withMetadata(
                                                volume.metadata().withoutFinalizer(Finalizers.PV_PROTECTION))))))
                        .orElse(decision);
            }
        };
    }

    private static List<Mutant> attaching() {
        return List.of(
                Mutant.skipped(ATTACH, "create-attachment"),
                Mutant.effect(ATTACH, "waits for nodes that wait", "create-attachment", Mutants::ifNobodyElseWaits),
                Mutant.edited(ATTACH, "creates slots without a finalizer", "create-attachment", Mutants::unfinished),
                Mutant.uncertainIsDone(ATTACH, "attach", Map.of()),
                Mutant.uncertainIsDone(ATTACH, "detach", dev.mooring.storage.spi.Nothing.NOTHING),
                Mutant.refusedIsDone(ATTACH, "detach"),
                Mutant.fromCache(ATTACH, "prove-unused"),
                Mutant.skipped(ATTACH, "begin-detach"),
                Mutant.skipped(ATTACH, "request-detach"),
                Mutant.effect(ATTACH, "lists what was listed for ever", "report-attached", Mutants::listedForEver),
                Mutant.skipped(ATTACH, "report-attached"),
                Mutant.unversioned(ATTACH, "report-attached"),
                Mutant.skipped(ATTACH, "show-attached"),
                Mutant.edited(
                        ATTACH, "lets go of a slot when it begins to detach", "begin-detach", Mutants::unfinished),
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
                Mutant.deaf(ATTACH, "does not notice that pods go", change -> isGone(change, Kinds.POD)),
                Mutant.deaf(ATTACH, "does not notice that slots go", change -> isGone(change, Kinds.VOLUME_ATTACHMENT)),
                waitsForTheErrorsOfOthers(),
                Mutant.unapplied(ATTACH));
    }

    /** What an instance of before has begun to bind is finished as if the user had chosen the volume. */
    private static Mutant forgetsWhoChose() {
        return new Mutant(BINDER, "forgets in a crash who chose the volume") {
            @Override
            Decision recalled(Key key, Decision decision, Set<String> asked) {
                if (asked.contains("claim-volume")) {
                    return decision;
                }
                List<Effect> effects = decision.effects().stream()
                        .map(effect -> effect.operation().equals("name-volume")
                                ? Mutant.rewritten(
                                        effect,
                                        change -> new Change<>(change.base(), Mutants.chosenByUser(change.edited())))
                                : effect)
                        .toList();
                return new Decision(decision.state(), effects, decision.wakeAfter());
            }
        };
    }

    private static KubernetesObject chosenByUser(KubernetesObject claim) {
        return Mutant.withMetadata(claim, meta -> meta.withoutAnnotation(Annotations.BOUND_BY_CONTROLLER));
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
                                .filter(Mutants::fails)
                                .isEmpty()
                        && situation.caches().of(Kinds.VOLUME_ATTACHMENT).all().stream()
                                .anyMatch(Mutants::fails);
            }
        };
    }

    private static boolean fails(VolumeAttachment slot) {
        return slot.status().attachError().isPresent();
    }

    private static List<Mutant> leading() {
        return List.of(
                new Mutant(LEADER, "calls plugins in another's term") {
                    @Override
                    boolean holdsCallsBack() {
                        return false;
                    }
                },
                new Mutant(LEADER, "writes in another's term") {
                    @Override
                    boolean holdsWritesBack() {
                        return false;
                    }
                });
    }

    private static List<Mutant> mounting() {
        return List.of(
                Mutant.effect(
                        NODE,
                        "says that nothing is in use",
                        "report-node",
                        (effect, situation) -> List.of(Mutant.rewritten(
                                effect, change -> new Change<>(change.base(), unused(change.edited()))))),
                Mutant.skipped(NODE, "report-node"),
                Mutant.fromCache(NODE, "check-node"),
                Mutant.uncertainIsDone(NODE, "unstage", dev.mooring.storage.spi.Nothing.NOTHING),
                Mutant.uncertainIsDone(NODE, "unpublish", dev.mooring.storage.spi.Nothing.NOTHING),
                Mutant.refusedIsDone(NODE, "unpublish"),
                Mutant.uncertainIsDone(NODE, "stage", PluginState.NONE),
                Mutant.uncertainIsDone(NODE, "publish", PluginState.NONE),
                new Mutant(NODE, "writes no records") {
                    @Override
                    boolean records() {
                        return false;
                    }
                },
                new Mutant(NODE, "forgets its records over a restart") {
                    @Override
                    boolean remembers() {
                        return false;
                    }
                },
                Mutant.fromCache(NODE, "confirm-pod"),
                Mutant.deaf(
                        NODE,
                        "does not notice that pods are being deleted",
                        change -> change.concerns(Kinds.POD)
                                && change.before().isPresent()
                                && change.after().isPresent()),
                Mutant.effect(
                        NODE, "lets everybody write", "publish", (effect, situation) -> List.of(forWriting(effect))),
                Mutant.skipped(NODE, "end-pod"),
                Mutant.skipped(NODE, "run-pod"),
                Mutant.deaf(
                        NODE,
                        "does not notice its node",
                        change -> change.concerns(Kinds.NODE) && change.before().isPresent()));
    }

    private static List<Mutant> formatting() {
        return List.of(
                new Mutant(NODE, "takes what it cannot read for zeros") {
                    @Override
                    BlockDevices devices(BlockDevices real) {
                        return new Mistaken.Devices(real, read -> read.isDone() ? read : Outcome.done(true));
                    }
                },
                new Mutant(NODE, "formats when the probe is unsure") {
                    @Override
                    BlockDevices devices(BlockDevices real) {
                        return new Mistaken.Devices(real, read -> read.isDone() ? read : Outcome.done(true));
                    }

                    @Override
                    ProcessRunner tools(ProcessRunner real) {
                        return new Mistaken.Tools(real, result -> result.exitCode() == 0 ? result : Mistaken.NOTHING);
                    }
                },
                new Early("probes before the volume is attached"),
                new Early("makes a file system wherever a volume comes to it") {
                    @Override
                    boolean notes() {
                        return false;
                    }
                });
    }

    /** Who looks at a device before it is there sees zeros, and afterwards takes it to hold none. */
    private static class Early extends Mutant {
        Early(String name) {
            super(NODE, name);
        }

        @Override
        BlockDevices devices(BlockDevices real) {
            return new Mistaken.Devices(real, read -> Outcome.done(true));
        }

        @Override
        ProcessRunner tools(ProcessRunner real) {
            return new Mistaken.Early(real);
        }
    }

    // ---- what is done instead ----

    private static List<Effect> notKept(Effect effect, Situation situation) {
        boolean kept = effect instanceof Effect.Update<?> update
                && update.change().base() instanceof PersistentVolume volume
                && volume.spec().claimRef().filter(ref -> ref.uid().isEmpty()).isPresent();
        return kept ? List.of() : List.of(effect);
    }

    /** As if a node that lists a volume as in use always had it. */
    private static List<Effect> ifNobodyElseWaits(Effect effect, Situation situation) {
        VolumeAttachment slot = (VolumeAttachment) ((Effect.Create<?>) effect).value();
        String reported =
                slot.metadata().annotation("mooring.dev/reported-name").orElse("");
        boolean listed = situation.caches().of(Kinds.NODE).all().stream()
                .filter(node -> !node.metadata().name().equals(slot.spec().nodeName()))
                .anyMatch(node -> node.status().volumesInUse().contains(reported));
        return listed ? List.of() : List.of(effect);
    }

    private static Effect forWriting(Effect effect) {
        if (effect instanceof Effect.Perform perform && perform.call() instanceof PublishCall publish) {
            PublishRequest asked = publish.request();
            PublishRequest writing = new PublishRequest(
                    asked.volume(), asked.pod(), asked.target(), asked.stagingPath(), false, asked.occasion());
            PublishCall planted = new PublishCall(publish.onNode(), publish.record(), writing, publish.setup());
            return new Effect.Perform(perform.operation(), planted, perform.target(), perform.timeLimit());
        }
        return effect;
    }

    private static List<Effect> namedFirst(Effect effect, Situation situation) {
        return withClaim(
                effect,
                situation,
                (volume, claim) -> new Effect.Update<>(
                        "planted",
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                claim,
                                claim.withSpec(claim.spec().withVolumeName(volume))
                                        .withMetadata(claim.metadata()
                                                .withAnnotation(Annotations.BIND_COMPLETED, "yes")
                                                .withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes")))));
    }

    private static List<Effect> shownFirst(Effect effect, Situation situation) {
        return withClaim(
                effect,
                situation,
                (volume, claim) -> new Effect.UpdateStatus<>(
                        "planted",
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(claim, claim.withStatus(claim.status().withPhase(ClaimPhase.BOUND)))));
    }

    private static List<Effect> withClaim(
            Effect effect,
            Situation situation,
            java.util.function.BiFunction<String, PersistentVolumeClaim, Effect> first) {
        if (effect instanceof Effect.Update<?> update
                && update.change().edited() instanceof PersistentVolume volume
                && volume.spec().claimRef().isPresent()) {
            ObjectReference ref = volume.spec().claimRef().get();
            return situation
                    .caches()
                    .get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(ref.namespace(), ref.name()))
                    .map(claim -> List.of(first.apply(volume.metadata().name(), claim), effect))
                    .orElse(List.of(effect));
        }
        return List.of(effect);
    }

    private static List<Effect> anyVolume(Effect effect, Situation situation) {
        if (effect instanceof Effect.Update<?> update && update.change().edited() instanceof PersistentVolume wanted) {
            return situation.caches().of(Kinds.PERSISTENT_VOLUME).all().stream()
                    .filter(volume -> volume.spec().claimRef().isEmpty())
                    .findFirst()
                    .<List<Effect>>map(volume -> List.of(new Effect.Update<>(
                            effect.operation(),
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(
                                    volume,
                                    volume.withSpec(volume.spec()
                                                    .withClaimRef(wanted.spec().claimRef()))
                                            .withMetadata(volume.metadata()
                                                    .withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes"))))))
                    .orElse(List.of(effect));
        }
        return List.of(effect);
    }

    private static List<Effect> destroyed(Effect effect, Situation situation) {
        if (effect instanceof Effect.Update<?> update && update.change().edited() instanceof PersistentVolume volume) {
            String plugin = volume.spec()
                            .source()
                            .filter(source -> source.type().equals("nfs"))
                            .isPresent()
                    ? "kubernetes.io/nfs"
                    : Texts.SIM;
            return VolumeSpec.of(volume)
                    .<List<Effect>>map(spec -> List.of(
                            new Effect.Perform(
                                    "planted",
                                    new DeleteCall(new PluginName(plugin), spec),
                                    Optional.empty(),
                                    Defaults.MOUNT_TIME_LIMIT),
                            effect))
                    .orElse(List.of(effect));
        }
        return List.of(effect);
    }

    /** Instead of saying that it is released, a volume is given free with what is on it. */
    private static List<Effect> freed(Effect effect, Situation situation) {
        if (effect instanceof Effect.UpdateStatus<?> update
                && update.change().edited() instanceof PersistentVolume volume
                && volume.status().phase() == PersistentVolumePhase.RELEASED
                && update.change().base() instanceof PersistentVolume base) {
            return List.of(new Effect.Update<>(
                    effect.operation(),
                    Kinds.PERSISTENT_VOLUME,
                    new Change<>(base, base.withSpec(base.spec().withClaimRef(Optional.empty())))));
        }
        return List.of(effect);
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

    private static KubernetesObject withoutIntent(KubernetesObject object) {
        return Mutant.withMetadata(object, meta -> meta.withoutFinalizer(Finalizers.PROVISIONING));
    }

    private static KubernetesObject unfinished(KubernetesObject object) {
        return Mutant.withMetadata(object, meta -> meta.withoutFinalizer(Finalizers.ATTACHMENT));
    }

    private static KubernetesObject unused(KubernetesObject object) {
        return object instanceof Node node ? node.withStatus(node.status().withVolumesInUse(List.of())) : object;
    }

    private static EffectResult refusedIfUncertain(EffectResult result) {
        return result.match(
                stored -> stored,
                performed -> performed.answer() instanceof Outcome.Uncertain<?>
                        ? new EffectResult.Performed(performed.effect(), Outcome.refused(Refusal.DENIED, "planted"))
                        : performed);
    }

    private static boolean isNew(ObjectChange<?> change, Kind<?> kind) {
        return change.concerns(kind) && change.before().isEmpty();
    }

    private static boolean isGone(ObjectChange<?> change, Kind<?> kind) {
        return change.concerns(kind) && change.after().isEmpty();
    }
}
