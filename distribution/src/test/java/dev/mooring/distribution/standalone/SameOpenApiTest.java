// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.document.Document;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The OpenAPI document (version 2) of the real API server against ours: the types of each kind that both serve, field by field, and the paths and
 * verbs of each of these kinds.
 */
@Tag("cluster")
class SameOpenApiTest {
    private static final String KINDS = "x-kubernetes-group-version-kind";

    /** Types that our document writes where they are used. */
    private static final Map<String, Map<String, String>> SIMPLE = Map.of(
            "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Time", Map.of("type", "string", "format", "date-time"),
            "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
                    Map.of("type", "string", "format", "date-time"),
            "#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString",
                    Map.of("type", "string", "format", "int-or-string"));

    /** All known differences, and why they are; matched against a line of the differences. */
    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry(
                    "/apis?/.*/watch/.* [|] -", "deprecated since 1.11: a list with the parameter watch does the same"),
            Map.entry(".*/pods/[{]name[}]/log get: .* [|] -", "containers are not run"),
            Map.entry("/api/v1/.*/services delete: - .*", "since 1.23"),
            Map.entry("/apis/batch/v1/.*cronjobs.*: - .*", "since 1.21"),
            Map.entry("/apis/policy/v1/.*: - .*", "since 1.21"),
            Map.entry(
                    "/apis/storage.k8s.io/v1/.*(csistoragecapacities|volumeattributesclasses).*: - .*",
                    "since 1.24, 1.34"),
            Map.entry(
                    ".*[.]x-kubernetes-(list-type|list-map-keys|map-type|unions): .* [|] -",
                    "for apply, which the server does"),
            Map.entry(
                    ".*(ControllerRevision.properties.data|CustomResourceSubresources.properties.status|[.]fieldsV1)[.].*",
                    "any object is written where it is used"),
            Map.entry(".*[.](RawExtension|FieldsV1|CustomResourceSubresourceStatus)[.]type.*", "the same"),
            Map.entry(
                    ".*JSONSchemaProps.properties.(additional.*|default|dependencies|enum|example|items|maximum|minimum|multipleOf)[.].*",
                    "any value, for DefinitionRules judges them"),
            Map.entry(".*LabelSelectorRequirement.properties.key.x-kubernetes-patch.*", "a text cannot be merged"),
            Map.entry(".*[.](Handler|Lifecycle)[.].*", "LifecycleHandler since 1.23"),
            Map.entry(".*PersistentVolumeClaimSpec.properties.resources.*", "VolumeResourceRequirements since 1.29"),
            Map.entry(".*IngressClassSpec.properties.parameters.*", "a type of its own since 1.21"),
            Map.entry(".*EphemeralContainer.properties.ports.x-kubernetes-patch.*", "a list by keys since 1.22"),
            Map.entry(".*policy.v1beta1.PodDisruptionBudget.*", "has the types of policy/v1"));

    private static Document real;
    private static Document ours;

    @BeforeAll
    static void read() throws Exception {
        real = RealCluster.shared().admin().ok("GET", "/openapi/v2", "");
        try (MemoryClusterStore store = new MemoryClusterStore(StoreOptions.of(
                        StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new Random(1))));
                ApiServer server = ApiServer.builder(store).plain().start()) {
            ours = ApiClient.plain(server.url()).ok("GET", "/openapi/v2", "");
        }
    }

    @AfterAll
    static void forget() {
        real = Document.empty();
        ours = Document.empty();
    }

    private static Map<String, Object> part(Document document, String name) {
        return document.object(name).orElse(Document.empty()).asMap();
    }

    /** The kinds of a definition or of a verb: group, version, kind. */
    private static Set<String> kinds(Object of) {
        Set<String> kinds = new TreeSet<>();
        Object given = ((Map<?, ?>) of).get(KINDS);
        for (Object each : given instanceof List<?> all ? all : given == null ? List.of() : List.of(given)) {
            Map<?, ?> kind = (Map<?, ?>) each;
            kinds.add(kind.get("group") + "/" + kind.get("version") + " " + kind.get("kind"));
        }
        return kinds;
    }

    private static Map<String, String> definitions(Document document) {
        Map<String, String> names = new TreeMap<>();
        part(document, "definitions").forEach((name, each) -> {
            Set<String> kinds = kinds(each);
            if (kinds.size() == 1) {
                names.put(kinds.iterator().next(), name);
            }
        });
        return names;
    }

    private static Map<String, String> fields(Document document, String definition) {
        Map<String, String> lines = new TreeMap<>();
        flatten("", document.at("definitions", definition).orElse(Map.of()), lines);
        return lines;
    }

    private static void flatten(String path, Object value, Map<String, String> into) {
        if (value instanceof Map<?, ?> map) {
            SIMPLE.getOrDefault(String.valueOf(map.get("$ref")), Map.of())
                    .forEach((word, text) -> into.put(path + "." + word, text));
            map.forEach((key, each) -> {
                boolean simple = key.equals("$ref") && SIMPLE.containsKey(each);
                if (!simple && !key.equals(KINDS) && (!key.equals("description") || !(each instanceof String))) {
                    flatten(path + "." + key, each, into);
                }
            });
        } else if (value instanceof List<?> list) {
            into.put(path, new TreeSet<>(list.stream().map(String::valueOf).toList()).toString());
        } else {
            into.put(path, String.valueOf(value));
        }
    }

    /** The definitions that a definition is made of, itself first. */
    private static Set<String> reached(Document document, String from) {
        Set<String> reached = new TreeSet<>();
        List<String> left = new ArrayList<>(List.of(from));
        while (!left.isEmpty()) {
            String next = left.remove(left.size() - 1);
            if (reached.add(next)) {
                fields(document, next).forEach((path, value) -> {
                    if (path.endsWith(".$ref")) {
                        left.add(value.replace("#/definitions/", ""));
                    }
                });
            }
        }
        return reached;
    }

    /** Fields that the real server of 1.20 does not have yet are left out of the comparison. */
    private static Map<String, String> without(Map<String, String> lines, Map<String, String> there) {
        Map<String, String> left = new TreeMap<>(lines);
        left.keySet().removeIf(path -> {
            String field = path.replaceFirst("^(\\.properties\\.[^.]+).*", "$1.");
            return path.startsWith(".properties.") && there.keySet().stream().noneMatch(each -> each.startsWith(field));
        });
        return left;
    }

    private static void compare(
            String of, Map<String, String> there, Map<String, String> here, Set<String> differences) {
        Set<String> paths = new TreeSet<>(there.keySet());
        paths.addAll(here.keySet());
        for (String path : paths) {
            String one = there.getOrDefault(path, "-");
            String other = here.getOrDefault(path, "-");
            if (!one.equals(other)) {
                differences.add(of + path + ": " + one + " | " + other);
            }
        }
    }

    private static void assertNone(Set<String> differences) {
        differences.removeIf(each -> KNOWN.keySet().stream().anyMatch(each::matches));
        assertThat(differences).as("real | ours").isEmpty();
    }

    @Test
    void theTypesOfEachKindAreTheSame() {
        Map<String, String> there = definitions(real);
        Map<String, String> here = definitions(ours);
        Set<String> both = new TreeSet<>(here.keySet());
        both.retainAll(there.keySet());
        Set<String> types = new TreeSet<>();
        both.forEach(kind -> types.addAll(reached(real, there.get(kind))));
        Set<String> differences = new TreeSet<>();
        both.stream()
                .filter(kind -> !there.get(kind).equals(here.get(kind)))
                .forEach(kind -> differences.add(kind + ": " + there.get(kind) + " | " + here.get(kind)));
        types.forEach(type ->
                compare(type, fields(real, type), without(fields(ours, type), fields(real, type)), differences));
        System.out.println(both.size() + " kinds, " + types.size() + " types, " + differences.size() + " differences");
        assertThat(both).hasSizeGreaterThan(30);
        assertNone(differences);
    }

    @Test
    void thePathsAndVerbsOfEachKindAreTheSame() {
        Set<String> kinds = definitions(ours).keySet();
        Map<String, String> there = verbs(real, kinds);
        Map<String, String> here = verbs(ours, kinds);
        Set<String> differences = new TreeSet<>();
        compare("", there, here, differences);
        System.out.println(there.size() + " verbs, " + differences.size() + " differences");
        assertThat(there).hasSizeGreaterThan(300);
        assertNone(differences);
    }

    private static Map<String, String> verbs(Document document, Set<String> kinds) {
        Map<String, String> verbs = new TreeMap<>();
        part(document, "paths")
                .forEach((path, methods) -> ((Map<?, ?>) methods).forEach((method, each) -> {
                    if (each instanceof Map<?, ?> verb
                            && kinds.containsAll(kinds(verb))
                            && !kinds(verb).isEmpty()) {
                        verbs.put(path + " " + method, verb.get("x-kubernetes-action") + " " + kinds(verb));
                    }
                }));
        return verbs;
    }
}
