// SPDX-License-Identifier: Apache-2.0
/**
 * What a node's agent asks plugins to do, as data, and {@link dev.mooring.volumemanager.calls.NodeCallHandler}, which does it. A
 * simulator is given the same records and answers them itself.
 */
@NullMarked
package dev.mooring.volumemanager.calls;

import org.jspecify.annotations.NullMarked;
