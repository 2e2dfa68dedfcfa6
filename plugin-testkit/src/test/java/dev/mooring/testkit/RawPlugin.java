// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Nothing but raw devices that can grow. */
final class RawPlugin implements StoragePlugin, BlockMapping, NodeExpanding {
    static final PluginName NAME = new PluginName("raw.example.com");

    private final Path images;
    private final boolean halves;

    /**
     * A plugin.
     *
     * @param halves whether it is satisfied with half of what was wanted
     */
    RawPlugin(Path images, boolean halves) {
        this.images = images;
        this.halves = halves;
    }

    static VolumeSource source(String image) {
        return new CsiSource(NAME.value(), image, "", false, Map.of()).toSource();
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(), Place.NODE).withManagesOwnership(true);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, CsiSource.of(source).orElseThrow().volumeHandle());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        boolean good = CsiSource.of(source)
                .filter(csi ->
                        csi.driver().equals(NAME.value()) && csi.volumeHandle().matches("raw-\\d+"))
                .isPresent();
        return good ? List.of() : List.of(new FieldProblem("spec.csi.volumeHandle", "must name an image"));
    }

    private Path image(VolumeId volume) {
        return images.resolve(volume.backend());
    }

    @Override
    public Outcome<Path> map(OperationContext context, PublishRequest request) {
        return context.host()
                .blockDevices()
                .attachLoop(context, image(identify(request.volume().source())))
                .map(BlockDevice::path);
    }

    @Override
    public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
        return context.host().blockDevices().detachLoop(context, image(volume));
    }

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return context.host()
                .blockDevices()
                .find(path)
                .then(device -> context.host().blockDevices().rescan(context, device))
                .map(device -> halves ? Quantity.ofBytes(wanted.longValue() / 2) : wanted);
    }
}
