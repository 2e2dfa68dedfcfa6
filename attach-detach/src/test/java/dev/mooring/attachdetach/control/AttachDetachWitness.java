// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets no defect of a controller pass: the loop would only hold up the key. The loop goes on though a listener throws, so
 * the defect is thrown by who is asked.
 */
final class AttachDetachWitness implements LoopListener {
    private final List<AssertionError> defects = new ArrayList<>();

    /** Throws the first defect there was. */
    void requireNoDefect() {
        if (!defects.isEmpty()) {
            throw defects.get(0);
        }
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException defect) {
        defects.add(new AssertionError(controller + " failed at " + key, defect));
    }
}
