// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.BrokenRule;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The contract with plugins, held by a plugin after it went through a driver's socket. What CSI cannot say gets lost; a page of the
 * documentation names it, and the tests hold the page to it.
 */
abstract class CircleSuite implements PluginConformance {
    private static final String LOST = " is lost";

    private final IdentityHashMap<Object, Circle> circles = new IdentityHashMap<>();
    private final Map<VolumeSource, String> handles = new HashMap<>();
    private final Map<String, VolumeSource> sources = new HashMap<>();

    /** The plugin itself. */
    abstract PluginConformance plain();

    /** Whose column of the page this is. */
    abstract String column();

    /** References to secrets of volumes that a person describes. */
    Map<String, Object> secretReferences() {
        return Map.of();
    }

    @Override
    @TestFactory
    public Stream<DynamicTest> contract() {
        LossPage page = LossPage.of(column());
        return PluginConformance.super
                .contract()
                .map(test -> page.isLost(test.getDisplayName())
                        ? DynamicTest.dynamicTest(
                                test.getDisplayName() + LOST,
                                () -> assertThatThrownBy(
                                                () -> test.getExecutable().execute())
                                        .isInstanceOf(BrokenRule.class))
                        : test);
    }

    @Test
    void thePageNamesAllThatIsLostAndNothingElse() {
        LossPage page = LossPage.of(column());
        Set<String> asked = names(this);
        Set<String> ofPlugin = names(plain());
        Set<String> notAsked = new TreeSet<>(ofPlugin);
        notAsked.removeAll(asked);
        assertThat(asked).containsAll(page.lost());
        assertThat(notAsked).allMatch(page::isNotAsked);
        assertThat(page.notAsked()).allMatch(row -> notAsked.stream().anyMatch(name -> LossPage.isOf(row, name)));
        Map<String, String> rules = new LinkedHashMap<>();
        ofPlugin.forEach(name -> rules.merge(
                LossPage.rule(name),
                page.isLost(name) || notAsked.contains(name) ? LossPage.LOST : LossPage.HOLDS,
                (one, other) -> one.equals(other) ? one : LossPage.IN_PART));
        assertThat(page.rules()).isEqualTo(rules);
    }

    private static Set<String> names(PluginConformance kit) {
        Set<String> names = new TreeSet<>();
        try (Stream<DynamicTest> tests = kit.contract()) {
            tests.forEach(test -> names.add(test.getDisplayName().replace(LOST, "")));
        }
        return names;
    }

    // ---- the subject, as it is seen through the driver

    @Override
    public Machine machine() {
        Machine machine = plain().machine();
        Circle circle = new Circle(plain().plugin(machine), machine.directory(), node());
        circles.put(machine.host(), circle);
        return new Machine(machine.directory(), machine.host(), () -> {
            circle.close();
            machine.close();
        });
    }

    @Override
    public boolean sharesMachine() {
        return true;
    }

    @Override
    public StoragePlugin plugin(Machine machine) {
        Circle circle = circles.get(machine.host());
        circle.served.set(plain().plugin(machine));
        return new CircledPlugin(circle);
    }

    /** As a person writes it into a PersistentVolume. */
    private VolumeSource described(VolumeSource source) {
        String handle = handles.computeIfAbsent(source, each -> "static-" + (handles.size() + 1));
        sources.put(handle, source);
        Map<String, Object> fields = new HashMap<>(secretReferences());
        fields.put("driver", Circle.DRIVER);
        fields.put("volumeHandle", handle);
        fields.put(
                "volumeAttributes",
                Map.of(
                        "mooring.dev/source",
                        KubernetesJson.standard()
                                .write(Document.of(Map.of(
                                        source.type(), source.attributes().asMap())))));
        return new VolumeSource("csi", Document.of(fields));
    }

    private VolumeSource original(VolumeSource described) {
        return sources.get(described.attributes().text("volumeHandle").orElseThrow());
    }

    @Override
    public VolumeSource existing(Machine machine, int number) {
        return described(plain().existing(machine, number));
    }

    @Override
    public Optional<VolumeSource> existingDevice(Machine machine, int number) {
        return plain().existingDevice(machine, number).map(this::described);
    }

    @Override
    public void grow(Machine machine, VolumeSource source, Quantity size) {
        plain().grow(machine, original(source), size);
    }

    @Override
    public List<VolumeSource> faultySources() {
        return plain().faultySources().stream().map(this::described).toList();
    }

    @Override
    public List<Map<String, String>> faultyParameters() {
        return plain().faultyParameters();
    }

    @Override
    public List<VolumeSource> foreignSources(Machine machine) {
        return plain().foreignSources(machine).stream().map(this::described).toList();
    }

    @Override
    public Map<String, String> parameters() {
        return plain().parameters();
    }

    @Override
    public Quantity size() {
        return plain().size();
    }

    @Override
    public List<AccessMode> accessModes() {
        return plain().accessModes();
    }

    @Override
    public int points() {
        return plain().points();
    }

    @Override
    public Secrets secrets() {
        return plain().secrets();
    }

    @Override
    public List<String> backendInventory(Machine machine) {
        return plain().backendInventory(machine);
    }
}
