// SPDX-License-Identifier: Apache-2.0

/**
 * A plugin as a CSI driver (semantics/csi §16 and §18.2). {@link dev.mooring.csi.server.PluginDriver} is the entry. Each service checks its
 * requests in the order of the specification, notes what it is about to do, and calls the plugin.
 */
@NullMarked
package dev.mooring.csi.server;

import org.jspecify.annotations.NullMarked;
