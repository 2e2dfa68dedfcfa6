// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiSessions.Session;
import dev.mooring.plugin.iscsi.Staged.DeviceUse;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the disk below every session (semantics/plugins §3.5, steps 8 to 11). */
final class Disks {
    static final String NOTE = "mooring.dev/wwid";

    private static final Set<String> GIVEN_UP = Set.of("transport-offline", "offline");
    private static final Path HOSTS = Path.of("/sys/class/scsi_host");
    private static final Duration APPEARANCE = Duration.ofSeconds(30);

    private final IscsiCall call;
    private final Journal journal;
    private final IscsiSessions sessions;

    Disks(IscsiCall call, Journal journal) {
        this.call = call;
        this.journal = journal;
        this.sessions = new IscsiSessions(call.host().sysfs());
    }

    /** The disk over every path where it is: at least one. */
    Outcome<List<BlockDevice>> find(List<Session> connected) {
        List<BlockDevice> found = new ArrayList<>();
        for (Session session : connected) {
            Outcome<Optional<BlockDevice>> disk = find(session);
            if (!disk.isDone()) {
                return disk.failed();
            }
            Optional<BlockDevice> device = disk.result().orElseThrow();
            device.ifPresent(found::add);
            if (device.isEmpty()) {
                journal.lacks(session.portal());
                call.context()
                        .report(Notice.warning(
                                "VolumePathMissing",
                                "no path over " + session.portal() + ": the unit does not appear there"));
            }
        }
        return found.isEmpty()
                ? Outcome.deferred("unit " + journal.now().lun() + " of "
                        + journal.now().iqn() + " does not appear; does the target offer it to this initiator?")
                : Outcome.done(found);
    }

    private Outcome<Optional<BlockDevice>> find(Session session) {
        String place = IscsiSessions.place(session, journal.now().lun());
        return withoutStale(session, place)
                .then(nothing -> journal.note(now -> now.with(new DeviceUse(place, true))))
                .then(nothing -> call.host()
                        .sysfs()
                        .write(
                                call.context(),
                                HOSTS.resolve("host" + session.host()).resolve("scan"),
                                "0 0 " + journal.now().lun()))
                .then(nothing -> call.await(APPEARANCE, () -> usable(place)));
    }

    /** What is there without our record was another disk once (#59946, #90982). */
    private Outcome<Nothing> withoutStale(Session session, String place) {
        if (journal.now().device(place).isPresent()) {
            return Outcome.done();
        }
        return sessions.places(session).then(places -> places.contains(place) ? remove(place) : Outcome.done());
    }

    private Outcome<Nothing> remove(String place) {
        return disk(call, place)
                .then(found -> found.isEmpty()
                        ? Outcome.done()
                        : withoutMap(found.get())
                                .then(nothing -> unused(found.get()))
                                .then(nothing -> call.host().blockDevices().remove(call.context(), found.get())));
    }

    /** multipathd takes every disk it finds; an unused map may go. */
    private Outcome<Nothing> withoutMap(BlockDevice device) {
        return call.host()
                .blockDevices()
                .multipathMap(device)
                .then(map -> map.isEmpty()
                        ? Outcome.done()
                        : unused(map.get()).then(nothing -> new Multipath(call).flush(map.get())));
    }

    private Outcome<Nothing> unused(BlockDevice device) {
        return call.host()
                .blockDevices()
                .users(call.context(), device)
                .then(users -> users.isEmpty()
                        ? Outcome.done()
                        : Outcome.refused(
                                Refusal.IN_USE,
                                device.path() + " at the unit's place is not ours and in use: "
                                        + String.join(", ", users)));
    }

    /** The disks at the volume's unit below its sessions, whichever disks they are. */
    static Outcome<List<BlockDevice>> of(IscsiCall call, Staged staged) {
        return places(call, staged)
                .then(places -> Steps.collect(places, place -> disk(call, place)))
                .map(found -> found.stream().flatMap(Optional::stream).toList());
    }

    /**
     * Those that are recorded, and those below a session of ours: iscsid may have brought both back at a boot. A place is only looked at
     * below the volume's own sessions, since its number may belong to another session by now.
     */
    private static Outcome<List<String>> places(IscsiCall call, Staged staged) {
        return new IscsiSessions(call.host().sysfs())
                .of(staged.iqn())
                .map(sessions -> sessions.stream()
                        .filter(session -> session.iface().equals(staged.iface()))
                        .filter(session -> isOurs(staged, session))
                        .map(session -> IscsiSessions.place(session, staged.lun()))
                        .toList());
    }

    private static boolean isOurs(Staged staged, Session session) {
        boolean recorded = staged.device(IscsiSessions.place(session, staged.lun()))
                .filter(DeviceUse::ours)
                .isPresent();
        return staged.use(session.portal())
                .filter(use -> use.session() || recorded)
                .isPresent();
    }

    /** The disk at a place; empty while there is none. */
    private static Outcome<Optional<BlockDevice>> disk(IscsiCall call, String place) {
        return new IscsiSessions(call.host().sysfs())
                .disk(place)
                .then(name -> name.isEmpty()
                        ? Outcome.done(Optional.empty())
                        : call.host().blockDevices().named(name.get()).ifFound());
    }

    /** Those of the disks that the kernel has given up; not a disk that it still waits for. */
    static Outcome<List<BlockDevice>> givenUp(IscsiCall call, List<BlockDevice> paths) {
        return Steps.collect(
                        paths,
                        path -> state(call, path)
                                .map(state -> state.filter(GIVEN_UP::contains).map(gone -> path)))
                .map(found -> found.stream().flatMap(Optional::stream).toList());
    }

    private static Outcome<Optional<String>> state(IscsiCall call, BlockDevice disk) {
        return call.host().sysfs().read(Path.of("/sys/block", disk.name(), "device/state"));
    }

    private Outcome<Optional<BlockDevice>> usable(String place) {
        return disk(call, place)
                .then(found -> found.isEmpty()
                        ? Outcome.done(found)
                        : state(call, found.get())
                                .map(state -> state.filter("running"::equals).flatMap(running -> found))
                                .map(running -> running.filter(device -> device.sizeBytes() > 0)));
    }

    /**
     * Makes sure that all paths lead to one disk, and to the one that the volume had before; then it is written down which one it is
     * (semantics/plugins §3.1).
     */
    Outcome<Nothing> identify(List<BlockDevice> paths) {
        BlockDevice first = paths.get(0);
        for (BlockDevice path : paths) {
            if (!path.wwid().equals(first.wwid()) || path.sizeBytes() != first.sizeBytes()) {
                return Outcome.refused(Refusal.CORRUPT, first.path() + " and " + path.path() + " are not one disk");
            }
        }
        String wwid = first.wwid().orElse("");
        return same("this node's record", journal.now().wwid(), wwid)
                .then(nothing -> notSmaller(first))
                .then(nothing -> call.context().notes().find(NOTE))
                .then(noted -> same("the volume's note", noted.orElse(""), wwid)
                        .then(nothing -> journal.note(now -> now.withDisk(wwid, first.sizeBytes())))
                        .then(nothing -> noted.isPresent() || wwid.isEmpty() ? Outcome.done() : write(wwid)));
    }

    private Outcome<Nothing> same(String where, String known, String wwid) {
        return known.isEmpty() || known.equals(wwid)
                ? Outcome.done()
                : Outcome.refused(
                        Refusal.CORRUPT,
                        "unit " + journal.now().lun() + " of " + journal.now().iqn() + " is now another disk: " + wwid
                                + ", but " + where + " says " + known);
    }

    private Outcome<Nothing> notSmaller(BlockDevice disk) {
        return disk.sizeBytes() >= journal.now().bytes()
                ? Outcome.done()
                : Outcome.refused(
                        Refusal.CORRUPT,
                        "unit " + journal.now().lun() + " of " + journal.now().iqn() + " has " + disk.sizeBytes()
                                + " bytes now, but had " + journal.now().bytes() + " before");
    }

    private Outcome<Nothing> write(String wwid) {
        Outcome<Nothing> written = call.context().notes().write(NOTE, Optional.empty(), wwid);
        // an inline source has no object
        return written.isRefused(Refusal.UNSUPPORTED) ? Outcome.done() : written;
    }
}
