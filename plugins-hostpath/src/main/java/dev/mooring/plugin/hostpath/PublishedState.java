// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import java.util.Optional;
import java.util.OptionalInt;

/** What is remembered of a published volume: by what its mount is known, or what was found at a path that the pod gets as it is. */
public final class PublishedState {
    private static final int SCHEMA = 1;
    private static final int PATH_SCHEMA = 2;

    private PublishedState() {}

    /** By what the mount is known. */
    public static PluginState of(MountEntry entry) {
        return new PluginState(SCHEMA, entry.id() + " " + entry.device() + " " + entry.root());
    }

    static PluginState ofPath(FileFacts facts) {
        return new PluginState(PATH_SCHEMA, facts.kind() + " " + facts.identity());
    }

    static boolean isPath(PluginState state) {
        return state.schema() == PATH_SCHEMA;
    }

    /** What may be unmounted; CORRUPT if the state is of another kind. */
    public static Outcome<MountExpectation> expectation(PluginState state) {
        // the root is last, since it may contain blanks
        String[] parts = state.content().split(" ", 3);
        if (state.schema() != SCHEMA || parts.length != 3 || !parts[0].matches("\\d{1,9}")) {
            return Outcome.refused(Refusal.CORRUPT, "the recorded state is not one of this plugin: " + state.content());
        }
        return Outcome.done(new MountExpectation(
                Optional.empty(),
                Optional.empty(),
                Optional.of(parts[1]),
                Optional.of(parts[2]),
                OptionalInt.of(Integer.parseInt(parts[0])),
                true));
    }
}
