// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.standalone.ApplySequence.Step;
import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same sequences of create, update, patch and apply by three managers against the real API server and against ours: after each step the
 * answers, the objects and their managers are the same. {@code -Dapply.sequences} says how many, {@code -Dapply.seed} from which on.
 */
@Tag("cluster")
class SameAppliesTest {
    private static final int SEQUENCES = Integer.getInteger("apply.sequences", 150);
    private static final long FIRST = Long.getLong("apply.seed", 1);
    private static final int SHOWN = 5;
    /** After so many sequences it is told how far the test has come. */
    private static final int TOLD = 100;

    private static final Set<String> OF_THE_SERVER =
            Set.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "selfLink", "generation");

    /**
     * All known differences, and why they are; matched against the path of a value, or of a managed field.
     *
     * <p>Server-side apply of 1.20 puts the status down for who writes the object itself, too: not since 1.22. Our updates of status are told
     * by the field {@code subresource}, which 1.20 does not have.
     */
    private static final Map<String, String> KNOWN = Map.of(
            "object[.]spec[.]taints.*", "1.20 gives new nodes a taint by admission",
            "object[.]status[.](daemonEndpoints|nodeInfo).*", "structs that 1.20 shows though they are empty",
            "object[.]status[.]lastPhaseTransitionTime", "since 1.28",
            "object[.]spec[.](dnsPolicy|enableServiceLinks|containers.*[.](imagePullPolicy|terminationMessage.*))",
                    "defaults for who runs containers",
            "object[.]spec[.](preemptionPolicy|priority|serviceAccount.*)", "by admission for who runs containers");

    /**
     * What admission or the defaults of {@link #KNOWN} add; the first manager of the object owns it. A node gets a taint, a pod tolerations.
     */
    private static final Set<String> OTHERS = Set.of(
            "f:taints",
            "f:tolerations",
            "f:dnsPolicy",
            "f:enableServiceLinks",
            "f:imagePullPolicy",
            "f:securityContext",
            "f:terminationMessagePath",
            "f:terminationMessagePolicy",
            "f:lastPhaseTransitionTime");

    private static final String ADMITTED = "node.kubernetes.io/";

    /** Not in 1.20. */
    private static final String OF_STATUS = " with subresource \"status\"";

    private static final RealCluster CLUSTER = RealCluster.shared();
    private static final MemoryClusterStore STORE = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
    private static ApiServer server;
    private static ApiClient ours;

    @BeforeAll
    static void start() throws IOException {
        // Pods are refused without it, where its controller does not run.
        CLUSTER.admin()
                .send("POST", "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
        server = ApiServer.builder(STORE).plain().start();
        ours = ApiClient.plain(server.url());
    }

    @AfterAll
    static void stop() {
        server.close();
        STORE.close();
    }

    @Test
    void everyStepHasTheSameOutcomeOnBothServers() {
        List<String> differences = new ArrayList<>();
        int steps = 0;
        Map<String, Integer> accepted = new TreeMap<>();
        for (long seed = FIRST; seed < FIRST + SEQUENCES; seed++) {
            ApplySequence sequence = ApplySequence.of(seed);
            String path = sequence.subject().collection() + "/" + sequence.name();
            List<String> history = new ArrayList<>();
            for (Step step : sequence.steps()) {
                history.add(step.toString());
                steps++;
                Map<String, String> there = outcome(CLUSTER.admin(), sequence, path, step);
                Map<String, String> here = outcome(ours, sequence, path, step);
                if (there.get("status").startsWith("2")) {
                    accepted.merge(sequence.subject().name(), 1, Integer::sum);
                }
                if (!there.equals(here)) {
                    differences.add("seed " + seed + ": real | ours: " + difference(there, here) + "\n    "
                            + String.join("\n    ", history));
                    break;
                }
            }
            remove(CLUSTER.admin(), path);
            if ((seed - FIRST + 1) % TOLD == 0) {
                System.out.println("to seed " + seed + ": " + steps + " steps, " + differences.size() + " differences");
            }
        }
        System.out.println(SEQUENCES + " sequences, " + steps + " steps, " + differences.size()
                + " differences; accepted: " + accepted);
        assertThat(accepted.keySet())
                .as("kinds of which steps were accepted")
                .hasSize(ApplySequence.Subject.values().length);
        assertThat(differences.stream().limit(SHOWN))
                .as("%s of %s sequences differ", differences.size(), SEQUENCES)
                .isEmpty();
    }

    private static void remove(ApiClient client, String path) {
        client.send("PATCH", path, "{\"metadata\":{\"finalizers\":null}}");
        client.send("DELETE", path, "");
    }

    private static Map<String, String> outcome(ApiClient client, ApplySequence sequence, String path, Step step) {
        HttpResponse<String> answer = send(client, sequence, path, step);
        Map<String, String> outcome = new TreeMap<>();
        outcome.put("status", String.valueOf(answer.statusCode()));
        if (answer.statusCode() == 409) {
            Document refusal = KubernetesJson.standard().read(answer.body(), path);
            outcome.put("message", refusal.text("message").orElse("").replace(OF_STATUS, ""));
            outcome.put(
                    "details",
                    refusal.at("details", "causes")
                            .map(SameAppliesTest::sorted)
                            .orElse("")
                            .toString()
                            .replace(OF_STATUS, ""));
        }
        Document object =
                KubernetesJson.standard().read(client.send("GET", path, "").body(), path);
        flatten("object", object.asMap(), outcome);
        managers(object).forEach(outcome::put);
        outcome.keySet().removeIf(each -> KNOWN.keySet().stream().anyMatch(each::matches));
        return outcome;
    }

    private static HttpResponse<String> send(ApiClient client, ApplySequence sequence, String path, Step step) {
        String parameters = "?fieldManager=" + step.manager();
        String fields = step.fields().toString();
        return switch (step.act()) {
            case CREATE -> client.send("POST", sequence.subject().collection() + parameters, fields);
            case PATCH -> client.send("PATCH", path + step.subresource() + parameters, fields);
            case APPLY ->
                client.send(
                        "PATCH",
                        path + step.subresource() + parameters + (step.force() ? "&force=true" : ""),
                        "application/apply-patch+yaml",
                        fields);
            case UPDATE -> {
                Document current = KubernetesJson.standard()
                        .read(client.send("GET", path, "").body(), path);
                Document edited = ApplySequence.edited(current, step);
                yield client.send("PUT", path + step.subresource() + parameters, edited.toString());
            }
        };
    }

    private static Map<String, String> managers(Document object) {
        Map<String, String> managers = new LinkedHashMap<>();
        List<?> entries = (List<?>) object.at("metadata", "managedFields").orElse(List.of());
        for (Object each : entries) {
            Map<?, ?> entry = (Map<?, ?>) each;
            Map<String, Object> fields = new TreeMap<>();
            ((Map<?, ?>) entry.get("fieldsV1")).forEach((key, value) -> fields.put((String) key, value));
            String manager = entry.get("manager") + " " + entry.get("operation") + " " + entry.get("apiVersion");
            if (!entry.get("manager").toString().endsWith("-status")) {
                fields.remove("f:status");
            }
            fields.computeIfPresent("f:spec", (key, spec) -> without(spec));
            fields.computeIfPresent("f:status", (key, status) -> without(status));
            if (!fields.isEmpty()) {
                managers.put("managers." + manager, sorted(fields).toString());
            }
        }
        return managers;
    }

    private static @Nullable Object without(Object fields) {
        if (!(fields instanceof Map<?, ?> map)) {
            return fields;
        }
        Map<Object, Object> left = new LinkedHashMap<>();
        map.forEach((key, each) -> {
            Object kept = OTHERS.contains(key) ? null : without(each);
            if (kept != null) {
                left.put(key, kept);
            }
        });
        return left.isEmpty() && !map.isEmpty() ? null : left;
    }

    private static Object sorted(Object value) {
        if (value instanceof List<?> list) {
            return list.stream()
                    .map(SameAppliesTest::sorted)
                    .sorted(Comparator.comparing(Object::toString))
                    .toList();
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, each) -> sorted.put((String) key, sorted(each)));
        return sorted;
    }

    private static void flatten(String path, Object value, Map<String, String> into) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                if (!OF_THE_SERVER.contains(key)) {
                    flatten(path + "." + key, each, into);
                }
            });
        } else if (value instanceof List<?> list) {
            // 1.20 leaves what is applied in the order of the object, later versions in that of what is applied.
            List<?> ordered = list.stream()
                    .filter(each -> !(each instanceof Map<?, ?> toleration
                            && String.valueOf(toleration.get("key")).startsWith(ADMITTED)))
                    .sorted(Comparator.comparing(each -> sorted(each).toString()))
                    .toList();
            for (int i = 0; i < ordered.size(); i++) {
                flatten(path + "[" + i + "]", ordered.get(i), into);
            }
        } else if (value != JsonNull.NULL) {
            into.put(path, String.valueOf(value));
        }
    }

    private static String difference(Map<String, String> there, Map<String, String> here) {
        Set<String> paths = new TreeSet<>(there.keySet());
        paths.addAll(here.keySet());
        paths.removeIf(path -> String.valueOf(there.get(path)).equals(String.valueOf(here.get(path))));
        StringBuilder text = new StringBuilder();
        paths.forEach(path -> text.append("\n  ")
                .append(path)
                .append(": ")
                .append(there.get(path))
                .append(" | ")
                .append(here.get(path)));
        return text.toString();
    }
}
