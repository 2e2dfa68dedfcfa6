// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.testkit.rule.Rule;

/** What can be wrong with {@link TankPlugin}, and which rule it breaks. */
enum TankMistake {
    /** Breaks no rule. */
    NONE(Rule.K01),
    /** Says nothing of a volume that it does not know. */
    OBSERVES_SOME(Rule.K32),
    /** What cannot be asked is taken for detached. */
    OBSERVES_WITHOUT_EVIDENCE(Rule.K32),
    /** Throws where it should look. */
    OBSERVES_AND_THROWS(Rule.K04),
    /** Hidden files stay. */
    RECYCLES_WHAT_SHOWS(Rule.K34),
    /** Does not look at what the host answers. */
    RECYCLES_WITHOUT_LOOKING(Rule.K17),
    /** What was begun is not gone on with. */
    RECYCLES_ONCE(Rule.K12),
    /** Out of time it says that all is done. */
    RECYCLES_IN_NO_TIME(Rule.K15),
    /** More is used than there is. */
    MEASURES_TOO_MUCH(Rule.K35),
    /** Leaves something behind by measuring. */
    MEASURES_AND_NOTES(Rule.K35),
    /** Gives half of what was wanted. */
    GROWS_BY_HALF(Rule.K30),
    /** Does not look at what the host answers. */
    GROWS_WITHOUT_LOOKING(Rule.K17),
    /** What was begun is not gone on with. */
    GROWS_ONCE(Rule.K12),
    /** Out of time it says that all is done. */
    GROWS_IN_NO_TIME(Rule.K15),
    /** On the node, cancelled, it says that all is done. */
    SEES_WHEN_CANCELLED(Rule.K16),
    /** On the node, uncertain, it says that it had not begun. */
    SEES_AND_SAYS_NOTHING_WAS_DONE(Rule.K14);

    private final Rule broken;

    TankMistake(Rule broken) {
        this.broken = broken;
    }

    Rule broken() {
        return broken;
    }
}
