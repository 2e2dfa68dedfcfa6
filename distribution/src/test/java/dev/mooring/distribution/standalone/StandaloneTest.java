// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.standalone.RawClient.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dialect, byte by byte; what people do with kubectl is in e2e/kubectl/check. */
@TestInstance(Lifecycle.PER_CLASS)
class StandaloneTest {
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

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

    @Test
    void aClientThatStaysConnectedDoesNotKeepTheServerFromItsEnd() throws Exception {
        Path data = directory.resolve("ended");
        Standalone other = Standalone.start(StandaloneServers.options(data), List.of());
        try (AutoCloseable silent = new RawClient(data.resolve("kubeconfig")).silent()) {
            assertThat(silent).isNotNull();
            other.close();
        }
        // The files are free again: everything was closed.
        Standalone.start(StandaloneServers.options(data), List.of()).close();
    }

    @Test
    void whatIsSecretIsForItsOwnerAlone() throws Exception {
        Path data = directory.resolve("data");
        for (String file : List.of("kubeconfig", "access/token", "access/authority.pem", "access/server.pem")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("store"))))
                .isEqualTo("rwx------");
    }

    @ParameterizedTest
    @CsvSource({"/api", "/apis", "/version", "/openapi/v2", "/api/v1/secrets", "/nonsense", "/api/v1/pods?watch=1"})
    void noClientGetsInWithoutTheToken(String path) throws Exception {
        assertThat(client.withoutToken("GET", path).status()).isEqualTo(401);
        assertThat(client.send("GET", path, "Authorization: Bearer x\r\n", "").status())
                .isEqualTo(401);
    }

    @Test
    void healthIsForAllClients() throws Exception {
        assertThat(client.withoutToken("GET", "/livez").status()).isEqualTo(200);
    }

    @Test
    void whoMayAskAgainIsToldWhenInTheHeaderToo() throws Exception {
        assertThat(client.get("/api/v1/nodes?resourceVersion=999999").text())
                .contains("Retry-After: 1\r\n", "\"retryAfterSeconds\":1");
        assertThat(client.get("/api/v1/nodes/missing").text()).doesNotContain("Retry-After");
    }

    @Test
    void labelsAreComparedAsIntegers() throws Exception {
        assertThat(client.post(MAPS, "{'metadata':{'name':'numbered','labels':{'n':'5'}}}")
                        .status())
                .isEqualTo(201);
        assertThat(client.get(MAPS + "?labelSelector=n%3E4").text()).contains("\"name\":\"numbered\"");
        Reply below = client.get(MAPS + "?labelSelector=n%3C5");
        assertThat(below.status()).isEqualTo(200);
        assertThat(below.text()).doesNotContain("numbered");
    }

    @Test
    void unknownFieldsSurvive() throws Exception {
        assertThat(client.post(MAPS, "{'metadata':{'name':'odd','future':1},'data':{'a':'b'},'more':{'x':[1.50]}}")
                        .status())
                .isEqualTo(201);
        assertThat(client.request("PATCH", MAPS + "/odd", MERGE, "{\"data\":{\"c\":\"d\"}}")
                        .status())
                .isEqualTo(200);
        assertThat(client.get(MAPS + "/odd").text()).contains("\"future\":1", "\"more\":{\"x\":[1.50]}", "\"c\":\"d\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET | /api/v1/nodes/missing | | | 404 | nodes \\\"missing\\\" not found",
                "GET | /api/v2/nodes | | | 404 | could not find",
                "GET | /apis/nothing/v1/things | | | 404 | could not find",
                "GET | /api/v1/namespaces/default/nodes/here | | | 404 | could not find",
                "POST | /api/v1/namespaces/default/configmaps | application/json | nonsense | 400 | must be JSON",
                "POST | /api/v1/namespaces/default/configmaps | application/json | {'metadata':{'name':'a','namespace':'b'}} | 400 | does not match the namespace",
                "POST | /api/v1/namespaces/nowhere/configmaps | application/json | {'metadata':{'name':'a'}} | 404 | namespaces \\\"nowhere\\\" not found",
                "POST | /api/v1/namespaces/default/configmaps | application/json | {'kind':'Pod','metadata':{'name':'a'}} | 400 | kind in the body",
                "POST | /api/v1/namespaces/default/configmaps | application/json | {'metadata':{'name':'A B'}} | 422 | Invalid",
                "POST | /api/v1/persistentvolumes | application/json | {'metadata':{'name':'a'},'spec':{'capacity':7}} | 400 | PersistentVolume in version \\\"v1\\\" cannot be handled as a PersistentVolume: json: cannot unmarshal number into Go struct field PersistentVolumeSpec.spec.capacity of type v1.ResourceList (spec.capacity: must be an object, not the number 7)",
                "POST | /apis/coordination.k8s.io/v1/namespaces/default/leases | application/json | {'metadata':{'name':'a'},'spec':{'leaseDurationSeconds':'15'}} | 400 | spec.leaseDurationSeconds: must be an integer of 32 bits, not the string",
                "POST | /api/v1/persistentvolumes | application/json | {'metadata':{'name':'a'},'spec':{'nfs':{'readOnly':'true'}}} | 400 | cannot unmarshal string into Go struct field NFSVolumeSource.spec.nfs.readOnly of type bool (spec.nfs.readOnly: must be a boolean, not the string",
                "POST | /api/v1/persistentvolumes | application/json | {'metadata':{'name':'a'},'spec':{'iscsi':{'lun':'1'}}} | 400 | spec.iscsi.lun: must be an integer of 32 bits, not the string",
                "POST | /api/v1/namespaces/default/pods | application/json | {'metadata':{'name':'a'},'spec':{'volumes':[{'name':'v','hostPath':{'path':5}}]}} | 400 | spec.volumes[0].hostPath.path: must be a string, not the number 5",
                "PUT | /api/v1/nodes/here | application/json | {'metadata':{'name':'here'},'spec':{'taints':'x'}} | 400 | spec.taints: must be an array, not the string",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'spec':{'taints':'x'}} | 422 | spec.taints: must be an array, not the string",
                "POST | /api/v1/persistentvolumeclaims | application/json | {'metadata':{'name':'a','namespace':'default'}} | 405 | MethodNotAllowed",
                "POST | /api/v1/persistentvolumes | application/vnd.kubernetes.protobuf | | 415 | UnsupportedMediaType",
                "POST | /api/v1/persistentvolumes | application/vnd.kubernetes.protobuf | x | 400 | does not begin as",
                "GET | /apis/authorization.k8s.io/v1/selfsubjectaccessreviews | | | 405 | MethodNotAllowed",
                "POST | /apis/authorization.k8s.io/v1/selfsubjectaccessreviews | application/json | {} | 422 | exactly one of nonResourceAttributes",
                "POST | /apis/authorization.k8s.io/v1/selfsubjectaccessreviews | application/json | {'spec':{'resourceAttributes':{},'nonResourceAttributes':{}}} | 422 | in combination with resourceAttributes",
                "POST | /apis/authorization.k8s.io/v1/selfsubjectrulesreviews | application/json | {'spec':{}} | 400 | no namespace on request",
                "GET | /api/v1/namespaces/default/pods/web/log | | | 404 | does not run containers",
                "POST | /api/v1/namespaces/default/pods/web/exec?command=ls&command=-l | | | 404 | does not run containers",
                "POST | /api/v1/namespaces/default/serviceaccounts/x/token | application/json | {} | 404 | NotFound",
                "POST | /apis/apps/v1/namespaces/default/deployments | application/json | {'metadata':{'name':'x'},'spec':{'replicas':'x'}} | 400 | replicas",
                "PUT | /apis/apps/v1/namespaces/default/deployments/x/scale | application/json | {'metadata':{'name':'x'},'spec':{'replicas':1}} | 404 | deployments.apps \\\"x\\\" not found",
                "PUT | /api/v1/nodes/missing | application/json | {'metadata':{'name':'other'}} | 400 | does not match the name",
                "PATCH | /api/v1/nodes/here | application/apply-patch+yaml | {} | 422 | fieldManager: Required value: is required for apply patch",
                "PATCH | /api/v1/nodes/here?force=true&fieldManager=kubectl | application/apply-patch+yaml | {} | 400 | Incorrect version specified in apply patch",
                "PATCH | /api/v1/nodes/here?fieldManager=kubectl | application/apply-patch+cbor | {} | 415 | application/apply-patch+yaml",
                "PATCH | /api/v1/nodes/here?force=true | application/merge-patch+json | {} | 422 | may not be specified for non-apply patch",
                "PATCH | /api/v1/nodes/here | application/json-patch+json | {} | 400 | list of operations",
                "PATCH | /api/v1/nodes/here | application/json-patch+json | [{'op':'remove','path':'/no'}] | 422 | does not exist",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'metadata':{'name':'x'}} | 400 | the name of the object (x) does not match the name on the URL (here)",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'metadata':{'name':null}} | 400 | name must be provided",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'kind':'Pod'} | 422 | leaves kind Pod, and that of the path is Node",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'apiVersion':'v2'} | 422 | leaves apiVersion v2",
                "PUT | /api/v1/nodes/here | application/json | {'metadata':{'labels':{'a':'b'}}} | 400 | the name of the object (here based on URL) was undeterminable: name must be provided",
                "POST | /api/v1/namespaces/default/configmaps | application/json | {'metadata':null} | 422 | metadata.name: Required value: name or generateName is required",
                "GET | /api/v1/nodes?labelSelector=a%21%3D-x | | | 400 | invalid label value",
                "GET | /api/v1/nodes?labelSelector=a%2Fb%2Fc | | | 400 | invalid label key",
                "PATCH | /api/v1/nodes/here | application/merge-patch+json | {'metadata':{'resourceVersion':'1'}} | 409 | has been modified",
                "GET | /api/v1/nodes?labelSelector=a%3D%3D%3D | | | 400 | BadRequest",
                "GET | /api/v1/nodes?fieldSelector=x%3D1 | | | 400 | field label not supported",
                "GET | /api/v1/persistentvolumes?fieldSelector=status.phase%3DBound | | | 400 | status.phase\\\" is not a known field selector: only",
                "GET | /api/v1/nodes?continue=x | | | 400 | continue key",
                "GET | /api/v1/nodes?limit=x | | | 400 | limit",
                "GET | /api/v1/nodes?limit=1&continue=x&resourceVersion=5 | | | 400 | specifying resource version is not allowed when using continue",
                "POST | /api/v1/watch/nodes | application/json | {} | 405 | MethodNotAllowed",
                "GET | /api/v1/watch/nothing | | | 404 | could not find",
                "PUT | /api/v1/namespaces/default/configmaps/none | application/json | {'metadata':{'name':'none'}} | 404 | NotFound",
                "GET | /api/v1/nodes?resourceVersion=999999 | | | 504 | Too large resource version",
                "GET | /api/v1/nodes?watch=1&resourceVersion=x | | | 400 | resourceVersion",
                "GET | /api/v1/nodes/here?resourceVersion=999999 | | | 504 | Too large resource version: 999999, current: ",
                "GET | /api/v1/nodes/here?resourceVersion=x | | | 400 | resourceVersion",
                "GET | /api/v1/nodes?timeoutSeconds=abc | | | 400 | timeoutSeconds: must be a whole number",
                "GET | /api/v1/nodes?watch=1&timeoutSeconds=1.5 | | | 400 | timeoutSeconds: must be a whole number",
                "DELETE | /api/v1/nodes/here?dryRun=Some | | | 422 | dryRun",
                "DELETE | /api/v1/nodes/here/status | | | 405 | MethodNotAllowed",
                "DELETE | /api/v1/namespaces/default?dryRun=All | | | 403 | namespaces \\\"default\\\" is forbidden: this namespace may not be deleted",
                "DELETE | /api/v1/namespaces/kube-node-lease?dryRun=All | | | 403 | this namespace may not be deleted",
                "DELETE | /api/v1/namespaces?dryRun=All | | | 405 | MethodNotAllowed",
                "DELETE | /api/v1/configmaps?dryRun=All | | | 405 | MethodNotAllowed",
                "POST | / | application/json | {} | 405 | MethodNotAllowed",
                "POST | /api | application/json | {} | 405 | MethodNotAllowed",
                "DELETE | /api/v1 | application/json | {} | 405 | MethodNotAllowed",
                "PUT | /apis | application/json | {} | 405 | MethodNotAllowed",
                "POST | /apis/storage.k8s.io | application/json | {} | 405 | MethodNotAllowed",
                "PATCH | /apis/storage.k8s.io/v1 | application/json | {} | 405 | MethodNotAllowed",
                "POST | /version | application/json | {} | 405 | MethodNotAllowed",
                "DELETE | /openapi/v2 | application/json | {} | 405 | MethodNotAllowed",
                "POST | /openapi/v3 | application/json | {} | 405 | MethodNotAllowed",
                "POST | /livez | application/json | {} | 405 | MethodNotAllowed",
                "OPTIONS | /api/v1/nodes | | | 405 | MethodNotAllowed",
            })
    void mistakesAreToldAsTheApiServerTellsThem(
            String method, String path, String type, String body, int status, String text) throws Exception {
        String plain = body == null ? "" : body.replace('\'', '"');
        Reply reply = client.request(method, path, type == null ? "" : type, plain);
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text())
                .contains("\"kind\":\"Status\"", "\"code\":" + status)
                .contains(text);
    }

    @Test
    void aRehearsalChangesNothing() throws Exception {
        assertThat(client.post(MAPS + "?dryRun=All", "{'metadata':{'name':'dry'}}")
                        .status())
                .isEqualTo(201);
        assertThat(client.get(MAPS + "/dry").status()).isEqualTo(404);
    }

    @Test
    void pagesFollowEachOther() throws Exception {
        for (int i = 0; i < 3; i++) {
            client.post(MAPS, "{'metadata':{'name':'page" + i + "','labels':{'paged':'yes'}}}");
        }
        String first = client.get(MAPS + "?labelSelector=paged%3Dyes&limit=2").text();
        assertThat(first).contains("page0", "page1").doesNotContain("page2");
        String token = first.replaceAll("(?s).*\"continue\":\"([^\"]+)\".*", "$1");
        assertThat(client.get(MAPS + "?labelSelector=paged%3Dyes&limit=2&continue=" + token)
                        .text())
                .contains("page2")
                .doesNotContain("page0", "\"continue\"");
    }

    @Test
    void aWatchShowsWhatThereIsWhatHappensAndEnds() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'seen','labels':{'watched':'yes'}}}");
        String stream = client.get(
                        MAPS
                                + "?watch=1&labelSelector=watched%3Dyes&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
                .text();
        assertThat(stream)
                .contains("\"type\":\"ADDED\"", "\"name\":\"seen\"", "k8s.io/initial-events-end")
                .endsWith("\r\n0\r\n\r\n");
        assertThat(client.get(MAPS + "?watch=1&resourceVersion=1000000&timeoutSeconds=5")
                        .text())
                .contains("\"type\":\"ERROR\"", "\"code\":410");
    }

    /** {@code kubectl wait} and {@code kubectl delete} leave a watch behind each time, and no event may ever come for it. */
    @Test
    void aWatchEndsWithItsClient() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'left'}}");
        assertThat(client.leavesWatch(MAPS + "?watch=1&fieldSelector=metadata.name%3Dleft"))
                .isTrue();
    }

    @Test
    void aDeletionWithAPreconditionThatDoesNotHoldIsAConflict() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'kept'}}");
        assertThat(client.request("DELETE", MAPS + "/kept", JSON, "{\"preconditions\":{\"uid\":\"other\"}}")
                        .status())
                .isEqualTo(409);
        assertThat(client.request("DELETE", MAPS + "/kept", JSON, "{\"dryRun\":[\"All\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(client.request("DELETE", MAPS + "/kept", JSON, "").text()).contains("\"status\":\"Success\"");
    }

    @Test
    void aDeletionOfManyTakesOneOfItsPages() throws Exception {
        for (int i = 0; i < 3; i++) {
            client.post(MAPS, "{'metadata':{'name':'batch" + i + "','labels':{'batch':'yes'}}}");
        }
        assertThat(client.request("DELETE", MAPS + "?labelSelector=batch%3Dyes&limit=2", JSON, "")
                        .text())
                .contains("batch0", "batch1", "\"continue\"")
                .doesNotContain("batch2");
        assertThat(client.get(MAPS + "?labelSelector=batch%3Dyes").text())
                .contains("batch2")
                .doesNotContain("batch0", "batch1");
    }

    @Test
    void aSecretsTextIsEncodedAndItsPlainFormGone() throws Exception {
        String path = "/api/v1/namespaces/default/secrets";
        Reply reply = client.post(path, "{'metadata':{'name':'s'},'stringData':{'k':'v'}}");
        assertThat(reply.text())
                .contains("\"k\":\"dg==\"", "\"type\":\"Opaque\"")
                .doesNotContain("stringData");
    }

    @Test
    void aSecondServerOnTheSameDirectoryIsRefused() {
        assertThatThrownBy(() -> Standalone.start(StandaloneServers.options(directory.resolve("data")), List.of()))
                .hasMessageContaining("another process has it open");
    }

    @Test
    void aDirectoryThatIsNoneIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThatIOException()
                .isThrownBy(() -> Standalone.start(StandaloneServers.options(file), List.of()))
                .withMessageContaining(file.toString());
    }

    @Test
    void aBackupOfTheRunningServerIsADataDirectoryOfAnother() throws Exception {
        client.post(MAPS, "{'metadata':{'name':'saved'}}");
        Reply made = client.post("/mooring/backup", "");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String file = made.text().replaceAll("(?s).*\"file\":\"([^\"]+)\".*", "$1");
        Path data = directory.resolve("restored");
        Files.createDirectories(data.resolve("store"));
        Files.copy(Path.of(file), data.resolve("store/cluster.db"));
        try (Standalone restored = Standalone.start(StandaloneServers.options(data), List.of())) {
            assertThat(restored.url()).isNotEmpty();
            assertThat(new RawClient(data.resolve("kubeconfig"))
                            .request("GET", MAPS + "/saved", JSON, "")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(client.get("/mooring/backup").status()).isEqualTo(405);
        assertThat(client.withoutToken("POST", "/mooring/backup").status()).isEqualTo(401);
    }

    @Test
    void aDamagedFileIsNamedAndLeftAsItIs() throws Exception {
        Path data = directory.resolve("damaged");
        Standalone.start(StandaloneServers.options(data), List.of()).close();
        Path file = data.resolve("store/cluster.db");
        byte[] bytes = Files.readAllBytes(file);
        java.util.Arrays.fill(bytes, 4_096, bytes.length, (byte) 7);
        Files.write(file, bytes);
        assertThatThrownBy(() -> Standalone.start(StandaloneServers.options(data), List.of()))
                .hasMessageContaining(file.toString());
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    @Test
    void whoHasTheTokenMayDoEverything() throws Exception {
        Reply may = client.post(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "{'kind':'SelfSubjectAccessReview','apiVersion':'authorization.k8s.io/v1','spec':{'resourceAttributes':{'verb':'*','resource':'*','group':'*'}}}");
        assertThat(may.status()).isEqualTo(201);
        assertThat(may.text()).contains("\"status\":{\"allowed\":true}");
        assertThat(client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                        .text())
                .contains("\"username\":\"mooring\"");
        assertThat(client.withoutToken("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                        .status())
                .isEqualTo(401);
    }

    private static final String BOGUS =
            "{'metadata':{'name':'NAME','labels':{'a':'b','a':'c'}},'spec':{'capacity':{'storage':'1Gi'},'foo':1,'accessModes':['ReadWriteOnce'],"
                    + "'nfs':{'server':'a.invalid','path':'/','bar':1},'nodeAffinity':{'required':{'nodeSelectorTerms':[{'odd':[]}]}}}}";

    private static String bogus(String name) {
        return BOGUS.replace("NAME", name);
    }

    @Test
    void unknownAndRepeatedFieldsAreRefusedIfTheClientIsStrict() throws Exception {
        Reply reply = client.post("/api/v1/persistentvolumes?fieldValidation=Strict", bogus("strict"));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text())
                .contains(
                        "PersistentVolume in version \\\"v1\\\" cannot be handled as a PersistentVolume: strict decoding error: "
                                + "duplicate field \\\"metadata.labels.a\\\", unknown field \\\"spec.foo\\\", "
                                + "unknown field \\\"spec.nfs.bar\\\", "
                                + "unknown field \\\"spec.nodeAffinity.required.nodeSelectorTerms[0].odd\\\"");
        assertThat(client.get("/api/v1/persistentvolumes/strict").status()).isEqualTo(404);
    }

    @Test
    void unknownAndRepeatedFieldsAreWarnedOfUnlessTheClientSaysOtherwise() throws Exception {
        Reply reply = client.post("/api/v1/persistentvolumes", bogus("warned"));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        assertThat(reply.text())
                .contains("Warning: 299 - \"unknown field \\\"spec.foo\\\"\"")
                .contains("Warning: 299 - \"duplicate field \\\"metadata.labels.a\\\"\"")
                .contains("\"labels\":{\"a\":\"c\"}");
        assertThat(client.post("/api/v1/persistentvolumes?fieldValidation=Ignore", bogus("ignored"))
                        .text())
                .doesNotContain("Warning");
        assertThat(client.post("/api/v1/persistentvolumes?fieldValidation=Maybe", bogus("no"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void whatWasUnknownBeforeIsNotHeldAgainstAPatch() throws Exception {
        client.post("/api/v1/persistentvolumes?fieldValidation=Ignore", bogus("patched"));
        String path = "/api/v1/persistentvolumes/patched?fieldValidation=Strict";
        assertThat(client.request("PATCH", path, MERGE, "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}")
                        .status())
                .isEqualTo(200);
        Reply refused = client.request("PATCH", path, MERGE, "{\"spec\":{\"baz\":1}}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("unknown field \\\"spec.baz\\\"").doesNotContain("spec.foo");
    }
}
