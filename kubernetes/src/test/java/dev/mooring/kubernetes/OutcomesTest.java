// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the store says when the server refuses, fails, is silent or is not there. */
@Tag("long")
class OutcomesTest {
    private static final ObjectKey KEY = ObjectKey.cluster("a");

    private final FakeServer server = new FakeServer();
    private final KubernetesStore store = server.store(FakeServer.AMPLE);

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        // code, reason, what a write says, what a read says
        "400, BadRequest, INVALID, INVALID",
        "401, Unauthorized, UNAVAILABLE, UNAVAILABLE",
        "403, Forbidden, FORBIDDEN, FORBIDDEN",
        "404, NotFound, NOT_FOUND, NOT_FOUND",
        "409, Conflict, CONFLICT, CONFLICT",
        "409, AlreadyExists, ALREADY_EXISTS, ALREADY_EXISTS",
        "410, Expired, GONE, GONE",
        "413, RequestEntityTooLarge, INVALID, INVALID",
        "422, Invalid, INVALID, INVALID",
        "408, Timeout, UNKNOWN, UNAVAILABLE",
        "429, TooManyRequests, THROTTLED, THROTTLED",
        "500, InternalError, UNKNOWN, UNAVAILABLE",
        "502, '', UNKNOWN, UNAVAILABLE",
        "503, ServiceUnavailable, UNKNOWN, UNAVAILABLE",
        "504, Timeout, UNKNOWN, UNAVAILABLE",
    })
    void everyAnswerHasItsMeaning(int code, String reason, Failure write, Failure read) {
        server.answer(code, "", "{\"kind\":\"Status\",\"reason\":\"" + reason + "\",\"message\":\"it says why\"}");
        assertThat(update().failure()).contains(write);
        assertThat(store.create(Kinds.PERSISTENT_VOLUME, volume()).failure()).contains(write);
        assertThat(store.delete(Kinds.PERSISTENT_VOLUME, KEY, DeleteOptions.DEFAULT)
                        .failure())
                .contains(write);
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).contains(read);
        assertThat(store.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL).failure())
                .contains(read);
        assertThat(message(update())).contains("it says why");
        int times = code == 401
                ? 2
                : 1; // once more with credentials that are read again: a client that was not let in has done nothing
        assertThat(server.requests()).as("requests").isEqualTo(6 * times);
    }

    @Test
    void theServerSaysWhenToComeAgain() {
        server.answer(429, "Retry-After: 7\r\n", "slow down");
        assertThat(wait(update())).contains(Duration.ofSeconds(7));
        assertThat(message(update())).contains("slow down");
        server.answer(429, "", "{\"kind\":\"Status\",\"details\":{\"retryAfterSeconds\":3}}");
        assertThat(wait(update())).contains(Duration.ofSeconds(3));
        server.answer(500, "Retry-After: 7\r\n", "");
        assertThat(wait(update())).as("it is unknown whether it was applied").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // header, retryAfterSeconds, seconds waited
        "60, 5, 60",
        "61, 5, 60",
        "999999, 5, 60",
        "1000000, 5, 60",
        "99999999999999999999999, 5, 60",
        "0, 5, 0",
        "-1, 5, 5",
        "'Wed, 21 Oct 2065 07:28:00 GMT', 5, 5",
        "'', 950400, 60",
        "'', 9223372036854775807, 60",
        "'', -9223372036854775808, 0",
    })
    void aServerIsLeftAloneForAMinuteAtMost(String header, long body, long waited) {
        server.answer(
                503,
                header.isEmpty() ? "" : "Retry-After: " + header + "\r\n",
                "{\"kind\":\"Status\",\"details\":{\"retryAfterSeconds\":" + body + "}}");
        assertThat(wait(store.get(Kinds.PERSISTENT_VOLUME, KEY))).contains(Duration.ofSeconds(waited));
        assertThat(wait(store.list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL))).contains(Duration.ofSeconds(waited));
        server.answer(429, "", "{\"kind\":\"Status\",\"details\":{\"retryAfterSeconds\":" + body + "}}");
        assertThat(wait(update()).orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aPageOfAnotherServerIsNoAnswerOfTheServer() {
        server.answer(200, "", "<html>log in first</html>");
        assertThat(update().failure()).contains(Failure.UNKNOWN);
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).contains(Failure.UNAVAILABLE);
    }

    @Test
    void whereNoServerListensNothingWasApplied() {
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).isEmpty();
        server.close();
        assertThat(update().failure()).contains(Failure.UNAVAILABLE);
        assertThat(message(update())).startsWith("PATCH http").contains("//127.0.0.1:", "/persistentvolumes/a: ");
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).contains(Failure.UNAVAILABLE);
    }

    @Test
    void aConnectionThatIsCutAfterTheRequestLeavesTheEffectOpen() {
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).isEmpty();
        server.behave(FakeServer.Behaviour.CUT_AFTER_REQUEST);
        assertThat(update().failure()).contains(Failure.UNKNOWN);
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).contains(Failure.UNAVAILABLE);
    }

    @Test
    void anAnswerThatIsCutLeavesTheEffectOpen() {
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).isEmpty();
        server.behave(FakeServer.Behaviour.CUT_IN_ANSWER);
        assertThat(update().failure()).contains(Failure.UNKNOWN);
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).contains(Failure.UNAVAILABLE);
    }

    @Test
    void aServerThatIsSilentLeavesTheEffectOpen() {
        try (KubernetesStore impatient = server.store(Duration.ofSeconds(2))) {
            while (impatient.get(Kinds.PERSISTENT_VOLUME, KEY).failure().isPresent()) {
                Thread.onSpinWait(); // on a loaded machine two seconds may be too few for a connection
            }
            server.behave(FakeServer.Behaviour.HANG);
            assertThat(impatient.update(Kinds.PERSISTENT_VOLUME, change()).failure())
                    .contains(Failure.UNKNOWN);
            assertThat(impatient.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).contains(Failure.UNAVAILABLE);
        }
    }

    @Test
    void aWriteIsSentOnceWhateverBecomesOfIt() {
        assertThat(store.get(Kinds.PERSISTENT_VOLUME, KEY).failure()).isEmpty();
        server.behave(FakeServer.Behaviour.CUT_AFTER_REQUEST);
        int before = server.requests();
        update();
        assertThat(server.requests()).isEqualTo(before + 1);
    }

    @Test
    void aClosedStoreSendsNothing() {
        store.close();
        int before = server.requests();
        assertThat(update().failure()).contains(Failure.UNAVAILABLE);
        assertThat(server.requests()).isEqualTo(before);
    }

    @Test
    void aKindThatTheServerLacksIsEmpty() {
        assertThat(store.list(Kinds.VOLUME_ATTRIBUTES_CLASS, ListOptions.ALL)
                        .orThrow()
                        .items())
                .isEmpty();
        assertThat(store.get(Kinds.VOLUME_ATTRIBUTES_CLASS, KEY).failure()).contains(Failure.NOT_FOUND);
    }

    private StoreResult<PersistentVolume> update() {
        return store.update(Kinds.PERSISTENT_VOLUME, change());
    }

    private static Change<PersistentVolume> change() {
        PersistentVolume base = volume();
        base = base.withMetadata(base.metadata().withResourceVersion("1").withUid("u"));
        PersistentVolume edited = base.withMetadata(base.metadata().withAnnotation("example.com/a", "b"));
        return new Change<>(base, edited);
    }

    private static PersistentVolume volume() {
        return PersistentVolume.of("a", PersistentVolumeSpec.EMPTY);
    }

    private static String message(StoreResult<?> result) {
        return result.match(ok -> "", Failed::message);
    }

    private static Optional<Duration> wait(StoreResult<?> result) {
        return result.match(ok -> Optional.empty(), Failed::retryAfter);
    }
}
