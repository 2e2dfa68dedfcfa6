// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.spi.SecretValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A run of a tool. Immutable; arguments are visible to every user of the machine, so that a secret may only be in {@code input}.
 *
 * @param tool the name of its file, without a slash
 * @param arguments its arguments, without the tool itself
 * @param input what it reads on standard input; absent for nothing
 * @param limit the longest time that it may take
 * @param atLimit what is done when the time is up
 * @param changes names the thing that it changes, such as a mount target or a device: no second command for it is started while
 *     this one lives; absent if it only looks
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Command(
        String tool,
        List<String> arguments,
        Optional<SecretValue> input,
        Duration limit,
        AtLimit atLimit,
        Optional<String> changes)
        implements CommandBuilder.With {
    /** What is done with a process whose time is up. */
    public enum AtLimit {
        /** It is asked to end, and killed with all its group two seconds later. */
        KILL,
        /** It is left alone, since half of its work would be worse than waiting: mkfs, fsck, a resize. */
        LEAVE
    }

    /** The limit for a tool that only looks: 10 seconds. */
    public static final Duration QUERY_LIMIT = Duration.ofSeconds(10);

    /** Copies the arguments and checks that none of them could be taken for something else. */
    public Command {
        arguments = List.copyOf(arguments);
        if (tool.isEmpty() || tool.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a tool is the name of a file, not '" + tool + "'");
        }
        for (String argument : arguments) {
            if (argument.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("an argument of " + tool + " contains a NUL character");
            }
        }
    }

    /** A command that only looks. */
    public static Command query(String tool, String... arguments) {
        return new Command(tool, List.of(arguments), Optional.empty(), QUERY_LIMIT, AtLimit.KILL, Optional.empty());
    }

    /** A command that changes something. */
    public static Command change(String what, Duration limit, String tool, List<String> arguments) {
        return new Command(tool, arguments, Optional.empty(), limit, AtLimit.KILL, Optional.of(what));
    }

    /** The same with something to read on standard input. */
    public Command withInput(SecretValue secret) {
        return new Command(tool, arguments, Optional.of(secret), limit, atLimit, changes);
    }

    /** The same with another limit. */
    public Command withLimit(Duration other, AtLimit then) {
        return new Command(tool, arguments, input, other, then, changes);
    }

    /** Tool and arguments, for people; no secret can be in it. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>(List.of(tool));
        words.addAll(arguments);
        return String.join(" ", words);
    }
}
