// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.config.ConfigException;
import java.io.PrintWriter;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What is said of arguments that cannot be: one line, and what to do. The whole usage would push that line off the screen; it is shown
 * where a command is missing.
 */
final class UsageMessages implements IParameterExceptionHandler {
    private static final Set<Class<?>> WHOLE_NUMBERS = Set.of(int.class, Integer.class, long.class, Long.class);

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        if (failure instanceof ConfigException) {
            err.println(failure.getMessage());
            return Main.USAGE;
        }
        err.println("mooring: " + rule(failure));
        if (failure instanceof MissingCommand) {
            command.usage(err);
        } else if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
            err.println("'" + command.getCommandSpec().qualifiedName() + " --help' says what it takes.");
        }
        return Main.USAGE;
    }

    private static String rule(ParameterException failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure.getArgSpec() instanceof OptionSpec option) {
            String invalid = "Invalid value for option '" + option.longestName() + "': ";
            if (message.startsWith("Value for option") && option.typeInfo().isMap()) {
                return invalid + "must be " + option.paramLabel() + ", not '" + failure.getValue() + "'";
            }
            if (failure.getCause() instanceof UnknownHostException
                    && failure.getValue().matches(".*[:/].*")) {
                return invalid + "must be a host or an address alone, not '" + failure.getValue()
                        + "'; the port is --port";
            }
            if (failure.getCause() instanceof UnknownHostException) {
                return invalid + "there is no host '" + failure.getValue() + "'";
            }
            if (wantsWholeNumber(option) && failure.getValue() != null) {
                return invalid + "must be a whole number, not '" + failure.getValue() + "'";
            }
        }
        return message.startsWith("Error: ") ? message.substring("Error: ".length()) : message;
    }

    /** Whether the library itself makes the number; what has rules of its own says them. */
    private static boolean wantsWholeNumber(OptionSpec option) {
        boolean own = option.converters().length > 0;
        return !own && Arrays.stream(option.auxiliaryTypes()).anyMatch(WHOLE_NUMBERS::contains);
    }

    /** A command that only has others was given none of them. */
    static final class MissingCommand extends ParameterException {
        private static final long serialVersionUID = 1;

        MissingCommand(CommandLine command, String message) {
            super(command, message);
        }
    }
}
