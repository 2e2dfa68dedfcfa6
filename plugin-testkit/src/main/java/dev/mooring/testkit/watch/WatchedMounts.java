// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;

/** Mounts of which it is known how they were asked for. */
record WatchedMounts(HostWatch watch, Mounts real) implements Mounts {
    @Override
    public Outcome<MountTable> table() {
        return watch.look(real::table);
    }

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        watch.mounting(options.readOnly(), "a bind at " + target);
        return watch.change("binding at " + target, () -> real.bind(WatchedPath.real(source), target, options));
    }

    @Override
    public Outcome<MountEntry> entryOf(PinnedPath path) {
        return watch.look(() -> real.entryOf(WatchedPath.real(path)));
    }

    @Override
    public Outcome<Nothing> unmount(
            OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        return watch.change("unmounting " + target, () -> real.unmount(context, target, expected, force));
    }

    @Override
    public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
        watch.mounting(request.readOnly(), "a mount of " + request.source() + " at " + target);
        return watch.change("mounting at " + target, () -> real.mount(context, target, request));
    }
}
