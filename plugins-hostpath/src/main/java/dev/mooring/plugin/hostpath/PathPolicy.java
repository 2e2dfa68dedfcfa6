// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which paths may not be shown writable, and which may never be emptied. Always asked of a path without links. */
final class PathPolicy {
    private static final List<Path> KERNEL = List.of(Path.of("/proc"), Path.of("/sys"));
    /** What belongs to the system, with all below. */
    private static final List<Path> SYSTEM =
            paths("bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "usr");
    /** Directories below which users keep things, which are the system's themselves. */
    private static final List<Path> SHARED = paths(
            "home",
            "media",
            "mnt",
            "opt",
            "root",
            "srv",
            "tmp",
            "var",
            "var/lib",
            "var/log",
            "var/tmp",
            "var/spool",
            "var/cache");

    private final OperationContext context;
    private final HostPathSettings settings;

    PathPolicy(OperationContext context, HostPathSettings settings) {
        this.context = context;
        this.settings = settings;
    }

    private static List<Path> paths(String... names) {
        return Arrays.stream(names).map(name -> Path.of("/" + name)).toList();
    }

    /**
     * Why a path may not be shown to a pod; empty if it may. A directory that was made for a claim always may; everything else follows
     * the operator's lists, and for writing neither the kernel's files nor the host's are shown by themselves. A directory
     * above them is shown with them: tools that watch over a node or repair it ask for {@code /}, and a source cannot say that its
     * containers only read. Who wants none of that denies the state's directory.
     */
    Optional<String> whyNotShown(Path resolved, boolean readOnly) {
        if (isProvisioned(resolved)) {
            return Optional.empty();
        }
        if (!settings.allow().isEmpty() && settings.allow().stream().noneMatch(resolved::startsWith)) {
            return Optional.of(resolved + " lies in none of the paths that are allowed on this node");
        }
        Optional<Path> listed = settings.deny().stream()
                // whoever shows what is above shows what is denied
                .filter(path -> resolved.startsWith(path) || path.startsWith(resolved))
                .findFirst();
        if (listed.isPresent()) {
            return Optional.of(resolved + " lies in or above " + listed.get() + ", which is denied on this node");
        }
        return readOnly ? Optional.empty() : whyNotWritable(resolved);
    }

    private Optional<String> whyNotWritable(Path resolved) {
        List<Path> denied = new ArrayList<>(KERNEL);
        denied.addAll(context.host().protectedPaths());
        denied.add(settings.effectiveRoot());
        return denied.stream()
                .filter(resolved::startsWith)
                .findFirst()
                .map(path -> resolved + " lies in " + path + ", which no volume may show writable");
    }

    private boolean isProvisioned(Path resolved) {
        Path volumes = settings.effectiveRoot().resolve(Store.VOLUMES);
        return resolved.startsWith(volumes) && !resolved.equals(volumes);
    }

    /** Refused if the directory is the system's or holds something of the system or of the host. */
    Outcome<Path> mayBeEmptied(Path resolved) {
        List<Path> kept = new ArrayList<>(context.host().protectedPaths());
        kept.add(settings.effectiveRoot());
        boolean system = resolved.getNameCount() == 0
                || SHARED.contains(resolved)
                || SYSTEM.stream().anyMatch(resolved::startsWith);
        boolean host = kept.stream().anyMatch(path -> path.startsWith(resolved) || resolved.startsWith(path));
        return system || host
                ? Outcome.refused(
                        Refusal.DENIED,
                        resolved + " belongs to the " + (system ? "system" : "host") + " and is never emptied")
                : Outcome.done(resolved);
    }
}
