// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.host.linux.device.DirectReader;
import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.process.NothingChanging;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.FormatPolicy;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The real tools are killed while they make a file system on a loop device, at moments by chance. Whatever they leave ends mounted, or is
 * refused with advice that works when it is followed to the letter. What another node wrote meanwhile stays.
 */
class CutOffMakingTest {
    /** XFS makes none on less than 300 MiB. */
    private static final long SIZE = 320L << 20;

    /** On a volume, on one node, on two nodes. */
    private static final int STORIES = 3;

    /** By chance: mkfs.btrfs refuses one that any device of the machine has, and a test that was killed may have left such a device. */
    private static final String IDENTITY = UUID.randomUUID().toString();

    private static final Pattern WIPE = Pattern.compile("wipe it \\(([^)]+)\\)");
    private static final Pattern REMOVE = Pattern.compile("remove the note \\(file ([^)]+)\\)");

    private final Map<String, Integer> ends = new TreeMap<>();
    private KernelMachine machine;
    private Path target;
    private BlockDevice disk;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
        machine.directory("mounts");
        target = machine.base.resolve("mounts/volume");
        disk = machine.disk("disk", SIZE);
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"ext3", "ext4", "xfs", "btrfs"})
    void whatAKilledMakingLeavesEndsMounted(String type, TestReporter reporter) throws IOException {
        play(type, 26, STORIES, reporter);
    }

    /** Two hundred for each type, in parts, since each test has a limit. */
    @Tag("hours")
    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("parts")
    void whatAnyOfTwoHundredKilledMakingsLeavesEndsMounted(String type, long seed, TestReporter reporter)
            throws IOException {
        play(type, seed, 40, reporter);
    }

    static Stream<Arguments> parts() {
        return Stream.of("ext3", "ext4", "xfs", "btrfs")
                .flatMap(type -> LongStream.rangeClosed(1, 5).mapToObj(seed -> Arguments.of(type, seed)));
    }

    /** Each of the stories in turn. */
    private void play(String type, long seed, int rounds, TestReporter reporter) throws IOException {
        assumeTrue(machine.host.processes().locate("mkfs." + type).isPresent(), "needs mkfs." + type);
        Random random = new Random(seed);
        long began = System.nanoTime();
        blank();
        make(type, Long.MAX_VALUE);
        long takes = System.nanoTime() - began;
        for (int round = 0; round < rounds; round++) {
            String story = type + ", seed " + seed + ", round " + round;
            blank();
            long after = (long) (random.nextDouble() * takes);
            switch (round % STORIES) {
                case 0 -> onAVolume(type, after, story);
                case 1 -> onOneNode(type, after, story);
                default -> onTwoNodes(type, round % 2 == 0 ? Long.MAX_VALUE : after, random.nextBoolean(), story);
            }
        }
        reporter.publishEntry(type + ", seed " + seed, ends.toString());
    }

    /** The note is on the PersistentVolume, which all nodes see. */
    private void onAVolume(String type, long after, String story) throws IOException {
        MemoryNotes onVolume = new MemoryNotes();
        onVolume.values.put(FileSystems.NOTE, "pending:" + type + ":" + IDENTITY);
        make(type, after);

        MountEntry mounted = mountedAtLast(node("a"), type, onVolume, story);

        assertThat(onVolume.values).as(story).containsEntry(FileSystems.NOTE, type + ":" + IDENTITY);
        keepsItsContent(node("a"), mounted, type, onVolume, story);
    }

    /** The note is the node's own, and no other node has the disk. */
    private void onOneNode(String type, long after, String story) throws IOException {
        noted("a", type);
        make(type, after);

        MountEntry mounted = mountedAtLast(node("a"), type, VolumeNotes.NONE, story);

        assertThat(note("a")).as(story).hasContent(type + ":" + IDENTITY);
        keepsItsContent(node("a"), mounted, type, VolumeNotes.NONE, story);
    }

    /** Node a is cut off, node b uses the disk and maybe dies with it, the pod comes back to node a, whose note still says pending. */
    private void onTwoNodes(String type, long after, boolean dies, String story) throws IOException {
        noted("a", type);
        Files.deleteIfExists(note("b"));
        make(type, after);

        MountEntry mounted = mountedAtLast(node("b"), type, VolumeNotes.NONE, story);
        Files.writeString(target.resolve("data"), "of the other node");
        KernelMachine.tool("sync", "-f", target.toString());
        if (dies) {
            KernelMachine.tool("cp", "--sparse=always", image(), image() + ".then");
        }
        unmount(mounted);
        if (dies) {
            KernelMachine.tool("dd", "if=" + image() + ".then", "of=" + disk.path(), "bs=1M", "conv=fsync");
            flush();
        }

        mountedAtLast(node("a"), type, VolumeNotes.NONE, story);
        assertThat(target.resolve("data")).as(story).hasContent("of the other node");
        unmount(entry());
    }

    // ---- what a user does ----

    /** Follows the advice to the letter until it is mounted. */
    private MountEntry mountedAtLast(FileSystems node, String type, VolumeNotes notes, String story)
            throws IOException {
        String end = "";
        for (int attempt = 0; attempt < 3; attempt++) {
            Outcome<MountEntry> outcome = node.mount(machine.context(), disk, target, request(type, notes));
            if (outcome.isDone()) {
                ends.merge(end.isEmpty() ? "mounted" : "mounted after advice:" + end, 1, Integer::sum);
                return outcome.result().orElseThrow();
            }
            String why = outcome.message();
            Matcher remove = REMOVE.matcher(why);
            Matcher wipe = WIPE.matcher(why);
            if (remove.find()) {
                Files.delete(Path.of(remove.group(1)));
                end += " remove the note";
            } else if (wipe.find()) {
                KernelMachine.tool(wipe.group(1).split(" ", -1));
                end += " wipe";
            } else {
                throw new AssertionError(story + ": refused without advice: " + why);
            }
        }
        throw new AssertionError(story + ": the advice did not help:" + end);
    }

    private void keepsItsContent(FileSystems node, MountEntry mounted, String type, VolumeNotes notes, String story)
            throws IOException {
        Files.writeString(target.resolve("data"), "kept");
        unmount(mounted);
        MountEntry again = KernelMachine.value(node.mount(machine.context(), disk, target, request(type, notes)));
        assertThat(target.resolve("data")).as(story).hasContent("kept");
        unmount(again);
    }

    private static FileSystemRequest request(String type, VolumeNotes notes) {
        return new FileSystemRequest(type, FormatPolicy.IF_BLANK, false, false, List.of(), SIZE, notes);
    }

    private MountEntry entry() {
        return machine.mountsAt(target).get(0);
    }

    private void unmount(MountEntry mounted) {
        assertThat(machine.host
                        .mounts()
                        .unmount(machine.context(), target, MountExpectation.of(mounted, false), UnmountForce.NONE))
                .isEqualTo(Outcome.done());
    }

    // ---- nodes that see one disk ----

    private FileSystems node(String name) {
        BoundedCalls calls = new BoundedCalls();
        var processes = machine.host.processes();
        var devices = machine.host.blockDevices();
        DeviceProbe probe = new DeviceProbe(processes, new DirectReader(machine.kernel, calls));
        return new LinuxFileSystems(
                devices,
                machine.host.mounts(),
                new NothingChanging(),
                probe,
                new Formatter(processes, new NothingChanging(), devices, probe),
                new Checking(processes),
                new Growing(
                        processes, devices, machine.host.mounts()::table, new FileSystemSize(machine.kernel, calls)),
                device -> LocalNotes.of(machine.host.files(), state(name), withIdentity(device)),
                BlockDevice::number);
    }

    /** A loop device has no identity that lasts; what stands for a disk of a server has one. */
    private static BlockDevice withIdentity(BlockDevice device) {
        return new BlockDevice(
                device.name(),
                device.path(),
                device.number(),
                device.sizeBytes(),
                device.readOnly(),
                Optional.of("naa.1"));
    }

    private Path state(String node) {
        return machine.directory("node-" + node);
    }

    private Path note(String node) {
        return state(node).resolve("naa.1").resolve("filesystem");
    }

    private void noted(String node, String type) throws IOException {
        Files.createDirectories(note(node).getParent());
        Files.writeString(note(node), "pending:" + type + ":" + IDENTITY + "\n");
    }

    // ---- the disk ----

    private String image() {
        return machine.base.resolve("disk").toString();
    }

    private void blank() {
        KernelMachine.tool("blkdiscard", "--force", "--zeroout", disk.path().toString());
    }

    private void flush() {
        KernelMachine.tool("blockdev", "--flushbufs", disk.path().toString());
    }

    /** The very command that is run for a file system; it is killed after so long, if it has not ended. */
    private void make(String type, long nanos) throws IOException {
        Command command = KernelMachine.value(FileSystemTools.make(type, IDENTITY, disk.path()));
        List<String> words = new ArrayList<>();
        words.add(machine.host.processes().locate(command.tool()).orElseThrow().toString());
        words.addAll(command.arguments());
        Process tool = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (nanos < Long.MAX_VALUE) {
                LockSupport.parkNanos(nanos);
                tool.destroyForcibly();
            }
            tool.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        flush();
    }
}
