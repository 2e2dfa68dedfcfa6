// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.RawClient.Reply;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What secrets and config maps may hold. */
@TestInstance(Lifecycle.PER_CLASS)
class DataTest {
    private static final String OF_DEFAULT = "/api/v1/namespaces/default/";
    private static final String SECRETS = OF_DEFAULT + "secrets";
    private static final String MAPS = OF_DEFAULT + "configmaps";
    private static final String MERGE = "application/merge-patch+json";

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
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "secrets | 'data':{'k':'no base64'} | illegal base64 data",
                "secrets | 'data':{'k':'YQ'} | illegal base64 data",
                "secrets | 'type':'kubernetes.io/tls','data':{'tls.crt':''} | data[tls.key]: Required value",
                "secrets | 'type':'kubernetes.io/basic-auth' | data[username]: Required value, data[password]: Required",
                "secrets | 'type':'kubernetes.io/ssh-auth' | data[ssh-privatekey]: Required value",
                "secrets | 'type':'kubernetes.io/dockercfg' | data[.dockercfg]: Required value",
                "secrets | 'type':'kubernetes.io/dockerconfigjson' | data[.dockerconfigjson]: Required value",
                "secrets | 'type':'kubernetes.io/service-account-token' | [kubernetes.io/service-account.name]: Required",
                "configmaps | 'binaryData':{'k':'!'} | illegal base64 data",
                "configmaps | 'data':{'k':''},'binaryData':{'k':''} | duplicate of key present in binaryData"
            })
    void whatCannotBeShownToAPodIsRefused(String resource, String fields, String message) throws Exception {
        Reply reply = client.post(OF_DEFAULT + resource, "{'metadata':{'name':'wrong'}," + fields + "}");

        // 400: it cannot be read as its kind at all
        assertThat(reply.status()).isIn(400, 422);
        assertThat(reply.text()).contains(message).doesNotContain("no base64");
    }

    @Test
    void moreThanAMebibyteIsRefused() throws Exception {
        String most = "x".repeat(1 << 20);

        assertThat(client.post(MAPS, "{'metadata':{'name':'full'},'data':{'k':'" + most + "'}}")
                        .status())
                .isEqualTo(201);
        for (String field : List.of("secrets stringData data", "configmaps data []")) {
            String[] parts = field.split(" ", -1);
            String body = "{'metadata':{'name':'over'},'" + parts[1] + "':{'k':'" + most + "','l':'x'}}";
            Reply reply = client.post(OF_DEFAULT + parts[0], body);

            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.text()).contains(parts[2] + ": Too long: may not be more than 1048576 bytes");
        }
    }

    @Test
    void base64WithLineBreaksIsStoredWithout() throws Exception {
        client.post(SECRETS, "{'metadata':{'name':'broken'},'data':{'k':'aGVs\\nbG8=\\n'}}");
        client.post(MAPS, "{'metadata':{'name':'broken'},'binaryData':{'k':'aGVs\\r\\nbG8=\\n'}}");

        assertThat(client.get(SECRETS + "/broken").text()).contains("\"k\":\"aGVsbG8=\"");
        assertThat(client.get(MAPS + "/broken").text()).contains("\"k\":\"aGVsbG8=\"");
    }

    @Test
    void theTypeOfASecretStays() throws Exception {
        client.post(SECRETS, "{'metadata':{'name':'typed'}}");
        Reply reply = client.request("PATCH", SECRETS + "/typed", MERGE, "{\"type\":\"other\"}");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.text()).contains("type: Invalid value: \\\"other\\\": field is immutable");
    }

    @Test
    void aRehearsalThatIsSaidWronglyIsInvalid() throws Exception {
        Reply reply = client.post(MAPS + "?dryRun=some", "{'metadata':{'name':'rehearsed'}}");

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.text()).contains("dryRun: Unsupported value: \\\"some\\\"");
    }
}
