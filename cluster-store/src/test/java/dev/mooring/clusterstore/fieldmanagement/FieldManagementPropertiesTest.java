// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of all steps by all managers; the steps are by seed. */
class FieldManagementPropertiesTest {
    private static final int RUNS = 15;
    private static final int STEPS = 25;
    private static final List<String> MANAGERS = List.of("one", "two", "three");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void stepsKeepTheRules(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < RUNS; run++) {
            Managers each = new Managers(Kinds.POD);
            for (int step = 0; step < STEPS; step++) {
                String manager = MANAGERS.get(random.nextInt(MANAGERS.size()));
                Document fields = pod(random);
                if (random.nextInt(4) == 0) {
                    update(each, manager, fields);
                } else {
                    apply(each, manager, random.nextBoolean(), fields);
                }
                assertThat(each.decoded().encode())
                        .as("what is written is read")
                        .isEqualTo(each.object().at("metadata", "managedFields").orElse(List.of()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theFieldsOfANewObjectAreThoseThatItHasMoreThanAnEmptyOne(long seed) {
        Random random = new Random(seed);
        Structure type = Schema.standard().type(Kinds.POD).orElseThrow();
        FieldSet unreached = IgnoredFields.unreached(Kinds.POD, "");
        for (int run = 0; run < RUNS * STEPS; run++) {
            Document status = pod(random).without("metadata");
            Document pod = random.nextInt(3) == 0 ? pod(random).with(status.asMap(), "status") : pod(random);
            FieldNode none = FieldNode.root(type, Document.empty());
            FieldNode node = FieldNode.root(type, pod.with("u", "metadata", "uid"));
            FieldSet set =
                    FieldComparison.of(none, node).outside(unreached).written().difference(IgnoredFields.STRIPPED);
            Map<String, Object> fields = CreatedFields.encode(node, none, IgnoredFields.STRIPPED, unreached);
            assertThat(Document.of(fields))
                    .as(pod.toString())
                    .hasToString(Document.of(FieldsV1.encode(set)).toString());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theFieldsOfOddListsAreWrittenAsTheirSet(long seed) {
        Random random = new Random(seed);
        Structure type = Schema.standard().type(Kinds.POD).orElseThrow();
        FieldNode none = FieldNode.root(type, Document.empty());
        for (int run = 0; run < RUNS * STEPS; run++) {
            Document pod = pod(random)
                    .with(oddList(random, ""), "metadata", "finalizers")
                    .with(oddList(random, "uid"), "metadata", "ownerReferences")
                    .with(oddList(random, "name"), "spec", "containers")
                    .with(oddList(random, "name"), "spec", "volumes");
            FieldNode node = FieldNode.root(type, pod);
            FieldSet set = FieldComparison.of(none, node).written().difference(IgnoredFields.STRIPPED);
            Map<String, Object> fields = CreatedFields.encode(node, none, IgnoredFields.STRIPPED, FieldSet.EMPTY);
            assertThat(Document.of(fields))
                    .as(pod.toString())
                    .hasToString(Document.of(FieldsV1.encode(set)).toString());
        }
    }

    /** Elements of few forms beside each other: some stand twice, some have no key or one of another type, some are none. */
    private static List<Object> oddList(Random random, String key) {
        List<Object> values = List.of("a", "b", "\"", "\n", "A/b.c-0", "", 7, false, JsonNull.NULL, List.of("a"));
        List<Object> list = new ArrayList<>();
        int kinds = random.nextBoolean() ? 6 : values.size(); // often texts alone
        for (int i = random.nextInt(6); i > 0; i--) {
            Object name = values.get(random.nextInt(kinds));
            if (key.isEmpty()) {
                list.add(name);
                continue;
            }
            Map<String, Object> element = new LinkedHashMap<>();
            element.put(key, name);
            for (String field : List.of("image", "resources", "volumeMounts", "unknown")) {
                if (random.nextInt(3) == 0) {
                    element.put(field, oddValue(random, field));
                }
            }
            if (kinds > 6 && random.nextInt(4) == 0) {
                element.remove(key);
            }
            list.add(element);
        }
        return list;
    }

    private static Object oddValue(Random random, String field) {
        return switch (random.nextInt(4)) {
            case 0 -> field.equals("image") ? "i" : Map.of();
            case 1 -> List.of(Map.of("mountPath", "/m" + random.nextInt(2), "name", "v"));
            case 2 -> Map.of("limits", Map.of("k" + random.nextInt(2), "1"));
            default -> JsonNull.NULL;
        };
    }

    private static void update(Managers managers, String manager, Document fields) {
        Document before = managers.object();
        Document after = before.at("metadata", "managedFields")
                .map(entries -> fields.with(entries, "metadata", "managedFields"))
                .orElse(fields);
        managers.update(manager, "", after);
        assertThat(managers.bare()).isEqualTo(fields);
    }

    private static void apply(Managers managers, String manager, boolean force, Document fields) {
        Document before = managers.object();
        FieldSet othersBefore = othersOf(managers, manager);
        Applied applied = managers.apply(manager, "", force, fields);
        if (!applied.conflicts().isEmpty()) {
            assertThat(force).as("force knows no conflicts").isFalse();
            assertThat(managers.object()).isEqualTo(before);
            return;
        }
        FieldSet now = node(managers.bare()).fields();
        FieldSet wanted = node(fields).fields();
        assertThat(wanted.difference(now).paths())
                .as("all that is applied is there")
                .isEmpty();
        assertThat(FieldComparison.of(node(fields), node(managers.bare()))
                        .modified()
                        .paths())
                .as("with the applied values")
                .isEmpty();
        // An element that no other manager has goes with what others have changed in it.
        FieldSet elements = FieldComparison.of(node(bare(before)), node(managers.bare()))
                .removed()
                .difference(othersBefore);
        FieldSet kept = othersBefore.intersection(present(bare(before))).outside(elements);
        assertThat(kept.difference(present(managers.bare())).paths())
                .as("no field goes that another manages")
                .isEmpty();
        assertThat(managers.decoded().all().difference(present(managers.bare())).paths())
                .as("what is managed is there")
                .isEmpty();
        Document once = managers.bare();
        assertThat(managers.apply(manager, "", force, fields).conflicts()).isEmpty();
        assertThat(managers.bare()).as("to apply it again changes nothing").isEqualTo(once);
        // A manager that was left with a container alone is to manage all of it from now on; after that, all is
        // settled.
        Document settled = managers.object();
        managers.apply(manager, "", force, fields);
        assertThat(managers.object()).isEqualTo(settled);
    }

    /** Everything that can be managed: with the containers that updates manage too. */
    private static FieldSet present(Document object) {
        return node(object)
                .fields()
                .union(FieldComparison.of(node(Document.empty()), node(object)).written());
    }

    private static FieldSet othersOf(Managers managers, String manager) {
        return managers.decoded().without(FieldManager.applier(manager, "")).all();
    }

    private static Document bare(Document object) {
        return object.without("metadata", "managedFields");
    }

    private static FieldNode node(Document object) {
        return FieldNode.root(Schema.standard().type(Kinds.POD).orElseThrow(), object);
    }

    private static Document pod(Random random) {
        Document pod = Document.of(Map.of("apiVersion", "v1", "kind", "Pod")).with("p", "metadata", "name");
        for (String label : List.of("a", "b")) {
            if (random.nextBoolean()) {
                pod = pod.with(String.valueOf(random.nextInt(2)), "metadata", "labels", label);
            }
        }
        List<Object> finalizers = new ArrayList<>();
        for (String each : List.of("x/a", "x/b", "x/c")) {
            if (random.nextInt(3) == 0) {
                finalizers.add(each);
            }
        }
        if (!finalizers.isEmpty()) {
            pod = pod.with(finalizers, "metadata", "finalizers");
        }
        if (random.nextInt(3) == 0) {
            pod = pod.with(List.of(Map.of("key", "t" + random.nextInt(2))), "spec", "tolerations");
        }
        List<Object> containers = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            if (random.nextBoolean()) {
                containers.add(container(name, random));
            }
        }
        return containers.isEmpty() ? pod : pod.with(containers, "spec", "containers");
    }

    private static Map<String, Object> container(String name, Random random) {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", name);
        container.put("image", "i" + random.nextInt(2));
        List<Object> ports = new ArrayList<>();
        for (String protocol : List.of("TCP", "UDP")) {
            if (random.nextInt(3) == 0) {
                ports.add(Map.of(
                        "containerPort", 1 + random.nextInt(2), "protocol", protocol, "name", "n" + random.nextInt(2)));
            }
        }
        if (!ports.isEmpty()) {
            container.put("ports", ports);
        }
        if (random.nextInt(3) == 0) {
            container.put("env", List.of(Map.of("name", "E", "value", "v" + random.nextInt(2))));
        }
        return container;
    }
}
