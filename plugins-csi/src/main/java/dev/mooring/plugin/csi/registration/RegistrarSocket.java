// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.DriverServer;
import dev.mooring.csi.registration.InfoRequest;
import dev.mooring.csi.registration.PluginInfo;
import dev.mooring.csi.registration.RegistrationGrpc;
import dev.mooring.csi.registration.RegistrationStatus;
import dev.mooring.csi.registration.RegistrationStatusResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Consumer;

/** The socket by which a kubelet, or a node of Mooring, learns of a driver: what node-driver-registrar makes (semantics/csi §4). */
public final class RegistrarSocket {
    private static final String VERSION = "1.0.0";

    private RegistrarSocket() {}

    /**
     * Makes the socket and answers.
     *
     * @param driver the driver's name
     * @param path the driver's socket, as the kubelet sees it
     * @param socket where to listen
     * @param told run with each answer of the kubelet: empty if it has taken the driver, else why not
     * @throws IOException if the socket cannot be made; the message names it
     */
    public static DriverServer open(
            CsiTransport transport, String driver, String path, Path socket, Consumer<String> told) throws IOException {
        PluginInfo info = PluginInfo.newBuilder()
                .setType(SocketRegistration.TYPE)
                .setName(driver)
                .setEndpoint(path)
                .addSupportedVersions(VERSION)
                .build();
        return transport.serve(
                new CsiEndpoint(socket),
                PosixFilePermissions.fromString("rw-------"),
                List.of(new Answers(info, told)),
                Runnable::run);
    }

    private static final class Answers extends RegistrationGrpc.RegistrationImplBase {
        private final PluginInfo info;
        private final Consumer<String> told;

        Answers(PluginInfo info, Consumer<String> told) {
            this.info = info;
            this.told = told;
        }

        @Override
        public void getInfo(InfoRequest request, StreamObserver<PluginInfo> answer) {
            answer.onNext(info);
            answer.onCompleted();
        }

        @Override
        public void notifyRegistrationStatus(
                RegistrationStatus status, StreamObserver<RegistrationStatusResponse> answer) {
            String problem = status.getError().isEmpty() ? "it says no, and not why" : status.getError();
            told.accept(status.getPluginRegistered() ? "" : problem);
            answer.onNext(RegistrationStatusResponse.getDefaultInstance());
            answer.onCompleted();
        }
    }
}
