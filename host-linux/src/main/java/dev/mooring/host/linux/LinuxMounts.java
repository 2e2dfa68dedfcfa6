// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.file.LinuxPinnedPath;
import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountCloning;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BindOptionsBuilder;
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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Mounts by system calls. Every look at the table is a fresh one, or one of which the kernel says that nothing has changed since. While the
 * table is followed, what concerns one place is asked of the kernel without it, where the kernel can tell.
 */
final class LinuxMounts implements Mounts {
    private final Kernel kernel;
    private final HostCapabilities capabilities;
    private final MountCloning cloning;
    private final MountTableReader reader;
    private final AtomicReference<Optional<MountTableFeed>> feed = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<KnownMounts>> known = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<RootMount>> root = new AtomicReference<>(Optional.empty());
    private final Masks masks;
    private final Unmounting unmounting;
    private final Mounting mounting;

    LinuxMounts(
            Kernel kernel,
            HostCapabilities capabilities,
            ProcessRunner processes,
            MountTableReader reader,
            LinuxHostLayout layout,
            KeptParts kept,
            BoundedCalls calls) {
        this.kernel = kernel;
        this.capabilities = capabilities;
        this.reader = reader;
        this.cloning = new MountCloning(kernel);
        this.masks = new Masks(kernel, kept, this::table, cloning, layout.state());
        this.unmounting = new Unmounting(
                kernel,
                this::tableInDoubt,
                known::get,
                new Quarantine(kernel, layout.orphans()),
                new UnmountCall(kernel, capabilities, processes, calls));
        this.mounting = new Mounting(kernel, this::tableInDoubt, known::get, calls);
    }

    @Override
    public Outcome<MountTable> table() {
        Optional<MountTableFeed> running = feed.get();
        return running.isPresent() ? running.get().table() : reader.read().map(MountInfoParser::parse);
    }

    /**
     * The table where a look at the place alone gives no answer. What was known of the place and what is seen there do not
     * agree then, so nothing that was read before is trusted.
     */
    private Outcome<MountTable> tableInDoubt() {
        Optional<MountTableFeed> running = feed.get();
        Optional<KnownMounts> single = known.get();
        if (running.isEmpty() || single.isEmpty()) {
            return table();
        }
        return running.get().reread().map(now -> {
            single.get().correct(now);
            return now;
        });
    }

    /** Answers from a feed from now on, until it is closed; refused if one runs already. */
    Outcome<MountTableFeed> follow() {
        return follow(MountTableFeed.PAUSE);
    }

    Outcome<MountTableFeed> follow(Duration pause) {
        if (feed.get().isPresent()) {
            return Outcome.refused(Refusal.IN_USE, "the mount table is followed already");
        }
        Outcome<MountTableFeed> started = MountTableFeed.start(kernel, reader, pause, this::followed);
        return started.then(running -> {
            if (feed.compareAndSet(Optional.empty(), Optional.of(running))) {
                askSingly(running);
                return started;
            }
            running.close();
            return Outcome.refused(Refusal.IN_USE, "the mount table is followed already");
        });
    }

    /** From now on a place can be looked at alone, if the kernel tells single mounts. */
    private void askSingly(MountTableFeed running) {
        Optional<KnownMounts> told =
                capabilities.has(HostFeature.RESOLVE_RULES) ? KnownMounts.of(kernel, running::table) : Optional.empty();
        told.ifPresent(mounts -> running.onChange(() -> running.table().result().ifPresent(mounts::correct)));
        known.set(told);
        if (!feed.get().equals(Optional.of(running))) {
            known.set(Optional.empty()); // it has ended meanwhile, and nothing would correct the cached table
        }
    }

    private void followed() {
        feed.set(Optional.empty());
        known.set(Optional.empty()); // after it: see askSingly
    }

    @Override
    public Outcome<MountTable> mountedIn(Path path) {
        Optional<MountTable> told = known.get().flatMap(mounts -> mounts.in(path));
        return told.map(Outcome::done).orElseGet(() -> tableInDoubt().map(now -> now.in(path)));
    }

    @Override
    public Outcome<MountEntry> bind(PinnedPath source, Path target, BindOptions options) {
        Optional<String> why = capabilities.whyMissing(HostFeature.MOUNT_IDENTITY);
        if (why.isPresent()) {
            return Outcome.refused(Refusal.UNSUPPORTED, why.get());
        }
        Optional<Descriptor> held = LinuxPinnedPath.descriptorOf(source);
        return held.isEmpty() ? LinuxPinnedPath.foreign() : Guarded.change(() -> bind(held.get(), target, options));
    }

    /** Below the node's root only volumes of pods are mounted: a volume that shows a directory of it does not show them. */
    private Outcome<MountEntry> bind(Descriptor source, Path target, BindOptions options) throws KernelException {
        int mount = kernel.knownStatus(source).mountId();
        BindOptions fitting =
                root.get().filter(own -> own.id() == mount).isPresent() ? withoutMountsBelow(options) : options;
        return new BindMount(kernel, this::tableInDoubt, known::get, cloning, masks, fitting).bind(source, target);
    }

    private static BindOptions withoutMountsBelow(BindOptions options) {
        return BindOptionsBuilder.builder()
                .readOnly(options.readOnly())
                .noSetuid(options.noSetuid())
                .noDevices(options.noDevices())
                .noExecution(options.noExecution())
                .build();
    }

    /** Makes the node's root a mount of its own. */
    Outcome<RootMount> separate(Path directory) {
        return RootMount.of(kernel, this::table, directory).map(made -> {
            root.set(Optional.of(made));
            return made;
        });
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
