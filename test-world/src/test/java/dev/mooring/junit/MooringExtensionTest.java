// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import static dev.mooring.junit.StorageCalls.storageClass;
import static dev.mooring.junit.Times.always;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.opentest4j.AssertionFailedError;

/** What the extension makes of test classes, as JUnit runs them. */
class MooringExtensionTest {
    private static final String CLAIM = """
            settle: true
            apply:
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data, namespace: %s}
              spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    private static Events run(Class<?>... classes) {
        var kit = EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent");
        for (Class<?> each : classes) {
            kit.selectors(selectClass(each));
        }
        return kit.execute().testEvents();
    }

    @MooringCluster
    static class Failing {
        @Test
        void aClaimIsBound(MooringWorld world) {
            world.fail(storageClass("standard").provision(), always());
            world.play(CLAIM.formatted(world.namespace()));
            assertEquals("Bound", "Pending");
        }
    }

    @Test
    void aFailedAssertionSaysWhatWaitsAndWhy() {
        run(Failing.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(finishedWithFailure(
                                instanceOf(AssertionFailedError.class),
                                message(text -> text.startsWith("expected: <Bound> but was: <Pending>")
                                        && text.contains("PersistentVolumeClaim a-claim-is-bound-1/data is Pending")
                                        && text.contains("provision: refused (declared fault)")))));
    }

    /** What tests saw, by their names. */
    private static final Map<String, String> SEEN = new ConcurrentHashMap<>();

    @MooringCluster(nodes = 2)
    static class One {
        @BeforeAll
        static void begins(MooringWorld world) {
            SEEN.put("One", world.url() + " " + world.namespace());
        }

        @Test
        void first(MooringWorld world) {
            world.play(CLAIM.formatted(world.namespace()));
            SEEN.put("One.first", world.url() + " " + world.namespace());
        }

        @Test
        void second(MooringWorld world) {
            world.play(CLAIM.formatted(world.namespace()));
            SEEN.put("One.second", world.url() + " " + world.namespace());
        }
    }

    @MooringCluster(nodes = 0, tls = true)
    static class Other {
        @Test
        void first(MooringWorld world, @Kubeconfig String kubeconfig) {
            SEEN.put("Other.first", world.url());
            assertThat(kubeconfig).contains("certificate-authority-data", "namespace: first-1");
        }
    }

    @Test
    void eachClassHasAClusterAndEachTestANamespace() {
        run(One.class, Other.class).assertStatistics(counts -> counts.succeeded(3));
        String url = SEEN.get("One").split(" ", -1)[0];
        assertThat(SEEN.get("One")).isEqualTo(url + " default");
        assertThat(Set.of(SEEN.get("One.first"), SEEN.get("One.second")))
                .allSatisfy(seen -> assertThat(seen).startsWith(url + " "))
                .hasSize(2);
        assertThat(SEEN.get("Other.first")).startsWith("https://").isNotEqualTo(url);
    }

    @MooringCluster(plugins = "kubernetes.io/host-path", storageClasses = "standard=kubernetes.io/host-path")
    static class WithRealVolumes {
        @Test
        void aPodHasADirectory(MooringWorld world) {
            world.play(CLAIM.formatted(world.namespace()));
            world.play("""
                    apply:
                    - apiVersion: v1
                      kind: Pod
                      metadata: {name: web, namespace: %s}
                      spec:
                        containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /v}]}]
                        volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
                    """.formatted(world.namespace()));
            SEEN.put("real", world.pathOf("web", "v").toString());
            assertThat(world.pathOf("web", "v")).isEmptyDirectory();
        }
    }

    @Test
    void pluginsAreNamedAndNothingIsLeftOfTheirVolumes() {
        String why = MooringWorld.whyNoRealBackEnds().orElse("");
        assumeTrue(why.isEmpty(), why);
        run(WithRealVolumes.class).assertStatistics(counts -> counts.succeeded(1));
        Path nodes = Path.of(SEEN.get("real").replaceFirst("/nodes/.*", ""));
        assertThat(nodes.getFileName().toString()).startsWith("mooring-world-");
        assertThat(nodes).doesNotExist();
    }

    @MooringCluster(nodes = 0, scenario = "begins.yaml")
    static class BeginsWithAScenario {
        @Test
        void theStoryHasBeenPlayed(MooringWorld world) {
            assertThat(world.explain("pvc/default/data")).contains("is Bound");
            assertThat(world.explain("pod/default/web")).contains("is Running");
        }
    }

    @Test
    void aScenarioCanBeTheBeginning() {
        run(BeginsWithAScenario.class).assertStatistics(counts -> counts.succeeded(1));
    }
}
