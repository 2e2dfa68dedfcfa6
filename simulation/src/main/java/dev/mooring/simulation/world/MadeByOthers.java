// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.calls.ReclaimOnNodeCall;
import java.util.Optional;

/**
 * What the plugins of NFS and hostPath do not destroy: directories that they did not make, whatever the volume's policy says. Their ledgers
 * tell that to the real ones; here the provisioner that the volume names decides. Pure.
 */
final class MadeByOthers {
    private MadeByOthers() {}

    /** The refusal of a call that would destroy such a directory, in the words of the real plugins; empty for other calls. */
    static Optional<Outcome<?>> refusal(Call call) {
        return destroyed(call)
                .filter(volume -> !volume.annotations().containsKey(Annotations.PROVISIONED_BY))
                .flatMap(volume -> directory(volume.source()))
                .map(directory -> Outcome.refused(Refusal.DENIED, directory + " was not created here"));
    }

    private static Optional<VolumeSpec> destroyed(Call call) {
        if (call instanceof DeleteCall delete) {
            return Optional.of(delete.spec());
        }
        return call instanceof ReclaimOnNodeCall reclaim && reclaim.work() == ReclaimOnNodeCall.Work.DELETE
                ? Optional.of(reclaim.spec())
                : Optional.empty();
    }

    private static Optional<String> directory(VolumeSource source) {
        return NfsSource.of(source)
                .map(nfs -> nfs.server() + ":" + nfs.path())
                .or(() -> HostPathSource.of(source).map(HostPathSource::path));
    }
}
