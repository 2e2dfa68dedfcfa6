// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.SourceChecks;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
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
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Paths of the node: shows what a path led to at the moment of the check, makes directories below the host's state directory for
 * claims, and deletes only those (semantics/plugins §4). Everything that touches data happens on the node.
 *
 * <p>Two rules cannot be kept here, since they need all volumes and all nodes: that no other volume or pod overlaps with a path that
 * is deleted or recycled (R2), and that it is not published elsewhere (R3). They are the binder's; what this machine's mount table
 * shows is checked here too. That a volume is used on the node of its affinity is the caller's to see to.
 *
 * <p>Thread-safe; the caller makes no two calls for one volume at once.
 */
public final class HostPathPlugin
        implements StoragePlugin, Provisioning, Cloning, Snapshotting, Deleting, Recycling, Publishing {
    static final PluginName NAME = new PluginName("kubernetes.io/host-path");

    private static final String FIELD = "hostPath.path";

    private final HostPathSettings settings;
    private final Lock notes = new ReentrantLock();

    /** For {@link java.util.ServiceLoader}. */
    public HostPathPlugin() {
        this(HostPathSettings.DEFAULT);
    }

    private HostPathPlugin(HostPathSettings settings) {
        this.settings = settings;
    }

    @Override
    public Outcome<StoragePlugin> configured(Map<String, String> wanted) {
        return HostPathSettings.read(wanted).map(HostPathPlugin::new);
    }

    /** Where volumes are made, with the records of them. */
    @Override
    public List<Path> keptDirectories() {
        return List.of(settings.effectiveRoot());
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(HostPathSource.TYPE), Place.NODE)
                .withDriverName("hostpath.csi.mooring.dev");
    }

    /** The path as written, normalised; which node it is on is not known here and is the host's to add. */
    @Override
    public VolumeId identify(VolumeSource source) {
        String path = HostPathSource.of(source).map(HostPathSource::path).orElse("/");
        return new VolumeId(NAME, SourceChecks.normalised(path).toString());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return HostPathSources.problems(source, settings.relativeBelowRoot());
    }

    /**
     * Decides everything but the directory's place, which the node's configuration decides: the path in the plan is the one below
     * the root in the settings, or else the usual one; the path in what {@link #provision} answers is the true one.
     */
    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        return HostPathProvisionPlan.of(request).map(plan -> plan.template(settings.effectiveRoot()));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        return HostPathProvisionPlan.of(request)
                .then(checked -> Store.with(
                        context, settings, store -> new HostPathProvisioner(context, store).provision(checked)));
    }

    /** File by file: of what pods write meanwhile the copy has a part or nothing. */
    @Override
    public Outcome<VolumeTemplate> cloneVolume(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source) {
        return HostPathProvisionPlan.of(request)
                .then(checked -> Store.with(
                        context,
                        settings,
                        store -> new HostPathProvisioner(context, store)
                                .copy(checked, () -> HostPathOriginals.volume(context, store, source))));
    }

    @Override
    public Outcome<Map<String, String>> planSnapshot(SnapshotRequest request) {
        return HostPathSnapshots.plan(request);
    }

    /** File by file, as a clone is made. It is of the moment at which copying began. */
    @Override
    public Outcome<SnapshotFacts> createSnapshot(OperationContext context, SnapshotRequest request, VolumeSpec source) {
        return new HostPathSnapshots(context, settings).create(request, source);
    }

    @Override
    public Outcome<Nothing> deleteSnapshot(OperationContext context, SnapshotRef snapshot) {
        return new HostPathSnapshots(context, settings).delete(snapshot);
    }

    @Override
    public Outcome<Optional<SnapshotFacts>> findSnapshot(OperationContext context, SnapshotRef snapshot) {
        return new HostPathSnapshots(context, settings).find(snapshot);
    }

    @Override
    public Outcome<VolumeTemplate> restore(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, SnapshotRef snapshot) {
        return HostPathProvisionPlan.of(request)
                .then(checked -> new HostPathSnapshots(context, settings).restore(checked, snapshot));
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return HostPathSources.checked(volume.source(), settings.relativeBelowRoot())
                .then(source -> SourceChecks.nameInDenial(
                        volume,
                        FIELD,
                        new HostPathDeleter(context, settings).delete(volume, SourceChecks.normalised(source.path()))));
    }

    @Override
    public Outcome<Nothing> recycle(OperationContext context, VolumeSpec volume) {
        return HostPathSources.checked(volume.source(), settings.relativeBelowRoot())
                .then(source -> SourceChecks.nameInDenial(
                        volume,
                        FIELD,
                        new HostPathRecycler(context, settings, notes)
                                .recycle(volume, SourceChecks.normalised(source.path()))));
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return HostPathSources.checked(request.volume().source(), settings.relativeBelowRoot())
                .then(source -> SourceChecks.nameInDenial(
                        request.volume(),
                        FIELD,
                        new HostPathPublisher(context, settings, notes).publish(request, source)));
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return new HostPathPublisher(context, settings, notes).unpublish(volume, target, state);
    }
}
