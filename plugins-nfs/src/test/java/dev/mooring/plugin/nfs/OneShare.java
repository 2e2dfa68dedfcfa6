// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.made;
import static dev.mooring.plugin.nfs.Calls.source;
import static dev.mooring.plugin.nfs.Calls.value;
import static dev.mooring.plugin.nfs.Calls.volume;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** A share of a server in memory, what is made on it, and a process that dies after each of its changes. */
abstract class OneShare {
    final FakeHost host = new FakeHost();
    final NfsPlugin plugin =
            new NfsPlugin(NfsSettings.DEFAULT, Connector.NONE, (context, time) -> host.clock.pass(time));
    final Path share = host.export("/srv");

    @AfterEach
    void close() {
        host.close();
    }

    Calls.Context context(HostServices services) {
        return new Calls.Context(
                services, host.clock, host.clock.instant().plusSeconds(300), new AtomicReference<>(PluginState.NONE));
    }

    static Map<String, String> parameters(String... more) {
        Map<String, String> all = new TreeMap<>(Map.of("server", "server", "share", "/srv"));
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    Outcome<VolumeTemplate> provision(HostServices services, ProvisionRequest request) {
        return plugin.plan(request).then(plan -> plugin.provision(context(services), request, plan));
    }

    VolumeSpec provisioned(ProvisionRequest request) {
        return made(request, value(provision(host, request)));
    }

    Outcome<Nothing> delete(VolumeSpec volume) {
        return plugin.delete(context(host), volume);
    }

    static Path write(Path file) {
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, "content");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> names(Path directory) {
        String[] names = directory.toFile().list();
        return names == null
                ? List.of("(absent)")
                : Arrays.stream(names).sorted().toList();
    }

    /** Lets the process die after each of its changes; what is called again has to end as if nothing had happened. */
    int converge(Runnable prepare, Function<HostServices, Outcome<?>> call, Runnable check) {
        for (int changes = 1; ; changes++) {
            prepare.run();
            boolean died = false;
            try {
                value(call.apply(Crashing.after(changes, host)));
            } catch (Crashing.Death dead) {
                died = true;
                value(call.apply(host));
            }
            check.run();
            if (!died) {
                return changes - 1;
            }
        }
    }

    Path directory(String path) {
        try {
            return Files.createDirectories(share.resolve(path));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An administrator tidies up what was kept. */
    void wipe() {
        value(plugin.recycle(context(host), volume(source("server", "/srv"))));
    }
}
