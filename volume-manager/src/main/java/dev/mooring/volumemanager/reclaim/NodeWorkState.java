// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.control.KeyState;

/**
 * Work on a volume that is done and not yet told.
 *
 * @param result what became of it, as it shall stand on the volume
 */
record NodeWorkState(String result) implements KeyState {}
