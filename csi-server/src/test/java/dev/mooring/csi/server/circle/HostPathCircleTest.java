// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.BrokenRule;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The contract with plugins, held by the plugin for hostPath after it went through a driver's socket. */
class HostPathCircleTest implements PluginConformance {
    private final Map<Object, Circle> circles = new IdentityHashMap<>();

    /** What was checked and cannot hold, with the reason; docs/plugins/rules.md says it to readers. */
    private static final Map<String, String> LOST = Map.of(
            "K05 plan", "the volume's id comes with the answer to CreateVolume, so no plan has it",
            "K06 plan", "only the driver knows its parameters: CreateVolume refuses, the plan does not",
            "K07 plan of a raw device", "only the driver knows its modes: CreateVolume refuses, the plan does not",
            "K21 provision", "the plans of two volumes differ in no id, as none is known; the volumes do",
            "K19 many pods at once", "one call at a time for a volume: the second one is ABORTED, and repeated");

    /** What is checked of the plugin, and not of the driver: CSI has no words for it. */
    private static final Set<String> NOT_ASKED = Set.of();

    @Override
    @TestFactory
    public Stream<DynamicTest> contract() {
        return PluginConformance.super.contract().map(test -> LOST.containsKey(test.getDisplayName())
                ? DynamicTest.dynamicTest(
                        test.getDisplayName() + " is lost: " + LOST.get(test.getDisplayName()),
                        () -> assertThatThrownBy(() -> test.getExecutable().execute())
                                .isInstanceOf(BrokenRule.class))
                : test);
    }

    @Test
    void nothingElseIsLost() {
        PluginConformance plain = HostPathCircleTest::hostPath;
        Set<String> lost = names(plain);
        Set<String> kept = names(this);
        lost.removeAll(kept);
        assertThat(kept).containsAll(LOST.keySet());
        assertThat(lost).isEqualTo(new TreeSet<>(NOT_ASKED));
    }

    private static Set<String> names(PluginConformance kit) {
        try (Stream<DynamicTest> tests = kit.contract()) {
            return tests.map(test -> test.getDisplayName().replaceFirst(" is lost: .*", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Override
    public Machine machine() {
        Machine machine = Machine.inMemory();
        Circle circle = new Circle(hostPath(machine), machine.directory(), node());
        circles.put(machine.host(), circle);
        return new Machine(machine.directory(), machine.host(), circle::close);
    }

    @Override
    public boolean sharesMachine() {
        return true;
    }

    @Override
    public StoragePlugin plugin(Machine machine) {
        Circle circle = circles.get(machine.host());
        circle.served.set(hostPath(machine));
        return new CircledPlugin(circle);
    }

    private static StoragePlugin hostPath(Machine machine) {
        HostPathCircleTest.class.getModule().addUses(StoragePlugin.class);
        StoragePlugin found = ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.describe().name().equals(new PluginName("kubernetes.io/host-path")))
                .findFirst()
                .orElseThrow();
        Path root = machine.host()
                .stateDirectory(found.describe().name())
                .result()
                .orElseThrow();
        machine.host()
                .files()
                .openOrMake(root, LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
                .result()
                .orElseThrow()
                .path()
                .close();
        return found.configured(Map.of("root", root.toString())).result().orElseThrow();
    }
}
