// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.node;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.Path;

/** Volumes of drivers as raw devices: the driver publishes a file, and the host holds and links it (semantics/csi §6.5). Thread-safe. */
public final class DevicePublisher {
    private static final int OWN = 0750;

    private final NodePublisher publisher;
    private final NodePaths paths;

    /** Has volumes published as the publisher does, at paths of devices. */
    public DevicePublisher(NodePublisher publisher, NodePaths paths) {
        this.publisher = publisher;
        this.paths = paths;
    }

    /** Has the driver publish the device. */
    public Outcome<Path> map(OperationContext context, VolumeId id, PublishRequest request) {
        Path published = paths.devicePublished(id, request.pod());
        return directory(context, published)
                .then(made -> publisher.call(context, request, CsiVolumeSource.of(request.volume()), published))
                .map(done -> published);
    }

    /** Removes what a kubelet noted of a device that it had staged there. */
    public Outcome<Nothing> forget(OperationContext context, Path stagingPath) {
        return new KubeletDevices(paths.devices()).forget(context, stagingPath);
    }

    private static Outcome<Nothing> directory(OperationContext context, Path published) {
        Path parent = published.getParent();
        return context.host()
                .files()
                .openOrMake(parent == null ? published : parent, LinkRule.REFUSE, FileKind.DIRECTORY, OWN)
                .map(made -> {
                    made.path().close();
                    return Nothing.NOTHING;
                });
    }

    /** Undoes {@link #map}, or what a kubelet had the driver publish; the directory goes with the last pod. */
    public Outcome<Nothing> unmap(OperationContext context, VolumeId id, PodRef pod) {
        return new KubeletDevices(paths.devices())
                .published(context, id, pod)
                .then(found -> unmap(context, id, found.orElseGet(() -> paths.devicePublished(id, pod))));
    }

    private Outcome<Nothing> unmap(OperationContext context, VolumeId id, Path published) {
        Path parent = published.getParent();
        return publisher.unpublished(context, id, published).then(gone -> {
            Outcome<Nothing> removed = parent == null ? Outcome.done() : LeftMounts.remove(context, parent);
            return removed.isRefused(Refusal.IN_USE) ? Outcome.done() : removed;
        });
    }
}
