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
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Mounts by system calls. Every look at the table is a fresh one, or one of which the kernel says that nothing has changed since. */
final class LinuxMounts implements Mounts {
    private final Kernel kernel;
    private final HostCapabilities capabilities;
    private final Cloning cloning;
    private final MountTableReader reader;
    private final AtomicReference<Optional<MountTableFeed>> feed = new AtomicReference<>(Optional.empty());
    private final Unmounting unmounting;
    private final Mounting mounting;

    LinuxMounts(
            Kernel kernel,
            HostCapabilities capabilities,
            ProcessRunner processes,
            MountTableReader reader,
            LinuxHostLayout layout,
            BoundedCalls calls) {
        this.kernel = kernel;
        this.capabilities = capabilities;
        this.reader = reader;
        this.cloning = capabilities.has(HostFeature.ATOMIC_BIND)
                ? new NewCloning(kernel)
                : new OldCloning(kernel, this::table, layout.state());
        this.unmounting = new Unmounting(
                kernel,
                this::table,
                new Quarantine(kernel, layout.orphans()),
                new UnmountCall(kernel, capabilities, processes, calls));
        this.mounting = new Mounting(kernel, this::table, calls);
    }

    @Override
    public Outcome<MountTable> table() {
        Optional<MountTableFeed> running = feed.get();
        return running.isPresent() ? running.get().table() : reader.read().map(MountInfoParser::parse);
    }

    /** Answers from a feed from now on, until it is closed; refused if one runs already. */
    Outcome<MountTableFeed> follow() {
        if (feed.get().isPresent()) {
            return Outcome.refused(Refusal.IN_USE, "the mount table is followed already");
        }
        Outcome<MountTableFeed> started = MountTableFeed.start(kernel, reader, () -> feed.set(Optional.empty()));
        return started.then(running -> {
            if (feed.compareAndSet(Optional.empty(), Optional.of(running))) {
                return started;
            }
            running.close();
            return Outcome.refused(Refusal.IN_USE, "the mount table is followed already");
        });
    }

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        Optional<String> why = capabilities.whyMissing(HostFeature.MOUNT_IDENTITY);
        if (why.isPresent()) {
            return Outcome.refused(Refusal.UNSUPPORTED, why.get());
        }
        Optional<Descriptor> held = LinuxPinnedPath.descriptorOf(source);
        return held.isEmpty()
                ? LinuxPinnedPath.foreign()
                : new Binding(kernel, this::table, cloning, options).bind(held.get(), target);
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
