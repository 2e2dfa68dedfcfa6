// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import java.util.Map;

/**
 * A volume at a node.
 *
 * @param node the node's id
 * @param fingerprint of the request, by which a repetition is recognised
 * @param context what the node needs; empty as long as the plugin's answer is not known
 */
record NodeAttachment(String node, String fingerprint, Map<String, String> context) {
    NodeAttachment {
        context = Map.copyOf(context);
    }

    NodeAttachment with(Map<String, String> answered) {
        return new NodeAttachment(node, fingerprint, answered);
    }
}
