// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.term.Tenure;
import java.time.Duration;
import java.util.Optional;

/**
 * Standing for election, one step at a time. Confined to one thread.
 *
 * @param <T> what is won
 */
interface Election<T extends Tenure> {
    /** Tries to lead, or to go on leading; empty if another leads or that is unknown. */
    Optional<T> tick();

    /** How long to wait before the next try. */
    Duration pause();

    /** Nothing that was decided in the term before is in flight any more. */
    void settled();

    /** Gives back what is held. Only when nothing that was decided in the term is in flight any more. */
    void resign();
}
