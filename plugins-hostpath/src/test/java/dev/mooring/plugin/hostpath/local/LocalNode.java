// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.Sysfs;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** A node on the real kernel with disks that are loop devices; skips the test where there are none. */
final class LocalNode implements AutoCloseable {
    final HostPathNode node = new HostPathNode();
    private final Deque<String> loops = new ArrayDeque<>();
    LocalPlugin plugin = new LocalPlugin();

    /** What the kernel's files on devices say here, by the end of their paths; empty for a file that is not there. */
    final Map<String, Optional<String>> told = new TreeMap<>();

    /** The real host, but for what is told otherwise. */
    HostServices host() {
        HostServices real = node.host;
        return replacing(
                HostServices.class,
                real,
                method -> method.equals("sysfs")
                        ? Optional.of(replacing(Sysfs.class, real.sysfs(), name -> Optional.empty()))
                        : Optional.empty());
    }

    private <T> T replacing(Class<T> type, T real, Function<String, Optional<Object>> answers) {
        return type.cast(Proxy.newProxyInstance(
                LocalNode.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Optional<Object> answer = method.getName().equals("read")
                            ? read(arguments[0].toString())
                            : answers.apply(method.getName());
                    try {
                        return answer.isPresent() ? answer.get() : method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private Optional<Object> read(String path) {
        return told.entrySet().stream()
                .filter(entry -> path.endsWith(entry.getKey()))
                .<Object>map(entry -> Outcome.done(entry.getValue()))
                .findFirst();
    }

    /** From here on nothing but its path tells a device from others, as with disks of a virtual machine that have no serial. */
    void hideNames() {
        told.put("/loop/backing_file", Optional.empty());
    }

    OperationContext context() {
        return node.context(host());
    }

    void set(Map<String, String> settings) {
        plugin = (LocalPlugin) HostPathNode.value(new LocalPlugin().configured(settings));
    }

    /** A blank disk; a sparse file. */
    Path disk(String name, long bytes) {
        try {
            Path file = node.base.resolve(name + ".img");
            try (var channel = Files.newByteChannel(Files.createFile(file), StandardOpenOption.WRITE)) {
                channel.position(bytes - 1).write(ByteBuffer.wrap(new byte[1]));
            }
            return plug(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Path plug(Path file) {
        assumeTrue(Files.exists(Path.of("/dev/loop-control")), "needs loop devices");
        String loop =
                HostPathNode.tool("losetup", "-f", "--show", file.toString()).strip();
        loops.push(loop);
        return Path.of(loop);
    }

    void unplug(Path device) {
        loops.remove(device.toString());
        HostPathNode.tool("losetup", "-d", device.toString());
    }

    Path mountedDisk(String name) {
        Path disk = disk(name, 32L << 20);
        HostPathNode.tool("mkfs.ext4", "-q", disk.toString());
        Path place = node.directory("disks/" + name);
        HostPathNode.tool("mount", disk.toString(), place.toString());
        return place;
    }

    VolumeSpec volume(String name, Path path, VolumeMode mode, String... options) {
        return volume(name, path, mode, Quantity.parse("16Mi"), options);
    }

    VolumeSpec volume(String name, Path path, VolumeMode mode, Quantity capacity, String... options) {
        return new VolumeSpec(
                name,
                "uid-" + name,
                new LocalSource(path.toString(), "").toSource(),
                List.of(),
                mode,
                capacity,
                List.of(options),
                new TreeMap<>(node.notes.all));
    }

    VolumeSpec volume(String name, Path path, String... options) {
        return volume(name, path, VolumeMode.FILESYSTEM, options);
    }

    Path staging(VolumeSpec volume) {
        return node.directory("plugins/mounts").resolve(volume.name());
    }

    Outcome<PluginState> stage(VolumeSpec volume) {
        return stage(context(), volume);
    }

    Outcome<PluginState> stage(OperationContext context, VolumeSpec volume) {
        return stage(context, volume, false);
    }

    Outcome<PluginState> stage(OperationContext context, VolumeSpec volume, boolean readOnly) {
        Path place = node.directory("plugins/mounts/" + volume.name());
        return plugin.stage(context, new StageRequest(volume, place, Map.of(), readOnly));
    }

    Outcome<Nothing> unstage(VolumeSpec volume, PluginState state) {
        return plugin.unstage(context(), id(volume), staging(volume), state);
    }

    Path target(String pod) {
        return node.base.resolve("pods").resolve(pod);
    }

    PublishRequest request(VolumeSpec volume, String pod, boolean readOnly) {
        return new PublishRequest(
                volume,
                new PodRef("ns", pod, "uid-" + pod),
                target(pod),
                Optional.of(staging(volume)),
                readOnly,
                PublishRequest.Occasion.INITIAL);
    }

    Outcome<PluginState> publish(VolumeSpec volume, String pod, boolean readOnly) {
        return plugin.publish(context(), request(volume, pod, readOnly));
    }

    Outcome<Nothing> unpublish(VolumeSpec volume, String pod, PluginState state) {
        return plugin.unpublish(context(), id(volume), HostPathNode.POD, target(pod), state);
    }

    VolumeId id(VolumeSpec volume) {
        return plugin.identify(volume.source());
    }

    String delete(VolumeSpec volume) {
        return HostPathNode.answer(plugin.delete(context(), volume));
    }

    @Override
    public void close() throws IOException {
        node.unmountAll();
        loops.forEach(loop -> HostPathNode.tool("losetup", "-d", loop));
        node.close();
    }
}
