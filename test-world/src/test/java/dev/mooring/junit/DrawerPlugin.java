// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
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
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.TreeRules;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/** A plugin as a third party writes one: directories in its own place, attached to a node before a pod sees them. */
final class DrawerPlugin implements StoragePlugin, Provisioning, Deleting, Attaching, Publishing {
    static final PluginName NAME = new PluginName("drawer.example.com");

    final Set<String> attached = new ConcurrentSkipListSet<>();
    final Set<String> deleted = new ConcurrentSkipListSet<>();
    final AtomicInteger publishes = new AtomicInteger();
    volatile Optional<RuntimeException> defect = Optional.empty();

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(), Place.CONTROLLER);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, handle(source));
    }

    private static String handle(VolumeSource source) {
        return CsiSource.of(source).orElseThrow().volumeHandle();
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        return Outcome.done(new VolumeTemplate(
                new CsiSource(NAME.value(), request.volumeName(), "", false, Map.of()).toSource(),
                request.requested(),
                request.accessModes(),
                Optional.empty(),
                Map.of()));
    }

    private static Path directory(OperationContext context, String handle) {
        return context.host().stateDirectory(NAME).orThrow().resolve(handle);
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        Path directory = directory(context, handle(plan.source()));
        return context.host()
                .files()
                .openOrMake(directory, LinkRule.REFUSE, FileKind.DIRECTORY, 0755)
                .map(made -> {
                    made.path().close();
                    return plan;
                });
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        Path directory = directory(context, handle(volume.source()));
        return context.host().files().open(directory, LinkRule.REFUSE).then(opened -> {
            try (opened) {
                return opened.facts()
                        .then(facts -> context.host().files().empty(context, opened, TreeRules.all(facts.identity())))
                        .map(emptied -> {
                            deleted.add(volume.name());
                            return Nothing.NOTHING;
                        });
            }
        });
    }

    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        attached.add(node.name());
        return Outcome.done(Map.of());
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        attached.remove(node.name());
        return Outcome.done();
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return Map.of();
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        publishes.incrementAndGet();
        defect.ifPresent(thrown -> {
            throw thrown;
        });
        Path directory = directory(context, handle(request.volume().source()));
        return context.host().files().open(directory, LinkRule.REFUSE).then(opened -> {
            try (opened) {
                return context.host()
                        .mounts()
                        .bind(opened, request.target(), BindOptions.PLAIN.readOnly(request.readOnly()))
                        .map(mounted -> PluginState.NONE);
            }
        });
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return context.host()
                .mounts()
                .table()
                .then(table -> context.host()
                        .mounts()
                        .unmount(
                                context,
                                target,
                                table.top(target)
                                        .map(mounted -> MountExpectation.of(mounted, false))
                                        .orElseGet(MountExpectation::nothing),
                                UnmountForce.NONE));
    }
}
