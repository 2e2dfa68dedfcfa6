// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.RootMount;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.runtime.plugin.TicketContext;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.TreeRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a world has of this machine: a temporary directory with a root for each node, the state of plugins and the volumes that the hostPath
 * plugin makes. Everything in it, and all that is mounted there, goes when it is closed. All nodes of a world are this one machine.
 */
final class RealMachine implements AutoCloseable {
    private static final List<HostFeature> NEEDED =
            List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY, HostFeature.ATOMIC_BIND);
    private static final Duration TO_TIDY = Duration.ofSeconds(30);
    private static final FileAttribute<?> FOR_ROOT =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
    private static final String NODES = "nodes";
    private static final String HOST_PATHS = "hostpath";
    private static final String STATE = "state";

    private final Path directory;
    private final LinuxHost host;
    private final RootMount layers;
    /** For a process that is interrupted: a tool that tidies temporary directories could delete what is still mounted there. */
    private final Thread atExit = new Thread(this::tidy, "mooring-world-exit");

    private boolean tidy;

    private RealMachine(Path directory, LinuxHost host, RootMount layers) {
        this.directory = directory;
        this.host = host;
        this.layers = layers;
    }

    /** Why this process cannot have real storage here; empty if it can. */
    static Optional<String> whyNot() {
        return host(Path.of("/nonexistent"))
                .map(LinuxHost::capabilities)
                .map(RealMachine::whyNot)
                .orElseGet(() -> Optional.of("this is no Linux from 5.12 on x86_64 or aarch64"));
    }

    private static Optional<String> whyNot(HostCapabilities capabilities) {
        return NEEDED.stream()
                .flatMap(feature -> capabilities.whyMissing(feature).stream())
                .findFirst();
    }

    private static Optional<LinuxHost> host(Path directory) {
        // what was not empty is put aside on the same mount, below a name that no node can have
        Path aside = directory.resolve(NODES).resolve(".orphans");
        return LinuxHost.ofThisMachine(
                new LinuxHostLayout(directory.resolve(STATE), aside, KeptPlaces.in(KeptPlaces.DIRECTORY)));
    }

    /**
     * Makes the directory.
     *
     * @throws IllegalStateException if it cannot be; the message says why
     */
    static RealMachine open() {
        whyNot().ifPresent(why -> {
            throw new IllegalStateException("real back-ends cannot be had here: " + why
                    + ". Run the test as root on Linux, in a container with CAP_SYS_ADMIN, or leave it out where "
                    + "MooringWorld.whyNoRealBackEnds() gives a reason");
        });
        Path made = newDirectory();
        LinuxHost host = host(made).orElseThrow();
        Outcome<RootMount> layers = host.separate(made.resolve(NODES));
        if (!layers.isDone()) {
            delete(host, made);
            throw new IllegalStateException("real back-ends cannot be had here: " + layers);
        }
        RealMachine machine = new RealMachine(made, host, layers.orThrow());
        Runtime.getRuntime().addShutdownHook(machine.atExit);
        return machine;
    }

    private static Path newDirectory() {
        try {
            Path made = Files.createTempDirectory("mooring-world-").toRealPath();
            for (String name : List.of(NODES, STATE, HOST_PATHS)) {
                Files.createDirectory(made.resolve(name), FOR_ROOT); // whatever the umask allows
            }
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("no directory can be made for real back-ends: " + e.getMessage(), e);
        }
    }

    LinuxHost host() {
        return host;
    }

    /** Where the hostPath plugin makes volumes. */
    Path hostPaths() {
        return directory.resolve(HOST_PATHS);
    }

    /** Below it volumes are shown to the pods of a node. */
    Path rootOf(String node) {
        Path root = directory.resolve(NODES).resolve(node);
        try {
            return Files.createDirectories(root);
        } catch (IOException e) {
            throw new UncheckedIOException("node " + node + " has no directory: " + e.getMessage(), e);
        }
    }

    /** A node goes down: whatever was mounted there has gone, also what is in use. */
    void unmountAllOf(String node) {
        unmountBelow(rootOf(node));
    }

    private void unmountBelow(Path place) {
        List<MountEntry> mounts = new ArrayList<>(mounts().below(place));
        Collections.reverse(mounts);
        for (MountEntry each : mounts) {
            Command command = Command.change(
                    each.mountPoint().toString(),
                    TO_TIDY,
                    "umount",
                    List.of("-l", each.mountPoint().toString()));
            // what has gone with another one is no longer there; what stays is found when the directory is deleted
            Outcome<?> unused = host.processes().run(context(host), command);
        }
    }

    private MountTable mounts() {
        return host.mounts().table().orThrow();
    }

    private static OperationContext context(LinuxHost host) {
        InstantSource clock = InstantSource.system();
        Instant limit = clock.instant().plus(TO_TIDY);
        return new TicketContext(
                new UncancelledTicket(clock, limit, 1, "tidy", notice -> {}), Optional.empty(), host, Secrets.NONE);
    }

    /**
     * Unmounts and deletes everything. No link is followed, and nothing is deleted in what is still mounted.
     *
     * @throws IllegalStateException if something stays; the message says what, and where
     */
    @Override
    public void close() {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException processEnds) {
            return; // the hook does it
        }
        tidy();
    }

    private synchronized void tidy() {
        if (tidy) {
            return;
        }
        unmountBelow(directory.resolve(NODES));
        layers.close();
        unmountBelow(directory);
        delete(host, directory);
        tidy = true;
    }

    private static void delete(LinuxHost host, Path directory) {
        Outcome<?> emptied = host.files().open(directory, LinkRule.REFUSE).then(opened -> {
            try (opened) {
                return opened.facts()
                        .then(facts -> host.files().empty(context(host), opened, TreeRules.all(facts.identity())));
            }
        });
        try {
            if (emptied.isDone()) {
                Files.delete(directory);
                return;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(directory + " stays: " + e.getMessage(), e);
        }
        throw new IllegalStateException(directory + " stays, with what is mounted in it: " + emptied);
    }
}
