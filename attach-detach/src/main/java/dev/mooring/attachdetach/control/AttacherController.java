// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Optional;

/**
 * Serves the VolumeAttachments of the drivers of this process, which another program makes and deletes, as external-attacher does
 * (semantics/attach-and-mount §1.12). It decides nothing about which volume is attached where.
 *
 * <pre>
 *   VolumeAttachment  → itself; deleted: its volume, whose finalizer may go
 *   volume            → its attachments; being deleted: itself
 *   CSINode           → the attachments of that node, which may wait for the driver
 * </pre>
 */
public final class AttacherController implements Controller {
    /** The name of this controller. It runs in place of {@link AttachDetachController}, never beside it. */
    public static final String NAME = AttachDetachController.NAME;

    private static final String ATTACHMENT = "attachment";
    private static final String VOLUME = "volume";

    private final PluginRegistry plugins;
    private final Multimap<String, ObjectKey> ofVolume = new Multimap<>();
    private final Multimap<String, ObjectKey> ofNode = new Multimap<>();

    /**
     * Makes the controller.
     *
     * @param plugins the drivers of this process, by name
     */
    public AttacherController(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.VOLUME_ATTACHMENT, Kinds.PERSISTENT_VOLUME, Kinds.CSI_NODE);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.VOLUME_ATTACHMENT)) {
            observeAttachment(change.as(Kinds.VOLUME_ATTACHMENT), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            ObjectChange<PersistentVolume> volume = change.as(Kinds.PERSISTENT_VOLUME);
            ofVolume.of(volume.key().name()).forEach(attachment -> mailbox.recheck(new Key(ATTACHMENT, attachment)));
            if (volume.after().filter(found -> found.metadata().isDeleting()).isPresent()) {
                mailbox.recheck(new Key(VOLUME, volume.key()));
            }
        } else {
            ObjectChange<CSINode> node = change.as(Kinds.CSI_NODE);
            ofNode.of(node.key().name()).forEach(attachment -> mailbox.inputChanged(new Key(ATTACHMENT, attachment)));
        }
    }

    private void observeAttachment(ObjectChange<VolumeAttachment> change, Mailbox mailbox) {
        change.before().filter(this::isServed).ifPresent(before -> {
            volumeOf(before).ifPresent(volume -> ofVolume.remove(volume, change.key()));
            ofNode.remove(before.spec().nodeName(), change.key());
        });
        change.after().filter(this::isServed).ifPresent(after -> {
            volumeOf(after).ifPresent(volume -> ofVolume.add(volume, change.key()));
            ofNode.add(after.spec().nodeName(), change.key());
            // A change of the reported failure alone does not end the back-off (external-attacher#337).
            boolean wanted = change.before()
                    .filter(before -> before.spec().equals(after.spec())
                            && before.metadata().isDeleting()
                                    == after.metadata().isDeleting())
                    .isEmpty();
            Key key = new Key(ATTACHMENT, change.key());
            if (wanted && change.origin() != Origin.OWN_WRITE) {
                mailbox.inputChanged(key);
            } else {
                mailbox.recheck(key);
            }
        });
        if (change.after().isEmpty()) {
            change.before()
                    .filter(this::isServed)
                    .flatMap(AttacherController::volumeOf)
                    .ifPresent(volume -> mailbox.recheck(new Key(VOLUME, ObjectKey.cluster(volume))));
        }
    }

    private boolean isServed(VolumeAttachment attachment) {
        return plugins.named(attachment.spec().attacher()).isPresent();
    }

    private static Optional<String> volumeOf(VolumeAttachment attachment) {
        return attachment.spec().source().persistentVolumeName();
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        if (key.type().equals(VOLUME)) {
            return decideVolume(key.object(), situation);
        }
        return situation
                .caches()
                .get(Kinds.VOLUME_ATTACHMENT, key.object())
                .filter(this::isServed)
                // What was answered for a former attachment of this name says nothing about this one.
                .map(attachment -> ObjectState.decide(
                        attachment.metadata().uid(),
                        state,
                        situation,
                        (known, own) -> new ServedAttachment(attachment, plugins, own).decide(known)))
                .orElseGet(Decision::nothing);
    }

    /** A volume that is being deleted is let go once no attachment of it is left. */
    private Decision decideVolume(ObjectKey key, Situation situation) {
        Optional<PersistentVolume> volume = situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME, key)
                .filter(found -> found.metadata().isDeleting());
        Optional<String> finalizer = volume.flatMap(found -> found.spec().source())
                .flatMap(plugins::serving)
                .map(plugin ->
                        ServedAttachment.finalizer(plugin.describe().name().value()))
                .filter(own -> volume.get().metadata().hasFinalizer(own));
        if (finalizer.isEmpty() || !ofVolume.of(key.name()).isEmpty()) {
            return Decision.nothing();
        }
        PersistentVolume released =
                volume.get().withMetadata(volume.get().metadata().withoutFinalizer(finalizer.get()));
        return Decision.act(new Effect.Update<>(
                AttachmentOperations.RELEASE, Kinds.PERSISTENT_VOLUME, new Change<>(volume.get(), released)));
    }
}
