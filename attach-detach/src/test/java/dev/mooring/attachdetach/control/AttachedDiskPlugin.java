// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Fencing;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The pure half of a plugin; its calls are answered by the {@link AttachDetachWorld}. */
final class AttachedDiskPlugin implements StoragePlugin, Attaching, Fencing {
    private final boolean exclusive;
    private final boolean fences;

    /** Whether it may know what is attached. */
    boolean tells;

    AttachedDiskPlugin(boolean exclusive, boolean fences) {
        this.exclusive = exclusive;
        this.fences = fences;
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(new PluginName(AttachDetachObjects.DRIVER), List.of(), Place.CONTROLLER)
                .withSupportsMountOptions(true);
    }

    @Override
    public <C extends Capability> Optional<C> capability(Class<C> type) {
        return type == Fencing.class && !fences ? Optional.empty() : StoragePlugin.super.capability(type);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(
                describe().name(), CsiSource.of(source).orElseThrow().volumeHandle());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    @Override
    public boolean exclusive(VolumeSpec volume) {
        return exclusive;
    }

    /** It depends on the way to the storage too, as iSCSI's on the first portal; here the file system's type stands for that way. */
    @Override
    public String reportedName(VolumeSpec volume, VolumeId id) {
        return AttachDetachObjects.reported(id.backend())
                + CsiSource.of(volume.source()).orElseThrow().fsType();
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        throw new IllegalStateException("never called here");
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        throw new IllegalStateException("never called here");
    }

    @Override
    public boolean tellsAttachments() {
        return tells;
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return Map.of();
    }

    @Override
    public Outcome<Nothing> fence(OperationContext context, VolumeId volume, NodeRef lost) {
        throw new IllegalStateException("never called here");
    }

    @Override
    public Outcome<Nothing> unfence(OperationContext context, VolumeId volume, NodeRef back) {
        throw new IllegalStateException("never called here");
    }
}
