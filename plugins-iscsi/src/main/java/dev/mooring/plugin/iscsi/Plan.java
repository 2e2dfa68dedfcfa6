// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.host.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be staged, checked before anything is done.
 *
 * @param request the call
 * @param source its source
 * @param settings what the administrator chose
 * @param portals the portals by address, each once
 * @param nameless the portals whose names led to no address
 * @param secrets what the records of sessions have to hold
 */
record Plan(
        StageRequest request,
        IscsiSource source,
        Settings settings,
        List<Portal> portals,
        List<Portal> nameless,
        Map<String, SecretValue> secrets) {
    private static final int HASH_LENGTH = 16;

    static Outcome<Plan> of(IscsiCall call, StageRequest request) {
        return IscsiSources.checked(request.volume())
                .then(source -> Settings.of(request.volume())
                        .then(settings -> discoverable(call, request, source, settings))
                        .then(settings -> Chap.ofSession(
                                        call.context(), request.volume().source(), source)
                                .then(secrets -> resolved(call, IscsiSources.portals(source))
                                        .map(found -> new Plan(
                                                request,
                                                source,
                                                settings,
                                                found.known(),
                                                found.nameless(),
                                                secrets)))));
    }

    /** What a discovery will need is looked at before anything is done. */
    private static Outcome<Settings> discoverable(
            IscsiCall call, StageRequest request, IscsiSource source, Settings settings) {
        return settings.discovery() == Settings.Discovery.STATIC
                ? Outcome.done(settings)
                : Chap.ofDiscovery(call.context(), request.volume().source(), source)
                        .map(secrets -> settings);
    }

    /** What the names of portals led to. */
    private record Resolved(List<Portal> known, List<Portal> nameless) {}

    /** Names are looked up once, since the kernel knows addresses only. A name that leads nowhere is one path less. */
    private static Outcome<Resolved> resolved(IscsiCall call, List<Portal> portals) {
        List<Portal> nameless = new ArrayList<>();
        return Steps.collect(portals, portal -> address(call, portal, nameless)).then(found -> {
            List<Portal> known =
                    found.stream().flatMap(Optional::stream).distinct().toList();
            return known.isEmpty()
                    ? Outcome.deferred("none of the portals " + portals + " has an address")
                    : Outcome.done(new Resolved(known, nameless));
        });
    }

    private static Outcome<Optional<Portal>> address(IscsiCall call, Portal portal, List<Portal> nameless) {
        return portal.isName()
                ? lookedUp(call, portal).map(found -> {
                    if (found.isEmpty()) {
                        nameless.add(portal);
                    }
                    return found;
                })
                : Outcome.done(Optional.of(portal));
    }

    private static Outcome<Optional<Portal>> lookedUp(IscsiCall call, Portal portal) {
        return call.host()
                .processes()
                .run(call.context(), Command.query("getent", "ahosts", portal.host()))
                .map(result -> result.standardOutput()
                        .lines()
                        .map(line -> line.strip().split("\\s", 2)[0])
                        .flatMap(address -> Portal.of(address, portal.port()).stream())
                        .filter(found -> !found.isName())
                        .findFirst());
    }

    /** The same over no other portals than these. */
    Plan over(List<Portal> some) {
        return new Plan(request, source, settings, some, nameless, secrets);
    }

    /** The interface record: of its own if the volume names an initiator. */
    String iface() {
        String base = IscsiSources.baseInterface(source);
        return ownInitiator()
                ? "mooring-" + Sha256.hex(source.initiatorName() + " " + base).substring(0, HASH_LENGTH)
                : base;
    }

    boolean ownInitiator() {
        return !source.initiatorName().isEmpty();
    }

    boolean block() {
        return request.volume().mode() == VolumeMode.BLOCK;
    }

    /** Whether other nodes may have it at the same time, so that no node writes. */
    boolean shared() {
        return IscsiSources.sharedReadOnly(request.volume());
    }

    boolean readOnly() {
        return request.readOnly() || shared();
    }

    boolean manyPaths() {
        return portals.size() + nameless.size() > 1 && settings.multipath() != Settings.Wanted.OFF;
    }

    /** What is known of a volume that was never staged here. */
    Staged nothingYet() {
        return Staged.nothing(source.iqn(), source.lun(), iface());
    }

    /** A volume object may have been changed since the volume was staged, the storage may not. */
    Outcome<Staged> sameAs(Staged known) {
        return known.iqn().equals(source.iqn())
                        && known.lun() == source.lun()
                        && known.iface().equals(iface())
                ? Outcome.done(known)
                : Outcome.refused(
                        Refusal.INCOMPATIBLE,
                        "the volume is staged over interface " + known.iface() + " as unit " + known.lun() + " of "
                                + known.iqn() + ", and has to be unstaged first");
    }
}
