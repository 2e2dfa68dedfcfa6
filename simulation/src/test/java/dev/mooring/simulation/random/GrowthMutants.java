// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.calls.ExpandOnNodeCall;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Planted bugs of growth: by controllers, and by nodes. */
final class GrowthMutants {
    private static final String EXPANSION = "expansion";

    private GrowthMutants() {}

    static List<Mutant> growing() {
        return List.of(
                Mutant.result("node", "an uncertain expansion is done", "expand", GrowthMutants::grown),
                Mutant.result(
                        EXPANSION,
                        "leaves nothing to nodes",
                        "expand",
                        result -> result.match(
                                stored -> stored,
                                performed -> performed.answer() instanceof Outcome.Done<?> done
                                                && done.value() instanceof Expansion expansion
                                        ? new EffectResult.Performed(
                                                performed.effect(),
                                                Outcome.done(new Expansion(expansion.size(), false)))
                                        : performed)),
                Mutant.edited(EXPANSION, "shows the new size before it is there", "mark-resize", GrowthMutants::shown),
                Mutant.result(
                        EXPANSION, "an uncertain expansion is refused", "expand", BindingMutants::refusedIfUncertain),
                Mutant.skipped(EXPANSION, "show-size"),
                Mutant.effect(
                        "node",
                        "grows a volume beside everything else",
                        "expand",
                        (effect, situation) -> List.of(besides(effect))));
    }

    private static EffectResult grown(EffectResult result) {
        return result.match(
                stored -> stored,
                performed -> performed.answer() instanceof Outcome.Uncertain<?>
                                && performed.effect() instanceof Effect.Perform perform
                                && perform.call() instanceof ExpandOnNodeCall call
                        ? new EffectResult.Performed(performed.effect(), Outcome.done(call.wanted()))
                        : performed);
    }

    private static Effect besides(Effect effect) {
        return effect instanceof Effect.Perform perform
                ? new Effect.Perform(perform.operation(), perform.call(), Optional.empty(), perform.timeLimit())
                : effect;
    }

    private static KubernetesObject shown(KubernetesObject object) {
        if (!(object instanceof PersistentVolumeClaim claim)) {
            return object;
        }
        PersistentVolumeClaimStatus status = claim.status();
        Map<String, Quantity> capacity = new LinkedHashMap<>(status.capacity());
        capacity.putAll(status.allocatedResources());
        return claim.withStatus(status.withCapacity(capacity));
    }
}
