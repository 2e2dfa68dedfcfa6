// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** A node with the plugin in a made-up world. A crash can be planned after any step; then everything but the agent goes on. */
// The anonymous objects are called by name, through Partial.
@SuppressWarnings({"UnusedMethod", "UnusedVariable"})
final class FakeNode implements HostServices {
    static final Path STAGING = Path.of("/var/staging");
    private static final int MAP_MINOR = 0;

    final FakeWorld world;
    final FakeTools tools;
    final InitiatorFiles files;
    final Map<String, String> secret = new TreeMap<>();
    final List<String> said = new ArrayList<>();
    private final Map<String, Map<String, String>> notes = new TreeMap<>();
    private final Map<String, AtomicReference<PluginState>> records = new TreeMap<>();
    /** Where the volumes' objects are. */
    final FakeNotes.Server server = new FakeNotes.Server();
    /** What came to pass, in order. */
    final List<String> steps = new ArrayList<>();

    /** What comes to pass while the agent waits. */
    Runnable waits = () -> {};

    /** What comes to pass while something is unmounted. */
    Runnable unmounts = () -> {};

    boolean unmountFails;
    boolean bindFails;
    private IscsiPlugin plugin = agent();
    private NodeRef self = new NodeRef("node-1", "node-uid-1");
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int stepsLeft = Integer.MAX_VALUE;

    FakeNode(Path root) {
        this(root, new FakeWorld());
    }

    FakeNode(Path root, FakeWorld world) {
        this.world = world;
        this.files = new InitiatorFiles(
                root, path -> world.mounts.containsKey(path.toString()), this::alive, () -> step("file"));
        this.tools = new FakeTools(world, root, this::alive, () -> step("tool"));
    }

    /** The agent dies. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private IscsiPlugin agent() {
        return new IscsiPlugin((context, moment) -> {
            passes(moment.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : moment);
            waits.run();
        });
    }

    void passes(Duration time) {
        now = now.plus(time);
        world.upTime = world.upTime.plus(time);
    }

    /** An administrator sets the wall clock. */
    void clockIsSet(Duration ahead) {
        now = now.plus(ahead);
    }

    void crashAfter(int count) {
        stepsLeft = count;
    }

    /** The agent starts again; nothing that it had in memory is left. */
    void restart() {
        stepsLeft = Integer.MAX_VALUE;
        plugin = agent();
    }

    void becomes(NodeRef other) {
        self = other;
        tools.becomes(other.name());
    }

    /** Nothing that a dead agent would do, not even in the end of a block, has an effect. */
    private void alive() {
        if (stepsLeft < 0) {
            throw new Crash();
        }
    }

    private void step(String what) {
        steps.add(what);
        if (--stepsLeft < 0) {
            throw new Crash();
        }
    }

    IscsiPlugin plugin() {
        return plugin;
    }

    InitiatorCall context(VolumeSpec volume) {
        return InitiatorCall.of(this, self, clock(), record(volume), notesFor(volume), said, secret);
    }

    /** As a node has them, for whatever call: a source without an object has none. */
    private VolumeNotes notesFor(VolumeSpec volume) {
        return volume.uid().isEmpty() ? VolumeNotes.NONE : new FakeNotes(notes(volume), server);
    }

    InstantSource clock() {
        return () -> now;
    }

    /** The annotations of the volume's object. */
    Map<String, String> notes(VolumeSpec volume) {
        return notes.computeIfAbsent(staging(volume).toString(), name -> new TreeMap<>());
    }

    /** What the host has recorded. */
    AtomicReference<PluginState> record(VolumeSpec volume) {
        return records.computeIfAbsent(staging(volume).toString(), name -> new AtomicReference<>(PluginState.NONE));
    }

    Outcome<PluginState> stage(VolumeSpec volume) {
        return stage(volume, Map.of());
    }

    Outcome<PluginState> stage(VolumeSpec volume, Map<String, String> attached) {
        return plugin.stage(context(volume), new StageRequest(volume, staging(volume), attached, false));
    }

    Outcome<PluginState> complete(VolumeSpec volume, PluginState state) {
        return plugin.complete(context(volume), new StageRequest(volume, staging(volume), Map.of(), false), state);
    }

    Outcome<Nothing> unstage(VolumeSpec volume, PluginState state) {
        Outcome<Nothing> outcome =
                plugin.unstage(context(volume), plugin.identify(volume.source()), staging(volume), state);
        if (outcome.isDone()) {
            record(volume).set(PluginState.NONE);
        }
        return outcome;
    }

    Outcome<Path> map(VolumeSpec volume) {
        PodRef pod = new PodRef("ns", "pod", "pod-uid");
        return plugin.map(
                context(volume),
                new PublishRequest(
                        volume, pod, Path.of("/pod"), Optional.empty(), false, PublishRequest.Occasion.INITIAL));
    }

    Path staging(VolumeSpec volume) {
        return STAGING.resolve(
                Sha256.hex(plugin.identify(volume.source()).toString()).substring(0, 8));
    }

    /** Everything that should be gone in the end. */
    List<String> traces() {
        List<String> traces = new ArrayList<>(world.traces());
        traces.addAll(tools.records());
        traces.addAll(ledger());
        return traces;
    }

    List<String> ledger() {
        return IscsiMachine.names(
                files.real(Path.of("/var/lib/mooring/iscsi/volumes")).toString());
    }

    @Override
    public HostCapabilities capabilities() {
        return new HostCapabilities(Map.of());
    }

    @Override
    public ProcessRunner processes() {
        return tools;
    }

    @Override
    public HostFiles files() {
        return Partial.of(HostFiles.class, files);
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName name) {
        return Outcome.done(Path.of("/var/lib/mooring/iscsi"));
    }

    private BlockDevice device(FakeWorld.Scsi disk) {
        return new BlockDevice(
                disk.name(),
                Path.of("/dev", disk.name()),
                disk.number(),
                disk.unit().bytes,
                world.readOnly.getOrDefault(disk.name(), false),
                disk.unit().wwid.isEmpty() ? Optional.empty() : Optional.of(disk.unit().wwid));
    }

    private Optional<BlockDevice> map() {
        if (world.mapped() && !world.pathless.isEmpty()) {
            return Optional.of(new BlockDevice(
                    "dm-0", Path.of("/dev/dm-0"), "253:" + MAP_MINOR, 64L << 20, false, Optional.of(world.pathless)));
        }
        return world.mapped()
                ? world.disks.values().stream().findFirst().map(disk -> {
                    BlockDevice path = device(disk);
                    return new BlockDevice(
                            "dm-0",
                            Path.of("/dev/dm-0"),
                            "253:" + MAP_MINOR,
                            path.sizeBytes(),
                            path.readOnly(),
                            path.wwid());
                })
                : Optional.empty();
    }

    @Override
    public BlockDevices blockDevices() {
        return Partial.of(BlockDevices.class, new Object() {
            Outcome<BlockDevice> find(Path path) {
                return named(String.valueOf(path.getFileName()));
            }

            Outcome<BlockDevice> named(String name) {
                Optional<BlockDevice> found =
                        name.equals("dm-0") ? map() : world.disk(name).map(FakeNode.this::device);
                return found.map(Outcome::done)
                        .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, "no device " + name));
            }

            Outcome<List<String>> users(OperationContext context, BlockDevice device) {
                List<String> users = new ArrayList<>();
                Optional.ofNullable(world.users.get(device.name())).ifPresent(users::add);
                world.mounts.forEach((path, number) -> {
                    if (number.equals(device.number())) {
                        users.add("mounted on " + path);
                    }
                });
                if (!device.name().equals("dm-0") && world.mapped()) {
                    users.add("held by dm-0");
                }
                return Outcome.done(users);
            }

            Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
                if (world.givenUp.contains(device.name())) {
                    return Outcome.uncertain("fsync: input/output error");
                }
                step("flush " + device.name());
                return Outcome.done();
            }

            Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean readOnly) {
                alive();
                world.readOnly.put(device.name(), readOnly);
                step("read-only " + device.name());
                return Outcome.done();
            }

            Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
                return named(device.name());
            }

            Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
                alive();
                world.disks.remove(device.name());
                step("remove " + device.name());
                return Outcome.done();
            }

            Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
                return Outcome.done(map());
            }

            Outcome<Nothing> detachLoop(OperationContext context, Path file) {
                throw new UnsupportedOperationException();
            }
        });
    }

    private static MountEntry entry(Path target, String number, boolean readOnly) {
        return new MountEntry(
                7,
                1,
                number,
                "/",
                false,
                target,
                List.of(readOnly ? "ro" : "rw"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                "ext4",
                "/dev/x",
                List.of());
    }

    @Override
    public FileSystems fileSystems() {
        return Partial.of(FileSystems.class, new Object() {
            Outcome<Optional<String>> probe(OperationContext context, BlockDevice device) {
                return Outcome.done(Optional.of("ext4"));
            }

            Outcome<MountEntry> mount(
                    OperationContext context, BlockDevice device, Path target, FileSystemRequest request) {
                requests.add(request);
                if (!world.mounts.containsKey(target.toString())) {
                    alive();
                    world.mounts.put(target.toString(), device.number());
                    step("mount");
                }
                return Outcome.done(entry(target, device.number(), request.readOnly()));
            }

            Outcome<Long> grow(OperationContext context, BlockDevice device, Path mountPoint) {
                step("grow");
                // in whole blocks
                return Outcome.done(device.sizeBytes() / 4096 * 4096);
            }
        });
    }

    final List<FileSystemRequest> requests = new ArrayList<>();

    @Override
    public Mounts mounts() {
        return Partial.of(Mounts.class, new Object() {
            Outcome<MountTable> table() {
                return Outcome.done(new MountTable(world.mounts.entrySet().stream()
                        .map(mount -> entry(Path.of(mount.getKey()), mount.getValue(), false))
                        .toList()));
            }

            Outcome<Nothing> unmount(
                    OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
                unmounts.run();
                Optional<String> there = Optional.ofNullable(world.mounts.get(target.toString()));
                if (there.isEmpty()) {
                    return Outcome.done();
                }
                if (unmountFails || !expected.fits(entry(target, there.get(), false))) {
                    return Outcome.refused(Refusal.IN_USE, target + " is busy");
                }
                alive();
                world.mounts.remove(target.toString());
                files.unlink(target);
                step("unmount");
                return Outcome.done();
            }

            /** A link to the directory shows it without what the table has below. */
            Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
                if (bindFails) {
                    return Outcome.refused(Refusal.UNSUPPORTED, "mount: function not implemented");
                }
                return source.resolved().map(shown -> {
                    world.mounts.put(target.toString(), "0:40");
                    files.link(target, shown);
                    return entry(target, "0:40", false);
                });
            }

            Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
                throw new UnsupportedOperationException();
            }
        });
    }

    @Override
    public DirectoryQuotas quotas() {
        return HostServices.none().quotas();
    }

    @Override
    public Sysfs sysfs() {
        return Partial.of(Sysfs.class, new Object() {
            Outcome<List<String>> list(Path directory) {
                int depth = directory.getNameCount();
                return Outcome.done(world.files().keySet().stream()
                        .filter(file -> file.startsWith(directory) && file.getNameCount() > depth)
                        .map(file -> file.getName(depth).toString())
                        .distinct()
                        .sorted()
                        .toList());
            }

            Outcome<Optional<String>> read(Path file) {
                return Outcome.done(Optional.ofNullable(world.files().get(file)));
            }

            Outcome<Optional<Path>> resolve(Path path) {
                return Outcome.done(world.sessions.stream()
                        .filter(session ->
                                path.equals(Path.of("/sys/class/iscsi_session/session" + session.number, "device")))
                        .map(FakeWorld::device)
                        .findFirst());
            }

            Outcome<Nothing> write(OperationContext context, Path file, String text) {
                String[] words = text.split(" ", -1);
                int host = Integer.parseInt(
                        file.getName(file.getNameCount() - 2).toString().substring("host".length()));
                alive();
                world.scan(host, Long.parseLong(words[2]));
                step("scan " + text);
                return Outcome.done();
            }
        });
    }
}
