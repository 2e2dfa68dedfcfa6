// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.distribution.logging.LogFormat;
import dev.mooring.distribution.logging.Logs;
import java.util.Locale;
import org.slf4j.event.Level;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How a process logs. */
public final class LogOptions {
    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = FormatConverter.class,
            description = "The format of log lines on standard error, text or json (${DEFAULT-VALUE}).")
    private LogFormat format = LogFormat.TEXT;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            converter = LevelConverter.class,
            description = "error, warn, info, debug or trace; debug logs every decision and call (${DEFAULT-VALUE}).")
    private Level level = Level.INFO;

    /** Applies the options to the process's log. */
    public void start() {
        Logs.configure(format, level);
    }

    public static final class FormatConverter implements ITypeConverter<LogFormat> {
        @Override
        public LogFormat convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "text" -> LogFormat.TEXT;
                case "json" -> LogFormat.JSON;
                default -> throw new TypeConversionException("must be text or json, not '" + value + "'");
            };
        }
    }

    public static final class LevelConverter implements ITypeConverter<Level> {
        @Override
        public Level convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "error" -> Level.ERROR;
                case "warn" -> Level.WARN;
                case "info" -> Level.INFO;
                case "debug" -> Level.DEBUG;
                case "trace" -> Level.TRACE;
                default ->
                    throw new TypeConversionException("must be error, warn, info, debug or trace, not '" + value + "'");
            };
        }
    }
}
