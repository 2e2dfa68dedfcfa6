// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.List;
import org.apiguardian.api.API;

/**
 * An effect on its way to be carried out.
 *
 * @param id unique within the loop
 * @param controller who decided it
 * @param key what the decision was about
 * @param effect what to do
 * @param attempt how many times this operation was started for the key since it last succeeded, from 1
 * @param idempotencyKey equal for repetitions of one intended effect, also after a restart; see {@link Call#occasion}
 * @param concerns the objects that the decision was made for; {@link Decision#concerns}
 * @param epoch the leader epoch in which it was decided; an interpreter starts nothing of an earlier epoch
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Dispatch(
        long id,
        String controller,
        Key key,
        Effect effect,
        int attempt,
        String idempotencyKey,
        List<Concern> concerns,
        long epoch) {}
