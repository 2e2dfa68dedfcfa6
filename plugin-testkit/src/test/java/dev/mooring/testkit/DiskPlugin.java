// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Fencing;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the example plugin has not: raw devices, fencing, recognising and modifying, on a machine in memory. A disk is a directory with an
 * image, data, and what the storage itself knows: who is fenced, and its attributes.
 */
final class DiskPlugin implements StoragePlugin, Staging, Publishing, BlockMapping, Fencing, Reconstructing, Modifying {
    static final PluginName NAME = new PluginName("disk.example.com");
    static final Set<String> ATTRIBUTES = Set.of("speed", "tier");
    static final String FENCED = "fenced";

    private static final String LOOP = "loop";
    private static final String IMAGE = "image";
    private static final String DATA = "data";

    private final Path disks;
    private final DiskMistake mistake;

    DiskPlugin(Path disks, DiskMistake mistake) {
        this.disks = disks;
        this.mistake = mistake;
    }

    static VolumeSource source(String disk) {
        return new CsiSource(NAME.value(), disk, "", false, Map.of()).toSource();
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(), Place.NODE).withManagesOwnership(true);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, CsiSource.of(source).orElseThrow().volumeHandle());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        boolean good = CsiSource.of(source)
                .filter(csi ->
                        csi.driver().equals(NAME.value()) && csi.volumeHandle().matches("disk-\\d+"))
                .isPresent();
        return good ? List.of() : List.of(new FieldProblem("spec.csi.volumeHandle", "must name a disk"));
    }

    private <T> Outcome<T> in(OperationContext context, VolumeId volume, Function<PinnedPath, Outcome<T>> action) {
        return context.host()
                .files()
                .open(disks.resolve(volume.backend()), LinkRule.REFUSE)
                .then(opened -> using(opened, action));
    }

    private static <T> Outcome<T> using(PinnedPath opened, Function<PinnedPath, Outcome<T>> action) {
        try (opened) {
            return action.apply(opened);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> Outcome<T> begun(Outcome<T> outcome) {
        return outcome.match(
                done -> outcome,
                refused -> Outcome.uncertain(refused.why()),
                uncertain -> outcome,
                deferred -> Outcome.uncertain(deferred.why()),
                elsewhere -> outcome);
    }

    private Path image(VolumeId volume) {
        return disks.resolve(volume.backend()).resolve(IMAGE);
    }

    private static boolean isLate(OperationContext context) {
        return context.clock().instant().plusMillis(10).isAfter(context.deadline());
    }

    @Override
    public Path stagingDirectory(VolumeSpec volume, VolumeId id) {
        return mistake == DiskMistake.STAGES_IN_ONE_PLACE
                ? Path.of("disk")
                : Staging.super.stagingDirectory(volume, id);
    }

    @Override
    public Path mapDirectory(VolumeSpec volume, VolumeId id) {
        return mistake == DiskMistake.MAPS_OUTSIDE
                ? Path.of("..").resolve(id.backend())
                : BlockMapping.super.mapDirectory(volume, id);
    }

    @Override
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        VolumeId volume = identify(request.volume().source());
        return in(
                        context,
                        volume,
                        disk -> request.volume().mode() == VolumeMode.BLOCK
                                ? context.host()
                                        .blockDevices()
                                        .attachLoop(context, image(volume))
                                        .then(device -> begun(disk.writeFile(LOOP, bytes(device.name()), 0600)))
                                : Outcome.done())
                .map(nothing -> PluginState.NONE);
    }

    @Override
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        return in(
                context,
                volume,
                disk -> disk.removeFile(LOOP)
                        .then(nothing -> begun(context.host().blockDevices().detachLoop(context, image(volume)))));
    }

    @Override
    public Outcome<Path> map(OperationContext context, PublishRequest request) {
        VolumeId volume = identify(request.volume().source());
        return switch (mistake) {
            case MAPS_THE_FIRST -> context.host().blockDevices().named("loop0").map(BlockDevice::path);
            case MAPS_UNSTAGED ->
                context.host().blockDevices().attachLoop(context, image(volume)).map(BlockDevice::path);
            default ->
                in(context, volume, disk -> disk.readFile(LOOP, 64))
                        .then(name -> name.isEmpty()
                                ? unstaged(volume)
                                : context.host()
                                        .blockDevices()
                                        .named(new String(name.get(), StandardCharsets.UTF_8))
                                        .map(BlockDevice::path));
        };
    }

    private Outcome<Path> unstaged(VolumeId volume) {
        return mistake == DiskMistake.MAPS_WHAT_WILL_BE
                ? Outcome.done(Path.of("/dev/loop99"))
                : Outcome.deferred(volume + " is not staged");
    }

    @Override
    public Outcome<Nothing> unmap(OperationContext context, VolumeId volume, PodRef pod) {
        return mistake == DiskMistake.UNMAPS_FOR_ALL
                ? context.host().blockDevices().detachLoop(context, image(volume))
                : Outcome.done();
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return in(
                        context,
                        identify(request.volume().source()),
                        disk -> disk.child(DATA)
                                .then(data -> using(
                                        data,
                                        opened -> context.host()
                                                .mounts()
                                                .bind(
                                                        opened,
                                                        request.target(),
                                                        BindOptions.PLAIN.readOnly(request.readOnly())))))
                .map(entry -> PluginState.NONE);
    }

    /** The disk that a mount shows. */
    private Optional<String> shown(MountEntry entry) {
        Path root = Path.of(entry.root());
        return Optional.of(root)
                .filter(path -> path.startsWith(disks) && path.endsWith(DATA))
                .map(path -> path.getName(disks.getNameCount()).toString());
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return context.host().mounts().table().then(table -> {
            Optional<MountEntry> entry = table.top(target);
            boolean foreign = entry.isPresent()
                    && entry.flatMap(this::shown)
                            .filter(volume.backend()::equals)
                            .isEmpty();
            MountExpectation expected =
                    entry.map(mount -> MountExpectation.of(mount, false)).orElseGet(() -> MountExpectation.nothing());
            return foreign
                    ? Outcome.refused(Refusal.IN_USE, "something else is mounted: " + entry)
                    : context.host().mounts().unmount(context, target, expected, UnmountForce.NONE);
        });
    }

    @Override
    public Outcome<Nothing> fence(OperationContext context, VolumeId volume, NodeRef lost) {
        if (mistake == DiskMistake.FENCES_IN_NO_TIME && isLate(context)) {
            return Outcome.done();
        }
        Outcome<Nothing> fenced = in(
                context,
                volume,
                disk -> disk.child(FENCED).then(list -> using(list, nodes -> fence(context, nodes, lost))));
        return switch (mistake) {
            case FENCES_NOTHING -> in(context, volume, disk -> Outcome.done());
            case FENCES_THE_UNKNOWN -> isAbsent(fenced) ? Outcome.done() : fenced;
            case FENCES_WITHOUT_LOOKING -> isAbsent(fenced) ? fenced : Outcome.done();
            default -> fenced;
        };
    }

    private Outcome<Nothing> fence(OperationContext context, PinnedPath nodes, NodeRef lost) {
        Outcome<Nothing> fenced = nodes.writeFile(lost.name(), bytes(""), 0600);
        return mistake == DiskMistake.FENCES_ALL
                ? fenced.then(
                        nothing -> nodes.writeFile(context.node().orElseThrow().name(), bytes(""), 0600))
                : fenced;
    }

    private static boolean isAbsent(Outcome<?> outcome) {
        return outcome.match(
                done -> false,
                refused -> refused.refusal() == Refusal.NOT_FOUND,
                uncertain -> false,
                deferred -> false,
                elsewhere -> false);
    }

    @Override
    public Outcome<Nothing> unfence(OperationContext context, VolumeId volume, NodeRef back) {
        return in(
                context,
                volume,
                disk -> disk.child(FENCED).then(list -> using(list, nodes -> nodes.removeFile(back.name()))));
    }

    @Override
    public Outcome<Adopted> reconstruct(OperationContext context, Path path) {
        return context.host().mounts().table().then(table -> {
            Optional<String> disk = table.top(path)
                    .flatMap(mount ->
                            mistake == DiskMistake.RECOGNISES_EVERYTHING ? Optional.of("disk-1") : shown(mount));
            if (disk.isEmpty()) {
                return Outcome.refused(Refusal.NOT_FOUND, "no disk is mounted at " + path);
            }
            String name = mistake == DiskMistake.RECOGNISES_ANOTHER ? "disk-0" : disk.get();
            Outcome<Nothing> noted = mistake == DiskMistake.RECOGNISES_AND_CHANGES
                    ? in(context, new VolumeId(NAME, name), opened -> opened.writeFile("adopted", bytes(""), 0600))
                    : Outcome.done();
            return noted.map(nothing -> new Adopted(source(name), PluginState.NONE));
        });
    }

    @Override
    public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
        if (mistake == DiskMistake.MODIFIES_IN_NO_TIME && isLate(context)) {
            return Outcome.done();
        }
        Map<String, String> known = new TreeMap<>(parameters);
        known.keySet().retainAll(ATTRIBUTES);
        boolean whole = known.equals(parameters);
        Outcome<Nothing> unknown = Outcome.refused(Refusal.INVALID, "a disk has " + ATTRIBUTES);
        boolean looksFirst = mistake != DiskMistake.MODIFIES_HALF && mistake != DiskMistake.MODIFIES_WHAT_IT_KNOWS;
        if (!whole && looksFirst) {
            return unknown;
        }
        Outcome<Nothing> given = mistake == DiskMistake.MODIFIES_NOTHING
                ? Outcome.done()
                : in(context, identify(volume.source()), disk -> write(disk, known));
        return whole || mistake == DiskMistake.MODIFIES_WHAT_IT_KNOWS ? given : given.then(nothing -> unknown);
    }

    private Outcome<Nothing> write(PinnedPath disk, Map<String, String> attributes) {
        boolean effect = false;
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            Outcome<Nothing> written = disk.writeFile(attribute.getKey(), bytes(attribute.getValue()), 0600);
            if (!written.isDone()) {
                return effect && mistake != DiskMistake.MODIFIES_AND_DEFERS ? begun(written) : written;
            }
            effect = true;
        }
        return Outcome.done();
    }
}
