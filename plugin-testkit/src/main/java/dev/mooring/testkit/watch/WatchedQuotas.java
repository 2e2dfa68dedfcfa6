// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.PinnedPath;

/**
 * Limits that are watched.
 *
 * @param watch who watches
 * @param real the limits
 */
record WatchedQuotas(HostWatch watch, DirectoryQuotas real) implements DirectoryQuotas {
    @Override
    public Outcome<Long> limit(PinnedPath directory, String key, long bytes) {
        return watch.change("limiting " + key, () -> real.limit(WatchedPath.real(directory), key, bytes));
    }

    @Override
    public Outcome<Nothing> lift(PinnedPath directory, String key) {
        return watch.change("lifting the limit of " + key, () -> real.lift(WatchedPath.real(directory), key));
    }
}
