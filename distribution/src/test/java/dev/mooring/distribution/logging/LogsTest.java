// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.read.ListAppender;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.duty.BackgroundDuties;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the log looks like, and what is told at debug. */
class LogsTest {
    private static final String FILE = "logback.configurationFile";

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger decisions = context.getLogger(Logs.DECISIONS);
    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();

    @BeforeEach
    void listen() {
        heard.start();
        decisions.addAppender(heard);
        decisions.setAdditive(false);
    }

    @AfterEach
    void restore() {
        decisions.detachAppender(heard);
        decisions.setAdditive(true);
        context.getLogger("dev.mooring").setLevel(null);
    }

    @Test
    void aLineOfJsonIsOneObjectWhateverTheMessageHolds() {
        decisions.setLevel(Level.INFO);
        decisions.warn("a \"quoted\"\nname {}", "{x}", new IllegalStateException("broken"));
        byte[] line = Logs.json(context).encode(heard.list.get(0));

        String text = new String(line, StandardCharsets.UTF_8);
        assertThat(text).endsWith("\n");
        assertThat(text.lines()).hasSize(1);
        Document document = KubernetesJson.standard().read(text, "the log");
        assertThat(document.text("formattedMessage")).contains("a \"quoted\"\nname {x}");
        assertThat(document.text("level")).contains("WARN");
        assertThat(document.text("throwable", "message")).contains("broken");
        decisions.setLevel(null);
    }

    @Test
    void aDecisionIsOneLineAtDebugAndNothingOfAnObjectIsInIt() {
        Logs.configure(LogFormat.TEXT, org.slf4j.event.Level.DEBUG);
        MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
        ControllerRuntime runtime = new ControllerRuntime(
                store,
                List.of(BackgroundDuties.namespaceTermination(Kinds.standard())),
                RuntimeOptions.defaults().withListener(new DecisionLog()));
        try (store;
                runtime) {
            runtime.start();
            for (Map<String, ?> object :
                    List.of(Map.of("metadata", Map.of("name", "shop")), Map.of("metadata", Map.of("name", "other")))) {
                store.createDocument(Kinds.NAMESPACE, Document.of(object)).orThrow();
            }
            store.createDocument(
                            Kinds.SECRET,
                            Document.of(Map.of(
                                    "metadata",
                                    Map.of("name", "chap", "namespace", "shop"),
                                    "stringData",
                                    Map.of("password", "planted-hunter2"))))
                    .orThrow();
            store.delete(Kinds.NAMESPACE, ObjectKey.cluster("shop"), DeleteOptions.DEFAULT);
            runtime.whenQuiescent().join();
        }
        assertThat(heard.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.equals("namespace namespace shop: finalize-namespace"))
                .noneMatch(line -> line.contains("planted"));
        assertThat(heard.list).allMatch(event -> event.getLevel() == Level.DEBUG);
    }

    @Test
    void aControllerThatThrowsIsAnErrorWithoutItsText() {
        Logger defects = context.getLogger("dev.mooring.runtime.DefectLog");
        defects.addAppender(heard);
        MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
        ControllerRuntime runtime = new ControllerRuntime(
                store, List.of(new Broken()), RuntimeOptions.defaults().withName("broken"));
        try (store;
                runtime) {
            runtime.start();
            store.createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", "shop"))))
                    .orThrow();
            runtime.whenQuiescent().join();
        } finally {
            defects.detachAppender(heard);
        }
        assertThat(heard.list).isNotEmpty().allSatisfy(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage()).contains("broken", "namespace shop");
            assertThat(ThrowableProxyUtil.asString(event.getThrowableProxy()))
                    .contains(IllegalStateException.class.getName(), "Broken.decide")
                    .doesNotContain("planted");
        });
    }

    private static final class Broken implements Controller {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public List<Kind<?>> kinds() {
            return List.of(Kinds.NAMESPACE);
        }

        @Override
        public void observe(ObjectChange<?> change, Mailbox mailbox) {
            mailbox.inputChanged(new Key("namespace", change.key()));
        }

        @Override
        public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
            throw new IllegalStateException("planted-hunter2");
        }
    }

    /** gRPC and netty's server log so. */
    @Test
    void whatALibraryLogsThroughTheJdkIsALineWithoutStackTrace() {
        java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
        java.util.logging.Handler[] before = root.getHandlers();
        Logger library = context.getLogger("io.grpc.netty.NettyServerHandler");
        library.addAppender(heard);
        try {
            Logs.takeJdkLog();
            Logs.takeJdkLog();
            java.util.logging.Logger jdk = java.util.logging.Logger.getLogger("io.grpc.netty.NettyServerHandler");
            jdk.log(java.util.logging.Level.SEVERE, "Stream Error {0}", "{1}");
            jdk.log(java.util.logging.Level.WARNING, "Stream Error", new IllegalStateException("planted-hunter2"));
            assertThat(root.getHandlers()).hasSize(1);
        } finally {
            library.detachAppender(heard);
            for (java.util.logging.Handler each : root.getHandlers()) {
                root.removeHandler(each);
            }
            for (java.util.logging.Handler each : before) {
                root.addHandler(each);
            }
        }
        assertThat(heard.list).hasSize(2).allMatch(event -> event.getThrowableProxy() == null);
        assertThat(heard.list.get(0).getLevel()).isEqualTo(Level.ERROR);
        assertThat(heard.list.get(0).getFormattedMessage()).isEqualTo("Stream Error {1}");
        assertThat(heard.list.get(1).getLevel()).isEqualTo(Level.WARN);
        assertThat(heard.list.get(1).getFormattedMessage()).isEqualTo("Stream Error (java.lang.IllegalStateException)");
    }

    /** A caller that breaks its connection is nothing to tell; an error of the server is. */
    @Test
    void ofGrpcOnlyErrorsAreTold() {
        Logger grpc = shipped().getLogger("io.grpc.netty.NettyServerHandler");
        assertThat(grpc.isWarnEnabled()).isFalse();
        assertThat(grpc.isErrorEnabled()).isTrue();
    }

    /** The file of these tests is for the logger that they themselves use. */
    private static LoggerContext shipped() {
        LoggerContext shipped = new LoggerContext();
        String file = System.clearProperty(FILE);
        try {
            assertThat(new ShippedLog().configure(shipped)).isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        } finally {
            System.setProperty(FILE, file);
        }
        return shipped;
    }

    @Test
    void aFileThatTheUserNamesCountsInsteadOfWhatIsShipped() {
        LoggerContext context = new LoggerContext();
        assertThat(System.getProperty(FILE)).isNotEmpty();
        assertThat(new ShippedLog().configure(context)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
        assertThat(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders())
                .isExhausted();
    }

    /** Any client that connects can make these warn, with a text of its own. */
    @Test
    void theHttpServerLogsNothingOfARequest() {
        LoggerContext shipped = shipped();
        for (String parser : List.of(
                "org.eclipse.jetty.http.HttpParser",
                "org.eclipse.jetty.util.HostPort",
                "org.eclipse.jetty.util.URIUtil",
                "org.eclipse.jetty.server.Response",
                "org.eclipse.jetty.server.handler.ErrorHandler")) {
            assertThat(shipped.getLogger(parser).isErrorEnabled()).as(parser).isFalse();
        }
        assertThat(shipped.getLogger("org.eclipse.jetty.server.AbstractConnector")
                        .isWarnEnabled())
                .isTrue();
    }

    @Test
    void aMessageIsOneLineWhateverItHolds() {
        LoggerContext shipped = shipped();
        Logger root = shipped.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        LoggingEvent event = new LoggingEvent("test", root, Level.WARN, "name {}", null, new Object[] {
            "x\r\n2026-01-01T00:00:00.000Z ERROR forged \u001b[31m"
        });
        if (!(root.getAppender("stderr") instanceof OutputStreamAppender<ILoggingEvent> appender)) {
            throw new AssertionError("no appender");
        }
        String text = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
        assertThat(text.lines()).hasSize(1);
        assertThat(text).contains("name x??2026").doesNotContain("\u001b");
    }

    @Test
    void atInfoNoDecisionIsTold() {
        Logs.configure(LogFormat.TEXT, org.slf4j.event.Level.INFO);
        assertThat(LoggerFactory.getLogger(Logs.DECISIONS).isDebugEnabled()).isFalse();
        Logs.configure(LogFormat.TEXT, org.slf4j.event.Level.DEBUG);
        assertThat(LoggerFactory.getLogger(Logs.DECISIONS).isDebugEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("io.fabric8").isDebugEnabled()).isFalse();
    }
}
