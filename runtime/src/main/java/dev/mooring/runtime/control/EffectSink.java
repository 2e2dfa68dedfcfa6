// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import org.apiguardian.api.API;

/** Where a {@link ControlLoop} hands its effects: an interpreter. Called by the loop's thread alone, which it must not block. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface EffectSink {
    /**
     * Takes an effect. Returns at once and never calls the loop back from here; the result is given to {@link
     * ControlLoop#completed} later, on the decider's thread.
     */
    void accept(Dispatch dispatch);
}
