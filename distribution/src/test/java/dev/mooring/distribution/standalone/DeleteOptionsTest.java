// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.RawClient.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A condition that is said wrongly must not be taken for none. */
@TestInstance(Lifecycle.PER_CLASS)
class DeleteOptionsTest {
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String KEPT = MAPS + "/kept";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private RawClient client;

    @BeforeAll
    void start() throws Exception {
        server = Standalone.start(StandaloneServers.options(directory.resolve("data")), List.of());
        client = new RawClient(directory.resolve("data/kubeconfig"));
        make("kept");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private void make(String name) throws IOException {
        assertThat(client.post(MAPS, "{'metadata':{'name':'" + name + "'}}").status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'preconditions':{'uid':7}}",
                "{'preconditions':{'resourceVersion':7}}",
                "{'preconditions':'x'}",
                "{'preconditions':[]}",
                "{'gracePeriodSeconds':'30'}",
                "{'gracePeriodSeconds':1.5}",
                "{'propagationPolicy':5}",
                "{'orphanDependents':'true'}",
                "{'kind':7}",
                "{'kind':'ConfigMap','apiVersion':'v1'}"
            })
    void whatIsMalformedIsRefusedAndTheObjectStays(String options) throws Exception {
        Reply one = client.request("DELETE", KEPT, JSON, options.replace('\'', '"'));
        Reply all = client.request("DELETE", MAPS, JSON, options.replace('\'', '"'));
        assertThat(one.status()).as(one.text()).isEqualTo(400);
        assertThat(all.status()).as(all.text()).isEqualTo(400);
        assertThat(client.get(KEPT).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'x'", "{'preconditions':{'uid':7}}", "{'propagationPolicy':5}"})
    void thoseOfAnEvictionAreReadAsStrictly(String options) throws Exception {
        Reply reply = client.post(
                "/api/v1/namespaces/default/pods/none/eviction",
                "{'kind':'Eviction','metadata':{'name':'none'},'deleteOptions':" + options + "}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    }

    @Test
    void optionsInYamlAreRead() throws Exception {
        String yaml = "application/yaml";
        Reply guarded = client.request("DELETE", KEPT, yaml, "preconditions:\n  uid: other\n");
        assertThat(guarded.status()).as(guarded.text()).isEqualTo(409);
        assertThat(client.request("DELETE", KEPT, yaml, "preconditions: x\n").status())
                .isEqualTo(400);
        make("yaml");
        assertThat(client.request("DELETE", MAPS + "/yaml", yaml, "kind: DeleteOptions\napiVersion: v1\n")
                        .status())
                .isEqualTo(200);
    }

    /** In its envelope: {@code apps/v1}, {@code Deployment}. */
    @Test
    void protobufOfAnotherKindIsRefusedAndTheObjectStays() throws Exception {
        String type = "\n\u0007apps/v1\u0012\nDeployment";
        String body = "k8s\u0000\n" + (char) type.length() + type;
        Reply reply = client.request("DELETE", KEPT, PROTOBUF, body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(client.get(KEPT).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'kind':'DeleteOptions','apiVersion':'v1','preconditions':null,'gracePeriodSeconds':null}",
                "{'preconditions':{'uid':null},'gracePeriodSeconds':0,'orphanDependents':false}"
            })
    void whatIsLeftOpenIsNoMistake(String options) throws Exception {
        make("gone");
        assertThat(client.request("DELETE", MAPS + "/gone", JSON, options.replace('\'', '"'))
                        .status())
                .isEqualTo(200);
    }

    /** As the API server does, kind by kind ({@code ReturnDeletedObject}). */
    @Test
    void whatIsGoneIsShownOrOnlyItsIdentityIsTold() throws Exception {
        String classes = "/apis/storage.k8s.io/v1/storageclasses";
        assertThat(client.post(classes, "{'metadata':{'name':'fast'},'provisioner':'example.com/x'}")
                        .status())
                .isEqualTo(201);
        Reply shown = client.request("DELETE", classes + "/fast", JSON, "");
        assertThat(shown.text()).contains("\"kind\":\"StorageClass\"", "\"provisioner\":\"example.com/x\"");
        assertThat(client.get(classes + "/fast").status()).isEqualTo(404);
        make("told");
        assertThat(client.request("DELETE", MAPS + "/told", JSON, "").text())
                .contains("\"kind\":\"Status\"", "\"status\":\"Success\"");
    }
}
