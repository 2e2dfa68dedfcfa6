// SPDX-License-Identifier: Apache-2.0
package com.example.shelf;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Volumes that are directories on a shelf of the node: made for a claim, shown to pods by a bind mount, deleted with the claim. Their size
 * is written down and not enforced. In a cluster such a volume is a CSI source with this plugin's name as driver, and a handle that says
 * on which node it is.
 */
public final class ShelfPlugin implements StoragePlugin, Provisioning, Deleting, Publishing, NodeExpanding {
    static final PluginName NAME = new PluginName("shelf.example.com");
    private static final String HOSTNAME = "kubernetes.io/hostname";

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(), Place.NODE)
                .withManagesOwnership(true)
                .withDriverName("shelf.csi.example.com");
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, Handle.of(source).orElseThrow().toString());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return Handle.of(source).isPresent()
                ? List.of()
                : List.of(new FieldProblem("spec.csi.volumeHandle", "must be NODE/NAME, and the driver " + NAME));
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        boolean plain = request.mode() == VolumeMode.FILESYSTEM && request.mountOptions().isEmpty();
        if (!plain || !request.parameters().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "a shelf has no raw devices, mount options or parameters");
        }
        if (request.selectedNode().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "the class needs volumeBindingMode: WaitForFirstConsumer");
        }
        String node = request.selectedNode().get().name();
        String hostname = request.nodeLabels().getOrDefault(HOSTNAME, node);
        return Outcome.done(new VolumeTemplate(
                new CsiSource(NAME.value(), new Handle(node, request.volumeName()).toString(), "", false, Map.of()).toSource(),
                request.requested(),
                request.accessModes(),
                Optional.of(VolumeNodeAffinity.onlyWhere(HOSTNAME, hostname)),
                Map.of()));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        return onShelf(context, plan.source(), (shelf, name) -> shelf.make(name, request.claimUid(), plan.capacity()))
                .map(nothing -> plan);
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return onShelf(context, volume.source(), Shelf::remove);
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        if (request.volume().mode() == VolumeMode.BLOCK) {
            return Outcome.refused(Refusal.UNSUPPORTED, "a shelf has no raw devices");
        }
        return onShelf(context, request.volume().source(), (shelf, name) -> shelf.show(name, request.target(), request.readOnly()))
                .map(nothing -> PluginState.NONE);
    }

    @Override
    public Outcome<Nothing> unpublish(OperationContext context, VolumeId id, PodRef pod, Path target, PluginState state) {
        return Shelf.with(context, shelf -> shelf.hide(id, target));
    }

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return onShelf(context, volume.source(), (shelf, name) -> shelf.grow(name, wanted));
    }

    /** Only on the node that holds the volume: another one would show an empty directory. */
    private static <T> Outcome<T> onShelf(OperationContext context, VolumeSource source, BiFunction<Shelf, String, Outcome<T>> action) {
        Optional<Handle> handle = Handle.of(source);
        if (handle.isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "no volume of " + NAME);
        }
        return context.node().filter(node -> node.name().equals(handle.get().node())).isPresent()
                ? Shelf.with(context, shelf -> action.apply(shelf, handle.get().name()))
                : Outcome.refused(Refusal.INVALID, "the volume is on node " + handle.get().node());
    }
}
