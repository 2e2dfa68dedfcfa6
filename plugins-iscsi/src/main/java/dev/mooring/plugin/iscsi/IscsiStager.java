// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.VolumeOptions;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystemRequestBuilder;
import dev.mooring.storage.spi.host.FormatPolicy;
import dev.mooring.storage.spi.host.MountEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Brings a volume to this node (semantics/plugins §3.5). */
final class IscsiStager {
    private static final Duration LATER = Duration.ofMinutes(1);

    private final IscsiCall call;

    IscsiStager(IscsiCall call) {
        this.call = call;
    }

    Outcome<PluginState> stage(StageRequest request, VolumeId volume) {
        return Plan.of(call, request)
                .then(plan -> known(plan, volume).then(start -> {
                    Journal journal = new Journal(call, volume, start);
                    return undone(plan, journal, start, staged(plan, journal));
                }));
    }

    /** What an earlier attempt, or an earlier life of the agent, has left. */
    private Outcome<Staged> known(Plan plan, VolumeId volume) {
        return staged(volume, call.context().remembered())
                .then(found -> found.map(plan::sameAs).orElseGet(() -> Outcome.done(plan.nothingYet())));
    }

    private Outcome<Optional<Staged>> staged(VolumeId volume, PluginState state) {
        return new StagedLedger(call.host())
                .find(volume)
                .then(entry -> entry.isPresent() ? Outcome.done(entry) : Staged.read(state));
    }

    private Outcome<PluginState> staged(Plan plan, Journal journal) {
        return new Initiator(call)
                .distinct(plan)
                .then(nothing -> call.withTarget(plan.source().iqn(), () -> paths(plan, journal)))
                .then(paths -> inUse(plan, journal, paths)
                        .then(used -> used.map(Outcome::done)
                                .orElseGet(() -> new Multipath(call)
                                        .choose(paths, plan.settings().multipath())))
                        .then(device ->
                                mapNoted(journal, paths, device).then(nothing -> use(plan, journal, paths, device))))
                .then(nothing -> journal.settle())
                .map(nothing -> journal.now().toState());
    }

    private Outcome<List<BlockDevice>> paths(Plan plan, Journal journal) {
        plan.nameless().forEach(journal::lacks);
        Disks disks = new Disks(call, journal);
        return new IscsiConnector(call, plan, journal)
                .connect()
                .then(disks::find)
                .then(paths -> disks.identify(paths).map(nothing -> paths));
    }

    /**
     * What an earlier attempt has given out stays the volume's device, whatever better one has come since: the same file system mounted
     * from two devices is soon none.
     */
    private Outcome<Optional<BlockDevice>> inUse(Plan plan, Journal journal, List<BlockDevice> paths) {
        String number = journal.now().mount();
        if (number.isEmpty()) {
            return Outcome.done(Optional.empty());
        }
        return call.host().mounts().table().then(table -> {
            boolean used = plan.block()
                    || table.top(plan.request().stagingPath())
                            .filter(entry -> entry.device().equals(number))
                            .isPresent();
            return used ? Mapper.numbered(call, paths, number) : Outcome.done(Optional.empty());
        });
    }

    private Outcome<Nothing> mapNoted(Journal journal, List<BlockDevice> paths, BlockDevice device) {
        return paths.contains(device)
                ? Outcome.done()
                : new Multipath(call).name(device).then(name -> journal.note(now -> now.withMap(name)));
    }

    private Outcome<Nothing> use(Plan plan, Journal journal, List<BlockDevice> paths, BlockDevice device) {
        return new Reservations(call)
                .secure(plan, journal, paths)
                .then(nothing -> plan.shared() ? setReadOnly(paths, device) : Outcome.done())
                .then(nothing -> journal.note(now -> now.withMount(device.number())))
                .then(nothing -> plan.block() ? Outcome.done() : mount(plan, device));
    }

    private Outcome<Nothing> setReadOnly(List<BlockDevice> paths, BlockDevice device) {
        return Steps.each(paths, path -> call.host().blockDevices().setReadOnly(call.context(), path, true))
                .then(nothing -> paths.contains(device)
                        ? Outcome.done()
                        : call.host().blockDevices().setReadOnly(call.context(), device, true));
    }

    private Outcome<Nothing> mount(Plan plan, BlockDevice device) {
        return call.host()
                .fileSystems()
                .mount(call.context(), device, plan.request().stagingPath(), wanted(plan))
                .then(entry -> verified(entry, device, plan));
    }

    private FileSystemRequest wanted(Plan plan) {
        return FileSystemRequestBuilder.builder()
                .type(IscsiSources.fileSystem(plan.source()))
                .policy(plan.readOnly() ? FormatPolicy.NEVER : plan.settings().format())
                .readOnly(plan.readOnly())
                .shared(plan.shared())
                .options(plan.request().volume().mountOptions())
                .leastBytes(VolumeOptions.capacityBytes(plan.request().volume()))
                .notes(call.context().notes())
                .build();
    }

    private static Outcome<Nothing> verified(MountEntry entry, BlockDevice device, Plan plan) {
        boolean right = entry.device().equals(device.number()) && entry.readOnly() == plan.readOnly();
        return right
                ? Outcome.done()
                : Outcome.refused(Refusal.IN_USE, "another mount than the volume's is at its place: " + entry);
    }

    /**
     * Adds the paths that were missing when the volume was staged; what pods use stays as it is. Nothing is undone: what was added in part
     * is noted, and goes when the volume is unstaged.
     */
    Outcome<PluginState> complete(StageRequest request, VolumeId volume, PluginState state) {
        return Plan.of(call, request)
                .then(plan -> staged(volume, state)
                        .then(known -> known.map(plan::sameAs)
                                .orElseGet(() -> Outcome.deferred("the volume is not staged here"))
                                .then(start -> completed(plan, new Journal(call, volume, start)))));
    }

    private Outcome<PluginState> completed(Plan plan, Journal journal) {
        List<Portal> wanted = plan.portals().stream()
                .filter(portal -> lacks(journal.now(), portal))
                .toList();
        long bytes = journal.now().bytes();
        Outcome<Nothing> added = wanted.isEmpty()
                ? Outcome.done()
                : call.withTarget(plan.source().iqn(), () -> paths(plan.over(wanted), journal))
                        .then(paths -> new Reservations(call)
                                .extend(journal.now(), paths)
                                .then(nothing -> plan.shared() ? setReadOnly(paths, paths.get(0)) : Outcome.done()))
                        // what the older paths show is what the volume has until they are looked at again
                        .then(nothing -> journal.note(now -> now.withDisk(now.wwid(), bytes)))
                        .then(nothing -> journal.settle());
        Optional<String> missing = missing(journal.now());
        return added.recoverDeferred(
                        deferred -> later(missing.map(what -> what + ": ").orElse("") + deferred.why()))
                .then(nothing -> missing.<Outcome<PluginState>>map(IscsiStager::later)
                        .orElseGet(() -> Outcome.done(journal.now().toState())));
    }

    /** A portal that does not answer holds the target for as long as its login takes, so it is not asked all the time. */
    private static <T> Outcome<T> later(String why) {
        return Outcome.deferred(why, LATER);
    }

    /** A name that led nowhere may lead to a portal now that was never tried. */
    private static boolean lacks(Staged staged, Portal portal) {
        return staged.missing().contains(portal) || staged.use(portal).isEmpty();
    }

    /** Which portals a staged volume lacks, for people; empty if none. */
    static Optional<String> missing(Staged staged) {
        return staged.missing().isEmpty()
                ? Optional.empty()
                : Optional.of("no path to unit " + staged.lun() + " of " + staged.iqn() + " over "
                        + staged.missing().stream().map(Portal::toString).collect(Collectors.joining(", ")));
    }

    /** Only what is undone may be called refused or not started; else the host has to undo it. */
    private Outcome<PluginState> undone(Plan plan, Journal journal, Staged start, Outcome<PluginState> outcome) {
        if (outcome.isDone() || outcome.isUncertain()) {
            return outcome;
        }
        if (mayBeInUse(plan, start)) {
            return Outcome.uncertain(outcome.message() + "; what was staged before is left as it is");
        }
        Outcome<Nothing> undo =
                new Unstager(call).unstage(journal.volume(), plan.request().stagingPath(), Optional.of(journal.now()));
        return undo.isDone()
                ? outcome
                : Outcome.uncertain(outcome.message() + "; and undoing it failed: " + undo.message());
    }

    /** An earlier attempt came so far that pods may have got the volume since. */
    private static boolean mayBeInUse(Plan plan, Staged start) {
        return plan.block() ? start.bytes() > 0 : !start.mount().isEmpty();
    }
}
