// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.PluginState;
import java.util.Optional;

/**
 * What the agent knows of something that is recorded before it is done.
 *
 * @param <E> what is recorded of it
 * @param <S> the state itself
 */
interface RecordedState<E extends RecordEntry, S extends RecordedState<E, S>> extends KeyState {
    /** How far it has come. */
    RecordProgress<E> progress();

    /** An append is on its way. */
    S appending(E entry);

    /** The mount table shows what is recorded, or nothing more can be done about it. */
    S trust();

    /** See {@link RecordProgress#record}. */
    default Optional<E> record() {
        return progress().record();
    }

    /** See {@link RecordProgress#appending}. */
    default Optional<E> appending() {
        return progress().appending();
    }

    /** See {@link RecordProgress#answer}. */
    default Optional<PluginState> answer() {
        return progress().answer();
    }
}
