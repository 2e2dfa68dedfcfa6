// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

/** A scenario that cannot be played. The message names file, step and key. */
@SuppressWarnings("serial") // never written anywhere
public final class MalformedScenario extends RuntimeException {
    /**
     * Makes the exception.
     *
     * @param place where the fault is
     * @param problem what it is, in a few words
     */
    public MalformedScenario(ScenarioPlace place, String problem) {
        this(place + ": " + problem);
    }

    /** Makes the exception from a whole message. */
    public MalformedScenario(String message) {
        super(message, null, false, false);
    }

    /** A part of the file asks for what this build does not have. */
    static MalformedScenario notSupported(ScenarioPlace place, String what) {
        return new MalformedScenario(place, what + ": not supported yet");
    }
}
