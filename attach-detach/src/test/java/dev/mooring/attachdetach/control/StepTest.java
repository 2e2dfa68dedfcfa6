// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.control.Facts.NodeIs;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The state machine of an attachment as a table (semantics/attach-and-mount §7.2, §1.10, §1.11). */
class StepTest {
    /**
     * Words that change one fact; everything else is: in-process, slot free, the Node there, the phase
     * certain, nothing listed, in use or proven.
     */
    private static Facts facts(String phase, String words, String evidence) {
        Set<String> given = Arrays.stream(words.split(" ")).collect(Collectors.toSet());
        NodeIs node = given.contains("gone") ? NodeIs.GONE : given.contains("another") ? NodeIs.ANOTHER : NodeIs.THERE;
        return new Facts(
                Phase.valueOf(phase),
                !given.contains("heard"),
                given.contains("wanted"),
                !given.contains("external"),
                given.contains("deleting"),
                given.contains("requested"),
                !given.contains("taken"),
                given.contains("yields"),
                node,
                given.contains("listed"),
                given.contains("used"),
                given.contains("proven"),
                ForceDetachEvidence.parse(evidence),
                given.contains("answered"),
                given.contains("undone"));
    }

    @ParameterizedTest(name = "{0} {1} → {2}")
    @CsvSource({
        "ABSENT,'',NOTHING",
        "ABSENT,wanted,CREATE",
        "ABSENT,wanted taken,AWAIT_SLOT",
        "ABSENT,wanted gone,NOTHING",
        "ABSENT,taken,NOTHING",
        "ATTACHING,wanted,ATTACH",
        "ATTACHING,wanted heard,CONFIRM",
        "ATTACHING,wanted answered,SHOW_ATTACHED",
        "ATTACHING,wanted taken,AWAIT_SLOT",
        "ATTACHING,wanted external,AWAIT_ATTACHER",
        "ATTACHING,wanted requested,WITHDRAW",
        "ATTACHED,wanted,KEEP",
        "ATTACHED,wanted used listed,KEEP",
        "ATTACHED,wanted taken,KEEP",
        "ATTACHED,wanted requested,WITHDRAW",
        "ATTACHED,wanted external,KEEP",
    })
    void aWantedVolumeIsAttached(String phase, String words, Step step) {
        assertThat(Step.of(facts(phase, words, ""))).isEqualTo(step);
    }

    @ParameterizedTest(name = "{0} {1} → {2}")
    @CsvSource({
        "ATTACHED,'',REQUEST_DETACH",
        "ATTACHED,listed used,REQUEST_DETACH",
        "ATTACHED,requested listed,AWAIT_DELISTED",
        "ATTACHED,requested listed used,AWAIT_DELISTED",
        "ATTACHED,requested listed proven,AWAIT_DELISTED",
        "ATTACHED,requested used,AWAIT_UNUSED",
        "ATTACHED,requested used proven,AWAIT_UNUSED",
        "ATTACHED,requested,PROVE",
        "ATTACHED,requested proven,BEGIN_DETACH",
        "ATTACHED,requested proven external,BEGIN_DETACH",
        "ATTACHED,wanted deleting,KEEP",
        "ATTACHED,deleting,REQUEST_DETACH",
        "ATTACHED,wanted deleting requested used,WITHDRAW",
        "ATTACHED,deleting requested used,AWAIT_UNUSED",
        "ATTACHING,'',REQUEST_DETACH",
        "ATTACHING,requested used,AWAIT_UNUSED",
        "ATTACHING,requested,PROVE",
        "ATTACHING,requested proven,BEGIN_DETACH",
        "ATTACHING,wanted yields taken,REQUEST_DETACH",
        "ATTACHING,wanted yields taken requested,PROVE",
        "DETACHING,'',DETACH",
        "DETACHING,heard,CONFIRM",
        "DETACHING,wanted,DETACH",
        "DETACHING,wanted used,DETACH",
        "DETACHING,undone,FORGET",
        "DETACHING,undone wanted,FORGET",
        "DETACHING,external deleting,AWAIT_DETACHER",
        "DETACHING,external deleting wanted,AWAIT_DETACHER",
    })
    void aVolumeIsTakenAwayByTheHandshake(String phase, String words, Step step) {
        assertThat(Step.of(facts(phase, words, ""))).isEqualTo(step);
    }

    @ParameterizedTest(name = "{0} {1} with {2} → {3}")
    @CsvSource({
        "ATTACHED,requested used,out-of-service,PROVE",
        "ATTACHED,requested used proven,out-of-service,BEGIN_DETACH",
        "ATTACHED,requested used,fenced,BEGIN_DETACH",
        "ATTACHED,requested used,operator,BEGIN_DETACH",
        "ATTACHED,requested used,timeout,PROVE",
        "ATTACHED,requested used proven,timeout,BEGIN_DETACH",
        "ATTACHED,requested used listed,out-of-service,AWAIT_DELISTED",
        "ATTACHED,requested used listed,timeout,AWAIT_DELISTED",
        "ATTACHED,used listed,out-of-service,REQUEST_DETACH",
        "ATTACHED,wanted,out-of-service,KEEP",
        "ATTACHED,wanted,timeout,KEEP",
        "ATTACHED,requested gone,'',STAY",
        "ATTACHED,requested gone,node-gone,PROVE",
        "ATTACHED,requested gone proven,node-gone,BEGIN_DETACH",
        "ATTACHED,wanted gone,node-gone,STAY",
        "ATTACHED,wanted gone,'',STAY",
        "ATTACHED,requested another,'',STAY",
        "ATTACHED,requested another,node-gone,PROVE",
        "ATTACHED,requested another used,node-gone,AWAIT_UNUSED",
        "ATTACHED,requested another listed,node-gone,AWAIT_DELISTED",
        "ATTACHED,wanted another,'',STAY",
        "ATTACHED,wanted another,node-gone,PROVE",
        "ATTACHED,wanted another proven,node-gone,MOVE_TO_NEW_NODE",
        "ATTACHING,wanted another,node-gone,PROVE",
        "ATTACHING,wanted another proven,node-gone,MOVE_TO_NEW_NODE",
        "ATTACHED,requested gone,operator,BEGIN_DETACH",
    })
    void forceNeedsEvidence(String phase, String words, String evidence, Step step) {
        assertThat(Step.of(facts(phase, words, evidence))).isEqualTo(step);
    }

    /** S3 over every combination of facts: what is begun to be detached was seen unlisted and unused, or there is evidence. */
    @Test
    void nothingIsDetachedWithoutProofOrEvidence() {
        String[] words = {"wanted", "external", "deleting", "requested", "taken", "yields", "listed", "used", "proven"};
        String[] nodes = {"", "gone", "another"};
        int begun = 0;
        for (Phase phase : EnumSet.of(Phase.ATTACHING, Phase.ATTACHED)) {
            for (ForceDetachEvidence evidence : ForceDetachEvidence.values()) {
                for (String node : nodes) {
                    for (int bits = 0; bits < 1 << words.length; bits++) {
                        StringBuilder given = new StringBuilder(node);
                        for (int i = 0; i < words.length; i++) {
                            given.append((bits & 1 << i) != 0 ? " " + words[i] : "");
                        }
                        Facts facts = facts(phase.name(), given.toString().strip(), evidence.word());
                        boolean outOfOurHands = !facts.inProcess() && facts.deleting();
                        if (Step.of(facts) == Step.BEGIN_DETACH && !outOfOurHands) {
                            begun++;
                            assertThat(facts.detachRequested() && !facts.listed())
                                    .as("%s", facts)
                                    .isTrue();
                            boolean shown = facts.proven() && !facts.inUse();
                            boolean force =
                                    evidence != ForceDetachEvidence.NONE && evidence != ForceDetachEvidence.NODE_GONE;
                            assertThat(shown || force).as("%s", facts).isTrue();
                        }
                    }
                }
            }
        }
        assertThat(begun).isPositive();
    }
}
