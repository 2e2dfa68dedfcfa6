// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A StatefulSet in the world of a test gets its pods and claims, in order and by the world's clock. */
class StatefulSetWorldTest {
    private static final String SET = """
            apply:
            - apiVersion: apps/v1
              kind: StatefulSet
              metadata: {name: web}
              spec:
                replicas: 2
                minReadySeconds: 600
                serviceName: web
                selector: {matchLabels: {app: web}}
                template:
                  metadata: {labels: {app: web}}
                  spec: {containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /v}]}]}
                volumeClaimTemplates:
                - metadata: {name: data}
                  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    private final MooringWorld world = MooringWorld.builder().nodes(2).start();

    @AfterEach
    void close() {
        assertThat(world.defects()).isEmpty();
        world.close();
    }

    private static String pod(int ordinal) {
        return "{kind: Pod, name: web-" + ordinal + ", matches: {status: {phase: Running}}}";
    }

    private static String claim(int ordinal) {
        return "{kind: PersistentVolumeClaim, name: data-web-" + ordinal + ", matches: {status: {phase: Bound}}}";
    }

    @Test
    void aPodFollowsWhenTheOneBeforeHasBeenReadyForLongEnough() {
        world.play(SET);
        world.settle();
        world.play("{expect: [" + pod(0) + ", " + claim(0) + ", {kind: Pod, name: web-1, absent: true}]}");
        world.advance(Duration.ofMinutes(11));
        world.settle();
        world.play(
                "{expect: [" + pod(0) + ", " + claim(0) + ", " + pod(1) + ", " + claim(1)
                        + ", {kind: StatefulSet, name: web, matches: {status: {replicas: 2, readyReplicas: 2, availableReplicas: 1}}}]}");
        world.advance(Duration.ofMinutes(10));
        world.settle();
        world.play("{expect: [{kind: StatefulSet, name: web, matches: {status: {availableReplicas: 2}}}]}");
    }
}
