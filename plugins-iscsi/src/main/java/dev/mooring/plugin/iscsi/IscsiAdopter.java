// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiSessions.Session;
import dev.mooring.plugin.iscsi.Staged.DeviceUse;
import dev.mooring.plugin.iscsi.Staged.PortalUse;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Reconstructing.Adopted;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Recognises a volume that a kubelet has staged, or whose device it holds for a pod. Its disks are taken over: they were scanned for this
 * volume alone, and no other program would remove them. Its sessions and records stay another program's (semantics/plugins §3.6 step 8).
 * What is mounted or held has to be the unit that is noted; a note alone proves nothing.
 */
final class IscsiAdopter {
    private static final String DEVICES = "/volumeDevices/";

    private final IscsiCall call;
    private final Function<VolumeSource, VolumeId> identity;

    IscsiAdopter(IscsiCall call, Function<VolumeSource, VolumeId> identity) {
        this.call = call;
        this.identity = identity;
    }

    Outcome<Adopted> adopt(Path place) {
        Optional<Path> volume = volumeOfDevice(place);
        Path directory = volume.orElse(place);
        return call.host().mounts().table().then(table -> {
            Optional<MountEntry> entry = table.top(place);
            return entry.isEmpty()
                    ? Outcome.refused(Refusal.NOT_FOUND, "nothing is mounted at " + place)
                    : KubeletNote.in(call, directory)
                            .map(note -> note.or(() -> KubeletNote.ofName(directory)))
                            .then(note -> note.isEmpty()
                                    ? Outcome.refused(Refusal.NOT_FOUND, "no kubelet has staged " + directory)
                                    : volume.isPresent()
                                            ? held(place, note.get(), entry.get())
                                            : adopt(
                                                    note.get(),
                                                    entry.get().fsType(),
                                                    entry.get(),
                                                    entry.get().device()));
        });
    }

    /** A device is held for a pod in a file that bears the pod's uid, in the directory of its volume. */
    private static Optional<Path> volumeOfDevice(Path place) {
        return place.toString().contains(DEVICES) ? Optional.ofNullable(place.getParent()) : Optional.empty();
    }

    /** A bound device has the numbers of the file system in which its node lies; those of the disk are its own. */
    private Outcome<Adopted> held(Path place, KubeletNote note, MountEntry entry) {
        return call.host().blockDevices().find(place).then(device -> adopt(note, "", entry, device.number()));
    }

    private Outcome<Adopted> adopt(KubeletNote note, String fsType, MountEntry entry, String number) {
        VolumeSource source = note.source(fsType, entry.readOnly()).toSource();
        VolumeId volume = identity.apply(source);
        return call.withTarget(
                        note.iqn(),
                        () -> new StagedLedger(call.host())
                                .find(volume)
                                .then(known -> known.isPresent()
                                        ? Outcome.done(known.get())
                                        : take(volume, note, entry, number)))
                .map(staged -> new Adopted(source, staged.toState()));
    }

    private Outcome<Staged> take(VolumeId volume, KubeletNote note, MountEntry entry, String number) {
        return new IscsiSessions(call.host().sysfs())
                .of(note.iqn())
                .map(sessions -> noted(note, sessions))
                .then(staged -> Disks.of(call, staged)
                        .then(disks -> ofMount(staged, disks, entry, number))
                        .then(whole ->
                                new StagedLedger(call.host()).put(volume, whole).map(nothing -> whole)));
    }

    private static Staged noted(KubeletNote note, List<Session> sessions) {
        Staged staged = Staged.nothing(note.iqn(), note.lun(), note.iface());
        for (Session session : sessions) {
            if (session.iface().equals(note.iface())) {
                staged = staged.with(new PortalUse(session.portal(), false, false))
                        .with(new DeviceUse(IscsiSessions.place(session, note.lun()), true));
            }
        }
        return staged;
    }

    private Outcome<Staged> ofMount(Staged staged, List<BlockDevice> disks, MountEntry entry, String number) {
        return Mapper.numbered(call, disks, number).then(mounted -> {
            if (mounted.isEmpty()) {
                return Outcome.refused(
                        Refusal.NOT_FOUND,
                        entry + " is not unit " + staged.lun() + " of " + staged.iqn() + ", as a kubelet has noted");
            }
            Staged whole = staged.withDisk(
                            disks.get(0).wwid().orElse(""), disks.get(0).sizeBytes())
                    .withMount(number);
            return disks.contains(mounted.get())
                    ? Outcome.done(whole)
                    : new Multipath(call).name(mounted.get()).map(whole::withMap);
        });
    }
}
