// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.kernel.Architecture;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A playground on the real kernel: a directory of its own, with everything unmounted again in the end. */
public final class KernelMachine implements AutoCloseable {
    public final Path base;
    public final Kernel kernel;
    public final LinuxHostLayout layout;
    public final LinuxHost host;
    private final List<Path> disks = new ArrayList<>();

    /** Skips the test, with the reason, where a feature is missing; then nothing has been made yet. */
    public KernelMachine(HostFeature... needed) {
        assumeTrue(Architecture.ofThisMachine().isPresent(), "needs Linux on x86_64 or aarch64");
        HostCapabilities here = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")))
                .orElseThrow()
                .capabilities();
        for (HostFeature feature : needed) {
            assumeTrue(
                    here.has(feature),
                    () -> feature + ": " + here.whyMissing(feature).orElse(""));
        }
        try {
            base = Files.createTempDirectory("mooring-test").toRealPath();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        kernel = new Kernel(Architecture.ofThisMachine().orElseThrow());
        layout = new LinuxHostLayout(
                base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places")));
        host = LinuxHost.ofThisMachine(layout).orElseThrow();
    }

    public TimedCall context() {
        return TimedCall.of(host);
    }

    public Path directory(String name) {
        try {
            return Files.createDirectories(base.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public Path file(String name, String content) {
        try {
            Path file = base.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A tmpfs whose mounts are shared, as below a kubelet. */
    public Path sharedRoot(String name) {
        Path root = directory(name);
        tool("mount", "-t", "tmpfs", "mooring-test", root.toString());
        tool("mount", "--make-shared", root.toString());
        return root;
    }

    /** A loop device over a new sparse file, which programs take for a disk. It goes with the machine. */
    public BlockDevice disk(String name, long bytes) {
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "needs loop devices");
        resize(name, bytes);
        disks.add(base.resolve(name));
        return value(host.blockDevices().attachLoop(context(), base.resolve(name)));
    }

    /** Gives a file a size; what it had is kept as far as it fits. */
    public void resize(String name, long bytes) {
        try (RandomAccessFile sparse = new RandomAccessFile(base.resolve(name).toFile(), "rw")) {
            sparse.setLength(bytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the kernel lets this process grow an ext4 file system: CAP_SYS_RESOURCE. */
    public boolean mayGrow() {
        String status = value(host.sysfs().read(Path.of("/proc/self/status"))).orElse("");
        return status.lines()
                .filter(line -> line.startsWith("CapEff:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> 24 & 1) == 1);
    }

    public PinnedPath open(Path path) {
        return value(host.files().open(path, LinkRule.FOLLOW));
    }

    public List<MountEntry> mountsAt(Path path) {
        return value(host.mounts().table()).at(path);
    }

    public static <T> T value(Outcome<T> outcome) {
        assertThat(outcome.isDone()).as(outcome::toString).isTrue();
        return outcome.result().orElseThrow();
    }

    public static Optional<Refusal> refusal(Outcome<?> outcome) {
        return outcome.match(
                done -> Optional.empty(),
                refused -> Optional.of(refused.refusal()),
                uncertain -> Optional.empty(),
                deferred -> Optional.empty(),
                elsewhere -> Optional.empty());
    }

    public static String kindOf(Outcome<?> outcome) {
        return outcome.match(
                done -> "done",
                refused -> refused.refusal().toString(),
                uncertain -> "uncertain",
                deferred -> "deferred",
                elsewhere -> "elsewhere");
    }

    /** Runs a tool, which has to succeed. */
    public static String tool(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a program of the tests in a JVM of its own, started by another program; what it says. */
    public static String inJvm(List<String> by, Class<?> program, String... arguments) {
        List<String> words = new ArrayList<>(by);
        String classes = System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", "");
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // From 24 on the JVM warns of native access that was not allowed, among what the program says.
        if (Runtime.version().feature() >= 22) {
            words.add("--enable-native-access=ALL-UNNAMED");
        }
        words.addAll(List.of("-cp", classes, program.getName()));
        words.addAll(List.of(arguments));
        return tool(words.toArray(String[]::new)).strip();
    }

    @Override
    public void close() throws IOException {
        unmountAll();
        disks.forEach(disk -> value(host.blockDevices().detachLoop(context(), disk)));
        Files.walkFileTree(base, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void unmountAll() {
        for (int round = 0; round < 1000; round++) {
            List<MountEntry> left = value(host.mounts().table()).below(base);
            if (left.isEmpty()) {
                return;
            }
            try {
                kernel.unmount(Kernel.name(left.get(left.size() - 1).mountPoint()), 2 | 8);
            } catch (KernelException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
