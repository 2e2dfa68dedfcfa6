// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;

/**
 * The log that is shipped: one line for each message on standard error. Where {@code logback.configurationFile} is set, that file
 * counts instead. In Java, as logback's reader of XML loads some 400 classes, which every process keeps in memory.
 */
public final class ShippedLog extends ContextAwareBase implements Configurator {
    private static final String FILE = "logback.configurationFile";
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} %replace(%msg){'\\p{Cntrl}', '?'}%n%nopex%ex{short}";
    private static final Map<String, Level> LEVELS = Map.of(
            // Each of its warnings comes back as an outcome that we report ourselves.
            "io.fabric8", Level.ERROR,
            // gRPC sets options that a unix socket does not have. What goes wrong comes back as an outcome.
            "io.netty", Level.ERROR,
            "io.grpc", Level.ERROR,
            // Any client can have its parsers warn, with what the request holds. What concerns the machine is
            // let through.
            "org.eclipse.jetty", Level.OFF,
            "org.eclipse.jetty.io", Level.WARN,
            "org.eclipse.jetty.server.AbstractConnector", Level.WARN,
            "org.eclipse.jetty.util.ssl", Level.WARN,
            "org.eclipse.jetty.util.thread", Level.WARN);

    /** For logback, which finds it as a service. */
    public ShippedLog() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setName("stderr");
        stderr.setTarget(ConsoleTarget.SystemErr.getName());
        stderr.setEncoder(encoder);
        stderr.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(stderr);
        LEVELS.forEach((name, level) -> context.getLogger(name).setLevel(level));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
