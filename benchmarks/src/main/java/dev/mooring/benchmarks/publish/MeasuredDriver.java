// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.DriverServer;
import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGetCapabilitiesResponse;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeResponse;
import dev.mooring.csi.v1.GetPluginCapabilitiesRequest;
import dev.mooring.csi.v1.GetPluginCapabilitiesResponse;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.GetPluginInfoResponse;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGetCapabilitiesResponse;
import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGetInfoResponse;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodePublishVolumeResponse;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeResponse;
import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnpublishVolumeResponse;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeResponse;
import dev.mooring.csi.v1.PluginCapability;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.ProbeResponse;
import dev.mooring.csi.v1.Volume;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A driver behind a socket of its own that does hardly anything: its volumes are empty directories. So what is measured is what its caller
 * does. Once it is stuck it answers no call that changes something. Thread-safe.
 */
final class MeasuredDriver implements AutoCloseable {
    private final String name;
    private final CsiEndpoint endpoint;
    private final CsiTransport transport = CsiTransport.start(1);
    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private final DriverServer server;
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stuck;

    MeasuredDriver(String name, Path socket) throws IOException {
        this.name = name;
        endpoint = new CsiEndpoint(socket);
        server = transport.serve(
                endpoint,
                PosixFilePermissions.fromString("rw-------"),
                List.of(new Identity(), new Controller(), new Node()),
                executor);
    }

    String name() {
        return name;
    }

    String endpoint() {
        return endpoint.toString();
    }

    /** From now on it answers nothing that changes something. */
    void getStuck() {
        stuck = true;
    }

    /** How many different calls it does not answer. */
    int unanswered() {
        return waiting.size();
    }

    private <A> void answer(String call, StreamObserver<A> observer, A answer) {
        if (stuck) {
            waiting.add(call);
            return;
        }
        observer.onNext(answer);
        observer.onCompleted();
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        executor.shutdownNow();
    }

    private final class Identity extends IdentityGrpc.IdentityImplBase {
        @Override
        public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
            observer.onNext(GetPluginInfoResponse.newBuilder()
                    .setName(name)
                    .setVendorVersion("1")
                    .build());
            observer.onCompleted();
        }

        @Override
        public void getPluginCapabilities(
                GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> observer) {
            observer.onNext(GetPluginCapabilitiesResponse.newBuilder()
                    .addCapabilities(PluginCapability.newBuilder()
                            .setService(PluginCapability.Service.newBuilder()
                                    .setType(PluginCapability.Service.Type.CONTROLLER_SERVICE)))
                    .build());
            observer.onCompleted();
        }

        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
            observer.onNext(ProbeResponse.getDefaultInstance());
            observer.onCompleted();
        }
    }

    private final class Controller extends ControllerGrpc.ControllerImplBase {
        @Override
        public void controllerGetCapabilities(
                ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> observer) {
            observer.onNext(ControllerGetCapabilitiesResponse.newBuilder()
                    .addCapabilities(ControllerServiceCapability.newBuilder()
                            .setRpc(ControllerServiceCapability.RPC
                                    .newBuilder()
                                    .setType(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME)))
                    .build());
            observer.onCompleted();
        }

        @Override
        public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
            answer(
                    "create " + request.getName(),
                    observer,
                    CreateVolumeResponse.newBuilder()
                            .setVolume(Volume.newBuilder()
                                    .setVolumeId(request.getName())
                                    .setCapacityBytes(request.getCapacityRange().getRequiredBytes()))
                            .build());
        }
    }

    private final class Node extends NodeGrpc.NodeImplBase {
        @Override
        public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> observer) {
            observer.onNext(NodeGetInfoResponse.newBuilder().setNodeId("here").build());
            observer.onCompleted();
        }

        @Override
        public void nodeGetCapabilities(
                NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> observer) {
            observer.onNext(NodeGetCapabilitiesResponse.newBuilder()
                    .addCapabilities(NodeServiceCapability.newBuilder()
                            .setRpc(NodeServiceCapability.RPC
                                    .newBuilder()
                                    .setType(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)))
                    .build());
            observer.onCompleted();
        }

        @Override
        public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> observer) {
            answer("stage " + request.getVolumeId(), observer, NodeStageVolumeResponse.getDefaultInstance());
        }

        @Override
        public void nodeUnstageVolume(
                NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> observer) {
            answer("unstage " + request.getVolumeId(), observer, NodeUnstageVolumeResponse.getDefaultInstance());
        }

        @Override
        public void nodePublishVolume(
                NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> observer) {
            if (!stuck) {
                try {
                    Files.createDirectories(Path.of(request.getTargetPath()));
                } catch (IOException failed) {
                    observer.onError(failed);
                    return;
                }
            }
            answer("publish " + request.getVolumeId(), observer, NodePublishVolumeResponse.getDefaultInstance());
        }

        @Override
        public void nodeUnpublishVolume(
                NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> observer) {
            if (!stuck) {
                try {
                    Files.deleteIfExists(Path.of(request.getTargetPath()));
                } catch (IOException failed) {
                    observer.onError(failed);
                    return;
                }
            }
            answer("unpublish " + request.getVolumeId(), observer, NodeUnpublishVolumeResponse.getDefaultInstance());
        }
    }
}
