// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Volumes that can be copied: clones, snapshots, and volumes from these. Whatever is not whole yet, or any more, is in a place of its own. */
final class VaultPlugin
        implements StoragePlugin, Provisioning, Deleting, Publishing, Cloning, Snapshotting, CapacityReporting {
    static final PluginName NAME = new PluginName("vault.example.com");
    static final List<String> ROOMS = List.of("volumes", "snapshots", "unfinished");

    private static final Quantity LARGEST = Quantity.parse("1Gi");
    private static final int MANY = 99;
    private static final int PRIVATE = 0700;

    private final Path vault;
    private final VaultMistake mistake;

    VaultPlugin(Path vault, VaultMistake mistake) {
        this.vault = vault;
        this.mistake = mistake;
    }

    /** The open directories. */
    private record Rooms(PinnedPath volumes, PinnedPath snapshots, PinnedPath unfinished) {}

    private <T> Outcome<T> in(OperationContext context, Function<Rooms, Outcome<T>> action) {
        return open(context, 0)
                .then(volumes -> using(
                        volumes,
                        one -> open(context, 1)
                                .then(snapshots -> using(
                                        snapshots,
                                        two -> open(context, 2)
                                                .then(unfinished -> using(
                                                        unfinished,
                                                        three -> action.apply(new Rooms(one, two, three))))))));
    }

    private Outcome<PinnedPath> open(OperationContext context, int room) {
        return context.host().files().open(vault.resolve(ROOMS.get(room)), LinkRule.REFUSE);
    }

    private static <T> Outcome<T> using(PinnedPath opened, Function<PinnedPath, Outcome<T>> action) {
        try (opened) {
            return action.apply(opened);
        }
    }

    private static Outcome<Boolean> has(PinnedPath room, String name) {
        return room.child(name).ifFound().map(found -> {
            found.ifPresent(PinnedPath::close);
            return found.isPresent();
        });
    }

    private static <T> Outcome<T> begun(Outcome<T> outcome) {
        return outcome.isDone() ? outcome : Outcome.uncertain(outcome.message());
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(), Place.CONTROLLER).withManagesOwnership(true);
    }

    private static String handle(VolumeSource source) {
        return CsiSource.of(source).orElseThrow().volumeHandle();
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, handle(source));
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        boolean good = CsiSource.of(source)
                .filter(csi ->
                        csi.driver().equals(NAME.value()) && csi.volumeHandle().matches("[-a-z0-9]{1,253}"))
                .isPresent();
        return good ? List.of() : List.of(new FieldProblem("spec.csi.volumeHandle", "must name a volume"));
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        if (!request.parameters().isEmpty()
                || request.mode() == VolumeMode.BLOCK
                || !request.mountOptions().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "only plain volumes are made");
        }
        if (request.requested().compareTo(LARGEST) > 0) {
            return Outcome.refused(Refusal.EXHAUSTED, "the largest volume has " + LARGEST);
        }
        return Outcome.done(template(request, request.volumeName()));
    }

    private static VolumeTemplate template(ProvisionRequest request, String name) {
        return new VolumeTemplate(
                new CsiSource(NAME.value(), name, "", false, Map.of()).toSource(),
                request.requested(),
                request.accessModes(),
                Optional.empty(),
                Map.of());
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        return in(context, rooms -> made(rooms.volumes(), request.volumeName())).map(nothing -> plan);
    }

    private static Outcome<Nothing> made(PinnedPath room, String name) {
        return room.makeDirectory(name, PRIVATE).map(made -> {
            made.path().close();
            return Nothing.NOTHING;
        });
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return in(context, rooms -> remove(context, rooms, rooms.volumes(), handle(volume.source())));
    }

    private static Outcome<Nothing> remove(OperationContext context, Rooms rooms, PinnedPath room, String name) {
        return has(room, name)
                .then(there -> there ? room.rename(name, rooms.unfinished(), name) : Outcome.done())
                .then(nothing -> begun(empty(context, rooms.unfinished(), name)));
    }

    private static Outcome<Nothing> empty(OperationContext context, PinnedPath room, String name) {
        return room.child(name)
                .ifFound()
                .then(found -> found.map(directory -> using(
                                directory,
                                opened -> opened.facts()
                                        .then(facts -> context.host()
                                                .files()
                                                .empty(context, opened, TreeRules.all(facts.identity())))
                                        .then(emptied -> room.removeDirectory(name))))
                        .orElseGet(Outcome::done));
    }

    /** Makes a copy that is one when it is whole, or, if that is the mistake, from the start. */
    private static Outcome<Nothing> copy(
            OperationContext context,
            Rooms rooms,
            PinnedPath from,
            String name,
            PinnedPath to,
            String copy,
            boolean half) {
        return has(to, copy).then(there -> {
            if (there) {
                return Outcome.done();
            }
            return from.child(name)
                    .then(original -> using(original, source -> {
                        PinnedPath place = half ? to : rooms.unfinished();
                        return begun(place.makeDirectory(copy, PRIVATE)
                                .then(made -> using(
                                        made.path(),
                                        target -> context.host().files().copy(context, source, target)))
                                .then(copied -> half ? Outcome.done() : place.rename(copy, to, copy)));
                    }));
        });
    }

    @Override
    public Outcome<VolumeTemplate> cloneVolume(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source) {
        String original = handle(source.source());
        String name = request.volumeName();
        Outcome<Nothing> made = in(context, rooms -> switch (mistake) {
            case CLONE_IS_THE_SOURCE -> Outcome.done();
            case CLONE_MOVES_THE_SOURCE ->
                has(rooms.volumes(), name)
                        .then(there ->
                                there ? Outcome.done() : rooms.volumes().rename(original, rooms.volumes(), name));
            case CLONES_NOTHING ->
                has(rooms.volumes(), original)
                        .then(there -> there
                                ? copy(context, rooms, rooms.volumes(), original, rooms.volumes(), name, false)
                                : made(rooms.volumes(), name));
            default ->
                copy(
                        context,
                        rooms,
                        rooms.volumes(),
                        original,
                        rooms.volumes(),
                        name,
                        mistake == VaultMistake.CLONES_IN_PLACE);
        });
        if (mistake == VaultMistake.CLONES_WITHOUT_LOOKING && !made.isRefused(Refusal.NOT_FOUND)) {
            made = Outcome.done();
        }
        return made.map(nothing -> template(request, mistake == VaultMistake.CLONE_IS_THE_SOURCE ? original : name));
    }

    @Override
    public Outcome<Map<String, String>> planSnapshot(SnapshotRequest request) {
        return request.parameters().isEmpty() || mistake == VaultMistake.TAKES_ANY_PARAMETER
                ? Outcome.done(Map.of())
                : Outcome.refused(Refusal.INVALID, "there is no parameter " + request.parameters());
    }

    @Override
    public Outcome<SnapshotFacts> createSnapshot(OperationContext context, SnapshotRequest request, VolumeSpec source) {
        String original = handle(source.source());
        return in(
                context,
                rooms -> name(rooms, request).then(name -> {
                    Outcome<Nothing> taken = take(context, rooms, original, name);
                    return (mistake == VaultMistake.TAKES_WITHOUT_LOOKING ? Outcome.done() : taken)
                            .map(nothing -> facts(name));
                }));
    }

    private Outcome<String> name(Rooms rooms, SnapshotRequest request) {
        return mistake == VaultMistake.TAKES_ANOTHER_EACH_TIME
                ? rooms.snapshots().list(MANY).map(names -> request.name() + "-" + names.size())
                : Outcome.done(request.name());
    }

    private Outcome<Nothing> take(OperationContext context, Rooms rooms, String original, String name) {
        return switch (mistake) {
            case TAKES_A_REFERENCE ->
                has(rooms.volumes(), original)
                        .then(there -> there
                                ? rooms.snapshots().writeFile(name, bytes(original), PRIVATE)
                                : Outcome.refused(Refusal.NOT_FOUND, "there is no volume " + original));
            case TAKES_A_NOTE_IN_THE_SOURCE ->
                copy(context, rooms, rooms.volumes(), original, rooms.snapshots(), name, false)
                        .then(nothing -> rooms.volumes().rename(original, rooms.volumes(), original + "-old"));
            case TAKES_NOTHING ->
                has(rooms.volumes(), original)
                        .then(there -> there
                                ? copy(context, rooms, rooms.volumes(), original, rooms.snapshots(), name, false)
                                : made(rooms.snapshots(), name));
            default ->
                copy(
                        context,
                        rooms,
                        rooms.volumes(),
                        original,
                        rooms.snapshots(),
                        name,
                        mistake == VaultMistake.TAKES_IN_PLACE);
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SnapshotFacts facts(String name) {
        return new SnapshotFacts(name, Optional.empty(), 0, true);
    }

    @Override
    public Outcome<Nothing> deleteSnapshot(OperationContext context, SnapshotRef snapshot) {
        String name = snapshot.handle();
        return in(context, rooms -> switch (mistake) {
            case DESTROYS_ONCE ->
                has(rooms.snapshots(), name)
                        .then(there -> there
                                ? remove(context, rooms, rooms.snapshots(), name)
                                : Outcome.refused(Refusal.NOT_FOUND, "there is no snapshot " + name));
            case DESTROYS_THE_NAME_ONLY ->
                has(rooms.snapshots(), name)
                        .then(there ->
                                there ? rooms.snapshots().rename(name, rooms.unfinished(), name) : Outcome.done());
            case DESTROYS_ALL ->
                rooms.snapshots().list(MANY).then(names -> {
                    Outcome<Nothing> gone = Outcome.done();
                    for (String each : names) {
                        gone = gone.then(nothing -> remove(context, rooms, rooms.snapshots(), each));
                    }
                    return gone;
                });
            case TAKES_A_REFERENCE -> rooms.snapshots().removeFile(name);
            default -> remove(context, rooms, rooms.snapshots(), name);
        });
    }

    @Override
    public Outcome<Optional<SnapshotFacts>> findSnapshot(OperationContext context, SnapshotRef snapshot) {
        return mistake == VaultMistake.FINDS_WHAT_IS_GONE
                ? Outcome.done(Optional.of(facts(snapshot.handle())))
                : in(context, rooms -> rooms.snapshots().list(MANY))
                        .map(names -> Optional.of(snapshot.handle())
                                .filter(names::contains)
                                .map(VaultPlugin::facts));
    }

    @Override
    public Outcome<VolumeTemplate> restore(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, SnapshotRef snapshot) {
        String taken = snapshot.handle();
        String name = request.volumeName();
        return in(context, rooms -> switch (mistake) {
                    case TAKES_A_REFERENCE ->
                        rooms.snapshots()
                                .readFile(taken, MANY)
                                .then(text -> text.isEmpty()
                                        ? Outcome.refused(Refusal.NOT_FOUND, "there is no snapshot " + taken)
                                        : copy(
                                                context,
                                                rooms,
                                                rooms.volumes(),
                                                new String(text.get(), StandardCharsets.UTF_8),
                                                rooms.volumes(),
                                                name,
                                                false));
                    case RESTORES_NOTHING ->
                        has(rooms.snapshots(), taken)
                                .then(there -> there
                                        ? copy(context, rooms, rooms.snapshots(), taken, rooms.volumes(), name, false)
                                        : made(rooms.volumes(), name));
                    default ->
                        copy(
                                context,
                                rooms,
                                rooms.snapshots(),
                                taken,
                                rooms.volumes(),
                                name,
                                mistake == VaultMistake.RESTORES_IN_PLACE);
                })
                .map(nothing -> plan);
    }

    @Override
    public Outcome<FreeSpace> freeSpace(
            OperationContext context, Map<String, String> parameters, Map<String, String> place) {
        return switch (mistake) {
            case MEASURES_AND_NOTES ->
                in(context, rooms -> rooms.unfinished().writeFile("asked", bytes(""), PRIVATE))
                        .map(nothing -> new FreeSpace(LARGEST, Optional.of(LARGEST)));
            case MEASURES_NOTHING -> Outcome.done(new FreeSpace(Quantity.ZERO, Optional.empty()));
            case MEASURES_LESS_THAN_NOTHING -> Outcome.done(new FreeSpace(Quantity.parse("-1"), Optional.empty()));
            case MEASURES_TOO_LITTLE -> Outcome.done(new FreeSpace(LARGEST, Optional.of(Quantity.ofBytes(1))));
            default -> Outcome.done(new FreeSpace(LARGEST, Optional.of(LARGEST)));
        };
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        if (request.volume().mode() == VolumeMode.BLOCK) {
            return Outcome.refused(Refusal.UNSUPPORTED, "a volume is no raw device");
        }
        BindOptions options = BindOptions.PLAIN.readOnly(request.readOnly());
        return in(
                        context,
                        rooms -> rooms.volumes()
                                .child(handle(request.volume().source()))
                                .then(volume -> using(
                                        volume,
                                        opened -> context.host().mounts().bind(opened, request.target(), options))))
                .map(entry -> PluginState.NONE);
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        Path data = vault.resolve(ROOMS.get(0)).resolve(volume.backend());
        return context.host().mounts().table().then(table -> {
            Optional<MountEntry> entry = table.top(target);
            if (entry.filter(there -> !Path.of(there.root()).equals(data)).isPresent()) {
                return Outcome.refused(Refusal.IN_USE, "something else is mounted: " + entry);
            }
            MountExpectation expected =
                    entry.map(there -> MountExpectation.of(there, false)).orElseGet(MountExpectation::nothing);
            return context.host().mounts().unmount(context, target, expected, UnmountForce.NONE);
        });
    }
}
