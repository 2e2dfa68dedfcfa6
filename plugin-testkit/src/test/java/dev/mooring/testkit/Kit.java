// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the kit as an author does, by JUnit. */
final class Kit {
    private static final AtomicReference<Supplier<StoragePlugin>> PLUGIN = new AtomicReference<>(() -> {
        throw new IllegalStateException("no plugin was given");
    });

    private static final Duration USUAL = Duration.ofMinutes(1);
    private static final AtomicReference<Duration> CALL_LIMIT = new AtomicReference<>(USUAL);

    private Kit() {}

    /** What came of it. */
    record Report(int passed, List<Throwable> failures, List<String> skipped) {
        Set<Rule> broken() {
            Set<Rule> rules = new TreeSet<>();
            for (Throwable failure : failures) {
                if (failure instanceof BrokenRule broken) {
                    rules.add(broken.rule());
                }
            }
            return rules;
        }

        String messages() {
            StringBuilder text = new StringBuilder();
            failures.forEach(failure -> text.append(failure.getMessage()).append('\n'));
            return text.toString();
        }
    }

    static Report run(Supplier<StoragePlugin> plugin) {
        PLUGIN.set(plugin);
        return run(Subject.class);
    }

    /** Runs the kit with a limit for each call. */
    static Report run(Supplier<StoragePlugin> plugin, Duration callLimit) {
        CALL_LIMIT.set(callLimit);
        try {
            return run(plugin);
        } finally {
            CALL_LIMIT.set(USUAL);
        }
    }

    /** Runs the kit for an author's test class. */
    static Report run(Class<? extends PluginConformance> subject) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(subject))
                .build();
        Listener listener = new Listener();
        LauncherFactory.create().execute(request, listener);
        return new Report(listener.passed, listener.failures, listener.skipped);
    }

    private static final class Listener implements TestExecutionListener {
        private final List<Throwable> failures = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();
        private int passed;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean aborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
            result.getThrowable().ifPresent(failure -> {
                if (aborted) {
                    skipped.add(test.getDisplayName() + ": " + failure.getMessage());
                } else {
                    failures.add(failure);
                }
            });
            if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                passed++;
            }
        }
    }

    /** The test class of the example's author; run only by {@link #run}, since no engine looks for nested ones of this name. */
    static final class Subject implements PluginConformance {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return PLUGIN.get().get();
        }

        @Override
        public Duration callLimit() {
            return CALL_LIMIT.get();
        }

        @Override
        public Secrets secrets() {
            return secret -> secret.equals(ObjectKey.of("kit", "shelf"))
                    ? Optional.of(SecretValue.all(Map.of("key", "open-sesame")))
                    : Optional.empty();
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(source("other.example.com", "node-1/a"), source("shelf.example.com", "node-1/../etc"));
        }

        @Override
        public List<VolumeSource> foreignSources(Machine machine) {
            machine.host()
                    .files()
                    .openOrMake(
                            machine.directory().resolve("state/shelf.example.com/by-hand/data/x"),
                            LinkRule.REFUSE,
                            FileKind.DIRECTORY,
                            0755)
                    .result()
                    .ifPresent(made -> made.path().close());
            return List.of(source("shelf.example.com", "node-1/by-hand"));
        }

        private static VolumeSource source(String driver, String handle) {
            return new CsiSource(driver, handle, "", false, Map.of()).toSource();
        }
    }
}
