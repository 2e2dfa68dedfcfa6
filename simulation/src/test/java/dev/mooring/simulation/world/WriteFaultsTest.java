// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class WriteFaultsTest {
    private final WriteFaults faults = new WriteFaults();

    @Test
    void strikesTheNthMatchingWriteOnce() {
        declare("", WriteFault.Outcome.CONFLICT, 2);
        assertThat(update("")).isEmpty();
        assertThat(update("")).contains(WriteFault.Outcome.CONFLICT);
        assertThat(update("")).isEmpty();
    }

    @Test
    void withoutSubresourceItConcernsTheObjectItselfOnly() {
        declare("", WriteFault.Outcome.CONFLICT, 1);
        assertThat(update("status")).isEmpty();
        assertThat(faults.next(WriteFault.Verb.UPDATE, "Pod", "")).isEmpty();
        assertThat(faults.next(WriteFault.Verb.DELETE, "PersistentVolume", "")).isEmpty();
        assertThat(update("")).contains(WriteFault.Outcome.CONFLICT);
    }

    @Test
    void eachFaultCountsFromItsOwnDeclaration() {
        declare("", WriteFault.Outcome.CONFLICT, 2);
        update("");
        declare("", WriteFault.Outcome.CRASH_AFTER, 2);
        assertThat(update("")).contains(WriteFault.Outcome.CONFLICT);
        assertThat(update("")).contains(WriteFault.Outcome.CRASH_AFTER);
    }

    @Test
    void ofTwoWhoseTurnHasComeTheLaterStrikesNext() {
        declare("", WriteFault.Outcome.CONFLICT, 1);
        declare("", WriteFault.Outcome.UNAVAILABLE, 1);
        assertThat(update("")).contains(WriteFault.Outcome.CONFLICT);
        assertThat(update("")).contains(WriteFault.Outcome.UNAVAILABLE);
        assertThat(update("")).isEmpty();
    }

    private void declare(String subresource, WriteFault.Outcome outcome, long nth) {
        faults.declare(new WriteFault(WriteFault.Verb.UPDATE, "PersistentVolume", subresource, outcome, nth));
    }

    private Optional<WriteFault.Outcome> update(String subresource) {
        return faults.next(WriteFault.Verb.UPDATE, "PersistentVolume", subresource);
    }
}
