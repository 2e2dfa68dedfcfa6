// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandBuilder;
import dev.mooring.storage.spi.host.CommandResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Questions to a mounted file system. They are asked by a process of their own, one at a time for each server: it may never get an answer,
 * and then no other call is to ask and wait (semantics/plugins §2.4). For one call.
 */
final class Probe {
    private static final String TOOL = "stat";
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final OperationContext context;
    private final Servers servers;
    /** Whether the last question surely got no answer. */
    private boolean silent;

    Probe(OperationContext context, Servers servers) {
        this.context = context;
        this.servers = servers;
    }

    /**
     * Whether the server of a mount surely does not answer now; what it did a moment ago decides nothing. Not known, and so not sure, while
     * another call is asking it.
     */
    boolean isSilent(String server, Path mountPoint) {
        List<String> arguments = List.of("-f", "-c", "%T", mountPoint.toString());
        return !askNow(server, arguments).isDone() && silent;
    }

    /** Asks; deferred if the server does not answer, or did not a moment ago. */
    Outcome<CommandResult> ask(String server, List<String> arguments) {
        return servers.isSilent(server, context.clock().instant()) ? silent(server) : askNow(server, arguments);
    }

    private static Outcome<CommandResult> silent(String server) {
        return Outcome.deferred("server " + server + " does not answer");
    }

    private Outcome<CommandResult> askNow(String server, List<String> arguments) {
        Command command = CommandBuilder.builder()
                .tool(TOOL)
                .arguments(arguments)
                .limit(LIMIT)
                .atLimit(Command.AtLimit.KILL)
                .changes("questions to " + server)
                .build();
        silent = false;
        // what is known comes from this question, or from one that has been waiting for its answer for too long
        Instant since = servers.asked(server, context.clock().instant());
        Outcome<CommandResult> run = context.host().processes().run(context, command);
        if (run.result()
                .filter(result -> result.ending() == CommandResult.Ending.EXITED)
                .isPresent()) {
            servers.answered(server);
            return run;
        }
        Instant now = context.clock().instant();
        if (run.isDone() || !now.isBefore(since.plus(LIMIT))) {
            silent = true;
            servers.silent(server, now);
            return silent(server);
        }
        return run;
    }
}
