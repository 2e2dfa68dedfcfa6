// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A stand-in for the external attacher of CSI drivers (semantics/attach-and-mount §1.12): it takes a VolumeAttachment and its volume on
 * by its finalizer, attaches after some time, says so in the status, and detaches before it lets go of what is being deleted. All that
 * it has to remember stands in the objects.
 */
public final class ExternalAttacher implements Controller {
    private static final String ATTACHMENT = "attachment";
    private static final String VOLUME = "volume";
    private static final String ATTACH = "attach";
    private static final String DETACH = "detach";
    private static final Duration MISSING = Duration.ofSeconds(30);

    private final Set<String> drivers;

    /**
     * Makes an attacher that remembers nothing.
     *
     * @param drivers the names of the drivers whose volumes it attaches
     */
    public ExternalAttacher(Set<String> drivers) {
        this.drivers = Set.copyOf(drivers);
    }

    @Override
    public String name() {
        return Sidecars.ATTACHER;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.VOLUME_ATTACHMENT, Kinds.PERSISTENT_VOLUME);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.VOLUME_ATTACHMENT)) {
            VolumeAttachment attachment = change.as(Kinds.VOLUME_ATTACHMENT).latest();
            if (drivers.contains(attachment.spec().attacher())) {
                mailbox.inputChanged(new Key(ATTACHMENT, change.key()));
                attachment
                        .spec()
                        .source()
                        .persistentVolumeName()
                        .ifPresent(volume -> mailbox.inputChanged(new Key(VOLUME, ObjectKey.cluster(volume))));
            }
        } else {
            mailbox.inputChanged(new Key(VOLUME, change.key()));
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        if (key.type().equals(VOLUME)) {
            return situation
                    .caches()
                    .get(Kinds.PERSISTENT_VOLUME, key.object())
                    .filter(volume -> volume.metadata().isDeleting())
                    .map(volume -> letGo(volume, situation))
                    .orElse(Decision.nothing());
        }
        Optional<VolumeAttachment> found = situation.caches().get(Kinds.VOLUME_ATTACHMENT, key.object());
        if (found.isEmpty()) {
            return Decision.nothing();
        }
        VolumeAttachment attachment = found.get();
        if (attachment.metadata().isDeleting()) {
            return attachment.metadata().hasFinalizer(finalizer(attachment))
                    ? detach(attachment, state, situation)
                    : Decision.nothing();
        }
        return attachment.status().attached() ? Decision.nothing() : attach(attachment, state, situation);
    }

    // ---- attaching ----

    private static Decision attach(VolumeAttachment attachment, Optional<KeyState> state, Situation situation) {
        String finalizer = finalizer(attachment);
        Optional<PersistentVolume> volume = volume(attachment, situation)
                .filter(found ->
                        !found.metadata().isDeleting() || found.metadata().hasFinalizer(finalizer));
        Optional<VolumeSpec> spec = volume.flatMap(VolumeSpec::of);
        if (spec.isEmpty()) {
            return Decision.nothing().wakeAfter(MISSING);
        }
        PersistentVolume found = volume.orElseThrow();
        if (!attachment.metadata().hasFinalizer(finalizer)) {
            return Decision.act(new Effect.Update<>(
                    "take-attachment",
                    Kinds.VOLUME_ATTACHMENT,
                    new Change<>(
                            attachment,
                            attachment.withMetadata(attachment.metadata().withFinalizer(finalizer)))));
        } else if (!found.metadata().hasFinalizer(finalizer)) {
            return Decision.act(new Effect.Update<>(
                    "take-volume",
                    Kinds.PERSISTENT_VOLUME,
                    new Change<>(found, found.withMetadata(found.metadata().withFinalizer(finalizer)))));
        }
        Optional<EffectResult> answer = situation.resultOf(ATTACH);
        if (answer.isPresent()) {
            VolumeAttachmentStatus shown = answer.get().succeeded()
                    ? new VolumeAttachmentStatus(true, metadata(answer.get()), Optional.empty(), Optional.empty())
                    : attachment.status().withAttachError(error(answer.get(), situation));
            return status("show-attached", attachment, shown).withState(state);
        }
        Call call = new AttachCall(
                new PluginName(attachment.spec().attacher()),
                name(attachment),
                spec.get(),
                node(attachment),
                attachment.metadata().uid());
        return inTime(ATTACH, call, attachment, state, situation);
    }

    private static Map<String, String> metadata(EffectResult done) {
        Map<String, String> metadata = new TreeMap<>();
        done.outcome().flatMap(outcome -> outcome.result()).ifPresent(result -> {
            if (result instanceof Map<?, ?> answer) {
                answer.forEach((key, value) -> metadata.put(String.valueOf(key), String.valueOf(value)));
            }
        });
        return metadata;
    }

    // ---- detaching ----

    private static Decision detach(VolumeAttachment attachment, Optional<KeyState> state, Situation situation) {
        Optional<EffectResult> answer = situation.resultOf(DETACH);
        boolean detached = answer.filter(EffectResult::succeeded).isPresent()
                || state.filter(Detached.class::isInstance).isPresent();
        VolumeAttachmentStatus status = attachment.status();
        if (detached && status.attached()) {
            return status("show-detached", attachment, VolumeAttachmentStatus.EMPTY)
                    .withState(new Detached());
        } else if (detached) {
            return Decision.act(new Effect.Update<>(
                            "release-attachment",
                            Kinds.VOLUME_ATTACHMENT,
                            new Change<>(
                                    attachment,
                                    attachment.withMetadata(
                                            attachment.metadata().withoutFinalizer(finalizer(attachment))))))
                    .withState(new Detached());
        } else if (answer.isPresent()) {
            return status("show-error", attachment, status.withDetachError(error(answer.get(), situation)))
                    .withState(state);
        }
        String handle = volume(attachment, situation)
                .flatMap(found -> found.spec().source())
                .flatMap(CsiSource::of)
                .map(CsiSource::volumeHandle)
                .orElse(name(attachment));
        VolumeId id = new VolumeId(new PluginName(attachment.spec().attacher()), handle);
        Call call = new DetachCall(
                name(attachment), id, node(attachment), attachment.metadata().uid());
        return inTime(DETACH, call, attachment, state, situation);
    }

    /** A volume that is being deleted goes when nothing is attached any more. */
    private Decision letGo(PersistentVolume volume, Situation situation) {
        Optional<String> finalizer = volume.metadata().finalizers().stream()
                .filter(each -> each.startsWith(Finalizers.EXTERNAL_ATTACHER))
                .findFirst();
        if (finalizer.isEmpty()) {
            return Decision.nothing();
        }
        Predicate<VolumeAttachment> isOfVolume =
                each -> drivers.contains(each.spec().attacher())
                        && name(each).equals(volume.metadata().name());
        Optional<EffectResult> listed = situation.resultOf("list-attachments").filter(EffectResult::succeeded);
        if (listed.isEmpty()) {
            return Decision.act(
                    new Effect.FindLive<>("list-attachments", Kinds.VOLUME_ATTACHMENT, ListOptions.ALL, isOfVolume));
        }
        boolean used =
                situation.caches().of(Kinds.VOLUME_ATTACHMENT).all().stream().anyMatch(isOfVolume);
        return used
                ? Decision.nothing()
                : Decision.act(new Effect.Update<>(
                        "release-volume",
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(
                                volume, volume.withMetadata(volume.metadata().withoutFinalizer(finalizer.get())))));
    }

    // ---- common ----

    private static Decision inTime(
            String operation, Call call, VolumeAttachment attachment, Optional<KeyState> state, Situation situation) {
        long now = situation.now().monotonicNanos();
        Due due = state.filter(Due.class::isInstance)
                .map(Due.class::cast)
                .filter(each -> each.operation.equals(operation))
                .orElseGet(() -> new Due(
                        operation,
                        situation
                                .now()
                                .monotonicNanosAfter(
                                        Sidecars.pace(attachment.spec().nodeName()))));
        if (now < due.nanos) {
            return Decision.remember(due).wakeAfter(Duration.ofNanos(due.nanos - now));
        }
        Target target = new Target(attachment.spec().attacher(), name(attachment));
        return Decision.act(new Effect.Perform(operation, call, Optional.of(target), Defaults.MOUNT_TIME_LIMIT))
                .withState(due);
    }

    private static Decision status(String operation, VolumeAttachment attachment, VolumeAttachmentStatus status) {
        return Decision.act(new Effect.UpdateStatus<>(
                operation, Kinds.VOLUME_ATTACHMENT, new Change<>(attachment, attachment.withStatus(status))));
    }

    private static Optional<VolumeError> error(EffectResult failed, Situation situation) {
        return Optional.of(new VolumeError(Optional.of(situation.now().wall()), failed.message(), Optional.empty()));
    }

    private static Optional<PersistentVolume> volume(VolumeAttachment attachment, Situation situation) {
        return situation.caches().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name(attachment)));
    }

    private static String name(VolumeAttachment attachment) {
        return attachment.spec().source().persistentVolumeName().orElse("");
    }

    private static NodeRef node(VolumeAttachment attachment) {
        return new NodeRef(attachment.spec().nodeName(), "");
    }

    private static String finalizer(VolumeAttachment attachment) {
        return Finalizers.EXTERNAL_ATTACHER + attachment.spec().attacher().replace('.', '-');
    }

    /** When an operation that has been begun is through. */
    private record Due(String operation, long nanos) implements KeyState {}

    /** It is detached, and that is yet to be said. */
    private record Detached() implements KeyState {}
}
