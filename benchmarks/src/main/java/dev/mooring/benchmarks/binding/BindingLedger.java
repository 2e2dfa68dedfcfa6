// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Notes which claims were decided if asked to, and lets no defect pass. The loop goes on though a listener throws, so the defect is thrown
 * by {@link #requireNoDefect}.
 */
final class BindingLedger implements LoopListener {
    private final Set<Key> claims = new HashSet<>();
    private Optional<IllegalStateException> defect = Optional.empty();
    private boolean noting;

    /** Notes the claims from now on. */
    void note() {
        noting = true;
    }

    /** The claims about which the binder has decided since then. */
    Set<Key> claims() {
        return claims;
    }

    /** Throws the first defect there was. */
    void requireNoDefect() {
        if (defect.isPresent()) {
            throw defect.get();
        }
    }

    @Override
    public void onDecision(String controller, Key key, Decision decision) {
        if (noting && controller.equals("binder") && key.type().equals("claim")) {
            claims.add(key);
        }
    }

    @Override
    public void onDefect(String controller, Key key, RuntimeException thrown) {
        if (defect.isEmpty()) {
            defect = Optional.of(new IllegalStateException(controller + " failed at " + key, thrown));
        }
    }
}
