// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a plugin remembers in the midst of a call, in the volume's record. No other rpc works on the volume meanwhile.
 *
 * @param records where it stands
 * @param volume the volume as the call found it
 * @param path where it is staged or published by the call; empty if it is neither
 */
record CallMemory(VolumeRecords records, VolumeRecord volume, Optional<Path> path) implements VolumeNotes {
    /** The record as it is by now. */
    VolumeRecord now() throws RpcFailure {
        return records.now(volume);
    }

    private Optional<VolumeUse> use() throws RpcFailure {
        VolumeRecord now = now();
        return path.map(place -> now.uses().get(place.toString()));
    }

    Outcome<Nothing> remember(PluginState state) {
        try {
            Optional<VolumeUse> use = use();
            if (use.isEmpty()) {
                return Outcome.refused(Refusal.UNSUPPORTED, "this call has no record");
            }
            records.announceNext(now().with(use.get().with(state)));
            return Outcome.done();
        } catch (RpcFailure e) {
            return Outcome.deferred(e.why());
        }
    }

    PluginState remembered() {
        try {
            return use().map(VolumeUse::state).orElse(PluginState.NONE);
        } catch (RpcFailure e) {
            return PluginState.NONE;
        }
    }

    @Override
    public Outcome<Optional<String>> find(String key) {
        try {
            VolumeRecord now = now();
            return Outcome.done(Optional.ofNullable(now.notes().get(key))
                    .or(() -> Optional.ofNullable(now.annotations().get(key))));
        } catch (RpcFailure e) {
            return Outcome.deferred(e.why());
        }
    }

    @Override
    public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
        return find(key).then(there -> {
            if (there.equals(Optional.of(value))) {
                return Outcome.done();
            }
            return there.equals(expected)
                    ? note(key, value)
                    : Outcome.refused(Refusal.INCOMPATIBLE, "the note '" + key + "' has changed meanwhile");
        });
    }

    private Outcome<Nothing> note(String key, String value) {
        try {
            records.announceNext(now().noted(key, value));
            return Outcome.done();
        } catch (RpcFailure e) {
            return Outcome.deferred(e.why());
        }
    }
}
