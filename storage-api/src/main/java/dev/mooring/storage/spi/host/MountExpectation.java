// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * By what a mount is known to be ours. What is absent is not compared. A mount fits if source, type and device are as expected and
 * either its number or its root is: the root of a bind changes its name when the original is renamed, the number does not, and the
 * number is given away when the mount has gone, the root is not. So a number is expected only of a mount that was looked at just now, or
 * whose file system is known to show nothing else.
 *
 * @param source what the file system is made of
 * @param fsType the type of the file system
 * @param device major and minor number
 * @param root what of the file system is shown
 * @param id the mount's number
 * @param tree whether everything mounted below it goes with it, as for a recursive bind; else nothing may be mounted below
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record MountExpectation(
        Optional<String> source,
        Optional<String> fsType,
        Optional<String> device,
        Optional<String> root,
        OptionalInt id,
        boolean tree)
        implements MountExpectationBuilder.With {
    /** Exactly this mount, or one like it. */
    public static MountExpectation of(MountEntry entry, boolean tree) {
        return new MountExpectation(
                Optional.of(entry.source()),
                Optional.of(entry.fsType()),
                Optional.of(entry.device()),
                Optional.of(entry.root()),
                OptionalInt.of(entry.id()),
                tree);
    }

    /** No mount at all: whatever may come to the place meanwhile is not ours. */
    public static MountExpectation nothing() {
        // every mount has a device
        return new MountExpectation(
                Optional.empty(), Optional.empty(), Optional.of(""), Optional.empty(), OptionalInt.empty(), false);
    }

    /** Any mount of a source, such as {@code server:/export}. */
    public static MountExpectation ofSource(String source) {
        return new MountExpectation(
                Optional.of(source), Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty(), false);
    }

    /** Whether a mount is the expected one. */
    public boolean fits(MountEntry entry) {
        return source.map(entry.source()::equals).orElse(true)
                && fsType.map(entry.fsType()::equals).orElse(true)
                && device.map(entry.device()::equals).orElse(true)
                && sameMountOrRoot(entry);
    }

    private boolean sameMountOrRoot(MountEntry entry) {
        boolean nothingGiven = root.isEmpty() && id.isEmpty();
        boolean sameMount = id.isPresent() && id.getAsInt() == entry.id();
        return nothingGiven || sameMount || root.map(entry.root()::equals).orElse(false);
    }
}
