// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

/**
 * A process that a step stops or restarts.
 *
 * @param place where it is named
 * @param node the node; empty for the controllers
 */
record ProcessName(Place place, String node) {
    static final String CONTROLLERS = "controllers";
    private static final String NODE_PREFIX = "node/";

    static ProcessName parse(Node node) {
        String text = node.text();
        if (text.equals(CONTROLLERS)) {
            return new ProcessName(node.place(), "");
        }
        if (text.startsWith(NODE_PREFIX) && text.length() > NODE_PREFIX.length()) {
            return new ProcessName(node.place(), text.substring(NODE_PREFIX.length()));
        }
        throw node.wrong("must be controllers or node/NAME, not '" + text + "'");
    }

    boolean isControllers() {
        return node.isEmpty();
    }
}
