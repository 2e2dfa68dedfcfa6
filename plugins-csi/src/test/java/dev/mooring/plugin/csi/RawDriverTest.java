// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeResponse;
import dev.mooring.csi.v1.Volume;
import dev.mooring.plugin.csi.RawDriver.Script;
import dev.mooring.plugin.csi.RawDriver.Wire;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Drivers that break the rules of HTTP/2, gRPC or protocol buffers: each call ends by its deadline with words, and the next one is a new start. */
@Tag("long")
class RawDriverTest {
    private static final String SECRET = "hunter2-of-the-array";
    private static final Duration LIMIT = Duration.ofSeconds(5);
    /** For what ends before its deadline, however slow the machine is. */
    private static final Duration AMPLE = Duration.ofMinutes(2);

    private static final byte[] GOOD = CreateVolumeResponse.newBuilder()
            .setVolume(Volume.newBuilder().setVolumeId("v1"))
            .build()
            .toByteArray();

    /** What the driver does, whether that is an answer, and a part of what people are told. */
    private enum Row {
        CLOSES_AT_ONCE("", (wire, stream) -> wire.channel().close()),
        NEVER_ANSWERS("DEADLINE_EXCEEDED|deadline", (wire, stream) -> {}),
        SPEAKS_HTTP_1("", (wire, stream) -> wire.text("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")),
        WRITES_NOISE("", (wire, stream) -> {
            byte[] noise = new byte[4096];
            new Random(1).nextBytes(noise);
            wire.bytes(noise);
        }),
        GOES_AWAY("", (wire, stream) -> {
            wire.frame(RawDriver.GOAWAY, 0, 0, new byte[] {0, 0, 0, 0, 0, 0, 0, 2});
            wire.channel().close();
        }),
        RESETS_THE_STREAM("", (wire, stream) -> wire.frame(RawDriver.RESET, 0, stream, new byte[] {0, 0, 0, 2})),
        REFUSES_THE_STREAM("", (wire, stream) -> wire.frame(RawDriver.RESET, 0, stream, new byte[] {0, 0, 0, 7})),
        CLAIMS_A_FRAME_OF_16_MB("", (wire, stream) -> wire.head(0xFFFFFF, RawDriver.DATA, 0, stream)),
        ANSWERS_ON_ANOTHER_STREAM("", (wire, stream) -> wire.begin(stream + 2)),
        HEADERS_WITHOUT_END("", RawDriverTest::headersWithoutEnd),
        HEADERS_THAT_ARE_NONE(
                "",
                (wire, stream) -> wire.frame(RawDriver.HEADERS, RawDriver.END_HEADERS, stream, new byte[] {
                    (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF
                })),
        HALF_A_HEADER_AND_NO_MORE(
                "DEADLINE_EXCEEDED|deadline",
                (wire, stream) -> wire.frame(RawDriver.HEADERS, 0, stream, new byte[] {(byte) 0x88})),
        A_MESSAGE_OF_2_GB("", (wire, stream) -> {
            wire.begin(stream);
            wire.frame(RawDriver.DATA, 0, stream, RawDriver.framed(0, Integer.MAX_VALUE, new byte[10]));
        }),
        A_MESSAGE_OF_NEGATIVE_LENGTH("", (wire, stream) -> {
            wire.begin(stream);
            wire.frame(RawDriver.DATA, 0, stream, RawDriver.framed(0, -1, new byte[10]));
        }),
        COMPRESSED_BY_NOTHING("", (wire, stream) -> {
            wire.begin(stream);
            wire.frame(RawDriver.DATA, 0, stream, RawDriver.framed(1, GOOD.length, GOOD));
            wire.end(stream, "grpc-status", "0");
        }),
        HALF_A_MESSAGE("", (wire, stream) -> {
            wire.begin(stream);
            wire.frame(RawDriver.DATA, 0, stream, RawDriver.framed(0, GOOD.length + 7, GOOD));
            wire.end(stream, "grpc-status", "0");
        }),
        HALF_A_MESSAGE_AND_NO_MORE("DEADLINE_EXCEEDED|deadline", (wire, stream) -> {
            wire.begin(stream);
            wire.frame(RawDriver.DATA, 0, stream, RawDriver.framed(0, GOOD.length + 7, GOOD));
        }),
        A_WHOLE_MESSAGE_AND_NO_END("DEADLINE_EXCEEDED|deadline", (wire, stream) -> {
            wire.begin(stream);
            wire.message(stream, GOOD);
        }),
        TWO_MESSAGES("twice", (wire, stream) -> {
            wire.begin(stream);
            wire.message(stream, GOOD);
            wire.message(stream, GOOD);
            wire.end(stream, "grpc-status", "0");
        }),
        OK_WITHOUT_A_MESSAGE("without a message", (wire, stream) -> {
            wire.begin(stream);
            wire.end(stream, "grpc-status", "0");
        }),
        NO_STATUS("", (wire, stream) -> {
            wire.begin(stream);
            wire.message(stream, GOOD);
            wire.end(stream, "x", "y");
        }),
        A_STATUS_THAT_IS_NO_NUMBER("", (wire, stream) -> {
            wire.begin(stream);
            wire.end(stream, "grpc-status", "fine");
        }),
        A_STATUS_THAT_DOES_NOT_EXIST("", (wire, stream) -> {
            wire.begin(stream);
            wire.end(stream, "grpc-status", "99", "grpc-message", "so");
        }),
        HTTP_STATUS_503(
                "",
                (wire, stream) -> wire.frame(
                        RawDriver.HEADERS,
                        RawDriver.END_HEADERS | RawDriver.END_STREAM,
                        stream,
                        RawDriver.status("503"))),
        ANOTHER_CONTENT_TYPE("", (wire, stream) -> {
            wire.frame(
                    RawDriver.HEADERS, RawDriver.END_HEADERS, stream, RawDriver.headers("content-type", "text/html"));
            wire.frame(
                    RawDriver.DATA,
                    RawDriver.END_STREAM,
                    stream,
                    "<html>no driver here</html>".getBytes(StandardCharsets.US_ASCII));
        }),
        NO_PROTOCOL_BUFFER("", (wire, stream) -> answer(wire, stream, new byte[] {(byte) 0xFF, 0x01, 0x02})),
        A_FIELD_OF_ANOTHER_TYPE("", (wire, stream) -> answer(wire, stream, new byte[] {0x0A, 0x02, 0x12, 0x05})),
        AN_ID_THAT_IS_NO_TEXT(
                "", (wire, stream) -> answer(wire, stream, new byte[] {0x0A, 0x04, 0x12, 0x02, (byte) 0xC3, 0x28})),
        THE_SECRET_IN_ITS_WORDS("the array refused", (wire, stream) -> {
            wire.begin(stream);
            wire.end(stream, "grpc-status", "13", "grpc-message", "the array refused " + SECRET);
        });

        private final String told;

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
        private final Script script;

        Row(String told, Script script) {
            this.told = told;
            this.script = script;
        }

        /** Whether the call has words of its own, not those of a deadline. */
        private boolean isAnswer() {
            return !told.isEmpty() && !told.startsWith("DEADLINE");
        }
    }

    private static void answer(Wire wire, int stream, byte[] message) throws IOException {
        wire.begin(stream);
        wire.message(stream, message);
        wire.end(stream, "grpc-status", "0");
    }

    private static void headersWithoutEnd(Wire wire, int stream) throws IOException {
        wire.frame(RawDriver.HEADERS, 0, stream, RawDriver.headers("content-type", "application/grpc"));
        byte[] more = RawDriver.headers("x-more", "y".repeat(120));
        for (int i = 0; i < 1_000_000; i++) {
            wire.frame(RawDriver.CONTINUATION, 0, stream, Arrays.copyOfRange(more, 1, more.length));
        }
    }

    @TempDir
    private Path temp;

    private final CsiTransport transport = CsiTransport.start(1);
    private RawDriver raw;
    private Driver driver;

    private record Asking(Instant deadline) implements UnwatchedContext {
        @Override
        public NodeRef here() {
            return new NodeRef("n1", "uid");
        }

        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public HostServices host() {
            return HostServices.none();
        }

        @Override
        public String idempotencyKey() {
            return "test";
        }
    }

    @BeforeEach
    void start() throws Exception {
        raw = new RawDriver(temp.resolve("csi.sock"));
        driver = new Driver(
                "raw.csi.example.com",
                transport.connect(new CsiEndpoint(temp.resolve("csi.sock"))),
                DriverCallMetrics.ofControllers());
    }

    @AfterEach
    void close() throws Exception {
        driver.close();
        transport.close();
        raw.close();
    }

    private Outcome<CreateVolumeResponse> call() {
        return call(LIMIT);
    }

    private Outcome<CreateVolumeResponse> call(Duration limit) {
        SecretTexts secrets = SecretTexts.of(Map.of("password", SECRET));
        return driver.call(
                new Asking(Instant.now().plus(limit)),
                CallKind.CREATE,
                ControllerGrpc.getCreateVolumeMethod(),
                CreateVolumeRequest.newBuilder()
                        .setName("pvc-1")
                        .putAllSecrets(secrets.reveal())
                        .build(),
                secrets::hide);
    }

    /** Where the request went out and no status of the driver came back, it may have made the volume. */
    @ParameterizedTest
    @EnumSource(Row.class)
    void aCallEndsWithWordsAndTheNextOneIsANewStart(Row row) {
        raw.follow(row.script);
        Outcome<CreateVolumeResponse> outcome = call(row.isAnswer() ? AMPLE : LIMIT);
        assertThat(outcome.isDone()).isFalse();
        assertThat(outcome.message()).isNotBlank().doesNotContain(SECRET).doesNotContainPattern("\\p{Cntrl}");
        if (!row.told.isEmpty()) {
            assertThat(outcome.message()).containsPattern(row.told);
        }

        raw.follow((wire, stream) -> answer(wire, stream, GOOD));
        Outcome<CreateVolumeResponse> next = call();
        for (int i = 0; !next.isDone() && i < 20; i++) {
            next = call(); // the connection that was spoiled has to go first
        }
        assertThat(next.map(answer -> answer.getVolume().getVolumeId()).result())
                .contains("v1");

        driver.close();
        long end = System.nanoTime() + 60_000_000_000L;
        while (raw.connections() > 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(raw.connections()).as("connections that are left").isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Row.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REFUSES_THE_STREAM"})
    void noneOfThemProvesThatNothingWasMade(Row row) {
        raw.follow(row.script);
        assertThat(call().isWithoutEffect()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Greeting.class)
    void aDriverThatBeginsWithWhatItMayNotIsToldAndLeft(Greeting greeting) {
        raw.follow(new Script() {
            @Override
            public void answer(Wire wire, int stream) {}

            @Override
            public void greet(Wire wire) throws IOException {
                greeting.bytes.greet(wire);
            }
        });
        Outcome<CreateVolumeResponse> outcome = call();
        assertThat(outcome.isDone()).isFalse();
        assertThat(outcome.message()).isNotBlank().doesNotContain(SECRET);
    }

    /** What is written before anything was asked. */
    private enum Greeting {
        NOTHING(wire -> {}),
        NOISE(wire -> wire.text("SSH-2.0-OpenSSH_9.2\r\n")),
        AN_ENDLESS_FRAME(wire -> wire.head(0xFFFFFF, RawDriver.SETTINGS, 0, 0)),
        WRONG_SETTINGS(wire -> wire.frame(RawDriver.SETTINGS, 0, 0, new byte[5])),
        MANY_PINGS(wire -> {
            wire.frame(RawDriver.SETTINGS, 0, 0, new byte[0]);
            for (int i = 0; i < 100_000; i++) {
                wire.frame(RawDriver.PING, 0, 0, new byte[8]);
            }
        });

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
        private final Bytes bytes;

        Greeting(Bytes bytes) {
            this.bytes = bytes;
        }

        @FunctionalInterface
        private interface Bytes {
            void greet(Wire wire) throws IOException;
        }
    }
}
