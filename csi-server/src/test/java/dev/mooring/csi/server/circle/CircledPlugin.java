// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What comes out of a {@link Circle}: a plugin that makes, copies, deletes and publishes. */
record CircledPlugin(Circle circle)
        implements StoragePlugin, Provisioning, Cloning, Snapshotting, Deleting, Publishing {
    /** What a frame has to arrive in meanwhile that is on its way between two threads. */
    private static final int QUIET_LOOKS = 10;

    private static final Set<String> WAITING =
            Set.of("epollWait", "epollWait0", "wait", "select", "getTask", "take", "tryAcquire");

    @Override
    public PluginDescriptor describe() {
        PluginDescriptor driver = circle.controllers.describe();
        return PluginDescriptor.of(
                        circle.node.describe().name(), circle.node.describe().sourceTypes(), driver.reclaimPlace())
                .withSupportsMountOptions(driver.supportsMountOptions())
                .withManagesOwnership(driver.managesOwnership());
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return circle.node.identify(source);
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return circle.node.validate(source);
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        return of(circle.controllers, Provisioning.class).plan(request);
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        claim(request);
        return on(context, () -> of(circle.controllers, Provisioning.class).provision(context, request, plan));
    }

    @Override
    public Outcome<VolumeTemplate> cloneVolume(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source) {
        claim(request);
        return on(context, () -> of(circle.controllers, Cloning.class).cloneVolume(context, request, plan, source));
    }

    @Override
    public Outcome<Map<String, String>> planSnapshot(SnapshotRequest request) {
        return of(circle.controllers, Snapshotting.class).planSnapshot(request);
    }

    @Override
    public Outcome<SnapshotFacts> createSnapshot(OperationContext context, SnapshotRequest request, VolumeSpec source) {
        return on(context, () -> of(circle.controllers, Snapshotting.class).createSnapshot(context, request, source));
    }

    @Override
    public Outcome<Nothing> deleteSnapshot(OperationContext context, SnapshotRef snapshot) {
        return on(context, () -> of(circle.controllers, Snapshotting.class).deleteSnapshot(context, snapshot));
    }

    @Override
    public Outcome<Optional<SnapshotFacts>> findSnapshot(OperationContext context, SnapshotRef snapshot) {
        return on(context, () -> of(circle.controllers, Snapshotting.class).findSnapshot(context, snapshot));
    }

    @Override
    public Outcome<VolumeTemplate> restore(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, SnapshotRef snapshot) {
        claim(request);
        return on(context, () -> of(circle.controllers, Snapshotting.class).restore(context, request, plan, snapshot));
    }

    /** As it is when volumes are made for it. */
    private void claim(ProvisionRequest request) {
        // One that is there already is as good.
        circle.store.create(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                PersistentVolumeClaim.of(
                        request.claim().namespace(), request.claim().name(), PersistentVolumeClaimSpec.EMPTY));
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return on(context, () -> of(circle.controllers, Deleting.class).delete(context, volume));
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return on(context, () -> of(circle.node, Publishing.class).publish(context, request));
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return on(context, () -> of(circle.node, Publishing.class).unpublish(context, volume, pod, target, state));
    }

    @Override
    public Path shownAt() {
        return of(circle.node, Publishing.class).shownAt();
    }

    private static <C extends Capability> C of(StoragePlugin plugin, Class<C> type) {
        return plugin.capability(type).orElseThrow();
    }

    /** The driver works on the machine of the call. If that died, so did the driver, and the call has no answer. */
    private <T> Outcome<T> on(OperationContext context, Supplier<Outcome<T>> call) {
        circle.host.set(context.host());
        Outcome<T> outcome = call.get();
        if (!outcome.isDone()) {
            awaitDriver();
        }
        // A look at a machine that has died does not come back.
        context.host().sysfs().read(Path.of("/sys/kernel"));
        return outcome;
    }

    /** A call that was given up goes on in the driver's process for a while. What it leaves is looked at when it has ended. */
    private static void awaitDriver() {
        int quiet = 0;
        while (quiet < QUIET_LOOKS) {
            quiet = Thread.getAllStackTraces().entrySet().stream().anyMatch(CircledPlugin::works) ? 0 : quiet + 1;
        }
    }

    /** Whether a thread of the driver or of its connection does anything but wait for work. */
    private static boolean works(Map.Entry<Thread, StackTraceElement[]> each) {
        String name = each.getKey().getName();
        return (name.startsWith("csi-call-") || name.startsWith("mooring-csi-"))
                && each.getValue().length > 0
                && Arrays.stream(each.getValue()).noneMatch(frame -> WAITING.contains(frame.getMethodName()));
    }
}
