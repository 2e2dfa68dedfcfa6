// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Targets, and what the kernel of one node knows of them: sessions, disks, maps. Survives a crash of the agent, not a reboot. */
final class FakeWorld {
    final Map<String, Target> targets = new LinkedHashMap<>();
    final List<Session> sessions = new ArrayList<>();
    final Map<String, Scsi> disks = new TreeMap<>();
    final Map<String, String> mounts = new TreeMap<>();
    /** Who uses a device, by its name. */
    final Map<String, String> users = new TreeMap<>();

    final Map<String, Boolean> readOnly = new TreeMap<>();
    boolean multipathd;
    /** How often multipathd is asked for its paths before it has heard of the disks and makes the map. */
    int multipathdIsDeaf;

    /** Whether the map refuses to go. */
    boolean mapStuck;

    private int nextSession = 1;
    private int nextDisk;

    /**
     * A target.
     *
     * @param iqn its name
     * @param portals where it listens
     * @param units its disks
     * @param password the secret that it wants; empty for none
     */
    record Target(String iqn, List<String> portals, Map<Long, Unit> units, String password) {}

    /** A disk of a target, as all initiators see it. */
    static final class Unit {
        final String wwid;
        long bytes;
        /** Registrations by nexus. */
        final Map<String, String> keys = new LinkedHashMap<>();

        Optional<String> holder = Optional.empty();
        /** The kind of the reservation, if there is one. */
        String kind = "5";
        /** Whether the registrations are kept when the target restarts: the last of them says so. */
        boolean kept;

        Unit(String wwid, long bytes) {
            this.wwid = wwid;
            this.bytes = bytes;
        }
    }

    /** A session. */
    static final class Session {
        final int number;
        final String iqn;
        final Portal portal;
        final String iface;
        String state = "LOGGED_IN";
        final Map<Long, Boolean> present = new TreeMap<>();

        Session(int number, String iqn, Portal portal, String iface) {
            this.number = number;
            this.iqn = iqn;
            this.portal = portal;
            this.iface = iface;
        }
    }

    /**
     * A disk as the kernel sees it.
     *
     * @param name such as {@code sda}
     * @param place such as {@code 1:0:0:0}
     * @param session below which session
     * @param unit what it shows
     * @param number its numbers
     */
    record Scsi(String name, String place, Session session, Unit unit, String number) {}

    Target target(String iqn, String... portals) {
        return target(iqn, "", portals);
    }

    Target target(String iqn, String password, String[] portals) {
        Target target = new Target(
                iqn, portals.length == 0 ? List.of(Volumes.PORTAL) : List.of(portals), new TreeMap<>(), password);
        targets.put(iqn, target);
        return target;
    }

    void unit(String iqn, long lun, String wwid) {
        get(iqn).units().put(lun, new Unit(wwid, 64L << 20));
    }

    Unit unitOf(String iqn, long lun) {
        return Optional.ofNullable(get(iqn).units().get(lun)).orElseThrow();
    }

    Target get(String iqn) {
        return Optional.ofNullable(targets.get(iqn)).orElseThrow();
    }

    Optional<Session> session(String iqn, Portal portal, String iface) {
        return sessions.stream()
                .filter(one -> one.iqn.equals(iqn) && one.portal.equals(portal) && one.iface.equals(iface))
                .findFirst();
    }

    Session login(String iqn, Portal portal, String iface) {
        Session session = new Session(nextSession++, iqn, portal, iface);
        sessions.add(session);
        return session;
    }

    void logout(Session session) {
        sessions.remove(session);
        disks.values().removeIf(disk -> disk.session() == session);
    }

    /** The kernel looks for one unit. */
    void scan(int host, long lun) {
        sessions.stream().filter(session -> session.number == host).forEach(session -> {
            Unit unit = get(session.iqn).units().get(lun);
            String place = host + ":0:0:" + lun;
            boolean there =
                    disks.values().stream().anyMatch(disk -> disk.place().equals(place));
            if (unit != null && !there) {
                mapFlushed = false;
                int number = nextDisk++;
                String name = "sd" + (char) ('a' + number % 26);
                disks.put(name, new Scsi(name, place, session, unit, "8:" + 16 * number));
            }
        });
    }

    Optional<Scsi> disk(String name) {
        return Optional.ofNullable(disks.get(name));
    }

    /** A moment passes for it. */
    void multipathdHears() {
        multipathdIsDeaf = Math.max(0, multipathdIsDeaf - 1);
    }

    boolean heard() {
        return multipathdIsDeaf == 0;
    }

    /** Whether multipathd has made its one map: as soon as it has heard of a disk. */
    boolean mapped() {
        return multipathd && heard() && (!disks.isEmpty() || !pathless.isEmpty()) && !mapFlushed;
    }

    boolean mapFlushed;

    /** Identity of a disk of which only the map is left; empty for none. */
    String pathless = "";

    /** Disks for whose target the kernel waits no longer. */
    final Set<String> givenUp = new TreeSet<>();

    void reboot() {
        sessions.clear();
        disks.clear();
        mounts.clear();
        users.clear();
        readOnly.clear();
        mapFlushed = false;
    }

    /** Everything that should be gone in the end. */
    List<String> traces() {
        List<String> traces = new ArrayList<>();
        sessions.forEach(session -> traces.add("session " + session.iqn + " " + session.portal));
        disks.keySet().forEach(name -> traces.add("device " + name));
        mounts.keySet().forEach(path -> traces.add("mount " + path));
        targets.values()
                .forEach(target -> target.units().forEach((lun, unit) -> {
                    if (!unit.keys.isEmpty()) {
                        traces.add("keys " + unit.keys + " at " + lun);
                    }
                }));
        return traces;
    }

    /** Since the machine started. */
    Duration upTime = Duration.ofHours(1);

    /** Identity of the boot. */
    String boot = "one";

    /** The kernel's files. */
    Map<Path, String> files() {
        Map<Path, String> files = new TreeMap<>();
        files.put(Path.of("/proc/sys/kernel/random/boot_id"), boot);
        files.put(Path.of("/proc/uptime"), upTime.toSeconds() + ".05 7.00");
        for (Session session : sessions) {
            Path of = Path.of("/sys/class/iscsi_session/session" + session.number);
            files.put(of.resolve("targetname"), session.iqn);
            files.put(of.resolve("state"), session.state);
            files.put(of.resolve("ifacename"), session.iface);
            files.put(of.resolve("tpgt"), "1");
            String connection = "connection" + session.number + ":0";
            Path connected = Path.of("/sys/class/iscsi_connection", connection);
            files.put(connected.resolve("persistent_address"), session.portal.host());
            files.put(connected.resolve("persistent_port"), Integer.toString(session.portal.port()));
            files.put(device(session).resolve(connection).resolve("uevent"), "");
            files.put(Path.of("/sys/class/scsi_host/host" + session.number + "/scan"), "");
        }
        for (Scsi disk : disks.values()) {
            int host = disk.session().number;
            files.put(
                    device(disk.session())
                            .resolve("target" + host + ":0:0")
                            .resolve(disk.place())
                            .resolve("state"),
                    "running");
            files.put(Path.of("/sys/bus/scsi/devices", disk.place(), "block", disk.name(), "size"), "1");
            files.put(
                    Path.of("/sys/block", disk.name(), "device/state"),
                    givenUp.contains(disk.name()) ? "transport-offline" : "running");
        }
        if (mapped()) {
            files.put(Path.of("/sys/block/dm-0/dm/name"), "mpatha");
        }
        return files;
    }

    static Path device(Session session) {
        return Path.of("/sys/devices/platform/host" + session.number + "/session" + session.number);
    }
}
