// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract with plugins, at every point of every call, on a machine whose mounts are imagined. */
@Tag("long")
class ImaginedConformanceTest implements PluginConformance {
    static final String SHARE = "/srv/kit";

    /** Says why where it cannot run. */
    @BeforeAll
    static void canRun() {
        new FakeHost().close();
    }

    @Override
    public StoragePlugin plugin(Machine machine) {
        return new NfsPlugin(NfsSettings.DEFAULT, Connector.NONE, (context, time) -> {});
    }

    @Override
    public Machine machine() {
        FakeHost host = new FakeHost();
        host.export(SHARE);
        return new Machine(host.base, host, host::close);
    }

    /** The server that exports {@link #share}. */
    String server() {
        return "server";
    }

    /** The export on which volumes are made. */
    String share(Machine machine) {
        return SHARE;
    }

    /** Where the share's files are. */
    Path files(Machine machine) {
        return machine.directory().resolve("server" + SHARE);
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("server", server(), "share", SHARE, "mountPermissions", "0777");
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_MANY);
    }

    @Override
    public List<VolumeSource> faultySources() {
        return List.of(
                new NfsSource("", "/a", false).toSource(),
                new NfsSource("server", "relative", false).toSource(),
                new NfsSource("server", "/a/../b", false).toSource());
    }

    @Override
    public List<Map<String, String>> faultyParameters() {
        return List.of(Map.of(), Map.of("server", server(), "share", SHARE, "onDelete", "burn"));
    }

    /** A directory of the export that was there before. */
    @Override
    public List<VolumeSource> foreignSources(Machine machine) {
        Path hand = NfsNode.directory(files(machine).resolve("by-hand"));
        try {
            Files.writeString(hand.resolve("precious"), "x");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(new NfsSource(server(), share(machine) + "/by-hand", false).toSource());
    }

    /** Recycling is for what was made by hand, but not while a pod uses it. */
    @Override
    public List<VolumeSource> foreignToRecycle(Machine machine) {
        List<VolumeSource> used = foreignSources(machine);
        used.forEach(source -> Calls.value(plugin(machine)
                .capability(Publishing.class)
                .orElseThrow()
                .publish(
                        new Calls.Context(machine.host()),
                        Calls.request(
                                Calls.volume(source),
                                machine.directory().resolve("pods/other"),
                                false,
                                PublishRequest.Occasion.INITIAL))));
        return used;
    }
}
