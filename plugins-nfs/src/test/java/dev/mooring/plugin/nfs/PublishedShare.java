// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.source;
import static dev.mooring.plugin.nfs.Calls.value;
import static dev.mooring.plugin.nfs.Calls.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;

/** A volume of a server in memory, and the plugin that mounts it. */
abstract class PublishedShare {
    FakeHost host = new FakeHost();
    final VolumeSpec volume = volume(source("server", "/a"));
    NfsPlugin plugin = freshPlugin();

    NfsPlugin freshPlugin() {
        host.export("/a");
        host.export("/b");
        return new NfsPlugin(NfsSettings.DEFAULT, Connector.NONE, (context, time) -> host.clock.pass(time));
    }

    @AfterEach
    void close() {
        host.close();
    }

    Outcome<PluginState> publish(VolumeSpec volume) {
        return publish(host, volume, false, Occasion.INITIAL);
    }

    Outcome<PluginState> publish(HostServices services, VolumeSpec volume, boolean readOnly, Occasion occasion) {
        return plugin.publish(
                new Calls.Context(services, host.clock, host.clock.instant().plusSeconds(120), memory()),
                Calls.request(volume, host.target("t"), readOnly, occasion));
    }

    static AtomicReference<PluginState> memory() {
        return new AtomicReference<>(PluginState.NONE);
    }

    Outcome<Nothing> unpublish(PluginState state) {
        return unpublish(host, state);
    }

    Outcome<Nothing> unpublish(HostServices services, PluginState state) {
        return plugin.unpublish(
                new Calls.Context(services, host.clock, host.clock.instant().plusSeconds(120), memory()),
                plugin.identify(volume.source()),
                Calls.POD,
                host.target("t"),
                state);
    }

    void foreign(String type) {
        host.table.add(new MountEntry(
                9,
                1,
                "0:9",
                "/",
                false,
                host.target("t"),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                type,
                type.equals("ext4") ? "server:/a" : "server:/b",
                List.of()));
    }

    /** An exclusive volume whose mount is out of sight while the kernel still writes. */
    PluginState drainingState() {
        PluginState state = value(publish(Calls.withModes(volume, AccessMode.READ_WRITE_ONCE_POD)));
        host.dead.add("server");
        host.abortHelps = false;
        assertThat(answer(unpublish(state))).isEqualTo("uncertain");
        return state;
    }

    MountEntry numbered(String device, String type, String source, String superOptions) {
        return new MountEntry(
                99,
                1,
                device,
                "/",
                false,
                host.target("another-pods"),
                List.of("rw"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                type,
                source,
                List.of(superOptions.split(",")));
    }
}
