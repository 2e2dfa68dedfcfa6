// SPDX-License-Identifier: Apache-2.0
/** What a node has drivers do: stage, publish, map, grow, measure. */
@NullMarked
package dev.mooring.plugin.csi.node;

import org.jspecify.annotations.NullMarked;
