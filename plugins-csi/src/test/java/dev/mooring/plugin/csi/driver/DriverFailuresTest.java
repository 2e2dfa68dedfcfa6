// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiStatus;
import dev.mooring.csi.CsiStatus.Origin;
import dev.mooring.storage.spi.Outcome;
import io.grpc.Status;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each code of a driver means for each call (semantics/csi §14). */
class DriverFailuresTest {
    private static String outcome(CallKind kind, Status.Code code, Origin origin) {
        Outcome<String> outcome = DriverFailures.failure(kind, new CsiStatus(code, "words", origin), "words");
        return outcome.match(
                done -> "DONE",
                refused -> refused.refusal().name(),
                uncertain -> "UNCERTAIN",
                deferred -> "DEFERRED",
                elsewhere -> "ELSEWHERE");
    }

    // in the order of CallKind; one word serves all kinds
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    # code              | LOOK     CREATE    DELETE    ATTACH    DETACH    EXPAND    ON_NODE   MODIFY    SHOW      HIDE
                    CANCELLED           | DEFERRED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    UNKNOWN             | DEFERRED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    DEADLINE_EXCEEDED   | DEFERRED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    ABORTED             | DEFERRED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    INTERNAL            | DEFERRED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    UNAVAILABLE         | DEFERRED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    DATA_LOSS           | DEFERRED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    RESOURCE_EXHAUSTED  | DEFERRED EXHAUSTED UNCERTAIN EXHAUSTED UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN UNCERTAIN
                    FAILED_PRECONDITION | DEFERRED INCOMPATIBLE IN_USE ELSEWHERE IN_USE    IN_USE    IN_USE INCOMPATIBLE INCOMPATIBLE IN_USE
                    OUT_OF_RANGE        | INVALID  INVALID   INVALID   INVALID   INVALID   EXHAUSTED INVALID   INVALID   INVALID   INVALID
                    INVALID_ARGUMENT    | INVALID
                    NOT_FOUND           | NOT_FOUND
                    ALREADY_EXISTS      | INCOMPATIBLE
                    PERMISSION_DENIED   | DENIED
                    UNAUTHENTICATED     | DENIED
                    UNIMPLEMENTED       | UNSUPPORTED
                    """)
    void aCodeOfTheDriverMeansForEachCall(Status.Code code, String meanings) {
        List<String> words = List.of(meanings.trim().split(" +"));
        List<CallKind> kinds = List.of(CallKind.values());
        for (int i = 0; i < kinds.size(); i++) {
            assertThat(outcome(kinds.get(i), code, Origin.DRIVER))
                    .as("%s of %s", code, kinds.get(i))
                    .isEqualTo(words.get(words.size() == 1 ? 0 : i));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void withoutAnAnswerWhatChangesIsUncertainWhateverTheCode(Status.Code code) {
        Arrays.stream(CallKind.values())
                .forEach(kind -> assertThat(outcome(kind, code, Origin.UNANSWERED))
                        .as("%s of %s", code, kind)
                        .isEqualTo(kind == CallKind.LOOK ? "DEFERRED" : "UNCERTAIN"));
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void whatWasNeverSentIsDeferredUnlessTheRequestIsWrong(Status.Code code) {
        Arrays.stream(CallKind.values())
                .forEach(kind -> assertThat(outcome(kind, code, Origin.NOT_SENT))
                        .as("%s of %s", code, kind)
                        .isEqualTo(code == Status.Code.INVALID_ARGUMENT ? "INVALID" : "DEFERRED"));
    }

    @Test
    void theMessageIsThatOfKubernetesComponents() {
        Outcome<String> outcome = DriverFailures.failure(
                CallKind.CREATE, new CsiStatus(Status.Code.RESOURCE_EXHAUSTED, "no room", Origin.DRIVER), "no room");

        assertThat(outcome.message()).isEqualTo("rpc error: code = ResourceExhausted desc = no room");
    }
}
