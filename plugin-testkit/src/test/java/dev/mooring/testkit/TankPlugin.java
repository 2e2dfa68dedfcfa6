// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeExpanding;
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
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What neither the example plugin nor {@link DiskPlugin} has: attaching, recycling, measuring and growing from outside. A tank is a
 * directory with data, the nodes to which it is attached, its size, and the size that the node has seen.
 */
final class TankPlugin
        implements StoragePlugin, Attaching, Publishing, Recycling, Statistics, ControllerExpanding, NodeExpanding {
    static final PluginName NAME = new PluginName("tank.example.com");
    static final String ATTACHED = "attached";
    static final String DATA = "data";
    static final String SIZE = "size";
    static final String SEEN = "seen";

    private static final String BEGUN = "begun";

    private final Path tanks;
    private final TankMistake mistake;

    TankPlugin(Path tanks, TankMistake mistake) {
        this.tanks = tanks;
        this.mistake = mistake;
    }

    static VolumeSource source(String tank) {
        return new CsiSource(NAME.value(), tank, "", false, Map.of()).toSource();
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
                        csi.driver().equals(NAME.value()) && csi.volumeHandle().matches("tank-\\d+"))
                .isPresent();
        return good ? List.of() : List.of(new FieldProblem("spec.csi.volumeHandle", "must name a tank"));
    }

    private <T> Outcome<T> in(
            OperationContext context, VolumeId volume, String name, Function<PinnedPath, Outcome<T>> action) {
        return context.host()
                .files()
                .open(tanks.resolve(volume.backend()).resolve(name), LinkRule.REFUSE)
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

    private static boolean isLate(OperationContext context) {
        return context.clock().instant().plusMillis(10).isAfter(context.deadline());
    }

    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return in(context, identify(volume.source()), ATTACHED, nodes -> nodes.writeFile(node.name(), bytes(""), 0600))
                .map(nothing -> Map.of());
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return in(context, volume, ATTACHED, nodes -> nodes.removeFile(node.name()));
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        if (mistake == TankMistake.OBSERVES_AND_THROWS) {
            throw new IllegalStateException("the storage does not answer");
        }
        Map<VolumeId, State> all = new HashMap<>();
        volumes.forEach(volume -> all.put(volume, state(context, node, volume)));
        if (mistake == TankMistake.OBSERVES_SOME) {
            all.values().removeIf(State.UNKNOWN::equals);
        }
        return all;
    }

    private State state(OperationContext context, NodeRef node, VolumeId volume) {
        State unknown = mistake == TankMistake.OBSERVES_WITHOUT_EVIDENCE ? State.DETACHED : State.UNKNOWN;
        return in(context, volume, ATTACHED, nodes -> nodes.readFile(node.name(), 1))
                .result()
                .map(file -> file.isPresent() ? State.ATTACHED : State.DETACHED)
                .orElse(unknown);
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        if (request.volume().mode() == VolumeMode.BLOCK) {
            return Outcome.refused(Refusal.UNSUPPORTED, "a tank is no raw device");
        }
        BindOptions options = BindOptions.PLAIN.readOnly(request.readOnly());
        return in(
                        context,
                        identify(request.volume().source()),
                        DATA,
                        data -> context.host().mounts().bind(data, request.target(), options))
                .map(entry -> PluginState.NONE);
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        Path data = tanks.resolve(volume.backend()).resolve(DATA);
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

    @Override
    public Outcome<Nothing> recycle(OperationContext context, VolumeSpec volume) {
        VolumeId id = identify(volume.source());
        if (mistake == TankMistake.RECYCLES_IN_NO_TIME && isLate(context)) {
            return Outcome.done();
        }
        return once(
                context,
                id,
                mistake == TankMistake.RECYCLES_ONCE,
                () -> in(context, id, DATA, data -> {
                    Outcome<Nothing> emptied = mistake == TankMistake.RECYCLES_WHAT_SHOWS
                            ? removeShown(data)
                            : data.facts()
                                    .then(facts -> context.host()
                                            .files()
                                            .empty(context, data, TreeRules.all(facts.identity())))
                                    .map(gone -> Nothing.NOTHING);
                    return mistake == TankMistake.RECYCLES_WITHOUT_LOOKING ? Outcome.done() : emptied;
                }));
    }

    private static Outcome<Nothing> removeShown(PinnedPath data) {
        return data.list(99).then(names -> {
            Outcome<Nothing> gone = Outcome.done();
            for (String name : names) {
                if (!name.startsWith(".")) {
                    gone = gone.then(nothing -> data.removeFile(name));
                }
            }
            return gone;
        });
    }

    /** Notes that something has begun and, if that is the mistake, does not begin it again. */
    private <T> Outcome<T> once(OperationContext context, VolumeId volume, boolean only, Supplier<Outcome<T>> action) {
        return in(context, volume, "", tank -> {
            if (!only) {
                return action.get();
            }
            return tank.readFile(BEGUN, 1)
                    .then(begun -> begun.isPresent()
                            ? Outcome.refused(Refusal.CORRUPT, "it was begun before")
                            : tank.writeFile(BEGUN, bytes(""), 0600)
                                    .then(nothing -> action.get())
                                    .then(answer -> tank.removeFile(BEGUN).map(nothing -> answer)));
        });
    }

    @Override
    public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
        Outcome<Nothing> noted = mistake == TankMistake.MEASURES_AND_NOTES
                ? in(context, volume, "", tank -> tank.writeFile("measured", bytes(""), 0600))
                : Outcome.done();
        return noted.then(nothing -> in(context, volume, DATA, PinnedPath::space))
                .map(space -> new Usage(
                        space.capacityBytes(),
                        mistake == TankMistake.MEASURES_TOO_MUCH ? space.capacityBytes() + 1 : space.usedBytes(),
                        space.availableBytes(),
                        space.inodes(),
                        space.freeInodes()));
    }

    private static Outcome<Quantity> size(PinnedPath tank, String of) {
        return tank.readFile(of, 64)
                .map(content -> content.map(bytes -> Quantity.parse(new String(bytes, StandardCharsets.UTF_8)))
                        .orElse(Quantity.ZERO));
    }

    private static Outcome<Nothing> write(PinnedPath tank, String of, Quantity size) {
        return tank.writeFile(of, bytes(size.toString()), 0600);
    }

    @Override
    public Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted) {
        VolumeId id = identify(volume.source());
        if (mistake == TankMistake.GROWS_IN_NO_TIME && isLate(context)) {
            return Outcome.done(new Expansion(wanted, true));
        }
        return in(context, id, "", tank -> size(tank, SIZE)).then(had -> {
            if (had.compareTo(wanted) >= 0) {
                return Outcome.done(new Expansion(had, true));
            }
            Quantity given = mistake == TankMistake.GROWS_BY_HALF ? Quantity.ofBytes(wanted.longValue() / 2) : wanted;
            Outcome<Nothing> grown = once(
                    context,
                    id,
                    mistake == TankMistake.GROWS_ONCE,
                    () -> in(context, id, "", tank -> write(tank, SIZE, given)));
            boolean hopes = mistake == TankMistake.GROWS_WITHOUT_LOOKING;
            return (hopes ? Outcome.done() : grown).map(nothing -> new Expansion(given, true));
        });
    }

    /** The device is scanned, and then its file system grown: two changes. */
    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        VolumeId id = identify(volume.source());
        return in(
                context,
                id,
                "",
                tank -> size(tank, SEEN).then(seen -> {
                    if (seen.compareTo(wanted) >= 0) {
                        return Outcome.done(seen);
                    }
                    return tank.writeFile("scanned", bytes(wanted.toString()), 0600)
                            .then(nothing -> {
                                if (mistake == TankMistake.SEES_WHEN_CANCELLED && context.cancelled()) {
                                    return Outcome.done(wanted);
                                }
                                Outcome<Nothing> grown =
                                        write(tank, SEEN, wanted).then(done -> tank.removeFile("scanned"));
                                return begun(grown).map(done -> wanted);
                            });
                }));
    }

    private Outcome<Nothing> begun(Outcome<Nothing> outcome) {
        return outcome.match(
                done -> outcome,
                refused -> Outcome.uncertain(refused.why()),
                uncertain -> outcome,
                deferred -> mistake == TankMistake.SEES_AND_SAYS_NOTHING_WAS_DONE
                        ? outcome
                        : Outcome.uncertain(deferred.why()),
                elsewhere -> outcome);
    }
}
