// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import java.util.ArrayList;
import java.util.List;

/**
 * What users do, in this order.
 *
 * @param seed what it was made from
 * @param setup the classes that are there from the start
 * @param steps what is done then; after each of them both sides are compared
 */
record DifferentialStory(long seed, List<StoryStep> setup, List<StoryStep> steps) {
    DifferentialStory {
        setup = List.copyOf(setup);
        steps = List.copyOf(steps);
    }

    /** The story up to a step, that one included. */
    DifferentialStory upTo(int step) {
        return new DifferentialStory(seed, setup, steps.subList(0, step + 1));
    }

    DifferentialStory without(int step) {
        List<StoryStep> rest = new ArrayList<>(steps);
        rest.remove(step);
        return new DifferentialStory(seed, setup, rest);
    }

    /** Whether it has claims or volumes without a class, or a default class, so that it may not run beside another one of that sort. */
    boolean isAlone() {
        return seed % StoryMaker.ONE_ALONE_IN == 0;
    }
}
