// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.world.SimulatedControlPlane;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The models by their names: that of a controller of the peer, and rules that it had once, {@code binder CLAIMS_ARE_NEVER_LOST}. */
public final class PeerModels {
    private PeerModels() {}

    /** The control plane with a model; empty if there is none of the name. */
    public static Optional<SimulatedControlPlane> in(SimulatedControlPlane real, PluginRegistry plugins, String model) {
        String[] words = model.split(" ", -1);
        Set<OldRule> old = EnumSet.noneOf(OldRule.class);
        for (String word : List.of(words).subList(1, words.length)) {
            Optional<OldRule> rule = List.of(OldRule.values()).stream()
                    .filter(each -> each.name().equals(word))
                    .findFirst();
            if (rule.isEmpty()) {
                return Optional.empty();
            }
            old.add(rule.get());
        }
        return switch (words[0]) {
            case "attach-detach" -> Optional.of(new PeerPlane(real, () -> List.of(new PeerAttachDetach(old))));
            case "binder" -> Optional.of(new PeerPlane(real, () -> List.of(new PeerBinder(plugins, old))));
            default -> Optional.empty();
        };
    }
}
