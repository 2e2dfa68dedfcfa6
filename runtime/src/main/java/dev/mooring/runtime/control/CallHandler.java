// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Outcome;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/** Carries out calls, on a thread of the interpreter that may block. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface CallHandler {
    /**
     * Carries out one call.
     *
     * @param call what to do
     * @param ticket who asks, until when, for which attempt
     * @return what became of it; an exception counts as {@link Outcome.Uncertain}
     */
    Outcome<?> perform(Call call, CallTicket ticket);

    /**
     * Two handlers as one, since a loop has one handler, whichever controllers share it. All questions go to the same one as the call.
     *
     * @param concerns whether a call is the first handler's, such as {@code AttachDetachCallHandler::handles}; never waits, never throws
     * @param first carries out those
     * @param others carries out all others
     * @return the handler; never null
     */
    static CallHandler choosing(Predicate<? super Call> concerns, CallHandler first, CallHandler others) {
        return new ChosenCalls(concerns, first, others);
    }

    /**
     * The same bulkheads and shares for calls that are carried out in another way.
     *
     * @param performer carries the calls out, as a rule by this handler, or refuses them; nothing else is asked of it
     * @return the handler; never null
     */
    default CallHandler carriedOutBy(CallHandler performer) {
        return new GuardedCalls(this, performer);
    }

    /**
     * Which calls wait for each other, where the handler knows better than the call; never waits, never throws.
     *
     * @param call what will be done
     * @return the name of a pool
     */
    default String bulkhead(Call call) {
        return call.bulkhead();
    }

    /**
     * Of which plugin's share a call takes; never waits, never throws.
     *
     * @param call what will be done
     * @return the name of a share; empty for a call that reaches no plugin, such as one that only writes something down
     */
    default Optional<String> pluginShare(Call call) {
        return Optional.of(call.plugin().value());
    }

    /**
     * Of whose share a call takes, where the calls that are about one node may only be a few at a time; never waits, never throws.
     *
     * @param call what will be done
     * @return the name of a share; empty for a call that counts for none
     */
    default Optional<String> nodeShare(Call call) {
        return Optional.empty();
    }
}
