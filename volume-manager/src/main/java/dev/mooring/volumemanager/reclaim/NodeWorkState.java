// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.control.KeyState;
import java.util.Optional;

/**
 * Work on a volume that this process has begun.
 *
 * @param volumeUid the volume: another one may be made under its name, with a reference to the same claim
 * @param claimUid the claim in the intent for which it was begun: results are about no other
 * @param result what became of it, as it shall stand on the volume; absent while the call runs
 */
record NodeWorkState(String volumeUid, String claimUid, Optional<String> result) implements KeyState {}
