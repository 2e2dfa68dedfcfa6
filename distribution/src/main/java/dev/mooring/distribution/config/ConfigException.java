// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** File or environment cannot be used; the message has a line for everything that is wrong. */
public final class ConfigException extends ParameterException {
    private static final long serialVersionUID = 1;

    /** With everything that is wrong. */
    public ConfigException(CommandLine command, List<Problem> problems) {
        super(command, problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    }
}
