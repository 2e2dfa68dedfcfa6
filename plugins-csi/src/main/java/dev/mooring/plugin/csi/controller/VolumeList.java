// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.ListVolumesResponse;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** All volumes that a driver lists, page by page. */
final class VolumeList {
    private VolumeList() {}

    /** Reads all pages; a driver that gives the same page again and again is not followed. */
    static Outcome<Nothing> read(Driver driver, OperationContext context, Consumer<ListVolumesResponse.Entry> each) {
        Set<String> tokens = new HashSet<>();
        String token = "";
        while (tokens.add(token)) {
            Outcome<ListVolumesResponse> page = driver.call(
                    context,
                    CallKind.LOOK,
                    ControllerGrpc.getListVolumesMethod(),
                    ListVolumesRequest.newBuilder().setStartingToken(token).build());
            Optional<ListVolumesResponse> answer = page.result();
            if (answer.isEmpty()) {
                return page.map(never -> Nothing.NOTHING);
            }
            answer.get().getEntriesList().forEach(each);
            token = answer.get().getNextToken();
            if (token.isEmpty()) {
                return Outcome.done();
            }
        }
        return Outcome.refused(Refusal.CORRUPT, "the driver lists its volumes in a circle");
    }
}
