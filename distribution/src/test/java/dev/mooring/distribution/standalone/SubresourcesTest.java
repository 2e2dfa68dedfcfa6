// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.ProgramClient.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of an object at an address of its own, and other things that clients of every day ask for. */
@TestInstance(Lifecycle.PER_CLASS)
class SubresourcesTest {
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String PODS = NAMESPACES + "/default/pods";
    private static final String MAPS = NAMESPACES + "/default/configmaps";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // started before the tests
    private Standalone server;

    @SuppressWarnings("NullAway.Init") // made before the tests
    private ProgramClient client;

    @BeforeAll
    void start() throws Exception {
        Path data = directory.resolve("data");
        server = Standalone.start(StandaloneServers.options(data), List.of());
        client = new ProgramClient(data.resolve("kubeconfig"));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Reply post(String path, String body) throws IOException {
        return client.json("POST", path, body.replace('\'', '"'));
    }

    /** A pod that our scheduler leaves alone. */
    private void pod(String name) throws IOException {
        Reply made = post(
                PODS,
                "{'metadata':{'name':'" + name
                        + "'},'spec':{'schedulerName':'none','containers':[{'name':'c','image':'i'}]}}");
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            apps/v1 | statefulsets           | StatefulSet           | {'matchLabels':{'b':'2','a':'1'}} | a=1,b=2
            apps/v1 | deployments            | Deployment            | {'matchExpressions':[{'key':'x','operator':'DoesNotExist'},{'key':'a','operator':'In','values':['2','1']}]} | a in (1,2),!x
            apps/v1 | replicasets            | ReplicaSet            | {'matchLabels':{'a':'1'},'matchExpressions':[{'key':'b','operator':'Exists'}]} | a=1,b
            v1      | replicationcontrollers | ReplicationController | {'a':'1'}                         | a=1
            """)
    void workloadsAreScaledWhereKubernetesScalesThem(
            String version, String plural, String kind, String selector, String shown) throws IOException {
        String path = (version.equals("v1") ? "/api/v1" : "/apis/" + version) + "/namespaces/default/" + plural;
        String labels = "{'a':'1','b':'2'}";
        Reply made = post(
                path,
                ("{'apiVersion':'%s','kind':'%s','metadata':{'name':'w'},'spec':{'serviceName':'s','selector':%s,'template':"
                                + "{'metadata':{'labels':%s},'spec':{'containers':[{'name':'c','image':'i'}]}}}}")
                        .formatted(version, kind, selector, labels)
                        .replace("'serviceName':'s',", kind.equals("StatefulSet") ? "'serviceName':'s'," : ""));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);

        Reply scaled =
                client.send("PATCH", path + "/w/scale", "application/merge-patch+json", "{\"spec\":{\"replicas\":3}}");
        assertThat(scaled.status()).as("%s", scaled.body()).isEqualTo(200);
        assertThat(scaled.text("kind")).isEqualTo("Scale");
        assertThat(scaled.text("status", "selector")).isEqualTo(shown);
        assertThat(client.get(path + "/w").body().at("spec", "replicas")).contains(3L);
        assertThat(client.send(
                                "PATCH",
                                path + "/w/scale",
                                "application/merge-patch+json",
                                "{\"spec\":{\"replicas\":-1}}")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void anEvictionDeletesThePod() throws IOException {
        pod("evicted");
        String eviction = "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'evicted'%s}%s}";
        String path = PODS + "/evicted/eviction";
        Reply rehearsed = post(path, eviction.formatted("", ",'deleteOptions':{'dryRun':['All']}"));
        assertThat(rehearsed.status()).as("%s", rehearsed.body()).isEqualTo(201);
        Reply guarded = post(path, eviction.formatted("", ",'deleteOptions':{'preconditions':{'uid':'u'}}"));
        assertThat(guarded.status()).isEqualTo(409);
        assertThat(client.get(PODS + "/evicted").status()).isEqualTo(200);
        Reply gone = post(path, eviction.formatted(",'namespace':'default'", ""));
        assertThat(gone.status()).isEqualTo(201);
        assertThat(gone.text("status")).isEqualTo("Success");
        assertThat(client.get(PODS + "/evicted").status()).isEqualTo(404);
        assertThat(post(path, eviction.formatted("", "")).text("reason")).isEqualTo("NotFound");
        assertThat(post(PODS + "/other/eviction", eviction.formatted("", "")).text("message"))
                .isEqualTo("name in URL does not match name in Eviction object");
        assertThat(client.get(path).status()).isEqualTo(405);
    }

    @Test
    void drainFindsThatThereAreEvictions() throws IOException {
        String found = client.get("/api/v1").response().body();
        assertThat(found)
                .contains(
                        "{\"name\":\"pods/eviction\",\"singularName\":\"\",\"namespaced\":true,\"group\":\"policy\","
                                + "\"version\":\"v1\",\"kind\":\"Eviction\",\"verbs\":[\"create\"]}",
                        "\"pods/binding\"",
                        "\"namespaces/finalize\"",
                        "\"serviceaccounts/token\"",
                        "\"persistentvolumes/status\"");
    }

    @Test
    void aBindingGivesThePodItsNodeOnce() throws IOException {
        pod("bound");
        String path = PODS + "/bound/binding";
        String binding =
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'bound','annotations':{'a/b':'c'}},'target':{'kind':'Node'%s}}";
        assertThat(post(path, binding.formatted("")).text("message"))
                .isEqualTo("Binding \"bound\" is invalid: target.name: Required value");
        Reply bound = post(path, binding.formatted(",'name':'n7'"));
        assertThat(bound.status()).as("%s", bound.body()).isEqualTo(201);
        Reply pod = client.get(PODS + "/bound");
        assertThat(pod.text("spec", "nodeName")).isEqualTo("n7");
        assertThat(pod.text("metadata", "annotations", "a/b")).isEqualTo("c");
        Reply again = post(path, binding.formatted(",'name':'n8'"));
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("message")).contains("pod bound is already assigned to node \"n7\"");
    }

    @Test
    void whoUpdatesAPodDoesNotGiveItItsNode() throws IOException {
        pod("unbound");
        String one = PODS + "/unbound";
        Reply patched = client.send("PATCH", one, "application/merge-patch+json", "{\"spec\":{\"nodeName\":\"n7\"}}");
        assertThat(patched.status()).as("%s", patched.body()).isEqualTo(422);
        assertThat(patched.text("message"))
                .startsWith(
                        "Pod \"unbound\" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,");
        String whole = client.get(one)
                .body()
                .with("n7", "spec", "nodeName")
                .without("metadata", "resourceVersion")
                .toString();
        assertThat(client.json("PUT", one, whole).status()).isEqualTo(422);
        assertThat(client.json("PUT", one, whole.replace("\"n7\"", "\"\"")).status())
                .isEqualTo(200);
        assertThat(client.json("PUT", PODS + "/missing", whole.replace("unbound", "missing"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void nothingIsMadeInANamespaceThatIsBeingDeletedAndTheCauseSaysSo() throws IOException {
        post(NAMESPACES, "{'metadata':{'name':'ending','finalizers':['example.com/f']}}");
        client.json("DELETE", NAMESPACES + "/ending", "");
        Reply refused = post(NAMESPACES + "/ending/configmaps", "{'metadata':{'name':'late'}}");
        assertThat(refused.status()).as("%s", refused.body()).isEqualTo(403);
        assertThat(refused.text("reason")).isEqualTo("Forbidden");
        assertThat(refused.body().at("details", "causes"))
                .contains(List.of(Map.of(
                        "reason",
                        "NamespaceTerminating",
                        "message",
                        "namespace ending is being terminated",
                        "field",
                        "metadata.namespace")));
    }

    @Test
    void finalizeLetsANamespaceGo() throws IOException {
        assertThat(post(NAMESPACES, "{'metadata':{'name':'stuck','finalizers':['example.com/f']}}")
                        .status())
                .isEqualTo(201);
        String path = NAMESPACES + "/stuck/finalize";
        Reply more = client.json(
                "PUT",
                path,
                "{\"kind\":\"Namespace\",\"metadata\":{\"name\":\"stuck\",\"labels\":{\"a\":\"b\"}},\"spec\":{\"finalizers\":[\"kubernetes\",\"example.com/x\"]}}");
        assertThat(more.status()).as("%s", more.body()).isEqualTo(200);
        assertThat(more.body().at("spec", "finalizers")).contains(List.of("kubernetes", "example.com/x"));
        assertThat(more.text("metadata", "labels", "a")).isEmpty(); // nothing else is changed there
        assertThat(client.json("PUT", NAMESPACES + "/none/finalize", "{}").status())
                .isEqualTo(404);
        client.json("DELETE", NAMESPACES + "/stuck", "");
        assertThat(client.json("PUT", path, "{\"metadata\":{\"name\":\"stuck\"}}")
                        .status())
                .isEqualTo(200);
        client.send(
                "PATCH", NAMESPACES + "/stuck", "application/merge-patch+json", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(client.get(NAMESPACES + "/stuck").status()).isEqualTo(404);
    }

    @Test
    void aDeletionThatSaysNothingOfDependentsLeavesWhatWasSaid() throws IOException {
        post(MAPS, "{'metadata':{'name':'kept','finalizers':['example.com/f']}}");
        String one = MAPS + "/kept";
        // As long as it is there, the garbage collector does not take the finalizer away by itself.
        post(
                MAPS,
                "{'metadata':{'name':'dependent','finalizers':['example.com/f'],'ownerReferences':[{'apiVersion':'v1',"
                        + "'kind':'ConfigMap','name':'kept','blockOwnerDeletion':true,'uid':'"
                        + client.get(one).text("metadata", "uid") + "'}]}}");
        client.json("DELETE", one + "?propagationPolicy=Foreground", "");
        client.json("DELETE", one, "");
        assertThat(client.get(one)
                        .body()
                        .at("metadata", "finalizers")
                        .orElseThrow()
                        .toString())
                .contains("example.com/f")
                .contains("foregroundDeletion");
        client.json("DELETE", one + "?propagationPolicy=Background", "");
        assertThat(client.get(one).body().at("metadata", "finalizers")).contains(List.of("example.com/f"));
    }

    @Test
    void aWatchMaySayThatItDoesNotWantToSeeWhatThereIs() throws IOException {
        post(MAPS, "{'metadata':{'name':'old','labels':{'seen':'no'}}}");
        String watch = MAPS + "?watch=1&timeoutSeconds=60&labelSelector=seen&resourceVersionMatch=NotOlderThan";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                client.stream(watch + "&sendInitialEvents=false").body(), StandardCharsets.UTF_8))) {
            post(MAPS, "{'metadata':{'name':'young','labels':{'seen':'yes'}}}");
            assertThat(lines.readLine()).contains("\"ADDED\"", "\"young\"");
        }
        assertThat(client.get(watch).text("message")).contains("unless sendInitialEvents is provided");
        assertThat(client.get(MAPS + "?watch=1&sendInitialEvents=true").text("message"))
                .contains("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        assertThat(client.get(MAPS + "?sendInitialEvents=true").text("message"))
                .contains("sendInitialEvents is forbidden for list");
        Reply future = client.get(watch + "&sendInitialEvents=true&resourceVersion=999999999");
        assertThat(future.status()).isEqualTo(504);
        assertThat(future.text("message")).contains("Too large resource version");
    }
}
