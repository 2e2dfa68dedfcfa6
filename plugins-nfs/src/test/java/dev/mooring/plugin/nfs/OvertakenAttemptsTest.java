// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.claim;
import static dev.mooring.plugin.nfs.Calls.made;
import static dev.mooring.plugin.nfs.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.ProvisionRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims that want the same place, of which one dies while it takes it. */
@Tag("long")
class OvertakenAttemptsTest extends OneShare {
    private static final ProvisionRequest BELOW = claim("one", parameters("subDir", "a/b/one"));

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a/b/one"})
    void n22_anAttemptThatWasOvertakenIsRefusedAndLeavesNothing(String taken) {
        ProvisionRequest two = claim("two", parameters("subDir", taken));
        int times = overtaken(BELOW, two, () -> {}, () -> {
            Path file = write(share.resolve("a/b/one/file"));
            assertThat(answer(provision(host, BELOW))).isEqualTo("INCOMPATIBLE");
            assertThat(names(share.resolve(".mooring/volumes"))).containsExactly("pvc-uid-two.json");
            assertThat(file).hasContent("content");
        });
        assertThat(times).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a/b/one"})
    void n23_clearingUpAfterAnAttemptThatWasOvertakenTouchesNothingInTheOthersVolume(String taken) {
        ProvisionRequest two = claim("two", parameters("subDir", taken));
        for (boolean empty : new boolean[] {true, false}) {
            int times = overtaken(BELOW, two, () -> {}, () -> {
                Path pods = empty ? directory("a/b/one") : write(share.resolve("a/b/one/file"));
                value(delete(made(BELOW, value(plugin.plan(BELOW)))));
                assertThat(pods).exists();
                assertThat(names(share.resolve(".mooring/volumes"))).containsExactly("pvc-uid-two.json");
                value(provision(host, two));
            });
            assertThat(times).isPositive();
        }
    }

    @Test
    void n23_whatIsInThePlaceOfAnAttemptThatHadNotNotedItIsNotTakenAway() {
        int changes = 1;
        while (!share.resolve(".mooring/volumes/pvc-uid-one.json").toFile().exists()) {
            assertThat(diesAfter(changes++, BELOW)).isTrue();
        }
        assertThat(names(share.resolve(".mooring/places"))).isEmpty();
        Path theirs = directory("a/b/one");
        value(delete(made(BELOW, value(plugin.plan(BELOW)))));
        assertThat(theirs).exists();
        assertThat(names(share.resolve(".mooring/volumes"))).isEmpty();
    }

    /** What was there before is not noted as a parent, so a claim may take it while something is begun below it. */
    @Test
    void n25_aParentThatTurnsOutToLieInTheOthersVolumeStaysThere() {
        ProvisionRequest two = claim("two", parameters("subDir", "a"));
        List<Runnable> ends = List.of(
                () -> assertThat(answer(provision(host, BELOW))).isEqualTo("INCOMPATIBLE"),
                () -> value(delete(made(BELOW, value(plugin.plan(BELOW))))));
        for (Runnable end : ends) {
            List<Integer> places = new ArrayList<>();
            overtaken(BELOW, two, () -> directory("a"), () -> {
                places.add(names(share.resolve(".mooring/places")).size());
                directory("a/b");
                end.run();
                assertThat(share.resolve("a/b")).exists();
                assertThat(names(share.resolve(".mooring/places"))).hasSize(1);
            });
            assertThat(places).contains(3);
        }
    }

    /**
     * Lets the first claim's attempt die after each of its changes. Where the second claim gets its place nevertheless, the first was
     * overtaken.
     *
     * @return how often it was
     */
    private int overtaken(ProvisionRequest first, ProvisionRequest second, Runnable prepare, Runnable check) {
        int times = 0;
        for (int changes = 1; ; changes++) {
            prepare.run();
            if (!diesAfter(changes, first)) {
                wipe();
                return times;
            }
            boolean begun = names(share.resolve(".mooring/volumes")).contains(first.volumeName() + ".json");
            if (provision(host, second).isDone() && begun) {
                times++;
                check.run();
                value(delete(made(second, value(plugin.plan(second)))));
                assertThat(names(share)).containsExactly(".mooring");
                assertThat(names(share.resolve(".mooring/places"))).isEmpty();
            }
            wipe();
        }
    }

    private boolean diesAfter(int changes, ProvisionRequest request) {
        try {
            value(provision(Crashing.after(changes, host), request));
            return false;
        } catch (Crashing.Death dead) {
            return true;
        }
    }
}
