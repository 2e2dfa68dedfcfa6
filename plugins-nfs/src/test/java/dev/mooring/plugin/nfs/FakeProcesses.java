// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The tools: {@code mount.nfs} as the kernel's client behaves, {@code stat} as far as it is used. */
record FakeProcesses(FakeHost host) implements ProcessRunner {
    @Override
    public Optional<Path> locate(String tool) {
        return Optional.of(Path.of("/sbin", tool));
    }

    @Override
    public Outcome<CommandResult> run(OperationContext context, Command command) {
        if (command.changes().filter(host.occupied::contains).isPresent()) {
            return Outcome.deferred("an earlier command has not ended yet");
        }
        host.commands.add(command.toString());
        if (host.slow) {
            host.clock.pass(command.limit());
        }
        List<ScriptedRun> script = host.scripts.getOrDefault(command.tool(), List.of());
        if (!script.isEmpty()) {
            ScriptedRun run = script.remove(0);
            if (run.mounts()) {
                mount(command);
            }
            return Outcome.done(run.result());
        }
        return Outcome.done(command.tool().equals("mount.nfs") ? mount(command) : stat(command));
    }

    private CommandResult mount(Command command) {
        Export export = NfsSources.parse(command.arguments().get(0)).orElseThrow();
        Path target = Path.of(command.arguments().get(1));
        List<String> options = List.of(command.arguments().get(4).split(","));
        if (host.dead.contains(export.server())) {
            return new CommandResult(Ending.KILLED, 137, "", "");
        }
        if (!Files.isDirectory(target)) {
            return failed("mount.nfs: mount point " + target + " does not exist");
        }
        if (!Files.isDirectory(host.directoryOf(export.path()))) {
            return failed(
                    "mount.nfs: mounting " + export + " failed, reason given by server: No such file or directory");
        }
        host.table.add(entry(export, target, options));
        host.done.add("mount " + target.getFileName());
        return new CommandResult(Ending.EXITED, 0, "", "");
    }

    private static CommandResult failed(String text) {
        return new CommandResult(Ending.EXITED, 32, "", text);
    }

    private MountEntry entry(Export export, Path target, List<String> options) {
        boolean readOnly = options.contains("ro");
        boolean soft = options.contains("soft");
        String version = options.stream()
                .filter(word -> word.startsWith("vers="))
                .findFirst()
                .orElse("vers=4.2");
        List<String> superOptions = new ArrayList<>(List.of(
                readOnly ? "ro" : "rw",
                host.forcedVersion.isEmpty() ? version : host.forcedVersion,
                soft ? "soft" : "hard",
                "proto=tcp",
                "sec=sys",
                // both names of the machine are one address
                "addr=" + (export.server().equals("alias") ? "server" : export.server())));
        return new MountEntry(
                mountId(export),
                1,
                "0:" + (50 + (export.server().hashCode() & 0xff) + (readOnly ? 1000 : 0) + (soft ? 2000 : 0)),
                "/",
                false,
                target,
                List.of(readOnly ? "ro" : "rw", "relatime"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                "nfs4",
                export.source(),
                superOptions);
    }

    /** That of the directory behind it: what is opened there has to be on the mount. */
    private int mountId(Export export) {
        try (PinnedPath directory = host.real
                .files()
                .open(host.directoryOf(export.path()), LinkRule.FOLLOW)
                .result()
                .orElseThrow()) {
            return directory.facts().result().map(FileFacts::mountId).orElseThrow();
        }
    }

    private CommandResult stat(Command command) {
        Path path = Path.of(command.arguments().get(command.arguments().size() - 1));
        boolean silent = host.at(path).stream()
                .anyMatch(entry -> NfsSources.parse(entry.source())
                        .filter(export -> host.dead.contains(export.server()))
                        .isPresent());
        return silent
                ? new CommandResult(Ending.KILLED, 137, "", "")
                : new CommandResult(Ending.EXITED, 0, "1048576 1000 400 300 5000 4000\n", "");
    }
}
