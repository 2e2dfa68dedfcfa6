// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** What the tools would do to the world. Every run of one that changes something is a step. */
final class FakeTools implements ProcessRunner {
    final List<String> ran = new ArrayList<>();
    final Set<String> missing = new HashSet<>();
    /** Answers instead of the usual ones, by a part of the command; an empty answer leaves it to the usual one. */
    final Map<String, Function<Command, Optional<CommandResult>>> instead = new TreeMap<>();

    private final FakeWorld world;
    private final Path nodes;
    private final FakeReservations reservations;
    private final Runnable alive;
    private final Runnable step;
    /** Which lock the file is. */
    String lock = "1 2026-01-01";

    private String initiator = "initiator-1";

    FakeTools(FakeWorld world, Path root, Runnable alive, Runnable step) {
        this.alive = alive;
        this.world = world;
        this.nodes = root.resolve("etc/iscsi/nodes");
        this.reservations = new FakeReservations(world, () -> initiator);
        this.step = step;
    }

    void becomes(String other) {
        initiator = other;
    }

    @Override
    public Optional<Path> locate(String tool) {
        return missing.contains(tool) ? Optional.empty() : Optional.of(Path.of("/usr/sbin", tool));
    }

    @Override
    public Outcome<CommandResult> run(OperationContext context, Command command) {
        alive.run();
        ran.add(command.toString());
        for (Map.Entry<String, Function<Command, Optional<CommandResult>>> entry : instead.entrySet()) {
            if (command.toString().contains(entry.getKey())) {
                Optional<CommandResult> result = entry.getValue().apply(command);
                if (result.isPresent()) {
                    return Outcome.done(result.get());
                }
            }
        }
        CommandResult result = usual(command);
        if (command.changes().isPresent()) {
            step.run();
        }
        return Outcome.done(result);
    }

    private CommandResult usual(Command command) {
        return switch (command.tool()) {
            case "iscsiadm" -> iscsiadm(command.arguments());
            case "sg_persist" -> reservations.run(command.arguments());
            case "multipathd" -> multipathd(command.arguments());
            case "multipath" -> multipath(command.arguments());
            case "dmsetup" -> exit(0, "0");
            case "getent" -> exit(0, "127.0.0.1 STREAM " + command.arguments().get(1));
            case "stat" -> lock();
            default -> throw new IllegalStateException(command.toString());
        };
    }

    private CommandResult lock() {
        return Files.exists(nodes.resolve("../../../run/lock/iscsi/lock.write").normalize())
                ? exit(0, lock)
                : exit(1, "");
    }

    static CommandResult exit(int code, String output) {
        return new CommandResult(Ending.EXITED, code, output, "");
    }

    private CommandResult multipathd(List<String> arguments) {
        if (!world.multipathd) {
            return exit(1, "");
        }
        if (!arguments.contains("paths")) {
            return exit(0, "pid 9 idle");
        }
        world.multipathdHears();
        return exit(0, world.heard() ? String.join("\n", world.disks.keySet()) + "\n" : "");
    }

    private CommandResult multipath(List<String> arguments) {
        if (arguments.get(0).equals("-c") && !world.heard()) {
            return exit(1, "");
        }
        if (arguments.get(0).equals("-f")) {
            if (world.mapStuck) {
                return exit(1, "map in use");
            }
            world.mapFlushed = true;
        }
        return exit(0, "");
    }

    private CommandResult iscsiadm(List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        String mode = after(all, "-m");
        if (mode.equals("iface")) {
            return iface(all);
        }
        if (mode.equals("discoverydb")) {
            return discovery(all);
        }
        String[] address = after(all, "-p").split(",", 2);
        Node node = new Node(
                after(all, "-T"),
                Portal.parse(address[0]).orElseThrow(),
                address.length == 2 ? address[1] : "",
                after(all, "-I"));
        if (all.contains("--login")) {
            return login(node);
        }
        if (all.contains("--logout")) {
            Optional<FakeWorld.Session> session = world.session(node.iqn, node.portal, node.iface);
            session.ifPresent(world::logout);
            return exit(session.isPresent() ? 0 : IscsiExit.NOTHING_FOUND, "");
        }
        return record(node, all);
    }

    /** What a portal wants to be shown before it says anything; empty for nothing. */
    String discoveryPassword = "";

    /** What the discovery record said while a portal was asked by it. */
    final List<String> shown = new ArrayList<>();

    private CommandResult discovery(List<String> arguments) {
        Portal portal = Portal.parse(after(arguments, "-p")).orElseThrow();
        Path file = nodes.resolveSibling("send_targets")
                .resolve(portal.host() + "," + portal.port())
                .resolve("st_config");
        try {
            if (arguments.contains("--discover")) {
                String record = Files.exists(file) ? Files.readString(file) : "";
                shown.add(record);
                boolean accepted = discoveryPassword.isEmpty()
                        || (record.contains("auth.authmethod = CHAP\n")
                                && record.contains("sendtargets.auth.password = " + discoveryPassword + "\n"));
                return accepted ? targets() : exit(IscsiExit.AUTHENTICATION_FAILED, "authorization failure");
            }
            switch (after(arguments, "-o")) {
                case "new" -> {
                    Files.createDirectories(file.resolve("..").normalize());
                    Files.writeString(file, """
                            # BEGIN RECORD 2.1.8
                            discovery.type = sendtargets
                            discovery.sendtargets.auth.authmethod = None
                            # END RECORD
                            """);
                }
                case "update" ->
                    Files.writeString(file, Files.readString(file).replace("authmethod = None", "authmethod = CHAP"));
                default -> {
                    if (!Files.exists(file)) {
                        return exit(IscsiExit.DATA_BASE, "Discovery record not found");
                    }
                    Files.delete(file);
                    Files.delete(file.resolve("..").normalize());
                }
            }
            return exit(0, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CommandResult targets() {
        StringBuilder lines = new StringBuilder();
        world.targets
                .values()
                .forEach(target -> target.portals()
                        .forEach(portal -> lines.append(Portal.parse(portal).orElseThrow())
                                .append(",1 ")
                                .append(target.iqn())
                                .append('\n')));
        return exit(0, lines.toString());
    }

    private static String after(List<String> arguments, String option) {
        return arguments.get(arguments.indexOf(option) + 1);
    }

    /** Interface records are files too. */
    private CommandResult iface(List<String> arguments) {
        Path file = nodes.resolveSibling("ifaces").resolve(after(arguments, "-I"));
        try {
            switch (after(arguments, "-o")) {
                case "new" -> {
                    Files.createDirectories(file.resolve("..").normalize());
                    Files.writeString(file, "iface.iscsi_ifacename = " + after(arguments, "-I") + "\n");
                }
                case "update" ->
                    Files.writeString(
                            file,
                            Files.readString(file) + after(arguments, "-n") + " = " + after(arguments, "-v") + "\n");
                case "delete" -> {
                    return exit(Files.deleteIfExists(file) ? 0 : IscsiExit.NOTHING_FOUND, "");
                }
                default -> {
                    return exit(0, "iface.iscsi_ifacename = default\niface.transport_name = tcp\niface.mtu = 0\n");
                }
            }
            return exit(0, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Node(String iqn, Portal portal, String group, String iface) {}

    /** As open-iscsi: with a group a file per interface, without one a file for the portal, which the next one overwrites. */
    private Path file(Node node) {
        Path target = nodes.resolve(node.iqn);
        Path plain = target.resolve(node.portal.host() + "," + node.portal.port());
        Path grouped = target.resolve(plain.getFileName() + ",1").resolve(node.iface);
        return !node.group.isEmpty() || Files.exists(grouped) ? grouped : plain;
    }

    private Optional<String> content(Node node) {
        try {
            Path file = file(node);
            return Files.exists(file)
                    ? Optional.of(Files.readString(file))
                            .filter(text -> text.contains("iface.iscsi_ifacename = " + node.iface + "\n"))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CommandResult record(Node node, List<String> arguments) {
        try {
            if (after(arguments, "-o").equals("new")) {
                Files.createDirectories(file(node).resolve("..").normalize());
                Files.writeString(
                        file(node),
                        "# BEGIN RECORD 2.1.8\nnode.name = " + node.iqn + "\niface.iscsi_ifacename = " + node.iface
                                + "\nnode.startup = automatic\nnode.session.scan = auto\n# END RECORD\n");
                return exit(0, "");
            }
            Optional<String> content = content(node);
            if (content.isEmpty()) {
                return exit(IscsiExit.NOTHING_FOUND, "");
            }
            if (after(arguments, "-o").equals("delete")) {
                if (world.session(node.iqn, node.portal, node.iface).isPresent()) {
                    return exit(IscsiExit.EXISTS, "");
                }
                Files.delete(file(node));
                return exit(0, "");
            }
            String name = after(arguments, "-n");
            String kept = content.get()
                    .lines()
                    .filter(line -> !line.startsWith(name + " = ") && !line.equals("# END RECORD"))
                    .reduce("", (text, line) -> text + line + "\n");
            Files.writeString(file(node), kept + name + " = " + after(arguments, "-v") + "\n# END RECORD\n");
            return exit(0, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CommandResult login(Node node) {
        Optional<String> content = content(node);
        if (content.isEmpty()) {
            return exit(IscsiExit.NOTHING_FOUND, "No records found");
        }
        FakeWorld.Target target = world.targets.get(node.iqn);
        boolean listens = target != null
                && target.portals().stream()
                        .anyMatch(portal -> Portal.parse(portal).orElseThrow().equals(node.portal));
        if (!listens) {
            return exit(8, "connection timed out");
        }
        if (world.session(node.iqn, node.portal, node.iface).isPresent()) {
            return exit(IscsiExit.EXISTS, "session exists");
        }
        boolean accepted = target.password().isEmpty()
                || content.get().contains("node.session.auth.password = " + target.password() + "\n");
        if (!accepted) {
            return exit(IscsiExit.AUTHENTICATION_FAILED, "authorization failure");
        }
        FakeWorld.Session session = world.login(node.iqn, node.portal, node.iface);
        if (!content.get().contains("node.session.scan = manual")) {
            target.units().keySet().forEach(lun -> world.scan(session.number, lun));
        }
        return exit(0, "");
    }

    /** What iscsid does at a boot: it logs in by every record that says so. */
    void boot() {
        world.reboot();
        try {
            if (!Files.isDirectory(nodes)) {
                return;
            }
            try (var files = Files.walk(nodes)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String text = Files.readString(file);
                    if (text.contains("node.startup = automatic")) {
                        Path directory = nodes.relativize(file);
                        String[] address = directory.getName(1).toString().split(",", -1);
                        login(new Node(
                                directory.getName(0).toString(),
                                Portal.of(address[0], Integer.parseInt(address[1]))
                                        .orElseThrow(),
                                "",
                                "default"));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> records() {
        List<String> found = new ArrayList<>();
        for (Path directory : List.of(nodes, nodes.resolveSibling("ifaces"), nodes.resolveSibling("send_targets"))) {
            if (Files.isDirectory(directory)) {
                try (var files = Files.walk(directory)) {
                    files.filter(Files::isRegularFile)
                            .forEach(file -> found.add("record " + directory.relativize(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return found;
    }
}
