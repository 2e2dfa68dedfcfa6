// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.testkit.bench.TestMachines;
import dev.mooring.testkit.check.Checks;
import dev.mooring.testkit.subject.PluginSubject;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests a plugin against the contract of its interfaces. Implement it in a test class: say how the plugin is made and, if it cannot
 * provision, how to get a volume. Everything that the plugin declares is checked, and what it does not declare has to be refused.
 *
 * <pre>{@code
 * class ShelfConformanceTest implements PluginConformance {
 *     public StoragePlugin plugin(Machine machine) {
 *         return new ShelfPlugin();
 *     }
 * }
 * }</pre>
 *
 * <p>A test that fails names the rule ({@link dev.mooring.testkit.rule.Rule}), what happened, why it matters and what to do. Each test has
 * a machine of its own, by default one in memory; a plugin that needs a kernel overrides {@link #machine} with a real one, and
 * {@link #sharesMachine} if that takes long.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface PluginConformance extends PluginSubject {
    /** One test for each rule and each thing to which it applies. */
    @TestFactory
    default Stream<DynamicTest> contract() {
        TestMachines machines = new TestMachines(this);
        return Checks.of(machines).stream()
                .map(check -> DynamicTest.dynamicTest(check.toString(), () -> check.run(machines)))
                .onClose(machines::close);
    }
}
