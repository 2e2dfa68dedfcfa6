// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.support;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;

/** Refuses everything that a test does not replace. */
public abstract class ForwardingMounts implements Mounts {
    private final Mounts none = HostServices.none().mounts();

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        return none.bind(source, target, options);
    }

    @Override
    public Outcome<MountEntry> entryOf(PinnedPath path) {
        return none.entryOf(path);
    }

    @Override
    public Outcome<Nothing> unmount(
            OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        return none.unmount(context, target, expected, force);
    }
}
