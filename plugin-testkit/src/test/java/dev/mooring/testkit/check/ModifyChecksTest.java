// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.TestMachines;
import dev.mooring.testkit.check.BoxPlugin.Mistake;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.subject.PluginSubject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModifyChecksTest {
    /** A host provisions, and then it modifies: never the other way round. */
    @Test
    void whatIsModifiedNeedsNotToBeMadeAgain() {
        TestMachines machines = new TestMachines(new Subject(Mistake.NONE));
        List<Check> checks = checks(machines);

        assertThat(checks)
                .extracting(Check::about)
                .contains("modify: the call was cancelled at a change", "provision with attributes");
        for (Check check : checks) {
            assertThatCode(() -> check.run(machines)).as(check.toString()).doesNotThrowAnyException();
        }
    }

    private static List<Check> checks(TestMachines machines) {
        List<Check> checks = new ArrayList<>();
        machines.supervised("finding the checks", supervisor -> {
            Bench bench = machines.take(false, supervisor);
            checks.addAll(ModifyChecks.of(bench));
            machines.back(bench, true);
        });
        return checks;
    }

    @ParameterizedTest
    @CsvSource({
        "GIVES_NOTHING_FROM_THE_START, provision with attributes",
        "TAKES_UNKNOWN_FROM_THE_START, provision with unknown attributes"
    })
    void whatNewStorageIsNotGivenBreaksTheRule(Mistake mistake, String about) {
        TestMachines machines = new TestMachines(new Subject(mistake));

        assertThat(checks(machines))
                .filteredOn(check -> check.about().startsWith("provision"))
                .allSatisfy(check -> {
                    if (check.about().equals(about)) {
                        assertThatThrownBy(() -> check.run(machines))
                                .isInstanceOfSatisfying(
                                        BrokenRule.class,
                                        broken -> assertThat(broken.rule()).isEqualTo(Rule.K40));
                    } else {
                        assertThatCode(() -> check.run(machines)).doesNotThrowAnyException();
                    }
                });
    }

    /** The author's. */
    private record Subject(Mistake mistake) implements PluginSubject {
        @Override
        public StoragePlugin plugin(Machine machine) {
            return new BoxPlugin(boxes(machine), mistake);
        }

        private static Path boxes(Machine machine) {
            return machine.directory().resolve("boxes");
        }

        @Override
        public List<Map<String, String>> modifications() {
            return List.of(Map.of(BoxPlugin.SPEED, "low"), Map.of(BoxPlugin.SPEED, "high"));
        }

        @Override
        public List<String> backendInventory(Machine machine) {
            return machine
                    .host()
                    .files()
                    .open(boxes(machine), LinkRule.REFUSE)
                    .then(opened -> {
                        try (PinnedPath boxes = opened) {
                            return boxes.list(100);
                        }
                    })
                    .result()
                    .stream()
                    .flatMap(List::stream)
                    .map(name -> name + " " + speed(machine, name))
                    .toList();
        }

        private static String speed(Machine machine, String box) {
            return machine.host()
                    .files()
                    .open(boxes(machine).resolve(box), LinkRule.REFUSE)
                    .then(opened -> {
                        try (PinnedPath held = opened) {
                            return held.readFile(BoxPlugin.SPEED, 64);
                        }
                    })
                    .result()
                    .flatMap(content -> content)
                    .map(content -> new String(content, StandardCharsets.UTF_8))
                    .orElse("");
        }
    }
}
