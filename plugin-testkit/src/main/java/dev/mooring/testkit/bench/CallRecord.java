// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeNotes;

/** The host's record of one intended effect, which outlives a crash. */
final class CallRecord {
    private final String key;
    private final boolean remembers;
    private final VolumeNotes notes;
    private PluginState remembered = PluginState.NONE;
    private int attempts;

    CallRecord(String key, boolean remembers, VolumeNotes notes) {
        this.key = key;
        this.remembers = remembers;
        this.notes = notes;
    }

    String key() {
        return key;
    }

    /** Whether the host keeps state for this kind of call: it does for staging and publishing. */
    boolean remembers() {
        return remembers;
    }

    VolumeNotes notes() {
        return notes;
    }

    synchronized int nextAttempt() {
        return ++attempts;
    }

    synchronized void remember(PluginState state) {
        remembered = state;
    }

    synchronized PluginState remembered() {
        return remembered;
    }
}
