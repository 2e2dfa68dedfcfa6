// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.logging;

import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What libraries log through the JDK, such as gRPC: a line of this process's log, under the same name. It has the name of an exception and
 * neither its text, which might show what a request holds, nor its stack trace.
 */
final class JdkLog extends Handler {
    private static final String FILE = "java.util.logging.config.file";
    private static final String CLASS = "java.util.logging.config.class";

    private final Formatter formatter = new SimpleFormatter();

    private JdkLog() {
        setLevel(Level.ALL);
    }

    /** Takes the place of what prints to the console, unless the user has set up the JDK's log. May be called again. */
    static synchronized void take() {
        if (System.getProperty(FILE) != null || System.getProperty(CLASS) != null) {
            return;
        }
        java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
        for (Handler each : root.getHandlers()) {
            if (each instanceof java.util.logging.ConsoleHandler || each instanceof JdkLog) {
                root.removeHandler(each);
            }
        }
        root.addHandler(new JdkLog());
    }

    @Override
    public void publish(LogRecord record) {
        String name = record.getLoggerName();
        LoggingEventBuilder line =
                LoggerFactory.getLogger(name == null ? "" : name).atLevel(level(record.getLevel()));
        Throwable thrown = record.getThrown();
        String message = record.getMessage() == null ? "" : formatter.formatMessage(record);
        line.log(
                "{}",
                thrown == null ? message : message + " (" + thrown.getClass().getName() + ")");
    }

    private static org.slf4j.event.Level level(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return org.slf4j.event.Level.ERROR;
        }
        if (value >= Level.WARNING.intValue()) {
            return org.slf4j.event.Level.WARN;
        }
        return value >= Level.INFO.intValue() ? org.slf4j.event.Level.INFO : org.slf4j.event.Level.DEBUG;
    }

    @Override
    public void flush() {
        // Each line is written at once.
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
