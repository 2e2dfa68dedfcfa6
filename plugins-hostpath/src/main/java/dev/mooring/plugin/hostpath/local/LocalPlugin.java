// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.SourceChecks;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.FoundVolume;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Disks and directories of one node (semantics/plugins §5). A volume is the disk that was recorded for it, whatever its path leads to;
 * a disk that is not mounted is waited for, and one that held data of a volume is used for no other one before it has been cleaned.
 *
 * <p>That a volume is used on the node of its affinity is the caller's to see to. Thread-safe; the caller makes no two calls for one
 * volume at once.
 */
public final class LocalPlugin
        implements StoragePlugin, Staging, Publishing, BlockMapping, NodeExpanding, Statistics, Deleting {
    static final PluginName NAME = new PluginName("kubernetes.io/local-volume");
    private static final String FIELD = "local.path";

    private final LocalSettings settings;

    /** For {@link java.util.ServiceLoader}. */
    public LocalPlugin() {
        this(LocalSettings.DEFAULT);
    }

    private LocalPlugin(LocalSettings settings) {
        this.settings = settings;
    }

    @Override
    public Outcome<StoragePlugin> configured(Map<String, String> wanted) {
        return LocalSettings.read(wanted).map(LocalPlugin::new);
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(LocalSource.TYPE), Place.NODE)
                .withSupportsMountOptions(true)
                .withManagesOwnership(true)
                .withDriverName("local.csi.mooring.dev");
    }

    /** The path as written, normalised; which disk is there is found out on the node, at every use. */
    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, LocalSources.path(source).toString());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return LocalSources.problems(source);
    }

    @Override
    public boolean discovers() {
        return !settings.offers().isEmpty();
    }

    @Override
    public Outcome<List<FoundVolume>> discover(OperationContext context, Map<String, String> nodeLabels) {
        return new Finder(context, nodeLabels)
                .find(List.copyOf(settings.offers().values()));
    }

    @Override
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        return new LocalStager(context, settings).stage(request);
    }

    @Override
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        return new LocalStager(context, settings).unstage(volume, stagingPath, state);
    }

    @Override
    public boolean showsMounts(PluginState state) {
        return !state.equals(LocalStager.UNMOUNTED);
    }

    @Override
    public Path stagingDirectory(VolumeSpec volume, VolumeId id) {
        return Path.of(volume.mode() == VolumeMode.BLOCK ? "volumeDevices/staging" : "mounts", volume.name());
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return SourceChecks.nameInDenial(
                request.volume(), FIELD, new LocalPublisher(context, settings).publish(request));
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return new LocalPublisher(context, settings).unpublish(volume, target, state);
    }

    @Override
    public boolean ownedByFirstPod() {
        return true;
    }

    @Override
    public Outcome<Path> map(OperationContext context, PublishRequest request) {
        if (request.volume().mode() != VolumeMode.BLOCK) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "the volume is a file system, no block device");
        }
        return new DiskAdmission(context, settings)
                .use(
                        request.volume(),
                        located -> located.device()
                                .map(device -> Outcome.done(device.path()))
                                .orElseGet(() -> LocalStager.noDevice(located.path())));
    }

    @Override
    public Path mapDirectory(VolumeSpec volume, VolumeId id) {
        return Path.of("volumeDevices", volume.name());
    }

    /** Nothing to undo: the device was only found. */
    @Override
    public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
        return Outcome.done();
    }

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return new DiskAdmission(context, settings)
                .recognise(volume, located -> new Measuring(context).expand(volume, path, wanted, located));
    }

    @Override
    public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
        return new Measuring(context).usage(path);
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return SourceChecks.nameInDenial(volume, FIELD, new LocalDeleter(context, settings).delete(volume));
    }
}
