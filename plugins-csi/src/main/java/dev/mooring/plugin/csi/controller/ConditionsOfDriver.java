// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ControllerGetVolumeRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.ListVolumesRequest;
import dev.mooring.csi.v1.ListVolumesResponse;
import dev.mooring.csi.v1.VolumeCondition;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks a driver in which condition its volumes are (semantics/csi §13): one that lists its volumes is asked for all of them every five
 * minutes, another one for each of them. Thread-safe.
 */
public final class ConditionsOfDriver {
    /** How long a list answers for its volumes. */
    private static final Duration KNOWN_FOR = Duration.ofMinutes(5);

    private final String driver;
    private final Drivers drivers;
    private Optional<Instant> listed = Optional.empty();
    private Map<String, Condition> conditions = Map.of();

    /** Asks a driver, where it is found when it is asked. */
    public ConditionsOfDriver(String driver, Drivers drivers) {
        this.driver = driver;
        this.drivers = drivers;
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
                .map(answer -> condition(answer.getStatus().getVolumeCondition()));
    }

    private synchronized Outcome<Condition> listed(Driver found, OperationContext context, String handle) {
        Instant now = context.clock().instant();
        boolean fresh =
                listed.filter(then -> now.isBefore(then.plus(KNOWN_FOR))).isPresent();
        Outcome<Map<String, Condition>> all = fresh ? Outcome.done(conditions) : list(found, context);
        all.result().filter(known -> !fresh).ifPresent(known -> {
            listed = Optional.of(now);
            conditions = known;
        });
        return all.then(known -> Optional.ofNullable(known.get(handle))
                .map(Outcome::done)
                .orElseGet(() ->
                        Outcome.refused(Refusal.NOT_FOUND, "driver " + driver + " does not list volume " + handle)));
    }

    /** All pages; a driver that gives the same page again and again is not followed. */
    private Outcome<Map<String, Condition>> list(Driver found, OperationContext context) {
        Map<String, Condition> all = new HashMap<>();
        Set<String> tokens = new HashSet<>();
        String token = "";
        while (tokens.add(token)) {
            Outcome<ListVolumesResponse> page = found.call(
                    context,
                    CallKind.LOOK,
                    ControllerGrpc.getListVolumesMethod(),
                    ListVolumesRequest.newBuilder().setStartingToken(token).build());
            Optional<ListVolumesResponse> answer = page.result();
            if (answer.isEmpty()) {
                return page.map(never -> all);
            }
            answer.get().getEntriesList().stream()
                    .filter(entry -> entry.getStatus().hasVolumeCondition())
                    .forEach(entry -> all.put(
                            entry.getVolume().getVolumeId(),
                            condition(entry.getStatus().getVolumeCondition())));
            token = answer.get().getNextToken();
            if (token.isEmpty()) {
                return Outcome.done(all);
            }
        }
        return Outcome.refused(Refusal.CORRUPT, "driver " + driver + " lists its volumes in a circle");
    }

    private static Condition condition(VolumeCondition told) {
        return new Condition(told.getAbnormal(), told.getMessage());
    }
}
