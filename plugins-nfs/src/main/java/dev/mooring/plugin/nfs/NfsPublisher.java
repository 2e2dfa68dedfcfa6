// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.BootId;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.stream.Stream;

/** Shows an export to a pod: one mount per pod, straight on the pod's path (semantics/plugins §2.3). */
final class NfsPublisher {
    /** On a volume: {@code "true"} lets only one node at a time have a volume that is ReadWriteOnce. */
    static final String EXCLUSIVE = "mooring.dev/exclusive";

    private final OperationContext context;
    private final ExportMount mount;
    private final NfsSettings settings;

    NfsPublisher(OperationContext context, ExportMount mount, NfsSettings settings) {
        this.context = context;
        this.mount = mount;
        this.settings = settings;
    }

    Outcome<PluginState> publish(PublishRequest request) {
        VolumeSpec volume = request.volume();
        boolean readOnly = request.readOnly() || isReadOnly(volume);
        boolean inUse = request.occasion() == PublishRequest.Occasion.REPUBLISH;
        return NfsSources.export(volume.source())
                .then(export -> NfsMountOptions.of(options(volume), readOnly)
                        .then(options -> mount.mount(export, request.target(), options, inUse)))
                .map(entry -> {
                    if (readOnly && !request.readOnly()) {
                        context.report(Notice.normal(
                                "MountedReadOnly",
                                "mounted read-only since the volume is, although the pod did not ask for it"));
                    }
                    return PublishedState.of(entry, BootId.current(context.host()), isExclusive(volume))
                            .write();
                });
    }

    /** The volume's own word counts as well as the claim's reference (#90885). */
    private boolean isReadOnly(VolumeSpec volume) {
        boolean readOnlyMany =
                settings.roxMeansReadOnly() && volume.accessModes().equals(List.of(AccessMode.READ_ONLY_MANY));
        return readOnlyMany
                || NfsSource.of(volume.source()).filter(NfsSource::readOnly).isPresent();
    }

    private List<String> options(VolumeSpec volume) {
        return Stream.concat(volume.mountOptions().stream(), settings.podOptions().stream())
                .toList();
    }

    /** Whether it is attached to one node at a time: only where that was asked for, as Kubernetes attaches no NFS volume. */
    static boolean takesSlot(VolumeSpec volume) {
        return "true".equals(volume.annotations().get(EXCLUSIVE));
    }

    static boolean isExclusive(VolumeSpec volume) {
        return volume.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD) || takesSlot(volume);
    }
}
