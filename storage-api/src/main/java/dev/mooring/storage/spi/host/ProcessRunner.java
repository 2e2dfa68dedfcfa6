// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Runs tools: an argument list, never a shell; a fixed environment ({@code LC_ALL=C}, a fixed {@code PATH}, nothing else); the root
 * as working directory; nothing on standard input unless the command has some (semantics/plugins §1.1). Thread-safe.
 *
 * <p>What a tool says is never the whole truth: after a result that is not a clean success the caller looks at the world before it
 * classifies.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ProcessRunner {
    /**
     * Where a tool is on this machine. The search was made once, at start, in fixed system directories.
     *
     * @param tool the name of its file, without a slash
     * @return an absolute path; empty if the machine does not have it
     */
    Optional<Path> locate(String tool);

    /**
     * Runs a tool until the first process ends, the limit is reached, or the call is cancelled; processes that it leaves behind
     * are not waited for.
     *
     * @param context bounds the wait: the earlier of its deadline and the command's limit counts
     * @param command what to run
     * @return a result in whatever way the process ended; refused as UNSUPPORTED if the tool is not there, deferred while an
     *     earlier command that changes the same thing still runs, uncertain only if it is not known whether it was started
     */
    Outcome<CommandResult> run(OperationContext context, Command command);
}
