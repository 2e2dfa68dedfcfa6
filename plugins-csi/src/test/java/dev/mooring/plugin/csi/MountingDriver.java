// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What a driver mounts on a machine in memory: the directory {@code disk} at every path that it stages or publishes.
 *
 * @param machine the machine
 * @param disk what is shown
 */
record MountingDriver(HostServices machine, Path disk) {
    private record Context(HostServices host) implements UnwatchedContext {
        @Override
        public NodeRef here() {
            return new NodeRef(DriverWorld.NODE, "u");
        }

        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public Secrets secrets() {
            return Secrets.NONE;
        }

        @Override
        public Instant deadline() {
            return Instant.MAX;
        }

        @Override
        public String idempotencyKey() {
            return "test";
        }
    }

    static MountingDriver on(HostServices machine) {
        Path disk = Path.of("/disk");
        machine.files()
                .open(Path.of("/"), LinkRule.REFUSE)
                .then(place -> place.makeDirectory("disk", 0755))
                .orThrow();
        return new MountingDriver(machine, disk);
    }

    void show(String path) {
        show(disk, path);
    }

    /** Shows something else than the directory. */
    void show(Path what, String path) {
        machine.files()
                .open(what, LinkRule.REFUSE)
                .then(source -> machine.mounts().bind(source, Path.of(path), BindOptions.PLAIN))
                .orThrow();
    }

    void hide(String path) {
        machine.mounts()
                .table()
                .result()
                .orElseThrow()
                .top(Path.of(path))
                .ifPresent(entry -> machine.mounts()
                        .unmount(
                                new Context(machine),
                                entry.mountPoint(),
                                MountExpectation.of(entry, false),
                                UnmountForce.NONE)
                        .orThrow());
    }
}
