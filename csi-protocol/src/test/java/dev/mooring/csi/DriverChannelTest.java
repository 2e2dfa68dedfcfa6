// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import static dev.mooring.csi.Sockets.AMPLE;
import static dev.mooring.csi.Sockets.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.mooring.csi.CsiStatus.Origin;
import dev.mooring.csi.registration.InfoRequest;
import dev.mooring.csi.registration.PluginInfo;
import dev.mooring.csi.registration.RegistrationGrpc;
import dev.mooring.csi.registration.RegistrationStatus;
import dev.mooring.csi.registration.RegistrationStatusResponse;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.GetPluginInfoResponse;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.ProbeResponse;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DriverChannelTest {
    private static final MethodDescriptor<GetPluginInfoRequest, GetPluginInfoResponse> INFO =
            IdentityGrpc.getGetPluginInfoMethod();
    private static final GetPluginInfoRequest ASK = GetPluginInfoRequest.getDefaultInstance();
    private static final MethodDescriptor<ProbeRequest, ProbeResponse> PROBE = IdentityGrpc.getProbeMethod();

    @TempDir
    Path directory;

    private final Sockets sockets = new Sockets();
    private CsiEndpoint endpoint;
    private DriverChannel channel;

    /** Answers what it was given; a probe waits until the caller has gone. */
    private static final class Driver extends IdentityGrpc.IdentityImplBase {
        final AtomicInteger asked = new AtomicInteger();
        final CountDownLatch probed = new CountDownLatch(1);
        final CountDownLatch cancelled = new CountDownLatch(1);
        final AtomicReference<GetPluginInfoRequest> seen = new AtomicReference<>();
        private final GetPluginInfoResponse info;
        private final Status status;

        Driver(String name, Status status) {
            this.info = GetPluginInfoResponse.newBuilder().setName(name).build();
            this.status = status;
        }

        @Override
        public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
            asked.incrementAndGet();
            seen.set(request);
            if (status.isOk()) {
                answer(observer, info);
            } else {
                observer.onError(status.asRuntimeException());
            }
        }

        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
            Context.current().addListener(gone -> cancelled.countDown(), Runnable::run);
            probed.countDown();
        }
    }

    @BeforeEach
    void endpoint() {
        endpoint = new CsiEndpoint(directory.resolve("csi.sock"));
        channel = sockets.connect(endpoint);
    }

    @AfterEach
    void end() {
        channel.close();
        sockets.close();
    }

    @Test
    void callsADriverOverItsSocket() throws Exception {
        Driver driver = new Driver("hostpath.example.com", Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            assertThat(channel.connected()).isFalse();
            assertThat(channel.call(INFO, ASK, AMPLE).getName()).isEqualTo("hostpath.example.com");
            assertThat(channel.connected()).isTrue();
            assertThat(server.endpoint()).isEqualTo(channel.endpoint());
        }
    }

    @Test
    void callsBothWaysAtOnce() throws Exception {
        RegistrationGrpc.RegistrationImplBase registration = new RegistrationGrpc.RegistrationImplBase() {
            @Override
            public void getInfo(InfoRequest request, StreamObserver<PluginInfo> observer) {
                answer(
                        observer,
                        PluginInfo.newBuilder()
                                .setType("CSIPlugin")
                                .addSupportedVersions("1.0.0")
                                .build());
            }

            @Override
            public void notifyRegistrationStatus(
                    RegistrationStatus request, StreamObserver<RegistrationStatusResponse> observer) {
                answer(observer, RegistrationStatusResponse.getDefaultInstance());
            }
        };
        CsiEndpoint other = new CsiEndpoint(directory.resolve("reg.sock"));
        try (DriverServer driver = sockets.serve(endpoint, new Driver("a", Status.OK));
                DriverServer registrar = sockets.serve(other, registration);
                DriverChannel back = sockets.connect(registrar.endpoint())) {
            var info = back.start(RegistrationGrpc.getGetInfoMethod(), InfoRequest.getDefaultInstance(), AMPLE);
            assertThat(channel.call(INFO, ASK, AMPLE).getName()).isEqualTo("a");
            assertThat(info.await().getType()).isEqualTo("CSIPlugin");
            assertThat(info.await().getSupportedVersionsList()).containsExactly("1.0.0");
            var status =
                    RegistrationStatus.newBuilder().setPluginRegistered(true).build();
            assertThat(back.call(RegistrationGrpc.getNotifyRegistrationStatusMethod(), status, AMPLE))
                    .isEqualTo(RegistrationStatusResponse.getDefaultInstance());
            assertThat(driver.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void keepsUnknownFields() throws Exception {
        UnknownFieldSet newer = UnknownFieldSet.newBuilder()
                .addField(77, UnknownFieldSet.Field.newBuilder().addVarint(5).build())
                .build();
        Driver driver = new Driver("a", Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            var request =
                    GetPluginInfoRequest.newBuilder().setUnknownFields(newer).build();
            channel.call(INFO, request, AMPLE);
            assertThat(driver.seen.get().getUnknownFields()).isEqualTo(newer);
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Status.Code.class, names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void tellsEachCodeAndTheWordsOfTheDriver(Status.Code code) throws Exception {
        Driver driver = new Driver("a", code.toStatus().withDescription("100 % nicht bereit: ü"));
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            assertThat(failure(INFO, ASK, AMPLE))
                    .isEqualTo(new CsiStatus(code, "100 % nicht bereit: ü", Origin.DRIVER));
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void makesTheWordsOfTheDriverOneBoundedLine() throws Exception {
        Driver driver = new Driver("a", Status.INTERNAL.withDescription("no\nline " + "x".repeat(5000)));
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            assertThat(failure(INFO, ASK, AMPLE).message())
                    .startsWith("no line xxx")
                    .hasSize(CsiStatus.MAX_MESSAGE)
                    .endsWith("...");
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void aServiceThatIsNotServedIsUnimplemented() throws Exception {
        try (DriverServer server = sockets.serve(endpoint, new Driver("a", Status.OK))) {
            CsiStatus status = failure(NodeGrpc.getNodeGetInfoMethod(), NodeGetInfoRequest.getDefaultInstance(), AMPLE);
            assertThat(status.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
            assertThat(status.origin()).isEqualTo(Origin.DRIVER);
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void aCallThatFoundNoDriverWasNeverBegun() {
        CsiStatus status = failure(INFO, ASK, AMPLE);
        assertThat(status.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status.neverBegun()).isTrue();
        assertThat(status.message()).contains(endpoint.toString());
    }

    @Test
    void aRequestThatIsTooLargeIsNotSent() throws Exception {
        Driver driver = new Driver("a", Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            CsiStatus status = failure(INFO, large(), AMPLE);
            assertThat(status.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(status.neverBegun()).isTrue();
            assertThat(status.message()).contains("GetPluginInfo", "limit is 4194304");
            assertThat(driver.asked).hasValue(0);
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    /** The same code as a driver without space answers, but not from it. */
    @Test
    void anAnswerThatIsTooLargeIsRefused() throws Exception {
        Driver driver = new Driver("n".repeat(CsiTransport.MAX_MESSAGE_BYTES + 1), Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            CsiStatus status = failure(INFO, ASK, AMPLE);
            assertThat(status.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.origin()).isEqualTo(Origin.UNANSWERED);
            assertThat(driver.asked).hasValue(1);
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void aServerRefusesARequestThatIsTooLarge() throws Exception {
        Driver driver = new Driver("a", Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver);
                RawCaller caller = new RawCaller(endpoint)) {
            assertThat(caller.statusOf(INFO, large())).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(driver.asked).hasValue(0);
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void aDeadlineEndsTheCallHereAndAtTheDriver() throws Exception {
        Driver driver = new Driver("a", Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            channel.call(INFO, ASK, AMPLE);
            Duration limit = Duration.ofMillis(200);
            CsiStatus status = failure(PROBE, ProbeRequest.getDefaultInstance(), limit);
            while (!driver.probed.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                limit = limit.multipliedBy(2); // a loaded machine may take longer to send a call
                status = failure(PROBE, ProbeRequest.getDefaultInstance(), limit);
            }
            assertThat(status.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(status.origin()).isEqualTo(Origin.UNANSWERED);
            driver.cancelled.await();
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void aCancelledCallEndsHereAndAtTheDriver() throws Exception {
        Driver driver = new Driver("a", Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            DriverCall<ProbeResponse> call = channel.start(PROBE, ProbeRequest.getDefaultInstance(), AMPLE);
            driver.probed.await();
            call.cancel("the pod has gone");
            CsiStatus status =
                    catchThrowableOfType(CsiCallException.class, call::await).status();
            assertThat(status).isEqualTo(new CsiStatus(Status.Code.CANCELLED, "the pod has gone", Origin.UNANSWERED));
            driver.cancelled.await();
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void anInterruptedCallerStopsWaitingAndStaysInterrupted() throws Exception {
        Driver driver = new Driver("a", Status.OK);
        try (DriverServer server = sockets.serve(endpoint, driver)) {
            DriverCall<ProbeResponse> call = channel.start(PROBE, ProbeRequest.getDefaultInstance(), AMPLE);
            driver.probed.await();
            Thread.currentThread().interrupt();
            CsiCallException thrown = catchThrowableOfType(CsiCallException.class, call::await);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(thrown.status().code()).isEqualTo(Status.Code.CANCELLED);
            assertThat(thrown.status().origin()).isEqualTo(Origin.UNANSWERED);
            driver.cancelled.await();
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void aDriverThatDiesInTheMiddleOfACallLeavesItUnanswered() throws Exception {
        Driver driver = new Driver("a", Status.OK);
        DriverCall<ProbeResponse> call;
        try (Sockets process = new Sockets()) {
            process.serve(endpoint, driver);
            call = channel.start(PROBE, ProbeRequest.getDefaultInstance(), AMPLE);
            driver.probed.await();
        }
        CsiStatus status =
                catchThrowableOfType(CsiCallException.class, call::await).status();
        assertThat(status.code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status.origin()).isEqualTo(Origin.UNANSWERED);
    }

    @Test
    void findsARestartedDriverAtOnce() throws Exception {
        try (DriverServer server = sockets.serve(endpoint, new Driver("before", Status.OK))) {
            assertThat(channel.call(INFO, ASK, AMPLE).getName()).isEqualTo("before");
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
        // Often enough that a back-off would have begun.
        for (int i = 0; i < 5; i++) {
            assertThat(failure(INFO, ASK, AMPLE).code()).isEqualTo(Status.Code.UNAVAILABLE);
        }
        try (DriverServer server = sockets.serve(endpoint, new Driver("after", Status.OK))) {
            assertThat(channel.call(INFO, ASK, AMPLE).getName()).isEqualTo("after");
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    private <Q extends Message, A extends Message> CsiStatus failure(
            MethodDescriptor<Q, A> method, Q request, Duration timeout) {
        return catchThrowableOfType(CsiCallException.class, () -> channel.call(method, request, timeout))
                .status();
    }

    private static GetPluginInfoRequest large() throws IOException {
        ByteString bytes = ByteString.copyFrom(new byte[CsiTransport.MAX_MESSAGE_BYTES]);
        UnknownFieldSet much = UnknownFieldSet.newBuilder()
                .addField(
                        77,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(bytes)
                                .build())
                .build();
        return GetPluginInfoRequest.newBuilder().setUnknownFields(much).build();
    }
}
