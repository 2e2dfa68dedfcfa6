// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.junit.MooringCluster;
import dev.mooring.junit.MooringWorld;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects of kinds that an operator defines while the world runs own others, and go, as those of Kubernetes do. */
@MooringCluster(
        nodes = 0,
        storageClasses = {})
class OwnKindsTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: ships.example.com}
            spec:
              group: example.com
              names: {kind: Ship, plural: ships, singular: ship}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private KubernetesClient client;
    private MooringWorld world;

    @BeforeEach
    void define(KubernetesClient injected, MooringWorld its) {
        client = injected;
        world = its;
        client.resource(DEFINITION).serverSideApply();
    }

    private Resource<GenericKubernetesResource> ship(String namespace) {
        return client.genericKubernetesResources("example.com/v1", "Ship")
                .inNamespace(namespace)
                .withName("owner");
    }

    /** A ship, and a ConfigMap of it. */
    private void makeBoth(String namespace) {
        GenericKubernetesResource wanted = new GenericKubernetesResource();
        wanted.setApiVersion("example.com/v1");
        wanted.setKind("Ship");
        wanted.setMetadata(new ObjectMetaBuilder().withName("owner").build());
        GenericKubernetesResource owner =
                client.resource(wanted).inNamespace(namespace).create();
        ConfigMap cargo = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("cargo")
                .endMetadata()
                .build();
        cargo.addOwnerReference(owner).setBlockOwnerDeletion(true);
        client.resource(cargo).inNamespace(namespace).create();
    }

    private ConfigMap cargo(String namespace) {
        return client.configMaps().inNamespace(namespace).withName("cargo").get();
    }

    @ParameterizedTest
    @EnumSource(
            value = DeletionPropagation.class,
            names = {"BACKGROUND", "FOREGROUND"})
    void whatAnObjectOwnsGoesWithIt(DeletionPropagation how) {
        makeBoth(world.namespace());
        ship(world.namespace()).withPropagationPolicy(how).delete();
        world.eventually(() -> {
            assertThat(cargo(world.namespace())).isNull();
            assertThat(ship(world.namespace()).get()).isNull();
        });
    }

    @Test
    void whatAnObjectOrphansStaysWithoutIt() {
        makeBoth(world.namespace());
        ship(world.namespace())
                .withPropagationPolicy(DeletionPropagation.ORPHAN)
                .delete();
        world.eventually(() -> assertThat(ship(world.namespace()).get()).isNull());
        world.settle();
        assertThat(cargo(world.namespace()).getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void aNamespaceTakesThemWithIt() {
        String other = world.namespace() + "-harbour";
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(other)
                        .endMetadata()
                        .build())
                .create();
        makeBoth(other);
        client.namespaces().withName(other).delete();
        world.eventually(
                () -> assertThat(client.namespaces().withName(other).get()).isNull());
        assertThat(client.genericKubernetesResources("example.com/v1", "Ship")
                        .inAnyNamespace()
                        .list()
                        .getItems())
                .noneMatch(each -> each.getMetadata().getNamespace().equals(other));
    }
}
