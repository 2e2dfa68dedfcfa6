// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.csi.v1.GetCapacityResponse;
import dev.mooring.csi.v1.Topology;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.CapacityReporting.FreeSpace;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a driver how much storage is left (semantics/csi §12). As external-provisioner does, it names no capabilities of volumes, and all
 * parameters of the class. Thread-safe.
 */
public final class FreeSpaceOfDriver {
    private final String driver;
    private final Drivers drivers;

    /** Asks a driver, where it is found when it is asked. */
    public FreeSpaceOfDriver(String driver, Drivers drivers) {
        this.driver = driver;
        this.drivers = drivers;
    }

    /** Asks for a class and a place. */
    public Outcome<FreeSpace> of(OperationContext context, Map<String, String> parameters, Map<String, String> place) {
        return drivers.find(driver)
                .then(
                        found -> found.controllerAbilities(context)
                                .then(
                                        abilities ->
                                                abilities.contains(ControllerServiceCapability.RPC.Type.GET_CAPACITY)
                                                        ? ask(found, context, parameters, place)
                                                        : Outcome.refused(
                                                                Refusal.UNSUPPORTED,
                                                                "driver " + driver
                                                                        + " has no GET_CAPACITY, and its CSIDriver says"
                                                                        + " storageCapacity: pods wait for capacities that it does not report")));
    }

    private Outcome<FreeSpace> ask(
            Driver found, OperationContext context, Map<String, String> parameters, Map<String, String> place) {
        GetCapacityRequest.Builder request = GetCapacityRequest.newBuilder().putAllParameters(parameters);
        if (!place.isEmpty()) {
            request.setAccessibleTopology(Topology.newBuilder().putAllSegments(place));
        }
        return found.call(context, CallKind.LOOK, ControllerGrpc.getGetCapacityMethod(), request.build())
                .then(answer -> answer.getAvailableCapacity() < 0
                        ? Outcome.refused(
                                Refusal.CORRUPT,
                                "driver " + driver + " reported " + answer.getAvailableCapacity() + " bytes")
                        : Outcome.done(space(answer)));
    }

    private static FreeSpace space(GetCapacityResponse answer) {
        return new FreeSpace(
                Quantity.ofBytes(answer.getAvailableCapacity()),
                answer.hasMaximumVolumeSize() && answer.getMaximumVolumeSize().getValue() >= 0
                        ? Optional.of(
                                Quantity.ofBytes(answer.getMaximumVolumeSize().getValue()))
                        : Optional.empty());
    }
}
