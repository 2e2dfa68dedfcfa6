// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The imagined mount table; an unmount of a dead server's mount hangs as the kernel's does. */
record FakeMounts(FakeHost host) implements Mounts {
    /** No mount of an export has it. */
    private static final int LOCAL_ID = 1_000_000;

    @Override
    public Outcome<MountTable> table() {
        return Outcome.done(new MountTable(host.table));
    }

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        return source.resolved().map(shown -> {
            try {
                Files.createDirectories(target);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            MountEntry entry = new MountEntry(
                    LOCAL_ID,
                    1,
                    "8:1",
                    shown.toString(),
                    false,
                    target,
                    List.of("rw"),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    "ext4",
                    "/dev/sda1",
                    List.of());
            host.table.add(entry);
            return entry;
        });
    }

    @Override
    public Outcome<MountEntry> entryOf(PinnedPath path) {
        return Outcome.refused(Refusal.UNSUPPORTED, "no test asks here");
    }

    @Override
    public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
        return Outcome.refused(Refusal.UNSUPPORTED, "no test mounts without a tool here");
    }

    @Override
    public Outcome<Nothing> unmount(
            OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        while (true) {
            Optional<MountEntry> top = new MountTable(host.table).top(target);
            if (top.isEmpty()) {
                return removeDirectory(target);
            }
            if (!expected.fits(top.get())) {
                return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the place: " + top.get());
            }
            host.done.add(force + " " + target.getFileName());
            Optional<Outcome<Nothing>> obstacle = obstacle(top.get(), force);
            if (obstacle.isPresent()) {
                return obstacle.get();
            }
            host.table.remove(top.get());
            if (force == UnmountForce.DETACH) {
                host.draining.add(top.get().device());
            }
        }
    }

    private Optional<Outcome<Nothing>> obstacle(MountEntry entry, UnmountForce force) {
        boolean dead = NfsSources.parse(entry.source())
                .filter(export -> host.dead.contains(export.server()))
                .isPresent();
        if (force == UnmountForce.DETACH || (dead && force == UnmountForce.ABORT_REQUESTS && host.abortHelps)) {
            return Optional.empty();
        }
        return dead
                ? Optional.of(Outcome.uncertain("the kernel does not answer"))
                : host.busy.contains(entry.mountPoint())
                        ? Optional.of(Outcome.refused(Refusal.IN_USE, entry + " is busy, held by the processes 7"))
                        : Optional.empty();
    }

    private static Outcome<Nothing> removeDirectory(Path target) {
        try {
            Files.deleteIfExists(target);
            return Outcome.done();
        } catch (DirectoryNotEmptyException e) {
            return Outcome.refused(Refusal.CORRUPT, target + " was not empty");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
