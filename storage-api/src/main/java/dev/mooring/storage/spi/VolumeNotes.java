// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Notes on a volume's object for the next process that works on the volume, on this node or on another one: which disk it was, whether
 * it was formatted (semantics/plugins §1.5, §3.1). Notes are annotations of the PersistentVolume; their keys begin with {@code
 * mooring.dev/}. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface VolumeNotes {
    /** No volume object, such as for an inline source: nothing is found and nothing can be written. */
    VolumeNotes NONE = new VolumeNotes() {
        @Override
        public Outcome<Optional<String>> find(String key) {
            return Outcome.done(Optional.empty());
        }

        @Override
        public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED, "the volume has no object on which '" + key + "' could be noted");
        }
    };

    /**
     * Reads a note, live.
     *
     * @param key the annotation's key
     * @return the value, or empty if there is no note; deferred if it cannot be read now
     */
    Outcome<Optional<String>> find(String key);

    /**
     * Writes a note if it still is what the caller believes. Writing what is there already is {@link Outcome.Done}.
     *
     * @param key the annotation's key
     * @param expected the value that is to be replaced; empty if there must be none
     * @param value the new value
     * @return done once it is durable; INCOMPATIBLE if another value is there, uncertain if it may have been written, deferred if it
     *     surely was not
     */
    Outcome<Nothing> write(String key, Optional<String> expected, String value);
}
