// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.testkit.rule.Rule;

/** What can be wrong with {@link TankPlugin}, and which rule it breaks. */
enum TankMistake {
    /** Breaks no rule. */
    NONE(Rule.CONSTANT_DESCRIPTION),
    /** Says nothing of a volume that it does not know. */
    OBSERVES_SOME(Rule.OBSERVATION_PROVEN),
    /** What cannot be asked is taken for detached. */
    OBSERVES_WITHOUT_EVIDENCE(Rule.OBSERVATION_PROVEN),
    /** Throws where it should look. */
    OBSERVES_AND_THROWS(Rule.OUTCOME_ALWAYS),
    /** Hidden files stay. */
    RECYCLES_WHAT_SHOWS(Rule.RECYCLING_REMOVES_ALL),
    /** Does not look at what the host answers. */
    RECYCLES_WITHOUT_LOOKING(Rule.HOST_FAILURE_REPORTED),
    /** What was begun is not gone on with. */
    RECYCLES_ONCE(Rule.CALL_SURVIVES_CRASH),
    /** Out of time it says that all is done. */
    RECYCLES_IN_NO_TIME(Rule.DEADLINE_OBEYED),
    /** More is used than there is. */
    MEASURES_TOO_MUCH(Rule.STATISTICS_CONSISTENT),
    /** Leaves something behind by measuring. */
    MEASURES_AND_NOTES(Rule.STATISTICS_CONSISTENT),
    /** Gives half of what was wanted. */
    GROWS_BY_HALF(Rule.GROWTH_NEVER_SHRINKS),
    /** Does not look at what the host answers. */
    GROWS_WITHOUT_LOOKING(Rule.HOST_FAILURE_REPORTED),
    /** What was begun is not gone on with. */
    GROWS_ONCE(Rule.CALL_SURVIVES_CRASH),
    /** Out of time it says that all is done. */
    GROWS_IN_NO_TIME(Rule.DEADLINE_OBEYED),
    /** On the node, cancelled, it says that all is done. */
    SEES_WHEN_CANCELLED(Rule.CANCELLATION_TRUTHFUL),
    /** On the node, uncertain, it says that it had not begun. */
    SEES_AND_SAYS_NOTHING_WAS_DONE(Rule.REFUSAL_CHANGES_NOTHING);

    private final Rule broken;

    TankMistake(Rule broken) {
        this.broken = broken;
    }

    Rule broken() {
        return broken;
    }
}
