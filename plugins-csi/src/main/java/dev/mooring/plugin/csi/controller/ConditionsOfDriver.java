// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ControllerGetVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks a driver in which condition its volumes are (semantics/csi §13): a driver that lists its volumes is asked for all of them when the
 * last list is five minutes old, and a minute after a failure; another one is asked for each of them. Thread-safe: one caller lists, and the others are deferred
 * meanwhile.
 */
public final class ConditionsOfDriver {
    /** How long a list answers for its volumes. */
    private static final Duration KNOWN_FOR = Duration.ofMinutes(5);

    /** How long a failure answers for them: each volume would otherwise make the driver list them all again. */
    private static final Duration FAILED_FOR = Duration.ofMinutes(1);

    private final String driver;
    private final Drivers drivers;
    private final ListedVolumes listed;

    /**
     * Asks a driver, where it is found when it is asked.
     *
     * @param listed what the driver lists, for others too
     */
    public ConditionsOfDriver(String driver, Drivers drivers, ListedVolumes listed) {
        this.driver = driver;
        this.drivers = drivers;
        this.listed = listed;
    }

    /**
     * The condition of a volume.
     *
     * @return UNSUPPORTED if the driver cannot tell; NOT_FOUND if it does not list the volume
     */
    public Outcome<Condition> of(OperationContext context, String handle) {
        return drivers.find(driver)
                .then(found -> found.controllerAbilities(context).then(abilities -> {
                    if (!abilities.contains(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION)) {
                        return unable();
                    } else if (abilities.contains(ControllerServiceCapability.RPC.Type.LIST_VOLUMES)) {
                        return listed(found, context, handle);
                    }
                    return abilities.contains(ControllerServiceCapability.RPC.Type.GET_VOLUME)
                            ? asked(found, context, handle)
                            : unable();
                }));
    }

    private Outcome<Condition> unable() {
        return Outcome.refused(Refusal.UNSUPPORTED, "driver " + driver + " does not tell the condition of volumes");
    }

    private static Outcome<Condition> asked(Driver found, OperationContext context, String handle) {
        return found.call(
                        context,
                        CallKind.LOOK,
                        ControllerGrpc.getControllerGetVolumeMethod(),
                        ControllerGetVolumeRequest.newBuilder()
                                .setVolumeId(handle)
                                .build())
                .map(answer -> ListedVolumes.condition(answer.getStatus().getVolumeCondition()));
    }

    private Outcome<Condition> listed(Driver found, OperationContext context, String handle) {
        return listed.get(found, context, KNOWN_FOR, FAILED_FOR)
                .map(ListedVolumes.Listing::volumes)
                .orElseGet(() -> Outcome.deferred("the volumes of driver " + driver + " are being listed"))
                .then(known -> Optional.ofNullable(known.get(handle))
                        .flatMap(ListedVolumes.Said::condition)
                        .map(Outcome::done)
                        .orElseGet(() -> Outcome.refused(
                                Refusal.NOT_FOUND, "driver " + driver + " does not list volume " + handle)));
    }
}
