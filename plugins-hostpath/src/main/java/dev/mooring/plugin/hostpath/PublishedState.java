// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is remembered of a published volume: by what its mount is known, or what was found at a path that the pod gets as it is.
 *
 * @param id the mount's number, which is given to another mount when this one has gone
 * @param device the file system's number
 * @param shown which file or directory is shown; absent if the file system is the volume's own
 * @param root what of the file system is shown, which changes when that is renamed
 */
public record PublishedState(int id, String device, Optional<FileIdentity> shown, String root) {
    private static final int SCHEMA = 1;
    private static final int PATH_SCHEMA = 2;
    private static final int SHOWN_SCHEMA = 4;

    /** Of a file system that is the volume's own. */
    public static PluginState of(MountEntry entry) {
        return new PluginState(SCHEMA, entry.id() + " " + entry.device() + " " + entry.root());
    }

    /** Of a part of a file system that has others too. */
    public static PluginState of(MountEntry entry, FileIdentity shown) {
        return new PluginState(SHOWN_SCHEMA, entry.id() + " " + entry.device() + " " + shown + " " + entry.root());
    }

    static PluginState ofPath(FileFacts facts) {
        return new PluginState(PATH_SCHEMA, facts.kind() + " " + facts.identity());
    }

    static boolean isPath(PluginState state) {
        return state.schema() == PATH_SCHEMA;
    }

    /** Reads it; CORRUPT if the state is of another kind. */
    static Outcome<PublishedState> parse(PluginState state) {
        // the root is last, since it may contain blanks
        boolean plain = state.schema() == SCHEMA;
        String[] parts = state.content().split(" ", plain ? 3 : 4);
        Optional<FileIdentity> shown = plain || parts.length != 4 ? Optional.empty() : FileIdentity.parse(parts[2]);
        boolean known = plain ? parts.length == 3 : state.schema() == SHOWN_SCHEMA && shown.isPresent();
        if (!known || !parts[0].matches("\\d{1,9}")) {
            return Outcome.refused(Refusal.CORRUPT, "the recorded state is not one of this plugin: " + state.content());
        }
        return Outcome.done(new PublishedState(Integer.parseInt(parts[0]), parts[1], shown, parts[parts.length - 1]));
    }

    /** What may be unmounted without a look at what it shows. */
    MountExpectation expectation() {
        return new MountExpectation(
                Optional.empty(),
                Optional.empty(),
                Optional.of(device),
                Optional.of(root),
                shown.isPresent() ? OptionalInt.empty() : OptionalInt.of(id),
                true);
    }

    /** Whether that is what was published. */
    boolean isShown(FileIdentity found) {
        return shown.filter(found::equals).isPresent();
    }

    /** Whether a mount can only be told from a later one of the same number by what it shows, since that has been renamed. */
    boolean mayBeRenamed(MountEntry entry) {
        return shown.isPresent()
                && entry.id() == id
                && entry.device().equals(device)
                && !entry.root().equals(root);
    }
}
