// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.BootId;
import dev.mooring.plugin.support.Pause;
import dev.mooring.storage.spi.ForwardingContext;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.UnmountForce;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Takes a mount away, in ever harder ways if its server is silent (semantics/plugins §2.6): plainly; by failing what waits for the
 * server, if no other mount shares the connection; out of sight. Only the mount table says how far it came, so every step may be
 * repeated; nothing is opened or asked through the mount.
 */
final class Unpublisher {
    private static final Duration PLAIN = Duration.ofSeconds(30);
    private static final Duration FORCED = Duration.ofSeconds(5);
    private static final int FORCED_ATTEMPTS = 3;

    private final OperationContext context;
    private final Servers servers;
    private final Probe probe;
    private final Pause pause;

    Unpublisher(OperationContext context, Servers servers, Probe probe, Pause pause) {
        this.context = context;
        this.servers = servers;
        this.probe = probe;
        this.pause = pause;
    }

    /** Takes away what is mounted at the target, if it is what was recorded. */
    Outcome<Nothing> unpublish(MountTarget target, PublishedState state) {
        return context.host().mounts().table().then(table -> {
            Optional<MountEntry> entry = table.top(target.path());
            if (entry.isEmpty()) {
                return removeDirectory(target, state).then(nothing -> released(state));
            }
            if (!isOurs(entry.get(), state)) {
                return Outcome.refused(Refusal.IN_USE, "a foreign mount is in the volume's place: " + entry.get());
            }
            PublishedState seen = state.on(entry.get());
            return gone(target, expectation(table, entry.get()), entry.get(), seen)
                    .then(nothing -> released(seen));
        });
    }

    private static boolean isOurs(MountEntry entry, PublishedState state) {
        return Mounted.isNfs(entry) && NfsSources.parse(entry.source()).equals(NfsSources.parse(state.source()));
    }

    /** Every layer of this source and type may go, and with it what the kernel itself mounted below. */
    private static MountExpectation expectation(MountTable table, MountEntry entry) {
        boolean onlyKernels =
                table.below(entry.mountPoint()).stream().allMatch(below -> Mounted.madeByKernel(below, entry));
        return MountExpectationBuilder.builder()
                .source(entry.source())
                .fsType(entry.fsType())
                .tree(onlyKernels)
                .build();
    }

    private Outcome<Nothing> removeDirectory(MountTarget target, PublishedState state) {
        return context.host()
                .mounts()
                .unmount(context, target.path(), MountExpectation.ofSource(state.source()), UnmountForce.NONE);
    }

    private Outcome<Nothing> gone(
            MountTarget target, MountExpectation expected, MountEntry entry, PublishedState state) {
        Outcome<Nothing> plain = attempt(target, expected, UnmountForce.NONE, PLAIN);
        if (plain.isDone() || isFinal(plain)) {
            return plain;
        }
        if (isGone(target)) {
            return removeDirectory(target, state);
        }
        String server = NfsSources.parse(entry.source()).map(Export::server).orElse("");
        boolean hangs = plain.isUncertain();
        if (!hangs && !probe.isSilent(server, entry.mountPoint())) {
            // a process uses it, and waiting for it is right
            return plain;
        }
        servers.silent(server, context.clock().instant());
        return forced(target, expected, entry)
                .map(Outcome::<Nothing>done)
                .orElseGet(() -> detached(target, expected, state));
    }

    /** Refusals that no force changes: everything but a mount that is busy. */
    private static boolean isFinal(Outcome<Nothing> outcome) {
        return outcome.isWithoutEffect() && !outcome.isRefused(Refusal.IN_USE);
    }

    private boolean isGone(MountTarget target) {
        return target.mounted().result().filter(Optional::isEmpty).isPresent();
    }

    private Outcome<Nothing> attempt(
            MountTarget target, MountExpectation expected, UnmountForce force, Duration limit) {
        return context.host().mounts().unmount(Part.within(context, limit), target.path(), expected, force);
    }

    /** Present once it is gone. Not tried where other mounts would have their requests failed as well. */
    private Optional<Nothing> forced(MountTarget target, MountExpectation expected, MountEntry entry) {
        boolean alone = context.host()
                .mounts()
                .table()
                .result()
                .filter(table -> Mounted.sharing(table, entry).isEmpty())
                .isPresent();
        for (int i = 0; alone && i < FORCED_ATTEMPTS && !context.cancelled(); i++) {
            Outcome<Nothing> outcome = attempt(target, expected, UnmountForce.ABORT_REQUESTS, FORCED);
            if (outcome.isDone()) {
                return outcome.result();
            }
            pause.pass(context, FORCED);
        }
        return Optional.empty();
    }

    private Outcome<Nothing> detached(MountTarget target, MountExpectation expected, PublishedState state) {
        if (isGone(target)) {
            return removeDirectory(target, state);
        }
        if (state.exclusive()) {
            // the mount leaves the table now; that the kernel still writes must not be forgotten
            context.remember(state.write());
        }
        Outcome<Nothing> outcome = attempt(target, expected, UnmountForce.DETACH, FORCED);
        return !outcome.isDone() && isGone(target) ? removeDirectory(target, state) : outcome;
    }

    /** Who has a volume exclusively has it until the kernel has written everything back. */
    private Outcome<Nothing> released(PublishedState state) {
        Optional<NfsSuperblock> superblock = NfsSuperblock.of(state);
        if (!state.exclusive() || superblock.isEmpty()) {
            return Outcome.done();
        }
        Optional<String> now = BootId.current(context.host());
        boolean otherBoot = now.isPresent() && state.boot().isPresent() && !now.equals(state.boot());
        return otherBoot ? Outcome.done() : new NfsSuperblocks(context).gone(superblock.get());
    }

    /** A part of a call that may not take all of the time that is left. */
    private record Part(OperationContext call, Instant deadline) implements ForwardingContext {
        static OperationContext within(OperationContext call, Duration limit) {
            Instant end = call.clock().instant().plus(limit);
            return new Part(call, end.isBefore(call.deadline()) ? end : call.deadline());
        }
    }
}
