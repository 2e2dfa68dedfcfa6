// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.KeyState;

/**
 * How new a volume's content is. Versions count what has happened to a pod since the agent's start; they are never stored.
 *
 * @param shown the version that the volume shows at least
 * @param started the version from which the last refresh was started
 */
record ContentRefreshState(long shown, long started) implements KeyState {
    /** What a publish shows that no news came after. */
    static final ContentRefreshState FIRST = new ContentRefreshState(0, 0);

    ContentRefreshState starting(long version) {
        return new ContentRefreshState(shown, version);
    }

    ContentRefreshState refreshed() {
        return new ContentRefreshState(started, started);
    }
}
