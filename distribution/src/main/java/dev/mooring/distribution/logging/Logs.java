// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Sets up the log of this process, on top of {@link ShippedLog}. */
public final class Logs {
    /** The logger of decisions, one line each, at debug. */
    public static final String DECISIONS = "dev.mooring.decisions";

    private static final String OURS = "dev.mooring";
    private static final String RECENT = "recent";

    private Logs() {}

    /**
     * Says how the process logs from now on. Libraries never log more than {@link ShippedLog} lets them, since theirs
     * might show what a request holds.
     */
    public static void configure(LogFormat format, Level level) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return; // an embedder's backend, which is the embedder's to set up
        }
        ch.qos.logback.classic.Level wanted = ch.qos.logback.classic.Level.toLevel(level.toString());
        context.getLogger(OURS).setLevel(wanted);
        ch.qos.logback.classic.Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        if (wanted.isGreaterOrEqual(root.getEffectiveLevel())) {
            root.setLevel(wanted);
        }
        for (OutputStreamAppender<ILoggingEvent> appender : written(root)) {
            if (format == LogFormat.JSON) {
                appender.stop();
                appender.setEncoder(json(context));
                appender.start();
            }
            keepRecent(context, root, appender.getEncoder());
        }
    }

    /** Libraries that log through the JDK log here from now on: without this they print to the console, with stack traces. */
    public static void takeJdkLog() {
        JdkLog.take();
    }

    /** The log lines of the last while, oldest first; empty unless {@link #configure} was called. */
    public static String recent() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                        && context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender(RECENT)
                                instanceof RecentLines lines
                ? lines.text()
                : "";
    }

    private static List<OutputStreamAppender<ILoggingEvent>> written(ch.qos.logback.classic.Logger root) {
        List<OutputStreamAppender<ILoggingEvent>> written = new ArrayList<>();
        root.iteratorForAppenders().forEachRemaining(each -> {
            if (each instanceof OutputStreamAppender<ILoggingEvent> appender) {
                written.add(appender);
            }
        });
        return written;
    }

    private static void keepRecent(
            LoggerContext context, ch.qos.logback.classic.Logger root, Encoder<ILoggingEvent> encoder) {
        root.detachAppender(RECENT);
        RecentLines lines = new RecentLines(encoder);
        lines.setName(RECENT);
        lines.setContext(context);
        lines.start();
        root.addAppender(lines);
    }

    /** One object per line, without what is the same in every line. */
    static Encoder<ILoggingEvent> json(LoggerContext context) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMDC(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }
}
