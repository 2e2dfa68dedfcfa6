// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import com.google.protobuf.BoolValue;
import dev.mooring.csi.v1.GetPluginCapabilitiesRequest;
import dev.mooring.csi.v1.GetPluginCapabilitiesResponse;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.GetPluginInfoResponse;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.PluginCapability;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.ProbeResponse;
import dev.mooring.storage.spi.ControllerExpanding;
import io.grpc.stub.StreamObserver;

/** Who the driver is. Never waits, never fails. */
final class IdentityService extends IdentityGrpc.IdentityImplBase {
    private final DriverTraits traits;

    IdentityService(DriverTraits traits) {
        this.traits = traits;
    }

    @Override
    public void getPluginInfo(GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
        observer.onNext(GetPluginInfoResponse.newBuilder()
                .setName(traits.settings().driverName())
                .setVendorVersion(traits.settings().version())
                .putManifest("plugin", traits.plugin().describe().name().value())
                .build());
        observer.onCompleted();
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> observer) {
        GetPluginCapabilitiesResponse.Builder answer = GetPluginCapabilitiesResponse.newBuilder()
                .addCapabilities(service(PluginCapability.Service.Type.CONTROLLER_SERVICE));
        if (traits.bound()) {
            answer.addCapabilities(service(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS));
        }
        if (traits.can(ControllerExpanding.class)) {
            answer.addCapabilities(PluginCapability.newBuilder()
                    .setVolumeExpansion(PluginCapability.VolumeExpansion.newBuilder()
                            .setType(PluginCapability.VolumeExpansion.Type.ONLINE)));
        }
        observer.onNext(answer.build());
        observer.onCompleted();
    }

    private static PluginCapability service(PluginCapability.Service.Type type) {
        return PluginCapability.newBuilder()
                .setService(PluginCapability.Service.newBuilder().setType(type))
                .build();
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
        observer.onNext(ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build());
        observer.onCompleted();
    }
}
