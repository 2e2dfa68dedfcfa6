// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.MountFlags;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One unmount of one mount, which never blocks the caller for ever.
 *
 * <p>An unmount waits for storage only when it takes the last reference to a file system: then the kernel writes out what is dirty and
 * says goodbye to the server, in the thread that asked. A thread of this process that waits there could never be ended, and would keep the
 * whole process from ending, with its locks and ports. So that one is made by a child, which can be killed, and if the kernel does not even
 * let it die, left behind: until it has ended no further one is started for that file system (semantics/plugins §1.1 P3, §2.6). The child is
 * {@code umount}, told to run no helper and to resolve nothing ({@code -i -c}): it then makes the one system call and touches neither the
 * mount nor its server. The place is named by a descriptor of its directory, held here.
 *
 * <p>Every other unmount, such as that of a bind, only takes a reference away. It is made by the system call itself, which unlike the tool
 * can be told not to follow a link that was put in the place of a directory within a volume.
 */
final class UnmountCall {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int FORCE = 1;
    /** File systems that live in memory alone. */
    private static final Set<String> NOTHING_TO_WAIT_FOR =
            Set.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs", "proc", "sysfs", "cgroup", "cgroup2", "mqueue", "devpts");

    private final Kernel kernel;
    private final HostCapabilities capabilities;
    private final ProcessRunner processes;
    private final BoundedCalls calls;

    UnmountCall(Kernel kernel, HostCapabilities capabilities, ProcessRunner processes, BoundedCalls calls) {
        this.kernel = kernel;
        this.capabilities = capabilities;
        this.processes = processes;
        this.calls = calls;
    }

    /** What the kernel said. */
    enum Answer {
        /** It is gone. */
        GONE,
        /** Nothing is mounted there any more: the table tells what is. */
        NOT_THERE,
        /** A process uses it. */
        BUSY
    }

    /**
     * Makes the call.
     *
     * @param place where the mount is; closed when it is not needed any more
     * @param last whether no other mount of the file system is known
     */
    Outcome<Answer> unmount(
            OperationContext context, MountPoint place, MountEntry entry, boolean last, UnmountForce force) {
        boolean child = mayWait(entry, last) && capabilities.has(HostFeature.KILLABLE_UNMOUNT);
        return child ? byChild(context, place, entry, force) : byThread(context, place, entry, force);
    }

    static boolean mayWait(MountEntry entry, boolean last) {
        return last && !NOTHING_TO_WAIT_FOR.contains(entry.fsType());
    }

    /** Whether a table has no other mount of its file system. */
    static boolean isLast(MountEntry entry, MountTable now) {
        return now.references(entry.device(), "/").size() <= 1;
    }

    /** Whether a table has no other mount of a file system that is mounted at a path or below it. */
    static boolean holdsLast(Path path, MountTable now) {
        Set<String> elsewhere = now.entries().stream()
                .filter(entry -> !entry.mountPoint().startsWith(path))
                .map(MountEntry::device)
                .collect(Collectors.toSet());
        return now.in(path).entries().stream().anyMatch(entry -> mayWait(entry, !elsewhere.contains(entry.device())));
    }

    private static String fileSystem(MountEntry entry) {
        return "file system " + entry.device();
    }

    private Outcome<Answer> byThread(OperationContext context, MountPoint place, MountEntry entry, UnmountForce force) {
        byte[] anchored = place.anchored();
        int flags = MountFlags.NO_FOLLOW
                | (force == UnmountForce.ABORT_REQUESTS ? FORCE : 0)
                | (force == UnmountForce.DETACH ? MountFlags.DETACH : 0);
        return calls.call(context, fileSystem(entry), "the unmount of " + entry, place::close, () -> {
            try {
                kernel.unmount(anchored, flags);
                return Outcome.done(Answer.GONE);
            } catch (KernelException e) {
                return switch (e.errno()) {
                    case Errno.EINVAL, Errno.ENOENT -> Outcome.done(Answer.NOT_THERE);
                    case Errno.EBUSY -> Outcome.done(Answer.BUSY);
                    default -> e.outcomeOfChange();
                };
            }
        });
    }

    private Outcome<Answer> byChild(OperationContext context, MountPoint place, MountEntry entry, UnmountForce force) {
        try (place) {
            // the number of this process as the mounted /proc has it
            String process = kernel.readLink(Kernel.name("/proc/self"));
            String anchored = new String(place.anchored(), StandardCharsets.UTF_8)
                    .replaceFirst("^/proc/self/", "/proc/" + process + "/");
            List<String> arguments = new ArrayList<>(List.of("-i", "-c"));
            if (force != UnmountForce.NONE) {
                arguments.add(force == UnmountForce.DETACH ? "-l" : "-f");
            }
            arguments.add("--");
            String given = anchored.substring(0, anchored.indexOf('\0'));
            arguments.add(given);
            Command command = Command.change(fileSystem(entry), LIMIT, "umount", arguments);
            return processes.run(context, command).then(result -> classify(given, entry, result));
        } catch (KernelException e) {
            return e.outcomeOfChange();
        }
    }

    static Outcome<Answer> classify(String given, MountEntry entry, CommandResult result) {
        if (result.succeeded()) {
            return Outcome.done(Answer.GONE);
        }
        // a volume's name is in the path, and may be any of the words that are looked for
        String said = result.complaint().replace(given, "it");
        if (result.ending() != Ending.EXITED) {
            return Outcome.uncertain("the kernel has not finished the unmount of " + entry + " in time");
        }
        if (said.contains("busy")) {
            return Outcome.done(Answer.BUSY);
        }
        if (said.contains("not mounted") || said.contains("no mount point") || said.contains("not found")) {
            return Outcome.done(Answer.NOT_THERE);
        }
        boolean denied = said.contains("permitted") || said.contains("permission") || said.contains("superuser");
        return denied
                ? Outcome.refused(Refusal.DENIED, said)
                : Outcome.uncertain("the unmount of " + entry + " failed with " + result.exitCode() + ": " + said);
    }
}
