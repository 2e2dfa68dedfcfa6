// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

/**
 * Where something stands in a scenario.
 *
 * @param file the file, as the user named it; of an included one, after the scenario and the key that include it
 * @param step what people call the step; empty outside the steps
 * @param key the path of the key within the step, or within the file; empty for the whole
 */
public record ScenarioPlace(String file, String step, String key) {
    /** The place of a whole file. */
    public static ScenarioPlace of(String file) {
        return new ScenarioPlace(file, "", "");
    }

    /** The whole of a step. */
    public ScenarioPlace inStep(String name) {
        return new ScenarioPlace(file, name, "");
    }

    /** The value of a key of a map that stands here. */
    public ScenarioPlace at(String name) {
        return new ScenarioPlace(file, step, key.isEmpty() ? name : key + "." + name);
    }

    /** An element of a list that stands here. */
    public ScenarioPlace at(int index) {
        return new ScenarioPlace(file, step, key + "[" + index + "]");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(file);
        if (!step.isEmpty()) {
            text.append(": step ").append(step);
        }
        if (!key.isEmpty()) {
            text.append(": ").append(key);
        }
        return text.toString();
    }
}
