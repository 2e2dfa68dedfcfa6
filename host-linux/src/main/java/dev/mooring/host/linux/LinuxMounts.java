// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Mounts by system calls. Every look at the table is a fresh one. */
final class LinuxMounts implements Mounts {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final Charset PATHS = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final Kernel kernel;
    private final HostCapabilities capabilities;
    private final Unmounting unmounting;
    private final Mounting mounting;

    LinuxMounts(Kernel kernel, HostCapabilities capabilities, Path orphans, BoundedCalls calls) {
        this.kernel = kernel;
        this.capabilities = capabilities;
        this.unmounting = new Unmounting(kernel, this::table, new Quarantine(kernel, orphans), calls);
        this.mounting = new Mounting(kernel, this::table, calls);
    }

    @Override
    public Outcome<MountTable> table() {
        try {
            return Outcome.done(MountInfoParser.parse(new String(Files.readAllBytes(TABLE), PATHS)));
        } catch (IOException e) {
            return Outcome.uncertain("the mount table cannot be read: " + e.getMessage());
        }
    }

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        Optional<String> why = capabilities
                .whyMissing(HostFeature.ATOMIC_BIND)
                .or(() -> capabilities.whyMissing(HostFeature.MOUNT_IDENTITY));
        if (why.isPresent()) {
            return Outcome.refused(Refusal.UNSUPPORTED, why.get());
        }
        Optional<Descriptor> held = LinuxPinnedPath.descriptorOf(source);
        return held.isEmpty()
                ? LinuxPinnedPath.foreign()
                : new Binding(kernel, this::table, options).bind(held.get(), target);
    }

    @Override
    public Outcome<MountEntry> entryOf(PinnedPath path) {
        return path.facts()
                .then(facts -> table().then(table -> table.byId(facts.mountId())
                        .map(Outcome::done)
                        .orElseGet(() -> Outcome.uncertain("no mount has the number " + facts.mountId()))));
    }

    @Override
    public Outcome<Nothing> unmount(
            OperationContext context, Path target, MountExpectation expected, UnmountForce force) {
        return unmounting.unmount(context, target, expected, force);
    }

    @Override
    public Outcome<MountEntry> mount(OperationContext context, Path target, MountRequest request) {
        return mounting.mount(context, target, request);
    }
}
