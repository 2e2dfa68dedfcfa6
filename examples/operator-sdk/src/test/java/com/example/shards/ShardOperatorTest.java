// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import static dev.mooring.junit.StorageCalls.storageClass;
import static dev.mooring.junit.Times.always;
import static dev.mooring.junit.Times.once;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.junit.MooringCluster;
import dev.mooring.junit.MooringWorld;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.javaoperatorsdk.operator.Operator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MooringCluster(nodes = 3, storageClasses = {"standard", "fast"})
class ShardOperatorTest {
    private KubernetesClient client;
    private MooringWorld world;

    @BeforeEach
    void start(Operator operator, KubernetesClient injected, MooringWorld its) {
        client = injected;
        world = its;
        client.load(ShardSet.class.getResourceAsStream("/shardsets.yaml")).serverSideApply();
        operator.register(new ShardReconciler(), options -> options.settingNamespace(world.namespace()));
        operator.start();
    }

    private void make(String name, Integer replicas) {
        make(name, new ShardSet.Spec(replicas, null, null));
    }

    private void make(String name, ShardSet.Spec spec) {
        ShardSet set = new ShardSet();
        set.setMetadata(new ObjectMetaBuilder().withName(name).build());
        set.setSpec(spec);
        client.resource(set).create();
    }

    private Resource<ShardSet> set(String name) {
        return client.resources(ShardSet.class).withName(name);
    }

    private void change(String name, UnaryOperator<ShardSet.Spec> change) {
        set(name).edit(set -> {
            set.setSpec(change.apply(set.getSpec()));
            return set;
        });
    }

    private void scale(String name, int replicas) {
        change(name, spec -> new ShardSet.Spec(replicas, spec.size(), spec.storageClass()));
    }

    private String ready(String name) {
        ShardSet.Status status = set(name).get().getStatus();
        return status == null ? "" : status.ready();
    }

    private void awaitReady(String name, String ready) {
        world.eventually(() -> assertThat(ready(name)).isEqualTo(ready));
    }

    private static List<String> names(List<? extends HasMetadata> objects) {
        return objects.stream().map(each -> each.getMetadata().getName()).sorted().toList();
    }

    private List<String> claims() {
        return names(client.persistentVolumeClaims().list().getItems());
    }

    private List<String> pods() {
        return names(client.pods().list().getItems());
    }

    private Pod pod(String name) {
        return client.pods().withName(name).get();
    }

    private PersistentVolumeClaim claim(String name) {
        return client.persistentVolumeClaims().withName(name).get();
    }

    @Test
    void makesAClaimAndAPodForEachShard() {
        make("db", 3);
        awaitReady("db", "3/3");
        assertThat(claims()).containsExactly("db-0", "db-1", "db-2");
        assertThat(pods()).containsExactly("db-0", "db-1", "db-2");
    }

    @Test
    void claimsAreBoundToVolumesOfTheDefaultClass() {
        make("db", 2);
        awaitReady("db", "2/2");
        assertThat(claim("db-1").getStatus().getPhase()).isEqualTo("Bound");
        assertThat(claim("db-1").getSpec().getStorageClassName()).isEqualTo("standard");
    }

    @Test
    void takesTheClassThatIsNamed() {
        make("db", new ShardSet.Spec(1, "1Gi", "fast"));
        awaitReady("db", "1/1");
        assertThat(claim("db-0").getSpec().getStorageClassName()).isEqualTo("fast");
    }

    @Test
    void scalesUp() {
        make("db", 1);
        awaitReady("db", "1/1");
        scale("db", 3);
        awaitReady("db", "3/3");
    }

    @Test
    void scalesDownAndKeepsTheClaims() {
        make("db", 3);
        awaitReady("db", "3/3");
        scale("db", 1);
        awaitReady("db", "1/1");
        world.eventually(() -> assertThat(pods()).containsExactly("db-0"));
        assertThat(claims()).containsExactly("db-0", "db-1", "db-2");
    }

    @Test
    void aShardThatComesBackHasItsOldVolume() {
        make("db", 2);
        awaitReady("db", "2/2");
        String volume = claim("db-1").getSpec().getVolumeName();
        scale("db", 1);
        awaitReady("db", "1/1");
        scale("db", 2);
        awaitReady("db", "2/2");
        assertThat(claim("db-1").getSpec().getVolumeName()).isEqualTo(volume);
    }

    @Test
    void nothingIsMadeForNoShards() {
        make("db", 0);
        awaitReady("db", "0/0");
        assertThat(claims()).isEmpty();
    }

    @Test
    void growsTheClaims() {
        make("db", 1);
        awaitReady("db", "1/1");
        change("db", spec -> new ShardSet.Spec(spec.replicas(), "5Gi", spec.storageClass()));
        world.eventually(() -> assertThat(claim("db-0").getStatus().getCapacity().get("storage"))
                .hasToString("5Gi"));
    }

    @Test
    void makesADeletedPodAgain() {
        make("db", 1);
        awaitReady("db", "1/1");
        String uid = pod("db-0").getMetadata().getUid();
        client.pods().withName("db-0").delete();
        world.eventually(() -> assertThat(pod("db-0").getMetadata().getUid()).isNotEqualTo(uid));
        awaitReady("db", "1/1");
    }

    @Test
    void podsGoWithTheirSetAndClaimsStay() {
        make("db", 2);
        awaitReady("db", "2/2");
        set("db").delete();
        world.eventually(() -> assertThat(pods()).isEmpty());
        assertThat(claims()).containsExactly("db-0", "db-1");
    }

    @Test
    void setsDoNotDisturbEachOther() {
        make("one", 2);
        make("two", 1);
        awaitReady("one", "2/2");
        awaitReady("two", "1/1");
        set("one").delete();
        world.eventually(() -> assertThat(pods()).containsExactly("two-0"));
    }

    @Test
    void aSetThatBreaksItsSchemaIsRefused() {
        assertThatThrownBy(() -> make("db", 100))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.replicas: Invalid value: 100: spec.replicas in body should be less than or equal to 99");
    }

    @Test
    void theClassOfClaimsThatExistCannotBeChanged() {
        make("db", 1);
        awaitReady("db", "1/1");
        assertThatThrownBy(() -> change("db", spec -> new ShardSet.Spec(1, "1Gi", "fast")))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("the class of claims that exist cannot be changed");
    }

    @Test
    void aClassThatIsNotThereIsExplained() {
        make("db", new ShardSet.Spec(1, "1Gi", "none"));
        awaitReady("db", "0/1");
        assertThat(world.explain("pvc/db-0")).contains("is Pending", "none");
    }

    @Test
    void recoversFromAMountThatFails() {
        world.fail(storageClass("standard").publish(), always());
        make("db", 1);
        awaitReady("db", "0/1");
        world.endFaults();
        world.advance(ofMinutes(2));
        awaitReady("db", "1/1");
    }

    @Test
    void waitsForStorageThatRefuses() {
        world.fail(storageClass("standard").provision(), always());
        make("db", 2);
        awaitReady("db", "0/2");
        world.advance(ofMinutes(30));
        assertThat(ready("db")).isEqualTo("0/2");
        world.endFaults();
        world.advance(ofMinutes(30));
        awaitReady("db", "2/2");
    }

    @Test
    void anAttachWithoutAnAnswerIsTriedAgain() {
        world.hang(storageClass("standard").attach(), once());
        make("db", 1);
        awaitReady("db", "0/1");
        world.advance(ofMinutes(10));
        awaitReady("db", "1/1");
    }

    @Test
    void storageOfUnknownOutcomeIsNotMadeTwice() {
        world.uncertain(storageClass("standard").provision(), once());
        make("db", 1);
        world.advance(ofMinutes(5));
        awaitReady("db", "1/1");
        String made = client.persistentVolumes().list().getItems().stream()
                .filter(volume -> volume.getSpec().getClaimRef() != null
                        && volume.getSpec().getClaimRef().getNamespace().equals(world.namespace()))
                .map(volume -> volume.getMetadata().getName())
                .toList()
                .toString();
        assertThat(made).isEqualTo("[" + claim("db-0").getSpec().getVolumeName() + "]");
    }

    @Test
    void aShortOutageOfANodeMovesNoShard() {
        make("db", 1);
        awaitReady("db", "1/1");
        String node = pod("db-0").getSpec().getNodeName();
        world.stopNode(node);
        world.advance(ofMinutes(2));
        world.startNode(node);
        world.advance(ofSeconds(30));
        awaitReady("db", "1/1");
        assertThat(pod("db-0").getSpec().getNodeName()).isEqualTo(node);
    }

    @Test
    void aShardOfALostNodeRunsElsewhereWithItsVolume() {
        make("db", 1);
        awaitReady("db", "1/1");
        String node = pod("db-0").getSpec().getNodeName();
        String volume = claim("db-0").getSpec().getVolumeName();
        world.stopNode(node);
        world.advance(ofMinutes(6));
        assertThat(pod("db-0").getMetadata().getDeletionTimestamp()).isNotNull();
        client.nodes().withName(node).edit(it -> it.edit()
                .editSpec()
                .addNewTaint("NoExecute", "node.kubernetes.io/out-of-service", null, "nodeshutdown")
                .endSpec()
                .build());
        world.advance(ofMinutes(2));
        awaitReady("db", "1/1");
        assertThat(pod("db-0").getSpec().getNodeName()).isNotEqualTo(node);
        assertThat(claim("db-0").getSpec().getVolumeName()).isEqualTo(volume);
        client.nodes().withName(node).edit(it -> it.edit().editSpec().withTaints().endSpec().build());
    }
}
