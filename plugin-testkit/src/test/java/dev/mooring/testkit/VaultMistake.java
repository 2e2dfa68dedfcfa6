// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.testkit.rule.Rule;

/** What can be wrong with {@link VaultPlugin}, and which rule it breaks. */
enum VaultMistake {
    /** Breaks no rule. */
    NONE(Rule.CONSTANT_DESCRIPTION),
    /** The clone is the source. */
    CLONE_IS_THE_SOURCE(Rule.CLONE_STANDS_ALONE),
    /** The source becomes the clone. */
    CLONE_MOVES_THE_SOURCE(Rule.CLONE_STANDS_ALONE),
    /** Of what is gone an empty clone is made. */
    CLONES_NOTHING(Rule.CLONE_STANDS_ALONE),
    /** Half a clone is a volume already. */
    CLONES_IN_PLACE(Rule.CALL_SURVIVES_CRASH),
    /** Does not look at what the host answers. */
    CLONES_WITHOUT_LOOKING(Rule.HOST_FAILURE_REPORTED),
    /** Each call takes another snapshot. */
    TAKES_ANOTHER_EACH_TIME(Rule.CALLS_IDEMPOTENT),
    /** The volume is read when it is restored, not when the snapshot is taken. */
    TAKES_A_REFERENCE(Rule.SNAPSHOT_STANDS_ALONE),
    /** Notes the snapshot in the volume. */
    TAKES_A_NOTE_IN_THE_SOURCE(Rule.SNAPSHOT_STANDS_ALONE),
    /** Of what is gone an empty snapshot is taken. */
    TAKES_NOTHING(Rule.SNAPSHOT_STANDS_ALONE),
    /** Half a snapshot is one already. */
    TAKES_IN_PLACE(Rule.CALL_SURVIVES_CRASH),
    /** Does not look at what the host answers. */
    TAKES_WITHOUT_LOOKING(Rule.HOST_FAILURE_REPORTED),
    /** Every parameter is good. */
    TAKES_ANY_PARAMETER(Rule.UNKNOWN_PARAMETERS_REFUSED),
    /** From what is gone an empty volume is made. */
    RESTORES_NOTHING(Rule.SNAPSHOT_STANDS_ALONE),
    /** Half a restored volume is one already. */
    RESTORES_IN_PLACE(Rule.CALL_SURVIVES_CRASH),
    /** Knows only what was asked for last. */
    FINDS_WHAT_IS_GONE(Rule.SNAPSHOT_STANDS_ALONE),
    /** What is not there is a fault. */
    DESTROYS_ONCE(Rule.UNDOING_IDEMPOTENT),
    /** The snapshot stays, under another name. */
    DESTROYS_THE_NAME_ONLY(Rule.NOTHING_LEFT_BEHIND),
    /** All snapshots go. */
    DESTROYS_ALL(Rule.ONLY_OWN_STORAGE_DELETED),
    /** Leaves something behind by measuring. */
    MEASURES_AND_NOTES(Rule.FREE_SPACE_TRUE),
    /** Nothing is left, and yet volumes are made. */
    MEASURES_NOTHING(Rule.FREE_SPACE_TRUE),
    /** Owes space. */
    MEASURES_LESS_THAN_NOTHING(Rule.FREE_SPACE_TRUE),
    /** Makes larger volumes than it says. */
    MEASURES_TOO_LITTLE(Rule.FREE_SPACE_TRUE);

    private final Rule broken;

    VaultMistake(Rule broken) {
        this.broken = broken;
    }

    Rule broken() {
        return broken;
    }
}
