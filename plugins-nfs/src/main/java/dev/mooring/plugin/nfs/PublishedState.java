// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.MountEntry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is remembered of a published volume.
 *
 * @param source what is mounted, as the mount table writes it
 * @param device number of the file system; empty if the answer to publish was lost
 * @param boot in which boot of the machine; empty if that is not known
 * @param exclusive whether no other node may have the volume until the kernel has let go of it
 * @param options the effective options, for people
 */
record PublishedState(
        String source, Optional<String> device, Optional<String> boot, boolean exclusive, String options) {
    private static final int SCHEMA = 1;

    static PublishedState of(MountEntry entry, Optional<String> boot, boolean exclusive) {
        return new PublishedState(
                entry.source(), Optional.of(entry.device()), boot, exclusive, String.join(",", entry.superOptions()));
    }

    PublishedState on(MountEntry entry) {
        return of(entry, boot, exclusive);
    }

    PluginState write() {
        StringBuilder text = new StringBuilder();
        device.ifPresent(number -> text.append("device=").append(number).append('\n'));
        boot.ifPresent(id -> text.append("boot=").append(id).append('\n'));
        text.append("exclusive=").append(exclusive).append('\n');
        text.append("options=").append(options).append('\n');
        // without line ends: validation refuses them
        text.append("source=").append(source).append('\n');
        return new PluginState(SCHEMA, text.toString());
    }

    /** Reads what {@link #write} wrote; where nothing was recorded, what the volume's identity tells. */
    static Outcome<PublishedState> read(PluginState state, VolumeId volume) {
        if (state.equals(PluginState.NONE)) {
            return Outcome.done(new PublishedState(volume.backend(), Optional.empty(), Optional.empty(), false, ""));
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : state.content().lines().toList()) {
            int equals = line.indexOf('=');
            fields.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
        }
        String source = fields.getOrDefault("source", "");
        return state.schema() == SCHEMA && !source.isEmpty()
                ? Outcome.done(new PublishedState(
                        source,
                        Optional.ofNullable(fields.get("device")),
                        Optional.ofNullable(fields.get("boot")),
                        Boolean.parseBoolean(fields.get("exclusive")),
                        fields.getOrDefault("options", "")))
                : Outcome.refused(Refusal.CORRUPT, "the recorded state is not one of this plugin: " + state.content());
    }
}
