// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sessions as the kernel knows them: compared by address, never by the text of a portal (semantics/plugins §3.1). */
final class IscsiSessions {
    private static final Path SESSIONS = Path.of("/sys/class/iscsi_session");
    private static final Path CONNECTIONS = Path.of("/sys/class/iscsi_connection");
    private static final Pattern HOST = Pattern.compile("/host(\\d+)/");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private final Sysfs sysfs;

    IscsiSessions(Sysfs sysfs) {
        this.sysfs = sysfs;
    }

    /**
     * A session.
     *
     * @param name the kernel's name, such as {@code session3}
     * @param target the target's name
     * @param state such as {@code LOGGED_IN}
     * @param iface over which interface record
     * @param portal to which address
     * @param group the target's portal group; empty if it is not known
     * @param host the number of its SCSI host
     * @param directory its place below {@code /sys/devices}
     */
    record Session(
            String name,
            String target,
            String state,
            String iface,
            Portal portal,
            Optional<String> group,
            String host,
            Path directory) {
        boolean loggedIn() {
            return state.equals("LOGGED_IN");
        }
    }

    Outcome<List<Session>> of(String target) {
        return sysfs.list(SESSIONS)
                .then(names -> Steps.collect(names, this::read))
                .map(found -> found.stream()
                        .flatMap(Optional::stream)
                        .filter(session -> session.target().equals(target))
                        .toList());
    }

    Outcome<Optional<Session>> find(String target, Portal portal, String iface) {
        return of(target)
                .map(all -> all.stream()
                        .filter(session -> session.portal().equals(portal)
                                && session.iface().equals(iface))
                        .findFirst());
    }

    /** Empty for a session that is just coming or going. */
    private Outcome<Optional<Session>> read(String name) {
        Path directory = SESSIONS.resolve(name);
        return text(directory, "targetname")
                .then(target -> text(directory, "state")
                        .then(state -> text(directory, "ifacename")
                                .then(iface -> text(directory, "tpgt")
                                        .then(group -> sysfs.resolve(directory.resolve("device"))
                                                .then(device -> device.isEmpty()
                                                        ? Outcome.done(Optional.empty())
                                                        : portal(device.get())
                                                                .map(portal -> session(
                                                                        name,
                                                                        target,
                                                                        state,
                                                                        iface,
                                                                        portal,
                                                                        group,
                                                                        device.get())))))));
    }

    private static Optional<Session> session(
            String name,
            Optional<String> target,
            Optional<String> state,
            Optional<String> iface,
            Optional<Portal> portal,
            Optional<String> group,
            Path device) {
        Matcher host = HOST.matcher(device.toString());
        if (target.isEmpty() || portal.isEmpty() || !host.find()) {
            return Optional.empty();
        }
        return Optional.of(new Session(
                name,
                target.get(),
                state.orElse(""),
                iface.orElse(""),
                portal.get(),
                group.filter(text -> NUMBER.matcher(text).matches()),
                host.group(1),
                device));
    }

    private Outcome<Optional<Portal>> portal(Path device) {
        return sysfs.list(device)
                .then(names -> Steps.first(
                        names.stream()
                                .filter(name -> name.startsWith("connection"))
                                .toList(),
                        this::connectedTo));
    }

    private Outcome<Optional<Portal>> connectedTo(String connection) {
        Path directory = CONNECTIONS.resolve(connection);
        return text(directory, "persistent_address")
                .then(address -> text(directory, "persistent_port")
                        .map(port -> address.flatMap(
                                host -> port.filter(text -> NUMBER.matcher(text).matches())
                                        .flatMap(text -> Portal.of(host, Integer.parseInt(text))))));
    }

    private Outcome<Optional<String>> text(Path directory, String name) {
        return sysfs.read(directory.resolve(name));
    }

    /** The SCSI devices below a session, by their places such as {@code 0:0:0:1}. */
    Outcome<List<String>> places(Session session) {
        return sysfs.list(session.directory())
                .then(names -> Steps.collect(
                        names.stream().filter(name -> name.startsWith("target")).toList(),
                        target -> sysfs.list(session.directory().resolve(target))))
                .map(lists -> lists.stream()
                        .flatMap(List::stream)
                        .filter(name -> name.matches("\\d+:\\d+:\\d+:\\d+"))
                        .toList());
    }

    /** The place of a unit below a session: channel and target are always 0 (semantics/plugins §3.5). */
    static String place(Session session, long lun) {
        return session.host() + ":0:0:" + lun;
    }

    /** The kernel's name of the disk at a place, such as {@code sda}; empty while there is none. */
    Outcome<Optional<String>> disk(String place) {
        return sysfs.list(Path.of("/sys/bus/scsi/devices").resolve(place).resolve("block"))
                .map(names -> names.stream().findFirst());
    }
}
