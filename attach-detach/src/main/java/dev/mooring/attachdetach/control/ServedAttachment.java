// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.CompareCall;
import dev.mooring.attachdetach.calls.CompareCall.Compared;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One VolumeAttachment that another program made, on its way to attached and to its end (semantics/attach-and-mount §1.12, csi §9). The
 * finalizers are written before the driver is called, and go after it has answered. A driver that attaches nothing has its attachments shown
 * as attached, without finalizers.
 */
final class ServedAttachment {
    /** What the API takes as the message of an error, in bytes. */
    private static final int LONGEST_MESSAGE = 1024;

    private final VolumeAttachment attachment;
    private final StoragePlugin driver;
    private final Situation situation;

    /**
     * Decides about an attachment.
     *
     * @param attachment one whose attacher is a plugin of this process
     */
    ServedAttachment(VolumeAttachment attachment, PluginRegistry plugins, Situation situation) {
        this.attachment = attachment;
        this.driver = plugins.named(attachment.spec().attacher()).orElseThrow();
        this.situation = situation;
    }

    /** What a driver answered and the object does not show yet. */
    record Answered(Map<String, String> metadata) implements KeyState {
        Answered {
            metadata = new TreeMap<>(metadata);
        }
    }

    /** The finalizer of the side-car that attaches for a driver. */
    static String finalizer(String driver) {
        String clean = driver.replaceAll("[^a-zA-Z0-9-]", "-");
        return Finalizers.EXTERNAL_ATTACHER + (clean.endsWith("-") ? clean + "X" : clean);
    }

    private String finalizer() {
        return finalizer(attachment.spec().attacher());
    }

    Decision decide(Optional<KeyState> state) {
        return attachment.metadata().isDeleting() ? detach() : attach(state);
    }

    private Optional<Answered> answered(Optional<KeyState> before) {
        return situation
                .resultOf(AttachmentOperations.ATTACH)
                .flatMap(EffectResult::outcome)
                .flatMap(Outcome::result)
                .map(ServedAttachment::metadata)
                .map(Answered::new)
                .or(() -> before.filter(Answered.class::isInstance).map(Answered.class::cast));
    }

    private static Map<String, String> metadata(Object answer) {
        Map<String, String> all = new TreeMap<>();
        if (answer instanceof Map<?, ?> told) {
            told.forEach((key, value) -> all.put(String.valueOf(key), String.valueOf(value)));
        }
        return all;
    }

    // ---- to the node ----

    private Decision attach(Optional<KeyState> state) {
        if (attachment.status().attached()) {
            return compares()
                    ? compare(
                            state.filter(AttachmentComparison.class::isInstance).map(AttachmentComparison.class::cast))
                    : Decision.nothing();
        }
        Optional<Answered> answered = answered(state);
        boolean trivial = driver.capability(Attaching.class).isEmpty();
        if (answered.isPresent() || trivial) {
            Map<String, String> metadata = answered.map(Answered::metadata).orElse(Map.of());
            return status(AttachmentOperations.SHOW_ATTACHED, AttachmentObjects.attached(attachment, metadata))
                    .withState(answered.map(known -> known));
        }
        Optional<EffectResult> failed =
                situation.resultOf(AttachmentOperations.ATTACH).filter(result -> !result.succeeded());
        if (failed.isPresent()) {
            return attachFailed(failed.get().outcome().orElseThrow())
                    .wakeAfter(situation.backoff(AttachmentOperations.ATTACH).orElse(Defaults.BACKOFF_FIRST));
        }
        if (situation.backoff(AttachmentOperations.ATTACH).isPresent()) {
            return Decision.nothing().wakeAfter(situation.backoff(AttachmentOperations.ATTACH));
        }
        Optional<PersistentVolume> volume = volume();
        Optional<String> problem = problem(volume);
        return problem.isPresent()
                ? attachFailed(Outcome.deferred(problem.get())).wakeAfter(Defaults.BACKOFF_LONGEST)
                : guardedAttach(volume.orElseThrow());
    }

    private boolean compares() {
        return driver.capability(Attaching.class)
                .filter(Attaching::tellsAttachments)
                .isPresent();
    }

    /** What was detached behind the back of its attachment is attached again; what was not marked by us is left alone. */
    private Decision compare(Optional<AttachmentComparison> before) {
        Optional<PersistentVolume> volume = volume();
        if (!attachment.metadata().hasFinalizer(finalizer()) || problem(volume).isPresent()) {
            return Decision.nothing();
        }
        AttachmentComparison comparison = AttachmentComparison.next(before, situation);
        Optional<KeyState> then = Optional.of(comparison);
        String name = volume.orElseThrow().metadata().name();
        Optional<EffectResult> failed =
                situation.resultOf(AttachmentOperations.COMPARE).filter(result -> !result.succeeded());
        Optional<Compared> again = AttachmentComparison.attachedAgain(situation);
        Duration left = comparison.left(situation.now());
        if (failed.isPresent()) {
            String why = AttachmentComparison.failed(
                    name, attachment.spec().nodeName(), failed.get().message());
            return Decision.nothing()
                    .and(AttachEvents.aboutAttachment(attachment, AttachEvents.FAILED, why))
                    .withState(then)
                    .wakeAfter(left);
        } else if (again.isPresent()) {
            VolumeAttachment shown =
                    AttachmentObjects.attached(attachment, again.get().metadata());
            Decision decision =
                    shown.equals(attachment) ? Decision.nothing() : status(AttachmentOperations.SHOW_ATTACHED, shown);
            String told = AttachmentComparison.told(name, attachment.spec().nodeName());
            return decision.and(AttachEvents.aboutAttachment(attachment, AttachmentComparison.LOST, told))
                    .withState(then)
                    .wakeAfter(left);
        } else if (!left.isNegative() && !left.isZero()) {
            return Decision.nothing().withState(then).wakeAfter(left);
        }
        VolumeSpec spec = VolumeSpec.of(volume.get()).orElseThrow();
        Call call = new CompareCall(
                driver.describe().name(),
                name,
                spec,
                node(),
                attachment.metadata().uid());
        return perform(AttachmentOperations.COMPARE, call, volume.get()).withState(then);
    }

    private Decision guardedAttach(PersistentVolume volume) {
        if (!volume.metadata().hasFinalizer(finalizer())) {
            return Decision.act(new Effect.Update<>(
                    AttachmentOperations.ADOPT_VOLUME,
                    Kinds.PERSISTENT_VOLUME,
                    new Change<>(volume, volume.withMetadata(volume.metadata().withFinalizer(finalizer())))));
        }
        if (!attachment.metadata().hasFinalizer(finalizer())) {
            return update(
                    AttachmentOperations.MARK,
                    attachment.withMetadata(attachment.metadata().withFinalizer(finalizer())));
        }
        VolumeSpec spec = VolumeSpec.of(volume).orElseThrow();
        return perform(
                AttachmentOperations.ATTACH,
                new AttachCall(
                        driver.describe().name(),
                        volume.metadata().name(),
                        spec,
                        node(),
                        attachment.metadata().uid()),
                volume);
    }

    private Optional<String> problem(Optional<PersistentVolume> volume) {
        if (volume.isEmpty()) {
            return Optional.of(attachment
                    .spec()
                    .source()
                    .persistentVolumeName()
                    .map(name -> "persistentvolume \"" + name + "\" not found")
                    .orElse("only volumes with a PersistentVolume are attached here"));
        }
        if (volume.get().metadata().isDeleting()) {
            return Optional.of("PersistentVolume \"" + volume.get().metadata().name() + "\" is marked for deletion");
        }
        boolean ofDriver = volume.get()
                .spec()
                .source()
                .filter(source ->
                        source.type().equals("csi") && driver.validate(source).isEmpty())
                .isPresent();
        return ofDriver
                ? Optional.empty()
                : Optional.of("PersistentVolume \"" + volume.get().metadata().name() + "\" is no volume of driver "
                        + attachment.spec().attacher());
    }

    private Decision attachFailed(Outcome<?> outcome) {
        VolumeAttachment shown = AttachmentObjects.attachFailed(
                attachment, shortened(outcome), situation.now().wall());
        return shown.equals(attachment) ? Decision.nothing() : status(AttachmentOperations.SHOW_ERROR, shown);
    }

    // ---- from the node ----

    private Decision detach() {
        if (!attachment.metadata().hasFinalizer(finalizer())) {
            // Another's finalizer may keep the object for a while: it is not attached any more all the same.
            boolean stale = attachment.status().attached()
                    && driver.capability(Attaching.class).isPresent();
            return stale
                    ? status(AttachmentOperations.CLEAR, AttachmentObjects.unattached(attachment))
                    : Decision.nothing();
        }
        Optional<EffectResult> called = situation.resultOf(AttachmentOperations.DETACH);
        if (called.filter(EffectResult::succeeded).isPresent()
                || driver.capability(Attaching.class).isEmpty()) {
            return update(
                    AttachmentOperations.RELEASE,
                    attachment.withMetadata(attachment.metadata().withoutFinalizer(finalizer())));
        }
        if (called.isPresent()) {
            return detachFailed(called.get().outcome().orElseThrow())
                    .wakeAfter(situation.backoff(AttachmentOperations.DETACH).orElse(Defaults.BACKOFF_FIRST));
        }
        if (situation.backoff(AttachmentOperations.DETACH).isPresent()) {
            return Decision.nothing().wakeAfter(situation.backoff(AttachmentOperations.DETACH));
        }
        Optional<PersistentVolume> volume =
                volume().filter(found -> found.spec().source().isPresent());
        if (volume.isEmpty()) {
            return detachFailed(Outcome.deferred(problem(volume).orElse("its volume has no source")))
                    .wakeAfter(Defaults.BACKOFF_LONGEST);
        }
        VolumeId id = driver.identify(volume.get().spec().source().orElseThrow());
        return perform(
                AttachmentOperations.DETACH,
                new DetachCall(
                        volume.get().metadata().name(),
                        id,
                        node(),
                        attachment.metadata().uid()),
                volume.get());
    }

    private Decision detachFailed(Outcome<?> outcome) {
        VolumeAttachment shown = AttachmentObjects.detachFailed(
                attachment, shortened(outcome), situation.now().wall());
        return shown.equals(attachment) ? Decision.nothing() : status(AttachmentOperations.SHOW_ERROR, shown);
    }

    // ---- what both do ----

    private Optional<PersistentVolume> volume() {
        return attachment
                .spec()
                .source()
                .persistentVolumeName()
                .flatMap(name -> situation.caches().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)));
    }

    private NodeRef node() {
        return new NodeRef(attachment.spec().nodeName(), "");
    }

    private Decision perform(String operation, Call call, PersistentVolume volume) {
        Target target = new Target(
                attachment.spec().attacher(),
                volume.metadata().uid() + " " + attachment.spec().nodeName());
        return Decision.act(new Effect.Perform(operation, call, Optional.of(target), Defaults.MOUNT_TIME_LIMIT));
    }

    private Decision update(String operation, VolumeAttachment edited) {
        return Decision.act(new Effect.Update<>(operation, Kinds.VOLUME_ATTACHMENT, new Change<>(attachment, edited)));
    }

    private Decision status(String operation, VolumeAttachment edited) {
        return Decision.act(
                new Effect.UpdateStatus<>(operation, Kinds.VOLUME_ATTACHMENT, new Change<>(attachment, edited)));
    }

    /** The API refuses an error whose message is longer. */
    private static Outcome<?> shortened(Outcome<?> outcome) {
        byte[] bytes = outcome.message().getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST_MESSAGE) {
            return outcome;
        }
        int end = LONGEST_MESSAGE;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--; // no letter is cut in two
        }
        String message = new String(bytes, 0, end, StandardCharsets.UTF_8);
        return outcome.<Outcome<?>>match(
                done -> outcome,
                refused -> Outcome.refused(refused.refusal(), message),
                uncertain -> Outcome.uncertain(message),
                deferred -> Outcome.deferred(message),
                elsewhere -> Outcome.deferred(message));
    }
}
