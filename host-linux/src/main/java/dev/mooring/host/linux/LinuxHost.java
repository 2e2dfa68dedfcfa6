// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.device.AskingReader;
import dev.mooring.host.linux.device.DeviceIdentity;
import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.host.linux.device.DirectReader;
import dev.mooring.host.linux.device.LinuxBlockDevices;
import dev.mooring.host.linux.device.LinuxSysfs;
import dev.mooring.host.linux.file.LinuxFiles;
import dev.mooring.host.linux.file.ProjectQuotas;
import dev.mooring.host.linux.filesystem.Checking;
import dev.mooring.host.linux.filesystem.FileSystemSize;
import dev.mooring.host.linux.filesystem.Formatter;
import dev.mooring.host.linux.filesystem.Growing;
import dev.mooring.host.linux.filesystem.LinuxFileSystems;
import dev.mooring.host.linux.filesystem.LocalNotes;
import dev.mooring.host.linux.kernel.Architecture;
import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelLimits;
import dev.mooring.host.linux.process.ChangingProcesses;
import dev.mooring.host.linux.process.LinuxProcessRunner;
import dev.mooring.host.linux.process.NothingChanging;
import dev.mooring.host.linux.process.ProcessLedger;
import dev.mooring.host.linux.process.Tools;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The services of a Linux machine (x86_64, aarch64). Holds no descriptor between calls and no thread but those whose call the kernel has not
 * answered, so there is nothing to close; what {@link #followMounts} gives has to be. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LinuxHost implements HostServices {
    private final Kernel kernel;
    private final LinuxHostLayout layout;
    private final HostCapabilities capabilities;
    private final LinuxProcessRunner processes;
    private final LinuxMounts mounts;
    private final LinuxFiles files;
    private final LinuxSysfs sysfs;
    private final LinuxBlockDevices blockDevices;
    private final LinuxFileSystems fileSystems;
    private final ProjectQuotas quotas;

    private LinuxHost(LinuxHostLayout layout, Kernel kernel) {
        Tools tools = Tools.ofSystem();
        this.kernel = kernel;
        this.layout = layout;
        this.capabilities = CapabilityProbe.probe(kernel, tools);
        this.processes = new LinuxProcessRunner(
                kernel, tools, new ProcessLedger(layout.state().resolve("processes")));
        BoundedCalls calls = new BoundedCalls();
        this.sysfs = new LinuxSysfs(processes, Path.of("/"));
        KeptParts kept = new KeptParts(kernel, () -> layout.places().all().map(this::hidden));
        MountTableReader reader = new MountTableReader(() -> Files.readAllBytes(Path.of("/proc/self/mountinfo")));
        this.mounts = new LinuxMounts(kernel, capabilities, processes, reader, layout, kept, calls);
        this.files = new LinuxFiles(kernel, mounts);
        this.blockDevices = new LinuxBlockDevices(kernel, calls, sysfs, mounts::table);
        this.fileSystems = fileSystems(kernel, calls);
        this.quotas = new ProjectQuotas(kernel);
    }

    private List<Path> hidden(List<KeptPlace> places) {
        Stream<Path> noted = places.stream().filter(place -> !place.visible()).map(KeptPlace::path);
        return Stream.concat(Stream.of(layout.state()), noted).distinct().toList();
    }

    private LinuxFileSystems fileSystems(Kernel kernel, BoundedCalls calls) {
        DeviceProbe probe = new DeviceProbe(processes, new DirectReader(kernel, calls));
        Path notes = layout.state().resolve("filesystems");
        return new LinuxFileSystems(
                blockDevices,
                mounts,
                processes,
                probe,
                new Formatter(processes, processes, blockDevices, probe),
                new Checking(processes),
                new Growing(processes, blockDevices, mounts::table, new FileSystemSize(kernel, calls)),
                device -> LocalNotes.of(files, notes, device),
                new DeviceIdentity(sysfs));
    }

    /**
     * The services of this machine.
     *
     * @param layout where the host keeps things
     * @return the services; empty on another system or processor, and on a kernel that is too old ({@link KernelRelease#whyTooOld})
     */
    public static Optional<LinuxHost> ofThisMachine(LinuxHostLayout layout) {
        if (KernelRelease.running().flatMap(KernelRelease::whyTooOld).isPresent()) {
            return Optional.empty();
        }
        return Architecture.ofThisMachine().map(machine -> new LinuxHost(layout, new Kernel(machine)));
    }

    /** How many files this process may have open, read once; empty if that is unknown or unlimited. */
    public static OptionalLong openFilesLimit() {
        return KernelLimits.openFiles();
    }

    /**
     * What this host does with file systems, upon devices, mounts and tools that are not this machine's: for simulated machines. All
     * that is decided about a device (S16) is decided as on a real one. Nothing grows; a device without a volume object has no notes;
     * a tool that has answered changes nothing any more.
     *
     * @param devices the devices, {@link BlockDevices#isZero} among what they answer
     * @param mounts the mounts
     * @param tools run {@code blkid}, {@code mkfs.TYPE}, {@code e2fsck}
     * @param heads the first 72 KiB of a device, in which superblocks are; fewer bytes if it is smaller or they would be zeros
     * @return the file systems, which keep nothing but what they need to repeat themselves; never null
     */
    public static FileSystems fileSystems(
            BlockDevices devices, Mounts mounts, ProcessRunner tools, Function<BlockDevice, Outcome<byte[]>> heads) {
        ChangingProcesses ended = new NothingChanging();
        DeviceProbe probe = new DeviceProbe(tools, new AskingReader(devices, heads));
        return new LinuxFileSystems(
                devices,
                mounts,
                ended,
                probe,
                new Formatter(tools, ended, devices, probe),
                new Checking(tools),
                new Growing(
                        tools,
                        devices,
                        mounts::table,
                        (context, device, mounted) -> Outcome.refused(Refusal.UNSUPPORTED, "no file system to ask")),
                device -> Optional.empty(),
                DeviceIdentity::ofDisk);
    }

    @Override
    public HostCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public ProcessRunner processes() {
        return processes;
    }

    @Override
    public Mounts mounts() {
        return mounts;
    }

    /**
     * Starts to follow the mount table; until the feed is closed {@link #mounts()} answers from it.
     *
     * @return the feed, to be closed by the caller; IN_USE if the table is followed already
     */
    public Outcome<MountTableFeed> followMounts() {
        return mounts.follow();
    }

    /**
     * Makes the directory below which volumes are shown to pods a mount of its own, which hostPath volumes of directories above it leave
     * out. Volumes are kept apart from one another from then on. To be called before the first volume is published; what an earlier process
     * has mounted there already stays.
     *
     * @param root an absolute path; the directory exists
     * @return the mount, to be closed by the caller when nothing is published any more, or when the process ends; DENIED if this process may
     *     not mount
     */
    public Outcome<RootMount> separate(Path root) {
        return mounts.separate(root);
    }

    @Override
    public HostFiles files() {
        return files;
    }

    @Override
    public BlockDevices blockDevices() {
        return blockDevices;
    }

    @Override
    public FileSystems fileSystems() {
        return fileSystems;
    }

    @Override
    public DirectoryQuotas quotas() {
        return quotas;
    }

    @Override
    public Sysfs sysfs() {
        return sysfs;
    }

    /** Named by the last part of the plugin's name without hyphens: {@code hostpath} for {@code kubernetes.io/host-path}. */
    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        String name = plugin.value();
        String last = name.substring(name.lastIndexOf('/') + 1);
        String directory = name.startsWith("kubernetes.io/") ? last.replace("-", "") : plugin.escaped();
        return Outcome.done(layout.state().resolve(directory));
    }

    /** The plugin may use its state directory and what it is given; every other place that Mooring keeps is refused. */
    @Override
    public HostServices forPlugin(PluginName plugin, List<Path> given) {
        List<Path> mine = Stream.concat(given.stream(), stateDirectory(plugin).result().stream())
                .toList();
        PlaceGuard guard = new PlaceGuard(kernel, mounts::table, new PlaceFinder(kernel, layout), mine);
        return new PluginHost(this, kernel, guard, files.guardedBy(guard));
    }
}
