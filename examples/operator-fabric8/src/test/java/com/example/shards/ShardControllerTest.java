// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import static dev.mooring.junit.StorageCalls.storageClass;
import static dev.mooring.junit.Times.always;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.junit.MooringCluster;
import dev.mooring.junit.MooringWorld;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MooringCluster(nodes = 2)
class ShardControllerTest {
    private KubernetesClient client;
    private MooringWorld world;
    private ShardController controller;

    @BeforeEach
    void start(KubernetesClient injected, MooringWorld its) {
        client = injected;
        world = its;
        controller = ShardController.start(client, world.namespace());
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private void make(String replicas) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("db")
                        .addToLabels(Shards.LABEL, "db")
                        .endMetadata()
                        .withData(Map.of("replicas", replicas))
                        .build())
                .create();
    }

    private List<String> running() {
        return client.pods().list().getItems().stream()
                .filter(pod -> pod.getStatus().getPhase().equals("Running"))
                .map(pod -> pod.getMetadata().getName())
                .sorted()
                .toList();
    }

    private void awaitRunning(String... names) {
        world.eventually(() -> assertThat(running()).containsExactly(names));
    }

    @Test
    void makesAPodWithItsVolumeForEachShard() {
        make("3");
        awaitRunning("db-0", "db-1", "db-2");
        assertThat(world.explain("pvc/db-2")).contains("is Bound");
    }

    @Test
    void scalesDownAndKeepsTheClaims() {
        make("2");
        awaitRunning("db-0", "db-1");
        client.configMaps().withName("db").edit(map -> map.edit().addToData("replicas", "1").build());
        awaitRunning("db-0");
        assertThat(world.explain("pvc/db-1")).contains("is Bound");
    }

    @Test
    void recoversFromStorageThatRefusesForAWhile() {
        world.fail(storageClass("standard").provision(), always());
        make("1");
        world.settle();
        assertThat(running()).isEmpty();
        world.endFaults();
        world.advance(ofMinutes(10));
        awaitRunning("db-0");
    }

    @Test
    void continuesWhereAnotherControllerStopped() {
        make("1");
        awaitRunning("db-0");
        controller.close();
        client.configMaps().withName("db").edit(map -> map.edit().addToData("replicas", "2").build());
        controller = ShardController.start(client, world.namespace());
        awaitRunning("db-0", "db-1");
    }
}
