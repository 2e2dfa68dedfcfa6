// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import com.google.protobuf.Int64Value;
import dev.mooring.csi.server.RpcFailure.Asked;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.csi.v1.GetCapacityResponse;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.CapacityReporting.FreeSpace;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileSystemSpace;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How much space is left: what the plugin says, or what is free in the directory that it keeps. Volumes that cannot be made have none.
 *
 * @param traits what the plugin can do
 * @param rpcs makes the context of its call
 * @param host where its directory is
 */
record FreeSpaceHere(DriverTraits traits, RpcRunner rpcs, HostServices host) {
    private static final GetCapacityResponse NOTHING = GetCapacityResponse.getDefaultInstance();

    GetCapacityResponse answer(GetCapacityRequest request) throws RpcFailure {
        boolean here = !traits.bound()
                || !request.hasAccessibleTopology()
                || request.getAccessibleTopology().equals(traits.topology());
        if (!here || !isPossible(request)) {
            return NOTHING;
        }
        Optional<CapacityReporting> plugin = traits.plugin().capability(CapacityReporting.class);
        return plugin.isPresent()
                ? said(plugin.get(), request)
                : GetCapacityResponse.newBuilder().setAvailableCapacity(kept()).build();
    }

    private boolean isPossible(GetCapacityRequest request) {
        try {
            for (VolumeCapability each : request.getVolumeCapabilitiesList()) {
                RequestedCapability.of(each, traits);
            }
            return true;
        } catch (RpcFailure e) {
            return false;
        }
    }

    private GetCapacityResponse said(CapacityReporting plugin, GetCapacityRequest request) throws RpcFailure {
        Map<String, String> place = request.getAccessibleTopology().getSegmentsMap();
        Outcome<FreeSpace> space = plugin.freeSpace(
                rpcs.context("measure the space that is left", Map.of()),
                RequestedNames.parameters(request.getParametersMap()),
                place);
        if (space.isRefused(Refusal.UNSUPPORTED)) {
            return NOTHING;
        }
        FreeSpace known = RpcFailure.orThrow(space, Asked.CONTROLLER);
        GetCapacityResponse.Builder answer =
                GetCapacityResponse.newBuilder().setAvailableCapacity(bytes(known.available()));
        known.largestVolume().ifPresent(size -> answer.setMaximumVolumeSize(Int64Value.of(bytes(size))));
        return answer.build();
    }

    private static long bytes(Quantity size) {
        return size.fitsLong() ? Math.max(0, size.longValue()) : Long.MAX_VALUE;
    }

    private long kept() throws RpcFailure {
        Path kept = traits.plugin().keptDirectories().get(0);
        Outcome<FileSystemSpace> space = host.files()
                .open(kept, LinkRule.FOLLOW)
                .then(opened -> {
                    try (opened) {
                        return opened.space();
                    }
                });
        return space.isRefused(Refusal.NOT_FOUND)
                ? 0
                : RpcFailure.orThrow(space, Asked.CONTROLLER).availableBytes();
    }
}
