// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.sidecar.Sidecars;

/**
 * A process that a step stops or restarts.
 *
 * @param place where it is named
 * @param name {@code controllers}, {@code node/NAME}, or that of a sidecar
 */
record ProcessName(ScenarioPlace place, String name) {
    static final String CONTROLLERS = "controllers";
    private static final String NODE_PREFIX = "node/";

    static ProcessName parse(ScenarioValue node) {
        String text = node.text();
        boolean isNode = text.startsWith(NODE_PREFIX) && text.length() > NODE_PREFIX.length();
        if (isNode || text.equals(CONTROLLERS) || Sidecars.NAMES.contains(text)) {
            return new ProcessName(node.place(), text);
        }
        throw node.wrong("must be controllers, node/NAME, " + String.join(", ", Sidecars.NAMES) + ", not '"
                + ScenarioValue.shortened(text) + "'");
    }

    boolean isControllers() {
        return name.equals(CONTROLLERS);
    }

    boolean isSidecar() {
        return Sidecars.NAMES.contains(name);
    }

    /** The node's name; empty if it is no node's. */
    String node() {
        return name.startsWith(NODE_PREFIX) ? name.substring(NODE_PREFIX.length()) : "";
    }
}
