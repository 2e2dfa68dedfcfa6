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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The contract with plugins, held by the plugin for hostPath after it went through a driver's socket. What CSI cannot say gets lost; a page
 * of the documentation names it, and the tests hold the page to it.
 */
class HostPathCircleTest implements PluginConformance {
    private final IdentityHashMap<Object, Circle> circles = new IdentityHashMap<>();

    private static final Path PAGE = Path.of(System.getProperty("mooring.root", ".."), "docs/plugins/driver.md");
    private static final Pattern ROW = Pattern.compile("[|] (K[^|]+) [|] (lost|not asked) [|] ([^|]+) [|]");
    private static final String LOST = " is lost";
    private static final String RECYCLING = "K12, K15, K16, K17, K29, K34 recycle";

    @Override
    @TestFactory
    public Stream<DynamicTest> contract() {
        Set<String> lost = said("lost");
        return PluginConformance.super
                .contract()
                .map(test -> lost.contains(test.getDisplayName())
                        ? DynamicTest.dynamicTest(
                                test.getDisplayName() + LOST,
                                () -> assertThatThrownBy(
                                                () -> test.getExecutable().execute())
                                        .isInstanceOf(BrokenRule.class))
                        : test);
    }

    /** The checks of which the page says this. */
    private static Set<String> said(String what) {
        try {
            return Files.readAllLines(PAGE).stream()
                    .map(ROW::matcher)
                    .filter(row -> row.matches() && row.group(2).equals(what))
                    .map(row -> row.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void thePageNamesAllThatIsLostAndNothingElse() {
        PluginConformance plain = HostPathCircleTest::hostPath;
        Set<String> kept = names(this);
        Set<String> notAsked = names(plain);
        notAsked.removeAll(kept);
        assertThat(kept).containsAll(said("lost"));
        assertThat(notAsked).isEqualTo(said("not asked"));
    }

    private static Set<String> names(PluginConformance kit) {
        try (Stream<DynamicTest> tests = kit.contract()) {
            return tests.map(test -> test.getDisplayName().replace(LOST, ""))
                    .map(name -> name.contains(" recycle") ? RECYCLING : name)
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
        Path root =
                machine.host().stateDirectory(found.describe().name()).result().orElseThrow();
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
