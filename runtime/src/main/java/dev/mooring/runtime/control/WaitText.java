// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

/** Says for people what is waited for, where a loop waits for an effect. */
final class WaitText {
    private WaitText() {}

    /** The effect has begun and has not ended. */
    static String inFlight(Effect effect) {
        return name(effect) + (effect instanceof Effect.Perform ? " has not ended yet" : " has not been answered yet");
    }

    /** The effect has to wait for another one. */
    static String heldBack(Effect effect) {
        return name(effect) + " waits, since another operation on the same "
                + (effect instanceof Effect.Perform ? "storage" : "object") + " has not ended yet";
    }

    /** The effect failed and is tried again. */
    static String failed(Effect effect, String message) {
        return name(effect) + " fails and is tried again: " + message;
    }

    /** The store refused the effect, and it is not tried again for this version of the object. */
    static String refused(Effect effect, String message) {
        return name(effect) + " is refused, and not tried again while the object stays as it is: " + message;
    }

    private static String name(Effect effect) {
        if (effect instanceof Effect.Perform perform) {
            Call call = perform.call();
            return perform.operation()
                    + (call.volume().isEmpty() ? "" : " of volume \"" + call.volume() + "\"")
                    + (call.node().isEmpty() ? "" : " on node \"" + call.node() + "\"")
                    + " by plugin " + call.plugin().value();
        } else if (effect instanceof Effect.Write write) {
            return "the write (" + write.operation() + ") of " + write.kind().name() + " \""
                    + write.object().name() + "\"";
        } else if (effect instanceof Effect.Read<?> read) {
            return "the request (" + read.operation() + ") for " + read.kind().name() + " \""
                    + read.object().name() + "\"";
        }
        return "the request (" + effect.operation() + ") to the API server";
    }
}
