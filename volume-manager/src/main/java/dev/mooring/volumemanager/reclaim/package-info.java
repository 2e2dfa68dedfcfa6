// SPDX-License-Identifier: Apache-2.0
/**
 * What controllers ask a node to do for a volume that is no pod's: make, empty or destroy its storage.
 */
@NullMarked
package dev.mooring.volumemanager.reclaim;

import org.jspecify.annotations.NullMarked;
