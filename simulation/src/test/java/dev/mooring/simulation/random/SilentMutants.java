// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import java.util.List;
import java.util.stream.Stream;

/** Planted bugs of controllers that do all that they should and do not say what an object waits for. */
final class SilentMutants {
    private SilentMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Silent("node", "does not say why a pod does not run or go", "pod-volume", true),
                new Silent("binder", "does not say why a volume is not reclaimed", "volume", true),
                new Silent("attach-detach", "does not say why an attachment stays", "attachment", true),
                new Silent("pvc-protection", "does not say which pods keep a claim", "claim", false),
                new Silent("pv-protection", "does not say which claim keeps a volume", "volume", false));
    }

    private static final class Silent extends Mutant {
        private final String type;
        private final boolean wholly;

        Silent(String controller, String name, String type, boolean wholly) {
            super(controller, name);
            this.type = type;
            this.wholly = wholly;
        }

        @Override
        Decision decided(Key key, Decision decision, Situation situation) {
            if (!key.type().equals(type)) {
                return decision;
            }
            List<Effect> effects = decision.effects().stream()
                    .flatMap(effect -> wholly && effect instanceof Effect.Announce ? Stream.empty() : Stream.of(effect))
                    .toList();
            return new Decision(decision.state(), effects, decision.wakeAfter());
        }
    }
}
