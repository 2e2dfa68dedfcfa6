// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.List;

/**
 * What users do just when something goes wrong: few acts in a row that chance alone would seldom bring together, each a window that a
 * controller has to close by a precondition, a live read, a record, or by taking no answer for no answer.
 */
final class RaceActs extends ScenesInARow {
    private final UsingRaces using;
    private final Ingredients ingredients;

    RaceActs(List<String> nodes, Ingredients ingredients) {
        this.ingredients = ingredients;
        this.using = new UsingRaces(nodes, ingredients);
    }

    @Override
    List<ActSource> scenes(Chance chance) {
        if (ingredients.farDisks() && chance.oneIn(4)) {
            return using.twoFromAfar();
        }
        return switch (chance.below(14)) {
            case 0 -> BindingRaces.takenUnderItsNose();
            case 1, 2 -> BindingRaces.storageInDoubt();
            case 3, 4 -> BindingRaces.destructionInDoubt();
            case 5 -> BindingRaces.claimUnheardOf();
            case 6 -> using.podUnheardOf();
            case 7 -> using.unmountedInHaste();
            case 8, 9 -> using.lateWrites();
            case 10 -> using.oldListOfNodes();
            case 11 -> using.oldListOfPods();
            case 12 -> using.oldNews();
            default -> BindingRaces.bared();
        };
    }
}
