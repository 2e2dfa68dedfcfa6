// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios with one random thing changed: they are played or refused with one line, and nothing is ever thrown. */
@Tag("long")
class MutatedScenariosTest {
    private static final List<Object> ODD_VALUES = List.of(
            JsonNull.NULL,
            "",
            "x",
            "-1",
            0L,
            -1L,
            Long.MAX_VALUE,
            true,
            List.of(),
            Map.of(),
            List.of(1L),
            Map.of("a", "b"));
    private static final int MUTANTS = 150;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "life-cycle",
                "policies",
                "provision-in-process",
                "publish-on-node",
                "node-stop",
                "recycle-on-node",
                "refused-acts",
                "bind-crash-after-pv-main"
            })
    void neverThrow(String name) throws IOException {
        KubernetesYaml yaml = KubernetesYaml.standard();
        String text = Files.readString(ScenarioFolder.path().resolve(name + ".yaml"));
        Document original = yaml.read(text, name);
        Random random = new Random(name.hashCode());
        for (int i = 0; i < MUTANTS; i++) {
            Document mutant = new Mutation(random).apply(original);
            Path file = folder.resolve("mutant.yaml");
            Files.writeString(file, yaml.write(mutant));
            PlayResult result = Player.play(file, PlayOptions.DEFAULT);
            assertThat(result.exitStatus()).as("mutant %d: %s", i, mutant).isBetween(0, 2);
            assertThat(result.error().isEmpty()).isEqualTo(result.exitStatus() != PlayResult.MALFORMED);
            assertThat(result.error()).doesNotContain("\n", "Exception");
            assertThat(result.output()).as("mutant %d: %s", i, mutant).doesNotContain("defect:", "no rest");
        }
    }

    /** Changes one value somewhere. */
    private static final class Mutation {
        private final Random random;
        private int countdown;

        Mutation(Random random) {
            this.random = random;
        }

        Document apply(Document document) {
            countdown = random.nextInt(count(document.asMap()));
            return Document.of(mutatedMap(document.asMap()));
        }

        private static int count(Object value) {
            if (value instanceof Map<?, ?> map) {
                return map.values().stream().mapToInt(child -> 1 + count(child)).sum();
            }
            return value instanceof List<?> list
                    ? list.stream().mapToInt(child -> 1 + count(child)).sum()
                    : 0;
        }

        private Map<String, Object> mutatedMap(Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> {
                if (countdown-- != 0) {
                    copy.put((String) key, mutated(value));
                } else if (random.nextInt(4) == 0) {
                    copy.put(key + "x", value);
                } else if (random.nextInt(3) > 0) {
                    copy.put((String) key, odd());
                }
            });
            return copy;
        }

        private List<Object> mutatedList(List<?> list) {
            List<Object> copy = new ArrayList<>();
            for (Object value : list) {
                if (countdown-- != 0) {
                    copy.add(mutated(value));
                } else if (random.nextBoolean()) {
                    copy.add(odd());
                }
            }
            return copy;
        }

        private Object mutated(Object value) {
            if (value instanceof Map<?, ?> map) {
                return mutatedMap(map);
            }
            return value instanceof List<?> list ? mutatedList(list) : value;
        }

        private Object odd() {
            return ODD_VALUES.get(random.nextInt(ODD_VALUES.size()));
        }
    }
}
