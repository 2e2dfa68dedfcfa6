// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Questions to a mounted file system. They are asked by a process of their own, one at a time for each server: it may never get an
 * answer, and then nobody else is to ask and wait (semantics/plugins §2.4).
 */
final class Probe {
    private static final String TOOL = "stat";
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final OperationContext context;
    private final Servers servers;

    Probe(OperationContext context, Servers servers) {
        this.context = context;
        this.servers = servers;
    }

    /** Whether the server of a mount answers, be it with an error. */
    boolean answers(String server, Path mountPoint) {
        return ask(server, List.of("-f", "-c", "%T", mountPoint.toString())).isDone();
    }

    /** Asks; deferred if the server does not answer, or did not a moment ago. */
    Outcome<CommandResult> ask(String server, List<String> arguments) {
        if (servers.isSilent(server, context.clock().instant())) {
            return Outcome.deferred("server " + server + " does not answer");
        }
        Command command = new Command(
                TOOL, arguments, Optional.empty(), LIMIT, Command.AtLimit.KILL, Optional.of("questions to " + server));
        return context.host().processes().run(context, command).then(result -> {
            if (result.ending() == CommandResult.Ending.EXITED) {
                servers.answered(server);
                return Outcome.done(result);
            }
            servers.silent(server, context.clock().instant());
            return Outcome.deferred("server " + server + " does not answer");
        });
    }
}
